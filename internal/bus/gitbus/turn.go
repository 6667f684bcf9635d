package gitbus

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/flock"
	"gitlet/internal/id"
)

// turn is what one change of an agent's own refs holds, of two locks that all processes
// of the agent know. own is held while refs are read and changed here, and never while
// the remote is waited for: however slow that is, what is written stands at once. line
// is held by the one process that sends. Whoever holds line may wait for own; whoever
// holds own never waits for line.
type turn struct {
	path      string
	own, line *flock.Lock
}

// flushWait is how long Flush waits for another process that is sending.
const flushWait = time.Second

func (b *Bus) lockPath(agent string) string { return filepath.Join(b.locks, "agents", agent+".lock") }

// lock takes the lock that every change of the agent's own refs here is made under.
func (b *Bus) lock(ctx context.Context, agent string) (*turn, error) {
	b.takeListed() // what is written now is not in it
	if !id.ValidAgent(agent) {
		return nil, fmt.Errorf("%q is no agent id", agent)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t := &turn{path: b.lockPath(agent)}
	var err error
	t.own, err = flock.Acquire(ctx, t.path)
	return t, err
}

func (t *turn) sending() string { return t.path + ".sending" }

// take waits for the right to send; the agent's lock is not held.
func (t *turn) take(ctx context.Context) (err error) {
	t.line, err = flock.Acquire(ctx, t.sending())
	return err
}

// takeNow takes the right to send, or fails at once with flock.ErrHeld (wrapped).
func (t *turn) takeNow() (err error) {
	t.line, err = flock.Try(t.sending())
	return err
}

func (t *turn) done() {
	t.own.Unlock()
	t.line.Unlock()
}

// shareInTurn is share for refs that were just written under own, which it lets go of.
// Where another process was sending meanwhile, what is left to send is looked up again.
func (b *Bus) shareInTurn(ctx context.Context, t *turn, owned []ownRef, claims []*claim) map[string]error {
	if b.mode == bus.Local || len(owned) == 0 && len(claims) == 0 {
		t.own.Unlock()
		return b.share(ctx, owned, claims)
	}
	if err := b.writable(); err != nil {
		return failAll(owned, claims, err)
	}
	adopts := false
	for _, o := range owned {
		adopts = adopts || o.adopt != nil
	}
	err := t.takeNow()
	if errors.Is(err, flock.ErrHeld) {
		t.own.Unlock()
		if err = t.take(ctx); err == nil {
			owned, err = b.left(ctx, owned)
		}
		if err == nil && adopts {
			t.own, err = flock.Acquire(ctx, t.path)
		}
	}
	if err != nil {
		return failAll(owned, claims, err)
	}
	if !adopts { // else the document may be made again
		t.own.Unlock()
	}
	return b.shareNow(ctx, owned, claims)
}

// left looks the refs up again and returns those that still wait, at the values they
// have now.
func (b *Bus) left(ctx context.Context, owned []ownRef) ([]ownRef, error) {
	if len(owned) == 0 {
		return nil, nil
	}
	names := make([]string, len(owned))
	for i, o := range owned {
		names[i] = o.ref
	}
	now, err := b.owned(ctx, names...)
	if err != nil {
		return owned, err
	}
	var out []ownRef
	for i, o := range now {
		if o.pushed == "" && o.local != "" {
			o.adopt = owned[i].adopt
		}
		if o.waiting() {
			out = append(out, o)
		}
	}
	return out, nil
}

// untimed is ctx without its deadline, which is meant for the remote: what is done in
// this clone is done even when the time ran out, but not when the caller went away.
func untimed(ctx context.Context) (context.Context, context.CancelFunc) {
	local, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			cancel()
		}
	})
	return local, func() { stop(); cancel() }
}
