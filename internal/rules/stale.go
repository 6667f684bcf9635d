package rules

import "gitlet/internal/model"

var stale = &Rule{
	Kind: "stale",
	When: "Since my base, main changed the signature of a symbol that my changed code references so that old callers break, or removed, renamed or moved it. References that my code had before, in a definition that main has changed as well, are left out: main adapted them.",
	Severities: []Level{
		{model.Act, "the reference certainly means that symbol"},
		{model.Info, "it is new, and matches a changed signature by name only"},
	},
	Why: "The code is written against what is no longer there. Merging it raises no conflict, and breaks main.",
	Options: []Choice{
		{Verb: "update", Why: "bring main into your branch, then adapt your code"},
		readMain,
		dismissNote,
	},
	find:  findStale,
	title: titleStale,
}

func findStale(in *Input, mine model.Item) []finding {
	since, ok := in.mainWork(mine)
	if !ok {
		return nil
	}
	own, main := in.of(mine.Footprint), in.of(since.Footprint)
	used := in.usesBy(mine.Footprint, since.Footprint, in.uniqueOnMain(since))
	var out []finding
	for _, c := range main.visible {
		u, ok := used[c]
		if !ok || !breaking(c) {
			continue
		}
		old := before(c)
		if m := in.holds(mine, old.Key); m != nil {
			if sameResult(m, c) {
				continue // it was brought in, or landed from here
			}
			u = u.outside(old)
		}
		if u.resolved {
			u = u.notAdapted(own, main, since.Footprint)
		} else if editsSignature(c) && c.Change != model.ChangeRenamed {
			u = u.gained()
		} else {
			// That one method of the name is gone says little: there are others, or main
			// would not have left the calls that were there.
			continue
		}
		if u = u.hurt(c); len(u.refs) == 0 {
			continue
		}
		f := finding{
			subject: old.Canonical(), symbol: old.Canonical(), key: old.Key, severity: model.Info, breaking: true,
			theirs: c, uses: u, paths: paths(c), base: since.Base, tip: since.Tip,
			shared: append([]fact{{"was", signature(old.Signature)}, {"now", becomes(c)}}, reasons(c)...),
		}
		if u.resolved {
			f.severity = model.Act
		}
		out = append(out, f)
	}
	return withPlaces(out)
}

// notAdapted leaves out references that were there before, in code that main changed
// too: whoever changed the symbol on main saw to them.
func (u uses) notAdapted(own, main *index, onMain *model.Footprint) uses {
	out := uses{resolved: u.resolved}
	for _, r := range u.refs {
		if r.Kept {
			if h := own.holder(r); h != "" && main.origin[h] != nil {
				continue
			}
			if f := onMain.File(r.Path); r.In == "" && f != nil && f.Outside {
				continue
			}
		}
		out.refs = append(out.refs, r)
	}
	return out
}

func titleStale(subject string, fs []finding) string {
	f := fs[0]
	s := "main has " + did(f.theirs, subject) + " since you branched off"
	if !f.uses.resolved {
		return s + "; your code may use it"
	}
	return s + "; your code " + using(f.uses.refs, f.theirs) + " it"
}
