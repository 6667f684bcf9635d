package verbs

import "gitlet/internal/verb"

// NeedArgs are the arguments of need.
type NeedArgs struct {
	Common
	Symbol      string `arg:"symbol" required:"true" chars:"path" help:"the symbol you depend on, as path:Name"`
	Requirement string `arg:"requirement" chars:"text" help:"what you need of it, such as: must keep returning Config"`
	Note        string `arg:"note" help:"the note this answers; it is resolved on success"`
}

var need = define[NeedArgs](verb.Spec{
	Name:    "need",
	Summary: "Say that you depend on an interface someone else is changing",
	When:    "Your work depends on an interface someone else is changing: you are told when its new signature is published.",
	Example: "gitlet need src/config.ts:parseConfig --requirement 'keep returning Config'",
	Effects: verb.Effects{Idempotent: true, Fresh: true, TakesNote: true},
}, nil)
