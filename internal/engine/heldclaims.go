package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/model"
)

// An agent learns early that a claim of its own was taken over: from the next poll, not
// only when a write is refused. For that the ledger holds what it has, for every process
// of the worktree, and what it lost until a result says so.

// keyClaims is the ledger key of heldClaims, in JSON.
const keyClaims = "claims"

type heldClaims struct {
	Held map[string]heldClaim `json:"held"`
	// Lost is what to say about claims that were taken, until a verb says it.
	Lost []string `json:"lost,omitempty"`
	// Gained is the same about claims that were made for the agent without a call.
	Gained []string `json:"gained,omitempty"`
}

type heldClaim struct {
	Name  string `json:"name"`
	Item  string `json:"item"`
	Epoch int    `json:"epoch"`
	// Missing is the fetch that first did not have it any more. One fetch may have
	// begun before the claim was made, so a second one has to agree.
	Missing time.Time `json:"missing,omitzero"`
}

// changeHeld changes what is noted; change reports whether it changed anything.
func (e *Engine) changeHeld(ctx context.Context, change func(*heldClaims) bool) {
	h := heldClaims{}
	text, ok, err := e.ledger.Get(ctx, e.who.Agent, keyClaims)
	if err != nil {
		return // without the ledger it is learnt from the first write that is refused
	}
	if ok && json.Unmarshal([]byte(text), &h) != nil {
		h = heldClaims{}
	}
	if h.Held == nil {
		h.Held = map[string]heldClaim{}
	}
	if !change(&h) {
		return
	}
	data, err := json.Marshal(h)
	if err == nil {
		err = e.ledger.Set(ctx, e.who.Agent, keyClaims, string(data))
	}
	if err != nil {
		e.warnings.add("which claims you hold could not be noted: %v", err)
	}
}

// watchClaims compares the claims as last fetched with those held before.
func (e *Engine) watchClaims(ctx context.Context) {
	if e.second || e.lastFetch.IsZero() && e.remote.Name != "" {
		return
	}
	var own *model.State
	for i := range e.docs.States {
		if e.docs.States[i].Value.Agent.ID == e.who.Agent {
			own = &e.docs.States[i].Value
		}
	}
	e.changeHeld(ctx, func(h *heldClaims) bool {
		next, lost := compareClaims(h.Held, e.docs, own, e.who.Agent, e.lastFetch)
		h.Lost = append(h.Lost, lost...)
		changed := len(lost) > 0 || !maps.Equal(h.Held, next)
		h.Held = next
		return changed
	})
}

// compareClaims says which claims self holds now, given those held before, and in words
// which it lost. A claim of an item that is over was let go of, whatever became of it.
func compareClaims(before map[string]heldClaim, docs *bus.Docs, own *model.State, self string, fetch time.Time) (now map[string]heldClaim, lost []string) {
	now = map[string]heldClaim{}
	others, unreadable := map[string]model.Claim{}, map[string]bool{}
	for _, d := range docs.Claims {
		if c := d.Value; c.Owner == self {
			now[c.Key] = heldClaim{Name: c.Name(), Item: c.Item, Epoch: c.Epoch}
		} else {
			others[c.Key] = c
		}
	}
	for _, p := range docs.Problems {
		if h := p.Held(); h != nil {
			unreadable[h.Claim.Key] = true
		}
	}
	for key, was := range before {
		if _, still := now[key]; still {
			continue
		}
		other, taken := others[key]
		switch {
		case own == nil || own.Item(was.Item) == nil || !own.Item(was.Item).Status.Open():
		case unreadable[key]:
			now[key] = was
		case taken && (other.Epoch >= was.Epoch || was.Missing.Before(fetch) && !was.Missing.IsZero()):
			lost = append(lost, takenWords(was.Name, other.Owner))
		case !was.Missing.IsZero() && was.Missing.Before(fetch):
			lost = append(lost, goneWords(was.Name))
		default:
			if was.Missing.IsZero() {
				was.Missing = fetch
			}
			now[key] = was
		}
	}
	return now, lost
}

func takenWords(name, owner string) string {
	return fmt.Sprintf("%s is owned by %s now: your claim had lapsed", name, owner)
}

func goneWords(name string) string { return fmt.Sprintf("your claim on %s is gone", name) }

// lostRenewal is for a claim whose renewal somebody else's write forestalled.
func (e *Engine) lostRenewal(ctx context.Context, key, name string, lost *bus.Lost) {
	words := goneWords(name)
	switch {
	case lost.Holder != nil && lost.Holder.Claim.Owner == e.who.Agent:
		return // another call of this agent was faster
	case lost.Holder != nil:
		words = takenWords(name, lost.Holder.Claim.Owner)
	}
	known := false
	e.changeHeld(ctx, func(h *heldClaims) bool {
		if _, known = h.Held[key]; known {
			delete(h.Held, key)
			h.Lost = append(h.Lost, words)
		}
		return known
	})
	if !known {
		e.warnings.add("%s", words)
	}
}

// tellLost says in this result which claims were lost since the last one.
func (e *Engine) tellLost(ctx context.Context) {
	if e.second {
		return
	}
	e.changeHeld(ctx, func(h *heldClaims) bool {
		for _, words := range h.Lost {
			e.warnings.add("%s", words)
		}
		told := len(h.Lost) > 0
		h.Lost = nil
		return told
	})
}

// renewed looks at what became of renewals.
func (e *Engine) renewed(ctx context.Context, renew []bus.Renewal, out []bus.Renewed) {
	for i, r := range out {
		name := renew[i].To.Name()
		var lost *bus.Lost
		switch {
		case errors.As(r.Err, &lost):
			e.lostRenewal(ctx, renew[i].To.Key, name, lost)
		case r.Err != nil:
			e.publishProblem(ctx, "your claim on "+name, r.Err)
		}
	}
}
