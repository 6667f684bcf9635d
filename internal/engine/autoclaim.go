package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/model"
	"gitlet/internal/rules"
	"gitlet/internal/view"
)

// keyAutoDeclined is the ledger key of an agent for the symbols that are not claimed for it
// by itself, each with the reason.
const keyAutoDeclined = "auto-claim-declined"

// declinedAuto says that a symbol is not to be claimed by itself: for as long as the item
// is open after its agent let go of it, and for a while where the remote declined.
type declinedAuto struct {
	Item  string    `json:"item,omitempty"`
	Until time.Time `json:"until,omitzero"`
}

// retryAuto is how long a claim that the remote declined is not tried again.
const retryAuto = 10 * time.Minute

// autoClaim claims what this agent's breaking changes make it the owner of, and lets its
// claims follow the symbols it moves. It reports whether anything changed.
func (c *Call) autoClaim(ctx context.Context, v *view.View) (changed bool) {
	if c.second || c.remote.Name != "" && (c.offline() || c.slow || c.observing()) {
		return false // a claim needs the remote's word
	}
	pctx, cancel := c.publishing(ctx)
	defer cancel()
	changed = c.followMoves(pctx, v)
	if !c.settings.AutoClaim {
		return changed
	}
	all := rules.Ownables(v)
	if len(all) == 0 {
		return changed
	}
	declined := map[string]declinedAuto{}
	c.recall(ctx, keyAutoDeclined, &declined)
	for _, o := range all {
		sym := symbolOf(v, o.Item, o.Key)
		if d, no := declined[o.Key]; sym == nil || no && (d.Item == o.Item || c.Now.Before(d.Until)) {
			continue
		}
		_, err := c.bus.Claim(pctx, c.fresh(ctx, model.Claim{Key: o.Key, Symbol: sym, Item: o.Item}))
		var lost *bus.Lost
		var refused *bus.Refused
		switch {
		case err == nil:
			c.gained(ctx, fmt.Sprintf("you own %s now: %s, so gitlet claimed it for you; publish it for them, or release it", o.Name, whyOwned(o)))
			changed = true
		case errors.As(err, &lost):
			changed = true // now somebody holds it
		case errors.As(err, &refused):
			declined[o.Key] = declinedAuto{Until: c.Now.Add(retryAuto)}
			c.retain(ctx, keyAutoDeclined, declined)
			c.decisionProblem(pctx, o.Name, err)
		default:
			c.decisionProblem(pctx, o.Name, err)
			return changed
		}
	}
	return changed
}

// whyOwned says what makes a symbol worth owning: others build on it, or change it, too.
func whyOwned(o rules.Ownable) string {
	if len(o.Builders) > 0 {
		return "your change to it breaks what " + strings.Join(o.Builders[:min(len(o.Builders), 3)], ", ") + " builds on"
	}
	who := strings.Join(o.Agents[:min(len(o.Agents), 3)], ", ")
	if len(o.Agents) > 1 {
		return "your change to it is a breaking one, and " + who + " change it too"
	}
	return "your change to it is a breaking one, and " + who + " changes it too"
}

// declineAuto notes that the agent let go of a symbol, so that it is not claimed again by
// itself for the task it has now.
func (c *Call) declineAuto(ctx context.Context, key string) {
	st, err := c.State(ctx)
	if err != nil || st.Active() == nil || !c.settings.AutoClaim {
		return
	}
	declined := map[string]declinedAuto{}
	c.recall(ctx, keyAutoDeclined, &declined)
	for k, d := range declined {
		if it := st.Item(d.Item); c.Now.After(d.Until) && (it == nil || !it.Status.Open()) {
			delete(declined, k)
		}
	}
	declined[key] = declinedAuto{Item: st.Active().ID}
	c.retain(ctx, keyAutoDeclined, declined)
}

// followMoves claims the new name of a symbol that its owner moved or renamed. The claim
// on the old one stays: it is what main and everybody's code still says. A new name that
// is given up again, before anything was published under it, is let go of.
func (c *Call) followMoves(ctx context.Context, v *view.View) (changed bool) {
	for _, cl := range v.Claims {
		it := ownItem(v, cl)
		if it == nil || cl.Symbol == nil || it.Footprint == nil {
			continue
		}
		ch := it.Footprint.Change(cl.Key)
		switch {
		case cl.MovedFrom != "" && cl.Contract == nil && ch == nil && readable(it.Footprint, cl.Symbol.Path):
			c.sayFreed(ctx, cl)
			gone, err := c.letGo(ctx, c.docs.Held(cl.Key))
			c.decisionProblem(ctx, cl.Name(), err)
			changed = changed || gone
		case ch != nil && ch.OldKey == cl.Key && ch.Symbol.Key != cl.Key && followable(v, *ch):
			sym := ch.Symbol
			got, err := c.claim(ctx, model.Claim{Key: sym.Key, Symbol: &sym, Item: it.ID, MovedFrom: cl.Key})
			if err == nil && got.Held != nil {
				c.gained(ctx, fmt.Sprintf("you own %s too: your claim on %s follows it", sym.Canonical(), cl.Name()))
			}
			changed = changed || err == nil
			c.decisionProblem(ctx, sym.Canonical(), err)
		}
	}
	return changed
}

// followable: nobody holds the new name, or this agent does and has not said where it comes from.
func followable(v *view.View, ch model.SymbolChange) bool {
	cl := v.Claim(ch.Symbol.Key)
	return cl == nil || cl.Owner == v.Agent && cl.MovedFrom != ch.OldKey
}

// ownItem is the active item of this agent that holds a claim, nil for another's.
func ownItem(v *view.View, cl model.Claim) *model.Item {
	if cl.Owner != v.Agent {
		return nil
	}
	for i := range v.Items {
		if it := &v.Items[i]; it.ID == cl.Item && it.Status == model.ItemActive {
			return it
		}
	}
	return nil
}

// readable reports whether what a change does to a file is known symbol by symbol: a
// half-written file hides what is in it for a moment.
func readable(fp *model.Footprint, path string) bool {
	f := fp.File(path)
	return f == nil || f.Parsed
}

// gained keeps what to say about claims that were made without a call, until a result
// says it.
func (e *Engine) gained(ctx context.Context, words string) {
	e.changeHeld(ctx, func(h *heldClaims) bool {
		if slices.Contains(h.Gained, words) {
			return false // another process of this agent made the same claim
		}
		h.Gained = append(h.Gained, words)
		return true
	})
}

// tellGained returns what there is to say about such claims, once.
func (e *Engine) tellGained(ctx context.Context) (out []string) {
	if e.second {
		return nil
	}
	e.changeHeld(ctx, func(h *heldClaims) bool {
		out, h.Gained = h.Gained, nil
		return len(out) > 0
	})
	return out
}
