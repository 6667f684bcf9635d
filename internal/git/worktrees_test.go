package git

import (
	"context"
	"os"
	"path/filepath"
	"testing"

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
