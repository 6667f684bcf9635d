package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Checkout is a throwaway worktree with the files of one commit after another, for a
// program that checks them. It is not listed as a worktree. Its files stand in the
// temporary folder, since many programs leave out what lies below a .git folder; its HEAD
// and index beside the worktree's own. It must be closed; what a killed process leaves is
// removed by Sweep.
type Checkout struct {
	wt  *Worktree
	top string // the temporary folder
	own string // where HEAD and index are
}

const checkoutPrefix = "gitlet-checkout-"

// NewCheckout makes one that has no files yet.
func (w *Worktree) NewCheckout(commit string) (*Checkout, error) {
	base := w.OwnDir()
	err := os.MkdirAll(base, 0o777)
	var own, top string
	if err == nil {
		own, err = os.MkdirTemp(base, "scratch-checkout-")
	}
	if err == nil {
		top, err = os.MkdirTemp("", checkoutPrefix)
	}
	c := &Checkout{top: top, own: own}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make a scratch checkout: %w", err), c.Close())
	}
	gitDir, root := filepath.Join(own, "git"), filepath.Join(top, "tree")
	err = errors.Join(os.Mkdir(gitDir, 0o777), os.Mkdir(root, 0o777))
	for name, text := range map[string]string{
		filepath.Join(gitDir, "HEAD"):      commit + "\n",
		filepath.Join(gitDir, "commondir"): w.CommonDir + "\n",
		filepath.Join(gitDir, "gitdir"):    filepath.Join(root, ".git") + "\n",
		filepath.Join(root, ".git"):        "gitdir: " + gitDir + "\n",
	} {
		err = errors.Join(err, os.WriteFile(name, []byte(text), 0o666))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make a scratch checkout: %w", err), c.Close())
	}
	r := *w.Repo
	r.dir, r.foreground = root, true
	c.wt = &Worktree{Repo: &r, Root: root, GitDir: gitDir, indexDir: own}
	return c, nil
}

// Root is where the files are.
func (c *Checkout) Root() string { return c.wt.Root }

// Go puts exactly the files of a commit there: whatever else is there, ignored or not, is
// removed.
func (c *Checkout) Go(ctx context.Context, commit string) error {
	config := []string{"core.sparseCheckout=false", "core.splitIndex=false", "core.fsmonitor=false", "core.untrackedCache=false",
		"submodule.recurse=false", "advice.detachedHead=false", "gc.auto=0", "maintenance.auto=false"}
	// A Sweep tells by its age that it is left over.
	now := time.Now()
	if err := os.Chtimes(c.own, now, now); err != nil {
		return fmt.Errorf("check out: %w", err)
	}
	step := call{step: "check out", class: treeChange, config: config, args: []string{"reset", "--quiet", "--hard", commit}}
	if _, err := c.wt.run(ctx, step); err != nil {
		return err
	}
	step.class, step.timeout, step.args = localWrite, timeouts[treeChange], []string{"clean", "--quiet", "-ffdx"}
	_, err := c.wt.run(ctx, step)
	return err
}

// Close removes it with all that is in it.
func (c *Checkout) Close() error {
	var err error
	for _, dir := range []string{c.top, c.own} {
		if dir != "" {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}
	return err
}

// sweepCheckout removes the files of a checkout whose HEAD and index stand in own.
func sweepCheckout(own string) error {
	data, err := os.ReadFile(filepath.Join(own, "git", "gitdir"))
	if err != nil {
		return nil
	}
	top := filepath.Dir(filepath.Dir(strings.TrimSuffix(string(data), "\n")))
	if !strings.HasPrefix(filepath.Base(top), checkoutPrefix) {
		return nil
	}
	return os.RemoveAll(top)
}

// CleanEnviron is an environment without what would point git at another repository or
// index, for a program of the user's that runs in a folder of its own.
func CleanEnviron(from []string) []string {
	out := make([]string, 0, len(from))
	for _, kv := range from {
		if name, _, _ := strings.Cut(kv, "="); !inherited[name] {
			out = append(out, kv)
		}
	}
	return out
}
