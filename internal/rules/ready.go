package rules

import (
	"gitlet/internal/model"
	"gitlet/internal/view"
)

var ready = &Rule{
	Kind: "ready",
	When: "A signature is published for a symbol that my item needs, and it does not use it yet.",
	Severities: []Level{
		{model.Act, "always"},
	},
	Why: "The interface is settled. Built on now, my work fits theirs when both land.",
	Options: []Choice{
		{Verb: "use", Why: "bring the published signature into your branch"},
		dismissNote,
	},
	find:  findReady,
	title: titleReady,
}

func findReady(in *Input, mine model.Item) []finding {
	var out []finding
	in.eachNeed(mine, func(n *view.Need, cl *model.Claim) {
		if cl == nil || cl.Contract == nil || n.PinnedSigHash != "" || cl.Owner == in.View.Agent && cl.Item == mine.ID {
			return
		}
		out = append(out, in.contractFinding(n, cl))
	})
	return out
}

// contractFinding is what is published of a symbol that my item needs.
func (in *Input) contractFinding(n *view.Need, cl *model.Claim) finding {
	f := finding{subject: cl.Name(), symbol: cl.Name(), key: cl.Key, peer: in.ownerOf(cl), need: n, severity: model.Act, breaking: cl.Contract.Breaking}
	f.other = []fact{{"published", signature(cl.Contract.Signature)}}
	if f.peer == nil {
		f.shared = append(f.shared, fact{"its owner", place(cl.Owner)})
	}
	return f
}

func titleReady(subject string, fs []finding) string {
	by := "its owner"
	if fs[0].peer != nil {
		by = who(*fs[0].peer)
	}
	return by + " published the signature of " + subject + ", which you need"
}
