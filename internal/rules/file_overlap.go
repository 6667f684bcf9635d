package rules

import (
	"gitlet/internal/lang"
	"gitlet/internal/model"
	"gitlet/internal/view"
)

var fileOverlap = &Rule{
	Kind: "file_overlap",
	When: "Both items change the same file, gitlet cannot tell which definitions are concerned, and git predicts no conflict in it. That is so when one of the two versions could not be read as code, or when both change lines outside every definition. Where the changed lines are known to lie far apart, it stays away; so it does for other entries of one list, and for two version bumps of different packages, where git is known to merge. Lockfiles and changelogs are left out.",
	Severities: []Level{
		{model.Info, "always"},
	},
	Why: "gitlet cannot look inside, so only the authors can tell whether the two changes fit together.",
	Options: []Choice{
		readTheirs,
		dismissNote,
	},
	mutual: true,
	find:   findFileOverlap,
	title:  titleFileOverlap,
}

func findFileOverlap(in *Input, mine model.Item) []finding {
	var out []finding
	in.sharedFiles(mine, func(p *view.Peer, predicted prediction, m, t *model.FileChange) {
		merges := predicted.merges(m, t)
		if !opaque(m, t) || elsewhere(m, t, merges) || merges && lang.IsManifest(origin(m)) && otherVersions(mine, p) || lang.IsLockfile(origin(m)) || lang.IsChangelog(origin(m)) || predicted.file(m, t) {
			return
		}
		f := finding{subject: origin(m), peer: p, severity: model.Info, paths: filePaths(t), myFile: m, theirFile: t}
		f.shared, f.other = unreadable(m, t)
		out = append(out, f)
	})
	return out
}

// opaque reports whether the definitions of the file do not tell how the changes meet.
func opaque(m, t *model.FileChange) bool {
	return !m.Parsed || !t.Parsed || m.Outside && t.Outside
}

// elsewhere reports whether the two change lines far from each other. Of code that cannot
// be read just now nothing is known but that, and what is being written moves: there it
// takes definitions.
func elsewhere(m, t *model.FileChange, merges bool) bool {
	switch {
	case m.Parsed && t.Parsed:
		return apart(m, t, outsideOf(m), outsideOf(t), merges)
	case m.Lang == "" && t.Lang == "":
		return apart(m, t, m.Hunks, t.Hunks, merges)
	}
	return false
}

// unreadable says why gitlet cannot look inside: once when both versions are alike.
func unreadable(m, t *model.FileChange) (shared, other []fact) {
	const label, mine, theirs = "gitlet cannot look inside", "gitlet cannot look inside your version", "gitlet cannot look inside their version"
	switch {
	case m.Parsed && t.Parsed:
		return []fact{{"", "both change lines outside every definition"}}, nil
	case !m.Parsed && !t.Parsed && m.Reason == t.Reason:
		return []fact{{label, reason(m)}}, nil
	}
	if !m.Parsed {
		shared = []fact{{mine, reason(m)}}
	}
	if !t.Parsed {
		other = []fact{{theirs, reason(t)}}
	}
	return shared, other
}

func reason(c *model.FileChange) string {
	if r := place(c.Reason); r != "" {
		return r
	}
	return "it is tracked as a whole"
}

func titleFileOverlap(subject string, fs []finding) string {
	m, t := fs[0].myFile.Status, fs[0].theirFile.Status
	for _, f := range fs {
		if f.theirFile.Status != t {
			m, t = "M", "M" // no one word fits them all
		}
	}
	is := " " + isAre(len(fs))
	switch {
	case m == "A" && t == "A" && len(fs) == 1:
		return peers(fs, "you") + " both add " + subject
	case m == "A" && t == "A":
		return peers(fs, "you") + " all add " + subject
	case t == "D":
		return peers(fs) + is + " deleting " + subject + ", which you change"
	case m == "D":
		return peers(fs) + is + " changing " + subject + ", which you delete"
	}
	return peers(fs) + is + " also changing " + subject
}
