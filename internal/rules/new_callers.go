package rules

import "gitlet/internal/model"

var newCallers = &Rule{
	Kind: "new_callers",
	When: "Since my base, main gained references to a symbol that I change so that old callers break, or remove, rename or move.",
	Severities: []Level{
		{model.Act, "the references certainly mean that symbol"},
		{model.Info, "they match by name only"},
	},
	Why: "I adapted the callers I can see. These are new, nothing conflicts, and they break when my change lands.",
	Options: []Choice{
		{Verb: "update", Why: "bring main into your branch, then fix the places listed"},
		readMain,
		dismissNote,
	},
	find:  findNewCallers,
	title: titleNewCallers,
}

func findNewCallers(in *Input, mine model.Item) []finding {
	since, ok := in.mainWork(mine)
	if !ok {
		return nil
	}
	own, main := in.of(mine.Footprint), in.of(since.Footprint)
	used := in.usesBy(since.Footprint, mine.Footprint, in.uniqueOnMain(since))
	var out []finding
	for _, c := range own.visible {
		u, ok := used[c]
		if !ok || !breaking(c) {
			continue
		}
		old := before(c)
		if m := main.origin[old.Key]; m != nil {
			if sameResult(m, c) {
				continue // it landed, callers and all
			}
			u = u.outside(old)
		}
		if u = u.gained().hurt(c); len(u.refs) == 0 {
			continue
		}
		f := finding{
			subject: old.Canonical(), symbol: old.Canonical(), key: old.Key, severity: model.Info, breaking: true,
			mine: c, uses: u, base: since.Base, tip: since.Tip, paths: refPaths(u.refs),
			shared: append([]fact{{"was", signature(old.Signature)}, {"yours", becomes(c)}}, reasons(c)...),
		}
		label, text := "new on main at", places(u.refs)
		if u.resolved {
			f.severity = model.Act
		} else {
			text += " (matched by name alone)"
		}
		f.last = []fact{{label, text}}
		out = append(out, f)
	}
	return out
}

// gained leaves out the references that the same code made before.
func (u uses) gained() uses {
	out := uses{resolved: u.resolved}
	for _, r := range u.refs {
		if !r.Kept {
			out.refs = append(out.refs, r)
		}
	}
	return out
}

// refPaths are the files the references stand in, the first few.
func refPaths(refs []model.Ref) []string {
	set := map[string]bool{}
	for _, r := range refs {
		set[r.Path] = true
	}
	out := sortedKeys(set)
	return out[:min(len(out), maxListed)]
}

func titleNewCallers(subject string, fs []finding) string {
	f := fs[0]
	change := "which you change"
	switch f.mine.Change {
	case model.ChangeRemoved:
		change = "which you remove"
	case model.ChangeRenamed:
		change = "which you rename to " + place(f.mine.Symbol.Qualified)
	case model.ChangeMoved:
		change = "which you move to " + place(f.mine.Symbol.Path)
	}
	verb := using(f.uses.refs, f.mine)
	if !f.uses.resolved {
		verb = "may use"
		return "main has new code that " + verb + " " + subject + ", " + change
	}
	return "main has new code that " + verb + " " + subject + ", " + change
}
