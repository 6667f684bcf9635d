package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/footprint"
	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/thread"
	"gitlet/internal/view"
)

// What was decided in threads is carried out by whoever comes by: a session's tick, or
// the next verb. Each agent's process does only what is that agent's to do, and doing it
// twice changes nothing.

// maxRounds bounds how often one call looks again after it changed something: a lost
// race for a claim is followed by a need on it.
const maxRounds = 3

// carryOut does what the settled threads ask of this agent, and remembers them.
func (c *Call) carryOut(ctx context.Context) {
	if c.second {
		return
	}
	for range maxRounds {
		v, err := c.View(ctx)
		if err != nil {
			return // the verb itself says so
		}
		threads := thread.Derive(v)
		c.rememberSettled(ctx, v, threads)
		steps := thread.Steps(v, threads)
		changed := len(steps) > 0 && c.take(ctx, v, steps)
		if !changed && c.autoClaim(ctx, v) {
			changed = c.reread(ctx)
		}
		if !changed {
			return
		}
	}
}

// take does the steps, and reports whether any changed something.
func (c *Call) take(ctx context.Context, v *view.View, steps []thread.Step) (changed bool) {
	pctx, cancel := c.publishing(ctx)
	defer cancel()
	for _, s := range steps {
		var err error
		did := false
		switch s.Kind {
		case thread.StepClaim:
			did, err = c.claimAgreed(pctx, v, s)
		case thread.StepHandOver:
			did, err = c.handOver(pctx, s)
		}
		c.decisionProblem(pctx, s.Thread.Name, err)
		changed = changed || did
	}
	if c.recordNeeds(ctx, steps) {
		return true
	}
	return changed && c.reread(ctx)
}

// reread makes the next look see what was just changed. It reports true.
func (c *Call) reread(ctx context.Context) bool {
	if err := c.load(ctx); err != nil {
		c.warnings.add("the shared state could not be read: %v", err)
	}
	c.view, c.notes = nil, nil
	return true
}

// claimAgreed creates the claim on a symbol that nobody holds. A race that was lost
// changed something too: now somebody holds it.
func (c *Call) claimAgreed(ctx context.Context, v *view.View, s thread.Step) (bool, error) {
	if c.remote.Name != "" && (c.offline() || c.slow || c.observing()) {
		return false, nil // a claim needs the remote's word
	}
	sym := symbolOf(v, s.Item, s.Thread.Subject)
	if sym == nil {
		return false, nil
	}
	_, err := c.bus.Claim(ctx, c.fresh(ctx, model.Claim{Key: sym.Key, Symbol: sym, Item: s.Item}))
	var lost *bus.Lost
	if errors.As(err, &lost) {
		return true, nil
	}
	return err == nil, err
}

// decisionProblem says why who owns a symbol is not on the remote yet; a later call
// tries again.
func (c *Call) decisionProblem(ctx context.Context, name string, err error) {
	switch {
	case err == nil:
	case errors.Is(err, bus.ErrDenied):
		c.denied(ctx, "")
	case errors.Is(err, bus.ErrOffline):
		c.setOffline(ctx, c.Now)
		c.warnings.add("who owns %s is settled once the remote is back", name)
	case cut(ctx, err):
		c.warnings.add("the remote took too long: who owns %s is settled at the next call", name)
	default:
		c.publishProblem(ctx, "who owns "+name, err)
	}
}

// symbolOf is a symbol as the item's change has it, under the key it is contested by.
func symbolOf(v *view.View, item, key string) *model.Symbol {
	p := v.Peer(item)
	if p == nil {
		return nil
	}
	ch := p.Item.Footprint.Change(key)
	if ch == nil {
		return nil
	}
	sym := ch.Symbol
	if sym.Key != key {
		sym = former(*ch)
	}
	return &sym
}

// handOver makes the agreed owner the holder of this agent's claim, at the value it was
// seen at. The contract stays: it is what others build on until the new owner publishes.
func (c *Call) handOver(ctx context.Context, s thread.Step) (bool, error) {
	const tries = 3
	seen := c.docs.Held(s.Thread.Subject)
	for range tries {
		if seen == nil || seen.Claim.Owner != c.who.Agent {
			return true, nil // it went another way meanwhile
		}
		to := seen.Claim
		to.Owner, to.Item, to.Epoch, to.UpdatedAt = s.To, s.ToItem, seen.Claim.Epoch+1, c.Now
		_, err := c.bus.UpdateClaim(ctx, seen, to)
		var lost *bus.Lost
		if !errors.As(err, &lost) {
			return err == nil, err
		}
		seen = lost.Holder // renewed meanwhile, perhaps
	}
	return false, nil
}

// recordNeeds writes the needs that follow from the steps, all in one write.
func (c *Call) recordNeeds(ctx context.Context, steps []thread.Step) (recorded bool) {
	var needs []model.Need
	for _, s := range steps {
		if s.Kind == thread.StepNeed {
			needs = append(needs, model.Need{ID: id.NewMessage(), Key: s.Thread.Subject, Name: s.Thread.Name, Item: s.Item,
				Requirement: s.Requirement, CreatedAt: c.Now})
		}
	}
	if len(needs) == 0 {
		return false
	}
	err := c.changeOutbox(ctx, func(o *model.Outbox) error {
		recorded = false
		for _, n := range needs {
			if !slices.ContainsFunc(o.Needs, func(h model.Need) bool { return h.Key == n.Key && h.Item == n.Item }) {
				o.Needs = append(o.Needs, n)
				recorded = true
			}
		}
		if !recorded {
			return bus.ErrUnchanged
		}
		return nil
	})
	if err != nil {
		c.warnings.add("what was decided could not be recorded: %v", err)
		return false
	}
	return recorded
}

// rememberSettled keeps what was decided among this agent's items and others, so that
// it can be told after the thread has ended.
func (c *Call) rememberSettled(ctx context.Context, v *view.View, threads []thread.Thread) {
	known := c.agreements(ctx)
	before := maps.Clone(known)
	for i := range threads {
		t := &threads[i]
		if !t.Settled() && !justCarriedOut(t, v.Now) || t.Owner == "" || t.Party(v.Agent) == nil {
			continue
		}
		old, had := known[t.ID]
		if had && old.Owner == t.Owner && (t.Decided == nil || old.Proposal == t.Decided.ID || t.State == thread.Over) {
			continue // over, too: that the others then left it to its owner accepts no offer
		}
		a := view.Agreement{Thread: t.ID, Kind: t.Kind, Subject: t.Subject, Name: t.Name, Items: t.Items(), Owner: t.Owner, At: v.Now}
		if d := t.Decided; d != nil {
			a.Proposal, a.Signature, a.Summary, a.By = d.ID, d.Signature, d.Summary, d.From
			a.SigHashes = c.signatureHashes(v, *t, d.Signature)
			a.Main = onMain(v, *t, a)
		}
		known[t.ID] = a
	}
	for id, a := range known {
		if v.Now.Sub(a.At) > forgetAgreement && !c.binds(v, a) {
			delete(known, id)
		}
	}
	if !maps.EqualFunc(known, before, func(a, b view.Agreement) bool { return a.Owner == b.Owner && a.Proposal == b.Proposal }) {
		c.retain(ctx, keyAgreements, known)
		c.view, c.notes = nil, nil
	}
}

// binds reports whether an agreement is about a symbol that this agent claims for one of
// the items that took part: what it promised does not end with the day.
func (c *Call) binds(v *view.View, a view.Agreement) bool {
	return a.Signature != "" && slices.ContainsFunc(v.Claims, func(cl model.Claim) bool {
		return cl.Owner == v.Agent && slices.Contains(a.Items, cl.Item) && a.On(v.Claims, cl.Key)
	})
}

// justCarriedOut: the others were faster, so this agent never saw it settled.
func justCarriedOut(t *thread.Thread, now time.Time) bool {
	return t.State == thread.Over && t.Decided != nil && now.Sub(t.Messages[len(t.Messages)-1].At) < settledFor
}

// frames are what makes a declaration alone readable as a file, in the languages read;
// %s is the declaration and %c the type it is a member of.
var frames = []string{
	"%s", "%s {}", "package p\n\n%s {}", "package p\n\n%s", "%s:\n    pass", "function %s {}", "%s;", "%s = 0", "%s {}\n",
	"class %c { %s {} }", "export class %c { %s {} }", "class %c:\n    %s:\n        pass", "impl %c { %s {} }", "%s { todo!() }",
}

// spellings are the words before a declaration that say who may use it; an offer often
// leaves them out.
var spellings = []string{"", "export ", "export default ", "pub "}

// subjectOf is the symbol a thread is about, nil when it is about something else or nobody
// in view has it. The talk about a note knows its symbol by name.
func subjectOf(v *view.View, t thread.Thread) *model.Symbol {
	if t.Kind == thread.Sig {
		for _, it := range t.Items() {
			if sym := symbolOf(v, it, t.Subject); sym != nil {
				return sym
			}
		}
		return nil
	}
	if cl := view.ClaimNamed(v.Claims, t.Subject); cl != nil {
		return cl.Symbol
	}
	for _, it := range t.Items() {
		p := v.Peer(it)
		if p == nil || p.Item.Footprint == nil {
			continue
		}
		for i := range p.Item.Footprint.Symbols {
			switch ch := &p.Item.Footprint.Symbols[i]; t.Subject {
			case ch.Symbol.Canonical():
				return &ch.Symbol
			case ch.OriginName():
				sym := former(*ch)
				return &sym
			}
		}
	}
	return nil
}

// onMain reports whether main has the agreed signature, as far as the changes of those who
// took part tell.
func onMain(v *view.View, t thread.Thread, a view.Agreement) bool {
	for _, it := range t.Items() {
		p := v.Peer(it)
		if p == nil || p.Item.Footprint == nil {
			continue
		}
		for i := range p.Item.Footprint.Symbols {
			ch := &p.Item.Footprint.Symbols[i]
			if ch.OldSigHash == "" || ch.OriginKey() != t.Subject && ch.OriginName() != t.Subject {
				continue
			}
			kept, known := a.Kept(model.Symbol{Signature: ch.OldSignature, SigHash: ch.OldSigHash})
			return kept && known
		}
	}
	return false
}

// signatureHashes reads the text of a signature as the declaration of the thread's
// symbol, every way it can be read.
func (c *Call) signatureHashes(v *view.View, t thread.Thread, text string) []string {
	sym := subjectOf(v, t)
	if text = strings.TrimRight(strings.TrimSpace(text), ";:{ "); sym == nil || text == "" || len(text) > maxSignature {
		return nil
	}
	var out []string
	for _, frame := range frames {
		for _, before := range spellings {
			src := strings.NewReplacer("%s", before+text, "%c", sym.Container).Replace(frame)
			facts := footprint.File(sym.Path, "", func() ([]byte, error) { return []byte(src), nil }, c.cache, nil)
			for _, s := range facts.Symbols {
				if facts.Reason == "" && s.Qualified == sym.Qualified && !slices.Contains(out, s.SigHash) {
					out = append(out, s.SigHash)
				}
			}
		}
	}
	return out
}

// maxSignature is how long a signature's text may be to be read.
const maxSignature = 4096
