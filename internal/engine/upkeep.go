package engine

import (
	"context"
	"errors"
	"strings"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/model"
	"gitlet/internal/view"
)

// Upkeep is what a background tick does for everybody, now and then.

// Ledger keys of upkeep. They are the clone's, not one agent's.
const (
	clone       = ""
	keyReaped   = "reaped"
	keyOutsides = "outside-branches"
)

const (
	reapEvery = time.Hour
	// maxReaped bounds what one round removes, agents and claims each.
	maxReaped = 5
)

// upkeep does what is due. Others see to what fails here, or a later tick does.
func (e *Engine) upkeep(ctx context.Context) {
	if e.second || e.offline() || e.slow {
		return
	}
	now := e.now()
	if !e.observing() && e.due(ctx, keyReaped, reapEvery, now) {
		e.reap(ctx, now)
	}
	e.offerResolutions(ctx)
	e.fetchOutside(ctx)
	e.askForge(ctx)
}

// afterReply bounds what a command does once its answer is out: the shell waits for it.
const afterReply = 3 * time.Second

// AfterReply does what is due for everybody once a command has given its answer, so that
// agents which only have a shell take their part. A session that lives has done it: what
// is due is the clone's.
func (e *Engine) AfterReply(ctx context.Context) {
	e.mu.Lock()
	defer e.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, afterReply)
	defer cancel()
	e.upkeep(ctx)
}

// tidy lets go of what items of this agent held that are no more: closed without a
// word, or by a call that was ended before it came to that.
func (e *Engine) tidy(ctx context.Context) {
	if e.own == nil || e.own.Heartbeat.IsZero() {
		return // nothing is known of its items
	}
	is := e.overItems(e.own)
	over := func(item string) bool { return is(e.who.Agent, item) }
	for name := range e.docs.Snapshots {
		if item, mine := strings.CutPrefix(name, e.who.Agent+"/"); mine && over(item) {
			if err := e.bus.DropSnapshot(ctx, e.who.Agent, item); err != nil {
				e.publishProblem(ctx, "the removal of a snapshot", err)
			}
		}
	}
	e.dropNeeds(ctx, over)
	if e.offline() || e.slow || e.observing() {
		return // a claim is let go of with the remote's word
	}
	var freed []model.Claim
	for _, d := range e.docs.Claims {
		if d.Value.Owner == e.who.Agent && over(d.Value.Item) {
			freed = append(freed, d.Value)
		}
	}
	if len(freed) == 0 {
		return
	}
	e.sayFreed(ctx, freed...)
	for _, cl := range freed {
		_, _ = e.letGo(ctx, e.docs.Held(cl.Key)) // it lapses by itself
	}
	_ = e.load(ctx) // what was here before stays
}

// dropNeeds takes the needs of items that are over out of this agent's outbox.
func (e *Engine) dropNeeds(ctx context.Context, over func(item string) bool) {
	if e.observing() {
		return
	}
	gone := map[string]bool{} // those seen here: another call may just have begun a task
	for _, d := range e.docs.Outboxes {
		for _, n := range d.Value.Needs {
			if d.Value.Agent == e.who.Agent && over(n.Item) {
				gone[n.ID] = true
			}
		}
	}
	if len(gone) == 0 {
		return
	}
	c := &Call{Engine: e, Now: e.now()}
	if _, err := c.letGoOf(ctx, func(n model.Need) bool { return gone[n.ID] }, ""); err != nil {
		e.warnings.add("the needs of tasks that ended could not be dropped: %v", err)
	}
}

// due reports whether something of the clone was not done for so long, and notes that
// it is done now.
func (e *Engine) due(ctx context.Context, key string, every time.Duration, now time.Time) bool {
	if !due(e.when(ctx, clone, key), every, now) {
		return false
	}
	return e.ledger.Set(ctx, clone, key, now.Format(time.RFC3339Nano)) == nil
}

// reap removes what agents left that are long gone, and claims that nobody renews or
// needs. Each goes only at the value judged, so one whose owner is back stays.
func (e *Engine) reap(ctx context.Context, now time.Time) {
	poll := max(e.settings.PollInterval, minPoll)
	agents, claims := reapable(e.docs, e.who.Agent, func(ref string) bool {
		o := view.Observation{FirstSeen: e.observed[ref].FirstSeen, LastFetch: e.lastFetch}
		return view.Lapsed(o, max(e.settings.ReapAfter, e.settings.Lease), poll, now)
	})
	pctx, cancel := context.WithTimeout(ctx, e.budget.publish)
	defer cancel()
	for _, left := range agents {
		// Moved: it is back. Anything else is tried again in an hour.
		if err := e.bus.Reap(pctx, left); errors.Is(err, bus.ErrDenied) {
			e.denied(ctx, "")
			return
		}
	}
	for _, held := range claims {
		e.sayFreed(pctx, held.Claim)
		_ = e.bus.ReleaseClaim(pctx, held) // lost: somebody took it over
	}
}

// reapable picks what may be removed, given which refs stood unchanged for the whole
// time: agents by their state, readable or not, and claims without a need.
func reapable(docs *bus.Docs, self string, gone func(ref string) bool) (agents []bus.Remains, claims []*bus.Held) {
	states, outboxes, needed := map[string]string{}, map[string]string{}, map[string]bool{}
	for _, p := range docs.Problems {
		n, ok := bus.ParseRef(p.Ref)
		if !ok || p.OID == "" {
			continue
		}
		if n.Kind == bus.StateDoc {
			states[n.Agent] = p.OID
		}
		if n.Kind == bus.OutboxDoc {
			outboxes[n.Agent] = p.OID
		}
	}
	var order []string
	for agent := range states {
		order = append(order, agent)
	}
	for _, d := range docs.Outboxes {
		outboxes[d.Value.Agent] = d.OID
		for _, n := range d.Value.Needs {
			needed[n.Key] = true
		}
	}
	for _, d := range docs.States {
		if _, twice := states[d.Value.Agent.ID]; !twice {
			order = append(order, d.Value.Agent.ID)
		}
		states[d.Value.Agent.ID] = d.OID
	}
	for _, agent := range order {
		if agent != self && len(agents) < maxReaped && gone(bus.StateRef(agent)) {
			agents = append(agents, bus.Remains{Agent: agent, State: states[agent], Outbox: outboxes[agent]})
		}
	}
	for _, d := range docs.Claims {
		if d.Value.Owner != self && !needed[d.Value.Key] && len(claims) < maxReaped && gone(d.Ref) {
			claims = append(claims, docs.Held(d.Value.Key))
		}
	}
	return agents, claims
}

// settledFor is how long what was said in a thread stays after it was settled.
const settledFor = time.Hour

// dropSettled takes messages and accepts of threads out of an outbox that were settled
// long enough ago, and reports whether there were any. settled maps threads to when
// that was.
func dropSettled(o *model.Outbox, settled map[string]time.Time, now time.Time) bool {
	over := func(thread string) bool {
		at, ok := settled[thread]
		return ok && now.Sub(at) > settledFor
	}
	messages, accepts := o.Messages[:0:0], o.Accepts[:0:0]
	for _, m := range o.Messages {
		if !over(m.Thread) {
			messages = append(messages, m)
		}
	}
	for _, a := range o.Accepts {
		if !over(a.Thread) {
			accepts = append(accepts, a)
		}
	}
	dropped := len(messages)+len(accepts) < len(o.Messages)+len(o.Accepts)
	o.Messages, o.Accepts = messages, accepts
	return dropped
}
