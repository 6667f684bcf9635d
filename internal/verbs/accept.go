package verbs

import "gitlet/internal/verb"

// AcceptArgs are the arguments of accept.
type AcceptArgs struct {
	Common
	Proposal string `arg:"proposal" required:"true" help:"the proposal to accept (p-...)"`
}

var accept = define[AcceptArgs](verb.Spec{
	Name:    "accept",
	Summary: "Accept a proposal",
	When:    "You agree with a proposal: once every participant accepted, gitlet applies it.",
	Example: "gitlet accept p-7d1e22c09a41",
	Effects: verb.Effects{Idempotent: true, Fresh: true},
}, nil)
