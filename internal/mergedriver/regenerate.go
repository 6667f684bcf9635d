package mergedriver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gitlet/internal/config"
	"gitlet/internal/git"
	"gitlet/internal/merge"
	"gitlet/internal/proc"
	"gitlet/internal/proof"
)

// toolTime bounds the tool, which may have to fetch what it does not have. A variable for
// tests.
var toolTime = 2 * time.Minute

// again makes a file anew from what the merge makes of its inputs: main's side of it lies
// there as the tool would find it.
func (c Call) again(ctx context.Context, m git.FileMerge, v merge.Versions) ([]byte, string, error) {
	wt, err := git.Open(ctx, c.Dir)
	if err != nil {
		return nil, "", err
	}
	cfg, err := wt.Config(ctx)
	if err != nil {
		return nil, "", err
	}
	settings, _ := config.From(cfg)
	r, ok := recipeFor(c.Path, settings, v.Ours)
	switch {
	case !ok:
		return nil, "", c.left("gitlet does not know how it is made: say so with gitlet.generated")
	case !settings.Regenerate:
		return nil, "", c.left("making it again is not allowed here: git config gitlet.regenerate true")
	}
	if _, err := proc.LookPath(r.argv[0]); err != nil {
		return nil, "", c.left(r.argv[0] + " is not on PATH")
	}
	if err := r.fit(ctx); err != nil {
		return nil, "", c.left(err.Error())
	}
	s, err := c.sides(ctx, wt, v)
	if err != nil {
		return nil, "", err
	}
	dir, err := os.MkdirTemp("", "gitlet-regenerate-")
	if err != nil {
		return nil, "", fmt.Errorf("make a scratch folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // it lies where such things are cleared away
	in := inputs{call: c, wt: wt, lines: m, sides: s, recipe: r, dir: dir, settings: settings}
	if err := in.write(ctx); err != nil {
		return nil, "", err
	}
	start := v.Ours
	if in.mainIsTheirs(ctx, cfg) {
		start = v.Theirs
	}
	was, ok := r.read(start)
	if !ok {
		return nil, "", c.left("main's version of it cannot be read")
	}
	file := filepath.Join(dir, filepath.FromSlash(c.Path))
	if err := put(file, start, 0o644); err != nil {
		return nil, "", err
	}
	at := filepath.Dir(file)
	if r.atTop {
		at = dir
	}
	if _, err := proc.Run(ctx, proc.Cmd{Path: r.argv[0], Args: r.argv[1:], Dir: at, Env: append(plainEnv(os.Environ()), r.env...), Timeout: toolTime}); err != nil {
		return nil, "", c.left(fmt.Sprintf("%q: %v", r.name, err))
	}
	out, err := readResult(file)
	switch is, ok := r.read(out); {
	case err != nil || len(bytes.TrimSpace(out)) == 0:
		return nil, "", c.left(fmt.Sprintf("%q left nothing", r.name))
	case !ok || proof.HasMarkers(out):
		return nil, "", c.left(fmt.Sprintf("what %q left cannot be read", r.name))
	case is != was:
		return nil, "", c.left(fmt.Sprintf("%q writes it in format %q, and main has it in %q", r.name, is, was))
	}
	return out, fmt.Sprintf("by making it again with %q", r.name), nil
}

// readResult reads what the tool left, which has to be a file of its own.
func readResult(file string) ([]byte, error) {
	fi, err := os.Lstat(file)
	switch {
	case err != nil:
		return nil, fmt.Errorf("look at %q: %w", file, err)
	case !fi.Mode().IsRegular() || fi.Size() > largestInput:
		return nil, fmt.Errorf("%q is no plain file, or too large", file)
	}
	return os.ReadFile(file)
}

// left says why the file keeps git's conflict: whoever solves it wants to know.
func (c Call) left(why string) error {
	fmt.Fprintf(c.Out, "gitlet left %q as it conflicts: %s\n", c.Path, why)
	return &merge.DoubtError{Why: why}
}

// plainEnv is an environment without what git left in it: a tool that calls git is in a
// folder of its own.
func plainEnv(env []string) []string {
	var out []string
	for _, kv := range env {
		if !strings.HasPrefix(kv, "GIT_") && !strings.HasPrefix(kv, "GITHEAD_") {
			out = append(out, kv)
		}
	}
	return out
}

func put(path string, data []byte, mode os.FileMode) error {
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = os.WriteFile(path, data, mode)
	}
	if err != nil {
		return fmt.Errorf("write %q: %w", path, err)
	}
	return nil
}

// sides are the commits that are merged.
type sides struct{ base, ours, theirs string }

// errUnknown: which commits are merged cannot be found out.
var errUnknown = errors.New("which commits are merged is not known")

// sides finds the commits. Git tells a driver the versions of one file only, so each
// candidate has to hold the version it stands for.
func (c Call) sides(ctx context.Context, wt *git.Worktree, v merge.Versions) (sides, error) {
	cat := wt.NewCatFile(ctx)
	defer cat.Close()
	holds := func(rev string, want []byte) (string, bool) {
		o, err := cat.Read(rev+":"+c.Path, 0)
		if err != nil || !o.Found || !bytes.Equal(o.Data, want) {
			return "", false
		}
		commit, err := cat.Read(rev+"^{commit}", 0)
		return commit.OID, err == nil && commit.Found
	}
	ours, ok := holds("HEAD", v.Ours)
	if !ok {
		return sides{}, c.left(errUnknown.Error())
	}
	for _, rev := range candidates(wt.GitDir, os.Environ(), c.Labels[2]) {
		theirs, ok := holds(rev.name, v.Theirs)
		if !ok {
			continue
		}
		base := theirs + "^"
		if rev.merged {
			var err error
			if base, err = wt.MergeBase(ctx, ours, theirs); err != nil {
				continue
			}
		}
		if base, ok := holds(base, v.Base); ok {
			return sides{base, ours, theirs}, nil
		}
	}
	return sides{}, c.left(errUnknown.Error())
}

// candidate may be the commit that is merged, or picked onto another.
type candidate struct {
	name   string
	merged bool
}

// candidates reads what git merge, cherry-pick and rebase leave for others to see. The name
// of their side begins with the commit, from git 2.44 on; before, a lone cherry-pick says
// nothing.
func candidates(gitDir string, env []string, label string) []candidate {
	var out []candidate
	for _, kv := range env {
		if rest, ok := strings.CutPrefix(kv, "GITHEAD_"); ok {
			oid, _, _ := strings.Cut(rest, "=")
			out = append(out, candidate{oid, true})
		}
	}
	if done, err := os.ReadFile(filepath.Join(gitDir, "rebase-merge", "done")); err == nil {
		lines := strings.Split(strings.TrimSpace(string(done)), "\n")
		if f := strings.Fields(lines[len(lines)-1]); len(f) > 1 {
			out = append(out, candidate{f[1], false})
		}
	}
	if name, _, _ := strings.Cut(label, " "); name != "" && name != noName {
		out = append(out, candidate{name, false})
	}
	return append(out, candidate{"CHERRY_PICK_HEAD", false}, candidate{"REBASE_HEAD", false}, candidate{"MERGE_HEAD", true})
}
