package footprint

import (
	"bytes"
	"slices"

	"gitlet/internal/lang"
	"gitlet/internal/model"
)

// Bounds on where a footprint says which lines changed; beyond them nobody knows.
const (
	maxDiffed     = 100     // files, in path order
	maxDiffedRead = 4 << 20 // bytes of the files among them that are read for it alone
	maxDiffedFile = 1 << 20
)

// hunks records where a file that stays in its place differs from the base's version.
func (c *computer) hunks(f *file, d Delta) {
	if v, ok := c.versions(f, d); ok && len(v.hunks) > 0 {
		f.change.Was, f.change.Hunks = v.old.Sum, joinHunks(v.hunks, model.MaxHunks)
	}
}

// versions are both versions of a file by lines, and where they differ.
type versions struct {
	old, new lang.Lines
	hunks    []model.Hunk // each on its own, those outside every symbol marked
}

// versions compares a file that stays in its place line by line; false where nobody knows.
func (c *computer) versions(f *file, d Delta) (v versions, ok bool) {
	if d.Status != "M" || d.Withheld != "" || modeReason(d) != "" || c.diffed >= maxDiffed {
		return v, false
	}
	c.diffed++
	if f.change.Parsed {
		v.old, v.new = f.old.Lines, f.facts.Lines
	} else {
		if v.old, ok = c.lines(d.Old); !ok {
			return v, false
		}
		if v.new, ok = c.lines(d.New); !ok {
			return v, false
		}
	}
	if v.hunks = diffLines(v.old.Hashes, v.new.Hashes); len(v.hunks) > 0 {
		f.markOutside(v.hunks)
	}
	return v, true
}

// lines reads a version that is small enough and what git would compare by lines.
func (c *computer) lines(read func() ([]byte, error)) (lang.Lines, bool) {
	if c.diffedRead >= maxDiffedRead {
		return lang.Lines{}, false
	}
	b, err := readOnce(read)()
	if err != nil || len(b) > maxDiffedFile || bytes.IndexByte(b[:min(len(b), 8000)], 0) >= 0 {
		return lang.Lines{}, false
	}
	c.diffedRead += len(b)
	return lang.LinesOf(b), true
}

// diffLines returns the stretches in which two versions differ.
func diffLines(old, new []uint64) []model.Hunk {
	ids := map[uint64]int{}
	number := func(hashes []uint64) []int {
		out := make([]int, len(hashes))
		for i, h := range hashes {
			id, ok := ids[h]
			if !ok {
				id = len(ids)
				ids[h] = id
			}
			out[i] = id
		}
		return out
	}
	a, b := number(old), number(new)
	var out []model.Hunk
	pa, pb := 0, 0
	until := func(i, j int) {
		if i > pa || j > pb {
			out = append(out, model.Hunk{Start: pa + 1, Old: i - pa, New: j - pb})
		}
	}
	matchSeq(a, b, 0, 0, func(i, j, n int) {
		until(i, j)
		pa, pb = i+n, j+n
	})
	until(len(a), len(b))
	return out
}

// markOutside marks the hunks in which code outside every symbol changed; where none
// can be told, as when only its order changed, it may be any of them.
func (f *file) markOutside(all []model.Hunk) {
	if !f.change.Outside {
		return
	}
	found, shift := false, 0
	for i := range all {
		h := &all[i]
		h.Outside = holds(f.loose, h.Start+shift, h.New) || holds(f.looseWas, h.Start, h.Old)
		found = found || h.Outside
		shift += h.New - h.Old
	}
	for i := range all {
		all[i].Outside = all[i].Outside || !found
	}
}

func holds(lines map[int]bool, start, n int) bool {
	for l := start; l < start+n; l++ {
		if lines[l] {
			return true
		}
	}
	return false
}

// joinHunks joins the nearest hunks until no more than most are left.
func joinHunks(all []model.Hunk, most int) []model.Hunk {
	if len(all) <= most {
		return all
	}
	gap := func(i int) int { return all[i].Start - all[i-1].Start - all[i-1].Old }
	nearest := make([]int, 0, len(all)-1)
	for i := 1; i < len(all); i++ {
		nearest = append(nearest, i)
	}
	slices.SortStableFunc(nearest, func(i, j int) int { return gap(i) - gap(j) })
	joined := map[int]bool{}
	for _, i := range nearest[:len(all)-most] {
		joined[i] = true
	}
	out := []model.Hunk{all[0]}
	for i := 1; i < len(all); i++ {
		h := all[i]
		if !joined[i] {
			out = append(out, h)
			continue
		}
		last := &out[len(out)-1]
		between := gap(i)
		last.Old += between + h.Old
		last.New += between + h.New
		last.Outside = last.Outside || h.Outside
		last.Picked = last.Picked && h.Picked
	}
	return out
}

// looseBefore returns the lines of the old version that hold code outside every symbol
// which is gone or changed.
func looseBefore(old, new *lang.Facts, m *fileMatch) map[int]bool {
	return looseDiff(new, old, m.stays(m.new, false), m.stays(m.old, true))
}
