package git

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gitlet/internal/git/gittest"
)

// TestGoneWorktrees: a worktree whose folder is gone can be pruned, unless it is locked,
// whether git's own list says so (since 2.31) or not.
func TestGoneWorktrees(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Commit("base")
	for _, name := range []string{"here", "gone", "locked"} {
		r.Git("worktree", "add", "-q", "--detach", "../"+name)
	}
	r.Git("worktree", "lock", "../locked")
	for _, name := range []string{"gone", "locked"} {
		if err := os.RemoveAll(r.Path("../" + name)); err != nil {
			t.Fatal(err)
		}
	}
	w := open(t, r.Dir)
	for _, v := range []Version{w.Version, {2, 30, 2}} {
		w.Version = v
		list, err := w.Worktrees(context.Background())
		if err != nil || len(list) != 4 {
			t.Fatalf("git %s: %+v %v", v, list, err)
		}
		for _, info := range list {
			if gone := filepath.Base(info.Path) == "gone"; (info.Prunable != "") != gone {
				t.Errorf("git %s: %+v", v, info)
			}
		}
	}
}

// TestHalfWorktree: an entry that is being made or removed beside a read is waited for.
func TestHalfWorktree(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Commit("base")
	r.Git("worktree", "add", "-q", "-b", "side", "../side")
	w, path := open(t, r.Dir), r.Path(".git/worktrees/side/commondir")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := r.TryGit("branch"); err == nil {
		t.Fatalf("git does not mind: %s", out)
	} else if !halfWorktree.MatchString(out) {
		t.Fatalf("git says it otherwise: %s", out)
	}
	// It stays so: that is said, after a few tries.
	if _, err := w.Worktrees(context.Background()); err == nil {
		t.Error("no error")
	}
	done := make(chan error, 1)
	go func() {
		time.Sleep(30 * time.Millisecond)
		done <- os.WriteFile(path, whole, 0o600)
	}()
	if _, err := w.Worktrees(context.Background()); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
