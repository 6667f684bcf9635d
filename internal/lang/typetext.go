package lang

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// textOptions adjust how a type is spelled.
type textOptions struct {
	// rename replaces whole identifier tokens, such as type parameters.
	rename map[string]string
	// sub may spell a whole node itself. May be nil.
	sub func(t *Tree, n Node) (string, bool)
}

// memberLists are the nodes whose members are separated by line ends, commas or
// semicolons as the writer likes; the text always has semicolons.
var memberLists = map[string]bool{
	"object_type": true, "interface_body": true, "field_declaration_list": true, "interface_type": true,
}

// spacedTokens have a space on both sides unless they stand first in their node.
var spacedTokens = map[string]bool{
	"|": true, "&": true, "=": true, "=>": true, "->": true, "+": true, "==": true, "|=": true,
	"<<": true, ">>": true, "&&": true, "||": true,
}

// spacedKeywords keep a space before an opening bracket or a prefix operator.
var spacedKeywords = map[string]bool{
	"chan": true, "mut": true, "dyn": true, "const": true, "readonly": true, "keyof": true, "extends": true,
	"is": true, "in": true, "infer": true, "asserts": true, "as": true, "where": true, "impl": true, "new": true,
	"abstract": true, "unique": true, "typeof": true, "for": true, "unsafe": true,
}

// typeText spells the type at n the same way however the source is formatted:
// comments dropped, spaces by rule, line ends and trailing commas gone. It is "" for None.
func typeText(t *Tree, n Node, o textOptions) string {
	if n == None {
		return ""
	}
	w := typeWriter{t: t, o: o}
	w.node(n)
	return valid(w.b.String())
}

type typeWriter struct {
	t *Tree
	o textOptions
	b strings.Builder
	// last is the token written last; tight after a prefix operator, loose after a spaced one.
	last         string
	tight, loose bool
}

func (w *typeWriter) node(n Node) {
	t := w.t
	if t.Extra(n) && !t.IsError(n) {
		return
	}
	if w.o.sub != nil {
		if s, ok := w.o.sub(t, n); ok {
			if s != "" {
				w.put(s, false, false)
			}
			return
		}
	}
	if t.Leaf(n) {
		w.leaf(n)
		return
	}
	if t.trait(n, traitLiteral) {
		w.put(string(unixLines(t.Bytes(n))), false, false)
		return
	}
	list, seen := t.trait(n, traitMembers), false
	for c := range t.Children(n) {
		if list && t.Named(c) && (!t.Extra(c) || t.IsError(c)) {
			if seen {
				w.put(";", false, false)
			}
			seen = true
		}
		w.node(c)
	}
}

func (w *typeWriter) leaf(n Node) {
	t := w.t
	if t.Start(n) == t.End(n) || blankToken(t, n) || trailingComma(t, n) {
		return
	}
	s := string(unixLines(t.Bytes(n)))
	if !t.Named(n) {
		parent := t.Kind(t.Parent(n))
		if t.trait(t.Parent(n), traitMembers) && (s == ";" || s == ",") {
			return
		}
		first := t.FirstChild(t.Parent(n)) == n
		if first && s == "|" {
			return // a leading bar of a union
		}
		spaced := (!first || s == "=") && spacedTokens[s] || (s == "?" || s == ":") && parent == "conditional_type"
		w.put(s, spaced, first && (s == "&" || s == "*" || s == "<-" || s == "~" || s == "!"))
		return
	}
	if r, ok := w.o.rename[s]; ok {
		s = r
	}
	w.put(s, false, false)
}

// put writes one token with the space its neighbours call for.
func (w *typeWriter) put(s string, spaced, prefix bool) {
	if w.last != "" && (spaced || w.needsSpace(s)) {
		w.b.WriteByte(' ')
	}
	w.b.WriteString(s)
	w.last, w.loose, w.tight = s, spaced, prefix
}

func (w *typeWriter) needsSpace(s string) bool {
	prev := w.last
	if w.loose {
		return true
	}
	switch s {
	case ",", ";", ")", "]", ":", "?", "?:", "-?:", "+?:", ".", "::", ">":
		return false
	case "}":
		return prev != "{"
	}
	switch prev {
	case ",", ";", ":", "?:", "-?:", "+?:", "{":
		return true
	case "(", "[", ".", "::", "...", "<", "'", "#", "@":
		return false
	}
	if w.tight {
		return false
	}
	if len(prev) > 1 && prev[0] == '\'' && prev[len(prev)-1] != '\'' { // a Rust lifetime
		return true
	}
	start, _ := utf8.DecodeRuneInString(s)
	end, _ := utf8.DecodeLastRuneInString(prev)
	word := wordRune(start) || start == '\'' || start == '"' || start == '`'
	switch {
	case word && (wordRune(end) || end == ')' || end == '>' || end == '}' || end == '-' || end == '"' || end == '\''):
		return true
	case spacedKeywords[prev]:
		return s != "<" && s != "<-"
	}
	return end == ')' && (start == '(' || start == '*')
}

func wordRune(r rune) bool {
	return r == '_' || r == '$' || r == utf8.RuneError || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// sortedTerms spells a union, whose order means nothing, in one order.
func sortedTerms(t *Tree, n Node, o textOptions, separator string) string {
	var terms []string
	for _, c := range unionNodes(t, n) {
		terms = append(terms, typeText(t, c, o))
	}
	sort.Strings(terms)
	return strings.Join(terms, separator)
}

// unionNodes takes a list of terms apart that the grammar nests in nodes of one kind.
func unionNodes(t *Tree, n Node) []Node {
	var out []Node
	for c := range t.NamedChildren(n) {
		if t.Is(c, t.Kind(n)) {
			out = append(out, unionNodes(t, c)...)
		} else {
			out = append(out, c)
		}
	}
	return out
}
