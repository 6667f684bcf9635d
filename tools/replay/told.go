package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"gitlet/internal/model"
	"gitlet/internal/rules"
	"gitlet/internal/view"
)

// told is what one side of a pair would have read.
type told struct {
	mine, theirs change
	notes        []model.Note
}

// now is the moment of every replay: the rules take the time from the view.
var now = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// replayPair shows each side the other. With near, pairs without a common file are
// left out, as errUntold.
func (r *replayer) replayPair(ctx context.Context, p pair, near bool) ([]told, error) {
	if near && !r.meet(p) {
		return nil, errUntold // what landed tells nearly all of it, without putting anything anywhere
	}
	a, b, err := r.together(ctx, p)
	if err != nil {
		return nil, err
	}
	for _, c := range []*change{&a, &b} {
		if c.print, err = r.footprint(ctx, c.base, c.head); err != nil {
			return nil, err
		}
		if len(c.print.Files) == 0 {
			return nil, errUntold // all of it is in the older base already
		}
	}
	shared := shareFile(a.print, b.print)
	if near && !shared {
		return nil, errUntold
	}
	var pred view.Prediction
	if shared {
		if pred, err = r.predict(ctx, a, b); err != nil {
			return nil, err
		}
	}
	return []told{say(a, b, pred, r.crowd(a, b)), say(b, a, pred, r.crowd(a, b))}, nil
}

func shareFile(a, b *model.Footprint) bool {
	in := map[string]bool{}
	for _, f := range a.Files {
		in[f.Path], in[f.OldPath] = true, true
	}
	delete(in, "")
	for _, f := range b.Files {
		if in[f.Path] || in[f.OldPath] {
			return true
		}
	}
	return false
}

// maxCrowd is how many others are in view by their task alone.
const maxCrowd = 40

// crowd is who else was at work when the later of the two began: which words are
// common among tasks depends on it. Of these others nothing but the task is in view.
func (r *replayer) crowd(a, b change) []view.Peer {
	at := a.started
	if b.started.After(at) {
		at = b.started
	}
	var out []view.Peer
	for _, l := range r.all {
		if l.commit == a.commit || l.commit == b.commit || l.started.After(at) || !l.landed.After(at) || len(out) == maxCrowd {
			continue
		}
		c := change{landing: l}
		it := c.item()
		it.Footprint = nil
		out = append(out, view.Peer{Agent: agentOf(c), Item: it})
	}
	return out
}

// say runs the rules as the author of mine; what they say of anybody else is left out.
func say(mine, theirs change, pred view.Prediction, crowd []view.Peer) told {
	me, them := mine.item(), theirs.item()
	v := &view.View{Now: now, Agent: agentOf(mine).ID, Main: "main", Items: []model.Item{me},
		Peers: []view.Peer{
			{Agent: agentOf(mine), Item: me, Mine: true, HaveTip: true},
			{Agent: agentOf(theirs), Item: them, HaveTip: true},
		},
		Predictions: map[view.Pair]view.Prediction{}}
	if pred.Known {
		v.Predictions[view.Pair{Mine: me.ID, Other: them.ID}] = pred
	}
	v.Peers = append(v.Peers, crowd...)
	out := told{mine: mine, theirs: theirs}
	for _, n := range rules.Evaluate(v) {
		for _, o := range n.Others {
			if o.Item == them.ID {
				out.notes = append(out.notes, n)
				break
			}
		}
	}
	return out
}

func agentOf(c change) model.Agent {
	return model.Agent{ID: fmt.Sprintf("pr%d-replay-%s", c.number, c.commit[:6]), Client: "replay"}
}

func (c change) item() model.Item {
	return model.Item{ID: c.commit[:12], Intent: c.title, Branch: fmt.Sprintf("pr-%d", c.number), Base: c.base,
		Snapshot: c.head, Head: c.head, Status: model.ItemActive, OpenedAt: now, UpdatedAt: now, Footprint: c.print}
}

// replayAll replays pairs in their order until it has enough, and says on progress
// how many could not be replayed.
func replayAll(ctx context.Context, h *history, all []landing, pairs []pair, o options, progress io.Writer) ([]told, error) {
	r := newReplayer(ctx, h)
	r.all = all
	if o.near {
		var err error
		if r.files, err = h.touched(ctx, o.history); err != nil {
			return nil, err
		}
	}
	defer r.cat.Close()
	var out []told
	skipped := 0
	for _, p := range pairs {
		if len(out) >= 2*o.pairs {
			break
		}
		both, err := r.replayPair(ctx, p, o.near)
		if errors.Is(err, errUntold) {
			skipped++
			continue
		}
		if n := len(out) / 2; err == nil && n > 0 && n%20 == 0 {
			if _, err := fmt.Fprintf(progress, "%s: %d pairs so far\n", h.name, n); err != nil {
				return nil, err
			}
		}
		if err != nil {
			return nil, fmt.Errorf("replay #%d and #%d: %w", p.first.number, p.second.number, err)
		}
		out = append(out, both...)
	}
	_, err := fmt.Fprintf(progress, "%s: %d pairs replayed, %d passed over\n", h.name, len(out)/2, skipped)
	return out, err
}
