package gitbus

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/model"
)

// While one process of an agent waits for a slow remote, another one's words stand at
// once, and go out later.
func TestSlowRemoteHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	w := newRemoteWorld(t)
	ctx := t.Context()
	session, shell := w.Open(0), w.Open(0)
	name := func(b bus.Bus, ctx context.Context, user string) error {
		return b.UpdateState(ctx, w.Agent(0), func(s *model.State) error { s.Agent.User += user; return nil })
	}
	if err := name(session, ctx, "a"); err != nil {
		t.Fatal(err)
	}
	turn := &turn{path: session.(*Bus).lockPath(w.Agent(0))} // as held by who is sending
	if err := turn.takeNow(); err != nil {
		t.Fatal(err)
	}
	soon, end := context.WithTimeout(ctx, 50*time.Millisecond)
	defer end()
	if err := name(shell, soon, "b"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("beside a sender: %v", err)
	}
	commit := w.Commit(0, "work")
	soon, end = context.WithTimeout(ctx, 50*time.Millisecond)
	defer end()
	if err := shell.PublishSnapshot(soon, w.Agent(0), "0123456789ab", commit, false); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a snapshot beside a sender: %v", err)
	}
	if st, err := shell.State(ctx, w.Agent(0)); err != nil || st.Agent.User != "ab" {
		t.Errorf("what was written does not stand: %+v %v", st, err)
	}
	if err := shell.Flush(ctx); err != nil {
		t.Errorf("flush beside a sender: %v", err)
	}
	turn.done()
	if err := shell.Flush(ctx); err != nil {
		t.Error(err)
	}
	w.inStep(t)
}

// inStep checks that the remote holds what the first clone says.
func (w *world) inStep(t *testing.T) {
	t.Helper()
	m := w.machines[0]
	for _, ref := range []string{bus.StateRef(w.Agent(0)), bus.OutboxRef(w.Agent(0)), bus.SnapshotRef(w.Agent(0), "0123456789ab"), bus.SnapshotRef(w.Agent(0), "0123456789ac")} {
		here, _ := m.TryGit("rev-parse", "--verify", "-q", ref)
		if there := w.Value(ref); here != there {
			t.Errorf("%s is at %q here and at %q on the remote", ref, here, there)
		}
	}
}

// Two processes of one agent write at once, each with little time, to a remote that
// answers late: no word of either is lost, and nobody takes the other for a stranger.
func TestTwoProcessesWithLittleTime(t *testing.T) {
	t.Parallel()
	w := newRemoteWorld(t)
	ctx := t.Context()
	w.script("delay", "echo 0.1")
	var all sync.WaitGroup
	var mu sync.Mutex
	said := map[string]bool{}
	for p := range 2 {
		b, rng := w.Open(0), rand.New(rand.NewPCG(7, uint64(p)))
		var commits []string
		for i := range 6 {
			commits = append(commits, w.Commit(0, fmt.Sprintf("%d %d", p, i)))
		}
		all.Go(func() {
			for i := range 12 {
				soon, end := context.WithTimeout(ctx, time.Duration(10+rng.IntN(600))*time.Millisecond)
				word := fmt.Sprintf("%d-%d", p, i)
				var err error
				switch item := []string{"0123456789ab", "0123456789ac"}[rng.IntN(2)]; rng.IntN(4) {
				case 0:
					err = b.PublishSnapshot(soon, w.Agent(0), item, commits[rng.IntN(6)], false)
				case 1:
					err = b.DropSnapshot(soon, w.Agent(0), item)
				case 2:
					err = b.Flush(soon)
				default:
					ran := false
					err = b.UpdateState(soon, w.Agent(0), func(s *model.State) error {
						ran = true
						s.Items = append(s.Items, model.Item{ID: fmt.Sprintf("%012x", 100*p+i), Intent: word, Status: model.ItemActive})
						return nil
					})
					if ran {
						mu.Lock()
						said[word] = true
						mu.Unlock()
					}
				}
				end()
				if err != nil && !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%s: %v", word, err)
				}
			}
		})
	}
	all.Wait()
	w.script("delay", "echo 0")
	b := w.Open(0)
	if err := b.Flush(ctx); err != nil {
		t.Error(err)
	}
	w.inStep(t)
	st, err := b.State(ctx, w.Agent(0))
	if err != nil || len(said) == 0 {
		t.Fatalf("%d words: %v", len(said), err)
	}
	for _, it := range st.Items {
		delete(said, it.Intent)
	}
	if len(said) > 0 {
		t.Errorf("lost: %v", said)
	}
}
