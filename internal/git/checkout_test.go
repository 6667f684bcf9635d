package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gitlet/internal/git/gittest"
)

// TestCheckout: it holds exactly the files of each commit, git works in it, and neither the
// list of worktrees nor the real worktree shows it. One that a killed process left is swept.
func TestCheckout(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := gittest.New(t)
	one := r.CommitFiles("One", "-- a.txt --\na\n-- .gitignore --\nbuilt\n")
	two := r.CommitFiles("Two", "-- dir/b.txt --\nb\n")
	w := open(t, r.Dir)
	c, err := w.NewCheckout(one)
	if err != nil {
		t.Fatal(err)
	}
	files := func() (out []string) {
		err := filepath.WalkDir(c.Root(), func(p string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() && d.Name() != ".git" {
				rel, _ := filepath.Rel(c.Root(), p) // below it, so there is one
				out = append(out, filepath.ToSlash(rel))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for i, step := range []struct{ commit, want string }{{one, "[.gitignore a.txt]"}, {two, "[.gitignore a.txt dir/b.txt]"}, {one, "[.gitignore a.txt]"}} {
		if err := c.Go(ctx, step.commit); err != nil {
			t.Fatal(err)
		}
		if got := files(); fmt.Sprint(got) != step.want {
			t.Errorf("%d: %v, want %s", i, got, step.want)
		}
		if got := gittest.At(t, c.Root()).Git("rev-parse", "HEAD"); got != step.commit {
			t.Errorf("%d: HEAD is %s", i, got)
		}
		// What a check leaves behind is gone with the next commit.
		for _, name := range []string{"built", "left", "a.txt"} {
			if err := os.WriteFile(filepath.Join(c.Root(), name), []byte("x"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if list, err := w.Worktrees(ctx); err != nil || len(list) != 1 {
		t.Errorf("%+v %v", list, err)
	}
	if s := r.Git("status", "--porcelain"); s != "" {
		t.Errorf("status: %s", s)
	}
	if err := w.Sweep(time.Now().Add(-time.Hour)); err != nil || missing(c.top) || missing(c.own) {
		t.Errorf("swept while in use: %v", err)
	}
	if err := w.Sweep(time.Now().Add(time.Hour)); err != nil || !missing(c.top) || !missing(c.own) {
		t.Errorf("not swept: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}
