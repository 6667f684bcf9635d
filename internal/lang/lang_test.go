package lang_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"gitlet/internal/bug"
	"gitlet/internal/lang"
	"gitlet/internal/lang/langtest"
	"gitlet/internal/symbols"
)

func TestMain(m *testing.M) {
	bug.Strict = true
	os.Exit(m.Run())
}

// comments are how each language starts a comment that ends with the line.
var comments = map[string]string{
	"go": "//", "typescript": "//", "tsx": "//", "javascript": "//", "python": "#", "rust": "//",
}

func TestCases(t *testing.T) {
	for _, l := range lang.All() {
		t.Run(l.Name, func(t *testing.T) {
			for _, c := range langtest.Cases(t, filepath.Join("testdata", l.Name)) {
				t.Run(c.Name, func(t *testing.T) { langtest.Golden(t, l, c) })
			}
		})
	}
}

func TestLaws(t *testing.T) {
	for _, l := range lang.All() {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			comment, ok := comments[l.Name]
			if !ok {
				t.Fatalf("no comment mark for %s", l.Name)
			}
			for _, c := range langtest.Cases(t, filepath.Join("testdata", l.Name)) {
				t.Run(c.Name, func(t *testing.T) { langtest.Laws(t, l, comment, c.Source()) })
			}
		})
	}
}

// fuzzOne reads any bytes: it must not panic, and what it returns must keep the
// promises of facts and be the same twice.
func fuzzOne(t *testing.T, l *lang.Language, src []byte) {
	lim := symbols.Limits{MaxBytes: 1 << 16, MaxDepth: 200, Deadline: time.Second}
	f, err := symbols.Extract(l, src, lim)
	if err != nil {
		return
	}
	if d := langtest.Broken(f, len(src)); d != "" {
		t.Errorf("%s: %s\n%q", l.Name, d, src)
	}
	for _, r := range f.Refs {
		l.Resolve("a/b"+l.Extensions[0], f, r, tree{})
	}
	again, err := symbols.Extract(l, src, lim)
	if err == nil {
		langtest.Same(t, l.Name+" read again", f, again, true)
	}
}

func BenchmarkExtract(b *testing.B) {
	for _, l := range lang.All() {
		var src []byte
		for _, c := range langtest.Cases(b, filepath.Join("testdata", l.Name)) {
			src = append(append(src, c.Source()...), '\n')
		}
		b.Run(l.Name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := symbols.Extract(l, src, symbols.DefaultLimits); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
