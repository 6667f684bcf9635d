package verbs

import (
	"context"
	"errors"
	"fmt"

	"gitlet/internal/engine"
	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/verb"
)

// RerereTrainArgs are the arguments of rerere train.
type RerereTrainArgs struct {
	Common
	Since int `arg:"since" min:"1" max:"100000" value:"N" help:"how many of main's merges to learn from, the newest first; default: 200"`
}

var rerereTrain = define(verb.Spec{
	Name:    "rerere train",
	Summary: "Learn from how main's merges solved their conflicts",
	When:    "Once in a new clone: what the merges of main chose where their sides conflicted is recorded, so that the same conflict is solved by itself. Touches no file of yours.",
	Example: "gitlet rerere train --since 1000",
	CLIOnly: true,
}, runRerereTrain)

func runRerereTrain(ctx context.Context, c *engine.Call, a *RerereTrainArgs) (*verb.Result, error) {
	most := a.Since
	if most == 0 {
		most = 200
	}
	t, err := c.Train(ctx, most, verb.Progress(ctx))
	var old *git.TooOldError
	switch {
	case errors.Is(err, engine.ErrNoMain):
		return verb.Refuse(fmt.Sprintf("there is no %s to learn from", c.MainName()),
			model.Option{Argv: []string{"gitlet", "doctor"}, Why: "see how main is chosen"}), nil
	case errors.As(err, &old):
		return verb.Refuse(old.Error(), model.Option{Argv: []string{"gitlet", "doctor"}, Why: "see what this git can do"}), nil
	case err != nil:
		return nil, err
	}
	r := &verb.Result{Outcome: verb.OK, Data: t,
		Summary: fmt.Sprintf("%s new, from %s with conflicts among the newest %s of %s.", count(t.Recorded, "resolution"),
			count(t.Conflicting, "merge"), count(t.Merges, "merge"), c.MainName())}
	if t.Known > 0 {
		r.Details = append(r.Details, fmt.Sprintf("%s solved by recorded resolutions already", count(t.Known, "conflicting file")))
	}
	if !t.Whole {
		r.Details = append(r.Details, "stopped before it was through; call it again to go on")
	}
	if t.Recorded > 0 {
		r.Options = []model.Option{{Argv: []string{"gitlet", "rerere", "list"}, Why: "see them"}}
	}
	return r, nil
}
