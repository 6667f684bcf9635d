package view

import (
	"slices"

	"gitlet/internal/model"
)

// A stub that an item picked stands in its branch until the interface lands, and in its
// footprint. It is the owner's change all the same, so it is left out of the item's before
// anybody looks: for every rule and every answer, on the item's own machine and on others'.

// LeavePicked takes out of every item in the view what picked stubs brought. Claims and
// needs have to be in the view; it is called once, when they are.
func (v *View) LeavePicked() {
	own := map[*model.Footprint]*model.Footprint{}
	leave := func(agent string, it *model.Item) {
		f := it.Footprint
		if f == nil {
			return
		}
		out, done := own[f]
		if !done {
			var picked []model.SymbolChange
			out, picked = Own(v.markUntold(agent, it))
			if own[f] = out; len(picked) > 0 {
				if v.picked == nil {
					v.picked = map[string][]model.SymbolChange{}
				}
				v.picked[it.ID] = picked
			}
		}
		it.Footprint = out
	}
	for i := range v.Items {
		leave(v.Agent, &v.Items[i])
	}
	for i := range v.Peers {
		leave(v.Peers[i].Agent.ID, &v.Peers[i].Item)
	}
}

// Picked is how an item's work has the symbol from a published signature it picked; nil
// where it has it not, or changed the signature further.
func (v *View) Picked(item, key string) *model.SymbolChange {
	for i, c := range v.picked[item] {
		if v.same(c.Symbol.Key, key) || v.same(c.OriginKey(), key) {
			return &v.picked[item][i]
		}
	}
	return nil
}

// markUntold marks, in the footprint of an agent whose gitlet does not, the symbols that
// are at a signature it pinned. No more can be told from here.
func (v *View) markUntold(agent string, it *model.Item) *model.Footprint {
	f := it.Footprint
	var marked *model.Footprint
	for _, n := range v.Needs {
		if n.Agent != agent || n.Item != it.ID || n.PinnedSigHash == "" || n.PinnedStub != "" && slices.Contains(f.Stubs, n.PinnedStub) || v.Owns(agent, it.ID, n.Key) {
			continue
		}
		for i, c := range f.Symbols {
			if c.Picked != "" || c.Symbol.SigHash != n.PinnedSigHash || c.Change == model.ChangeRemoved || c.Change == model.ChangeBody ||
				!v.same(n.Key, c.Symbol.Key) && !v.same(n.Key, c.OriginKey()) {
				continue
			}
			if marked == nil {
				g := *f
				g.Symbols = slices.Clone(f.Symbols)
				marked = &g
			}
			marked.Symbols[i].Picked = model.PickedWhole
		}
	}
	if marked != nil {
		return marked
	}
	return f
}

// Stubs are the published stubs that matter where two items meet, by commit and in order.
type Stubs struct {
	// Common are those both hold: one picked what the other owns, or both picked it.
	// Mine and Other are those that only the one or the other picked.
	Common, Mine, Other []string
}

// None reports whether no stub matters.
func (s Stubs) None() bool { return len(s.Common)+len(s.Mine)+len(s.Other) == 0 }

// StubsBetween sorts out the stubs that one of my items and another one hold.
func (v *View) StubsBetween(mine model.Item, p Peer) Stubs {
	var out Stubs
	common := map[string]bool{}
	sort := func(agent, item, agent2, item2 string) (rest []string) {
		for _, n := range v.pins(agent, item) {
			both := v.Owns(agent2, item2, n.Key) ||
				slices.ContainsFunc(v.pins(agent2, item2), func(m Need) bool { return m.PinnedStub == n.PinnedStub })
			switch {
			case !both:
				rest = append(rest, n.PinnedStub)
			case !common[n.PinnedStub]:
				common[n.PinnedStub] = true
				out.Common = append(out.Common, n.PinnedStub)
			}
		}
		slices.Sort(rest)
		return slices.Compact(rest)
	}
	out.Mine = sort(v.Agent, mine.ID, p.Agent.ID, p.Item.ID)
	out.Other = sort(p.Agent.ID, p.Item.ID, v.Agent, mine.ID)
	slices.Sort(out.Common)
	return out
}

// pins are an item's needs that are pinned to a stub.
func (v *View) pins(agent, item string) []Need {
	var out []Need
	for _, n := range v.Needs {
		if n.Agent == agent && n.Item == item && n.PinnedStub != "" && !v.Owns(agent, item, n.Key) {
			out = append(out, n)
		}
	}
	return out
}

// Owns reports whether the item holds the claim on the symbol: what it once picked is its
// own then, and a need it recorded says nothing more.
func (v *View) Owns(agent, item, key string) bool {
	return slices.ContainsFunc(v.Claims, func(cl model.Claim) bool {
		return cl.Owner == agent && cl.Item == item && v.same(cl.Key, key)
	})
}

// Own is a footprint without what is marked as picked, and the symbols it leaves out or
// tells of in part. Where only the signature of a symbol was picked, its inside remains.
// Picked hunks stay in the list, for where the others stand depends on them. A footprint
// without marks is returned as it is, and f never changes.
func Own(f *model.Footprint) (own *model.Footprint, picked []model.SymbolChange) {
	marked := slices.ContainsFunc(f.Symbols, func(c model.SymbolChange) bool { return c.Picked != "" }) ||
		slices.ContainsFunc(f.Files, func(c model.FileChange) bool {
			return c.Picked || slices.ContainsFunc(c.Hunks, func(h model.Hunk) bool { return h.Picked })
		})
	if !marked {
		return f, nil
	}
	out := *f
	out.Symbols, out.Files, out.Refs = []model.SymbolChange{}, []model.FileChange{}, []model.Ref{}
	theirs := map[place]bool{}
	for _, c := range f.Symbols {
		switch c.Picked {
		case model.PickedWhole:
			theirs[place{c.Symbol.Path, c.Symbol.Qualified}] = true
			picked = append(picked, c)
			continue
		case model.PickedSignature:
			picked = append(picked, c)
			c = model.SymbolChange{Change: model.ChangeBody, BodyChanged: true, Symbol: c.Symbol, OldSignature: c.OldSignature, OldSigHash: c.OldSigHash}
		}
		out.Symbols = append(out.Symbols, c)
	}
	files := map[string]*model.FileChange{}
	for i := range f.Files {
		c := f.Files[i]
		files[c.Path] = &f.Files[i]
		if c.Picked {
			continue
		}
		if slices.ContainsFunc(c.Hunks, func(h model.Hunk) bool { return h.Picked }) {
			c.Outside = c.Outside && slices.ContainsFunc(c.Hunks, func(h model.Hunk) bool { return h.Outside && !h.Picked })
		}
		out.Files = append(out.Files, c)
	}
	for _, r := range f.Refs {
		c := files[r.Path]
		if theirs[place{r.Path, r.In}] && r.In != "" || c != nil && (c.Picked || r.In == "" && inPicked(c.Hunks, r.Line)) {
			continue
		}
		out.Refs = append(out.Refs, r)
	}
	return &out, picked
}

type place struct{ path, name string }

// inPicked reports whether a line of the new version is one that a stub brought.
func inPicked(all []model.Hunk, line int) bool {
	shift := 0
	for _, h := range all {
		if first := h.Start + shift; h.Picked && line >= first && line < first+h.New {
			return true
		}
		shift += h.New - h.Old
	}
	return false
}
