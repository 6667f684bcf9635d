package rules

import (
	"gitlet/internal/lang"
	"gitlet/internal/model"
	"gitlet/internal/view"
)

var hotFile = &Rule{
	Kind: "hot_file",
	When: "Both items change the same lockfile or changelog, unless git is known to merge it and it is a changelog, the changed lines are known to lie far apart, or both tasks are version bumps of different packages.",
	Severities: []Level{
		{model.Info, "always"},
	},
	Why: "Everybody's work touches these files. Merged by hand, a lockfile comes out as nobody's; a changelog loses an entry.",
	Options: []Choice{
		dismissNote,
	},
	mutual: true,
	find:   findHotFile,
	title:  titleHotFile,
}

func findHotFile(in *Input, mine model.Item) []finding {
	var out []finding
	in.sharedFiles(mine, func(p *view.Peer, predicted prediction, m, t *model.FileChange) {
		advice := ""
		switch {
		case lang.IsLockfile(origin(m)):
			advice = "a lockfile is made again, not merged: after you update, let its tool write it anew"
		case lang.IsChangelog(origin(m)):
			advice = "whoever merges keeps both entries"
		default:
			return
		}
		if predicted.merges(m, t) && (lang.IsChangelog(origin(m)) || apart(m, t, m.Hunks, t.Hunks, true) || otherVersions(mine, p)) {
			return // git keeps both entries by itself
		}
		out = append(out, finding{subject: origin(m), peer: p, severity: model.Info, myFile: m, theirFile: t,
			shared: []fact{{"", advice}}})
	})
	return out
}

func titleHotFile(subject string, fs []finding) string {
	return peers(fs) + " " + isAre(len(fs)) + " also changing " + subject
}
