package engine

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// share of the time: what a tick does costs at most one part in this many, waits for
// the remote not counted.
const share = 10

// maxReadEvery bounds how rarely a work tree is read, however slow one read was: a
// machine may have stood still meanwhile.
const maxReadEvery = 10 * time.Minute

// keyReadEvery is the ledger key of how often the session of a worktree reads it, when
// that is seldom: "<duration> <RFC 3339 time>".
const keyReadEvery = "read-every"

// pace keeps what reading the work tree in the background costs in proportion. Polls,
// heartbeats and notes go on at their own interval.
type pace struct {
	ended time.Time     // of the last read
	took  time.Duration // by the last read
	rest  time.Duration // what the last tick took beside reading and sharing
}

// every is how long one read stays good for, 0 for not at all: the next tick reads.
func (p pace) every() time.Duration { return min(share*p.took, maxReadEvery) }

// due reports whether a tick is to read the work tree.
func (p pace) due(now time.Time) bool {
	since := now.Sub(p.ended)
	return since < 0 || since >= max(p.every()-p.took, 0)
}

// read is what reads that ended after start took.
func (p pace) read(start time.Time) time.Duration {
	if p.ended.Before(start) {
		return 0
	}
	return p.took
}

// noteRead keeps what a read of the work tree cost, and says it to other processes when
// it is so much that not every tick can read.
func (e *Engine) noteRead(ctx context.Context, took time.Duration) {
	e.pace.ended, e.pace.took = e.now(), took
	if e.pace.every() <= max(e.settings.PollInterval, time.Second) || !e.watching {
		return
	}
	// Only words hang on it.
	_ = e.ledger.Set(ctx, e.who.Agent, keyReadEvery, fmt.Sprintf("%s %s", e.pace.every(), e.now().Format(time.RFC3339Nano)))
}

// ReadEvery is how often the session of this worktree reads it by itself when the tree
// is so large that it does so less often than it polls, else 0.
func (e *Engine) ReadEvery(ctx context.Context) time.Duration {
	text, ok, err := e.ledger.Get(ctx, e.who.Agent, keyReadEvery)
	if err != nil || !ok {
		return 0
	}
	length, stamp, _ := strings.Cut(text, " ")
	every, err := time.ParseDuration(length)
	at, terr := time.Parse(time.RFC3339Nano, stamp)
	if age := e.now().Sub(at); err != nil || terr != nil || age < 0 || age > 2*every+e.settings.PollInterval {
		return 0 // no session said so lately
	}
	return every
}

// Words says a duration in few letters: "4s", "2m", "3h" or "5d".
func Words(d time.Duration) string { return shortDuration(d) }
