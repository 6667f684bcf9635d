package flock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// ErrHeld: another process, or another Lock in this one, holds the lock.
var ErrHeld = errors.New("lock is held")

// retryEvery is how often Acquire tries; the system offers no wait that a context
// can end.
const retryEvery = 25 * time.Millisecond

// Lock is a held lock. Programs started meanwhile do not inherit it.
type Lock struct{ f *os.File }

// Try takes the lock on the file at path, which it creates with its folder when
// missing, or returns ErrHeld (wrapped) at once.
func Try(path string) (*Lock, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if errors.Is(err, os.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(path), 0o777); err == nil {
			f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err == nil {
		return &Lock{f: f}, nil
	}
	_ = f.Close() // nothing was written
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = ErrHeld
	}
	return nil, fmt.Errorf("lock %q: %w", path, err)
}

// Acquire waits for the lock until ctx ends; then the error wraps ctx's error.
func Acquire(ctx context.Context, path string) (*Lock, error) {
	tick := time.NewTicker(retryEvery)
	defer tick.Stop()
	for {
		l, err := Try(path)
		if err == nil || !errors.Is(err, ErrHeld) {
			return l, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("lock %q: %w", path, ctx.Err())
		case <-tick.C:
		}
	}
}

// Unlock lets go. Calling it again, or on nil, does nothing.
func (l *Lock) Unlock() {
	if l == nil || l.f == nil {
		return
	}
	// Closing is not enough: a child that another goroutine is just starting holds a copy
	// of the descriptor until it runs its program.
	_ = syscall.Flock(int(l.f.Fd()), syscall.LOCK_UN)
	_ = l.f.Close() // nothing was written
	l.f = nil
}

// File returns the locked file, for a holder that keeps data in it.
func (l *Lock) File() *os.File { return l.f }
