package rules

import (
	"time"

	"gitlet/internal/model"
	"gitlet/internal/thread"
	"gitlet/internal/view"
)

var agreement = &Rule{
	Kind: "agreement",
	When: "A conversation my item took part in was settled: everyone accepted a proposal, or it was decided without agreement. It ends once the owner publishes what was agreed, my item does what the agreement asks of it, or a later agreement takes its place.",
	Severities: []Level{
		{model.Act, "it leaves a step to my side"},
		{model.Info, "it does not"},
	},
	Why: "From here on one side owns the interface, and everyone builds against its version.",
	Options: []Choice{
		{Verb: "publish", Why: "publish the signature, so that the others can build on it", When: "I own it, and my code has what was agreed", lists: ownerCalls},
		{Verb: "claim", Why: "own it", When: "it was agreed that I do, nobody holds it, and I change it", lists: takeCalls},
		{Verb: "release", Why: "let go of it", When: "I hold it, and another was agreed on as its owner, or main has the agreed signature", lists: releaseCalls},
		{Verb: "discuss", Why: "propose another one", When: "my code has to change first, and the conversation was about a note", lists: otherwiseCalls},
		{Verb: "abandon", Why: "stop: the other does this task", When: "it was about the same task, and the other does it", lists: leaveCalls},
		{Verb: "who", Why: "see how it stands; you are told when it is published", When: "the other owns it, or still holds it", lists: waitCalls},
		dismissNote,
	},
	find:  findAgreement,
	title: titleAgreement,
}

// agreedFor is how long an agreement that leaves no step to anybody is told.
const agreedFor = time.Hour

func findAgreement(in *Input, mine model.Item) []finding {
	v := in.View
	var out []finding
	for i := range v.Agreements {
		a := &v.Agreements[i]
		if !contains(a.Items, mine.ID) {
			continue
		}
		step := in.asks(mine, a)
		if step == stepNone && (!in.standsStill(mine, a) || !in.ownerAtWork(a)) {
			continue
		}
		base := finding{subject: a.Thread, symbol: a.Name, agreed: a, step: step, cedes: a.Owner != v.Agent,
			severity: model.Act, breaking: true, version: a.Owner + a.Proposal + string(step)}
		if c := in.changeOf(mine, a); step == stepPublish && c != nil && compared(a, c.Symbol) == unread {
			base.version += c.Symbol.SigHash // what was compared is another one now
		}
		switch {
		case a.Kind == thread.Sig:
			base.key = a.Subject
			if cl := v.Claim(a.Subject); a.Owner == v.Agent && cl != nil && cl.Owner != v.Agent {
				base.version += "held" // told again once it is handed over
			}
		case step == stepNone && (a.Owner == v.Agent || a.Kind != "duplicate"):
			base.severity = model.Info
		}
		how := "every side accepted " + a.Proposal
		if a.Proposal == "" {
			how = "without agreement: messages or time ran out"
		}
		base.shared = []fact{{"decided", how}, {"owner", place(a.Owner)}}
		if a.Signature != "" {
			base.shared = append(base.shared, fact{"signature", signature(a.Signature)})
		}
		base.shared = append(base.shared, in.nextStep(mine, a, step)...)
		if base.mine = in.unowned(mine, a); base.mine != nil {
			base.version += "unowned"
			base.shared = append(base.shared, fact{"", "nobody owns it now"})
		}
		if a.Summary != "" && a.By != v.Agent {
			base.quotes = []model.Quote{{From: a.By, Text: a.Summary}}
		}
		found := false
		for _, it := range a.Items {
			if p := v.Peer(it); p != nil && it != mine.ID {
				f := base
				if f.peer = p; found {
					f.quotes = nil
				}
				found = true
				out = append(out, f)
			}
		}
		if !found {
			out = append(out, base)
		}
	}
	return out
}

// standsStill reports whether an agreement still asks for something.
func (in *Input) standsStill(mine model.Item, a *view.Agreement) bool {
	v := in.View
	if a.Kind != thread.Sig {
		cl := view.ClaimNamed(v.Claims, a.Subject)
		return v.Now.Sub(a.At) < agreedFor && (cl == nil || v.LatestOn(cl.Key) == a && !in.kept(mine, a))
	}
	if latest := v.Agreed(a.Subject); latest != a {
		return false
	}
	cl := v.Claim(a.Subject)
	if cl != nil && (cl.Contract != nil || cl.Owner != a.Owner && !in.pendingIn(a)) {
		return false
	}
	if a.Owner == v.Agent {
		return cl != nil || v.Now.Sub(a.At) < agreedFor
	}
	return (v.HasNeed(mine.ID, a.Subject) || in.pendingIn(a)) && v.Now.Sub(a.At) < v.Limits.Publish
}

// ownerAtWork reports whether whoever was agreed on as the owner still is: it is this agent,
// holds the symbol, or has one of its tasks that took part open. Otherwise nobody keeps what
// was agreed.
func (in *Input) ownerAtWork(a *view.Agreement) bool {
	v := in.View
	if a.Owner == v.Agent {
		return true
	}
	for _, cl := range v.Claims {
		if cl.Owner == a.Owner && a.On(v.Claims, cl.Key) {
			return true
		}
	}
	for _, it := range a.Items {
		if p := v.Peer(it); p != nil && p.Agent.ID == a.Owner && p.Item.Status.Open() {
			return true
		}
	}
	return false
}

// pendingIn reports whether the agreement is still being carried out.
func (in *Input) pendingIn(a *view.Agreement) bool {
	threads := in.threads()
	for i := range threads {
		if threads[i].Goes(a.Thread) && threads[i].Settled() {
			return true
		}
	}
	return false
}

func ownerCalls(in *Input, note string, f finding) []model.Option {
	v := in.View
	why := "publish the signature, so that the others can build on it"
	switch cl := v.Claim(f.agreed.Subject); {
	case f.step == stepPublish:
	case f.step != stepNone, f.agreed.Kind != thread.Sig, f.agreed.Owner != v.Agent, cl != nil && cl.Owner != v.Agent:
		return nil
	}
	return []model.Option{{Verb: "publish", Args: map[string]any{"symbol": f.symbol, "note": note}, Why: why}}
}

// takeCalls leaves the note out: with the claim the step after it begins.
func takeCalls(_ *Input, _ string, f finding) []model.Option {
	if f.mine == nil {
		return nil
	}
	return []model.Option{{Verb: "claim", Args: map[string]any{"symbol": f.symbol}, Why: "own it, as was agreed"}}
}

func releaseCalls(_ *Input, note string, f finding) []model.Option {
	why := "let go of it, so that " + place(f.agreed.Owner) + " can claim it"
	switch f.step {
	case stepYield:
	case stepLeave:
		why = "let go of it: main has the signature that was agreed, so there is nothing to publish"
	default:
		return nil
	}
	return []model.Option{{Verb: "release", Args: map[string]any{"symbol": f.symbol, "note": note}, Why: why}}
}

func otherwiseCalls(_ *Input, _ string, f finding) []model.Option {
	if f.step != stepChange || f.agreed.Kind == thread.Sig || f.peer == nil {
		return nil
	}
	return []model.Option{{Verb: "discuss", Args: map[string]any{"about": f.agreed.Thread, "message": "..."}, Why: "propose another one, where this cannot be"}}
}

func leaveCalls(in *Input, _ string, f finding) []model.Option {
	if f.agreed.Kind != "duplicate" || f.agreed.Owner == in.View.Agent {
		return nil
	}
	return []model.Option{{Verb: "abandon", Args: map[string]any{"reason": "agreed: " + f.agreed.Owner + " does it"}, Why: "stop: the other does this task; then start with a new scope if there is more to do"}}
}

func waitCalls(in *Input, _ string, f finding) []model.Option {
	why := "see how it stands; you are told when it is published"
	switch cl := in.View.Claim(f.agreed.Subject); {
	case f.agreed.Kind != thread.Sig:
		return nil
	case f.agreed.Owner == in.View.Agent && (cl == nil || cl.Owner == in.View.Agent):
		return nil
	case f.agreed.Owner == in.View.Agent:
		why = "see whether " + place(cl.Owner) + " has handed it over, which its next call does; then publish it"
	}
	return []model.Option{{Verb: "who", Args: map[string]any{"target": f.symbol}, Why: why}}
}

func titleAgreement(_ string, fs []finding) string {
	a := fs[0].agreed
	what := "it is decided that "
	if a.Proposal != "" {
		what = "it is agreed that "
	}
	switch fs[0].step {
	case stepChange, stepPublish, stepLeave:
		return what + "you own " + asName(place(a.Name)) + " with this signature"
	case stepNone:
		if fs[0].severity == model.Info && a.Kind != thread.Sig {
			return what + place(a.Owner) + " takes " + asName(place(a.Name))
		}
	}
	for _, f := range fs {
		if f.peer != nil && f.peer.Agent.ID == a.Owner && !f.peer.Mine {
			step := " owns "
			if a.Kind != thread.Sig {
				step = " takes "
			}
			return what + who(*f.peer) + step + asName(place(a.Name))
		}
	}
	switch f := fs[0]; {
	case f.cedes && a.Kind == thread.Sig:
		return what + place(a.Owner) + " owns " + asName(place(a.Name))
	case f.cedes:
		return what + place(a.Owner) + " takes " + asName(place(a.Name))
	}
	return what + "you own " + asName(place(a.Name))
}
