package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// BranchExists reports whether refs/heads/<name> exists.
func (r *Repo) BranchExists(ctx context.Context, name string) (bool, error) {
	refs, err := r.Refs(ctx, "refs/heads/"+name)
	if err != nil {
		return false, err
	}
	_, ok := refs["refs/heads/"+name]
	return ok, nil
}

// ValidBranch reports whether git allows name for a branch.
func (r *Repo) ValidBranch(ctx context.Context, name string) (bool, error) {
	if strings.HasPrefix(name, "-") {
		return false, nil
	}
	out, err := r.run(ctx, call{step: "check branch name", class: localRead, okExit: []int{1, 128},
		args: []string{"check-ref-format", "--branch", name}})
	// "@{-1}" is expanded, not refused: a name must come back as it is.
	return err == nil && out.Exit == 0 && trimLine(out.Stdout) == name, err
}

// SwitchNew makes a branch at start ("" is HEAD) and switches the work tree to it,
// carrying uncommitted changes along. It runs to its end whatever becomes of ctx.
// Errors: ErrExists, ErrRefName (a branch stands where the name needs a folder),
// *OverwriteError, *LockedError.
func (w *Worktree) SwitchNew(ctx context.Context, name, start string) error {
	args := []string{"switch", "--quiet", "--no-guess", "--no-track", "--no-recurse-submodules", "-c", name}
	if start != "" {
		args = append(args, start)
	}
	return w.changeTree(ctx, call{step: "switch", args: args})
}

// lockWaits are the pauses between attempts to take a lock that another git process
// holds; together under two seconds.
var lockWaits = []time.Duration{50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond,
	400 * time.Millisecond, 800 * time.Millisecond}

// changeTree runs a call that changes the user's work tree: with the user's hooks,
// detached from ctx, and again for a while when the index is locked. The lock is
// never removed.
func (w *Worktree) changeTree(ctx context.Context, c call) error {
	c.class, c.userHooks = treeChange, true
	for _, wait := range append(lockWaits, 0) {
		_, err := w.run(ctx, c)
		if wait == 0 || !errors.Is(err, ErrIndexLocked) {
			return err
		}
		pause := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			pause.Stop()
			return err
		case <-pause.C:
		}
	}
	return nil
}

// Operation names what is in progress in the worktree: "rebase", "am", "merge",
// "cherry-pick", "revert", "bisect", or "" for nothing.
func (w *Worktree) Operation(ctx context.Context) (string, error) {
	for _, f := range []struct{ name, op string }{
		{"rebase-merge", "rebase"}, {"rebase-apply/applying", "am"}, {"rebase-apply", "rebase"},
	} {
		if !missing(filepath.Join(w.GitDir, filepath.FromSlash(f.name))) {
			return f.op, nil
		}
	}
	ops := []string{"merge", "cherry-pick", "revert"}
	oids, err := w.Resolve(ctx, "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD")
	if err != nil {
		return "", err
	}
	for i, oid := range oids {
		if oid != "" {
			return ops[i], nil
		}
	}
	if !missing(filepath.Join(w.GitDir, "BISECT_LOG")) {
		return "bisect", nil
	}
	return "", nil
}

// WorktreeInfo is one worktree of the clone, as git lists it.
type WorktreeInfo struct {
	Path     string
	Head     string // "" when unborn or bare
	Branch   string // short name, "" when detached or bare
	Bare     bool
	Prunable string // why it can be pruned (its folder is gone), "" when it cannot
}

// Worktrees lists the clone's worktrees, the main one first.
func (r *Repo) Worktrees(ctx context.Context) ([]WorktreeInfo, error) {
	args, sep := []string{"worktree", "list", "--porcelain"}, "\n"
	if !r.Version.Less(Version{2, 36, 0}) {
		args, sep = append(args, "-z"), "\x00"
	}
	out, err := r.run(ctx, call{step: "list worktrees", class: localRead, args: args})
	if err != nil {
		return nil, err
	}
	list := parseWorktrees(string(out.Stdout), sep)
	if r.Version.Less(Version{2, 31, 0}) {
		r.findGone(list)
	}
	return list, nil
}

// findGone says which worktrees can be pruned, where git's list does not (before 2.31):
// those whose .git is gone, unless they are locked.
func (r *Repo) findGone(list []WorktreeInfo) {
	entries, err := filepath.Glob(filepath.Join(r.CommonDir, "worktrees", "*", "gitdir"))
	if err != nil {
		return // only a malformed pattern
	}
	for _, entry := range entries {
		file, err := os.ReadFile(entry)
		if err != nil || !missing(filepath.Join(filepath.Dir(entry), "locked")) {
			continue
		}
		link := trimLine(file)
		for i := range list {
			if filepath.Join(list[i].Path, ".git") == link && missing(link) {
				list[i].Prunable = "its folder is gone"
			}
		}
	}
}

// parseWorktrees reads "label value" fields; an empty field ends a worktree.
func parseWorktrees(s, sep string) []WorktreeInfo {
	var out []WorktreeInfo
	var w *WorktreeInfo
	for _, f := range strings.Split(s, sep) {
		label, value, _ := strings.Cut(f, " ")
		if label == "worktree" && value != "" {
			out = append(out, WorktreeInfo{Path: value})
			w = &out[len(out)-1]
			continue
		}
		if w == nil {
			continue
		}
		switch label {
		case "HEAD":
			if !isZero(value) {
				w.Head = value
			}
		case "branch":
			w.Branch = strings.TrimPrefix(value, "refs/heads/")
		case "bare":
			w.Bare = true
		case "prunable":
			w.Prunable = value
			if value == "" {
				w.Prunable = "gone"
			}
		}
	}
	return out
}

// HooksDir returns where the worktree's hooks are.
func (w *Worktree) HooksDir(ctx context.Context) (string, error) {
	conf, err := w.Config(ctx)
	if err != nil {
		return "", err
	}
	dir, ok := conf.Get("core.hooksPath")
	switch {
	case !ok:
		return filepath.Join(w.CommonDir, "hooks"), nil
	case strings.HasPrefix(dir, "~/"):
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		return filepath.Join(home, dir[2:]), nil
	case !filepath.IsAbs(dir):
		return filepath.Join(w.Root, dir), nil
	}
	return dir, nil
}
