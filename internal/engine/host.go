package engine

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/flock"
	"gitlet/internal/model"
)

// retireWithin bounds the last push of a server that ends.
const retireWithin = 3 * time.Second

// Host serves several worktrees from one long-lived process, each with its own
// engine and background tick. It is safe for concurrent use.
type Host struct {
	ctx     context.Context
	stop    context.CancelFunc
	changed func()

	mu      sync.Mutex
	served  map[string]*served // by git directory
	closing bool
	ticks   sync.WaitGroup
}

type served struct {
	engine *Engine
	lock   *flock.Lock // held while this process is the worktree's session
}

// NewHost returns a host whose background work ends with ctx or Close. changed is
// called when a background tick changed what there is to tell; it may be nil.
func NewHost(ctx context.Context, changed func()) *Host {
	h := &Host{served: map[string]*served{}, changed: changed}
	h.ctx, h.stop = context.WithCancel(ctx)
	return h
}

// ErrClosing: the host is about to end.
var ErrClosing = errors.New("the server is shutting down")

// Open returns the engine that serves a worktree, opening it on first use. One
// worktree is one engine, however it is reached.
func (h *Host) Open(ctx context.Context, o Options) (*Engine, error) {
	wt, err := openWorktree(ctx, o)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closing {
		return nil, ErrClosing
	}
	if s := h.served[wt.GitDir]; s != nil && s.engine.wt.Root == wt.Root {
		return s.engine, h.seat(s)
	}
	e, err := Open(ctx, o)
	if err != nil {
		return nil, err
	}
	s := &served{engine: e}
	if err := h.seat(s); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	h.served[wt.GitDir] = s
	return e, nil
}

// seat makes this process the worktree's session, unless another one is: then its
// engine only looks, until that one ends.
func (h *Host) seat(s *served) error {
	if s.lock != nil {
		return nil
	}
	e := s.engine
	lock, err := flock.Try(filepath.Join(e.wt.CommonDir, "gitlet", "sessions", e.who.Agent+".lock"))
	switch {
	case errors.Is(err, flock.ErrHeld):
		e.setSecond(true)
		return nil
	case err != nil:
		return err
	}
	s.lock = lock
	e.setSecond(false)
	h.ticks.Go(func() { e.Watch(h.ctx, h.changed) })
	return nil
}

// Close ends the background work and lets go of every worktree. An agent without
// open work takes its documents off the remote, as far as that is quick.
func (h *Host) Close() error {
	h.mu.Lock()
	h.closing = true
	h.mu.Unlock()
	h.stop()
	h.ticks.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	var errs []error
	for _, s := range h.served {
		if s.lock != nil {
			errs = append(errs, s.engine.retire())
			s.lock.Unlock()
		}
		errs = append(errs, s.engine.Close())
	}
	h.served = map[string]*served{}
	return errors.Join(errs...)
}

// retire removes the agent's documents when it has nothing in flight. Otherwise it says
// a last time that it was here, and leaves its work to be resumed.
func (e *Engine) retire() error {
	ctx, cancel := context.WithTimeout(context.Background(), retireWithin)
	defer cancel()
	st, err := e.bus.State(ctx, e.who.Agent)
	if err != nil || st == nil {
		return err
	}
	if !hasOpen(st) {
		err = e.bus.Retire(ctx, e.who.Agent)
	} else {
		err = e.bus.UpdateState(ctx, e.who.Agent, func(st *model.State) error {
			st.Heartbeat = e.now()
			return nil
		})
	}
	if errors.Is(err, bus.ErrOffline) || errors.Is(err, bus.ErrDenied) || cut(ctx, err) {
		return nil // peers drop what lapsed long ago
	}
	return err
}

func hasOpen(st *model.State) bool {
	for _, it := range st.Items {
		if it.Status.Open() {
			return true
		}
	}
	return false
}
