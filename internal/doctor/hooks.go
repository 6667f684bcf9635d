package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gitlet/internal/setup"
)

// checkHooks says which of git's hooks run gitlet, and where they do nothing: a hook that
// is no program, or a worktree in which the folder of hooks is not there.
func checkHooks(ctx context.Context, p *place) []Finding {
	if p.cfg == nil {
		return nil
	}
	h, err := setup.HooksOf(ctx, p.wt)
	if err != nil {
		return bad(Warn, fmt.Sprintf("where hooks are cannot be found out: %v", err), "see what git says", "git", "rev-parse", "--git-path", "hooks")
	}
	var run, not []string
	var out []Finding
	for _, f := range h.Files {
		path := filepath.Join(h.Dir, f.Name)
		switch {
		case f.Runs && f.Skipped:
			out = append(out, bad(Warn, fmt.Sprintf("the hook %s is no program, so git does not run it", f.Name), "make it one", "chmod", "+x", path)...)
		case f.Runs:
			run = append(run, f.Name)
		default:
			not = append(not, f.Name)
		}
	}
	switch {
	case h.Foreign != "" && len(run) == 0:
		out = append(out, ok("none runs gitlet: %s", h.Foreign)...)
	case len(run) == 0 && len(out) == 0:
		out = append(out, ok("none runs gitlet; agents that only use a shell hear of notes by them: gitlet init --git-hooks")...)
	case len(run) > 0 && len(not) > 0:
		out = append(out, bad(Warn, fmt.Sprintf("%s %s gitlet, %s %s not", strings.Join(run, ", "), ending(run, "runs", "run"), strings.Join(not, ", "), ending(not, "does", "do")),
			"set up the others, or see the lines to put in", "gitlet", "init", "--git-hooks")...)
	case len(run) > 0:
		out = append(out, ok("%s %s gitlet", strings.Join(run, ", "), ending(run, "runs", "run"))...)
	}
	return append(out, inertHooks(ctx, p)...)
}

// ending is the verb's form for as many as there are.
func ending(list []string, one, several string) string {
	if len(list) == 1 {
		return one
	}
	return several
}

// inertHooks names the worktrees in which a relative core.hooksPath leads nowhere: git
// takes it from the top of each, and what is on their branches may not have it.
func inertHooks(ctx context.Context, p *place) []Finding {
	dir, set := p.cfg.Get("core.hooksPath")
	if !set || filepath.IsAbs(dir) || strings.HasPrefix(dir, "~") {
		return nil
	}
	list, err := p.wt.Worktrees(ctx)
	if err != nil {
		return nil // the check of the repository says it
	}
	var out []Finding
	for _, w := range list {
		if w.Bare || w.Prunable != "" {
			continue
		}
		if info, err := os.Stat(filepath.Join(w.Path, dir)); err != nil || !info.IsDir() {
			out = append(out, bad(Warn, fmt.Sprintf("core.hooksPath is %q, and the worktree %q has no such folder: no hook runs there", dir, w.Path),
				"bring the folder to its branch, or set an absolute path", "git", "config", "core.hooksPath", filepath.Join(p.wt.Root, dir))...)
		}
	}
	return out
}
