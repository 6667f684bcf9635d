package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Picks lists the commits of head that onto lacks, oldest first, without those whose
// change onto has already, the way git rebase chooses them; merges are not listed.
func (r *Repo) Picks(ctx context.Context, onto, head string) ([]string, error) {
	out, err := r.run(ctx, call{step: "list commits", class: localRead, timeout: timeouts[localWrite],
		args: []string{"rev-list", "--reverse", "--topo-order", "--no-merges", "--cherry-pick", "--right-only", onto + "..." + head, "--"}})
	if err != nil {
		return nil, err
	}
	return oidLines(out.Stdout)
}

// Merges reports whether there is a merge commit among those head has and onto lacks.
func (r *Repo) Merges(ctx context.Context, onto, head string) (string, error) {
	out, err := r.run(ctx, call{step: "list commits", class: localRead,
		args: []string{"rev-list", "--merges", "--max-count=1", onto + ".." + head, "--"}})
	return trimLine(out.Stdout), err
}

// Rebase puts the steps on top of onto, with the user's hooks, signing and merge drivers,
// and returns the new head; or where it stopped. It does not move a branch, folds no
// fixups, and drops a commit that became empty.
func (t *Trial) Rebase(ctx context.Context, onto, upstream string, steps []Step) (head string, stop *Stop, err error) {
	picks := 0
	for _, s := range steps {
		if !s.Drop {
			picks++
		}
	}
	if picks == 0 {
		return onto, nil, nil
	}
	todo := filepath.Join(t.path, "todo")
	if err := os.WriteFile(todo, []byte(todoText(steps)), 0o666); err != nil {
		return "", nil, fmt.Errorf("write the todo list: %w", err)
	}
	args := []string{"rebase", "--interactive", "--no-autosquash", "--no-autostash", "--no-rebase-merges", "--empty=drop",
		"--no-fork-point"}
	if t.wt.Version.MergeTree() {
		args = append(args, "--no-update-refs")
	}
	return t.rebase(ctx, call{args: append(args, "--onto", onto, upstream), env: []string{"GIT_SEQUENCE_EDITOR=" + sequenceEditor(todo)}})
}

// ContinueRebase goes on after a stop whose conflicts are settled. A commit of which
// nothing is left is dropped.
func (t *Trial) ContinueRebase(ctx context.Context) (head string, stop *Stop, err error) {
	return t.rebase(ctx, call{args: []string{"rebase", "--continue"}})
}

func (t *Trial) rebase(ctx context.Context, c call) (head string, stop *Stop, err error) {
	c.step, c.class = "rebase", treeChange
	// Recorded resolutions are looked up by the caller, who says which were used: git
	// would write down every conflict of the trial in the cache that all worktrees share.
	c.config = []string{"rebase.missingCommitsCheck=ignore", "rebase.updateRefs=false", "rebase.autoStash=false",
		"rebase.rescheduleFailedExec=false", "rerere.autoupdate=false", "rerere.enabled=false"}
	out, err := t.run(ctx, t.hooks, c)
	if err == nil {
		head, err := t.wt.ResolveOne(ctx, "HEAD^{commit}")
		return head, nil, err
	}
	if signs, cerr := t.signs(ctx); cerr == nil && signs && errors.Is(err, ErrTimeout) {
		return "", &Stop{Signing: true, Stderr: "git waited for the signing program"}, nil
	}
	if e := (*Error)(nil); !errors.As(err, &e) || e.Exit <= 0 {
		return "", nil, err
	}
	stop, serr := t.stopped(ctx, "REBASE_HEAD", out.Stderr)
	if serr != nil {
		return "", nil, errors.Join(err, serr)
	}
	if len(stop.Files) == 0 && !stop.Signing && missing(filepath.Join(t.wt.GitDir, "rebase-merge")) {
		return "", nil, err // it did not even begin, such as when a hook said no
	}
	return "", stop, nil
}

// signs reports that the user's commits are signed.
func (t *Trial) signs(ctx context.Context) (bool, error) {
	conf, err := t.wt.KnownConfig(ctx)
	if err != nil {
		return false, err
	}
	return conf.Bool("commit.gpgSign", false)
}

// Resolve is asked for every stop of a Carry; it reports whether it settled all of it.
type Resolve func(ctx context.Context, s *Stop) (bool, error)

// Carry puts commits of gitlet's own on top of commit, one after the other: unsigned,
// without hooks, and kept even when they change nothing any more. It returns what became
// of each; or where it stopped and resolve did not help.
func (t *Trial) Carry(ctx context.Context, commit string, picks []string, resolve Resolve) (heads []string, stop *Stop, err error) {
	if _, err := t.run(ctx, "", call{step: "read tree", class: treeChange, args: []string{"checkout", "--quiet", "--detach", commit}}); err != nil {
		return nil, nil, err
	}
	plain := []string{"commit.gpgSign=false", "rerere.enabled=false"}
	for _, p := range picks {
		out, err := t.run(ctx, "", call{step: "carry uncommitted work", class: treeChange, config: plain,
			args: []string{"cherry-pick", "--allow-empty", "--keep-redundant-commits", "--no-gpg-sign", p}})
		if err != nil {
			if e := (*Error)(nil); !errors.As(err, &e) || e.Exit <= 0 {
				return nil, nil, err
			}
			stop, serr := t.stopped(ctx, "CHERRY_PICK_HEAD", out.Stderr)
			if serr != nil || len(stop.Files) == 0 {
				return nil, nil, errors.Join(err, serr)
			}
			settled, rerr := resolve(ctx, stop)
			if rerr != nil || !settled {
				return nil, stop, rerr
			}
			_, err := t.run(ctx, "", call{step: "carry uncommitted work", class: localWrite, config: plain,
				args: []string{"commit", "--quiet", "--allow-empty", "--no-verify", "--no-gpg-sign", "-C", p}})
			if err != nil {
				return nil, nil, err
			}
		}
		head, err := t.wt.ResolveOne(ctx, "HEAD^{commit}")
		if err != nil {
			return nil, nil, err
		}
		heads = append(heads, head)
	}
	return heads, nil, nil
}

// AheadBehind counts the commits that only one of two commits has.
func (r *Repo) AheadBehind(ctx context.Context, ours, theirs string) (ahead, behind int, err error) {
	out, err := r.run(ctx, call{step: "count commits", class: localRead,
		args: []string{"rev-list", "--left-right", "--count", ours + "..." + theirs, "--"}})
	if err != nil {
		return 0, 0, err
	}
	if _, err := fmt.Sscanf(strings.TrimSpace(string(out.Stdout)), "%d\t%d", &ahead, &behind); err != nil {
		return 0, 0, fmt.Errorf("count commits: %q is no answer", out.Stdout)
	}
	return ahead, behind, nil
}

// ReadTreeOver turns an index of the files of one tree into one of another's, keeping
// what git knows of the files that stay, and which files are not checked out.
func (x *Index) ReadTreeOver(ctx context.Context, from, to string) error {
	_, err := x.wt.run(ctx, x.call(call{step: "read tree", args: []string{"read-tree", "-i", "-m", from, to}}))
	return err
}

// CheckOutTo writes the files at the paths, as this index has them and through the
// configured filters, below another folder.
func (x *Index) CheckOutTo(ctx context.Context, folder string, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	_, err := x.wt.run(ctx, x.call(call{step: "check out files", stdin: []byte(strings.Join(paths, "\x00") + "\x00"),
		args: []string{"checkout-index", "-f", "-z", "--prefix=" + folder + string(filepath.Separator), "--stdin"}}))
	return err
}
