package engine

import (
	"testing"
	"time"

	"gitlet/internal/id"
	"gitlet/internal/model"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

const lease = 10 * time.Minute

func someWork() work {
	return work{Branch: "fix/parse_config-now", Main: "main", Head: "h", Base: "b", Snapshot: "s",
		Footprint: &model.Footprint{Base: "b", Head: "s", Files: []model.FileChange{{Path: "a.go", Status: "M"}}}}
}

func TestUnannouncedWorkBecomesOneProvisionalItem(t *testing.T) {
	st := &model.State{}
	if !settle(st, someWork(), true, lease, noon) {
		t.Fatal("new work must be written")
	}
	it := st.Active()
	if it == nil || !it.Provisional || it.Intent != "parse config now" || !id.ValidItem(it.ID) || it.Snapshot != "s" {
		t.Fatalf("got %+v", it)
	}
	first := it.ID
	w := someWork() // the same facts in other memory, as another process has them
	if settle(st, w, true, lease, noon.Add(time.Second)) {
		t.Error("the same work again must write nothing")
	}
	w.Snapshot, w.Footprint.Head = "s2", "s2"
	if !settle(st, w, true, lease, noon.Add(time.Minute)) || st.Active().ID != first || st.Active().Snapshot != "s2" {
		t.Error("more work must update the same item")
	}
	w.Footprint = &model.Footprint{}
	if !settle(st, w, true, lease, noon.Add(2*time.Minute)) || len(st.Items) != 0 {
		t.Errorf("work that is gone must close its provisional item, have %+v", st.Items)
	}
}

func TestNoWorkOpensNothing(t *testing.T) {
	st := &model.State{}
	w := someWork()
	w.Footprint = &model.Footprint{}
	if settle(st, w, true, lease, noon) || len(st.Items) != 0 {
		t.Errorf("got %+v", st.Items)
	}
}

func TestAStatedItemStaysWhenItsWorkIsGone(t *testing.T) {
	st := &model.State{Heartbeat: noon, Items: []model.Item{{ID: "0123456789ab", Intent: "x", Status: model.ItemActive}}}
	w := someWork()
	w.Footprint = &model.Footprint{}
	settle(st, w, true, lease, noon)
	if it := st.Active(); it == nil || it.Intent != "x" || len(it.Footprint.Files) != 0 {
		t.Errorf("got %+v", it)
	}
}

func TestWorkToBeLeftAloneOpensNothing(t *testing.T) {
	st := &model.State{}
	w := someWork()
	w.LeaveAlone = true
	if settle(st, w, true, lease, noon) || st.Active() != nil {
		t.Errorf("got %+v", st.Items)
	}
	st.Items = []model.Item{{ID: "0123456789ab", Intent: "x", Status: model.ItemActive}}
	if !settle(st, w, true, lease, noon) || st.Active().Snapshot != "s" {
		t.Error("an item that is there follows the work all the same")
	}
}

func TestHeartbeatIsRenewedAfterAThirdOfTheLease(t *testing.T) {
	for _, c := range []struct {
		name   string
		open   bool
		active bool
		passed time.Duration
		want   bool
	}{
		{"too early", true, true, lease/3 - time.Second, false},
		{"due", true, true, lease / 3, true},
		{"due but the agent is away", true, false, lease, false},
		{"nothing open", false, true, lease, false},
	} {
		w := someWork()
		w.Footprint = &model.Footprint{}
		st := &model.State{Heartbeat: noon}
		if c.open {
			st.Items = []model.Item{{ID: "0123456789ab", Status: model.ItemActive, Branch: w.Branch, Head: w.Head, Base: w.Base, Snapshot: w.Snapshot, Footprint: w.Footprint}}
		}
		now := noon.Add(c.passed)
		if got := settle(st, w, c.active, lease, now); got != c.want || st.Heartbeat.Equal(now) != c.want {
			t.Errorf("%s: written %v, heartbeat %v", c.name, got, st.Heartbeat)
		}
	}
}

func TestClosedItemsLeaveAfterAnHour(t *testing.T) {
	st := &model.State{Items: []model.Item{
		{ID: "0123456789ab", Status: model.ItemAbandoned, UpdatedAt: noon.Add(-2 * time.Hour)},
		{ID: "0123456789ac", Status: model.ItemLanded, UpdatedAt: noon.Add(-time.Minute)},
	}}
	w := someWork()
	w.Footprint = &model.Footprint{}
	if !settle(st, w, true, lease, noon) || len(st.Items) != 1 || st.Items[0].ID != "0123456789ac" {
		t.Errorf("got %+v", st.Items)
	}
}

func TestGuessIntent(t *testing.T) {
	for branch, want := range map[string]string{
		"": "work on a detached HEAD", "main": "work on main", "gitlet/add-strict-8c1f": "add strict 8c1f",
		"feature/_-.": "work on feature/_-.", "a b": "a b",
	} {
		if got := guessIntent(work{Branch: branch, Main: "main"}); got != want {
			t.Errorf("guessIntent(%q) = %q, want %q", branch, got, want)
		}
	}
}
