package rules

import (
	"slices"

	"gitlet/internal/model"
	"gitlet/internal/view"
)

var callersAffected = &Rule{
	Kind: "callers_affected",
	When: "I change the signature of, remove, rename or move a symbol that another item's changed code references, and it did not pick that signature. Once mine is published, items that need the symbol hear of it by that; my own other items hear of my change themselves. References that main has as well and that certainly go on working are left out.",
	Severities: []Level{
		{model.Act, "the change breaks old callers"},
		{model.Info, "old callers keep working, their calls fit the new parameters too or their code only names a type that gained fields, their code has the reference from main, far from what they change in a long definition, or their reference is new and matches by name only"},
	},
	Why: "Others are writing code against what I am taking away. The earlier they can build on the new signature, the less they write twice.",
	Options: []Choice{
		{Verb: "claim", Why: "own this interface, so that others build against your version", When: "nobody holds the claim", fits: unclaimed},
		{Verb: "publish", Why: "publish the new signature for them to build on", When: "nobody else holds the claim, I do not remove it, it is not published as it is, and no agreement asks for another one", fits: publishable},
		ask("tell them what changes"),
		dismissNote,
	},
	find:  findCallersAffected,
	title: titleCallersAffected,
}

func unclaimed(in *Input, fs []finding) bool {
	return in.View.Claim(fs[0].key) == nil && foreign(in, fs)
}

func notTheirs(in *Input, fs []finding) bool {
	c := in.View.Claim(fs[0].key)
	return (c == nil || c.Owner == in.View.Agent) && foreign(in, fs)
}

// publishable: publishing it now does something, and is not against what was agreed.
func publishable(in *Input, fs []finding) bool {
	if !notTheirs(in, fs) || !keepsIt(in, fs) {
		return false
	}
	cl := in.View.Contracted(fs[0].key)
	asIs := cl != nil && cl.Contract != nil && cl.Contract.SigHash == fs[0].mine.Symbol.SigHash
	return !asIs && !slices.ContainsFunc(in.View.Items, func(it model.Item) bool { return in.asked(it, fs[0].key) })
}

func findCallersAffected(in *Input, mine model.Item) []finding {
	var out []finding
	for i := range in.Peers {
		p := &in.Peers[i]
		if p.Mine {
			continue // callee_changed tells the same, from where the call stands
		}
		used := in.usesOf(p.Item.Footprint, mine.Footprint)
		for _, c := range in.of(mine.Footprint).visible {
			u := used[c].told(c)
			old := before(c)
			if in.toldByPublishing(mine, *p, old.Key) {
				continue
			}
			if own := in.holds(p.Item, old.Key); own != nil {
				if sameResult(own, c) {
					continue
				}
				// Inside the symbol itself the two changes meet anyway.
				u = u.outside(old)
			}
			if len(u.refs) == 0 {
				continue
			}
			f := finding{
				subject: old.Canonical(), symbol: old.Canonical(), key: old.Key,
				peer: p, severity: model.Info, breaking: breaking(c), mine: c, uses: u,
				shared: append([]fact{{"was", signature(old.Signature)}, {"now", becomes(c)}}, reasons(c)...),
			}
			var safe *fact
			if breaking(c) && u.resolved {
				switch hurt := u.hurt(c); {
				case len(hurt.near(p.Item.Footprint).refs) > 0:
					f.severity = model.Act
				case len(hurt.refs) > 0:
					safe = new(farOff("their"))
				default:
					safe = new(spared("their", c))
				}
			}
			f.other = []fact{{"their code " + using(u.refs, c) + " it at", places(u.refs)}}
			if !u.resolved {
				f.other = []fact{{"their code may use it at", places(u.refs) + " (matched by name alone)"}}
			}
			if safe != nil {
				f.breaking, f.other = false, append(f.other, *safe)
			}
			out = append(out, f)
		}
	}
	return out
}

// toldByPublishing reports whether a counterpart waits for a symbol of which my item has
// published its signature: it hears of that one, and of each that replaces it.
func (in *Input) toldByPublishing(mine model.Item, p view.Peer, key string) bool {
	cl := in.View.Contracted(key)
	return cl != nil && cl.Contract != nil && cl.Owner == in.View.Agent && cl.Item == mine.ID && in.View.NeedOf(p.Agent.ID, p.Item.ID, key)
}

// outside leaves out the references made inside sym.
func (u uses) outside(sym model.Symbol) uses {
	out := uses{resolved: u.resolved}
	for _, r := range u.refs {
		if r.Path != sym.Path || r.In != sym.Qualified {
			out.refs = append(out.refs, r)
		}
	}
	return out
}

func titleCallersAffected(subject string, fs []finding) string {
	what := "your change to " + subject
	switch c := fs[0].mine; c.Change {
	case model.ChangeRemoved:
		what = "your removal of " + subject
	case model.ChangeRenamed:
		what = "your renaming of " + subject + " to " + place(c.Symbol.Qualified)
	case model.ChangeMoved:
		what = "your move of " + subject + " to " + place(c.Symbol.Path)
	}
	if !fs[0].uses.resolved {
		return what + " may affect " + peers(fs) + ", whose code may use it"
	}
	var refs []model.Ref
	for _, f := range fs {
		if f.uses.resolved {
			refs = append(refs, f.uses.refs...)
		}
	}
	return what + " affects " + peers(fs) + ", whose code " + using(refs, fs[0].mine) + " it"
}
