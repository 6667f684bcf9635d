package mergedriver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"gitlet/internal/config"
	"gitlet/internal/git"
	"gitlet/internal/glob"
	"gitlet/internal/merge"
	"gitlet/internal/proc"
)

// recipe is how a file is made from others.
type recipe struct {
	name string
	argv []string
	// inputs are globs of the files it is made from, below the folder it stands in; names
	// those of which it is enough that they are there.
	inputs, names []string
	env           []string
	// atTop is set where it runs at the top of the repository.
	atTop bool
}

// recipes are those of the lock files whose tools can make them alone, without running
// code of the project.
var recipes = map[string]recipe{
	"package-lock.json": {argv: []string{"npm", "install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"},
		inputs: []string{"package.json", ".npmrc"}},
	"pnpm-lock.yaml": {argv: []string{"pnpm", "install", "--lockfile-only", "--ignore-scripts"},
		inputs: []string{"package.json", ".npmrc", "pnpm-workspace.yaml", ".pnpmfile.cjs"}},
	"Cargo.lock": {argv: []string{"cargo", "update", "-w", "--offline"}, inputs: []string{"Cargo.toml", "config.toml"}, names: []string{"*.rs"}},
	"go.sum":     {argv: []string{"go", "mod", "tidy"}, inputs: []string{"go.mod", "go.work", "*.go"}, env: []string{"GOFLAGS=-mod=mod"}},
	"uv.lock":    {argv: []string{"uv", "lock"}, inputs: []string{"pyproject.toml", "uv.toml"}},
	"Gemfile.lock": {argv: []string{"bundle", "lock", "--local"}, inputs: []string{"Gemfile", "*.gemspec", ".ruby-version"},
		names: []string{"version.rb"}},
}

// recipeFor finds how the file at p is made: what the user said of derived files first.
func recipeFor(p string, s config.Settings) (recipe, bool) {
	for _, v := range s.Generated {
		g, command, ok := strings.Cut(strings.TrimSpace(v), " ")
		if ok && glob.Match(g, p) {
			command = strings.TrimSpace(command)
			return recipe{name: command, argv: []string{"sh", "-c", command}, inputs: []string{"*"}, atTop: true}, true
		}
	}
	r, ok := recipes[path.Base(p)]
	r.name = strings.Join(r.argv, " ")
	return r, ok
}

// toolTime bounds the tool, which may have to fetch what it does not have.
const toolTime = 2 * time.Minute

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
	r, ok := recipeFor(c.Path, settings)
	switch {
	case !ok:
		return nil, "", c.left("gitlet does not know how it is made: say so with gitlet.generated")
	case !settings.Regenerate:
		return nil, "", c.left("making it again is not allowed here: git config gitlet.regenerate true")
	}
	if _, err := proc.LookPath(r.argv[0]); err != nil {
		return nil, "", c.left(r.argv[0] + " is not on PATH")
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
	out, err := os.ReadFile(file)
	if err != nil || len(bytes.TrimSpace(out)) == 0 {
		return nil, "", c.left(fmt.Sprintf("%q left nothing", r.name))
	}
	return out, fmt.Sprintf("by making it again with %q", r.name), nil
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
