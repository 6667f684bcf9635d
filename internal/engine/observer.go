package engine

import (
	"context"
	"errors"
	"time"

	"gitlet/internal/bus"
)

// An observer sees what others do and shares nothing: the remote does not let it write.
// What it writes stands here, so that it goes out when the permission comes.

// keyDenied is the ledger key of when the remote last denied a write, in RFC 3339.
const keyDenied = "denied"

// probeAgain is how long a remote that denied a write is not asked again.
const probeAgain = time.Hour

// observing reports whether this agent may only look. Once the time is over, the next
// thing to share is the probe.
func (e *Engine) observing() bool {
	age := e.now().Sub(e.deniedAt)
	return !e.deniedAt.IsZero() && age >= 0 && age < probeAgain
}

// mayWrite is what the bus asks before it writes to the remote.
func (e *Engine) mayWrite() error {
	if e.observing() {
		return bus.ErrDenied
	}
	return nil
}

// denied makes this agent an observer, unless it is one: the answer may be the bus's
// own then, which asked nobody.
func (e *Engine) denied(ctx context.Context) {
	if !e.observing() {
		e.deniedAt = e.now()
		if err := e.ledger.Set(ctx, e.who.Agent, keyDenied, e.deniedAt.Format(time.RFC3339Nano)); err != nil {
			e.warnings.add("that the remote denies writing could not be noted: %v", err)
		}
	}
	e.sayObserving()
}

func (e *Engine) sayObserving() {
	e.warnings.add("you are an observer: the remote gives no permission to write, so nobody sees your work; what you do here is kept, and tried again after %s",
		e.deniedAt.Add(probeAgain).Local().Format("15:04"))
}

// noteDenied is for errors that a verb words itself.
func (e *Engine) noteDenied(ctx context.Context, err error) {
	if errors.Is(err, bus.ErrDenied) {
		e.denied(ctx)
	}
}
