package doctor

import (
	"context"
	"errors"
	"fmt"

	"gitlet/internal/git"
)

// checkRepository looks at the worktree gitlet was started in and at its clone.
func checkRepository(ctx context.Context, p *place) []Finding {
	var bare *git.BareError
	var old *git.TooOldError
	switch {
	case errors.As(p.openErr, &old):
		return bad(Fail, "the repository cannot be opened with this git", "see the check of git")
	case errors.As(p.openErr, &bare):
		return bad(Fail, bare.Error(), "run gitlet in one of its worktrees", "git", "-C", bare.GitDir, "worktree", "list")
	case errors.Is(p.openErr, git.ErrNotRepository):
		return bad(Fail, fmt.Sprintf("%q is not in a git repository", p.dir), "run gitlet inside one")
	case errors.Is(p.openErr, git.ErrDubious):
		return bad(Fail, fmt.Sprintf("git does not trust %q because somebody else owns it", p.dir), "trust it, if it is yours",
			"git", "config", "--global", "--add", "safe.directory", p.dir)
	case p.openErr != nil:
		return bad(Fail, p.openErr.Error(), "see what git says", "git", "status")
	}
	found := ok("worktree %s", p.wt.Root)
	list, err := p.wt.Worktrees(ctx)
	if err != nil {
		return append(found, bad(Warn, fmt.Sprintf("the clone's worktrees cannot be listed: %v", err), "see what git says", "git", "worktree", "list")...)
	}
	for _, w := range list {
		if w.Prunable != "" {
			found = append(found, bad(Warn, fmt.Sprintf("the worktree entry %q leads nowhere: %s", w.Path, w.Prunable), "drop the entry", "git", "worktree", "prune")...)
		}
	}
	return found
}
