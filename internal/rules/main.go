package rules

import (
	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/view"
)

// mainWork is what main changed since an item's base, ready to be compared with what
// the item changes. ok is false when that is not known, or main changed too much.
func (in *Input) mainWork(mine model.Item) (s view.Since, ok bool) {
	if s = in.View.SinceBase(mine); in.pairOnly {
		return s, false
	}
	return s, s.Footprint != nil && !s.Wide
}

// uniqueOnMain counts main's changed methods along: a name that main changed too can
// mean either.
func (in *Input) uniqueOnMain(s view.Since) func(name, family string) bool {
	if in.onMain[s.Footprint] == nil {
		in.onMain[s.Footprint] = uniqueMethods(in.View, s.Footprint)
	}
	return in.onMain[s.Footprint]
}

// holder is the definition of main's that a reference in changed code stands in, by
// main's key; "" outside every definition.
func (ix *index) holder(r model.Ref) string {
	if r.In == "" {
		return ""
	}
	key := id.SymbolKey(r.Lang, r.Path, r.In)
	if c := ix.arrival[key]; c != nil {
		return originKey(c)
	}
	return key
}

// did says what main did to the symbol called it.
func did(c *model.SymbolChange, it string) string {
	switch c.Change {
	case model.ChangeRemoved:
		return "removed " + it
	case model.ChangeRenamed:
		return "renamed " + it + " to " + place(c.Symbol.Qualified)
	case model.ChangeMoved:
		return "moved " + it + " to " + place(c.Symbol.Path)
	}
	return "changed " + it
}

// readMain offers to read what main changed, in the files the note is about.
var readMain = Choice{Why: "read what main changed", When: "the note is about a file of main", argv: readMainArgv, fits: hasPaths}

func hasPaths(_ *Input, fs []finding) bool { return len(fs[0].paths) > 0 && id.ValidOID(fs[0].base) }

func readMainArgv(_ *Input, fs []finding) []string {
	return diffArgv(fs[0].base, fs[0].tip, fs[0].paths)
}
