package engine

import (
	"context"
	"errors"

	"gitlet/internal/bus"
	"gitlet/internal/model"
	"gitlet/internal/rules"
)

// The part of the model that is about what is published and used, and about epochs.

// created holds that a claim made where nobody held one counts on from all before it. An
// agent that had not yet heard of the last one may begin below.
func (w *world) created(by *actor, cl model.Claim) {
	w.Helper()
	if cl.Epoch > w.highest[cl.Key] {
		return
	}
	if cl.Owner == by.id && by.lastFetch.After(w.gone[cl.Key]) && !by.offline() {
		w.failf("%s created its claim on %s at epoch %d, and there was one at %d before", by.id, cl.Name(), cl.Epoch, w.highest[cl.Key])
	}
	w.done["unaware"]++
	w.unaware[cl.Key] = cl.Owner
}

// publish publishes a signature of the agent's change, claiming it first.
func (w *world) publish(a *actor) {
	w.step(a, "publish", func(ctx context.Context, c *Call) (bool, error) {
		sym, _ := w.pick()
		v, err := c.View(ctx)
		if err != nil || len(v.Items) == 0 {
			return false, err
		}
		ch := v.Items[0].Footprint.Change(sym.Key)
		if ch == nil || ch.Change == model.ChangeRemoved {
			return false, nil
		}
		got, err := c.ClaimChanged(ctx, *ch, v.Items[0].ID)
		if err != nil || got.Held == nil {
			return false, err
		}
		held, err := c.Publish(ctx, got.Held, &StubCommit{Commit: w.stubs[a.id], Symbol: ch.Symbol, Breaking: true})
		var lost *bus.Lost
		if errors.As(err, &lost) {
			return false, nil // taken over meanwhile
		}
		if err == nil && (held.Claim.Owner != a.id || held.Claim.Contract.SigHash != ch.Symbol.SigHash) {
			w.failf("%s published %s and holds %+v", a.id, sym.Name, held.Claim)
		}
		return err == nil, err
	})
}

// use pins what is published, as the verb does once git has brought it in.
func (w *world) use(a *actor) {
	w.step(a, "use", func(ctx context.Context, c *Call) (bool, error) {
		sym, _ := w.pick()
		v, err := c.View(ctx)
		if err != nil || len(v.Items) == 0 {
			return false, err
		}
		held, err := c.ContractOn(ctx, sym.Key)
		if err != nil || held == nil || held.Claim.Contract == nil || held.Claim.Owner == a.id {
			return false, err
		}
		item := v.Items[0].ID
		err = c.changeOutbox(ctx, func(o *model.Outbox) error { return pin(o, held.Claim, item, "", c.Now) })
		return err == nil, err
	})
}

// pinned holds that each signature an agent uses is the published one, or that a note
// says it is not.
func (w *world) pinned(ctx context.Context, a *actor, c *Call) {
	w.Helper()
	v, err := c.View(ctx)
	if err != nil {
		w.failf("%s looks: %v", a.id, err)
	}
	told := map[string]bool{}
	for _, n := range rules.Evaluate(v) {
		if n.Kind == "drift" {
			told[n.Item+n.Subject] = true
		}
	}
	for _, n := range v.Needs {
		if n.Agent != a.id || n.PinnedSigHash == "" {
			continue
		}
		cl := w.claims[n.Key]
		switch current := cl.Contract != nil && cl.Contract.SigHash == n.PinnedSigHash; {
		case current:
			w.done["current"]++
		case told[n.Item+n.Name]:
			w.done["drift told"]++
		default:
			w.failf("%s uses %s of %s, which is not what is published (%+v), and no note says so", a.id, n.PinnedSigHash, n.Name, cl.Contract)
		}
	}
}
