package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/view"
)

// Claimed is how an attempt to claim a symbol came out.
type Claimed struct {
	Held *bus.Held
	// Already is set when this agent held it before; TookOver names the owner whose
	// claim had lapsed.
	Already  bool
	TookOver string
	// Holder is who holds it instead; Held is nil then.
	Holder *model.Claim
}

// Claim makes this agent's item the owner of a symbol. A claim whose owner lapsed is
// taken over, at exactly the value that was judged. Errors: bus.ErrOffline and its
// like, when the remote did not decide.
func (c *Call) Claim(ctx context.Context, sym model.Symbol, item string) (Claimed, error) {
	return c.claim(ctx, model.Claim{Key: sym.Key, Symbol: &sym, Item: item})
}

// ClaimChanged is Claim for a symbol as a change of the item leaves it. One that was moved
// or renamed is claimed under its old name too, which is what everybody else's code says.
func (c *Call) ClaimChanged(ctx context.Context, ch model.SymbolChange, item string) (Claimed, error) {
	sym := ch.Symbol
	if ch.OldKey == "" || ch.OldKey == sym.Key {
		return c.Claim(ctx, sym, item)
	}
	if got, err := c.Claim(ctx, former(ch), item); err != nil || got.Holder != nil {
		return got, err
	}
	return c.claim(ctx, model.Claim{Key: sym.Key, Symbol: &sym, Item: item, MovedFrom: ch.OldKey})
}

// ClaimResource is Claim for what is not a symbol.
func (c *Call) ClaimResource(ctx context.Context, resource, item string) (Claimed, error) {
	return c.claim(ctx, model.Claim{Key: id.ResourceKey(resource), Resource: resource, Item: item})
}

// fresh fills in what a claim begins with.
func (c *Call) fresh(ctx context.Context, want model.Claim) model.Claim {
	want.Owner, want.LeaseSeconds, want.UpdatedAt = c.who.Agent, int(c.settings.Lease/time.Second), c.Now
	want.Epoch = c.nextEpoch(ctx, want.Key)
	want.FirstEpoch = firstEpoch(want.Epoch)
	return want
}

func (c *Call) claim(ctx context.Context, want model.Claim) (Claimed, error) {
	seen := c.docs.Held(want.Key)
	var out Claimed
	var err error
	pctx, cancel := c.publishing(ctx)
	defer cancel()
	switch {
	case seen == nil:
		out.Held, err = c.bus.Claim(pctx, c.fresh(ctx, want))
	case seen.Claim.Owner == c.who.Agent && seen.Claim.Item == want.Item && (want.MovedFrom == "" || want.MovedFrom == seen.Claim.MovedFrom):
		out.Held, out.Already = seen, true
		return out, nil
	case seen.Claim.Owner == c.who.Agent:
		out.Already = true
		to := c.passed(seen.Claim, want.Item)
		if want.MovedFrom != "" {
			to.MovedFrom = want.MovedFrom
		}
		out.Held, err = c.bus.UpdateClaim(pctx, seen, to)
	case c.claimLapsed(seen.Claim):
		// What was published stays: others build on it, until the new owner publishes.
		out.TookOver = seen.Claim.Owner
		to := c.passed(seen.Claim, want.Item)
		to.Owner, to.Epoch = c.who.Agent, seen.Claim.Epoch+1
		out.Held, err = c.bus.UpdateClaim(pctx, seen, to)
	default:
		out.Holder = &seen.Claim
		return out, nil
	}
	c.noteDenied(ctx, err)
	var lost *bus.Lost
	if errors.As(err, &lost) && lost.Holder != nil {
		if now := lost.Holder; now.Claim.Owner == c.who.Agent && now.Claim.Item == want.Item {
			out.Held, out.Already, err = now, true, nil // this agent's session was faster
		} else {
			return Claimed{Holder: &now.Claim}, nil
		}
	}
	if err == nil {
		err = c.load(ctx)
		c.view, c.notes = nil, nil
	}
	if err == nil && out.Held != nil {
		// Whoever owns it waits for nobody, and is bound by nothing that was agreed with
		// an owner who is gone.
		withdrawn := ""
		if out.TookOver != "" {
			withdrawn = want.Key
		}
		_, err = c.letGoOf(ctx, func(n model.Need) bool { return n.Key == want.Key }, withdrawn)
	}
	return out, err
}

// passed is a claim as its next owner, or another item of the same one, goes on with it.
func (c *Call) passed(cl model.Claim, item string) model.Claim {
	cl.Item, cl.UpdatedAt, cl.LeaseSeconds = item, c.Now, int(c.settings.Lease/time.Second)
	return cl
}

// Lapsed reports whether the owner of a claim has stopped renewing it.
func (e *Engine) Lapsed(cl model.Claim) bool { return e.claimLapsed(cl) }

// claimLapsed judges a claim's lease by what this machine observed.
func (e *Engine) claimLapsed(cl model.Claim) bool {
	o := view.Observation{FirstSeen: e.observed[bus.ClaimRef(cl.Key)].FirstSeen, LastFetch: e.lastFetch}
	lease := time.Duration(cl.LeaseSeconds) * time.Second
	if lease <= 0 {
		lease = e.settings.Lease
	}
	return view.Lapsed(o, lease, max(e.settings.PollInterval, minPoll), e.now())
}

// Release drops this agent's claim on a key and its items' needs on it. It reports
// what there was.
func (c *Call) Release(ctx context.Context, key string) (claim, need bool, err error) {
	pctx, cancel := c.publishing(ctx)
	defer cancel()
	if seen := c.docs.Held(key); seen != nil && seen.Claim.Owner == c.who.Agent {
		c.sayFreed(pctx, seen.Claim)
		if claim, err = c.letGo(pctx, seen); err != nil {
			c.noteDenied(ctx, err)
			return false, false, err
		}
	}
	need, err = c.letGoOf(ctx, func(n model.Need) bool { return n.Key == key }, key)
	c.forgetContest(ctx, key)
	if claim {
		c.declineAuto(ctx, key)
	}
	if claim || need {
		err = errors.Join(err, c.load(ctx))
		c.view, c.notes = nil, nil
	}
	return claim, need, err
}

// letGo releases a claim of this agent, also when its session or another call renewed it
// meanwhile. It reports false for one that somebody took over.
func (e *Engine) letGo(ctx context.Context, seen *bus.Held) (bool, error) {
	const tries = 3
	for try := 1; ; try++ {
		err := e.bus.ReleaseClaim(ctx, seen)
		var lost *bus.Lost
		switch {
		case !errors.As(err, &lost) || lost.Holder == nil:
			return err == nil, err
		case lost.Holder.Claim.Owner != e.who.Agent:
			return false, nil
		case try == tries:
			return false, err
		}
		seen = lost.Holder
	}
}

// letGoOf takes needs out of this agent's outbox, and its part in what was agreed about
// the symbols in withdrawn.
func (c *Call) letGoOf(ctx context.Context, which func(model.Need) bool, withdrawn string, last ...model.Message) (dropped bool, err error) {
	return c.letGoOfAll(ctx, nil, which, withdrawn, last...)
}

// letGoOfAll is letGoOf for an agent that is about to release claims too.
func (c *Call) letGoOfAll(ctx context.Context, freed []model.Claim, which func(model.Need) bool, withdrawn string, last ...model.Message) (dropped bool, err error) {
	err = c.changeOutbox(ctx, func(o *model.Outbox) error {
		n := len(o.Needs)
		o.Needs = slices.DeleteFunc(o.Needs, which)
		dropped = len(o.Needs) != n
		changed := dropped || len(last)+len(freed) > 0
		free(o, c.Now, freed...)
		if withdrawn != "" && withdraw(o, withdrawn) {
			changed = true
		}
		o.Messages = append(o.Messages, last...)
		if !changed {
			return bus.ErrUnchanged
		}
		return nil
	})
	return dropped, err
}

// releaseItem lets go of everything an item holds, its claims and its needs, and says
// its last words.
func (c *Call) releaseItem(ctx context.Context, item string, last []model.Message) {
	pctx, cancel := c.publishing(ctx)
	defer cancel()
	var held []*bus.Held
	var freed []model.Claim
	for _, d := range c.docs.Claims {
		if d.Value.Owner == c.who.Agent && d.Value.Item == item {
			held, freed = append(held, c.docs.Held(d.Value.Key)), append(freed, d.Value)
		}
	}
	if _, err := c.letGoOfAll(ctx, freed, func(n model.Need) bool { return n.Item == item }, "", last...); err != nil {
		c.warnings.add("the needs of the task could not be dropped: %v", err)
	}
	for _, h := range held {
		if _, err := c.letGo(pctx, h); err != nil {
			c.warnings.add("the claim on %s could not be released and lapses by itself: %v", h.Claim.Name(), err)
		}
	}
	if len(held) > 0 {
		_ = c.load(ctx) // what was here before stays
		c.view, c.notes = nil, nil
	}
}

// dueRenewals are this agent's claims whose renewal is due: a third of the lease has
// passed since they were last written, or others ask for something else than they say.
func (e *Engine) dueRenewals(st *model.State, now time.Time) []bus.Renewal {
	var out []bus.Renewal
	for _, d := range e.docs.Claims {
		cl := d.Value
		it := st.Item(cl.Item)
		if cl.Owner != e.who.Agent || it == nil || !it.Status.Open() {
			continue
		}
		to := e.raised(cl)
		to.Requirements = e.requirements(cl)
		if !due(cl.UpdatedAt, e.settings.Lease/3, now) && slices.Equal(to.Requirements, cl.Requirements) && to.Epoch == cl.Epoch {
			continue
		}
		to.UpdatedAt, to.LeaseSeconds = now, int(e.settings.Lease/time.Second)
		out = append(out, bus.Renewal{Seen: e.docs.Held(cl.Key), To: to})
	}
	return out
}

// due reports whether what was last done at that time and is to be done every so often
// is to be done now. A time to come was written by a clock that has been set back since.
func due(last time.Time, every time.Duration, now time.Time) bool {
	age := now.Sub(last)
	return age < 0 || age >= every
}
