package verbs

import "gitlet/internal/verb"

// UseArgs are the arguments of use.
type UseArgs struct {
	Common
	Symbol string `arg:"symbol" required:"true" chars:"path" help:"the symbol whose published signature you want, as path:Name"`
	Note   string `arg:"note" help:"the note this answers; it is resolved on success"`
}

var use = define[UseArgs](verb.Spec{
	Name:    "use",
	Summary: "Bring a published signature into your branch and pin it",
	When:    "A signature you need is published: build on it now, before it lands.",
	Example: "gitlet use src/config.ts:parseConfig",
	Effects: verb.Effects{Destructive: true, Fresh: true, WorkTree: true, TakesNote: true},
}, nil)
