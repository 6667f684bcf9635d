package verbs

import (
	"context"
	"errors"
	"fmt"

	"gitlet/internal/engine"
	"gitlet/internal/git"
	"gitlet/internal/land"
	"gitlet/internal/model"
	"gitlet/internal/snapshot"
	"gitlet/internal/verb"
)

// UpdateArgs are the arguments of update.
type UpdateArgs struct {
	Common
	Note string `arg:"note" help:"the note this answers; it is resolved on success"`
}

var update = define(verb.Spec{
	Name:    "update",
	Summary: "Bring your branch up to date with main",
	When:    "Main moved on: rebases your branch, uncommitted work included, or changes nothing and shows the conflicts.",
	Example: "gitlet update",
	Effects: verb.Effects{Destructive: true, Fresh: true, WorkTree: true, TakesNote: true},
}, runUpdate)

// UpdateData is the data of update. Old and new head are "" where nothing was changed.
type UpdateData struct {
	Onto    string         `json:"onto"` // main's commit
	OldHead string         `json:"oldHead"`
	NewHead string         `json:"newHead"`
	Behind  int            `json:"behind"` // commits of main that came in
	Kept    []UpdateCommit `json:"kept"`
	// Dropped are commits that are no longer needed, with why.
	Dropped []UpdateCommit `json:"dropped"`
	Carried int            `json:"carried"` // uncommitted files that were carried along
	// Replayed are conflicts that recorded resolutions solved.
	Replayed []Replayed `json:"replayed"`
	// Merged are files in which git's lines conflict, and which gitlet's merge drivers merged.
	Merged []git.DriverMerge `json:"merged,omitempty"`
	// Before is the checkpoint to go back to.
	Before *CheckpointData `json:"before,omitempty"`
}

// UpdateCommit is one commit of the branch.
type UpdateCommit struct {
	Old     string `json:"old"`
	New     string `json:"new,omitempty"`
	Subject string `json:"subject"`
	Why     string `json:"why,omitempty"`
}

func runUpdate(ctx context.Context, c *engine.Call, _ *UpdateArgs) (*verb.Result, error) {
	if op, err := c.Operation(ctx); err != nil {
		return nil, err
	} else if op != "" {
		return parkRefusal(&snapshot.OperationError{Operation: op}, "update"), nil
	}
	main, err := c.FetchMain(ctx)
	if errors.Is(err, engine.ErrNoMain) {
		return verb.Refuse(fmt.Sprintf("there is no %s to update onto", c.MainName()),
			model.Option{Argv: []string{"gitlet", "doctor"}, Why: "see how main is chosen"}), nil
	}
	if err != nil {
		return nil, err
	}
	done, err := c.Update(ctx, main)
	if r := updateRefusal(ctx, c, err, main); r != nil {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	c.Changed(ctx)
	r := updated(c, done, main)
	return r, tellOver(ctx, c, done, r)
}

// tellOver says where the update left nothing to hand in, since all of the task is on main.
func tellOver(ctx context.Context, c *engine.Call, u *land.Updated, r *verb.Result) error {
	st, err := c.State(ctx)
	if err != nil || u.Carried > 0 || len(u.Kept) > 0 {
		return err
	}
	it := st.Active()
	if it == nil {
		return nil
	}
	over, err := c.Over(ctx, *it, u.To.OID)
	if over {
		r.Details = append(r.Details, fmt.Sprintf("nothing of %s is left that main lacks: submit closes the task as landed", said(it.Intent)))
	}
	return err
}

func updated(c *engine.Call, u *land.Updated, main string) *verb.Result {
	before := checkpointData(u.Before)
	d := UpdateData{Onto: main, OldHead: u.From.OID, NewHead: u.To.OID, Behind: u.Behind, Kept: []UpdateCommit{}, Dropped: []UpdateCommit{},
		Replayed: replayed(u.Replayed), Merged: u.Merged, Carried: u.Carried, Before: &before}
	for _, m := range u.Kept {
		d.Kept = append(d.Kept, UpdateCommit{Old: m.Old.OID, New: m.New.OID, Subject: m.Old.Subject})
	}
	r := &verb.Result{Outcome: verb.OK, Summary: fmt.Sprintf("Your branch has all of %s now: %s came in.", c.MainName(), count(u.Behind, "commit")),
		Options: []model.Option{{Verb: "restore", Args: map[string]any{"name": u.Before.Slug}, Why: "undo this update"}}}
	if n := len(u.Kept); n > 0 {
		r.Details = append(r.Details, fmt.Sprintf("%s of yours on top of it", count(n, "commit")))
	}
	if u.Carried > 0 {
		r.Details = append(r.Details, fmt.Sprintf("%s carried along, uncommitted as before", count(u.Carried, "file")))
	}
	tellMerged(r, u.Merged)
	tellReplayed(r, u.Replayed)
	emptied := map[string]bool{}
	for _, x := range u.Replayed {
		emptied[x.Commit] = true
	}
	for _, gone := range []struct {
		list []git.Commit
		why  string
	}{
		{u.Stubs, "a picked interface that has landed"},
		{u.Here, "main has the same change"},
		{u.Empty, "main has all it changed, so nothing was left of it"},
	} {
		for _, g := range gone.list {
			why := gone.why
			if emptied[g.OID] {
				why = "a recorded resolution left nothing of it; see whether that is right"
			}
			d.Dropped = append(d.Dropped, UpdateCommit{Old: g.OID, Subject: g.Subject, Why: why})
			r.Details = append(r.Details, fmt.Sprintf("left out %s %s: %s", git.Short(g.OID), said(g.Subject), why))
		}
	}
	for _, p := range u.Links {
		r.Details = append(r.Details, fmt.Sprintf("submodule %q stands at another commit than the branch says: git submodule update --init -- %q", p, p))
	}
	for _, p := range u.Left {
		r.Details = append(r.Details, fmt.Sprintf("left alone, since it is ignored: %q", p))
	}
	for _, p := range u.Replaced {
		r.Details = append(r.Details, fmt.Sprintf("%q, which git ignored here, is main's file now; your own is in the checkpoint %s", p, u.Before.Slug))
	}
	r.Data = d
	return r
}

// updateRefusal words why an update was not made; nothing was changed. nil for success and
// for any other error.
func updateRefusal(ctx context.Context, c *engine.Call, err error, main string) *verb.Result {
	var (
		conflict *land.ConflictError
		merges   *land.MergesError
		signing  *land.SigningError
		stopped  *land.StoppedError
		unproven *land.UnprovenError
		differs  *land.DiffersError
	)
	onto := c.MainName()
	byHand := model.Option{Argv: []string{"git", "rebase", "--no-autostash", onto}, Why: "do it by hand: resolve, git add, git rebase --continue"}
	merge := model.Option{Argv: []string{"git", "merge", onto}, Why: "merge main instead"}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, land.ErrUpToDate):
		return &verb.Result{Outcome: verb.Nothing, Summary: fmt.Sprintf("your branch has all of %s", onto),
			Data: UpdateData{Onto: main, Kept: []UpdateCommit{}, Dropped: []UpdateCommit{}, Replayed: []Replayed{}}}
	case errors.Is(err, land.ErrUnborn):
		return verb.Refuse("this branch has no commit yet", model.Option{Argv: []string{"git", "merge", "--ff-only", onto}, Why: "begin where main is"})
	case errors.Is(err, git.ErrNoMergeBase):
		r := verb.Refuse(fmt.Sprintf("your branch and %s have no history in common here", onto))
		if c.Remote() != "" {
			r.Options = []model.Option{{Argv: []string{"git", "fetch", "--deepen", "1000", c.Remote()}, Why: "a shallow clone: bring more history, then call it again"}}
		}
		return r
	case errors.As(err, &conflict):
		return conflictRefusal(ctx, c, conflict, main)
	case errors.As(err, &merges):
		r := verb.Refuse("your branch holds a merge commit, which a rebase would flatten; nothing was changed", merge)
		r.Details = []string{"the merge is " + git.Short(merges.Commit)}
		return r
	case errors.As(err, &signing):
		r := verb.Refuse("your commits are to be signed, and signing did not work; nothing was changed",
			model.Option{Argv: []string{"git", "commit", "--allow-empty", "-m", "Try signing"}, Why: "see what is wrong with signing, then call update again"},
			model.Option{Argv: []string{"git", "config", "commit.gpgSign", "false"}, Why: "sign no commits in this clone"})
		r.Details = []string{"git said: " + said(signing.Said)}
		return r
	case errors.As(err, &stopped):
		r := verb.Refuse("the rebase stopped; nothing was changed", byHand)
		r.Details = []string{fmt.Sprintf("at %s %s", git.Short(stopped.Commit.OID), said(stopped.Commit.Subject)), "git said: " + said(stopped.Said)}
		return r
	case errors.As(err, &unproven):
		r := verb.Refuse("git merged without a conflict, but the result is wrong; nothing was changed")
		if len(unproven.Replayed) > 0 {
			r.Summary = "recorded resolutions solved the conflicts, but the result is wrong; nothing was changed"
		}
		for _, p := range unproven.Problems {
			r.Details = append(r.Details, p.Text)
		}
		tellMerged(r, unproven.Merged)
		tellReplayed(r, unproven.Replayed)
		r.Options = append(r.Options, byHand, merge)
		r.Data = map[string]any{"onto": main, "problems": unproven.Problems, "replayed": replayed(unproven.Replayed), "merged": unproven.Merged}
		return r
	case errors.As(err, &differs):
		r := verb.Refuse("a rebase and a merge of your branch give different files; nothing was changed", byHand, merge)
		r.Details = filesDetail("differs", differs.Files)
		r.Data = map[string]any{"onto": main, "files": differs.Files}
		return r
	}
	return parkRefusal(err, "update")
}
