package git

import (
	"context"
	"errors"
)

// Merge merges a commit into the trial's HEAD, always with a merge commit of its own, the
// way git merge does it for the user: signed where the user signs, with the merge drivers
// of the clone, but without hooks. It returns the new head; or where it stopped.
func (t *Trial) Merge(ctx context.Context, commit, message string) (head string, stop *Stop, err error) {
	return t.merge(ctx, call{step: "merge", class: treeChange, args: []string{"merge", "--quiet", "--no-ff", "--no-verify", "--no-edit", "--no-squash",
		"--no-log", "--no-stat", "--no-autostash", "-m", message, "--", commit}})
}

// ContinueMerge makes the merge commit after a stop whose conflicts are settled.
func (t *Trial) ContinueMerge(ctx context.Context, message string) (head string, stop *Stop, err error) {
	return t.merge(ctx, call{step: "merge", class: localWrite, timeout: timeouts[treeChange],
		args: []string{"commit", "--quiet", "--allow-empty", "--no-verify", "-m", message}})
}

func (t *Trial) merge(ctx context.Context, c call) (head string, stop *Stop, err error) {
	// Recorded resolutions are looked up by the caller, see rebase.
	c.config = []string{"rerere.enabled=false", "rerere.autoupdate=false", "merge.autoStash=false", "merge.verifySignatures=false",
		"merge.renames=true", "merge.directoryRenames=conflict", "commit.cleanup=whitespace"}
	out, err := t.run(ctx, "", c)
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
	stop, serr := t.stopped(ctx, "MERGE_HEAD", out.Stderr)
	if serr != nil {
		return "", nil, errors.Join(err, serr)
	}
	return "", stop, nil
}

// Reset takes back whatever is under way and puts the trial at a commit.
func (t *Trial) Reset(ctx context.Context, commit string) error {
	_, err := t.run(ctx, "", call{step: "read tree", class: treeChange, args: []string{"reset", "--quiet", "--hard", commit}})
	return err
}
