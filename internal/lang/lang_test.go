package lang_test

import (
	"os"
	"path/filepath"
	"testing"

	"gitlet/internal/bug"
	"gitlet/internal/lang"
	"gitlet/internal/lang/langtest"
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
