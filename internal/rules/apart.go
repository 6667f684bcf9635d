package rules

import (
	"path"
	"slices"

	"gitlet/internal/lang"
	"gitlet/internal/model"
)

// Two changes of one file that git merges do not disturb each other when this many
// unchanged lines lie between them: a line more than git shows around a change.
const farApart = 4

// longData is from how many lines on the entries of a constant or variable are looked at
// one by one, as those of a table are.
const longData = 8

// closeBy is enough where git is known to merge and each change puts new lines in place of
// as many old ones, stands in a list of dependencies, or is a new passage of a text: entries
// of one list, each for itself.
const closeBy = 1

// isProse reports whether people read the file and no machine does.
func isProse(file string) bool {
	switch path.Ext(file) {
	case ".md", ".markdown", ".rst", ".adoc", ".txt":
		return !lang.IsManifest(file)
	}
	return lang.IsChangelog(file)
}

// apart reports whether both are known to change one content in places far from each
// other; merges says that git is known to merge the two.
func apart(m, t *model.FileChange, mine, theirs []model.Hunk, merges bool) bool {
	mine, theirs = notPicked(mine), notPicked(theirs)
	if m == nil || t == nil || m.Was == "" || m.Was != t.Was || len(mine) == 0 || len(theirs) == 0 {
		return false
	}
	for _, a := range mine {
		for _, b := range theirs {
			need := farApart
			if merges && (a.Old == a.New && b.Old == b.New || a.Old+b.Old == 0 && isProse(m.Path) || lang.IsManifest(m.Path)) {
				need = closeBy
			}
			if max(a.Start, b.Start)-min(a.Start+a.Old, b.Start+b.Old) < need {
				return false
			}
		}
	}
	return true
}

// apartIn is apart for all that two items change in the file at path.
func apartIn(file string, mine, theirs *model.Footprint, predicted prediction) bool {
	m, t := mine.File(file), theirs.File(file)
	return m != nil && t != nil && apart(m, t, m.Hunks, t.Hunks, predicted.merges(m, t))
}

// notPicked leaves out the lines that a picked stub brought, which are its owner's.
func notPicked(all []model.Hunk) []model.Hunk {
	if !slices.ContainsFunc(all, func(h model.Hunk) bool { return h.Picked }) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(h model.Hunk) bool { return h.Picked })
}

// outsideOf are the hunks with code outside every definition.
func outsideOf(c *model.FileChange) []model.Hunk {
	var out []model.Hunk
	for _, h := range c.Hunks {
		if h.Outside {
			out = append(out, h)
		}
	}
	return out
}

// within are the hunks that touch a definition of the new version.
func within(c *model.FileChange, s model.Symbol) []model.Hunk {
	if c == nil {
		return nil
	}
	var out []model.Hunk
	shift := 0
	for _, h := range c.Hunks {
		// One that only removes stands between two lines of the new version.
		first, last := h.Start+shift, h.Start+shift+max(h.New, 1)-1
		if h.New == 0 {
			first--
		}
		if first <= s.EndLine && last >= s.StartLine {
			out = append(out, h)
		}
		shift += h.New - h.Old
	}
	return out
}

// otherEntries reports whether both change the inside of one long table, in places far
// from each other, which git merges. Of functions that is never enough: their parts work
// together.
func otherEntries(pr pair, mine, theirs *model.Footprint, predicted prediction) bool {
	m, t := pr.mine, pr.theirs
	if m.Change != model.ChangeBody || t.Change != model.ChangeBody || !isTable(m.Symbol) || !isTable(t.Symbol) {
		return false
	}
	mf, tf := mine.File(m.Symbol.Path), theirs.File(t.Symbol.Path)
	return mf != nil && tf != nil && predicted.merges(mf, tf) && apart(mf, tf, within(mf, m.Symbol), within(tf, t.Symbol), true)
}

func isTable(s model.Symbol) bool {
	return (s.Kind == model.KindConst || s.Kind == model.KindVar) && s.EndLine-s.StartLine >= longData
}
