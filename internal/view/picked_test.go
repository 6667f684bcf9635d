package view

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"gitlet/internal/model"
)

func sym(path, name string) model.Symbol {
	return model.Symbol{Lang: "go", Path: path, Name: name, Qualified: name, StartLine: 3, EndLine: 5, Signature: name + " new", SigHash: strings.Repeat("a", 16), BodyHash: strings.Repeat("b", 16)}.At(path)
}

// markedWork is a footprint with one symbol of each mark, and references from each.
func markedWork() *model.Footprint {
	return &model.Footprint{
		Symbols: []model.SymbolChange{
			{Change: model.ChangeSignature, Breaking: true, OldSignature: "old", OldSigHash: "0000", Picked: model.PickedWhole, Symbol: sym("a.go", "Whole")},
			{Change: model.ChangeSignature, Breaking: true, OldSignature: "old", OldSigHash: "0000", Reasons: []string{"r"}, Picked: model.PickedSignature, Symbol: sym("b.go", "Inside")},
			{Change: model.ChangeBody, Symbol: sym("b.go", "Mine")},
		},
		Files: []model.FileChange{
			{Path: "a.go", Status: "M", Parsed: true, Picked: true, Was: "1", Hunks: []model.Hunk{{Start: 3, Old: 1, New: 3, Picked: true}}},
			{Path: "b.go", Status: "M", Parsed: true, Outside: true, Was: "2", Hunks: []model.Hunk{{Start: 1, New: 2, Outside: true, Picked: true}, {Start: 9, Old: 1, New: 1}}},
			{Path: "c.go", Status: "M", Parsed: true, Outside: true, Was: "3", Hunks: []model.Hunk{{Start: 1, New: 2, Picked: true}, {Start: 9, Old: 1, New: 1, Outside: true}}},
		},
		Refs: []model.Ref{
			{Name: "x1", Path: "a.go", In: "Whole", Line: 4}, {Name: "x2", Path: "b.go", In: "Inside", Line: 4}, {Name: "x3", Path: "b.go", Line: 2},
			{Name: "x4", Path: "b.go", Line: 11}, {Name: "x5", Path: "a.go", Line: 1}, {Name: "x6", Path: "b.go", In: "Whole", Line: 12},
		},
	}
}

// short is what a footprint says, a word for each entry.
func short(f *model.Footprint) string {
	var out []string
	for _, c := range f.Files {
		out = append(out, fmt.Sprintf("%s outside=%v", c.Path, c.Outside))
	}
	for _, c := range f.Symbols {
		out = append(out, fmt.Sprintf("%s %s breaking=%v was=%q", c.Symbol.Qualified, c.Change, c.Breaking, c.OldSignature))
	}
	for _, r := range f.Refs {
		out = append(out, r.Name)
	}
	return strings.Join(out, "; ")
}

func TestOwn(t *testing.T) {
	t.Parallel()
	f := markedWork()
	own, picked := Own(f)
	want := `b.go outside=false; c.go outside=true; Inside body breaking=false was="old"; Mine body breaking=false was=""; x2; x4; x6`
	if got := short(own); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(picked) != 2 || picked[0].Symbol.Qualified != "Whole" || picked[1].Symbol.Qualified != "Inside" {
		t.Errorf("left out: %+v", picked)
	}
	if !reflect.DeepEqual(f, markedWork()) {
		t.Error("the footprint itself changed")
	}
	if again, none := Own(own); short(again) != want || none != nil {
		t.Errorf("a second time: %s, %+v", short(again), none)
	}
	plain := &model.Footprint{Symbols: []model.SymbolChange{{Change: model.ChangeBody, Symbol: sym("b.go", "Mine")}}}
	if same, _ := Own(plain); same != plain {
		t.Error("a footprint without marks is copied")
	}
}

func TestLeavePicked(t *testing.T) {
	t.Parallel()
	load := sym("a.go", "Load")
	hash := load.SigHash
	signature := model.SymbolChange{Change: model.ChangeSignature, Symbol: load}
	marked := signature
	marked.Picked = model.PickedWhole
	for _, c := range []struct {
		name    string
		change  model.SymbolChange
		stubs   []string
		need    model.Need
		claimed string // by which agent's item "it"
		left    bool
	}{
		{"marked", marked, []string{"s"}, model.Need{PinnedSigHash: hash, PinnedStub: "s"}, "zoe", true},
		{"marked, and the need gone since", marked, []string{"s"}, model.Need{Item: "another"}, "zoe", true},
		{"pinned by a gitlet that marks nothing", signature, nil, model.Need{PinnedSigHash: hash, PinnedStub: "s"}, "zoe", true},
		{"pinned, and found to be edited further", signature, []string{"s"}, model.Need{PinnedSigHash: hash, PinnedStub: "s"}, "zoe", false},
		{"needed only", signature, nil, model.Need{}, "zoe", false},
		{"pinned to another signature", signature, nil, model.Need{PinnedSigHash: strings.Repeat("c", 16), PinnedStub: "s"}, "zoe", false},
		{"pinned by another item", signature, nil, model.Need{Item: "another", PinnedSigHash: hash}, "zoe", false},
		{"pinned, and owned by itself since", signature, nil, model.Need{PinnedSigHash: hash, PinnedStub: "s"}, "me", false},
		{"its inside changed, on a main that has the signature", model.SymbolChange{Change: model.ChangeBody, Symbol: load}, nil, model.Need{PinnedSigHash: hash}, "zoe", false},
		{"removed", model.SymbolChange{Change: model.ChangeRemoved, Symbol: load}, nil, model.Need{PinnedSigHash: hash}, "zoe", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := &model.Footprint{Symbols: []model.SymbolChange{c.change}, Stubs: c.stubs}
			n := c.need
			if n.Key = load.Key; n.Item == "" {
				n.Item = "it"
			}
			v := &View{Agent: "me", Items: []model.Item{{ID: "it", Footprint: f}},
				Peers:  []Peer{{Agent: model.Agent{ID: "me"}, Item: model.Item{ID: "it", Footprint: f}}},
				Needs:  []Need{{Agent: "me", Need: n}},
				Claims: []model.Claim{{Key: load.Key, Owner: c.claimed, Item: "it"}}}
			v.LeavePicked()
			own := v.Items[0].Footprint
			if left := len(own.Symbols) == 0; left != c.left || v.Peers[0].Item.Footprint != own {
				t.Errorf("left out: %v; %+v", left, own.Symbols)
			}
			if is := v.Picked("it", load.Key); (is != nil) != c.left {
				t.Errorf("picked: %+v", is)
			}
			if len(f.Symbols) != 1 || f.Symbols[0].Picked != c.change.Picked {
				t.Error("the document's footprint changed")
			}
		})
	}
}

// Where two meet, a stub counts as common when both hold it, picked or owned.
func TestStubsBetween(t *testing.T) {
	t.Parallel()
	a, b, c, d := sym("a.go", "A").Key, sym("a.go", "B").Key, sym("a.go", "C").Key, sym("a.go", "D").Key
	need := func(agent, key, stub string) Need {
		return Need{Agent: agent, Need: model.Need{Item: agent + "-item", Key: key, PinnedStub: stub}}
	}
	v := &View{Agent: "me",
		Needs: []Need{need("me", a, "s1"), need("me", b, "s2"), need("me", c, "s3"), need("zoe", b, "s2"), need("zoe", d, "s4"), need("bob", d, "s4"), need("me", d, "")},
		Claims: []model.Claim{{Key: a, Owner: "zoe", Item: "zoe-item", Contract: &model.Contract{}}, {Key: b, Owner: "bob", Item: "bob-item"},
			{Key: c, Owner: "bob", Item: "other-item"}, {Key: d, Owner: "bob", Item: "bob-item"}},
	}
	peer := func(agent string) Peer {
		return Peer{Agent: model.Agent{ID: agent}, Item: model.Item{ID: agent + "-item"}}
	}
	for agent, want := range map[string]Stubs{
		"zoe": {Common: []string{"s1", "s2"}, Mine: []string{"s3"}, Other: []string{"s4"}},
		"bob": {Common: []string{"s2"}, Mine: []string{"s1", "s3"}},
		"eve": {Mine: []string{"s1", "s2", "s3"}},
	} {
		if got := v.StubsBetween(model.Item{ID: "me-item"}, peer(agent)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", agent, got, want)
		}
	}
	if got := (&View{}).StubsBetween(model.Item{}, peer("eve")); !got.None() {
		t.Errorf("made up: %+v", got)
	}
}
