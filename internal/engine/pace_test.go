package engine

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"gitlet/internal/config"
	"gitlet/internal/git"
	"gitlet/internal/git/gittest"
	"gitlet/internal/model"
	"gitlet/internal/snapshot"
)

// slowTree is a session whose work tree takes a while to read, in virtual time.
type slowTree struct {
	e     *Engine
	takes time.Duration
	fails error
	reads int
	spent time.Duration
	stop  func()
}

func newSlowTree(t *testing.T, repo *gittest.Repo, agent string, takes time.Duration) *slowTree {
	t.Helper()
	e, err := Open(t.Context(), Options{Dir: repo.Dir, Client: "test", Agent: agent})
	if err != nil {
		t.Fatal(err)
	}
	s := &slowTree{e: e, takes: takes}
	var last *snapshot.Result
	e.take = func(ctx context.Context, wt *git.Worktree, p snapshot.Policy) (r *snapshot.Result, err error) {
		time.Sleep(s.takes)
		s.reads++
		s.spent += s.takes
		if s.fails != nil {
			return nil, s.fails
		}
		if last == nil { // the tree stays as it is
			last, err = snapshot.Take(ctx, wt, p)
		}
		return last, err
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { e.Watch(ctx, nil); close(done) }()
	s.stop = func() {
		stop()
		<-done
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
	return s
}

// TestSlowTreesAreReadLess lets reading the tree take ever longer: a session spends at
// most a tenth of its time on it, never loses a heartbeat over it, and says how often it
// reads when that is less often than it polls.
func TestSlowTreesAreReadLess(t *testing.T) {
	for _, c := range []struct {
		takes time.Duration
		words string // what status says, "" for nothing
	}{
		{6 * time.Second, ""}, {36 * time.Second, "6m"}, {65 * time.Second, "10m"},
	} {
		t.Run(c.takes.String(), func(t *testing.T) {
			repos := machines(t, "claude")
			repo := repos["claude"]
			repo.Git("config", "gitlet.pollInterval", "2m")
			repo.Git("config", "gitlet.remote", "none")
			repo.Write("lib/lib.go", "package lib\n\nfunc Load(path string, strict bool) error { return nil }\n")
			synctest.Test(t, func(t *testing.T) {
				s := newSlowTree(t, repo, ownerID, c.takes)
				s.e.lastCall = time.Now()
				longest, last := time.Duration(0), time.Time{}
				for range 40 * 60 / 5 { // two thirds of an hour
					time.Sleep(5 * time.Second)
					s.e.mu.Lock()
					s.e.lastCall = time.Now() // its agent stays at work
					if own := s.e.own; own != nil && own.Heartbeat.After(last) {
						if !last.IsZero() {
							longest = max(longest, own.Heartbeat.Sub(last))
						}
						last = own.Heartbeat
					}
					s.e.mu.Unlock()
				}
				if part := s.spent.Seconds() / (40 * time.Minute).Seconds(); part > 0.15 {
					t.Errorf("%.0f%% of the time goes into reading the tree", 100*part)
				}
				if want := int(40 * time.Minute / max(3*time.Minute, 13*c.takes)); s.reads < want {
					t.Errorf("read %d times, want %d or more", s.reads, want)
				}
				if longest > s.e.settings.Lease*3/4 || time.Since(last) > s.e.settings.Lease*3/4 {
					t.Errorf("%s between heartbeats, the last one %s ago; the lease is %s", longest, time.Since(last), s.e.settings.Lease)
				}
				words := ""
				if every := s.e.ReadEvery(t.Context()); every > 0 {
					words = Words(every)
				}
				if words != c.words {
					t.Errorf("status says %q, want %q", words, c.words)
				}
				s.stop()
			})
		})
	}
}

// TestAnUnreadableTreeKeepsItsHeartbeat: when the work tree cannot be read for long, its
// agent is still there, and its task stays what it was.
func TestAnUnreadableTreeKeepsItsHeartbeat(t *testing.T) {
	repos := machines(t, "claude")
	repo := repos["claude"]
	repo.Git("config", "gitlet.pollInterval", "2m")
	repo.Git("config", "gitlet.remote", "none")
	repo.Write("lib/lib.go", "package lib\n\nfunc Load(path string, strict bool) error { return nil }\n")
	synctest.Test(t, func(t *testing.T) {
		s := newSlowTree(t, repo, ownerID, 0)
		time.Sleep(time.Minute)
		state := func() *model.State {
			st, err := s.e.bus.State(t.Context(), ownerID)
			if err != nil || len(st.Items) != 1 {
				t.Fatalf("%+v: %v", st, err)
			}
			return st
		}
		s.e.mu.Lock()
		s.fails = errors.New("the disk is on fire")
		before := state()
		s.e.mu.Unlock()
		for range 8 {
			time.Sleep(3 * time.Minute)
			s.e.mu.Lock()
			s.e.lastCall = time.Now()
			st := state()
			if age := time.Since(st.Heartbeat); age > s.e.settings.Lease*3/4 {
				t.Fatalf("the last heartbeat is %s old", age)
			}
			if got, want := st.Items[0].Snapshot, before.Items[0].Snapshot; got != want {
				t.Fatalf("the task's snapshot went from %s to %s", want, got)
			}
			s.e.mu.Unlock()
		}
		s.stop()
	})
}

// TestPause is the table of what a session waits between ticks.
func TestPause(t *testing.T) {
	e := &Engine{settings: config.Settings{PollInterval: 20 * time.Second, Lease: 10 * time.Minute}}
	for _, c := range []struct {
		rest     time.Duration
		failures int
		want     time.Duration
	}{
		{0, 0, 20 * time.Second}, {time.Second, 0, 20 * time.Second}, {10 * time.Second, 0, 90 * time.Second},
		{time.Hour, 0, 200 * time.Second}, {-time.Second, 0, 20 * time.Second},
		{0, 1, 40 * time.Second}, {0, 2, 80 * time.Second}, {0, 10, 5 * time.Minute}, {0, 1 << 40, 5 * time.Minute},
	} {
		e.pace.rest = c.rest
		for range 20 {
			if got := e.pause(c.failures); math.Abs(float64(got-c.want)) > 0.21*float64(c.want) {
				t.Errorf("after a tick of %s and %d failures it waits %s, want about %s", c.rest, c.failures, got, c.want)
			}
		}
	}
	// A short lease is not slept through, whatever fails.
	e.settings.Lease = time.Minute
	e.pace.rest = 0
	for range 20 {
		if got := e.pause(10); got > e.settings.Lease*2/3 {
			t.Errorf("with a lease of %s and failures it waits %s", e.settings.Lease, got)
		}
	}
	// A read without an end, as on a machine that stood still, does not stop reading.
	now := time.Now()
	if p := (pace{ended: now, took: 24 * time.Hour}); !p.due(now.Add(maxReadEvery)) {
		t.Error("the tree is never read again")
	}
	if p := (pace{ended: now.Add(time.Hour), took: time.Second}); !p.due(now) {
		t.Error("a clock that was set back stops reading")
	}
}
