package git

import (
	"context"
	"errors"
	"path/filepath"
)

// Pick puts commits on top of commit, one after the other, the way git cherry-pick does it
// for the user: signed where the user signs, but without hooks. It returns what became of
// each, "" for one whose change is there already; or where it stopped.
func (t *Trial) Pick(ctx context.Context, commit string, picks []string) (heads []string, stop *Stop, err error) {
	if _, err := t.run(ctx, "", call{step: "read tree", class: treeChange, args: []string{"checkout", "--quiet", "--detach", commit}}); err != nil {
		return nil, nil, err
	}
	for _, p := range picks {
		// A resolution from the cache would look like no conflict at all.
		out, err := t.run(ctx, "", call{step: "cherry-pick", class: treeChange, args: []string{"cherry-pick", "--allow-empty", p},
			config: []string{"rerere.enabled=false", "rerere.autoupdate=false", "advice.mergeConflict=false"}})
		if err == nil {
			head, err := t.wt.ResolveOne(ctx, "HEAD^{commit}")
			if err != nil {
				return nil, nil, err
			}
			heads = append(heads, head)
			continue
		}
		if signs, cerr := t.signs(ctx); cerr == nil && signs && errors.Is(err, ErrTimeout) {
			return nil, &Stop{Commit: p, Signing: true, Stderr: "git waited for the signing program"}, nil
		}
		if e := (*Error)(nil); !errors.As(err, &e) || e.Exit <= 0 {
			return nil, nil, err
		}
		stop, serr := t.stopped(ctx, "CHERRY_PICK_HEAD", out.Stderr)
		if serr != nil {
			return nil, nil, errors.Join(err, serr)
		}
		empty, serr := t.nothingStaged(ctx)
		if serr != nil {
			return nil, nil, errors.Join(err, serr)
		}
		if stop.Commit == "" || len(stop.Files) > 0 || stop.Signing && !empty || !empty {
			return nil, stop, nil
		}
		if _, err := t.run(ctx, "", call{step: "cherry-pick", class: treeChange, args: []string{"cherry-pick", "--skip"}}); err != nil {
			return nil, nil, err
		}
		heads = append(heads, "")
	}
	return heads, nil, nil
}

// nothingStaged reports whether the trial's index holds what its HEAD does; false while
// something conflicts.
func (t *Trial) nothingStaged(ctx context.Context) (bool, error) {
	out, err := t.run(ctx, "", call{step: "write tree", class: localWrite, args: []string{"write-tree"},
		env: []string{"GIT_INDEX_FILE=" + filepath.Join(t.wt.GitDir, "index")}})
	if err != nil {
		if e := (*Error)(nil); errors.As(err, &e) && e.Exit > 0 {
			return false, nil
		}
		return false, err
	}
	tree, err := t.wt.ResolveOne(ctx, "HEAD^{tree}")
	return tree == trimLine(out.Stdout), err
}
