package verbs

import "gitlet/internal/verb"

// ReleaseArgs are the arguments of release.
type ReleaseArgs struct {
	Common
	Symbol string `arg:"symbol" required:"true" chars:"path" help:"the symbol to let go of, as path:Name"`
	Note   string `arg:"note" help:"the note this answers; it is resolved on success"`
}

var release = define[ReleaseArgs](verb.Spec{
	Name:    "release",
	Summary: "Drop your claim or need on a symbol",
	When:    "You no longer change, or no longer depend on, an interface.",
	Example: "gitlet release src/config.ts:parseConfig",
	Effects: verb.Effects{Idempotent: true, Fresh: true, TakesNote: true},
}, nil)
