package sources

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"gitlet/internal/git"
	"gitlet/internal/git/gittest"
)

func TestMain(m *testing.M) { os.Exit(gittest.Main(m)) }

func TestBothSidesOfAChange(t *testing.T) {
	repo := gittest.New(t)
	repo.WriteAll("-- a.go --\npackage a\n\n// A is long enough to be known again.\nfunc A() {}\n-- secret.go --\npackage a\n-- gone.txt --\nx\n")
	old := repo.Commit("old")
	repo.Write("a.go", "package a\n\n// A is long enough to be known again.\nfunc A() { println() }\n")
	repo.Write("secret.go", "package a\n\nvar s = 1\n")
	repo.Write("new\nline.go", "package other\n\nvar x = 12345\n")
	repo.Remove("gone.txt")
	repo.Git("mv", "a.go", "b.go")
	newer := repo.Commit("new")
	wt, err := git.Open(t.Context(), repo.Dir)
	if err != nil {
		t.Fatal(err)
	}
	changes, err := wt.DiffTrees(t.Context(), old, newer)
	if err != nil {
		t.Fatal(err)
	}
	cat := wt.NewCatFile(t.Context())
	defer cat.Close()
	got := map[string]string{}
	for _, d := range Deltas(cat, changes, func(p string) string {
		if p == "secret.go" {
			return "a secret"
		}
		return ""
	}, 0) {
		got[d.Path] = d.Status + " " + d.OldPath + " " + d.Withheld
		if d.Status != "D" {
			if data, err := d.New(); err != nil || len(data) == 0 {
				t.Errorf("%q: %q, %v", d.Path, data, err)
			}
		}
		if d.Status == "D" {
			if _, err := d.New(); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%q is gone, and reading it gives %v", d.Path, err)
			}
		}
	}
	for path, want := range map[string]string{"b.go": "R a.go ", "secret.go": "M  a secret", "new\nline.go": "A  ", "gone.txt": "D  "} {
		if got[path] != want {
			t.Errorf("%q: %q, want %q", path, got[path], want)
		}
	}
}

func TestReadersStayInside(t *testing.T) {
	repo := gittest.New(t)
	repo.WriteAll("-- d/a.go --\npackage a\n")
	rev := repo.Commit("one")
	outside := filepath.Join(filepath.Dir(repo.Dir), "outside.go")
	if err := os.WriteFile(outside, []byte("package x"), 0o644); err != nil {
		t.Fatal(err)
	}
	wt, err := git.Open(t.Context(), repo.Dir)
	if err != nil {
		t.Fatal(err)
	}
	cat := wt.NewCatFile(t.Context())
	defer cat.Close()
	for name, r := range map[string]interface{ ReadFile(string) ([]byte, bool) }{"commit": At{cat, rev}, "tree": Dir(repo.Dir)} {
		if data, ok := r.ReadFile("d/a.go"); !ok || string(data) != "package a\n" {
			t.Errorf("%s: %q, %v", name, data, ok)
		}
		for _, bad := range []string{"../outside.go", outside, "d", "none.go", "a\nb"} {
			if data, ok := r.ReadFile(bad); ok {
				t.Errorf("%s: %q gives %q", name, bad, data)
			}
		}
	}
	big := filepath.Join(repo.Dir, "big.go")
	if err := os.WriteFile(big, make([]byte, limit+100), 0o644); err != nil {
		t.Fatal(err)
	}
	if data, err := Dir(repo.Dir).Read("big.go"); err != nil || int64(len(data)) != limit+1 {
		t.Errorf("a file over the limit gives %d bytes, %v", len(data), err)
	}
}

// A limit of the caller's holds for what is read, below the reader's own.
func TestDeltasLimit(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	old := r.CommitFiles("base", "-- a.go --\npackage a\n")
	newer := r.CommitFiles("more", "-- a.go --\npackage a // a secret that is over the limit\n-- b.go --\npackage b\n")
	wt, err := git.Open(t.Context(), r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	changes, err := wt.DiffTrees(t.Context(), old, newer)
	if err != nil {
		t.Fatal(err)
	}
	cat := wt.NewCatFile(t.Context())
	defer cat.Close()
	for _, d := range Deltas(cat, changes, nil, 20) {
		data, err := d.New()
		if over := int64(len(data)) > limit; err != nil || over != (d.Path == "a.go") || bytes.Contains(data, []byte("secret")) {
			t.Errorf("%s: %d bytes, %v", d.Path, len(data), err)
		}
	}
}
