package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Trial is a throwaway worktree in which commits are tried on another base. It shares
// the objects, refs and configuration of the clone and has a HEAD, an index and files of
// its own, so that whatever becomes of it, nothing is seen of it in the real worktree. It
// is not listed as a worktree. Files are written only where a merge conflicts. It must be
// closed; what a killed process leaves is removed by Sweep.
type Trial struct {
	wt    *Worktree // its own root and git directory
	path  string
	hooks string // the folder of the user's hooks
	style string // of conflict markers
}

// NewTrial makes one whose HEAD is detached at commit.
func (w *Worktree) NewTrial(ctx context.Context, commit string) (*Trial, error) {
	hooks, err := w.HooksDir(ctx)
	if err != nil {
		return nil, err
	}
	base := w.OwnDir()
	if err := os.MkdirAll(base, 0o777); err != nil {
		return nil, fmt.Errorf("make a trial worktree: %w", err)
	}
	dir, err := os.MkdirTemp(base, "scratch-trial-")
	if err != nil {
		return nil, fmt.Errorf("make a trial worktree: %w", err)
	}
	gitDir, root := filepath.Join(dir, "git"), filepath.Join(dir, "tree")
	err = errors.Join(os.MkdirAll(filepath.Join(gitDir, "info"), 0o777), os.Mkdir(root, 0o777))
	for name, text := range map[string]string{
		"HEAD": commit + "\n", "commondir": w.CommonDir + "\n", "gitdir": filepath.Join(root, ".git") + "\n",
		"info/sparse-checkout": "",
	} {
		err = errors.Join(err, os.WriteFile(filepath.Join(gitDir, filepath.FromSlash(name)), []byte(text), 0o666))
	}
	err = errors.Join(err, os.WriteFile(filepath.Join(root, ".git"), []byte("gitdir: "+gitDir+"\n"), 0o666), os.WriteFile(filepath.Join(dir, "merged"), nil, 0o666))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make a trial worktree: %w", err), os.RemoveAll(dir))
	}
	r := *w.Repo
	r.dir, r.foreground = root, true
	r.env = append(append([]string(nil), r.env...), internalEnv, mergesVar+"="+filepath.Join(dir, "merged"))
	t := &Trial{path: dir, hooks: hooks, style: w.Version.BaseStyle(), wt: &Worktree{Repo: &r, Root: root, GitDir: gitDir, indexDir: dir}}
	_, err = t.run(ctx, "", call{step: "read tree", class: localWrite,
		env: []string{"GIT_INDEX_FILE=" + filepath.Join(gitDir, "index")}, args: []string{"read-tree", "-m", "-u", "HEAD"}})
	if err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// Close removes the trial with all that is in it but the objects it stored.
func (t *Trial) Close() { _ = os.RemoveAll(t.path) } // or a later Sweep does

// Root is where its files are.
func (t *Trial) Root() string { return t.wt.Root }

// run runs a git process in the trial: no file is checked out, nothing but its own HEAD
// moves, and the user's hooks run if hooks names their folder.
func (t *Trial) run(ctx context.Context, hooks string, c call) (output, error) {
	c.config = append(c.config, "core.sparseCheckout=true", "core.sparseCheckoutCone=false", "index.sparse=false",
		"core.splitIndex=false", "core.fsmonitor=false", "core.untrackedCache=false", "submodule.recurse=false",
		"advice.detachedHead=false", "merge.conflictStyle="+t.style, "gc.auto=0", "maintenance.auto=false")
	if hooks != "" {
		c.userHooks = true
		c.config = append(c.config, "core.hooksPath="+hooks)
	}
	return t.wt.run(ctx, c)
}

// Stop is where trying commits ended early.
type Stop struct {
	// Commit could not be applied; "" when git does not say which.
	Commit string
	// Files that conflict. None means that something else went wrong.
	Files []MergeConflict
	// Signing is set when a commit could not be signed.
	Signing bool
	Stderr  string
}

// stopped reads why the trial stopped; nil where nothing of it is in progress.
func (t *Trial) stopped(ctx context.Context, head, stderr string) (*Stop, error) {
	s := &Stop{Stderr: lastLines(stderr, 3), Signing: unsigned.MatchString(stderr)}
	oids, err := t.wt.Resolve(ctx, head)
	if err != nil {
		return nil, err
	}
	s.Commit = oids[0]
	out, err := t.run(ctx, "", call{step: "list conflicts", class: localWrite, args: []string{"ls-files", "-u", "-z", "--full-name"}})
	if err != nil {
		return nil, err
	}
	s.Files, err = parseUnmerged(out.Stdout)
	return s, err
}

// parseUnmerged reads "<mode> SP <oid> SP <stage> TAB <path> NUL" records, in path order.
func parseUnmerged(b []byte) ([]MergeConflict, error) {
	var out []MergeConflict
	for _, rec := range fields(b) {
		path, at, s, ok := parseStage(rec)
		if !ok {
			return nil, fmt.Errorf("list conflicts: %q is no entry", rec)
		}
		if n := len(out); n == 0 || out[n-1].Path != path {
			out = append(out, MergeConflict{Path: path})
		}
		out[len(out)-1].Stages[at] = s
	}
	return out, nil
}

// parseStage reads "<mode> SP <oid> SP <stage> TAB <path>", one version of a conflicting
// file.
func parseStage(rec string) (path string, stage int, s Stage, ok bool) {
	meta, path, ok := strings.Cut(rec, "\t")
	p := strings.Split(meta, " ")
	if !ok || path == "" || len(p) != 3 || !isMode(p[0]) || !isOID(p[1]) || len(p[2]) != 1 || p[2] < "1" || p[2] > "3" {
		return "", 0, Stage{}, false
	}
	return path, int(p[2][0] - '0'), Stage{Mode: p[0], OID: p[1]}, true
}
