package verbs

import "gitlet/internal/verb"

// UpdateArgs are the arguments of update.
type UpdateArgs struct {
	Common
	Note string `arg:"note" help:"the note this answers; it is resolved on success"`
}

var update = define[UpdateArgs](verb.Spec{
	Name:    "update",
	Summary: "Bring your branch up to date with main",
	When:    "Main moved on: predicts conflicts first and never leaves a half-finished rebase.",
	Example: "gitlet update",
	Effects: verb.Effects{Destructive: true, Fresh: true, WorkTree: true, TakesNote: true},
}, nil)
