package engine

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/ledger"
)

// maxBackoff is the longest pause between polls of a remote that does not answer, where
// the lease allows it: half of it would be over.
const maxBackoff = 5 * time.Minute

// Watch does by itself what verbs do around their work, until ctx ends: it polls the
// remote, reads the work tree, publishes, and works out the notes. changed is called
// after a tick that changed what there is to tell; it may be nil.
func (e *Engine) Watch(ctx context.Context, changed func()) {
	e.mu.Lock()
	e.lastCall = e.now() // an agent that just connected is at work
	e.watching = true
	e.mu.Unlock()
	failures := 0
	for {
		news, err := e.Tick(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			failures++
		} else {
			failures = 0
		}
		if news && changed != nil {
			changed()
		}
		if !sleep(ctx, e.pause(failures)) {
			return
		}
	}
}

// pause is how long to wait for the next tick: the poll interval give or take a
// fifth, doubled for each failure in a row, and so long that ticks stay a small part of
// the time, but never so long that a heartbeat would be late.
func (e *Engine) pause(failures int) time.Duration {
	poll := max(e.settings.PollInterval, time.Second)
	d := poll
	for range min(failures, 10) {
		d = min(2*d, max(min(maxBackoff, e.settings.Lease/2), poll))
	}
	d += time.Duration((rand.Float64()*0.4 - 0.2) * float64(d))
	return max(d, min((share-1)*e.pace.rest, max(e.settings.Lease/3, poll)))
}

func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// Tick does one round. news is set when the open notes are not those of before. The
// error says that the remote could not be polled; the local part is done all the same.
func (e *Engine) Tick(ctx context.Context) (news bool, err error) {
	start := e.now()
	// The wait for the remote is outside the lock: a verb that comes meanwhile uses
	// the state at hand.
	rctx, cancel := context.WithTimeout(ctx, tickBudget.refresh)
	r, err := e.bus.Refresh(rctx)
	cancel()
	if ctx.Err() != nil {
		return false, ctx.Err()
	}

	e.mu.Lock()
	defer e.mu.Unlock()
	e.ticking = true
	defer func() { e.ticking = false }()
	e.sharing = 0
	local := e.now()
	defer func() { e.pace.rest = e.now().Sub(local) - e.pace.read(local) - e.sharing }()
	defer e.warnings.reset() // the next verb finds anew what is still true
	if e.ledger.Degraded() != "" {
		e.ledger.Retry(ctx)
	}
	e.own = nil
	before := e.openNotes(ctx)
	e.resetAfterSleep(ctx, start)
	if err == nil {
		previous := e.lastFetch
		e.lastFetch = r.At
		e.setOnline(ctx)
		if err = e.load(ctx); err == nil {
			err = e.observe(ctx, previous)
		}
	} else {
		if errors.Is(err, bus.ErrOffline) {
			e.setOffline(ctx, e.now())
		}
		_ = e.load(ctx) // that the poll went wrong is the news; what was here before stays
	}
	e.resumeRestore(ctx)
	e.resumeUse(ctx)
	if now := e.now(); e.second || e.pace.due(now) {
		e.ownWork(ctx, now)
	} else {
		e.shareWork(ctx, work{Unread: true}, now)
	}
	c := &Call{Engine: e, Now: e.now()}
	c.settlePins(ctx)
	c.landings(ctx)
	c.carryOut(ctx)
	if _, rerr := c.reconcile(ctx); err == nil {
		err = rerr
	}
	if err == nil {
		e.upkeep(ctx)
	}
	if terr := e.ledger.Set(ctx, e.who.Agent, keyTickEnd, e.now().Format(time.RFC3339Nano)); err == nil && !errors.Is(terr, ledger.ErrNewer) {
		err = terr
	}
	return e.openNotes(ctx) != before, err
}

// resetAfterSleep starts the observations over when this machine did not tick for a
// while: peers may have renewed unseen.
func (e *Engine) resetAfterSleep(ctx context.Context, start time.Time) {
	text, ok, err := e.ledger.Get(ctx, e.who.Agent, keyTickEnd)
	if err != nil || !ok {
		return
	}
	last, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return
	}
	// Round strips the monotonic reading: a sleeping machine stops that clock.
	gaps := ledger.Gaps{LastTickEnd: last, TickStart: start.Round(0)}
	if gaps.Reset(e.settings.PollInterval, e.settings.Lease) {
		if err := e.ledger.ResetObservations(ctx, e.who.Agent, start); err == nil {
			e.observed = nil
		}
	}
}

// openNotes stands for what there is to tell: the versions of new and open notes.
func (e *Engine) openNotes(ctx context.Context) string {
	stored, err := e.ledger.Notes(ctx, e.who.Agent)
	if err != nil {
		return ""
	}
	out := ""
	for _, n := range stored {
		out += n.ID + string(n.State) + n.Version + "\n"
	}
	return out
}
