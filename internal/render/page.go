package render

import (
	"fmt"
	"sort"
	"strings"
)

// MaxText is the most bytes one text result may have.
const MaxText = 8 << 10

// The ranks of pieces: when a text is too long, the higher ranks go first.
const (
	rankFrame    = iota // the first line and the last
	rankWayOut          // a result's options
	rankFacts           // details and warnings
	rankNote            // note headings and their options
	rankEvidence        // evidence lines
	rankBody            // sections
	rankDetail          // evidence of notes inside sections
)

// page collects pieces of text in order and gives up the least important ones when
// they do not fit.
type page struct{ pieces []piece }

type piece struct {
	rank  int
	lines []string
}

// add puts a piece on the page; it is kept whole or left out whole.
func (p *page) add(rank int, lines ...string) {
	if len(lines) > 0 {
		p.pieces = append(p.pieces, piece{rank, lines})
	}
}

// text joins the pieces that fit, in order; the line that counts the rest comes
// before the last frame piece that foot holds.
func (p *page) text(foot ...string) string {
	keep, left := p.fit(MaxText - size(foot) - 96)
	var out []string
	for i, pc := range p.pieces {
		if keep[i] {
			out = append(out, pc.lines...)
		}
	}
	if left > 0 {
		out = append(out, "", fmt.Sprintf("%s left out: the text stops at 8 KB; the structured result has all.", count(left, "more line")))
	}
	if len(foot) > 0 {
		out = append(append(out, ""), foot...)
	}
	return strings.Join(out, "\n")
}

// fit chooses pieces by rank, then order, within room bytes, and counts the lines
// that are left out. Evidence and
// sections end at the first piece that is too big; a call that is too long costs
// only itself.
func (p *page) fit(room int) (keep []bool, left int) {
	order := make([]int, len(p.pieces))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return p.pieces[order[a]].rank < p.pieces[order[b]].rank })
	keep = make([]bool, len(p.pieces))
	full := map[int]bool{}
	for _, i := range order {
		pc := p.pieces[i]
		n := size(pc.lines)
		if pc.rank != rankFrame && (full[pc.rank] || n > room) {
			full[pc.rank] = pc.rank >= rankEvidence
			for _, l := range pc.lines {
				if l != "" {
					left++
				}
			}
			continue
		}
		keep[i] = true
		room -= n
	}
	return keep, left
}

func size(lines []string) int {
	n := 0
	for _, l := range lines {
		n += len(l) + 1
	}
	return n
}

// count says "1 open note", "2 open notes".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
