package rules

import (
	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/view"
)

var drift = &Rule{
	Kind: "drift",
	When: "A published signature that my item uses is another one now, or nobody publishes it any more while main does not have it.",
	Severities: []Level{
		{model.Act, "always"},
	},
	Why: "My code is built on a version that will not land.",
	Options: []Choice{
		{Verb: "use", Why: "take the old one back and bring in the new one", When: "another one is published", fits: republished},
		{Why: "take back the commit that brought it in", When: "nobody publishes it and it was brought in by a commit", argv: revertPin, fits: pickedPin},
		{Verb: "release", Why: "stop waiting for it to land, and build on what main has", When: "nobody publishes it", fits: withdrawn},
		ask("ask why it changed"),
		{Verb: "who", Why: "see who owns it and changes it now"},
	},
	find:  findDrift,
	title: titleDrift,
}

func findDrift(in *Input, mine model.Item) []finding {
	var out []finding
	in.eachNeed(mine, func(n *view.Need, cl *model.Claim) {
		published := cl != nil && cl.Contract != nil
		if n.PinnedSigHash == "" || published && n.PinnedSigHash == cl.Contract.SigHash || !published && in.View.Landed[n.ID] {
			return
		}
		var f finding
		if published {
			f = in.contractFinding(n, cl)
		} else {
			f = finding{subject: n.Name, symbol: n.Name, key: n.Key, need: n, severity: model.Act, breaking: true, version: "withdrawn"}
			if cl != nil {
				f.peer = in.ownerOf(cl)
				f.shared = append(f.shared, fact{"its owner", place(cl.Owner)})
			}
		}
		if c := in.View.Picked(mine.ID, n.Key); c != nil && c.Symbol.SigHash == n.PinnedSigHash {
			f.shared = append(f.shared, fact{"you use", signature(c.Symbol.Signature)})
		}
		out = append(out, f)
	})
	return out
}

func withdrawn(_ *Input, fs []finding) bool { return fs[0].version == "withdrawn" }

func republished(in *Input, fs []finding) bool { return !withdrawn(in, fs) }

func pickedPin(in *Input, fs []finding) bool {
	return withdrawn(in, fs) && id.ValidOID(fs[0].need.PinnedCommit)
}

func revertPin(_ *Input, fs []finding) []string {
	return []string{"git", "revert", "--no-edit", fs[0].need.PinnedCommit}
}

func titleDrift(subject string, fs []finding) string {
	if withdrawn(nil, fs) {
		return "the signature of " + subject + " that you use is published no more, and main does not have it"
	}
	by := "its owner"
	if fs[0].peer != nil {
		by = who(*fs[0].peer)
	}
	return by + " published another signature of " + subject + " than the one you use"
}
