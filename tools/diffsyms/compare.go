package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Diff is one file's comparison.
type Diff struct {
	Both []Pair
	// Confirmed pairs gitlet's definition with an extra one of the other reader.
	Confirmed             []Pair
	OnlyGitlet, OnlyOther []Definition
}

// Pair is one definition as both readers see it.
type Pair struct{ Gitlet, Other Definition }

// SameParams reports whether both count the same parameters; ok is false when one
// of them has none to count.
func (p Pair) SameParams() (same, ok bool) {
	if p.Gitlet.Params < 0 || p.Other.Params < 0 {
		return false, false
	}
	return p.Gitlet.Params == p.Other.Params, true
}

// key is what must be equal in both readings, beside the place. Without containers
// a method is a function too.
func key(d Definition, bare bool) string {
	name := d.Name
	if bare {
		name = name[strings.LastIndexByte(name, '.')+1:]
	}
	kind := d.Kind
	if bare && kind == "method" {
		kind = "function"
	}
	return kind + " " + plainName(name)
}

// plainName spells names that are no identifiers as gitlet does, "_" for what would
// break a line of output, and computed names without their spaces.
func plainName(s string) string {
	computed := strings.Contains(s, "[")
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\t', '\n', '\r', ':', '"', '\'', '`', '\\', '_':
			if computed {
				return -1
			}
			return '_'
		}
		return r
	}, s)
}

// Compare pairs the definitions of one file: equal kind and name, and the other
// reader's line within gitlet's. Each is used once, in source order.
func Compare(mine, theirs []Definition, bare bool) Diff {
	var d Diff
	index := map[string][]int{}
	for i, o := range theirs {
		k := key(o, bare)
		index[k] = append(index[k], i)
	}
	used := make([]bool, len(theirs))
	take := func(m Definition, extra bool) (Definition, bool) {
		for _, i := range index[key(m, bare)] {
			if o := theirs[i]; !used[i] && o.Extra == extra && m.Line <= o.Line && o.Line <= m.End {
				used[i] = true
				return o, true
			}
		}
		return Definition{}, false
	}
	for _, m := range mine {
		if o, ok := take(m, false); ok {
			d.Both = append(d.Both, Pair{m, o})
		} else if o, ok := take(m, true); ok {
			d.Confirmed = append(d.Confirmed, Pair{m, o})
		} else {
			d.OnlyGitlet = append(d.OnlyGitlet, m)
		}
	}
	for i, o := range theirs {
		if !used[i] && !o.Extra {
			d.OnlyOther = append(d.OnlyOther, o)
		}
	}
	return d
}

// Counts are sums over files.
type Counts struct {
	Files, Both, Confirmed, OnlyGitlet, OnlyOther, Params, ParamsSame int
}

func (c *Counts) add(d Diff) {
	c.Files++
	c.Both += len(d.Both)
	c.Confirmed += len(d.Confirmed)
	c.OnlyGitlet += len(d.OnlyGitlet)
	c.OnlyOther += len(d.OnlyOther)
	for _, list := range [][]Pair{d.Both, d.Confirmed} {
		for _, p := range list {
			if same, ok := p.SameParams(); ok {
				c.Params++
				if same {
					c.ParamsSame++
				}
			}
		}
	}
}

// Totals are one language against one reader.
type Totals struct {
	Lang, Reader string
	// Clean are files that nobody calls broken. Mine are those that gitlet alone
	// does, Theirs those that the other alone does, Broken those of both.
	Clean, Mine, Broken Counts
	Theirs              int
	// Level counts gitlet's file-level answers by reason.
	Level map[string]int
	// Why counts explained differences: "only other: inside a macro".
	Why   map[string]int
	lines []string
}

// Add takes one file in.
func (t *Totals) Add(mine, theirs Reading, r reader) {
	if len(r.lacks) > 0 {
		var kept []Definition
		for _, d := range mine.Defs {
			if !r.lacks[d.Kind] {
				kept = append(kept, d)
			}
		}
		mine.Defs = kept
	}
	switch {
	case mine.Level:
		if t.Level == nil {
			t.Level = map[string]int{}
		}
		t.Level[mine.Error]++
		t.line("file level", mine.Path, Definition{Kind: mine.Error, Name: theirs.Error})
		return
	case mine.Error == "" && theirs.Error != "":
		t.Theirs++
		t.line("only other calls it broken", mine.Path, Definition{Kind: theirs.Error})
		return
	}
	d := Compare(mine.Defs, theirs.Defs, r.bare)
	where := &t.Clean
	switch {
	case mine.Error != "" && theirs.Error != "":
		where = &t.Broken
	case mine.Error != "":
		where = &t.Mine
		t.line("only gitlet calls it broken", mine.Path, Definition{})
	}
	where.add(d)
	if where != &t.Clean {
		for _, o := range d.OnlyOther {
			if theirs.Error == "" {
				t.line("only other, beside an error", mine.Path, o)
			}
		}
		return
	}
	for _, o := range d.OnlyOther {
		t.difference("only other", mine.Path, o, r)
	}
	for _, m := range d.OnlyGitlet {
		t.difference("only gitlet", mine.Path, m, r)
	}
	for _, list := range [][]Pair{d.Both, d.Confirmed} {
		for _, p := range list {
			if same, ok := p.SameParams(); ok && !same {
				p.Other.Name += fmt.Sprintf(" (gitlet %d, other %d)", p.Gitlet.Params, p.Other.Params)
				t.line("parameters", mine.Path, p.Other)
			}
		}
	}
}

// difference notes one difference, with its reason where the reader knows one.
func (t *Totals) difference(what, path string, d Definition, r reader) {
	if r.explain != nil {
		why := r.explain(path, d)
		if t.Why == nil {
			t.Why = map[string]int{}
		}
		t.Why[what+": "+why]++
		d.Name += " (" + why + ")"
	}
	t.line(what, path, d)
}

func (t *Totals) line(what, path string, d Definition) {
	t.lines = append(t.lines, strings.TrimSpace(fmt.Sprintf("%s\t%s:%d %s %s", what, path, d.Line, d.Kind, d.Name)))
}

// Print writes the totals, and with verbose the differences before them.
func (t *Totals) Print(w io.Writer, verbose bool) {
	if verbose {
		for _, l := range t.lines {
			fmt.Fprintln(w, l)
		}
	}
	c := t.Clean
	fmt.Fprintf(w, "%s against %s\n", t.Lang, t.Reader)
	fmt.Fprintf(w, "  files compared           %7d\n", c.Files)
	fmt.Fprintf(w, "  seen by both             %7d\n", c.Both)
	fmt.Fprintf(w, "  only the other           %7d  %s found\n", c.OnlyOther, percent(c.Both, c.Both+c.OnlyOther))
	fmt.Fprintf(w, "  beyond the list          %7d  confirmed by the other\n", c.Confirmed)
	fmt.Fprintf(w, "  only gitlet              %7d  %s invented\n", c.OnlyGitlet, percent(c.OnlyGitlet, c.Both+c.Confirmed+c.OnlyGitlet))
	fmt.Fprintf(w, "  parameter counts equal   %7d  %s of %d\n", c.ParamsSame, percent(c.ParamsSame, c.Params), c.Params)
	fmt.Fprintf(w, "  files apart: both see errors %d, only gitlet %d (%s of %d definitions found there), only the other %d\n",
		t.Broken.Files, t.Mine.Files, percent(t.Mine.Both, t.Mine.Both+t.Mine.OnlyOther), t.Mine.Both+t.Mine.OnlyOther, t.Theirs)
	for _, reason := range slices.Sorted(maps.Keys(t.Level)) {
		fmt.Fprintf(w, "  files apart: file level, %s: %d\n", reason, t.Level[reason])
	}
	for _, why := range slices.Sorted(maps.Keys(t.Why)) {
		fmt.Fprintf(w, "  %s: %d\n", why, t.Why[why])
	}
}

// printTable writes all totals as one Markdown table.
func printTable(w io.Writer, all []*Totals) {
	fmt.Fprintln(w, "\n| Language | Other reader | Files | Both | Only other | Found | Confirmed beyond | Only gitlet | Invented | Parameters equal | Both broken | Only gitlet broken | Only other broken | File level |")
	fmt.Fprintln(w, "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
	for _, t := range all {
		c, level := t.Clean, 0
		for _, n := range t.Level {
			level += n
		}
		fmt.Fprintf(w, "| %s | %s | %d | %d | %d | %s | %d | %d | %s | %s | %d | %d | %d | %d |\n",
			t.Lang, t.Reader, c.Files, c.Both, c.OnlyOther, percent(c.Both, c.Both+c.OnlyOther), c.Confirmed,
			c.OnlyGitlet, percent(c.OnlyGitlet, c.Both+c.Confirmed+c.OnlyGitlet), percent(c.ParamsSame, c.Params),
			t.Broken.Files, t.Mine.Files, t.Theirs, level)
	}
}

func percent(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f %%", 100*float64(n)/float64(of))
}
