package rules

import (
	"sort"

	"gitlet/internal/model"
	"gitlet/internal/view"
)

var broad = &Rule{
	Kind: "broad",
	When: "Another item's change is very wide and changes lines near mine in the same files, or one of the two references what the other changes; or mine is very wide and would give more than ten notes about one counterpart. This note stands for all the others about that pair.",
	Severities: []Level{
		{model.Warn, "the two meet in more than lockfiles and changelogs"},
		{model.Info, "otherwise"},
	},
	Why: "A sweeping change meets nearly everything. One note per counterpart says so without burying the rest.",
	Options: []Choice{
		ask("ask how and when it lands"),
		dismissNote,
	},
	find:  findBroad,
	title: titleBroad,
}

func findBroad(in *Input, mine model.Item) []finding {
	var out []finding
	for i := range in.Broad {
		p := in.Broad[i]
		pair := in.only(p)
		var facts []fact
		if files := in.commonFiles(mine, p); len(files) > 0 {
			facts = append(facts, fact{plural(len(files), "file", "files") + " in common", listed(files)})
		}
		for _, r := range pairRules {
			subjects := map[string]bool{}
			for _, f := range r.find(pair, mine) {
				subjects[place(f.subject)] = true
			}
			if len(subjects) > 0 {
				facts = append(facts, fact{r.Kind, listed(sortedKeys(subjects))})
			}
		}
		if len(facts) > 0 {
			severity := model.Warn
			if len(facts) == 1 && facts[0].label == hotFile.Kind {
				severity = model.Info
			}
			out = append(out, finding{
				subject: p.Agent.ID + "/" + p.Item.ID, peer: &in.Broad[i], severity: severity,
				// A wide change counts as breaking whatever it holds today, so that the
				// note does not come back with each edit.
				breaking: true, other: facts, wide: mine.Footprint.Broad && !p.Item.Footprint.Broad,
			})
		}
	}
	return out
}

func titleBroad(_ string, fs []finding) string {
	f := fs[0]
	touches := " that touches your work"
	if len(f.other) == 1 && f.other[0].label == duplicate.Kind {
		touches = ", and its task may be yours"
	}
	if f.wide {
		return "your change is very wide and touches the work of " + peers(fs)
	}
	fp := f.peer.Item.Footprint
	return peers(fs) + " is making a very wide change (" + plural(len(fp.Files), "file", "files") + ", " +
		plural(len(fp.Symbols), "definition", "definitions") + ")" + touches
}

// commonFiles are the files that both change, in places near each other as far as is known.
func (in *Input) commonFiles(mine model.Item, p view.Peer) []string {
	out := map[string]bool{}
	in.only(p).sharedFiles(mine, func(_ *view.Peer, predicted prediction, m, t *model.FileChange) {
		if o := origin(m); !common(o) && (predicted.file(m, t) || !apart(m, t, m.Hunks, t.Hunks, predicted.merges(m, t))) {
			out[place(o)] = true
		}
	})
	return sortedKeys(out)
}

func sortedKeys(m map[string]bool) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
