package wire

import (
	"errors"
	"fmt"
	"sort"

	"gitlet/internal/model"
)

// limitCounts brings a footprint of absurd size under the counts readers accept,
// before it is checked entry by entry.
func limitCounts(f *model.Footprint) {
	if len(f.Refs) > maxRefs {
		f.Refs = nil
	}
	if len(f.Symbols) > maxSymbols {
		f.Symbols, f.Broad = nil, true
	}
	if len(f.Files) > maxFiles {
		f.Files, f.Broad = f.Files[:maxFiles], true
	}
}

// A trim takes something out of a footprint and reports whether there was anything.
type trim struct {
	what string
	do   func(*model.Footprint) bool
}

// trims are in the order of what readers miss least. Hunks go first: without them peers
// hear more about files than they need. Then references: without
// them peers hear of a change of theirs only through files. Then the parts of
// symbols that nobody compares. Without its symbols a footprint is broad, and
// files are all that is left to cut.
var trims = []trim{
	{"changed lines", dropHunks},
	{"unresolved references", dropUnresolved},
	{"references", dropRefs},
	{"details of symbols", dropDetails},
	{"symbols", dropSymbols},
	{"files", dropFiles},
}

// dropEnded takes out of a state what its readers need least: what ended items changed,
// and the items that ended longest ago where there are more than readers accept.
func dropEnded(s *model.State, ps *problems) (dropped bool) {
	for i := range s.Items {
		if it := &s.Items[i]; !it.Status.Open() && it.Footprint != nil {
			it.Footprint, dropped = nil, true
			ps.add(fmt.Sprintf("items[%d]", i), errors.New("what an ended item changed left out, the document is too large"))
		}
	}
	return dropped
}

// limitItems keeps the open items, and of the ended ones the latest, within what readers
// accept. An agent with more open ones than that is refused.
func limitItems(s *model.State, ps *problems) {
	over := len(s.Items) - maxItems
	if over <= 0 {
		return
	}
	var ended []int
	for i, it := range s.Items {
		if !it.Status.Open() {
			ended = append(ended, i)
		}
	}
	sort.SliceStable(ended, func(a, b int) bool { return s.Items[ended[a]].UpdatedAt.Before(s.Items[ended[b]].UpdatedAt) })
	gone := map[int]bool{}
	for _, i := range ended[:min(over, len(ended))] {
		gone[i] = true
	}
	kept := make([]model.Item, 0, len(s.Items))
	for i, it := range s.Items {
		if !gone[i] {
			kept = append(kept, it)
		}
	}
	s.Items = kept
	ps.add("items", fmt.Errorf("%d ended items left out, there are too many", len(gone)))
}

// fitState encodes s, taking detail out of the largest footprints first until it
// fits. s and its footprints are the encoder's own copies.
func fitState(s *model.State, ps *problems) ([]byte, error) {
	data, err := marshal(stateDoc{Format: Format, State: *s})
	if err != nil || len(data) <= MaxWrite {
		return data, err
	}
	if dropEnded(s, ps) {
		if data, err = marshal(stateDoc{Format: Format, State: *s}); err != nil || len(data) <= MaxWrite {
			return data, err
		}
	}
	// Only the footprint that changed is measured again: the rest keeps its size.
	total, size := len(data), map[int]int{}
	var order []int
	for i, it := range s.Items {
		if it.Footprint == nil {
			continue
		}
		if size[i], err = measure(it.Footprint); err != nil {
			return nil, err
		}
		order = append(order, i)
	}
	sort.SliceStable(order, func(a, b int) bool { return size[order[a]] > size[order[b]] })
	for _, t := range trims {
		for _, i := range order {
			// A trim may take several rounds, each halving what is there.
			for t.do(s.Items[i].Footprint) {
				ps.add(fmt.Sprintf("items[%d]", i), errors.New(t.what+" left out, the document is too large"))
				now, err := measure(s.Items[i].Footprint)
				if err != nil {
					return nil, err
				}
				if total, size[i] = total-size[i]+now, now; total <= MaxWrite {
					return marshal(stateDoc{Format: Format, State: *s})
				}
			}
		}
	}
	return nil, ErrTooLarge
}

// measure is the encoded size of f within a document.
func measure(f *model.Footprint) (int, error) {
	data, err := marshal(f)
	return len(data) - 1, err // without the line's end
}

func dropHunks(f *model.Footprint) bool {
	dropped := false
	for i := range f.Files {
		c := &f.Files[i]
		dropped = dropped || c.Was != ""
		c.Was, c.Hunks = "", nil
	}
	return dropped
}

func dropUnresolved(f *model.Footprint) bool {
	kept := make([]model.Ref, 0, len(f.Refs))
	for _, r := range f.Refs {
		if r.Resolved {
			kept = append(kept, r)
		}
	}
	dropped := len(kept) < len(f.Refs)
	f.Refs = kept
	return dropped
}

func dropRefs(f *model.Footprint) bool {
	dropped := len(f.Refs) > 0
	f.Refs = []model.Ref{}
	return dropped
}

// dropDetails removes byte offsets everywhere, and the structured parts of symbols
// whose callers see no difference.
func dropDetails(f *model.Footprint) bool {
	dropped := false
	for i := range f.Symbols {
		c := &f.Symbols[i]
		s := &c.Symbol
		if s.StartByte != 0 || s.EndByte != 0 {
			s.StartByte, s.EndByte, dropped = 0, 0, true
		}
		if c.Change != model.ChangeBody && c.Change != model.ChangeAdded {
			continue
		}
		if len(s.TypeParams)+len(s.Params)+len(s.Members)+len(s.Overloads)+len(s.Results) > 0 {
			s.TypeParams, s.Params, s.Members, s.Overloads, s.Results = nil, nil, nil, nil, ""
			dropped = true
		}
	}
	return dropped
}

func dropSymbols(f *model.Footprint) bool {
	dropped := len(f.Symbols) > 0
	f.Symbols = []model.SymbolChange{}
	f.Broad = f.Broad || dropped
	return dropped
}

// dropFiles keeps the first half.
func dropFiles(f *model.Footprint) bool {
	if len(f.Files) == 0 {
		return false
	}
	f.Files, f.Broad = f.Files[:len(f.Files)/2], true
	return true
}

// What long texts of an outbox or a claim are cut to when it is too large: at first, and
// when there is no other way.
const shortText, shortestText = 512, 80

// An outboxTrim takes something out of an outbox and reports whether there was anything.
// It may be called again, to take more.
type outboxTrim struct {
	what string
	do   func(*model.Outbox) bool
}

// outboxTrims are in the order of what readers miss least. Needs, accepts and proposals
// stay whatever happens: what was agreed would be another thing without them, and so
// would who waits for whom. Of what was only said, the last is what matters.
var outboxTrims = []outboxTrim{
	{"long texts", func(o *model.Outbox) bool { return shortenOutbox(o, shortText) }},
	{"what earlier messages had seen", dropSeen},
	{"earlier messages", dropMessages},
	{"long texts", func(o *model.Outbox) bool { return shortenOutbox(o, shortestText) }},
}

// fitOutbox encodes o, the encoder's own copy, taking out of it until it fits.
func fitOutbox(o *model.Outbox, ps *problems) ([]byte, error) {
	data, err := marshal(outboxDoc{Format: Format, Outbox: *o})
	for _, t := range outboxTrims {
		for err == nil && len(data) > MaxWrite && t.do(o) {
			ps.add("outbox", errors.New(t.what+" left out, the document is too large"))
			data, err = marshal(outboxDoc{Format: Format, Outbox: *o})
		}
	}
	if err == nil && len(data) > MaxWrite {
		return nil, ErrTooLarge
	}
	return data, err
}

func shortenOutbox(o *model.Outbox, most int) (cut bool) {
	shorten := func(s *string) {
		if len(*s) > most {
			note(s, most)
			cut = true
		}
	}
	for i := range o.Needs {
		shorten(&o.Needs[i].Requirement)
	}
	for i := range o.Messages {
		shorten(&o.Messages[i].Text)
		if p := o.Messages[i].Proposal; p != nil {
			shorten(&p.Summary)
		}
	}
	return cut
}

// dropSeen keeps for each thread only what its last message had seen, which says as much.
func dropSeen(o *model.Outbox) (dropped bool) {
	last := map[string]int{}
	for i, m := range o.Messages {
		last[m.Thread] = i
	}
	for i := range o.Messages {
		if m := &o.Messages[i]; len(m.Seen) > 0 && last[m.Thread] != i {
			m.Seen, dropped = []string{}, true
		}
	}
	return dropped
}

// dropMessages drops the earlier half of the messages that no thread hangs on: they
// propose nothing, and their thread has a later one.
func dropMessages(o *model.Outbox) bool {
	last := map[string]int{}
	for i, m := range o.Messages {
		last[m.Thread] = i
	}
	var spare []int
	for i, m := range o.Messages {
		if m.Proposal == nil && last[m.Thread] != i {
			spare = append(spare, i)
		}
	}
	gone := map[int]bool{}
	for _, i := range spare[:(len(spare)+1)/2] {
		gone[i] = true
	}
	kept := make([]model.Message, 0, len(o.Messages))
	for i, m := range o.Messages {
		if !gone[i] {
			kept = append(kept, m)
		}
	}
	o.Messages = kept
	return len(gone) > 0
}
