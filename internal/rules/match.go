package rules

import (
	"gitlet/internal/footprint"
	"gitlet/internal/model"
	"gitlet/internal/view"
)

// uses are the references of one footprint to one symbol.
type uses struct {
	refs     []model.Ref
	resolved bool // they certainly mean this symbol
}

// index answers questions about one footprint without walking it each time.
type index struct {
	// origin finds a change by main's key of the symbol, arrival by a key that main
	// does not have: what is added, or comes here by a move or rename.
	origin, arrival map[string]*model.SymbolChange
	// visible are the changes that users of main's symbols notice, in path and name
	// order; targets finds the references to them.
	visible []*model.SymbolChange
	targets *footprint.Index
}

func newIndex(f *model.Footprint) *index {
	ix := &index{origin: make(map[string]*model.SymbolChange, len(f.Symbols)), arrival: map[string]*model.SymbolChange{}}
	noticed := 0
	for i := range f.Symbols {
		if f.Symbols[i].SignatureChanged() {
			noticed++
		}
	}
	ix.visible = make([]*model.SymbolChange, 0, noticed)
	symbols := make([]model.Symbol, 0, noticed)
	for i := range f.Symbols {
		c := &f.Symbols[i]
		if c.Change == model.ChangeAdded {
			ix.arrival[c.Symbol.Key] = c
			continue
		}
		ix.origin[originKey(c)] = c
		if originKey(c) != c.Symbol.Key {
			ix.arrival[c.Symbol.Key] = c
		}
		if c.SignatureChanged() {
			ix.visible = append(ix.visible, c)
			symbols = append(symbols, before(c))
		}
	}
	ix.targets = footprint.NewIndex(symbols)
	return ix
}

// of returns the index of a footprint in view, made on first use.
func (in *Input) of(f *model.Footprint) *index {
	ix := in.indexes[f]
	if ix == nil {
		ix = newIndex(f)
		in.indexes[f] = ix
	}
	return ix
}

// holds is how an item has one of main's symbols, where it has it otherwise: by a change of
// its own, or from a published signature it picked. nil where it has it as main does.
func (in *Input) holds(it model.Item, key string) *model.SymbolChange {
	if c := in.of(it.Footprint).origin[key]; c != nil {
		return c
	}
	return in.View.Picked(it.ID, key)
}

// usesOf finds, for each change in changed that callers notice, the references to it
// from the code of user. Certain references hide those that rest on the name alone.
func (in *Input) usesOf(user, changed *model.Footprint) map[*model.SymbolChange]uses {
	return in.usesBy(user, changed, in.unique)
}

// usesBy is usesOf with another test for what a method's name alone can mean.
func (in *Input) usesBy(user, changed *model.Footprint, unique func(name, family string) bool) map[*model.SymbolChange]uses {
	ix := in.of(changed)
	sure, maybe := map[int][]model.Ref{}, map[int][]model.Ref{}
	version := footprint.Version(user)
	for _, r := range user.Refs {
		for _, hit := range ix.targets.Find(r, version, unique) {
			if movedAlong(ix.visible[hit.Symbol], r, version, hit.Kind) {
				continue
			}
			switch hit.Kind {
			case footprint.Resolved:
				sure[hit.Symbol] = append(sure[hit.Symbol], r)
			case footprint.Unresolved:
				maybe[hit.Symbol] = append(maybe[hit.Symbol], r)
			}
		}
	}
	out := map[*model.SymbolChange]uses{}
	for i, refs := range maybe {
		out[ix.visible[i]] = uses{refs: refs}
	}
	for i, refs := range sure {
		out[ix.visible[i]] = uses{refs: refs, resolved: true}
	}
	return out
}

// hurt are the references that the change can break, as far as the code tells.
func (u uses) hurt(c *model.SymbolChange) uses {
	out := uses{resolved: u.resolved}
	for _, r := range u.refs {
		if footprint.MayBreak(r, *c) {
			out.refs = append(out.refs, r)
		}
	}
	return out
}

// spared says why code that uses a symbol outlives a breaking change of it.
func spared(whose string, c *model.SymbolChange) fact {
	if c.Breaks == model.BreaksCalls {
		return fact{whose + " calls", "fit the new parameters too"}
	}
	return fact{whose + " code", "only names the type, and builds or takes apart no value of it"}
}

// movedAlong reports whether a symbol that only moved is still found by the reference.
// It is where the reference stands in the file that moves, since git carries edits over;
// where the new place goes by the same name (a src folder that came in between); and
// where a method is called on a value, which is found wherever its type is.
func movedAlong(c *model.SymbolChange, r model.Ref, version int, kind footprint.MatchKind) bool {
	if c.Change != model.ChangeMoved || c.SigChanged {
		return false
	}
	return r.Path == before(c).Path || kind == footprint.Unresolved ||
		footprint.Match(r, version, c.Symbol, nil) == footprint.Resolved
}

// uniqueMethods is the test whether one changed symbol in view has a method's name.
func uniqueMethods(v *view.View, more ...*model.Footprint) func(name, family string) bool {
	all := more
	for _, it := range v.Items {
		all = append(all, it.Footprint)
	}
	for _, p := range v.Peers {
		all = append(all, p.Item.Footprint)
	}
	return footprint.UniqueMethods(all...)
}
