package rules

import (
	"sort"

	"gitlet/internal/footprint"
	"gitlet/internal/model"
	"gitlet/internal/view"
)

// before is the symbol as main has it: for a moved or renamed one under its old name
// and place, for a changed one with its old signature. An added one is as it is.
func before(c *model.SymbolChange) model.Symbol {
	s := c.Symbol
	if c.OldQualified != "" || c.OldPath != "" {
		s = footprint.Targets(*c)[0]
	}
	if c.OldSignature != "" {
		s.Signature, s.SigHash = c.OldSignature, c.OldSigHash
	}
	return s
}

// breaking reports whether old callers stop working. A symbol that is gone or goes by
// another name always breaks them, whatever a peer's document says.
func breaking(c *model.SymbolChange) bool {
	return c.Breaking || c.Change == model.ChangeRemoved || c.Change == model.ChangeRenamed
}

// editsSignature reports whether callers see more than a new file around the symbol.
func editsSignature(c *model.SymbolChange) bool { return c.EditsSignature() }

// editsBody reports whether only the inside of the symbol changed.
func editsBody(c *model.SymbolChange) bool {
	return c.Change == model.ChangeBody ||
		c.Change == model.ChangeMoved && c.BodyChanged && !c.SigChanged
}

// onlyMoved reports whether the symbol is as it was, in a renamed file.
func onlyMoved(c *model.SymbolChange) bool {
	return c.Change == model.ChangeMoved && !c.SigChanged && !c.BodyChanged
}

// sameResult reports whether two changes leave callers with the same thing.
func sameResult(a, b *model.SymbolChange) bool { return a.SameResult(*b) }

// pair is one symbol that both items change: one of main's, or one that main does not
// have and both bring.
type pair struct {
	mine, theirs *model.SymbolChange
	bring        bool
}

// symbol is what both change, as main knows it, or as both name it when main does not.
func (p pair) symbol() model.Symbol {
	if p.bring {
		return p.mine.Symbol
	}
	return before(p.mine)
}

// related finds the symbols both footprints change, by name. Several rules ask.
func (in *Input) related(mine, theirs *model.Footprint) []pair {
	both := [2]*model.Footprint{mine, theirs}
	out, known := in.pairs[both]
	if !known {
		out = in.relate(mine, theirs)
		in.pairs[both] = out
	}
	return out
}

func (in *Input) relate(mine, theirs *model.Footprint) []pair {
	ix := in.of(theirs)
	var out []pair
	var names []string
	for i := range mine.Symbols {
		m := &mine.Symbols[i]
		if m.Change != model.ChangeAdded {
			if t := ix.origin[originKey(m)]; t != nil {
				out = append(out, pair{mine: m, theirs: t})
				continue
			}
		}
		if m.Change == model.ChangeAdded || originKey(m) != m.Symbol.Key {
			if t := ix.arrival[m.Symbol.Key]; t != nil {
				out = append(out, pair{mine: m, theirs: t, bring: true})
			}
		}
	}
	for _, p := range out {
		names = append(names, p.symbol().Canonical())
	}
	sort.Stable(byName{out, names})
	return out
}

type byName struct {
	pairs []pair
	names []string
}

func (b byName) Len() int           { return len(b.pairs) }
func (b byName) Less(i, j int) bool { return b.names[i] < b.names[j] }
func (b byName) Swap(i, j int) {
	b.pairs[i], b.pairs[j] = b.pairs[j], b.pairs[i]
	b.names[i], b.names[j] = b.names[j], b.names[i]
}

// sharedFiles calls do for each file of main's that my item and a counterpart both change,
// with what git says of merging the two; a file that both delete is nobody's problem.
func (in *Input) sharedFiles(mine model.Item, do func(p *view.Peer, predicted prediction, m, t *model.FileChange)) {
	for i := range in.Peers {
		p := &in.Peers[i]
		predicted := in.prediction(mine, *p)
		theirs := map[string]*model.FileChange{}
		for j := range p.Item.Footprint.Files {
			t := &p.Item.Footprint.Files[j]
			theirs[origin(t)] = t
		}
		for j := range mine.Footprint.Files {
			m := &mine.Footprint.Files[j]
			if t := theirs[origin(m)]; t != nil && (m.Status != "D" || t.Status != "D") {
				do(p, predicted, m, t)
			}
		}
	}
}

// originKey is main's key of the changed symbol; for an added one its own.
func originKey(c *model.SymbolChange) string { return c.OriginKey() }

// paths lists where a change stands: the file it is in now and the one it was in.
func paths(c *model.SymbolChange) []string {
	if old := before(c).Path; old != c.Symbol.Path {
		return []string{old, c.Symbol.Path}
	}
	return []string{c.Symbol.Path}
}
