package notes

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"gitlet/internal/model"
)

// A watcher checks from outside, by what readers are told, that the promises hold.
type watcher struct {
	t *testing.T
	// last is what was last told about a note on any channel, and per channel;
	// "" after its resolution was told or before anything was.
	last      map[string]string
	lastThere map[string]string
	produced  map[string]string // id to version, now
	closed    map[string]string // id to the version its reader closed
	read      map[string]string // id to the version its reader knows of
}

func (w *watcher) show(channel string, notes []model.Note) {
	for _, n := range notes {
		at := channel + n.ID
		if w.lastThere[at] == n.Version && w.last[n.ID] == n.Version {
			w.t.Fatalf("%s@%s shown twice by %s", n.ID, n.Version, channel)
		}
		if v, ok := w.produced[n.ID]; !ok || v != n.Version {
			w.t.Fatalf("%s@%s shown, but the rules say %q", n.ID, n.Version, v)
		}
		if w.closed[n.ID] == n.Version {
			w.t.Fatalf("%s@%s shown after its reader closed it", n.ID, n.Version)
		}
		delete(w.closed, n.ID)
		w.read[n.ID] = n.Version
		w.last[n.ID], w.lastThere[at] = n.Version, n.Version
	}
}

func (w *watcher) announced(titles []string) {
	seen := map[string]bool{}
	for _, title := range titles {
		id := title[len("title of "):]
		if seen[id] || w.last[id] == "" {
			w.t.Fatalf("resolution of %s announced twice, or though it was never shown", id)
		}
		seen[id] = true
		if _, still := w.produced[id]; still && w.closed[id] == "" {
			w.t.Fatalf("%s announced as resolved while it is a problem", id)
		}
		if w.closed[id] == "" {
			w.read[id] = ""
		}
		w.last[id], w.lastThere["result"+id], w.lastThere["hook"+id] = "", "", ""
	}
}

// lost checks that every problem is either before its reader or closed by them.
func (w *watcher) lost(stored []Stored) {
	states := map[string]Stored{}
	for i, s := range stored {
		if i > 0 && stored[i-1].ID >= s.ID {
			w.t.Fatalf("stored notes are out of order at %s", s.ID)
		}
		states[s.ID] = s
	}
	for id, v := range w.produced {
		s, ok := states[id]
		if !ok || s.Version != v {
			w.t.Fatalf("%s@%s is lost", id, v)
		}
		if !live(s) && w.closed[id] != v {
			w.t.Fatalf("%s@%s is %s, but nobody closed it", id, v, s.State)
		}
	}
	for id, s := range states {
		if _, still := w.produced[id]; !still && live(s) {
			w.t.Fatalf("%s is %s, but the rules no longer say it", id, s.State)
		}
	}
}

func TestPromisesHoldForRandomLives(t *testing.T) {
	t.Parallel()
	for seed := range uint64(600) {
		life(t, rand.New(rand.NewPCG(seed, 1)))
	}
}

func life(t *testing.T, r *rand.Rand) {
	w := &watcher{t: t, last: map[string]string{}, lastThere: map[string]string{}, produced: map[string]string{}, closed: map[string]string{}, read: map[string]string{}}
	var stored []Stored
	now := t0
	ids := []string{"n1", "n2", "n3", "n4"}
	severities := []model.Severity{model.Act, model.Warn, model.Info}
	for range 60 {
		before := append([]Stored(nil), stored...)
		given := stored
		now = now.Add(time.Duration(r.IntN(3)) * time.Second)
		switch r.IntN(8) {
		case 0, 1, 2:
			w.produced = map[string]string{}
			var produced []model.Note
			for _, id := range ids {
				if r.IntN(3) > 0 {
					v := r.IntN(3)
					n := note(id, fmt.Sprint(v))
					n.Severity = severities[v]
					produced = append(produced, n)
					w.produced[id] = n.Version
				}
			}
			r.Shuffle(len(produced), func(i, j int) { produced[i], produced[j] = produced[j], produced[i] })
			stored = Reconcile(stored, produced, now)
			w.lost(stored)
		case 3, 4:
			max := r.IntN(4)
			show, more, resolved, out := Deliver(stored, max)
			if len(show) > max || (more > 0 && len(show) != max) {
				t.Fatalf("%d shown and %d more with room for %d", len(show), more, max)
			}
			w.announced(resolved)
			w.show("result", show)
			stored = out
		case 5:
			show, resolved, out := All(stored)
			w.announced(resolved)
			for _, n := range show {
				if n.State == model.NoteNew {
					w.show("result", []model.Note{n})
				}
			}
			stored = out
			if show, more, resolved, _ := Deliver(stored, 3); len(show)+more+len(resolved) > 0 {
				t.Fatal("a result after status still has something to say")
			}
		case 6:
			show, _, out := DeliverHook(stored, r.IntN(3), severities[r.IntN(3)])
			w.show("hook", show)
			stored = out
		case 7:
			id := ids[r.IntN(len(ids))]
			closing := w.read[id]
			if closing == "" {
				closing = w.produced[id]
			}
			var was Stored
			var err error
			if r.IntN(2) == 0 {
				stored, was, err = Dismiss(stored, id, NotNeeded, "")
			} else {
				stored, was, err = Resolve(stored, id)
			}
			if err == nil && live(was) {
				w.closed[id] = closing
			}
		}
		if len(given) > 0 && !reflect.DeepEqual(before, given) {
			t.Fatal("an operation changed its argument")
		}
	}
	// With nothing new to say, a few results say everything and then fall silent.
	for range 5 {
		show, _, resolved, out := Deliver(stored, 3)
		w.announced(resolved)
		w.show("result", show)
		stored = out
	}
	if show, more, resolved, _ := Deliver(stored, 3); len(show)+more+len(resolved) > 0 {
		t.Fatal("results never fall silent")
	}
	for id, v := range w.produced {
		if w.last[id] != v && w.closed[id] != v {
			t.Fatalf("%s@%s never reached its reader", id, v)
		}
	}
}
