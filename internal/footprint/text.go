package footprint

import (
	"bytes"
	"sort"
	"unicode"
	"unicode/utf8"
)

// text is one version of a file with its line endings made "\n" and without a byte
// order mark: neither is content.
type text struct {
	b   []byte
	bom int
	cr  []int // offsets in the original of each "\r" that was dropped
}

func newText(src []byte) text {
	var t text
	if bytes.HasPrefix(src, []byte("\xef\xbb\xbf")) {
		t.bom = 3
	}
	for i := t.bom; i+1 < len(src); i++ {
		if src[i] == '\r' && src[i+1] == '\n' {
			t.cr = append(t.cr, i)
		}
	}
	t.b = src[t.bom:]
	if len(t.cr) > 0 {
		t.b = bytes.ReplaceAll(t.b, []byte("\r\n"), []byte("\n"))
	}
	return t
}

// at translates an offset in the original.
func (t text) at(offset int) int {
	return max(0, offset-t.bom-sort.SearchInts(t.cr, offset))
}

// run is a stretch of text that both versions hold.
type run struct{ old, new, n int }

// textDiff tells which bytes of two versions are the same text.
type textDiff struct {
	oldText, newText text
	runs             []run // in order, adjacent ones joined
}

// diffText compares two versions line by line and, within changed lines, word by word.
func diffText(oldSrc, newSrc []byte) *textDiff {
	d := &textDiff{oldText: newText(oldSrc), newText: newText(newSrc)}
	a, b := d.oldText.b, d.newText.b
	la, lb := cut(a, nextLine), cut(b, nextLine)
	ia, ib := intern(a, la, b, lb)
	pa, pb := 0, 0
	refine := func(ea, eb int) {
		d.words(a[la[pa]:la[ea]], b[lb[pb]:lb[eb]], la[pa], lb[pb])
	}
	matchSeq(ia, ib, 0, 0, func(i, j, n int) {
		refine(i, j)
		d.add(la[i], lb[j], la[i+n]-la[i])
		pa, pb = i+n, j+n
	})
	refine(len(ia), len(ib))
	return d
}

// words compares the changed lines of one place.
func (d *textDiff) words(a, b []byte, offA, offB int) {
	const limit = 32 << 10 // larger replacements are new text as a whole
	if len(a) == 0 || len(b) == 0 || len(a) > limit || len(b) > limit {
		return
	}
	wa, wb := cut(a, nextWord), cut(b, nextWord)
	ia, ib := intern(a, wa, b, wb)
	matchSeq(ia, ib, 0, 0, func(i, j, n int) {
		d.add(offA+wa[i], offB+wb[j], wa[i+n]-wa[i])
	})
}

func (d *textDiff) add(old, new, n int) {
	if k := len(d.runs); k > 0 {
		if last := &d.runs[k-1]; last.old+last.n == old && last.new+last.n == new {
			last.n += n
			return
		}
	}
	d.runs = append(d.runs, run{old, new, n})
}

// toNew returns where the old range [start, end) stands in the new version, in the
// coordinates of at; ok is false unless all of it is unchanged text in one piece.
func (d *textDiff) toNew(start, end int) (int, int, bool) {
	start, end = d.oldText.at(start), d.oldText.at(end)
	for _, r := range d.runs {
		if r.old <= start && end <= r.old+r.n {
			return r.new + start - r.old, r.new + end - r.old, true
		}
	}
	return 0, 0, false
}

// wasOld reports whether the new range [start, end) is unchanged text in one piece.
func (d *textDiff) wasOld(start, end int) bool {
	start, end = d.newText.at(start), d.newText.at(end)
	for _, r := range d.runs {
		if r.new <= start && end <= r.new+r.n {
			return true
		}
	}
	return false
}

// cut returns the offsets of the pieces that next finds, and the length at the end.
func cut(b []byte, next func([]byte) int) []int {
	offsets := []int{0}
	for at := 0; at < len(b); {
		at += next(b[at:])
		offsets = append(offsets, at)
	}
	return offsets
}

func nextLine(b []byte) int {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return i + 1
	}
	return len(b)
}

func nextWord(b []byte) int {
	n := 0
	for n < len(b) {
		r, size := utf8.DecodeRune(b[n:])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		n += size
	}
	if n == 0 {
		_, n = utf8.DecodeRune(b)
	}
	return n
}

// intern numbers the pieces of both texts so that equal ones are equal.
func intern(a []byte, cutA []int, b []byte, cutB []int) (ia, ib []int) {
	ids := map[string]int{}
	number := func(src []byte, offsets []int) []int {
		out := make([]int, len(offsets)-1)
		for i := range out {
			piece := src[offsets[i]:offsets[i+1]]
			id, ok := ids[string(piece)]
			if !ok {
				id = len(ids)
				ids[string(piece)] = id
			}
			out[i] = id
		}
		return out
	}
	return number(a, cutA), number(b, cutB)
}

// matchSeq calls found for runs of equal elements, in order. Common ends are
// matched first, then what occurs once on both sides, then, where the rest is
// small, a longest common subsequence; a large rest without anchors stays unmatched.
func matchSeq(a, b []int, offA, offB int, found func(i, j, n int)) {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if n > 0 {
		found(offA, offB, n)
	}
	a, b, offA, offB = a[n:], b[n:], offA+n, offB+n
	tail := 0
	for tail < len(a) && tail < len(b) && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	endA, endB := offA+len(a)-tail, offB+len(b)-tail
	a, b = a[:len(a)-tail], b[:len(b)-tail]
	if len(a) > 0 && len(b) > 0 {
		if pairs := uniquePairs(a, b); len(pairs) > 0 {
			i, j := 0, 0
			for _, p := range pairs {
				if p[0] < i || p[1] < j {
					continue
				}
				matchSeq(a[i:p[0]], b[j:p[1]], offA+i, offB+j, found)
				found(offA+p[0], offB+p[1], 1)
				i, j = p[0]+1, p[1]+1
			}
			matchSeq(a[i:], b[j:], offA+i, offB+j, found)
		} else {
			commonSubsequence(a, b, offA, offB, found)
		}
	}
	if tail > 0 {
		found(endA, endB, tail)
	}
}

// uniquePairs returns the longest increasing sequence of elements that occur once
// in a and once in b, as index pairs.
func uniquePairs(a, b []int) [][2]int {
	type seen struct{ countA, countB, atB int }
	all := map[int]*seen{}
	at := func(x int) *seen {
		s := all[x]
		if s == nil {
			s = &seen{}
			all[x] = s
		}
		return s
	}
	for _, x := range a {
		at(x).countA++
	}
	for j, x := range b {
		s := at(x)
		s.countB++
		s.atB = j
	}
	var pairs [][2]int
	for i, x := range a {
		if s := all[x]; s.countA == 1 && s.countB == 1 {
			pairs = append(pairs, [2]int{i, s.atB})
		}
	}
	return increasing(pairs)
}

// increasing keeps a longest subsequence whose second numbers increase.
func increasing(pairs [][2]int) [][2]int {
	var tails []int // index into pairs of the smallest end of each length
	prev := make([]int, len(pairs))
	for i, p := range pairs {
		k := sort.Search(len(tails), func(k int) bool { return pairs[tails[k]][1] >= p[1] })
		prev[i] = -1
		if k > 0 {
			prev[i] = tails[k-1]
		}
		if k == len(tails) {
			tails = append(tails, i)
		} else {
			tails[k] = i
		}
	}
	if len(tails) == 0 {
		return nil
	}
	out := make([][2]int, len(tails))
	for k, i := len(tails)-1, tails[len(tails)-1]; k >= 0; k, i = k-1, prev[i] {
		out[k] = pairs[i]
	}
	return out
}

func commonSubsequence(a, b []int, offA, offB int, found func(i, j, n int)) {
	const cells = 1 << 18
	if len(a)*len(b) > cells {
		return
	}
	w := len(b) + 1
	best := make([]int32, (len(a)+1)*w)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				best[i*w+j] = best[(i+1)*w+j+1] + 1
			} else {
				best[i*w+j] = max(best[(i+1)*w+j], best[i*w+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			found(offA+i, offB+j, 1)
			i, j = i+1, j+1
		case best[(i+1)*w+j] >= best[i*w+j+1]:
			i++
		default:
			j++
		}
	}
}
