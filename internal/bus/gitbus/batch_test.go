package gitbus

import (
	"slices"
	"testing"

	"gitlet/internal/bus"
	"gitlet/internal/model"
)

// TestSnapshotsInOneFetch: many peers' snapshots cost one fetch, and one that the
// remote lacks holds no other back.
func TestSnapshotsInOneFetch(t *testing.T) {
	w := newRemoteWorld(t)
	a, b, ctx := w.Open(0), w.Open(1), t.Context()
	items := []string{"aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccccc"}
	var want []bus.Wanted
	err := a.UpdateState(ctx, agents[0], func(s *model.State) error {
		for _, it := range items {
			s.Items = append(s.Items, model.Item{ID: it, Status: model.ItemSubmitted})
			want = append(want, bus.Wanted{Agent: agents[0], Item: it, Commit: w.Commit(0, it)})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []int{0, 2} {
		if err := a.PublishSnapshot(ctx, agents[0], items[x], want[x].Commit, false); err != nil {
			t.Fatal(err)
		}
	}
	w.see(b)
	fetch := func() (here []bool, ran []string) {
		ran = processes(t, func() {
			if here, err = b.FetchSnapshots(ctx, want); err != nil {
				t.Fatal(err)
			}
		})
		return here, ran
	}
	here, ran := fetch()
	if !slices.Equal(here, []bool{true, false, true}) || !slices.Equal(ran, []string{"for-each-ref", "fetch", "cat-file"}) {
		t.Errorf("here %v, after %v", here, ran)
	}
	want = []bus.Wanted{want[0], want[2]}
	if here, ran := fetch(); !slices.Equal(here, []bool{true, true}) || !slices.Equal(ran, []string{"for-each-ref"}) {
		t.Errorf("again: here %v, after %v", here, ran)
	}
	// One that went away is forgotten here.
	if err := a.DropSnapshot(ctx, agents[0], items[0]); err != nil {
		t.Fatal(err)
	}
	want[0].Commit = want[1].Commit
	if _, err := b.FetchSnapshots(ctx, want); err != nil {
		t.Fatal(err)
	}
	if got := w.see(b).Snapshots[agents[0]+"/"+items[0]]; got != "" {
		t.Errorf("a snapshot that is gone is still %q", got)
	}
	if here, err := b.FetchSnapshots(ctx, nil); len(here) != 0 || err != nil {
		t.Errorf("nothing: %v, %v", here, err)
	}
	if _, err := b.FetchSnapshots(ctx, []bus.Wanted{{Agent: "../x", Item: items[0], Commit: want[0].Commit}}); err == nil {
		t.Error("a bad agent id is taken")
	}
}
