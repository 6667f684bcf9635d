package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// ConflictError is a pick or a revert that did not apply. It was given up: HEAD, the index
// and the files are as before.
type ConflictError struct {
	Operation string // "cherry-pick" or "revert"
	Commit    string
	Files     []string
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s of %s conflicts in %s", e.Operation, e.Commit, strings.Join(e.Files, ", "))
}

// CherryPick applies a commit on top of HEAD and returns the new commit; "" when all of it
// is there already, and then nothing was committed. It runs to its end whatever becomes of
// ctx. The index must match HEAD. Errors: *ConflictError, *LockedError; whatever the error,
// no operation is left in progress.
func (w *Worktree) CherryPick(ctx context.Context, commit string) (string, error) {
	return w.replay(ctx, "cherry-pick", commit)
}

// Revert takes a commit back with a new commit, like CherryPick.
func (w *Worktree) Revert(ctx context.Context, commit string) (string, error) {
	return w.replay(ctx, "revert", commit)
}

// ErrSigning: the configured signing of commits failed.
var ErrSigning = errors.New("git could not sign the commit")

// unsigned is how git words that, whichever program it starts for it.
var unsigned = regexp.MustCompile(`(?i)failed to sign|sign the data|gpg|ssh-keygen`)

// internalEnv tells gitlet's own hooks that it is gitlet that commits.
const internalEnv = "GITLET_INTERNAL=1"

func (w *Worktree) replay(ctx context.Context, op, commit string) (string, error) {
	before, err := w.Head(ctx)
	if err != nil {
		return "", err
	}
	args := []string{op, "--no-edit", commit}
	if op == "cherry-pick" {
		args = []string{op, "--allow-empty", commit}
	}
	// A resolution from the cache would look like no conflict at all.
	err = w.changeTree(ctx, call{step: op, args: args, env: []string{internalEnv}, config: []string{"rerere.enabled=false", "advice.mergeConflict=false"}})
	ctx = context.WithoutCancel(ctx)
	if err != nil {
		return "", w.stopped(ctx, op, commit, err)
	}
	after, err := w.Head(ctx)
	if err != nil || after.OID == before.OID {
		return "", err
	}
	return after.OID, nil
}

// stopped cleans up after a pick or revert that git did not finish. It returns nil where
// there was nothing to do.
func (w *Worktree) stopped(ctx context.Context, op, commit string, cause error) error {
	now, err := w.Operation(ctx)
	if err != nil || now == "" {
		return errors.Join(cause, err)
	}
	st, err := w.Status(ctx, UntrackedNone)
	if err != nil {
		return errors.Join(cause, err)
	}
	var files []string
	staged := false
	for _, e := range st.Entries {
		if e.Unmerged {
			files = append(files, e.Path)
		}
		staged = staged || e.Index != '.'
	}
	if len(files) == 0 && !staged {
		// Empty: git stops and asks what to do with it.
		return w.changeTree(ctx, call{step: op, args: []string{op, "--skip"}, env: []string{internalEnv}})
	}
	if err := w.changeTree(ctx, call{step: op, args: []string{op, "--abort"}, env: []string{internalEnv}}); err != nil {
		return errors.Join(cause, err)
	}
	if len(files) == 0 {
		if e := (*Error)(nil); errors.As(cause, &e) && unsigned.MatchString(e.Stderr) {
			return &Error{Step: op, Exit: e.Exit, Stderr: e.Stderr, Err: ErrSigning}
		}
		return cause
	}
	sort.Strings(files)
	return &ConflictError{Operation: op, Commit: commit, Files: files}
}

// CommitWith stores an unsigned commit on top of parent with one file changed, and returns
// its object id. No work tree and no index of the user is touched.
func (w *Worktree) CommitWith(ctx context.Context, parent, path, mode string, data []byte, message string) (string, error) {
	blob, err := w.WriteBlob(ctx, data)
	if err != nil {
		return "", err
	}
	x, err := w.emptyIndex()
	if err != nil {
		return "", err
	}
	defer x.Close()
	if err := x.ReadTree(ctx, parent); err != nil {
		return "", err
	}
	if err := x.Put(ctx, []IndexEntry{{Mode: mode, OID: blob, Path: path}}); err != nil {
		return "", err
	}
	tree, err := x.WriteTree(ctx)
	if err != nil {
		return "", err
	}
	return w.CommitTree(ctx, tree, []string{parent}, message)
}

// Scratch checks a commit out in a folder of its own, as a worktree that drop removes.
func (w *Worktree) Scratch(ctx context.Context, commit string) (dir string, drop func() error, err error) {
	top, err := os.MkdirTemp("", "gitlet-scratch-")
	if err != nil {
		return "", nil, fmt.Errorf("make a scratch folder: %w", err)
	}
	dir = filepath.Join(top, "tree")
	drop = func() error {
		ctx := context.WithoutCancel(ctx)
		_, err := w.run(ctx, call{step: "remove scratch worktree", class: localWrite, args: []string{"worktree", "remove", "--force", dir}})
		return errors.Join(err, os.RemoveAll(top))
	}
	_, err = w.run(ctx, call{step: "make scratch worktree", class: localWrite, timeout: timeouts[treeChange],
		args: []string{"worktree", "add", "--quiet", "--detach", "--force", dir, commit}})
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(top))
	}
	return dir, drop, nil
}
