package glob

import (
	"strings"
	"testing"
)

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		glob, file string
		want       bool
	}{
		{"*.md", "README.md", true},
		{"*.md", "docs/a/b.md", true},
		{"*.md", "docs/a/b.mdx", false},
		{"/*.md", "docs/b.md", false},
		{"/*.md", "b.md", true},
		{"docs/*.md", "docs/b.md", true},
		{"docs/*.md", "x/docs/b.md", false},
		{"docs/*.md", "docs/a/b.md", false},
		{"docs/**", "docs/a/b.md", true},
		{"docs", "docs/a/b.md", true},
		{"docs/", "x/docs/a", true},
		{"docs", "docsx/a", false},
		{"a/**/z.txt", "a/z.txt", true},
		{"a/**/z.txt", "a/b/c/z.txt", true},
		{"a/**/z.txt", "b/z.txt", false},
		{"**", "anything/at/all", true},
		{"**/x", "x", true},
		{"a?c", "abc", true},
		{"[a-c].txt", "b.txt", true},
		{"[", "[", false},
		{"", "a", false},
		{"/", "a", false},
		{"a b", "a b", true},
	} {
		if got := Match(c.glob, c.file); got != c.want {
			t.Errorf("Match(%q, %q) = %v", c.glob, c.file, got)
		}
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("a/**/b*", "a/x/y/b.c")
	f.Add("**/**/**/**/x", "a/b/c/d/e/f/g/y")
	f.Fuzz(func(t *testing.T, glob, file string) {
		Match(glob, file)
		if !Match("**", file) {
			t.Errorf("** must match %q", file)
		}
		if plain := strings.Trim(file, "/"); plain == file && file != "" && !strings.ContainsAny(file, "*?[\\") && !Match(file, file) {
			t.Errorf("%q must match itself", file)
		}
	})
}
