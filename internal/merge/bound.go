package merge

import (
	"slices"
	"strings"

	"gitlet/internal/lang"
)

// boundByBoth is a name that each side gives to something of its own, "" for none: it would
// stand there twice, whatever the two things are.
func boundByBoth(things []three) string {
	ours, theirs := map[string]bool{}, map[string]bool{}
	for _, x := range things {
		o, t := x.ours.boundBeside(x.base), x.theirs.boundBeside(x.base)
		if x.ours != nil && x.theirs != nil {
			o, t = withoutShared(x, o, t), withoutShared(x, t, o)
		}
		for _, name := range o {
			ours[name] = true
		}
		for _, name := range t {
			theirs[name] = true
		}
	}
	var both []string
	for name := range ours {
		if theirs[name] {
			both = append(both, name)
		}
	}
	if len(both) == 0 {
		return ""
	}
	return slices.Min(both)
}

func (it *item) bound() []string {
	if it == nil || it.part == nil {
		return nil
	}
	return it.part.Bound
}

// boundBeside are the names it binds that base does not.
func (it *item) boundBeside(base *item) []string {
	if base != nil && it != nil && base.text == it.text {
		return nil
	}
	var out []string
	was := base.bound()
	for _, name := range it.bound() {
		if !slices.Contains(was, name) {
			out = append(out, name)
		}
	}
	return out
}

// withoutShared leaves out of the names that one side adds to a thing those that the other
// adds to it too, and that come to one there: the texts are the same, or they are merged by
// members, or the same words of an import bind them.
func withoutShared(x three, names, others []string) []string {
	o, t := x.ours, x.theirs
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		if !slices.Contains(others, name) {
			return false
		}
		if o.text == t.text || o.holds && t.holds && x.base != nil && x.base.holds {
			return true
		}
		return o.names != nil && t.names != nil && slices.ContainsFunc(o.names.list, func(words string) bool {
			return slices.Contains(t.names.list, words) && binds(words, strings.TrimPrefix(name, "export "))
		})
	})
}

// binds reports whether a word of an import, "a", "a as b" or "m::a", gives a name.
func binds(words, name string) bool {
	rest, ok := strings.CutSuffix(words, name)
	return words == "self" || ok && (rest == "" || strings.HasSuffix(rest, " ") || strings.HasSuffix(rest, "::"))
}

// fused is something that would be read as one with what comes behind it, and does so on no side.
func fused(ours, theirs, out []item) *item {
	before := -1
	for i := range out {
		a := out[i].part
		if a == nil || a.Kind == lang.PartComment {
			continue
		}
		if before >= 0 {
			b := &out[before]
			joins := b.part.Behind == lang.Hungry || b.part.Behind == lang.Open && a.Continues
			if joins && !adjacent(ours, b.text, out[i].text) && !adjacent(theirs, b.text, out[i].text) {
				return b
			}
		}
		before = i
	}
	return nil
}

// adjacent reports whether one text stands right behind another, comments aside.
func adjacent(list []item, first, second string) bool {
	before := ""
	for _, it := range list {
		if it.kind == lang.PartComment {
			continue
		}
		if before == first && it.text == second {
			return true
		}
		before = it.text
	}
	return false
}
