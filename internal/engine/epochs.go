package engine

import (
	"context"
	"slices"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/model"
	"gitlet/internal/thread"
)

// The epoch of a key only grows, also when its claim was let go of in between: what was
// said and agreed under an earlier owner must not be taken for the present one's. Whoever
// lets go of a claim says so in its outbox first, every clone remembers what it saw, and
// what is still said in threads tells of the epochs they belong to.

// keyEpochs is the ledger key, of the clone, for the highest epoch seen of each key.
const keyEpochs = "epochs"

const (
	// maxKnownEpochs bounds how many keys a clone remembers.
	maxKnownEpochs = 2048
	// maxFreed and freedFor bound what an outbox says of claims that were let go of.
	maxFreed = 64
	freedFor = 30 * 24 * time.Hour
)

// noteEpochs remembers the epochs that the documents show.
func (e *Engine) noteEpochs(ctx context.Context) {
	seen := map[string]int{}
	add := func(key string, epoch int) { seen[key] = max(seen[key], epoch) }
	for _, d := range e.docs.Claims {
		add(d.Value.Key, d.Value.Epoch)
	}
	for _, d := range e.docs.Outboxes {
		for _, f := range d.Value.Freed {
			add(f.Key, f.Epoch)
		}
	}
	if e.second || !grows(e.epochs, seen) {
		return
	}
	known := map[string]int{}
	e.recallOf(ctx, clone, keyEpochs, &known)
	changed := grows(known, seen)
	for key, epoch := range seen {
		known[key] = max(known[key], epoch)
	}
	for key := range known {
		if _, now := seen[key]; !now && len(known) > maxKnownEpochs {
			delete(known, key)
		}
	}
	e.epochs = known
	if changed {
		e.retainOf(ctx, clone, keyEpochs, known)
	}
}

// grows reports whether seen has anything above what is known.
func grows(known, seen map[string]int) bool {
	for key, epoch := range seen {
		if epoch > known[key] {
			return true
		}
	}
	return false
}

// nextEpoch is what the claim on a key that nobody holds begins with.
func (e *Engine) nextEpoch(ctx context.Context, key string) int {
	if e.epochs == nil {
		e.epochs = map[string]int{}
		e.recallOf(ctx, clone, keyEpochs, &e.epochs)
	}
	last := max(e.epochs[key], e.freedEpoch(key))
	for _, d := range e.docs.Claims {
		if d.Value.Key == key {
			last = max(last, d.Value.Epoch)
		}
	}
	for _, d := range e.docs.Outboxes {
		for _, m := range d.Value.Messages {
			if m.Kind != thread.Sig || m.Subject != key {
				continue
			}
			if epoch, ok := thread.EpochOf(key, m.Thread); ok {
				last = max(last, epoch)
			}
		}
	}
	return last + 1
}

// freedEpoch is the highest epoch at which somebody says to have let go of the key.
func (e *Engine) freedEpoch(key string) (last int) {
	for _, d := range e.docs.Outboxes {
		for _, f := range d.Value.Freed {
			if f.Key == key {
				last = max(last, f.Epoch)
			}
		}
	}
	return last
}

// firstEpoch is how a claim notes that it begins with an epoch.
func firstEpoch(epoch int) int {
	if epoch <= 1 {
		return 0
	}
	return epoch
}

// raised is the claim with its epoch above every one that was let go of: its owner may
// have created it without knowing of one.
func (e *Engine) raised(cl model.Claim) model.Claim {
	if last := e.freedEpoch(cl.Key); last >= cl.Epoch {
		if cl.First() == cl.Epoch {
			cl.FirstEpoch = last + 1
		}
		cl.Epoch = last + 1
	}
	return cl
}

// free writes into an outbox that claims are about to be let go of.
func free(o *model.Outbox, now time.Time, claims ...model.Claim) {
	for _, cl := range claims {
		o.Freed = slices.DeleteFunc(o.Freed, func(f model.Freed) bool { return f.Key == cl.Key && f.Epoch <= cl.Epoch })
		o.Freed = append(o.Freed, model.Freed{Key: cl.Key, Epoch: cl.Epoch, At: now})
	}
	o.Freed = slices.DeleteFunc(o.Freed, func(f model.Freed) bool { return now.Sub(f.At) > freedFor })
	o.Freed = o.Freed[max(0, len(o.Freed)-maxFreed):]
}

// sayFreed is free for a step that writes nothing else. That the others do not get to
// know holds nothing up: the clones that saw the claim remember it.
func (e *Engine) sayFreed(ctx context.Context, claims ...model.Claim) {
	if len(claims) == 0 {
		return
	}
	_ = e.bus.UpdateOutbox(ctx, e.who.Agent, func(o *model.Outbox) error {
		said := true
		for _, cl := range claims {
			said = said && slices.ContainsFunc(o.Freed, func(f model.Freed) bool { return f.Key == cl.Key && f.Epoch >= cl.Epoch })
		}
		if said {
			return bus.ErrUnchanged
		}
		o.Agent = e.who.Agent
		free(o, e.now(), claims...)
		return nil
	})
}
