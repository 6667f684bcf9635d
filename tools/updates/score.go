package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gitlet/internal/verb"
)

// score is what was found in one repository.
type score struct {
	name          string
	found, absent int // branch points there are, and those whose files are not all here
	took          []time.Duration

	same      int      // both succeed, with the same trees
	stopped   int      // git stops, update refuses
	unproven  []string // git succeeds, the proof refuses
	differs   []string // git succeeds, update refuses since a merge gives other files
	trees     []string // both succeed, with other trees, commits or authors
	missed    []string // git succeeds, update refuses for another reason
	bold      []string // git stops, update succeeds
	disturbed []string // a refused update changed something, or one that succeeded left something
	broke     []string // a fault
}

// wrong counts what must not be.
func (s *score) wrong() int {
	return len(s.trees) + len(s.missed) + len(s.bold) + len(s.disturbed) + len(s.broke)
}

func (s *score) count(p point, res *verb.Result, rebased bool, want, before, after seen) {
	line := fmt.Sprintf("%s (%s onto %s): %s", p.merge[:10], p.head[:10], p.main[:10], res.Summary)
	if len(res.Details) > 0 {
		line += "; " + strings.Join(res.Details[:min(3, len(res.Details))], "; ")
	}
	data, _ := res.Data.(map[string]any)
	switch ok := res.Outcome == verb.OK; {
	case res.Outcome != verb.OK && res.Outcome != verb.Refused:
		s.broke = append(s.broke, line)
	case ok && !rebased:
		s.bold = append(s.bold, line)
	case ok && (after.tree != want.tree || after.commits != want.commits):
		s.trees = append(s.trees, line)
	case ok && after.status != want.status:
		s.disturbed = append(s.disturbed, line+": "+after.status)
	case ok:
		s.same++
	case after != before:
		s.disturbed = append(s.disturbed, line)
	case data["problems"] != nil:
		s.unproven = append(s.unproven, line)
	case rebased && data["files"] != nil:
		s.differs = append(s.differs, line)
	case rebased:
		s.missed = append(s.missed, line)
	default:
		s.stopped++
	}
}

func (s *score) report() string {
	var b strings.Builder
	slices.Sort(s.took)
	middle := time.Duration(0)
	if n := len(s.took); n > 0 {
		middle = s.took[n/2]
	}
	fmt.Fprintf(&b, "%s: %d of %d branch points (%d not whole here), one update %s in the middle\n", s.name, len(s.took), s.found, s.absent, middle.Round(time.Millisecond))
	fmt.Fprintf(&b, "  both succeed, the same trees   %4d\n  git stops, update refuses      %4d\n", s.same, s.stopped)
	for _, x := range []struct {
		what string
		list []string
	}{
		{"the proof refuses              ", s.unproven}, {"a merge gives other files      ", s.differs}, {"other trees or commits         ", s.trees},
		{"refused without need           ", s.missed}, {"done where git stops           ", s.bold}, {"something was disturbed        ", s.disturbed}, {"broke                          ", s.broke},
	} {
		fmt.Fprintf(&b, "  %s%4d\n", x.what, len(x.list))
		for _, l := range x.list {
			fmt.Fprintf(&b, "    %s\n", l)
		}
	}
	return b.String()
}
