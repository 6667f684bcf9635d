package lang_test

import (
	"os"
	"path/filepath"
	"testing"

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
