package footprint

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"gitlet/internal/lang"
	"gitlet/internal/model"
	"gitlet/internal/symbols"
)

var errGone = errors.New("gone")

// TestFileLevel lists the reasons for tracking a file as a whole.
func TestFileLevel(t *testing.T) {
	good, deep := "package a\n\nfunc A() {}\n", "package a\n\nvar x = "+strings.Repeat("[", 2000)
	gone := func() ([]byte, error) { return nil, errGone }
	for _, c := range []struct {
		name   string
		d      Delta
		reason string // "" when it is parsed
	}{
		{"fine", Delta{Path: "a.go", Status: "M", Old: content("package a\n"), New: content(good)}, ""},
		{"with a score", Delta{Path: "a.go", OldPath: "b.go", Status: "R087", Old: content(good), New: content(good)}, ""},
		{"copied", Delta{Path: "a.go", OldPath: "b.go", Status: "C100", New: content(good)}, ""},
		{"mode only", Delta{Path: "a.go", Status: "M", OldMode: "100644", NewMode: "100755", Old: content(good), New: content(good)}, ""},
		{"no language", Delta{Path: "a.txt", Status: "M"}, "not a language gitlet reads"},
		{"link", Delta{Path: "a.go", Status: "A", NewMode: "120000", New: content("b.go")}, "a symbolic link"},
		{"became a link", Delta{Path: "a.go", Status: "T", OldMode: "100644", NewMode: "120000", Old: content(good), New: content("b.go")}, "it changed between a file and something else"},
		{"submodule", Delta{Path: "sub", Status: "M", OldMode: "160000", NewMode: "160000"}, "a submodule"},
		{"removed link", Delta{Path: "a.go", Status: "D", OldMode: "120000"}, "a symbolic link"},
		{"too deep", Delta{Path: "a.go", Status: "M", Old: content(good), New: content(deep)}, "nested too deeply"},
		{"was too deep", Delta{Path: "a.go", Status: "M", Old: content(deep), New: content(good)}, "its base version: nested too deeply"},
		{"too big", Delta{Path: "a.go", Status: "M", Old: content(good), New: content(good + "//" + strings.Repeat("x", 2<<20))}, "larger than the limit"},
		{"not text", Delta{Path: "a.go", Status: "M", Old: content(good), New: content("a\x00b")}, "not text"},
		{"unreadable", Delta{Path: "a.go", Status: "M", Old: content(good), New: gone}, "its content could not be read"},
		{"unreadable base", Delta{Path: "a.go", Status: "M", Old: gone, New: content(good)}, "its base version: its content could not be read"},
		{"no reader", Delta{Path: "a.go", Status: "D"}, "its base version: its content could not be read"},
		{"new errors", Delta{Path: "a.go", Status: "M", Old: content(good), New: content("package a\n\nfunc A( {\n")}, "new syntax errors"},
		{"invalid UTF-8", Delta{Path: "a.py", Status: "M", Old: content("def f(): pass\n"), New: content("x = '\xe9'\ndef f(): pass\n")}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			fp := Compute(Input{Deltas: []Delta{c.d}})
			f := fp.Files[0]
			if f.Parsed != (c.reason == "") || f.Reason != c.reason {
				t.Errorf("parsed %v, %q; want %q", f.Parsed, f.Reason, c.reason)
			}
			if !f.Parsed && len(fp.Symbols)+len(fp.Refs) > 0 {
				t.Errorf("a file at file level says something of its symbols:\n%s", show(fp))
			}
		})
	}
}

func TestRenameBetweenLanguages(t *testing.T) {
	fp := Compute(Input{Deltas: []Delta{{
		Path: "a.py", OldPath: "a.go", Status: "R60", Old: content("package a\n\nfunc A() {}\n"), New: content("def a(): pass\n"),
	}}})
	want := "file D a.go\nfile A a.py\nremoved BREAKING a.go:A: func A()\n  - it was removed\nadded compatible a.py:a: def a()\n"
	if got := show(fp); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestBroad(t *testing.T) {
	var ds []Delta
	for i := range 3 {
		ds = append(ds, Delta{Path: fmt.Sprintf("f%d.py", i), Status: "A", New: content("def a(): pass\ndef b(): pass\n")})
	}
	for _, c := range []struct {
		files, symbols int
		want           bool
	}{{0, 0, false}, {3, 6, false}, {2, 6, true}, {3, 5, true}} {
		if fp := Compute(Input{Deltas: ds, BroadFiles: c.files, BroadSymbols: c.symbols}); fp.Broad != c.want {
			t.Errorf("limits %d and %d: broad is %v", c.files, c.symbols, fp.Broad)
		}
	}
}

func TestRefsAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("def f():\n")
	for i := range maxRefs + 10 {
		fmt.Fprintf(&b, "    g%d()\n    g%d()\n", i, i)
	}
	fp := Compute(Input{Deltas: []Delta{{Path: "a.py", Status: "A", New: content(b.String())}}})
	if len(fp.Refs) != maxRefs || !fp.Broad {
		t.Errorf("%d references, broad %v", len(fp.Refs), fp.Broad)
	}
}

// TestCacheSparesReading: blobs the cache knows are not asked for.
func TestCacheSparesReading(t *testing.T) {
	reads := 0
	read := func(s string) func() ([]byte, error) {
		return func() ([]byte, error) { reads++; return []byte(s), nil }
	}
	in := Input{
		Cache: symbols.NewCache(symbols.DefaultLimits, 1<<20),
		Deltas: []Delta{{Path: "a.go", Status: "M", OldBlob: "1", NewBlob: "2",
			Old: read("package a\n"), New: read("package a\n\nfunc A() {}\n")}},
	}
	first := Compute(in)
	if again := Compute(in); reads != 2 || !reflect.DeepEqual(first, again) {
		t.Errorf("%d reads in two runs", reads)
	}
	in.Deltas[0].NewBlob, in.Deltas[0].New = "3", read("package a\n\nfunc B() {}\n")
	Compute(in)
	if reads != 3 {
		t.Errorf("%d reads after one version changed, want one more", reads)
	}
}

// sample is a source in each language whose comments and blank lines an edit may
// add, with the mark of a line comment.
var samples = map[string]struct{ path, comment, src string }{
	"go":         {"a.go", "//", "package a\n\ntype T struct {\n\tA int\n\tB string\n}\n\nfunc (t *T) Get(k string) int {\n\tif k == \"\" {\n\t\treturn 0\n\t}\n\treturn t.A\n}\n\nvar _ = T{}\n"},
	"typescript": {"a.ts", "//", "import { b } from './b';\n\nexport interface T {\n  a: string;\n  b?: number;\n}\n\nexport class C {\n  x = 1;\n  get(k: string): number {\n    return b(k);\n  }\n}\nsetup(1);\n"},
	"tsx":        {"a.tsx", "//", "export function A(p: { n: number }) {\n  const x = p.n;\n  return <b a={x}>t</b>;\n}\nsetup(A);\n"},
	"javascript": {"a.js", "//", "const b = require('./b');\nexports.f = function (x) {\n  return b(x);\n};\nsetup({\n  a: 1,\n});\n"},
	"python":     {"a.py", "#", "import b\n\nclass C(b.B):\n    x: int = 1\n\n    def get(self, k, *, d=None):\n        if k:\n            return b.f(k)\n        return d\n\nLIMIT = 3\nsetup(\n    LIMIT,\n)\n"},
	"rust":       {"a.rs", "//", "use crate::b;\n\npub struct S {\n    pub a: u8,\n}\n\nimpl S {\n    pub fn get(&self, k: u8) -> u8 {\n        b::f(k)\n    }\n}\n\nmake! {\n    a b\n}\n"},
}

// TestCommentsAndBlankLinesAreNoChange puts comments, blank lines and other line
// endings anywhere between lines.
func TestCommentsAndBlankLinesAreNoChange(t *testing.T) {
	for name, s := range samples {
		rng := rand.New(rand.NewPCG(7, uint64(len(s.src))))
		for range 50 {
			var b strings.Builder
			ending := []string{"\n", "\r\n"}[rng.IntN(2)]
			for line := range strings.Lines(s.src) {
				switch rng.IntN(4) {
				case 0:
					b.WriteString(ending)
				case 1:
					if name != "tsx" { // between tags a comment would be text
						b.WriteString(s.comment + " note" + ending)
					}
				}
				b.WriteString(strings.TrimSuffix(line, "\n") + ending)
			}
			fp := Compute(Input{Deltas: []Delta{{Path: s.path, Status: "M", Old: content(s.src), New: content(b.String())}}})
			if len(fp.Symbols)+len(fp.Refs) > 0 || !fp.Files[0].Parsed || fp.Files[0].Outside {
				t.Fatalf("%s:\n%s\nbecame a change:\n%s", name, b.String(), show(fp))
			}
		}
	}
	for _, l := range lang.All() {
		if samples[l.Name].src == "" {
			t.Errorf("no sample for %s", l.Name)
		}
	}
}

// TestSwapIsNoChange swaps two functions.
func TestSwapIsNoChange(t *testing.T) {
	for path, parts := range map[string][3]string{
		"a.go": {"package a\n\n", "func A(n int) {}\n\n", "func B() int { return 1 }\n\n"},
		"a.ts": {"", "export function a(n: number) {}\n", "export const b = () => 1;\n"},
		"a.js": {"", "function a(n) {}\n", "exports.b = function () { return 1; };\n"},
		"a.py": {"", "@wrap\ndef a(n): pass\n\n", "class B:\n    def f(self): pass\n\n"},
		"a.rs": {"", "impl A { fn a(&self) {} }\n", "pub fn b() -> u8 { 1 }\n"},
	} {
		fp := Compute(Input{Deltas: []Delta{{Path: path, Status: "M",
			Old: content(parts[0] + parts[1] + parts[2]), New: content(parts[0] + parts[2] + parts[1])}}})
		if len(fp.Symbols) > 0 || fp.Files[0].Outside {
			t.Errorf("%s:\n%s", path, show(fp))
		}
	}
}

func TestFile(t *testing.T) {
	src := "from .b import g\n\nclass C:\n    def m(self):\n        g()\n        self.n()\n\ng()\n"
	repo := tree{"p/a.py": src, "p/b.py": "def g(): pass\n"}
	f := File("p/a.py", "", content(src), nil, repo)
	if !f.Parsed || f.Lang != "python" || f.Reason != "" || len(f.Symbols) != 2 || f.Symbols[1].Canonical() != "p/a.py:C.m" || f.Symbols[1].Key == "" {
		t.Fatalf("%+v", f)
	}
	got := show(model.Footprint{Refs: f.Refs})
	want := "ref p/a.py:5 call g module=\"p/b\" in=C.m\nref p/a.py:6 call n unresolved qualified in=C.m\nref p/a.py:8 call g module=\"p/b\"\n"
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	f = File("a.go", "", content("package a\n\nfunc A() {}\n\nvar x = new(1 +)\n"), nil, nil)
	if !f.Parsed || f.Reason != "syntax errors at line 5" || len(f.Symbols) == 0 {
		t.Errorf("degraded: %+v", f)
	}
	if f = File("a.txt", "", nil, nil, nil); f.Parsed || f.Reason != reasonLanguage || f.Symbols == nil {
		t.Errorf("no language: %+v", f)
	}
	if f = File("a.go", "", func() ([]byte, error) { return nil, errGone }, nil, nil); f.Parsed || f.Reason != reasonContent {
		t.Errorf("unreadable: %+v", f)
	}
}

// FuzzCompute edits a source and holds what is true of every footprint: no panic,
// well-formed, one answer, and symbols at file level say nothing.
func FuzzCompute(f *testing.F) {
	for _, s := range samples {
		f.Add(s.path, s.src, 10, 5, "{ x(")
		f.Add(s.path, s.src, 30, 0, "def f(): pass\n")
		f.Add(s.path, s.src, 0, 0, "\ufeff")
		f.Add(s.path, s.src, 40, 20, "\r\n<<<<<<< a\n=======\n>>>>>>> b\n")
	}
	f.Fuzz(func(t *testing.T, path, src string, at, drop int, put string) {
		if lang.ForPath(path) == nil || len(src) > 1<<14 || len(put) > 1<<12 {
			return
		}
		at = min(max(at, 0), len(src))
		drop = min(max(drop, 0), len(src)-at)
		edited := src[:at] + put + src[at+drop:]
		in := Input{Deltas: []Delta{{Path: path, Status: "M", Old: content(src), New: content(edited)}}}
		fp := Compute(in)
		checkFootprint(t, fp)
		if again := Compute(in); !reflect.DeepEqual(fp, again) {
			t.Errorf("two answers:\n%s\n%s", show(fp), show(again))
		}
		same := Compute(Input{Deltas: []Delta{{Path: path, Status: "M", Old: content(edited), New: content(edited)}}})
		if len(same.Symbols) > 0 || same.Files[0].Outside {
			t.Errorf("compared with itself:\n%s", show(same))
		}
	})
}

// BenchmarkCompute shows what a footprint costs: in proportion to the changed
// files, nearly nothing when the cache knows them, whatever the repository's size.
func BenchmarkCompute(b *testing.B) {
	var src strings.Builder
	src.WriteString("package p\n\n")
	for i := range 200 {
		fmt.Fprintf(&src, "func F%d(a int, b string) error {\n\tif a > %d {\n\t\treturn g(b)\n\t}\n\treturn nil\n}\n\n", i, i)
	}
	old := src.String()
	new := strings.Replace(old, "func F7(a int", "func F7(a, c int", 1)
	for _, files := range []int{1, 10, 50} {
		for _, warm := range []bool{false, true} {
			var ds []Delta
			for i := range files {
				ds = append(ds, Delta{Path: fmt.Sprintf("p/f%d.go", i), Status: "M", OldBlob: fmt.Sprint("o", i), NewBlob: fmt.Sprint("n", i), Old: content(old), New: content(new)})
			}
			name := fmt.Sprintf("files=%d/cold", files)
			cache := symbols.NewCache(symbols.DefaultLimits, 1<<30)
			if warm {
				name = fmt.Sprintf("files=%d/warm", files)
				Compute(Input{Deltas: ds, Cache: cache})
			}
			b.Run(name, func(b *testing.B) {
				b.SetBytes(int64(files * (len(old) + len(new))))
				for b.Loop() {
					if !warm {
						cache = symbols.NewCache(symbols.DefaultLimits, 1<<30)
					}
					if fp := Compute(Input{Deltas: ds, Cache: cache}); len(fp.Symbols) != files {
						b.Fatalf("%d changes", len(fp.Symbols))
					}
				}
			})
		}
	}
}
