package verbs

import "gitlet/internal/verb"

// DiscussArgs are the arguments of discuss.
type DiscussArgs struct {
	Common
	About    string    `arg:"about" required:"true" help:"the note (n-...) or thread (t-...) to talk about"`
	Message  string    `arg:"message" required:"true" chars:"text" help:"what you want to say or ask"`
	Proposal *Proposal `arg:"proposal" help:"who should own the interface, with which signature"`
}

// Proposal is an offer made with a message.
type Proposal struct {
	Owner     string `json:"owner"`
	Signature string `json:"signature"`
	Summary   string `json:"summary"`
}

var discuss = define[DiscussArgs](verb.Spec{
	Name:    "discuss",
	Summary: "Talk to the other agents about a note or thread",
	When:    "Ask what they need, or propose who owns an interface and what its signature is.",
	Example: "gitlet discuss n-3f2a9c1d0e4b 'Do you need the flag on parseConfig?'",
	Effects: verb.Effects{Fresh: true},
}, nil)
