package rules

import (
	"sort"

	"gitlet/internal/model"
	"gitlet/internal/view"
)

var outsideBranch = &Rule{
	Kind: "outside_branch",
	When: "A branch of the remote that is no agent's task changes a symbol that I change, claim or need. Changes equal to mine, or that main has by now, do not count.",
	Severities: []Level{
		{model.Warn, "always"},
	},
	Why: "Its author does not use gitlet, so nothing else tells the two of you of each other.",
	Options: []Choice{
		{Why: "read what the branch changes there", When: "its commits are in this clone", argv: readMainArgv, fits: hasPaths},
		dismissNote,
	},
	find:  findOutsideBranch,
	title: titleOutsideBranch,
}

// meeting is a symbol that a branch changes and my item is concerned with.
type meeting struct {
	symbol, mine string
	theirs       *model.SymbolChange
	bring        bool
}

func findOutsideBranch(in *Input, mine model.Item) []finding {
	if mine.Footprint == nil {
		return nil
	}
	var out []finding
	for i := range in.View.Outside {
		b := &in.View.Outside[i]
		if b.Footprint == nil {
			continue
		}
		shared := in.meetings(mine, b)
		if len(shared) == 0 {
			continue
		}
		f := finding{subject: b.Name, severity: model.Warn, breaking: true, base: b.Base, tip: b.Commit}
		files := map[string]bool{}
		for _, c := range shared {
			f.names = append(f.names, place(c.symbol))
			f.shared = append(f.shared, fact{place(c.symbol), "the branch is " + doing(finding{theirs: c.theirs, bring: c.bring}, "it") + "; " + c.mine})
			for _, p := range paths(c.theirs) {
				files[p] = true
			}
		}
		f.paths = sortedKeys(files)
		f.paths = f.paths[:min(len(f.paths), maxListed)]
		out = append(out, f)
	}
	return out
}

// meetings finds the symbols at which the branch and the item meet, by name.
func (in *Input) meetings(mine model.Item, b *view.Branch) []meeting {
	by := map[string]meeting{}
	for _, pr := range in.related(mine.Footprint, b.Footprint) {
		m, t := pr.mine, pr.theirs
		same := sameResult(m, t) && (m.Change == model.ChangeRemoved || m.Symbol.BodyHash == t.Symbol.BodyHash)
		if same || onlyMoved(m) || onlyMoved(t) || in.mainHas(mine, t) {
			continue
		}
		name := pr.symbol().Canonical()
		by[name] = meeting{symbol: name, mine: yours(finding{mine: m, bring: pr.bring}), theirs: t, bring: pr.bring}
	}
	theirs := in.of(b.Footprint)
	held := func(key, words string) {
		c := theirs.origin[key]
		if c == nil || onlyMoved(c) || in.mainHas(mine, c) {
			return
		}
		if name := before(c).Canonical(); by[name].theirs == nil {
			by[name] = meeting{symbol: name, mine: words, theirs: c}
		}
	}
	for _, c := range in.View.Claims {
		if c.Owner == in.View.Agent && c.Item == mine.ID {
			held(c.Key, "you own it")
		}
	}
	for _, n := range in.View.Needs {
		if n.Agent == in.View.Agent && n.Item == mine.ID {
			held(n.Key, "you need it")
		}
	}
	out := make([]meeting, 0, len(by))
	for _, c := range by {
		out = append(out, c)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].symbol < out[j].symbol })
	return out
}

// mainHas reports whether main made the same change meanwhile: the branch landed, as
// far as this symbol goes.
func (in *Input) mainHas(mine model.Item, c *model.SymbolChange) bool {
	since, ok := in.mainWork(mine)
	if !ok {
		return false
	}
	main := in.of(since.Footprint)
	m := main.origin[originKey(c)]
	if c.Change == model.ChangeAdded {
		m = main.arrival[c.Symbol.Key]
	}
	return m != nil && sameResult(m, c) && (c.Change == model.ChangeRemoved || m.Symbol.BodyHash == c.Symbol.BodyHash)
}

func titleOutsideBranch(subject string, fs []finding) string {
	return "branch " + subject + ", which is no agent's task, also changes " + listed(fs[0].names)
}
