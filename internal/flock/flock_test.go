package flock

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestTryExcludesAndReleases(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "made", "on", "demand.lock")
	a, err := Try(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Try(path); !errors.Is(err, ErrHeld) {
		t.Fatalf("second Try: %v, want ErrHeld", err)
	}
	a.Unlock()
	a.Unlock()
	b, err := Try(path)
	if err != nil {
		t.Fatalf("after Unlock: %v", err)
	}
	b.Unlock()
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the lock file must stay: %v", err)
	}
}

func TestAcquireWaitsAndGivesUp(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "l")
	a, err := Try(path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Millisecond)
	defer cancel()
	if _, err := Acquire(ctx, path); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("held: %v, want the context's error", err)
	}
	time.AfterFunc(40*time.Millisecond, a.Unlock)
	b, err := Acquire(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	b.Unlock()
}

func TestOneHolderAtATime(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "l")
	var inside atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			l, err := Acquire(context.Background(), path)
			if err != nil {
				t.Error(err)
				return
			}
			if n := inside.Add(1); n != 1 {
				t.Errorf("%d holders", n)
			}
			time.Sleep(2 * time.Millisecond)
			inside.Add(-1)
			l.Unlock()
		}()
	}
	wg.Wait()
}

func TestUnusableFolder(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Try(filepath.Join(file, "lock")); err == nil || errors.Is(err, ErrHeld) {
		t.Errorf("lock below a file: %v, want an error that is not ErrHeld", err)
	}
}
