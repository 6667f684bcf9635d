package lang_test

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"gitlet/internal/lang"
	"gitlet/internal/lang/langtest"
)

// fileRepo is a repository made of a txtar archive.
type fileRepo map[string][]byte

func (r fileRepo) ReadFile(path string) ([]byte, bool) {
	data, ok := r[path]
	return data, ok
}

// resolveCase resolves every reference of one file and compares the answers, one a
// line: "name -> module", "-> module : container", "-> module as other",
// "-> outside" or "-> unresolved". want lists them in source order.
func resolveCase(t *testing.T, files, path, want string) {
	t.Helper()
	repo := fileRepo{}
	for _, f := range txtar.Parse([]byte(files)).Files {
		repo[f.Name] = f.Data
	}
	src, ok := repo[path]
	l := lang.ForPath(path)
	if !ok || l == nil {
		t.Fatalf("no file %s in the case, or no language for it", path)
	}
	facts := langtest.Read(t, l, src)
	var got []string
	for _, r := range facts.Refs {
		name := r.Name
		if r.Qualifier != "" {
			name = r.Qualifier + " " + name
		}
		target := l.Resolve(path, facts, r, repo)
		to := "unresolved"
		switch {
		case target.Drop:
			to = "outside"
		case target.Resolved:
			to = target.Module
			if target.Container != "" {
				to += " : " + target.Container
			}
			if target.Name != "" {
				to += " as " + target.Name
			}
		}
		got = append(got, fmt.Sprintf("%s -> %s", name, to))
	}
	if g, w := strings.Join(got, "\n"), strings.TrimSpace(want); g != w {
		t.Errorf("references of %s:\n%s\nwant:\n%s", path, g, w)
	}
}
