package rules

import (
	"sort"

	"gitlet/internal/lang"
	"gitlet/internal/model"
	"gitlet/internal/view"
)

var predictedConflict = &Rule{
	Kind: "predicted_conflict",
	When: "Merging the two items' latest commits conflicts in a file that both change. Lockfiles are left out: they are made again, not merged.",
	Severities: []Level{
		{model.Warn, "always"},
	},
	Why: "Whoever lands second has to resolve it, with less and less memory of why the lines are as they are.",
	Options: []Choice{
		ask("agree who changes what in it"),
		readTheirs,
		dismissNote,
	},
	mutual: true,
	find:   findPredictedConflict,
	title:  titlePredictedConflict,
}

// prediction is what git said about one pair of items.
type prediction struct {
	known bool
	files map[string]bool
}

func (in *Input) prediction(mine model.Item, p view.Peer) prediction {
	got := in.View.Predictions[view.Pair{Mine: mine.ID, Other: p.Item.ID}]
	out := prediction{known: got.Known, files: map[string]bool{}}
	if got.Known {
		for _, f := range got.Files {
			out.files[f] = true
		}
	}
	return out
}

// conflict reports whether git could not merge a file one of the changes stands in.
func (p prediction) conflict(changes ...*model.SymbolChange) bool {
	for _, c := range changes {
		if p.files[c.Symbol.Path] || p.files[before(c).Path] {
			return true
		}
	}
	return false
}

// file reports whether git could not merge the file, under any of its names.
func (p prediction) file(m, t *model.FileChange) bool {
	return p.files[origin(m)] || p.files[m.Path] || p.files[t.Path]
}

// merges reports whether git is known to merge the file.
func (p prediction) merges(m, t *model.FileChange) bool { return p.known && !p.file(m, t) }

func findPredictedConflict(in *Input, mine model.Item) []finding {
	var out []finding
	for i := range in.Peers {
		p := &in.Peers[i]
		seen := map[string]bool{}
		for f := range in.prediction(mine, *p).files {
			m, t := mine.Footprint.File(f), p.Item.Footprint.File(f)
			if m == nil || t == nil || lang.IsLockfile(f) {
				continue
			}
			// A renamed file may be reported under either name; it is one problem.
			subject := origin(m)
			if seen[subject] {
				continue
			}
			seen[subject] = true
			x := finding{
				subject: subject, peer: p, severity: model.Warn,
				paths: filePaths(t),
			}
			if s := changedIn(mine.Footprint, m); s != "" {
				x.shared = append(x.shared, fact{"you change there", s})
			}
			if s := changedIn(p.Item.Footprint, t); s != "" {
				x.other = append(x.other, fact{"they change there", s})
			}
			out = append(out, x)
		}
	}
	// The conflicting files come from a set.
	sort.SliceStable(out, func(i, j int) bool { return out[i].subject < out[j].subject })
	return out
}

func titlePredictedConflict(subject string, fs []finding) string {
	return "git predicts a conflict in " + subject + " between your work and that of " + peers(fs)
}

// origin is the path main knows the file by.
func origin(c *model.FileChange) string {
	if c.OldPath != "" {
		return c.OldPath
	}
	return c.Path
}

func filePaths(c *model.FileChange) []string {
	if c.OldPath != "" && c.OldPath != c.Path {
		return []string{c.OldPath, c.Path}
	}
	return []string{c.Path}
}

// changedIn lists the symbols the footprint changes in one file.
func changedIn(f *model.Footprint, file *model.FileChange) string {
	var out []string
	for i := range f.Symbols {
		c := &f.Symbols[i]
		if c.Symbol.Path == file.Path {
			out = append(out, place(c.Symbol.Qualified)+" ("+string(c.Change)+")")
		}
	}
	sort.Strings(out)
	if file.Outside {
		out = append(out, "lines outside every definition")
	}
	return listed(out)
}
