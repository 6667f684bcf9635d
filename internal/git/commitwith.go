package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"gitlet/internal/pattern"
)

// unsigned is how git words that, whichever program it starts for it.
var unsigned = pattern.New(`(?i)failed to sign|sign the data|gpg|ssh-keygen`)

// internalEnv tells gitlet's own hooks that it is gitlet that commits.
const internalEnv = "GITLET_INTERNAL=1"

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
