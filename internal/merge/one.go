package merge

import (
	"slices"
	"strings"

	"gitlet/internal/lang"
	"gitlet/internal/pattern"
)

// one merges a thing that stays.
func (m *merger) one(x three) (item, error) {
	b, o, t := x.base, x.ours, x.theirs
	switch {
	case o == nil:
		return *t, nil
	case t == nil:
		return *o, nil
	case b == nil:
		if o.text == t.text {
			return *o, nil
		}
		b = &item{kind: o.kind, key: o.key, blank: o.blank, names: &names{before: o.names.before, after: o.names.after}}
	}
	out := *o
	switch {
	case o.text == t.text || t.text == b.text:
	case o.text == b.text:
		out = *t
	case b.broken || o.broken || t.broken:
		return out, doubt("both sides change %s, which cannot be read whole", o.label())
	case b.holds && o.holds && t.holds:
		var err error
		if out, err = m.holder(b, o, t); err != nil {
			return out, err
		}
	case b.names != nil && o.names != nil && t.names != nil:
		text, err := mergeNames(b.names, o.names, t.names)
		if err != nil {
			return out, err
		}
		out.text = text
	default:
		text, err := m.text(b.text, o.text, t.text, o)
		if err != nil {
			return out, err
		}
		trimmed := strings.TrimRight(text, " \t\n")
		if line := trimmed[strings.LastIndexByte(trimmed, '\n')+1:]; o.hasSep || t.hasSep || b.hasSep {
			if strings.Contains(line, "//") || strings.Contains(line, "/*") || strings.Contains(line, "#") {
				return out, doubt("where the comma of %s belongs is not certain", o.label())
			}
		}
		out.text, out.sep = text, len(trimmed)
	}
	out.blank = pick(b.blank, o.blank, t.blank)
	out.hasSep = pick(b.hasSep, o.hasSep, t.hasSep)
	return out, nil
}

// holder merges a type, a group or a module by its members.
func (m *merger) holder(b, o, t *item) (item, error) {
	out := *o
	var err error
	if out.head, err = m.text(b.head, o.head, t.head, o); err != nil {
		return out, err
	}
	if out.foot, err = m.text(b.foot, o.foot, t.foot, o); err != nil {
		return out, err
	}
	if b.numbered || o.numbered || t.numbered {
		if was := shape(b.kids); !slices.Equal(was, shape(o.kids)) && !slices.Equal(was, shape(t.kids)) && !slices.Equal(shape(o.kids), shape(t.kids)) {
			return out, doubt("both sides change members of %s, which are counted", o.label())
		}
	}
	if out.kids, err = m.list(b.kids, o.kids, t.kids, o.text+t.text); err != nil {
		return out, err
	}
	out.tail = pick(b.tail, o.tail, t.tail)
	out.commas = b.commas || o.commas || t.commas
	last := pick(lastSep(b.kids), lastSep(o.kids), lastSep(t.kids))
	out.text = out.head + write(out.kids, out.tail, out.commas, last) + out.foot
	if out.hasSep || t.hasSep {
		return out, doubt("%s is a member with members", o.label())
	}
	return out, nil
}

// shape is members without the lines that are only comments.
func shape(kids []item) []string {
	var out []string
	for _, k := range kids {
		if k.kind == lang.PartComment {
			continue
		}
		var code []string
		for line := range strings.Lines(k.text) {
			if line = strings.TrimSpace(line); line != "" && !commentLine.MatchString(line) {
				code = append(code, line)
			}
		}
		out = append(out, strings.Join(code, "\n"))
	}
	return out
}

var commentLine = pattern.New(`^(//|#($|[^\[])|/\*|\*)`)

// text merges lines.
func (m *merger) text(b, o, t string, it *item) (string, error) {
	switch {
	case o == t || t == b:
		return o, nil
	case o == b:
		return t, nil
	}
	if merged, ok := apart(b, o, t); ok {
		return merged, nil
	}
	if m.left--; m.left < 0 {
		return "", doubt("too much of it was changed by both sides")
	}
	merged, ok := m.lines([]byte(b), []byte(o), []byte(t))
	if !ok {
		return "", doubt("both sides change the same lines of %s", it.label())
	}
	return string(merged), nil
}

// pick is what of three values counts: the changed one, ours where both changed it.
func pick[T comparable](b, o, t T) T {
	if o == b {
		return t
	}
	return o
}

// mergeNames merges the names of an import, each of which stands for itself.
func mergeNames(b, o, t *names) (string, error) {
	if o.before != t.before || o.after != t.after {
		if b.list == nil || !(o.before == b.before && o.after == b.after || t.before == b.before && t.after == b.after) {
			return "", doubt("both sides change an import, and not only its names")
		}
	}
	for _, n := range b.list {
		if !slices.Contains(o.list, n) && !slices.Contains(t.list, n) && (len(o.list) >= len(b.list) || len(t.list) >= len(b.list)) {
			return "", doubt("both sides take %q out of an import, and one puts something in its place", n)
		}
	}
	var out []string
	for _, n := range o.list {
		if slices.Contains(t.list, n) || !slices.Contains(b.list, n) {
			out = append(out, n)
		} // else theirs took it out
	}
	// As in the other lists, ours stand first unless both are sorted.
	by := orderOf(nameOrders, o.list, t.list)
	for i, n := range t.list {
		if slices.Contains(out, n) || slices.Contains(b.list, n) {
			continue
		}
		at := len(out)
		if by != nil {
			at, _ = slices.BinarySearchFunc(out, n, by)
		} else if i > 0 {
			if p := slices.Index(out, t.list[i-1]); p >= 0 && p+1 < len(out) && slices.Contains(t.list, out[p+1]) {
				at = p + 1
			}
		}
		out = slices.Insert(out, at, n)
	}
	if len(out) == 0 {
		return "", doubt("nothing is left of an import")
	}
	// The layout of the side that spread it over lines, if one did.
	like := o
	if !strings.Contains(o.inside, "\n") && strings.Contains(t.inside, "\n") {
		like = t
	}
	around := o
	if o.before == b.before && o.after == b.after {
		around = t
	}
	if like.bracketed != around.bracketed {
		around = like
	}
	inside, ok := layout(like, out)
	if !ok {
		return "", doubt("the names of an import are laid out in a way of its own")
	}
	return around.before + inside + around.after, nil
}

// layout writes names as another list of them is written.
func layout(like *names, list []string) (string, bool) {
	trimmed := strings.TrimSpace(like.inside)
	trailing := strings.HasSuffix(trimmed, ",")
	lead := like.inside[:len(like.inside)-len(strings.TrimLeft(like.inside, " \t\n"))]
	end := like.inside[len(strings.TrimRight(like.inside, " \t\n")):]
	if !strings.Contains(like.inside, "\n") {
		s := strings.Join(list, ", ")
		if trailing {
			s += ","
		}
		return lead + s + end, true
	}
	// One on each line.
	if strings.Count(trimmed, "\n") != len(like.list)-1 || !strings.HasPrefix(lead, "\n") {
		return "", false
	}
	indent := lead[strings.LastIndexByte(lead, '\n')+1:]
	s := lead + strings.Join(list, ",\n"+indent)
	if trailing {
		s += ","
	}
	return s + end, true
}

func flat(list []item) []string {
	var out []string
	for _, it := range list {
		if !it.holds {
			out = append(out, it.text)
			continue
		}
		out = append(append(out, it.head), flat(it.kids)...)
		out = append(out, it.foot)
	}
	return out
}
