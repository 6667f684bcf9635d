package merge

import (
	"fmt"
	"strings"

	"gitlet/internal/lang"
)

// Lines merges three versions of a few lines as git does; it reports false where they
// conflict.
type Lines func(base, ours, theirs []byte) (merged []byte, ok bool)

// DoubtError is why a file is left to git: nothing is wrong with it.
type DoubtError struct{ Why string }

func (e *DoubtError) Error() string { return e.Why }

func doubt(format string, args ...any) error { return &DoubtError{fmt.Sprintf(format, args...)} }

// item is a part of a file with its text, or, for a changelog, a heading or an entry.
type item struct {
	kind  lang.PartKind
	key   string
	blank string // the empty lines before, as they are
	// text is all of it, whole lines; what parts it from the next member is left out.
	text string
	// sep is where that comma would stand in text; hasSep whether it stood there.
	sep    int
	hasSep bool
	broken bool
	// A holder is what opens it, its members, and what closes it.
	holds      bool
	head, foot string
	kids       []item
	tail       string // the empty lines behind the last member
	commas     bool
	names      *names
	part       *lang.Part // what it was cut from; nil in a changelog
	// now is what of the text runs where it stands, or is not known to run later.
	now      string
	hoisted  bool // it may be used above
	numbered bool // a member's value may depend on those before it
}

// names is an import as the list of its names with what stands around it.
type names struct {
	before, inside, after string
	list                  []string
	bracketed             bool
}

// items gives the parts of an outline their texts.
func items(src string, lines []int, parts []lang.Part) []item {
	var out []item
	for i := range parts {
		p := &parts[i]
		from, to := lines[p.From], lines[p.To]
		it := item{kind: p.Kind, key: p.Key, blank: src[lines[p.From-p.Blank]:from], text: src[from:to], sep: p.Sep - from, hasSep: p.HasSep, broken: p.Broken, part: p}
		it.now, it.hoisted, it.numbered = src[from:to], p.Hoisted, p.Numbered
		if len(p.Later) > 0 {
			var now strings.Builder
			at := from
			for _, l := range p.Later {
				now.WriteString(src[at:max(at, l[0])] + " ")
				at = l[1]
			}
			it.now = now.String() + src[at:max(at, to)]
		}
		if p.HasSep {
			it.text = it.text[:it.sep] + it.text[it.sep+1:]
		}
		if p.Holds {
			it.holds, it.commas, it.tail = true, p.Commas, src[lines[p.FootFrom-p.Tail]:lines[p.FootFrom]]
			it.head, it.foot = src[from:lines[p.HeadTo]], src[lines[p.FootFrom]:to]
			it.kids = items(src, lines, p.Kids)
		}
		if l := p.List; l != nil {
			it.names = &names{before: src[from:l.From], inside: src[l.From:l.To], after: src[l.To:to], list: l.Names, bracketed: l.Bracketed}
		}
		out = append(out, it)
	}
	return out
}

// write puts items into one text, with the empty lines of tail at the end. In a list with commas
// every member but the last has one, and that as last says.
func write(list []item, tail string, commas, last bool) string {
	var b strings.Builder
	end := -1
	for i, it := range list {
		if it.kind != lang.PartComment {
			end = i
		}
	}
	for i, it := range list {
		b.WriteString(it.blank)
		comma := it.hasSep
		if commas {
			comma = i < end || i == end && last
		}
		if comma && it.kind != lang.PartComment {
			b.WriteString(it.text[:it.sep] + "," + it.text[it.sep:])
		} else {
			b.WriteString(it.text)
		}
	}
	b.WriteString(tail)
	return b.String()
}

// lastSep reports whether a comma stands behind the last member.
func lastSep(list []item) bool {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].kind != lang.PartComment {
			return list[i].hasSep
		}
	}
	return false
}

// label names an item for people.
func (it item) label() string {
	key := it.key
	if i := strings.IndexByte(key, ' '); i >= 0 && it.kind == lang.PartDefinition {
		key = key[i+1:]
	}
	if line, _, more := strings.Cut(strings.TrimSpace(key), "\n"); more || len(line) > 60 {
		key = line[:min(len(line), 60)] + "..."
	}
	return fmt.Sprintf("%q", key)
}
