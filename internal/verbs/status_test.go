package verbs

import (
	"strings"
	"testing"

	"gitlet/internal/model"
	"gitlet/internal/verb"
	"gitlet/internal/view"
)

func TestLandingOrder(t *testing.T) {
	note := func(kind, mine string, others ...string) model.Note {
		n := model.Note{Kind: kind, Item: mine}
		for _, o := range others {
			n.Others = append(n.Others, model.Other{Item: o})
		}
		return n
	}
	for _, c := range []struct {
		name  string
		notes []model.Note
		want  string
	}{
		{"alone", nil, "m"},
		{"theirs changes what I call", []model.Note{note("callee_changed", "m", "z", "a")}, "a z m"},
		{"I change what they call", []model.Note{note("callers_affected", "m", "a")}, "m a"},
		{"between two", []model.Note{note("callee_changed", "m", "z"), note("callers_affected", "m", "a")}, "z m a"},
		{"a circle falls back to ids", []model.Note{note("callee_changed", "m", "a"), note("callers_affected", "m", "a")}, "a m"},
		{"other kinds say nothing", []model.Note{note("body_overlap", "m", "a")}, "m"},
	} {
		v := &view.View{Items: []model.Item{{ID: "m"}}}
		if got := strings.Join(landingOrder(v, c.notes), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Who picked or waits for a signature lands after its owner, though no note says so.
func TestLandingOrderOfNeeds(t *testing.T) {
	peer := func(agent, item string) view.Peer {
		return view.Peer{Agent: model.Agent{ID: agent}, Item: model.Item{ID: item}}
	}
	need := func(agent, item, key string) view.Need {
		return view.Need{Agent: agent, Need: model.Need{Item: item, Key: key}}
	}
	claim := func(agent, item, key string) model.Claim { return model.Claim{Owner: agent, Item: item, Key: key} }
	for _, c := range []struct {
		name  string
		need  view.Need
		claim model.Claim
		want  string
	}{
		{"I need theirs", need("me", "m", "K"), claim("zoe", "z", "K"), "z m"},
		{"they need mine", need("al", "a", "K"), claim("me", "m", "K"), "m a"},
		{"nobody owns it", need("me", "m", "K"), claim("zoe", "z", "L"), "m"},
		{"between others", need("al", "a", "K"), claim("zoe", "z", "K"), "m"},
		{"my own", need("me", "m", "K"), claim("me", "m", "K"), "m"},
		{"its owner's task is over", need("me", "m", "K"), claim("zoe", "x", "K"), "m"},
		{"a claim that names another's task", need("me", "m", "K"), claim("zoe", "a", "K"), "m"},
	} {
		v := &view.View{Agent: "me", Items: []model.Item{{ID: "m"}}, Peers: []view.Peer{peer("me", "m"), peer("zoe", "z"), peer("al", "a")},
			Needs: []view.Need{c.need}, Claims: []model.Claim{c.claim}}
		if got := strings.Join(landingOrder(v, nil), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestOverlaps(t *testing.T) {
	fp := func(files []string, keys ...string) *model.Footprint {
		f := &model.Footprint{}
		for _, p := range files {
			f.Files = append(f.Files, model.FileChange{Path: p})
		}
		for _, k := range keys {
			f.Symbols = append(f.Symbols, model.SymbolChange{Symbol: model.Symbol{Key: k, Path: "a.go", Qualified: k}})
		}
		return f
	}
	mine := model.Item{ID: "m", Footprint: fp([]string{"a.go", "b.go"}, "K")}
	v := &view.View{Items: []model.Item{mine}, Predictions: map[view.Pair]view.Prediction{
		{Mine: "m", Other: "clean"}:    {Known: true},
		{Mine: "m", Other: "conflict"}: {Known: true, Files: []string{"a.go"}},
	}}
	for id, f := range map[string]*model.Footprint{
		"m": mine.Footprint, "none": fp([]string{"c.go"}), "clean": fp([]string{"b.go"}),
		"conflict": fp([]string{"a.go"}, "K"), "unknown": fp([]string{"a.go"}), "empty": nil,
	} {
		v.Peers = append(v.Peers, view.Peer{Agent: model.Agent{ID: id}, Item: model.Item{ID: id, Footprint: f}})
	}
	got := map[string]Overlap{}
	for _, o := range overlaps(v) {
		got[o.Item] = o
	}
	if len(got) != 3 || got["clean"].Conflicts == nil || len(got["clean"].Conflicts) != 0 || got["unknown"].Conflicts != nil ||
		len(got["conflict"].Symbols) != 1 || len(got["conflict"].Conflicts) != 1 {
		t.Errorf("got %+v", got)
	}
}

// The table is what both faces are made from: every row is complete, and what is not
// built has no function.
func TestTable(t *testing.T) {
	if err := verb.Check(Table()); err != nil {
		t.Error(err)
	}
	for _, v := range table {
		if v.Built != (v.Run != nil) {
			t.Errorf("%s: built is %v", v.Name, v.Built)
		}
	}
}
