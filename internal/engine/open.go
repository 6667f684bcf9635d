package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/verb"
)

// openWorktree opens the worktree, turning what a person can mend into a refusal
// that says how.
func openWorktree(ctx context.Context, o Options) (*git.Worktree, error) {
	open := git.Open
	if o.Exact {
		open = git.OpenExact
	}
	wt, err := open(ctx, o.Dir)
	if err != nil {
		return nil, Explain(err, o.Dir)
	}
	return wt, nil
}

// Explain turns an error of opening the worktree at dir into a refusal with a way
// out, when a person can mend it; any other error comes back as it is.
func Explain(err error, dir string) error {
	refuse := func(summary string, options ...model.Option) error {
		return &verb.Refusal{Result: verb.Refuse(summary, options...)}
	}
	var (
		old    *git.TooOldError
		bare   *git.BareError
		inside *git.InsideGitDirError
		notTop *git.NotTopError
		away   *git.ElsewhereError
	)
	doctor := model.Option{Argv: []string{"gitlet", "doctor"}, Why: "check the setup"}
	switch {
	case errors.As(err, &old):
		return refuse(old.Error(), model.Option{Argv: []string{"git", "--version"}, Why: "see which git is first on PATH, and put a newer one there"})
	case errors.As(err, &bare):
		return refuse(bare.Error(), model.Option{Argv: []string{"git", "-C", bare.GitDir, "worktree", "list"}, Why: "run gitlet in one of its worktrees"}, doctor)
	case errors.As(err, &inside):
		return refuse(inside.Error(), model.Option{Argv: []string{"git", "worktree", "list"}, Why: "run gitlet in a worktree"})
	case errors.As(err, &notTop):
		return refuse(notTop.Error(), model.Option{Argv: []string{"cd", notTop.Top}, Why: "pass this directory as worktree"})
	case errors.As(err, &away):
		return refuse(away.Error(), model.Option{Argv: []string{"ln", "-s", away.GitDir, filepath.Join(away.Root, ".git")}, Why: "lead back to it, then run gitlet there"})
	case errors.Is(err, git.ErrNotRepository):
		options := []model.Option{{Argv: []string{"cd", "..."}, Why: "go to the repository you work in, then call it again"}}
		if !everything(dir) {
			options = append(options, model.Option{Argv: []string{"git", "-C", dir, "init"}, Why: "or make this folder one, if it is a project of its own"})
		}
		return refuse(fmt.Sprintf("%q is not in a git repository", dir), options...)
	case errors.Is(err, git.ErrDubious):
		return refuse(fmt.Sprintf("git does not trust %q because somebody else owns it", dir),
			model.Option{Argv: []string{"git", "config", "--global", "--add", "safe.directory", dir}, Why: "trust it, if it is yours"})
	case errors.Is(err, git.ErrNoGit):
		return refuse("git is not installed, or not on PATH", model.Option{Argv: []string{"apt-get", "install", "git"}, Why: "install git 2.29 or newer"})
	case errors.Is(err, fs.ErrNotExist):
		return refuse(fmt.Sprintf("there is no directory %q", dir), model.Option{Argv: []string{"ls", filepath.Dir(dir)}, Why: "look for the right one"})
	}
	return err
}

// everything reports whether a folder is the root of the file system or somebody's home,
// which hold far more than one project.
func everything(dir string) bool {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	home, err := os.UserHomeDir()
	return abs == filepath.Dir(abs) || err == nil && abs == filepath.Clean(home)
}
