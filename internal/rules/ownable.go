package rules

import (
	"gitlet/internal/model"
	"gitlet/internal/similar"
	"gitlet/internal/thread"
	"gitlet/internal/view"
)

// Ownable is a symbol that an item of mine had better own, because it changes what others
// build on: nobody holds it, and nobody was agreed on.
type Ownable struct {
	Item, Key, Name string
	// Agents are those whose work meets the change, in order; Builders those of them whose
	// code uses the symbol, rather than changes it too.
	Agents, Builders []string
}

// Ownables lists them for the stated tasks of mine: symbols whose signature they change
// so that old callers break, where another agent's changed code certainly means the
// symbol or changes its signature too. A symbol that goes away is left to whoever keeps it.
func Ownables(v *view.View) []Ownable {
	var out []Ownable
	var whole *Input
	for _, mine := range v.Items {
		if mine.Status != model.ItemActive || mine.Provisional || !anyOwnable(v, mine) {
			continue
		}
		if whole == nil {
			whole = newInput(v)
		}
		in := whole.forItem(mine)
		at := map[string]int{}
		for _, f := range append(findCallersAffected(in, mine), findSignatureClash(in, mine)...) {
			if f.bring || f.peer.Mine || f.theirs == nil && !f.uses.resolved || !ownable(v, mine, f.mine) {
				continue
			}
			i, had := at[f.key]
			if !had {
				i = len(out)
				at[f.key] = i
				out = append(out, Ownable{Item: mine.ID, Key: f.key, Name: f.symbol})
			}
			if who := f.peer.Agent.ID; !contains(out[i].Agents, who) {
				out[i].Agents = append(out[i].Agents, who)
			}
			if who := f.peer.Agent.ID; f.theirs == nil && !contains(out[i].Builders, who) {
				out[i].Builders = append(out[i].Builders, who)
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	decided := map[string]bool{}
	for _, t := range thread.Derive(v) {
		if t.Kind == thread.Sig && t.Settled() {
			decided[t.Subject] = true // it is carried out as it was decided
		}
	}
	open := out[:0]
	for _, o := range out {
		if !decided[o.Key] {
			open = append(open, o)
		}
	}
	return open
}

// anyOwnable is a look at my own change alone, which costs next to nothing.
func anyOwnable(v *view.View, mine model.Item) bool {
	if mine.Footprint == nil {
		return false
	}
	for i := range mine.Footprint.Symbols {
		if ownable(v, mine, &mine.Footprint.Symbols[i]) {
			return true
		}
	}
	return false
}

func ownable(v *view.View, mine model.Item, c *model.SymbolChange) bool {
	key := originKey(c)
	return editsSignature(c) && breaking(c) && v.Claim(key) == nil && !v.HasNeed(mine.ID, key)
}

func newInput(v *view.View) *Input {
	return &Input{View: v, unique: uniqueMethods(v), indexes: map[*model.Footprint]*index{}, pairs: map[[2]*model.Footprint][]pair{},
		reads: map[string]map[string]similar.Score{}, onMain: map[*model.Footprint]func(string, string) bool{}}
}
