package lang_test

import (
	"path/filepath"
	"testing"
	"time"

	"gitlet/internal/lang"
	"gitlet/internal/lang/langtest"
	"gitlet/internal/symbols"
)

// One target for each language. Plain go test runs their seeds: all cases of the
// language, what cut and broken text often looks like, and nothing at all.

func FuzzGo(f *testing.F)         { fuzzLanguage(f, "go", "a/use.go") }
func FuzzTypeScript(f *testing.F) { fuzzLanguage(f, "typescript", "src/use.ts") }
func FuzzTSX(f *testing.F)        { fuzzLanguage(f, "tsx", "src/use.tsx") }
func FuzzJavaScript(f *testing.F) { fuzzLanguage(f, "javascript", "src/use.js") }
func FuzzPython(f *testing.F)     { fuzzLanguage(f, "python", "pkg/use.py") }
func FuzzRust(f *testing.F)       { fuzzLanguage(f, "rust", "src/use.rs") }

func fuzzLanguage(f *testing.F, name, path string) {
	l := lang.ByName(name)
	for _, c := range langtest.Cases(f, filepath.Join("testdata", name)) {
		src := c.Source()
		f.Add(src)
		f.Add(src[:len(src)*2/3])
		f.Add(src[len(src)/3:])
	}
	for _, s := range []string{"", "\x00", "\xff\xfe \"", "\ufeffa\r\nb`${", "func (", "export default class { x = () => <a b={c}/> }",
		"namespace A.B {", "x = { get a() {}", "def f(", "class A:\n\tdef", "impl<T> A for", "type T = a<b<", "f'{a!r:{b}}'", "r#\"", "/*", "'''"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) { readAny(t, l, path, src) })
}

// readAny reads any bytes: it must not panic, and what it returns must keep the
// promises of facts, resolve to whole answers, and be the same twice.
func readAny(t *testing.T, l *lang.Language, path string, src []byte) {
	lim := symbols.Limits{MaxBytes: 1 << 16, MaxDepth: 200, Deadline: time.Second}
	facts, err := symbols.Extract(l, src, lim)
	if err != nil {
		return
	}
	if d := langtest.Broken(facts, len(src)); d != "" {
		t.Errorf("%s: %s\n%q", l.Name, d, src)
	}
	// The text is also every other file that resolving may ask for.
	repo := fileRepo{"go.mod": src, "go.work": src, "package.json": src, "tsconfig.json": src, "Cargo.toml": src,
		"src/a.ts": src, "src/a.js": src, "src/index.js": src, "src/lib.rs": src, "src/a.rs": src, "a.py": src, "pkg/__init__.py": src}
	for _, r := range facts.Refs {
		if to := l.Resolve(path, facts, r, repo); to.Drop && to.Resolved || to.Resolved && to.Module == "" {
			t.Errorf("%+v resolves to %+v", r, to)
		}
	}
	again, err := symbols.Extract(l, src, lim)
	if err == nil {
		langtest.Same(t, l.Name+" read again", facts, again, true)
	}
}
