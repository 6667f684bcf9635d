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
type page struct {
	pieces []piece
	under  int // see piece
}

type piece struct {
	rank  int
	lines []string
	// under is the place, counted from 1, of the piece without which this one would
	// be taken for part of something else: a note's heading. 0 is none.
	under int
}

// rankNames says what is left out, for one and for several lines.
var rankNames = map[int][2]string{
	rankWayOut:   {"option", "options"},
	rankFacts:    {"fact", "facts"},
	rankNote:     {"line of notes", "lines of notes"},
	rankEvidence: {"line of evidence", "lines of evidence"},
	rankBody:     {"line of sections", "lines of sections"},
	rankDetail:   {"line of their evidence", "lines of their evidence"},
}

// add puts a piece on the page; it is kept whole or left out whole.
func (p *page) add(rank int, lines ...string) {
	if len(lines) > 0 {
		p.pieces = append(p.pieces, piece{rank, lines, p.under})
	}
}

// headed adds a heading and, in body, what is left out together with it.
func (p *page) headed(rank int, heading []string, body func()) {
	p.add(rank, heading...)
	outer := p.under
	p.under = len(p.pieces)
	body()
	p.under = outer
}

// text joins the pieces that fit, in order; the line that counts the rest comes
// before the last frame piece that foot holds.
func (p *page) text(foot ...string) string {
	keep, left := p.fit(MaxText - size(foot) - 256) // the count of what is left out fits there
	var out []string
	for i, pc := range p.pieces {
		if keep[i] {
			out = append(out, pc.lines...)
		}
	}
	if total := 0; len(left) > 0 {
		var what []string
		for rank := rankWayOut; rank <= rankDetail; rank++ {
			if n := left[rank]; n > 0 {
				total += n
				what = append(what, fmt.Sprintf("%d %s", n, rankNames[rank][min(n-1, 1)]))
			}
		}
		out = append(out, "", fmt.Sprintf("%s left out: the text stops at 8 KB; the structured result has all (%s).",
			count(total, "more line"), strings.Join(what, ", ")))
	}
	if len(foot) > 0 {
		out = append(append(out, ""), foot...)
	}
	return strings.Join(out, "\n")
}

// fit chooses pieces by rank, then order, within room bytes, and counts by rank the
// lines that are left out. Evidence and sections end at the first piece that is too
// big; a call that is too long costs only itself, a heading what stands under it.
func (p *page) fit(room int) (keep []bool, left map[int]int) {
	order := make([]int, len(p.pieces))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return p.pieces[order[a]].rank < p.pieces[order[b]].rank })
	keep = make([]bool, len(p.pieces))
	full := map[int]bool{}
	left = map[int]int{}
	var notes, facts int // bytes of notes wanted, of facts taken
	for _, pc := range p.pieces {
		if pc.rank == rankNote {
			notes += size(pc.lines)
		}
	}
	for _, i := range order {
		pc := p.pieces[i]
		n := size(pc.lines)
		space := room
		if pc.rank == rankFacts {
			// However much others say of themselves, it hides no note.
			space -= min(notes, (room+facts)/2)
		}
		orphan := pc.under > 0 && !keep[pc.under-1]
		if pc.rank != rankFrame && (orphan || full[pc.rank] || n > space) {
			full[pc.rank] = full[pc.rank] || !orphan && pc.rank >= rankEvidence
			for _, l := range pc.lines {
				if l != "" {
					left[pc.rank]++
				}
			}
			continue
		}
		keep[i] = true
		room -= n
		if pc.rank == rankFacts {
			facts += n
		}
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
