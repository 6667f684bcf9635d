package verbs

import "gitlet/internal/verb"

// ClaimArgs are the arguments of claim.
type ClaimArgs struct {
	Common
	Symbol string `arg:"symbol" required:"true" chars:"path" help:"the symbol to own, as path:Name"`
	Note   string `arg:"note" help:"the note this answers; it is resolved on success"`
}

var claim = define[ClaimArgs](verb.Spec{
	Name:    "claim",
	Summary: "Become the owner of an interface you are changing",
	When:    "You are changing the signature of an interface others use: as its owner, others build against your version.",
	Example: "gitlet claim src/config.ts:parseConfig",
	Effects: verb.Effects{Idempotent: true, Fresh: true, Snapshot: true, TakesNote: true},
}, nil)
