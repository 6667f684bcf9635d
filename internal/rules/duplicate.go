package rules

import (
	"fmt"
	"sort"

	"gitlet/internal/lang"
	"gitlet/internal/migration"
	"gitlet/internal/model"
	"gitlet/internal/similar"
	"gitlet/internal/view"
)

var duplicate = &Rule{
	Kind: "duplicate",
	When: "Another item looks like the same task: the two stated tasks read alike, or both change mostly the same files, two of them at least (not where every changed line is far from the other's), add the same file, or add a definition of the same name. Manifests, lockfiles, changelogs, and what every migration or program holds say nothing about a task, and generic words (app, test, table) little. Not for two version bumps of different packages, and not for two items that work things out already: where both change one definition, or one needs what the other changes or owns. A task that nobody stated is judged by its changes alone.",
	Severities: []Level{
		{model.Act, "the tasks read alike and the changes look alike"},
		{model.Info, "only one of the two is so"},
	},
	Why: "Two agents doing one task is work thrown away, and the sooner one of them stops the less it is.",
	Options: []Choice{
		ask("agree who does it, or how to split it"),
		{Verb: "abandon", Why: "leave it to them; your branch is kept"},
		dismissNote,
	},
	mutual: true,
	find:   findDuplicate,
	title:  titleDuplicate,
}

func findDuplicate(in *Input, mine model.Item) []finding {
	scores := in.alike(mine)
	var out []finding
	for i := range in.Tasks {
		p := &in.Tasks[i]
		score, alike := scores[p.Item.ID]
		if otherVersions(mine, p) {
			continue
		}
		like := similar.Footprints(mine.Footprint, p.Item.Footprint, similar.Reading{Family: family, Common: everyday, Boilerplate: in.boilerplate})
		if len(like.Files) > 0 && !like.Named() && in.allApart(like.Files, mine, *p) {
			like = similar.Likeness{} // files in common, and not one place in them
		}
		if !alike && !like.Signal() || in.coordinate(mine, *p) {
			continue
		}
		f := finding{
			subject: pairSubject(mine.ID, p.Item.ID), item: mine.ID, peer: p, severity: model.Info,
			alike: alike, other: likeness(like),
		}
		if alike {
			f.other = append([]fact{{"both tasks speak of", listed(score.Words)}}, f.other...)
			if like.Signal() {
				f.severity = model.Act
			}
		}
		out = append(out, f)
	}
	return out
}

// allApart reports whether the two change other places in every one of the files.
func (in *Input) allApart(files []string, mine model.Item, p view.Peer) bool {
	predicted := in.prediction(mine, p)
	for _, f := range files {
		if !apartIn(f, mine.Footprint, p.Item.Footprint, predicted) {
			return false
		}
	}
	return true
}

// otherVersions reports whether both tasks are version bumps, of different packages: they
// read alike, change the same lists, and are never the same.
func otherVersions(mine model.Item, p *view.Peer) bool {
	return similar.OtherBumps(mine.Intent, p.Item.Intent)
}

// pairSubject is the same from both sides, so that a conversation about it is one.
func pairSubject(a, b string) string {
	ids := []string{a, b}
	sort.Strings(ids)
	return "items " + ids[0] + " and " + ids[1]
}

// alike finds the items whose stated task reads like mine. Every stated task in view
// counts towards which words are common; tasks that were guessed do not.
func (in *Input) alike(mine model.Item) map[string]similar.Score {
	if known := in.reads[mine.ID]; known != nil {
		return known
	}
	out := map[string]similar.Score{}
	in.reads[mine.ID] = out
	if mine.Provisional {
		return out
	}
	var items, intents []string
	for _, p := range in.View.Others(mine) {
		if !p.Item.Provisional && p.Item.Status.Open() {
			items = append(items, p.Item.ID)
			intents = append(intents, p.Item.Intent)
		}
	}
	for _, s := range similar.Intents(mine.Intent, intents) {
		if s.Signal() {
			out[items[s.Index]] = s
		}
	}
	return out
}

// coordinate reports whether the two items meet in a definition, which has a note of
// its own, or one of them needs a symbol that the other changes or owns.
func (in *Input) coordinate(mine model.Item, p view.Peer) bool {
	if in.needsOf(in.View.Agent, mine, p.Agent.ID, p.Item) || in.needsOf(p.Agent.ID, p.Item, in.View.Agent, mine) {
		return true
	}
	if mine.Footprint == nil || p.Item.Footprint == nil {
		return false
	}
	one := in.only(p)
	return len(findSignatureClash(one, mine)) > 0 || len(findBodyOverlap(one, mine)) > 0
}

func (in *Input) needsOf(agent string, it model.Item, owner string, other model.Item) bool {
	for _, n := range in.View.Needs {
		if n.Agent != agent || n.Item != it.ID {
			continue
		}
		if c := in.View.Claim(n.Key); c != nil && c.Owner == owner && (c.Item == "" || c.Item == other.ID) {
			return true
		}
		if other.Footprint != nil && in.changes(other.Footprint, n.Key) {
			return true
		}
	}
	return false
}

// changes reports whether a footprint changes the symbol, under its old or new key.
func (in *Input) changes(f *model.Footprint, key string) bool {
	ix := in.of(f)
	return ix.origin[key] != nil || ix.arrival[key] != nil
}

// likeness says what two changes have in common, the strongest sign first.
func likeness(l similar.Likeness) []fact {
	var out []fact
	put := func(label string, xs []string) {
		if len(xs) == 0 {
			return
		}
		shown := make([]string, len(xs))
		for i, x := range xs {
			shown[i] = place(x)
		}
		out = append(out, fact{label, listed(shown)})
	}
	put("both add "+noun(l.NewNames, "a definition named", "definitions named"), l.NewNames)
	put("both add the "+noun(l.NewFiles, "file", "files"), l.NewFiles)
	if l.ManyFiles() {
		put(fmt.Sprintf("both change %d of %d files", len(l.Files), l.Of), l.Files)
	}
	return out
}

func noun(xs []string, one, many string) string {
	if len(xs) == 1 {
		return one
	}
	return many
}

// titleDuplicate says how sure the likeness is, and on what it rests.
func titleDuplicate(_ string, fs []finding) string {
	f := fs[0]
	seems := " seems to be doing the same task as you"
	if f.peer.Mine {
		seems = " seems to be the same task as this one"
	}
	switch {
	case f.alike && len(f.other) > 1:
		return who(*f.peer) + seems
	case f.alike:
		return who(*f.peer) + " may be doing the same task as you: the two read alike"
	}
	return who(*f.peer) + " may be doing the same task as you: the changes look alike"
}

// family is the language family within which a name means the same thing.
func family(name string) string {
	if l := lang.ByName(name); l != nil {
		return l.Family
	}
	return name
}

// everyday reports files that say nothing about which task touches them.
func everyday(path string) bool { return common(path) || lang.IsManifest(path) }

// boilerplate reports a definition that stands in every file of its kind: what a framework
// of migrations asks for.
func (in *Input) boilerplate(s model.Symbol) bool {
	return migration.InDir(s.Path, in.View.MigrationDirs)
}

// common reports files that every other change touches, whatever its task.
func common(path string) bool { return lang.IsLockfile(path) || lang.IsChangelog(path) }
