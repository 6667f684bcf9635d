package rules

import (
	"slices"

	"gitlet/internal/model"
	"gitlet/internal/thread"
	"gitlet/internal/view"
)

var signatureClash = &Rule{
	Kind: "signature_clash",
	When: "Both items change the signature of the same symbol to different ones, one changes it while the other removes it, or both add it with different signatures. It ends once it is decided who owns it, or one of the two has recorded a need on it.",
	Severities: []Level{
		{model.Act, "always"},
	},
	Why: "Only one of the two can be what main ends up with, and everything built on the other has to be redone. It costs least to settle who owns the interface now.",
	Options: []Choice{
		ask("say what you need from it, and propose who owns it"),
		{Verb: "need", Why: "let them own it and wait for their published signature", When: "a counterpart is another agent", fits: foreign},
		readTheirs,
		dismissNote,
	},
	mutual: true,
	find:   findUndecided,
	title:  titleOverlap,
}

// findUndecided leaves out the clashes that are decided and only wait for somebody's next
// call: what is to be done then is in the note about the agreement.
func findUndecided(in *Input, mine model.Item) []finding {
	var out []finding
	for _, f := range findSignatureClash(in, mine) {
		if a := in.View.Agreed(f.key); a == nil || a.Kind != thread.Sig || !contains(a.Items, mine.ID) || !contains(a.Items, f.peer.Item.ID) || !in.pendingIn(a) {
			out = append(out, f)
		}
	}
	return out
}

func findSignatureClash(in *Input, mine model.Item) []finding {
	var out []finding
	for i := range in.Peers {
		p := &in.Peers[i]
		for _, pr := range in.related(mine.Footprint, p.Item.Footprint) {
			if !clashes(pr) || in.settled(mine, p.Item, p.Agent.ID, pr) {
				continue
			}
			f := overlap(p, pr)
			f.severity, f.breaking = model.Act, true
			out = append(out, f)
		}
	}
	return out
}

// clashes reports whether main can keep only one of the two changes.
func clashes(pr pair) bool { return thread.Clash(pr.mine, pr.theirs, pr.bring) }

// settled reports whether one of the two leaves the symbol to the other: it recorded
// a need on it, or took over its contract.
func (in *Input) settled(mine, theirs model.Item, agent string, pr pair) bool {
	return slices.ContainsFunc(in.View.Needs, func(n view.Need) bool { return in.cedes(n, mine, theirs, agent, pr) })
}

// cedes reports whether a need is that of one of the two on what both change.
func (in *Input) cedes(n view.Need, mine, theirs model.Item, agent string, pr pair) bool {
	me := n.Agent == in.View.Agent && n.Item == mine.ID
	them := n.Agent == agent && n.Item == theirs.ID
	return (me || them) && (n.Key == pr.symbol().Key || n.Key == pr.mine.Symbol.Key || n.Key == pr.theirs.Symbol.Key)
}
