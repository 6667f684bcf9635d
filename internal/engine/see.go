package engine

import (
	"context"
	"slices"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/model"
	"gitlet/internal/view"
)

// buildView puts together what this agent can see: its own state as last written
// here, everyone else's as last fetched, and what git says about them.
func (e *Engine) buildView(ctx context.Context, now time.Time) (*view.View, error) {
	v, err := e.documents(ctx, now)
	if err != nil || e.blind {
		return v, err
	}
	if err := e.haveTips(ctx, v); err != nil {
		return nil, err
	}
	e.predict(ctx, v)
	e.quietClaims(v)
	e.landedPins(ctx, v)
	e.mainSince(ctx, v)
	e.migrations(ctx, v)
	e.outside(ctx, v)
	for _, p := range e.docs.Problems {
		e.warnings.add("not usable in %s: %s", p.Ref, p.Why)
	}
	return v, nil
}

// documents is the part of the view that the shared documents alone give.
func (e *Engine) documents(ctx context.Context, now time.Time) (*view.View, error) {
	own, err := e.State(ctx)
	if err != nil {
		return nil, err
	}
	v := &view.View{Now: now, Agent: e.who.Agent, Main: e.main.Name, Remote: e.remote.Name,
		Predictions: map[view.Pair]view.Prediction{}}
	if e.second && !e.looking {
		v.Second = e.wt.Root
	}
	for _, it := range own.Items {
		if it.Status.Open() {
			it.Footprint = e.whole(ctx, it.Footprint)
			v.Items = append(v.Items, it)
			v.Peers = append(v.Peers, view.Peer{Agent: e.agent, Item: it, Mine: true, HaveTip: true})
		}
	}
	for _, d := range e.docs.States {
		if d.Value.Agent.ID != e.who.Agent {
			e.addPeers(v, d, now)
		}
	}
	for _, d := range e.docs.Claims {
		v.Claims = append(v.Claims, d.Value)
	}
	over := e.overItems(own)
	for _, d := range e.docs.Outboxes {
		for _, n := range d.Value.Needs {
			if over(d.Value.Agent, n.Item) {
				continue // its owner was stopped before it could drop it
			}
			v.Needs = append(v.Needs, view.Need{Agent: d.Value.Agent, Need: n})
		}
	}
	v.LeavePicked()
	e.addThreads(ctx, v, now)
	return v, nil
}

// overItems tells which items of an agent are not open any more, or gone, by its state as
// shared; of an agent whose state is not known, none.
func (e *Engine) overItems(own *model.State) func(agent, item string) bool {
	states := map[string]*model.State{}
	for i := range e.docs.States {
		states[e.docs.States[i].Value.Agent.ID] = &e.docs.States[i].Value
	}
	if !own.Heartbeat.IsZero() {
		states[e.who.Agent] = own
	}
	return func(agent, item string) bool {
		st := states[agent]
		if st == nil {
			return false
		}
		it := st.Item(item)
		return it == nil || !it.Status.Open()
	}
}

// minPoll is the least poll interval that judging a lapse reckons with.
const minPoll = 5 * time.Second

// whole is the footprint as it was computed: the shared document may hold a trimmed
// one, and what is left out for others still counts for this agent.
func (e *Engine) whole(ctx context.Context, fp *model.Footprint) *model.Footprint {
	if fp == nil || fp.Base == fp.Head {
		return fp
	}
	known, err := e.ledger.Footprint(ctx, e.who.Agent, fp.Base, fp.Head, fp.Version)
	if err != nil || known == nil || !slices.Equal(known.Stubs, fp.Stubs) {
		return fp
	}
	return known
}

func (e *Engine) addPeers(v *view.View, d bus.Doc[model.State], now time.Time) {
	o := view.Observation{FirstSeen: e.observed[d.Ref].FirstSeen, LastFetch: e.lastFetch}
	lease := time.Duration(d.Value.LeaseSeconds) * time.Second
	if lease <= 0 {
		lease = e.settings.Lease
	}
	lapsed := view.Lapsed(o, lease, max(e.settings.PollInterval, minPoll), now)
	for _, it := range d.Value.Items {
		if !view.Visible(it, lapsed, o, e.settings.StaleItem) {
			continue
		}
		p := view.Peer{Agent: d.Value.Agent, Item: it, Lapsed: lapsed}
		if lapsed {
			p.IdleSince = o.FirstSeen
		}
		v.Peers = append(v.Peers, p)
	}
}

// haveTips finds out which peers' tips are in this clone, in one git process, asking
// only about those that matter: peers that change a file of mine, by either path.
func (e *Engine) haveTips(ctx context.Context, v *view.View) error {
	var names []string
	var at []int
	for i, p := range v.Peers {
		if p.HaveTip || p.Item.Tip() == "" || !e.touchesMine(v, p) {
			continue
		}
		names = append(names, p.Item.Tip())
		at = append(at, i)
	}
	if len(names) == 0 {
		return nil
	}
	objs, err := e.wt.Objects(ctx, names...)
	if err != nil {
		return err
	}
	for i, o := range objs {
		v.Peers[at[i]].HaveTip = o.Type == "commit"
	}
	return nil
}

func (e *Engine) touchesMine(v *view.View, p view.Peer) bool {
	for _, mine := range v.Items {
		if mine.ID != p.Item.ID && (sharesFile(mine.Footprint, p.Item.Footprint) || e.sharesChain(mine.Footprint, p.Item.Footprint)) {
			return true
		}
	}
	return false
}

func (e *Engine) ledgerPrediction(ctx context.Context, mine, other string) (view.Prediction, bool) {
	files, known, err := e.ledger.Prediction(ctx, e.who.Agent, mine, other)
	if err != nil || !known {
		return view.Prediction{}, false
	}
	return view.Prediction{Known: true, Files: files}, true
}

func (e *Engine) keepPrediction(ctx context.Context, mine, other string, p view.Prediction) {
	if !p.Known {
		return
	}
	if err := e.ledger.PutPrediction(ctx, e.who.Agent, mine, other, p.Files, e.now()); err != nil {
		e.warnings.add("a prediction could not be kept: %v", err)
	}
}

func footprintsIn(items []model.Item, peers []view.Peer) []*model.Footprint {
	var out []*model.Footprint
	seen := map[string]bool{}
	add := func(it model.Item) {
		if it.Footprint != nil && !seen[it.ID] {
			seen[it.ID] = true
			out = append(out, it.Footprint)
		}
	}
	for _, it := range items {
		add(it)
	}
	for _, p := range peers {
		add(p.Item)
	}
	return out
}
