package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"gitlet/internal/pattern"
)

// Repo is the shared part of a clone: objects, refs and configuration. Methods are
// safe for concurrent use.
type Repo struct {
	CommonDir    string // absolute, links resolved; shared by all worktrees
	ObjectFormat string // "sha1" or "sha256"
	Version      Version

	dir        string   // where git runs
	env        []string // set for every call, for scratch repositories
	foreground bool
	shared     *shared
}

// shared is what all handles of one clone remember together.
type shared struct {
	mu      sync.Mutex
	config  *Config
	noIdent bool // git has no identity of its own here
}

// Worktree is one checkout of a Repo: its root, index, HEAD and status.
type Worktree struct {
	*Repo
	Root   string // absolute, links resolved, as git reports it
	GitDir string // absolute; equal to CommonDir in the main worktree

	indexDir string // where copies of the index go; "" is gitlet in GitDir
}

// Open finds the work tree that dir lies in, walking up as git does. The handle is a
// background one. Errors: *TooOldError, *BareError, *InsideGitDirError, or an *Error
// that is ErrNotRepository, ErrDubious or ErrNoGit; a directory that is not there is
// an fs.ErrNotExist.
func Open(ctx context.Context, dir string) (*Worktree, error) {
	v, err := ReadVersion(ctx)
	if err != nil {
		return nil, err
	}
	if v.Less(minVersion) {
		return nil, &TooOldError{Have: v, Need: minVersion, For: "gitlet"}
	}
	real, err := filepath.Abs(dir)
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	if err != nil {
		return nil, fmt.Errorf("open %q: %w", dir, err)
	}
	// The object format stands between the paths, so that a path may hold a newline.
	out, err := run(ctx, call{step: "open repository", class: localRead, dir: real, args: []string{
		"rev-parse", "--is-bare-repository", "--show-object-format", "--absolute-git-dir",
		"--show-object-format", "--git-common-dir", "--show-object-format", "--show-toplevel"}})
	f := splitOpen(out.Stdout)
	if err != nil {
		return nil, openError(err, f, real)
	}
	if len(f.paths) != 3 {
		return nil, fmt.Errorf("open %q: git answered %q", dir, out.Stdout)
	}
	common := f.paths[1]
	if !filepath.IsAbs(common) {
		common = filepath.Join(real, common)
	}
	wt := &Worktree{Root: resolved(f.paths[2]), GitDir: resolved(f.paths[0])}
	if missing(filepath.Join(wt.Root, ".git")) {
		return nil, &ElsewhereError{Dir: real, GitDir: wt.GitDir, Root: wt.Root}
	}
	wt.Repo = &Repo{CommonDir: resolved(common), ObjectFormat: f.format, Version: v,
		dir: wt.Root, shared: &shared{}}
	return wt, nil
}

// OpenExact is Open for a directory that must be the top of its work tree. Otherwise
// the error is a *NotTopError.
func OpenExact(ctx context.Context, dir string) (*Worktree, error) {
	wt, err := Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	a, errA := os.Stat(dir)
	b, errB := os.Stat(wt.Root)
	if err := errors.Join(errA, errB); err != nil {
		return nil, fmt.Errorf("open %q: %w", dir, err)
	}
	if !os.SameFile(a, b) {
		return nil, &NotTopError{Dir: dir, Top: wt.Root}
	}
	return wt, nil
}

// opened is git's answer, as far as it came.
type opened struct {
	bare   bool
	format string
	paths  []string // git dir, common dir, top level
}

func splitOpen(b []byte) opened {
	bare, rest, ok := bytes.Cut(b, []byte("\n"))
	if !ok {
		return opened{}
	}
	format, rest, ok := bytes.Cut(rest, []byte("\n"))
	o := opened{bare: string(bare) == "true", format: string(format)}
	if !ok {
		return o
	}
	rest = bytes.TrimSuffix(rest, []byte("\n"))
	for _, p := range bytes.Split(rest, []byte("\n"+o.format+"\n")) {
		o.paths = append(o.paths, string(p))
	}
	return o
}

// openError says why a directory has no work tree: git printed what it knew before
// it refused.
func openError(err error, f opened, dir string) error {
	if len(f.paths) == 0 {
		return err
	}
	gitDir := f.paths[0]
	_, linkErr := os.Stat(filepath.Join(gitDir, "commondir"))
	linked := linkErr == nil
	switch {
	case f.bare:
		return &BareError{Dir: dir, GitDir: gitDir, Linked: linked && !within(gitDir, dir)}
	case within(gitDir, dir):
		return &InsideGitDirError{Dir: dir, GitDir: gitDir}
	}
	return err
}

// within reports whether path is dir or lies below it.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

func resolved(p string) string {
	if r, err := filepath.EvalSymlinks(p); err == nil {
		return r
	}
	return filepath.Clean(p)
}

// Foreground returns a handle for calls that somebody waits for.
func (r *Repo) Foreground() *Repo { return r.with(true) }

// Background returns a handle for calls that nobody waits for.
func (r *Repo) Background() *Repo { return r.with(false) }

func (r *Repo) with(foreground bool) *Repo {
	c := *r
	c.foreground = foreground
	return &c
}

// Foreground returns a handle for calls that somebody waits for.
func (w *Worktree) Foreground() *Worktree {
	return &Worktree{Repo: w.Repo.Foreground(), Root: w.Root, GitDir: w.GitDir, indexDir: w.indexDir}
}

// Background returns a handle for calls that nobody waits for.
func (w *Worktree) Background() *Worktree {
	return &Worktree{Repo: w.Repo.Background(), Root: w.Root, GitDir: w.GitDir, indexDir: w.indexDir}
}

// run fills in what the handle decides.
func (r *Repo) run(ctx context.Context, c call) (output, error) {
	c = r.fill(c)
	out, err := run(ctx, c)
	for try := 1; err != nil && c.class == localRead && try <= 3 && halfWorktree.MatchString(out.Stderr); try++ {
		select {
		case <-ctx.Done():
			return out, err
		case <-time.After(time.Duration(try) * 20 * time.Millisecond):
		}
		out, err = run(ctx, c)
	}
	return out, err
}

// halfWorktree is git meeting the entry of another worktree while somebody makes or
// removes it: the file was there, and could not be read a moment later.
var halfWorktree = pattern.New(`(?m)^fatal: failed to read .*[/\\]worktrees[/\\][^/\\]+[/\\]commondir`)

func (r *Repo) fill(c call) call {
	c.dir = r.dir
	c.foreground = r.foreground
	c.env = append(append([]string(nil), r.env...), c.env...)
	return c
}
