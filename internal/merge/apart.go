package merge

import (
	"slices"
	"strings"
)

// apart merges lines where the changes of both sides lie apart in base, with a line between
// them that each version has once: as git does, but at no cost. Without such a line, git
// may see a change further on, where the same lines stand. It reports false where they do
// not, which says nothing about whether git can merge them.
func apart(base, ours, theirs string) (string, bool) {
	b, o, t := strings.SplitAfter(base, "\n"), strings.SplitAfter(ours, "\n"), strings.SplitAfter(theirs, "\n")
	x, y := changeOf(b, o), changeOf(b, t)
	if y.to < x.from {
		x, y = y, x
	}
	if x.to >= y.from {
		return "", false
	}
	inB, inO, inT := counts(b), counts(o), counts(t)
	if !slices.ContainsFunc(b[x.to:y.from], func(line string) bool { return inB[line] == 1 && inO[line] == 1 && inT[line] == 1 }) {
		return "", false
	}
	var out strings.Builder
	for _, part := range [][]string{b[:x.from], x.lines, b[x.to:y.from], y.lines, b[y.to:]} {
		for _, line := range part {
			out.WriteString(line)
		}
	}
	return out.String(), true
}

func counts(lines []string) map[string]int {
	out := map[string]int{}
	for _, l := range lines {
		out[l]++
	}
	return out
}

// change is what stands in place of the lines from-to of base, end exclusive, on a side.
type change struct {
	from, to int
	lines    []string
}

func changeOf(base, side []string) change {
	head := 0
	for head < len(base) && head < len(side) && base[head] == side[head] {
		head++
	}
	tail := 0
	for tail < len(base)-head && tail < len(side)-head && base[len(base)-1-tail] == side[len(side)-1-tail] {
		tail++
	}
	return change{head, len(base) - tail, side[head : len(side)-tail]}
}
