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

// trims are in the order of what readers miss least. References go first: without
// them peers hear of a change of theirs only through files. Then the parts of
// symbols that nobody compares. Without its symbols a footprint is broad, and
// files are all that is left to cut.
var trims = []trim{
	{"unresolved references", dropUnresolved},
	{"references", dropRefs},
	{"details of symbols", dropDetails},
	{"symbols", dropSymbols},
	{"files", dropFiles},
}

// fitState encodes s, taking detail out of the largest footprints first until it
// fits. s and its footprints are the encoder's own copies.
func fitState(s *model.State, ps *problems) ([]byte, error) {
	data, err := marshal(stateDoc{Format: Format, State: *s})
	if err != nil || len(data) <= MaxWrite {
		return data, err
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

// shortText is what long texts of an outbox or a claim are cut to when it is too large.
const shortText = 512
