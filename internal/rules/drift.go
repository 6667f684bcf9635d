package rules

import (
	"gitlet/internal/model"
	"gitlet/internal/view"
)

var drift = &Rule{
	Kind: "drift",
	When: "A published signature that my item uses is another one now.",
	Severities: []Level{
		{model.Act, "always"},
	},
	Why: "My code is built on a version that will not land.",
	Options: []Choice{
		{Verb: "use", Why: "take the old one back and bring in the new one"},
		ask("ask why it changed"),
	},
	find:  findDrift,
	title: titleDrift,
}

func findDrift(in *Input, mine model.Item) []finding {
	var out []finding
	in.eachNeed(mine, func(n *view.Need, cl *model.Claim) {
		if cl == nil || cl.Contract == nil || n.PinnedSigHash == "" || n.PinnedSigHash == cl.Contract.SigHash {
			return
		}
		f := in.contractFinding(n, cl)
		if c := mine.Footprint.Change(n.Key); c != nil && c.Symbol.SigHash == n.PinnedSigHash {
			f.shared = append(f.shared, fact{"you use", signature(c.Symbol.Signature)})
		}
		out = append(out, f)
	})
	return out
}

func titleDrift(subject string, fs []finding) string {
	by := "its owner"
	if fs[0].peer != nil {
		by = who(*fs[0].peer)
	}
	return by + " published another signature of " + subject + " than the one you use"
}
