package merge

import (
	"slices"
	"strings"

	"gitlet/internal/lang"
	"gitlet/internal/pattern"
)

// Changelog merges a changelog by its headings and entries: what both sides add under one
// heading stands there one after the other, ours first. The error is a *DoubtError where
// one side changed what the other did, or each has its own next heading.
func Changelog(v Versions, lines Lines) ([]byte, error) {
	e, b, o, t, err := evenOut(v)
	if err != nil {
		return nil, err
	}
	var parts [3][]item
	var tails [3]string
	for i, text := range []string{b, o, t} {
		parts[i], tails[i] = entries(text)
	}
	m := &merger{lines: lines, left: maxLines, nameless: []lang.PartKind{lang.PartStatement, lang.PartDefinition}, together: listed, space: spaced(parts[:])}
	list, err := m.list(parts[0], parts[1], parts[2], "")
	if err != nil {
		return nil, err
	}
	text := write(list, pick(tails[0], tails[1], tails[2]), false, false)
	again, _ := entries(text)
	if !slices.Equal(flat(again), flat(list)) {
		return nil, doubt("the merged changelog does not read as it was put together")
	}
	return e.back(text), nil
}

var (
	hashes    = pattern.New(`^(#{1,6})\s+\S`)
	underline = pattern.New(`^(=+|-+|\^+|~+|\*+|\++|"+)\s*$`)
	bullet    = pattern.New(`^(\s*)([-*+]|[0-9]+[.)])\s+\S`)
	fence     = pattern.New("^\\s*(```|~~~)")
)

// entries cuts a changelog into sections, with what stands below each as its members, and
// those into entries. tail is the empty lines at the end.
func entries(text string) (list []item, tail string) {
	flatList, tail := blocks(strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n"))
	list, _ = nest(flatList, 0)
	return list, tail
}

// block is a heading, an entry or a paragraph; level is 0 for what is no heading.
type block struct {
	item
	level int
}

// blocks reads the lines of a changelog.
func blocks(lines []string) (out []block, tail string) {
	if n := len(lines); n > 0 && !strings.HasSuffix(lines[n-1], "\n") {
		lines[n-1] += "\n"
	}
	var styles []byte // of underlined headings, outermost first
	blank := ""
	for i := 0; i < len(lines); {
		if strings.TrimSpace(lines[i]) == "" {
			blank += lines[i]
			i++
			continue
		}
		b := block{item: item{kind: lang.PartDefinition, blank: blank}}
		from := i
		switch next := at(lines, i+1); {
		case hashes.MatchString(lines[i]):
			b.level = len(hashes.FindStringSubmatch(lines[i])[1])
			i++
		case !bullet.MatchString(lines[i]) && underline.MatchString(next) && len(strings.TrimSpace(next)) >= 3:
			c := next[0]
			n := slices.Index(styles, c)
			if n < 0 {
				styles, n = append(styles, c), len(styles)
			}
			b.level = n + 1
			i += 2
		default:
			i = paragraph(lines, i)
		}
		b.text = strings.Join(lines[from:i], "")
		b.key = strings.Join(strings.Fields(b.text), " ")
		if b.level == 0 && !bullet.MatchString(lines[from]) {
			b.kind = lang.PartStatement
		}
		out, blank = append(out, b), ""
	}
	return out, blank
}

// paragraph is where the entry or paragraph that begins at line i ends: a list entry goes on
// over lines indented deeper, also behind empty ones.
func paragraph(lines []string, i int) int {
	open := fence.MatchString(lines[i])
	indent := -1
	if m := bullet.FindStringSubmatch(lines[i]); m != nil {
		indent = len(m[1])
	}
	end := i + 1
	for j := i + 1; j < len(lines); j++ {
		line := lines[j]
		if fence.MatchString(line) {
			open = !open
			end = j + 1
			continue
		}
		if open {
			end = j + 1
			continue
		}
		if strings.TrimSpace(line) == "" {
			if indent < 0 {
				return end
			}
			continue
		}
		deep := len(line) - len(strings.TrimLeft(line, " \t"))
		switch {
		case indent >= 0 && deep > indent:
		case j > end, bullet.MatchString(line), hashes.MatchString(line), underline.MatchString(at(lines, j+1)) && indent < 0:
			return end
		}
		end = j + 1
	}
	return end
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// nest puts what stands below a heading into it.
func nest(list []block, level int) (out []item, rest []block) {
	for len(list) > 0 {
		b := list[0]
		if b.level > 0 && b.level <= level {
			return out, list
		}
		list = list[1:]
		if b.level > 0 {
			b.holds, b.head = true, b.text
			b.kids, list = nest(list, b.level)
			b.text = b.head + write(b.kids, "", false, false)
		}
		out = append(out, b.item)
	}
	return out, nil
}

// spaced makes the function that gives merged entries the empty lines before them: between
// two that stood so, what was there; before the first below a heading, what was before the
// first; and where they meet for the first time, what the file mostly has.
func spaced(files [][]item) func(out []item, sides ...[]item) {
	common := mostly(files)
	return func(out []item, sides ...[]item) {
		for i := range out {
			it := &out[i]
			if !it.entry() || i > 0 && !out[i-1].entry() {
				continue
			}
			blank, known := "", false
			for _, side := range sides {
				for j := range side {
					if known || !side[j].entry() || (j == 0) != (i == 0) {
						continue
					}
					if i == 0 || side[j].text == it.text && side[j-1].text == out[i-1].text {
						blank, known = side[j].blank, true
					}
				}
			}
			switch {
			case known:
				it.blank = blank
			case i > 0:
				it.blank = common
			}
		}
	}
}

// mostly is what most entries of the files have between them.
func mostly(files [][]item) string {
	count := map[string]int{}
	var in func(list []item)
	in = func(list []item) {
		for i, it := range list {
			if in(it.kids); i > 0 && it.entry() && list[i-1].entry() {
				count[it.blank]++
			}
		}
	}
	for _, list := range files {
		in(list)
	}
	most := ""
	for blank, n := range count {
		if n > count[most] || n == count[most] && len(blank) < len(most) {
			most = blank
		}
	}
	return most
}

// entry reports whether a thing of a changelog is an entry of a list.
func (it item) entry() bool { return !it.holds && it.kind == lang.PartDefinition }

// reworded reports whether the side of a thing took out an entry as well: what it adds may
// be the same in other words.
func reworded(p placed, g gap) bool {
	ours := g.things[p.id].ours != nil
	return slices.ContainsFunc(g.things[:g.inBase], func(x three) bool {
		return x.base.entry() && (ours && x.ours == nil || !ours && x.theirs == nil)
	})
}

// listed says why what both sides add to a changelog at one place cannot both stand there.
func listed(a, b []placed, g gap) error {
	for _, p := range append(slices.Clone(a), b...) {
		switch it := g.item(p); {
		case reworded(p, g):
			return doubt("one side changes an entry where both add some: %s", it.label())
		case it.holds:
			return doubt("both sides add at one place, and one of them the heading %s", it.label())
		case it.kind == lang.PartStatement:
			return doubt("both sides add text at one place that is no list")
		}
	}
	return nil
}
