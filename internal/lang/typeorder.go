package lang

import (
	"slices"
	"strings"
)

// SameType reports whether two types mean the same as typeText spells them: the terms
// of a union have no order, and Python's Optional[A] and Union[A, B] are unions too.
func SameType(a, b string) bool { return a == b || orderFree(a) == orderFree(b) }

// orderFree spells a type with the terms of its unions in one order.
func orderFree(s string) string {
	if !hasUnion(s) || nesting(s) > maxOrdered {
		return s
	}
	return orderList(s)
}

// maxOrdered is how deep brackets may be nested in a type: each level is looked at as
// often as it is deep. A deeper type is compared as it is written.
const maxOrdered = 50

func nesting(s string) int {
	depth, deepest := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '(', '[', '{', '<':
			depth++
			deepest = max(deepest, depth)
		case ')', ']', '}', '>':
			depth = max(depth-1, 0)
		}
	}
	return deepest
}

func hasUnion(s string) bool {
	return strings.Contains(s, " | ") || strings.Contains(s, "Optional[") || strings.Contains(s, "Union[")
}

// orderList treats what separators keep apart each by itself.
func orderList(s string) string {
	var b strings.Builder
	for {
		i := topLevel(s, ", ", "; ")
		piece := s
		if i >= 0 {
			piece = s[:i]
		}
		if hasUnion(piece) {
			core := strings.TrimSpace(piece) // object types have spaces inside their braces
			at := strings.Index(piece, core)
			b.WriteString(piece[:at])
			b.WriteString(orderUnion(core))
			b.WriteString(piece[at+len(core):])
		} else {
			b.WriteString(piece)
		}
		if i < 0 {
			return b.String()
		}
		b.WriteString(s[i : i+2])
		s = s[i+2:]
	}
}

// orderUnion sorts the terms of one union. What stands before it, a member's name or
// a bound's parameter, stays in front. A type whose parts reach to its end, such as
// a function's result, is left as it is but for what its brackets hold.
func orderUnion(s string) string {
	if topLevel(s, " => ", " -> ", " ? ") >= 0 {
		return orderBrackets(s)
	}
	head := ""
	for _, mark := range []string{": ", " extends "} {
		if i := topLevel(s, mark); i >= 0 {
			head, s = head+orderBrackets(s[:i])+mark, s[i+len(mark):]
		}
	}
	terms := unionTerms(s)
	if len(terms) > 1 {
		slices.Sort(terms)
		terms = slices.Compact(terms)
	}
	return head + strings.Join(terms, " | ")
}

// unionTerms takes a union apart, however it is written.
func unionTerms(s string) []string {
	var out []string
	for rest := s; ; {
		i := topLevel(rest, " | ")
		term := rest
		if i >= 0 {
			term = rest[:i]
		}
		name, inside, ok := strings.Cut(strings.TrimSuffix(term, "]"), "[")
		name = name[strings.LastIndexByte(name, '.')+1:]
		switch {
		case ok && name == "Optional" && topLevel(inside, ", ") < 0:
			out = append(append(out, unionTerms(inside)...), "None")
		case ok && name == "Union":
			for {
				j := topLevel(inside, ", ")
				if j < 0 {
					break
				}
				out = append(out, unionTerms(inside[:j])...)
				inside = inside[j+2:]
			}
			out = append(out, unionTerms(inside)...)
		default:
			out = append(out, orderBrackets(term))
		}
		if i < 0 {
			return out
		}
		rest = rest[i+3:]
	}
}

// orderBrackets treats what stands in brackets.
func orderBrackets(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexAny(s, "([{<\"'`")
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		n := bracketed(s[i:])
		if n < 2 || strings.IndexByte("\"'`", s[i]) >= 0 {
			b.WriteString(s[:i+n])
		} else {
			b.WriteString(s[:i+1])
			b.WriteString(orderList(s[i+1 : i+n-1]))
			b.WriteByte(s[i+n-1])
		}
		s = s[i+n:]
	}
}

// topLevel is the first place of one of the marks outside brackets and quotes, or -1.
func topLevel(s string, marks ...string) int {
	for i := 0; i < len(s); {
		switch s[i] {
		case '(', '[', '{', '<', '"', '\'', '`':
			i += bracketed(s[i:])
			continue
		case ' ', ',', ';', ':': // how marks start
			for _, m := range marks {
				if strings.HasPrefix(s[i:], m) {
					return i
				}
			}
		}
		i++
	}
	return -1
}

// bracketed is the length of what the bracket or quote at the start of s encloses,
// itself and its end included; 1 when it has no end.
func bracketed(s string) int {
	if q := s[0]; strings.IndexByte("\"'`", q) >= 0 {
		if i := strings.IndexByte(s[1:], q); i >= 0 {
			return i + 2
		}
		return 1 // a Rust lifetime, or an apostrophe
	}
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{', '<':
			depth++
		case '>':
			if i > 0 && (s[i-1] == '=' || s[i-1] == '-') {
				continue // an arrow
			}
			depth--
		case ')', ']', '}':
			depth--
		}
		if depth == 0 {
			return i + 1
		}
	}
	return 1
}
