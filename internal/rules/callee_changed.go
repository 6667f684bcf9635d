package rules

import (
	"gitlet/internal/model"
)

var calleeChanged = &Rule{
	Kind: "callee_changed",
	When: "Another item changes the signature of, removes, renames or moves a symbol that my changed code references, I do not change that symbol myself, and I have recorded no need on it. References that main has as well and that certainly go on working are left out.",
	Severities: []Level{
		{model.Act, "the change breaks old callers"},
		{model.Info, "old callers keep working, my calls fit the new parameters too or my code only names a type that gained fields, my code has the reference from main, far from what I change in a long definition, or the reference is new and matches by name only"},
	},
	Why: "Code written against the old signature stops working the moment their change lands, and nothing conflicts textually before that.",
	Options: []Choice{
		{Verb: "use", Why: "build on the signature that is published", When: "another agent has published it", fits: offered},
		{Verb: "need", Why: "wait for their published signature", When: "a counterpart is another agent, and it is not published yet", fits: awaited},
		ask("ask what they are changing"),
		readTheirs,
		whoElse,
		dismissNote,
	},
	find:  findCalleeChanged,
	title: titleCalleeChanged,
}

// offered: another agent has published the symbol, so there is something to build on.
func offered(in *Input, fs []finding) bool {
	c := in.View.Contracted(fs[0].key)
	return c != nil && c.Contract != nil && c.Owner != in.View.Agent
}

func awaited(in *Input, fs []finding) bool { return foreign(in, fs) && !offered(in, fs) }

func findCalleeChanged(in *Input, mine model.Item) []finding {
	var out []finding
	for i := range in.Peers {
		p := &in.Peers[i]
		used := in.usesOf(mine.Footprint, p.Item.Footprint)
		for _, c := range in.of(p.Item.Footprint).visible {
			u := used[c].told(c)
			if len(u.refs) == 0 {
				continue
			}
			old := before(c)
			// A file I only moved is still code written against the old signature.
			if own := in.of(mine.Footprint).origin[old.Key]; own != nil && !onlyMoved(own) {
				continue
			}
			if in.View.HasNeed(mine.ID, old.Key) || in.View.HasNeed(mine.ID, c.Symbol.Key) {
				continue
			}
			f := finding{
				subject: old.Canonical(), symbol: old.Canonical(), key: old.Key,
				peer: p, severity: model.Info, breaking: breaking(c), theirs: c, uses: u,
				shared: []fact{{"was", signature(old.Signature)}},
				other:  append([]fact{{"now", becomes(c)}}, reasons(c)...),
				paths:  paths(c),
			}
			if breaking(c) && u.resolved {
				switch hurt := u.hurt(c); {
				case len(hurt.near(mine.Footprint).refs) > 0:
					f.severity = model.Act
				case len(hurt.refs) > 0:
					f.breaking, f.other = false, append(f.other, farOff("your"))
				default:
					f.breaking, f.other = false, append(f.other, spared("your", c))
				}
			}
			out = append(out, f)
		}
	}
	return withPlaces(out)
}

// withPlaces adds where my code uses the symbol, once per subject.
func withPlaces(fs []finding) []finding {
	for i := range fs {
		u := fs[i].uses
		if u.resolved {
			fs[i].last = append(fs[i].last, fact{"your code " + using(u.refs, fs[i].theirs) + " it at", places(u.refs)})
			continue
		}
		fs[i].last = append(fs[i].last,
			fact{"your code may use it at", places(u.refs) + " (matched by name alone)"})
	}
	return fs
}

func titleCalleeChanged(subject string, fs []finding) string {
	verb := "may use"
	if u := fs[0].uses; u.resolved {
		verb = using(u.refs, fs[0].theirs)
	}
	// "is changing X, which your code calls", but "is moving X to Y; your code calls it".
	which := true
	for _, f := range fs {
		first, c := fs[0].theirs.Change, f.theirs.Change
		which = which && c == first && c != model.ChangeRenamed && c != model.ChangeMoved
	}
	s := clauses(fs, subject, changing)
	if which {
		return s + ", which your code " + verb
	}
	return s + "; your code " + verb + " it"
}

// changing is doing for readers who only see the signature.
func changing(f finding, it string) string {
	if f.theirs.Change == model.ChangeSignature {
		return "changing " + it
	}
	return doing(f, it)
}
