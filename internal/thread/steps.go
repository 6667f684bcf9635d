package thread

import (
	"gitlet/internal/view"
)

// StepKind is what has to be done.
type StepKind string

// The steps that carry out a decision.
const (
	// StepClaim: create the claim, which nobody holds.
	StepClaim StepKind = "claim"
	// StepHandOver: the holder makes To the owner.
	StepHandOver StepKind = "hand over"
	// StepNeed: record that Item depends on the symbol now.
	StepNeed StepKind = "need"
)

// Step is one thing that one agent's server has to do about a settled thread.
type Step struct {
	Kind   StepKind
	Thread Thread
	// Item is the agent's item it is done for.
	Item string
	// To and ToItem are the new owner of a hand-over.
	To, ToItem string
	// Requirement is what the agent said last, for a need.
	Requirement string
}

// Steps are what the view's own agent has to do, in order. Ownership moves only by its
// holder, or where nobody holds it.
func Steps(v *view.View, threads []Thread) []Step {
	var out []Step
	for _, t := range threads {
		me := t.Party(v.Agent)
		if t.Kind != Sig || !t.Settled() || me == nil {
			continue
		}
		claim := v.Claim(t.Subject)
		switch {
		case claim == nil && (t.Owner == v.Agent || t.Owner == "" && !me.Ceded):
			out = append(out, Step{Kind: StepClaim, Thread: t, Item: me.Items[0]})
		case claim != nil && claim.Owner == v.Agent && t.Owner != v.Agent && t.Owner != "":
			out = append(out, Step{Kind: StepHandOver, Thread: t, Item: claim.Item, To: t.Owner, ToItem: t.Party(t.Owner).Items[0]})
		}
		if t.Owner == "" || t.Owner == v.Agent || me.Ceded {
			continue
		}
		said := ""
		if m := t.Latest(v.Agent); m != nil {
			said = m.Text
		}
		for _, it := range me.Items {
			if !v.HasNeed(it, t.Subject) {
				out = append(out, Step{Kind: StepNeed, Thread: t, Item: it, Requirement: said})
			}
		}
	}
	return out
}
