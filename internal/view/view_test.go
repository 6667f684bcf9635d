package view

import (
	"testing"
	"time"

	"gitlet/internal/model"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestLapsed(t *testing.T) {
	t.Parallel()
	const lease, poll = 10 * time.Minute, 20 * time.Second
	ago := func(d time.Duration) time.Time { return noon.Add(-d) }
	for _, c := range []struct {
		name string
		o    Observation
		want bool
	}{
		{"stood for a lease", Observation{ago(lease), noon}, true},
		{"one second short", Observation{ago(lease - time.Second), noon}, false},
		{"long gone", Observation{ago(48 * time.Hour), noon}, true},
		{"last fetch one poll ago", Observation{ago(lease + poll), ago(poll)}, true},
		{"last fetch older than a poll", Observation{ago(lease + time.Hour), ago(poll + time.Second)}, false},
		{"old, but fetched only while fresh", Observation{ago(time.Hour), ago(55 * time.Minute)}, false},
		{"never fetched", Observation{FirstSeen: ago(time.Hour)}, false},
		{"never seen", Observation{LastFetch: noon}, false},
		{"nothing known", Observation{}, false},
		{"first seen after the last fetch", Observation{noon, ago(poll)}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := Lapsed(c.o, lease, poll, noon); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// What another machine's clock says takes no part: only this machine's observations do.
func TestLapsedIgnoresPeersClock(t *testing.T) {
	t.Parallel()
	o := Observation{FirstSeen: noon, LastFetch: noon.Add(11 * time.Minute)}
	for _, skew := range []time.Duration{-time.Hour, 0, time.Hour} {
		shifted := Observation{o.FirstSeen.Add(skew), o.LastFetch.Add(skew)}
		if !Lapsed(shifted, 10*time.Minute, 20*time.Second, shifted.LastFetch) {
			t.Errorf("a clock off by %v changes the verdict", skew)
		}
	}
}

func TestVisible(t *testing.T) {
	t.Parallel()
	const stale = 24 * time.Hour
	still := func(d time.Duration) Observation { return Observation{noon.Add(-d), noon} }
	for _, c := range []struct {
		name   string
		status model.ItemStatus
		lapsed bool
		o      Observation
		want   bool
	}{
		{"active and alive", model.ItemActive, false, still(time.Minute), true},
		{"active and lapsed", model.ItemActive, true, still(time.Hour), true},
		{"active, lapsed to the limit", model.ItemActive, true, still(stale), true},
		{"active, lapsed past it", model.ItemActive, true, still(stale + time.Second), false},
		{"active, old value but not judged lapsed", model.ItemActive, false, still(stale + time.Hour), true},
		{"submitted, lapsed past it", model.ItemSubmitted, true, still(30 * stale), true},
		{"landed", model.ItemLanded, false, still(time.Minute), false},
		{"abandoned", model.ItemAbandoned, false, still(time.Minute), false},
		{"no status", "", false, still(time.Minute), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			it := model.Item{ID: "aaaaaaaaaaaa", Status: c.status}
			if got := Visible(it, c.lapsed, c.o, stale); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestIdle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status model.ItemStatus
		lapsed bool
		want   bool
	}{
		{model.ItemActive, true, true},
		{model.ItemActive, false, false},
		{model.ItemSubmitted, true, false},
	} {
		p := Peer{Item: model.Item{Status: c.status}, Lapsed: c.lapsed}
		if got := p.Idle(); got != c.want {
			t.Errorf("%s, lapsed %v: idle %v, want %v", c.status, c.lapsed, got, c.want)
		}
	}
}

func TestOthers(t *testing.T) {
	t.Parallel()
	peer := func(agent, item string, mine bool) Peer {
		return Peer{Agent: model.Agent{ID: agent}, Item: model.Item{ID: item}, Mine: mine}
	}
	v := &View{Agent: "me", Peers: []Peer{
		peer("zoe", "222222222222", false), peer("me", "bbbbbbbbbbbb", true),
		peer("me", "aaaaaaaaaaaa", true), peer("zoe", "111111111111", false),
	}}
	var got []string
	for _, p := range v.Others(model.Item{ID: "aaaaaaaaaaaa"}) {
		got = append(got, p.Item.ID)
	}
	want := []string{"bbbbbbbbbbbb", "111111111111", "222222222222"}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
	if v.Peers[0].Item.ID != "222222222222" {
		t.Error("Others reordered the view")
	}
}

func TestLookups(t *testing.T) {
	t.Parallel()
	const key, other = "00112233445566aa", "ffeeddccbbaa0099"
	v := &View{
		Agent:  "me",
		Claims: []model.Claim{{Key: other, Owner: "zoe"}, {Key: key, Owner: "me"}},
		Needs: []Need{
			{Agent: "me", Need: model.Need{Item: "mine", Key: key, PinnedSigHash: "s1"}},
			{Agent: "zoe", Need: model.Need{Item: "hers", Key: other}},
		},
	}
	if !v.HasNeed("mine", key) {
		t.Error("my need is not found")
	}
	for _, x := range [][2]string{{"mine", other}, {"hers", other}, {"hers", key}, {"", key}} {
		if v.HasNeed(x[0], x[1]) {
			t.Errorf("a need of %q on %q is made up", x[0], x[1])
		}
	}
	if c := v.Claim(key); c == nil || c.Owner != "me" {
		t.Errorf("claim on %s: %+v", key, c)
	}
	if c := v.Claim("1111111111111111"); c != nil {
		t.Errorf("a claim is made up: %+v", c)
	}
}
