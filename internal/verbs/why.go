package verbs

import "gitlet/internal/verb"

// WhyArgs are the arguments of why.
type WhyArgs struct {
	Common
	Target string `arg:"target" required:"true" chars:"path" help:"a path, path:line, or a symbol as path:Name"`
}

var why = define[WhyArgs](verb.Spec{
	Name:    "why",
	Summary: "Why a line, file or symbol is the way it is",
	When:    "Before undoing something that looks odd: shows the commit, the task behind it, and any agreement.",
	Example: "gitlet why src/config.ts:42",
	Effects: verb.Effects{ReadOnly: true},
}, nil)
