package wire

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"gitlet/internal/model"
)

// TestOutboxKeepsWhatMatters: an outbox that is too large loses what was only said, the
// earliest first; never a need, an accept, a proposal or the last word of a thread.
func TestOutboxKeepsWhatMatters(t *testing.T) {
	t.Parallel()
	o := model.Outbox{Agent: agent}
	at := time.Date(2026, 10, 26, 0, 0, 0, 0, time.UTC)
	for i := range 200 {
		o.Needs = append(o.Needs, model.Need{ID: fmt.Sprintf("%012x", i), Key: fmt.Sprintf("%016x", i), Item: "0123456789ab", Requirement: strings.Repeat("keep it ", 20)})
		o.Accepts = append(o.Accepts, model.Accept{Thread: fmt.Sprintf("t-%012x", i), Proposal: fmt.Sprintf("p-%012x", i)})
	}
	for i := range 3000 {
		m := model.Message{ID: fmt.Sprintf("%012x", i), Thread: fmt.Sprintf("t-%012x", i%20), Kind: "note", From: agent,
			Text: strings.Repeat("word ", 100), At: at.Add(time.Duration(i) * time.Minute)}
		for j := range min(i, 30) {
			m.Seen = append(m.Seen, fmt.Sprintf("%012x", i-j))
		}
		if i%100 == 7 {
			m.Proposal = &model.Proposal{ID: fmt.Sprintf("p-%012x", i), Owner: agent, Signature: "func F()", Summary: "sum"}
		}
		o.Messages = append(o.Messages, m)
	}
	data, ps, err := EncodeOutbox(o)
	if err != nil || len(data) > MaxWrite || len(ps) == 0 {
		t.Fatalf("%d bytes, %v, %v", len(data), ps, err)
	}
	got, _, err := DecodeOutbox(data, agent)
	if err != nil || len(got.Needs) != 200 || len(got.Accepts) != 200 {
		t.Fatalf("%d needs, %d accepts, %v", len(got.Needs), len(got.Accepts), err)
	}
	proposals, said, last := 0, 0, ""
	threads := map[string]bool{}
	for _, m := range got.Messages {
		if m.Proposal != nil {
			proposals++
		} else {
			said++
		}
		if m.ID < last {
			t.Fatal("the order changed")
		}
		threads[m.Thread], last = true, m.ID
	}
	if proposals != 30 || len(threads) != 20 || said < 50 || last != fmt.Sprintf("%012x", 2999) || len(got.Messages[len(got.Messages)-1].Seen) != 30 {
		t.Errorf("%d proposals, %d others in %d threads, the last is %s", proposals, said, len(threads), last)
	}
	if len(o.Messages) != 3000 || len(o.Messages[2000].Seen) != 30 || len(o.Messages[0].Text) != 500 {
		t.Error("encoding changed its argument")
	}
	// More than readers take is brought under it, too.
	for i := range 3000 {
		o.Messages = append(o.Messages, model.Message{ID: fmt.Sprintf("%012x", 5000+i), Thread: "t-0123456789ab", Kind: "note", From: agent})
	}
	if data, _, err = EncodeOutbox(o); err != nil {
		t.Fatal(err)
	}
	if _, _, err = DecodeOutbox(data, agent); err != nil {
		t.Error(err)
	}
}

// TestStateKeepsOpenItems: what ended items changed goes before anything of an open one,
// and of too many items the ones that ended longest ago.
func TestStateKeepsOpenItems(t *testing.T) {
	t.Parallel()
	s := sampleState()
	open := s.Items[0]
	wide := *open.Footprint
	for i := range 400 {
		sym := symbol()
		sym.Key = fmt.Sprintf("%016x", i)
		wide.Symbols = append(wide.Symbols, model.SymbolChange{Change: model.ChangeAdded, Symbol: sym})
	}
	s.Items = nil
	at := time.Date(2026, 10, 26, 0, 0, 0, 0, time.UTC)
	for i := range 300 {
		it := open
		it.ID, it.Status, it.UpdatedAt = fmt.Sprintf("%012x", i), model.ItemLanded, at.Add(time.Duration(300-i)*time.Minute)
		if i%20 == 0 {
			it.Footprint = &wide
		}
		if i == 150 {
			it.Status = model.ItemActive
		}
		s.Items = append(s.Items, it)
	}
	data, ps, err := EncodeState(s)
	if err != nil || len(data) > MaxWrite || len(ps) == 0 {
		t.Fatalf("%d bytes, %v, %v", len(data), ps, err)
	}
	got, _, err := DecodeState(data, s.Agent.ID)
	if err != nil || len(got.Items) != maxItems {
		t.Fatalf("%d items, %v", len(got.Items), err)
	}
	if got.Items[0].ID != s.Items[0].ID || got.Item(s.Items[150].ID) == nil || got.Item(s.Items[299].ID) != nil {
		t.Error("the wrong items were left out")
	}
	active := got.Item(s.Items[150].ID)
	if active.Footprint == nil || len(active.Footprint.Symbols) != len(open.Footprint.Symbols) || len(active.Footprint.Refs) != len(open.Footprint.Refs) {
		t.Errorf("the open item lost %+v", active.Footprint)
	}
	for i := range s.Items {
		s.Items[i].Status = model.ItemActive
	}
	if _, _, err := EncodeState(s); err == nil {
		t.Error("more open items than readers take are published")
	}
}

// TestTrim: growing documents lose references, then details, then symbols, then
// files, and always fit.
func TestTrim(t *testing.T) {
	t.Parallel()
	big := func(files, symbols, refs int) model.State {
		s := sampleState()
		f := s.Items[0].Footprint
		base := f.Symbols[0]
		for i := range files {
			f.Files = append(f.Files, model.FileChange{Path: fmt.Sprintf("src/deeply/nested/folder/file%06d.ts", i), Status: "M"})
		}
		for range symbols {
			c := base
			c.Change, c.OldSignature = model.ChangeBody, ""
			f.Symbols = append(f.Symbols, c)
		}
		for i := range refs {
			f.Refs = append(f.Refs, model.Ref{Name: "loadFile", Kind: model.RefCall, Lang: "typescript", Path: "src/config.ts", Line: i, Resolved: i%2 == 0})
		}
		return s
	}
	cases := []struct {
		name                  string
		files, symbols, refs  int
		keepsRefs, keepsSyms  bool
		keepsFiles, keepsByte bool
	}{
		{"fits", 10, 10, 10, true, true, true, true},
		{"unresolved references", 10, 10, 3000, true, true, true, true},
		{"references", 10, 10, 9000, false, true, true, true},
		{"details", 10, 600, 2000, false, true, true, false},
		{"symbols", 10, 5000, 10, false, false, true, false},
		{"files", 9000, 10, 10, false, false, false, false},
		{"absurd counts", 2 * maxFiles, 2 * maxSymbols, 2 * maxRefs, false, false, false, false},
	}
	for _, c := range cases {
		s := big(c.files, c.symbols, c.refs)
		before := len(s.Items[0].Footprint.Refs)
		data, ps, err := EncodeState(s)
		if err != nil || len(data) > MaxWrite {
			t.Errorf("%s: %d bytes, %v", c.name, len(data), err)
			continue
		}
		if len(s.Items[0].Footprint.Refs) != before || s.Items[0].Footprint.Broad {
			t.Errorf("%s: encoding changed its argument", c.name)
		}
		again, _, _ := EncodeState(s)
		if !bytes.Equal(again, data) {
			t.Errorf("%s: not deterministic", c.name)
		}
		got, _, err := DecodeState(data, agent)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		f := got.Items[0].Footprint
		if has := len(f.Refs) > 0; has != c.keepsRefs {
			t.Errorf("%s: %d refs (%v)", c.name, len(f.Refs), ps)
		}
		if has := len(f.Symbols) > 0; has != c.keepsSyms || f.Broad == c.keepsSyms {
			t.Errorf("%s: %d symbols, broad %v (%v)", c.name, len(f.Symbols), f.Broad, ps)
		}
		if all := len(f.Files) == c.files+1; all != c.keepsFiles || len(f.Files) == 0 {
			t.Errorf("%s: %d files of %d (%v)", c.name, len(f.Files), c.files, ps)
		}
		if c.keepsSyms && (f.Symbols[0].Symbol.EndByte != 0) != c.keepsByte {
			t.Errorf("%s: positions (%v)", c.name, ps)
		}
		if c.name != "fits" && len(ps) == 0 {
			t.Errorf("%s: nothing says that detail was left out", c.name)
		}
	}
}

// TestTrimNeighbours: the largest footprint pays; a small one keeps everything.
func TestTrimNeighbours(t *testing.T) {
	t.Parallel()
	s := sampleState()
	small := s.Items[0]
	f := *small.Footprint
	large := small
	large.ID, large.Footprint = "ffffffffffff", &f
	for i := range 5000 {
		f.Refs = append(f.Refs, model.Ref{Name: "loadFile", Kind: model.RefCall, Lang: "go", Path: "a.go", Line: i, Resolved: true})
	}
	s.Items = []model.Item{small, large}
	data, _, err := EncodeState(s)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := DecodeState(data, agent)
	if err != nil || len(got.Items[0].Footprint.Refs) != 1 || len(got.Items[1].Footprint.Refs) != 0 {
		t.Errorf("%v: %d and %d refs", err, len(got.Items[0].Footprint.Refs), len(got.Items[1].Footprint.Refs))
	}
}
