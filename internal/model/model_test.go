package model

import (
	"encoding/json"
	"testing"
)

func TestFootprintFindsASymbolByEitherName(t *testing.T) {
	f := &Footprint{Symbols: []SymbolChange{
		{Change: ChangeRenamed, OldKey: "old0", Symbol: Symbol{Key: "new0"}},
		{Change: ChangeBody, Symbol: Symbol{Key: "body"}},
	}, Files: []FileChange{{Path: "b.go", OldPath: "a.go", Status: "R"}}}
	for _, key := range []string{"old0", "new0", "body"} {
		if f.Change(key) == nil {
			t.Errorf("Change(%q) finds nothing", key)
		}
	}
	if f.Change("") != nil || f.Change("none") != nil || (*Footprint)(nil).Change("body") != nil {
		t.Error("an unknown key must find nothing")
	}
	if f.File("a.go") == nil || f.File("b.go") == nil || f.File("") != nil {
		t.Error("a renamed file is found by both paths and by nothing else")
	}
}

func TestTipIsTheSnapshotOnlyWhileActive(t *testing.T) {
	it := Item{Status: ItemActive, Snapshot: "s", Head: "h"}
	if it.Tip() != "s" {
		t.Error("an active item's tip is its snapshot")
	}
	it.Status = ItemSubmitted
	if it.Tip() != "h" {
		t.Error("a submitted item's tip is its head")
	}
}

// The JSON names are what other tools read: they may be added to, never changed.
func TestNoteJSON(t *testing.T) {
	n := Note{ID: "n-1", Kind: "k", Severity: Act, State: NoteNew, Title: "t", Evidence: []string{"e"},
		Options: []Option{{Verb: "need", Args: map[string]any{"symbol": "s"}, Call: "c", Why: "w"}, {Argv: []string{"git", "diff"}, Shell: "git diff", Why: "r"}},
		Item:    "i", Others: []Other{{Agent: "a", Item: "o", Intent: "x"}}, Subject: "src/a.ts:f", Since: "now"}
	got, err := json.Marshal(n)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"n-1","kind":"k","severity":"act","state":"new","title":"t","evidence":["e"],` +
		`"options":[{"verb":"need","args":{"symbol":"s"},"call":"c","why":"w"},{"argv":["git","diff"],"shell":"git diff","why":"r"}],` +
		`"item":"i","others":[{"agent":"a","item":"o","intent":"x"}],"subject":"src/a.ts:f","since":"now"}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestSeverities(t *testing.T) {
	if Act.Lower() != Warn || Warn.Lower() != Info || Info.Lower() != Info {
		t.Error("lowering goes act, warn, info, info")
	}
	if Act.Rank() >= Warn.Rank() || Warn.Rank() >= Info.Rank() {
		t.Error("act ranks before warn, warn before info")
	}
}
