package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/git"
	"gitlet/internal/ledger"
)

// namespace is under which this engine's observations are kept.
const namespace = "shared"

// Ledger keys of what one process tells the next.
const (
	keyOffline = "offline-since"
	keyTickEnd = "tick-end"
)

// remember takes over what an earlier process of this worktree knew.
func (e *Engine) remember(ctx context.Context) {
	e.lastFetch, _ = e.ledger.LastFetch(ctx, e.who.Agent, namespace)
	e.offlineSince = e.when(ctx, e.who.Agent, keyOffline)
	if text, ok, err := e.ledger.Get(ctx, e.who.Agent, keySnapshot); err == nil && ok {
		e.lastSnapshot.Commit, e.lastSnapshot.Fingerprint, _ = strings.Cut(text, " ")
	}
	e.recallDenied(ctx)
}

// when reads a time from the ledger, zero when there is none.
func (e *Engine) when(ctx context.Context, agent, key string) time.Time {
	text, ok, err := e.ledger.Get(ctx, agent, key)
	if err != nil || !ok {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}
	}
	return t
}

func (e *Engine) offline() bool { return !e.offlineSince.IsZero() }

// reuseWithin is how recent the state must be for a verb not to ask the remote.
func (e *Engine) reuseWithin() time.Duration { return min(bus.ReuseWithin, e.settings.PollInterval) }

// reuse is the same for the fetch of another process, as the bus takes it.
func (e *Engine) reuse() time.Duration {
	if d := e.reuseWithin(); d > 0 {
		return d
	}
	return -1
}

// refreshForVerb brings the shared state here within a verb's budget; what cannot be
// had in time is taken from the last known state, and the result says so.
func (e *Engine) refreshForVerb(ctx context.Context, now time.Time) {
	if !e.lastFetch.IsZero() && now.Sub(e.lastFetch) < e.reuseWithin() && !e.offline() {
		if err := e.load(ctx); err != nil {
			e.warnings.add("the shared state could not be read: %v", err)
		}
		return
	}
	e.slow = false
	rctx, cancel := context.WithTimeout(ctx, e.budget.refresh)
	err := e.refresh(rctx)
	cancel()
	e.reportRefresh(rctx, ctx, err)
	if err != nil {
		if err := e.load(ctx); err != nil {
			e.warnings.add("the shared state could not be read: %v", err)
		}
	}
}

// reportRefresh turns a failed refresh into what the agent has to know.
func (e *Engine) reportRefresh(rctx, ctx context.Context, err error) {
	switch {
	case err == nil:
	case errors.Is(err, bus.ErrOffline):
		e.setOffline(ctx, e.now())
		e.warnings.add("offline since %s: using %s", e.offlineSince.Local().Format("15:04"), e.ageWords())
	case errors.Is(err, bus.ErrDenied):
		e.warnings.add("the remote gives no permission to read refs/gitlet: using %s", e.ageWords())
	case cut(rctx, err) && ctx.Err() == nil && e.now().Sub(e.lastFetch) < e.budget.refresh:
		e.warnings.add("what the remote sent could not be read within %s; the rest follows at the next call", e.budget.refresh)
	case cut(rctx, err) && ctx.Err() == nil:
		e.slow = true
		e.warnings.add("the remote did not answer within %s: using %s", e.budget.refresh, e.ageWords())
	default:
		e.warnings.add("the shared state could not be refreshed: %v", err)
	}
}

// LookAgain asks the remote, unless this call has done so: before something is refused
// over a state that is a few seconds old. It reports whether the state is a newer one.
func (c *Call) LookAgain(ctx context.Context) bool {
	if c.remote.Name == "" || c.offline() || c.slow || !c.lastFetch.Before(c.lastCall) {
		return false
	}
	rctx, cancel := context.WithTimeout(bus.Anew(ctx), c.budget.refresh)
	err := c.refresh(rctx)
	cancel()
	c.reportRefresh(rctx, ctx, err)
	c.view, c.notes = nil, nil
	return err == nil
}

func (e *Engine) ageWords() string {
	age, ok := e.stateAge(e.now())
	if !ok {
		return "what this clone knows"
	}
	return fmt.Sprintf("state from %s ago", age)
}

// stateAge says how old the shared state is; ok is false when it was never fetched.
func (e *Engine) stateAge(now time.Time) (string, bool) {
	if e.lastFetch.IsZero() {
		return "", false
	}
	return shortDuration(now.Sub(e.lastFetch)), true
}

// shortDuration words a duration as "4s", "2m", "3h" or "5d".
func shortDuration(d time.Duration) string {
	switch {
	case d < 0:
		return "0s"
	case d < 2*time.Minute:
		return fmt.Sprintf("%ds", int(d/time.Second))
	case d < 2*time.Hour:
		return fmt.Sprintf("%dm", int(d/time.Minute))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d/time.Hour))
	}
	return fmt.Sprintf("%dd", int(d/(24*time.Hour)))
}

// refresh fetches, decodes and observes.
func (e *Engine) refresh(ctx context.Context) error {
	before := e.lastFetch
	r, err := e.bus.Refresh(ctx)
	if err != nil {
		return err
	}
	if r.MainMissing {
		e.warnings.add("the remote has no branch %q; say which branch work lands on with: git config gitlet.main <branch>", e.main.Name)
	}
	e.lastFetch = r.At
	e.setOnline(ctx)
	if err := e.load(ctx); err != nil {
		return err
	}
	return e.observe(ctx, before)
}

func (e *Engine) setOffline(ctx context.Context, now time.Time) {
	if e.offline() {
		return
	}
	e.offlineSince = now
	if err := e.ledger.Set(ctx, e.who.Agent, keyOffline, now.Format(time.RFC3339Nano)); err != nil {
		e.warnings.add("that the remote is away could not be noted: %v", err)
	}
}

// setOnline ends an outage: what was written meanwhile goes out now.
func (e *Engine) setOnline(ctx context.Context) {
	if !e.offline() {
		return
	}
	e.offlineSince = time.Time{}
	if err := e.ledger.Unset(ctx, e.who.Agent, keyOffline); err != nil {
		e.warnings.add("that the remote is back could not be noted: %v", err)
	}
	fctx, cancel := context.WithTimeout(ctx, e.budget.publish)
	defer cancel()
	e.flush(fctx)
}

// flush sends what was written here and did not reach the remote: while it was away,
// when a call was cut short, or when a process was killed between the two.
func (e *Engine) flush(ctx context.Context) {
	if err := e.bus.Flush(ctx); err != nil {
		e.flushed(ctx, err)
	}
}

// load decodes what is here.
func (e *Engine) load(ctx context.Context) error {
	docs, err := e.bus.Load(ctx, e.docs)
	if err != nil {
		return err
	}
	e.docs = docs
	e.watchClaims(ctx)
	e.noteEpochs(ctx)
	return nil
}

// observe notes when each document was first seen at its value, by this machine's
// clock, starting over when this machine did not watch without a break.
func (e *Engine) observe(ctx context.Context, before time.Time) error {
	refs := map[string]string{}
	for _, d := range e.docs.States {
		refs[d.Ref] = d.OID
	}
	for _, d := range e.docs.Claims {
		refs[d.Ref] = d.OID
	}
	for _, p := range e.docs.Problems {
		if p.OID != "" {
			refs[p.Ref] = p.OID // what cannot be read can still be seen to change
		}
	}
	gaps := ledger.Gaps{LastFetch: before, Fetch: e.lastFetch}
	if gaps.Reset(e.settings.PollInterval, e.settings.Lease) {
		if err := e.ledger.ResetObservations(ctx, e.who.Agent, e.lastFetch); err != nil && !errors.Is(err, ledger.ErrNewer) {
			return err
		}
		e.observed = nil
	}
	seen, err := e.ledger.Observe(ctx, e.who.Agent, namespace, refs, e.lastFetch)
	if errors.Is(err, ledger.ErrNewer) {
		// Only this process knows then, so it starts over with each one.
		seen, err = map[string]ledger.Observation{}, nil
		for ref, oid := range refs {
			if seen[ref] = e.observed[ref]; seen[ref].OID != oid {
				seen[ref] = ledger.Observation{OID: oid, FirstSeen: e.lastFetch}
			}
		}
	}
	if err != nil {
		return err
	}
	e.observed = seen
	return nil
}

// MainOID is the commit of main as the remote last had it; the clone's own
// remote-tracking or local branch stands in until the first fetch. "" is none.
func (e *Engine) MainOID(ctx context.Context) string { return e.mainOID(ctx) }

func (e *Engine) mainOID(ctx context.Context) string {
	if e.docs.Main != "" {
		return e.docs.Main
	}
	ref := "refs/heads/" + e.main.Name
	if e.remote.Name != "" {
		ref = "refs/remotes/" + e.remote.Name + "/" + e.main.Name
	}
	oid, err := e.wt.ResolveOne(ctx, ref+"^{commit}")
	if err != nil && !errors.Is(err, git.ErrNotFound) {
		e.warnings.add("main could not be read: %v", err)
	}
	return oid
}
