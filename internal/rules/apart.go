package rules

import "gitlet/internal/model"

// Two changes of one file that git merges do not disturb each other when this many
// unchanged lines lie between them: a line more than git shows around a change.
const farApart = 4

// longData is from how many lines on the entries of a constant or variable are looked at
// one by one, as those of a table are.
const longData = 8

// apart reports whether both are known to change one content in places far from each other.
func apart(m, t *model.FileChange, mine, theirs []model.Hunk) bool {
	if m == nil || t == nil || m.Was == "" || m.Was != t.Was || len(mine) == 0 || len(theirs) == 0 {
		return false
	}
	for _, a := range mine {
		for _, b := range theirs {
			if max(a.Start, b.Start)-min(a.Start+a.Old, b.Start+b.Old) < farApart {
				return false
			}
		}
	}
	return true
}

// apartIn is apart for all that two items change in the file at path.
func apartIn(path string, mine, theirs *model.Footprint) bool {
	m, t := mine.File(path), theirs.File(path)
	return m != nil && t != nil && apart(m, t, m.Hunks, t.Hunks)
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
// from each other. Of functions that is never enough: their parts work together.
func otherEntries(pr pair, mine, theirs *model.Footprint) bool {
	m, t := pr.mine, pr.theirs
	if m.Change != model.ChangeBody || t.Change != model.ChangeBody || !isTable(m.Symbol) || !isTable(t.Symbol) {
		return false
	}
	mf, tf := mine.File(m.Symbol.Path), theirs.File(t.Symbol.Path)
	return apart(mf, tf, within(mf, m.Symbol), within(tf, t.Symbol))
}

func isTable(s model.Symbol) bool {
	return (s.Kind == model.KindConst || s.Kind == model.KindVar) && s.EndLine-s.StartLine >= longData
}
