package contract

import (
	"strings"

	"gitlet/internal/lang"
	"gitlet/internal/model"
)

// unit is a definition in its file: the nodes it is made of, and the text that goes with
// it.
type unit struct {
	parent      lang.Node
	first, last lang.Node
	// start takes in the comments right above; from and to are the definition.
	start, from, to int
	// shared is set for one of several in a statement.
	shared bool
	// spec is the definition without the statement around it.
	specFrom, specTo int
}

// wrappers are statements that may hold a single definition, which they then belong to.
var wrappers = map[string]bool{
	"export_statement": true, "decorated_definition": true, "lexical_declaration": true, "variable_declaration": true,
	"type_declaration": true, "const_declaration": true, "var_declaration": true, "var_spec_list": true,
	"expression_statement": true, "ambient_declaration": true,
}

// unitOf finds the nodes of a symbol.
func unitOf(p *parsed, s model.Symbol) unit {
	u := unit{parent: p.Root(), first: lang.None, last: lang.None, specFrom: s.StartByte, specTo: s.EndByte}
	for {
		first, last := lang.None, lang.None
		for c := range p.Children(u.parent) {
			if p.End(c) <= s.StartByte || p.Start(c) >= s.EndByte {
				continue
			}
			if first == lang.None {
				first = c
			}
			last = c
		}
		if first == lang.None {
			u.first, u.last = u.parent, u.parent
			u.parent = p.Parent(u.parent)
			break
		}
		u.first, u.last = first, last
		if first != last || p.Start(first) == s.StartByte && p.End(first) == s.EndByte {
			break
		}
		u.parent = first
	}
	for u.first == u.last && wrappers[p.Kind(u.parent)] {
		if alone(p, u) {
			u.first, u.last, u.parent = u.parent, u.parent, p.Parent(u.parent)
		} else {
			u.shared = true
			break
		}
	}
	u.from, u.to = min(p.Start(u.first), s.StartByte), max(p.End(u.last), s.EndByte)
	u.to = u.from + len(strings.TrimRight(string(p.Src[u.from:u.to]), "\r\n"))
	u.start = withComments(p, u)
	return u
}

// alone reports that no other definition of its kind is in the statement.
func alone(p *parsed, u unit) bool {
	for c := range p.NamedChildren(u.parent) {
		if c != u.first && p.Kind(c) == p.Kind(u.first) {
			return false
		}
	}
	return true
}

// statement is the unit with all that shares its statement.
func (u unit) statement(p *parsed) unit {
	if !u.shared {
		return u
	}
	for wrappers[p.Kind(u.parent)] {
		u.first, u.last, u.parent = u.parent, u.parent, p.Parent(u.parent)
	}
	u.from, u.to = p.Start(u.first), p.End(u.last)
	u.shared = false
	u.start = withComments(p, u)
	return u
}

// withComments finds where the comments begin that stand right above a unit.
func withComments(p *parsed, u unit) int {
	at, line := u.from, 1+strings.Count(string(p.Src[:u.from]), "\n")
	var before []lang.Node
	for c := range p.Children(u.parent) {
		if p.Start(c) >= u.from {
			break
		}
		before = append(before, c)
	}
	for i := len(before) - 1; i >= 0; i-- {
		c := before[i]
		if !strings.Contains(p.Kind(c), "comment") || p.EndLine(c) < line-1 || !onlySpace(p.Src, lineStart(p.Src, p.Start(c)), p.Start(c)) {
			break
		}
		at, line = p.Start(c), p.Line(c)
	}
	return at
}

func lineStart(src []byte, at int) int {
	return strings.LastIndexByte(string(src[:at]), '\n') + 1
}

func onlySpace(src []byte, from, to int) bool {
	return strings.TrimSpace(string(src[from:to])) == ""
}

// indent is the white space before a place on its line; what is not white space there does
// not count.
func indent(src []byte, at int) string {
	line := string(src[lineStart(src, at):at])
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// reindent moves text from one indentation to another, line by line; the first line has
// none of its own.
func reindent(text, from, to string) string {
	if from == to {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	for i := 1; i < len(lines); i++ {
		if rest, ok := strings.CutPrefix(lines[i], from); ok && strings.TrimSpace(lines[i]) != "" {
			lines[i] = to + rest
		}
	}
	return strings.Join(lines, "")
}
