package engine

import (
	"context"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/model"
)

// ownBus is the bus as this engine uses it, with what holds for every write, whoever
// makes it: an outbox that is written sheds what was settled long ago, and a claim that
// this agent itself gives up is not missed afterwards.
type ownBus struct {
	bus.Bus
	e *Engine
}

func (b ownBus) UpdateOutbox(ctx context.Context, agent string, change func(*model.Outbox) error) error {
	return b.Bus.UpdateOutbox(ctx, agent, b.shedding(change))
}

func (b ownBus) Share(ctx context.Context, batch bus.Batch) (bus.Shared, error) {
	if batch.Outbox != nil {
		batch.Outbox = b.shedding(batch.Outbox)
	}
	back := make([]func(), len(batch.Renew))
	for i, r := range batch.Renew {
		back[i] = b.handOver(ctx, r.Seen, r.To.Owner)
	}
	out, err := b.Bus.Share(ctx, batch)
	for i := range back {
		if err != nil || out.Renewed[i].Err != nil {
			back[i]()
		}
	}
	return out, err
}

func (b ownBus) UpdateClaim(ctx context.Context, seen *bus.Held, to model.Claim) (*bus.Held, error) {
	back := b.handOver(ctx, seen, to.Owner)
	held, err := b.Bus.UpdateClaim(ctx, seen, to)
	if err != nil {
		back()
	}
	return held, err
}

func (b ownBus) ReleaseClaim(ctx context.Context, seen *bus.Held) error {
	back := b.handOver(ctx, seen, "")
	err := b.Bus.ReleaseClaim(ctx, seen)
	if err != nil {
		back()
	}
	return err
}

// handOver notes, before it is done, that this agent's claim goes to somebody else, or
// to nobody. What it returns takes that back.
func (b ownBus) handOver(ctx context.Context, seen *bus.Held, to string) (back func()) {
	if seen == nil || seen.Claim.Owner != b.e.who.Agent || to == b.e.who.Agent {
		return func() {}
	}
	key := seen.Claim.Key
	var was heldClaim
	var had bool
	b.e.changeHeld(ctx, func(h *heldClaims) bool {
		was, had = h.Held[key]
		delete(h.Held, key)
		return had
	})
	return func() {
		if had {
			b.e.changeHeld(ctx, func(h *heldClaims) bool {
				h.Held[key] = was
				return true
			})
		}
	}
}

// shedding is the change, and after it what was settled long ago goes. A change that
// changes nothing stays one.
func (b ownBus) shedding(change func(*model.Outbox) error) func(*model.Outbox) error {
	return func(o *model.Outbox) error {
		if err := change(o); err != nil {
			return err
		}
		now := b.e.now()
		dropSettled(o, b.e.abandonedThreads(*o), now)
		return nil
	}
}

// abandonedThreads says which threads nobody is left to talk about, their items having all
// ended, and since when.
func (e *Engine) abandonedThreads(own model.Outbox) map[string]time.Time {
	if e.lastFetch.IsZero() {
		return nil // nothing is known of the others
	}
	return endedThreads(e.docs, own)
}

// endedThreads are the threads none of whose items is open any more, and when the last
// of them ended or spoke. own stands in for its agent's outbox in docs. While somebody's
// state cannot be read, an item that is in no state may be his.
func endedThreads(docs *bus.Docs, own model.Outbox) map[string]time.Time {
	items, hidden := map[string]model.Item{}, false
	for _, d := range docs.States {
		for _, it := range d.Value.Items {
			items[it.ID] = it
		}
	}
	for _, p := range docs.Problems {
		n, ok := bus.ParseRef(p.Ref)
		hidden = hidden || ok && n.Kind == bus.StateDoc
	}
	ended, alive := map[string]time.Time{}, map[string]bool{}
	look := func(m model.Message) {
		at := m.At
		for _, name := range append([]string{m.Item}, m.Items...) {
			it, known := items[name]
			switch {
			case name == "":
			case known && it.Status.Open() || !known && hidden:
				alive[m.Thread] = true
			case known && it.UpdatedAt.After(at):
				at = it.UpdatedAt
			}
		}
		if at.After(ended[m.Thread]) {
			ended[m.Thread] = at
		}
		if len(m.Items) == 0 && m.Item == "" {
			alive[m.Thread] = true // it does not say whose it is
		}
	}
	for _, d := range docs.Outboxes {
		if d.Value.Agent != own.Agent {
			for _, m := range d.Value.Messages {
				look(m)
			}
		}
	}
	for _, m := range own.Messages {
		look(m)
	}
	for thread := range alive {
		delete(ended, thread)
	}
	return ended
}
