package lang

import (
	"strconv"

	"gitlet/internal/model"
)

// goSpec is one var or const spec taken apart.
type goSpec struct {
	names, values []Node
	typ           Node
}

func readGoSpec(t *Tree, n Node) goSpec {
	s := goSpec{typ: t.Child(n, "type")}
	for c := range t.NamedChildren(n) {
		if t.Field(c) == "name" && t.Is(c, "identifier", "blank_identifier") {
			s.names = append(s.names, c)
		}
	}
	for c := range t.NamedChildren(t.Child(n, "value")) {
		s.values = append(s.values, c)
	}
	return s
}

// value is the expression that belongs to name i, and whether it is its own.
func (s goSpec) value(i int) (Node, bool) {
	if len(s.values) == len(s.names) {
		return s.values[i], true
	}
	return None, false
}

// varSpec reads a package variable. Its type is the one written, or the one its
// value shows without looking elsewhere.
func (g *goFile) varSpec(n, whole Node) {
	t := g.t
	spec := readGoSpec(t, n)
	for i, name := range spec.names {
		value, own := spec.value(i)
		d := definition{sym: model.Symbol{Kind: model.KindVar}, omit: []Node{name}}
		if own {
			d.nodes = []Node{spec.typ, value}
		} else {
			d.nodes, d.extra = []Node{n}, strconv.Itoa(i)
		}
		typ := typeText(t, spec.typ, goText(nil))
		if typ == "" && own {
			typ = goValueType(t, value)
		}
		g.value(d, "var", typ, name, extent(spec, n, whole))
	}
}

// constants reads a const declaration. A spec without a value repeats the one
// before it, and iota makes its place in the group part of the value.
func (g *goFile) constants(decl Node) {
	t := g.t
	var last goSpec
	index, count := 0, 0
	for c := range t.NamedChildren(decl) {
		if t.Is(c, "const_spec") {
			count++
		}
	}
	for c := range t.NamedChildren(decl) {
		if !t.Is(c, "const_spec") {
			continue
		}
		spec := readGoSpec(t, c)
		if len(spec.values) > 0 || spec.typ != None {
			last = spec
		}
		whole := c
		if count == 1 {
			whole = decl
		}
		for i, name := range spec.names {
			d := definition{sym: model.Symbol{Kind: model.KindConst}, omit: []Node{name}}
			d.nodes = []Node{last.typ}
			if i < len(last.values) {
				d.nodes = append(d.nodes, last.values[i])
				if usesIota(t, last.values[i]) {
					d.extra = "iota " + strconv.Itoa(index)
				}
			}
			typ := typeText(t, last.typ, goText(nil))
			g.value(d, "const", typ, name, extent(spec, c, whole))
		}
		index++
	}
}

// extent is the part of a declaration that a spec's names stand for.
func extent(spec goSpec, n, whole Node) Node {
	if len(spec.names) == 1 {
		return whole
	}
	return n
}

func (g *goFile) value(d definition, keyword, typ string, name Node, whole Node) {
	s := &d.sym
	s.Name = g.t.Text(name)
	s.Qualified, s.Exported, s.Results = s.Name, goExported(s.Name), typ
	s.Signature = keyword + " " + s.Name
	if typ != "" {
		s.Signature += " " + typ
	}
	g.add(d, name, whole)
}

func usesIota(t *Tree, n Node) bool {
	for i := n; i < t.Next(n); i++ {
		if t.Is(i, "iota") {
			return true
		}
	}
	return false
}

// goValueType is the type that a function or composite literal spells out; "" for
// any other value.
func goValueType(t *Tree, n Node) string {
	switch t.Kind(n) {
	case "func_literal":
		text := "func" + paramList(goParams(t, t.Child(n, "parameters"), goText(nil)))
		if r := goResult(t, t.Child(n, "result"), goText(nil)); r != "" {
			text += " " + r
		}
		return text
	case "composite_literal":
		return typeText(t, t.Child(n, "type"), goText(nil))
	case "unary_expression":
		if inner := t.Child(n, "operand"); t.HasToken(n, "&") && t.Is(inner, "composite_literal") {
			return "*" + goValueType(t, inner)
		}
	}
	return ""
}
