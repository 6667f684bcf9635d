package verbs

import "gitlet/internal/verb"

// PublishArgs are the arguments of publish.
type PublishArgs struct {
	Common
	Symbol string `arg:"symbol" required:"true" chars:"path" help:"the symbol you own, as path:Name"`
	Commit string `arg:"commit" help:"a commit of yours to publish as the stub instead of the one gitlet builds"`
	Note   string `arg:"note" help:"the note this answers; it is resolved on success"`
}

var publish = define[PublishArgs](verb.Spec{
	Name:    "publish",
	Summary: "Publish a new signature so dependents can build on it",
	When:    "After claiming: dependents build on the new signature before your work lands.",
	Example: "gitlet publish src/config.ts:parseConfig",
	Effects: verb.Effects{Fresh: true, Snapshot: true, TakesNote: true},
}, nil)
