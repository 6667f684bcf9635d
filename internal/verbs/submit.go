package verbs

import "gitlet/internal/verb"

// SubmitArgs are the arguments of submit.
type SubmitArgs struct {
	Common
	Title  string `arg:"title" help:"the pull request's title; default: your task"`
	Body   string `arg:"body" chars:"text" help:"text for the pull request"`
	Draft  bool   `arg:"draft" help:"open the pull request as a draft"`
	Symbol string `arg:"symbol" chars:"path" help:"submit only the published signature of this symbol"`
}

var submit = define[SubmitArgs](verb.Spec{
	Name:    "submit",
	Summary: "Check your work against main, push it and open a pull request",
	When:    "Your work is ready: use it instead of git push. It never merges.",
	Example: "gitlet submit --title 'Strict mode for config loading'",
	Effects: verb.Effects{OpenWorld: true, Fresh: true, Snapshot: true},
}, nil)
