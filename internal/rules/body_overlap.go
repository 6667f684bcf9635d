package rules

import (
	"slices"

	"gitlet/internal/model"
	"gitlet/internal/view"
)

var bodyOverlap = &Rule{
	Kind: "body_overlap",
	When: "Both items change the same symbol, at least one of them only its body; or both give it the same new signature, or add it with the same one; or they would clash, had one of them not picked the published signature before it changed it. Entries of a long table that lie far apart, which git merges, are left out.",
	Severities: []Level{
		{model.Act, "I change only the body and the other changes the signature, and I do not build on that one already; or one of us picked the published signature and changed it since"},
		{model.Warn, "git predicts a conflict in the file, or the merge would hold two definitions of an added symbol"},
		{model.Info, "otherwise"},
	},
	Why: "Two edits inside one definition can merge without a conflict and still not do what either meant.",
	Options: []Choice{
		ask("ask what they are changing in it"),
		readTheirs,
		dismissNote,
	},
	mutual: true,
	find:   findBodyOverlap,
	title:  titleOverlap,
}

func findBodyOverlap(in *Input, mine model.Item) []finding {
	var out []finding
	for i := range in.Peers {
		p := &in.Peers[i]
		predicted := in.prediction(mine, *p)
		for _, pr := range in.related(mine.Footprint, p.Item.Footprint) {
			strayed := in.strayed(mine, p.Item, p.Agent.ID, pr)
			if !overlaps(pr) && !strayed {
				continue
			}
			if otherEntries(pr, mine.Footprint, p.Item.Footprint, predicted) {
				continue
			}
			f := overlap(p, pr)
			f.breaking = breaking(pr.mine) || breaking(pr.theirs)
			switch {
			case strayed:
				f.severity, f.breaking = model.Act, true
				f.other = append(f.other, fact{"", "one of the two picked the published signature and changed it since: main can keep only one"})
			case identical(pr):
				// Nothing to merge, and still work done twice.
				f.severity = model.Info
				f.other = append(f.other, fact{"", "both made the very same change of it"})
			default:
				f.severity = bodySeverity(pr, predicted)
				if back := bodySeverity(pair{mine: pr.theirs, theirs: pr.mine, bring: pr.bring}, predicted); p.Mine && back.Rank() < f.severity.Rank() {
					f.severity = back // one note stands for both sides
				}
				f.other = append(f.other, outlook(pr, predicted)...)
			}
			out = append(out, f)
		}
	}
	return out
}

// strayed reports whether the two would clash had one not picked the published signature,
// which settled it until that one changed it further.
func (in *Input) strayed(mine, theirs model.Item, agent string, pr pair) bool {
	return clashes(pr) && slices.ContainsFunc(in.View.Needs, func(n view.Need) bool {
		return n.PinnedSigHash != "" && in.cedes(n, mine, theirs, agent, pr)
	})
}

// overlaps reports whether the two changes meet without excluding each other.
func overlaps(pr pair) bool {
	m, t := pr.mine, pr.theirs
	if m.Change == model.ChangeRemoved || t.Change == model.ChangeRemoved {
		return false
	}
	if pr.bring || editsSignature(m) && editsSignature(t) {
		return sameResult(m, t)
	}
	return editsBody(m) || editsBody(t)
}

// identical reports whether both hold the very same definition in place of main's.
// Then there is nothing to merge; two added ones may still end up side by side.
func identical(pr pair) bool {
	m, t := pr.mine.Symbol, pr.theirs.Symbol
	return !pr.bring && m.Key == t.Key && m.SigHash == t.SigHash && m.BodyHash == t.BodyHash
}

func bodySeverity(pr pair, predicted prediction) model.Severity {
	switch {
	case editsBody(pr.mine) && editsSignature(pr.theirs) && !sameResult(pr.mine, pr.theirs):
		return model.Act
	case predicted.conflict(pr.mine, pr.theirs), pr.bring && doubles(pr):
		return model.Warn
	}
	return model.Info
}

// doubles reports whether a merge that raises no conflict keeps two definitions. Only
// the same text added at the same place merges into one.
func doubles(pr pair) bool {
	m, t := pr.mine.Symbol, pr.theirs.Symbol
	return m.BodyHash != t.BodyHash || m.StartLine != t.StartLine || m.EndLine != t.EndLine
}

// outlook says what git makes of the two changes, as far as it was asked.
func outlook(pr pair, predicted prediction) []fact {
	path := place(pr.theirs.Symbol.Path)
	switch {
	case predicted.conflict(pr.mine, pr.theirs):
		return []fact{{"", "git predicts a conflict in " + path}}
	case pr.bring && doubles(pr):
		return []fact{{"", "where git sees no conflict, the merge would keep both definitions"}}
	case predicted.known:
		return []fact{{"", "git can merge both changes of " + path + "; whether they fit together is for you to check"}}
	}
	return nil
}

// overlap is the finding for a symbol both change, without its severity.
func overlap(p *view.Peer, pr pair) finding {
	sym := pr.symbol()
	f := finding{
		subject: sym.Canonical(), symbol: sym.Canonical(), key: sym.Key,
		peer: p, mine: pr.mine, theirs: pr.theirs, bring: pr.bring, paths: paths(pr.theirs),
	}
	if editsBody(pr.mine) && editsBody(pr.theirs) {
		return f // the title says it all
	}
	if !pr.bring {
		f.shared = append(f.shared, fact{"was", signature(sym.Signature)})
	}
	if sameResult(pr.mine, pr.theirs) {
		both := pr.mine
		if editsBody(both) {
			both = pr.theirs // mine builds on their signature
		}
		f.shared = append(f.shared, fact{"both", becomes(both)})
		return f
	}
	f.shared = append(f.shared, fact{"yours", becomes(pr.mine)})
	f.other = append(f.other, fact{"theirs", becomes(pr.theirs)})
	return f
}

// titleOverlap words two changes of one symbol: "A and you both change the body of X",
// or "A is removing X; you change its signature".
func titleOverlap(subject string, fs []finding) string {
	m := fs[0].mine
	for _, f := range fs {
		if f.theirs.Change != m.Change || together(m.Change) == "" {
			return clauses(fs, subject, doing) + "; " + yours(fs[0])
		}
	}
	both := " both "
	if len(fs) > 1 {
		both = " all "
	}
	same := sameResult(m, fs[0].theirs)
	how := ""
	switch {
	case m.Change == model.ChangeAdded && same:
		how = ", with the same signature"
	case m.Change == model.ChangeAdded:
		how = ", with different signatures"
	case m.Change == model.ChangeSignature && same:
		how = ", to the same one"
	}
	return peers(fs, "you") + both + together(m.Change) + " " + subject + how
}

// together says what both sides do when they do the same; "" when it takes two clauses.
func together(c model.ChangeKind) string {
	switch c {
	case model.ChangeAdded:
		return "add"
	case model.ChangeBody:
		return "change the body of"
	case model.ChangeSignature:
		return "change the signature of"
	}
	return ""
}
