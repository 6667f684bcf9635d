package lang

import (
	"strings"

	"gitlet/internal/model"
)

// class reads a class, its fields as members and its methods as symbols.
func (e *esFile) class(name esNamed, owner, n Node, p esPlace) {
	t := e.t
	d := definition{nodes: []Node{owner}, omit: []Node{name.node}}
	if own := t.Child(n, "name"); own != name.node && t.Text(own) == name.text {
		d.omit = append(d.omit, own)
	}
	s := &d.sym
	s.Kind, s.Name, s.Container = model.KindClass, name.text, p.container
	s.Exported, s.DefaultExport = p.exported, p.isDefault
	s.Qualified = qualify(s.Container, s.Name)
	y := e.types(p.types)
	head := "class " + s.Qualified + y.typeParams(s, t.Child(n, "type_parameters"), "T")
	if t.Is(n, "abstract_class_declaration") {
		s.Modifiers = []string{"abstract"}
		head = "abstract " + head
	}
	body := t.Child(n, "body")
	s.Members = append(e.bases(n, y.equal), e.fields(body, y.equal)...)
	bases := e.bases(n, y.shown)
	s.Signature = head + baseText(bases)
	if fields := e.fields(body, y.shown); len(fields) > 0 {
		s.Signature += " " + esMemberText(fields)
	}
	e.add(d, p)
	e.classMembers(body, esPlace{container: s.Qualified, member: true, exported: true, types: y.equal.rename})
}

func (e *esFile) classMembers(body Node, p esPlace) {
	t := e.t
	var decorators []Node
	for c := range t.NamedChildren(body) {
		q := p
		q.whole, q.decorators = c, decorators
		switch t.Kind(c) {
		case "decorator":
			decorators = append(decorators, c)
			continue
		case "method_definition", "method_signature", "abstract_method_signature":
			e.function(e.at(t.Child(c, "name")), c, c, q)
		case "public_field_definition", "field_definition":
			if value, through := esFieldFunction(t, c); value != None {
				q.through = through
				e.function(e.at(esFieldName(t, c)), c, value, q)
			}
		}
		decorators = nil
	}
}

func esFieldName(t *Tree, n Node) Node {
	if name := t.Child(n, "name"); name != None {
		return name
	}
	return t.Child(n, "property")
}

// esFieldFunction is the function that a class field holds, and the calls it is
// wrapped in, or None.
func esFieldFunction(t *Tree, n Node) (fn Node, through string) {
	value := esUnwrap(t, t.Child(n, "value"))
	switch t.Kind(value) {
	case "arrow_function", "function_expression", "generator_function":
		return value, ""
	case "call_expression":
		fn, through, _ = esWrapped(t, value)
		return fn, through
	}
	return None, ""
}

// bases lists what a class or interface extends and implements.
func (e *esFile) bases(n Node, o textOptions) []model.Member {
	t := e.t
	heritage := t.ChildOf(n, "class_heritage")
	if heritage == None {
		heritage = n
	}
	var out []model.Member
	clause := func(c Node, kind string) {
		for b := range t.NamedChildren(c) {
			if t.Is(b, "type_arguments") {
				out[len(out)-1].Name += typeText(t, b, o)
				continue
			}
			out = append(out, model.Member{Name: typeText(t, b, o), Kind: "base", Type: kind})
		}
	}
	for c := range t.NamedChildren(heritage) {
		switch t.Kind(c) {
		case "extends_clause", "extends_type_clause":
			clause(c, "extends")
		case "implements_clause":
			clause(c, "implements")
		}
	}
	if len(out) == 0 && heritage != n && t.HasToken(heritage, "extends") { // JavaScript
		out = append(out, model.Member{Name: typeText(t, firstNamed(t, heritage), o), Kind: "base", Type: "extends"})
	}
	return out
}

// fields lists the members of a class that are no methods and not private:
// fields, parameter properties of the constructor, index signatures.
func (e *esFile) fields(body Node, o textOptions) []model.Member {
	t := e.t
	var out []model.Member
	for c := range t.NamedChildren(body) {
		switch t.Kind(c) {
		case "public_field_definition", "field_definition":
			if fn, _ := esFieldFunction(t, c); fn == None {
				out = e.field(out, esFieldName(t, c), c, o)
			}
		case "index_signature":
			out = append(out, esIndex(t, c, o))
		case "method_definition":
			if !t.Equals(t.Child(c, "name"), "constructor") {
				continue
			}
			for p := range t.NamedChildren(t.Child(c, "parameters")) {
				if t.ChildOf(p, "accessibility_modifier", "readonly") != None {
					out = e.field(out, t.Child(p, "pattern"), p, o)
				}
			}
		}
	}
	return out
}

func (e *esFile) field(out []model.Member, name, n Node, o textOptions) []model.Member {
	t := e.t
	m := model.Member{Name: esName(t, name), Kind: "field", Type: esAnnotation(t, t.Child(n, "type"), o)}
	m.Optional = t.HasToken(n, "?") || t.Is(n, "optional_parameter")
	mods := e.memberModifiers(m.Name, n)
	for _, mod := range mods {
		if mod == "private" {
			return out
		}
	}
	m.Type = memberType(mods, m.Type)
	return append(out, m)
}

func esIndex(t *Tree, n Node, o textOptions) model.Member {
	m := model.Member{Kind: "index", Type: esAnnotation(t, t.Child(n, "type"), o)}
	if clause := t.ChildOf(n, "mapped_type_clause"); clause != None {
		m.Name = "[" + typeText(t, clause, o) + "]"
	} else {
		m.Name = "[" + typeText(t, t.Child(n, "index_type"), o) + "]"
	}
	if t.HasToken(n, "readonly") {
		m.Type = memberType([]string{"readonly"}, m.Type)
	}
	return m
}

// shape lists the members of an interface or an object type.
func (e *esFile) shape(body Node, y esTypes, o textOptions) []model.Member {
	t := e.t
	var out []model.Member
	for c := range t.NamedChildren(body) {
		m := model.Member{Name: esName(t, t.Child(c, "name")), Optional: t.HasToken(c, "?")}
		call := typeText(t, t.Child(c, "type_parameters"), o) + paramList(esParams(t, t.Child(c, "parameters"), o))
		result := y.results(c, t.Child(c, "parameters"), o)
		if result != "" {
			call += ": " + result
		}
		switch t.Kind(c) {
		case "property_signature":
			m.Kind, m.Type = "field", esAnnotation(t, t.Child(c, "type"), o)
			if t.HasToken(c, "readonly") {
				m.Type = memberType([]string{"readonly"}, m.Type)
			}
		case "method_signature":
			m.Kind, m.Type = "method", call
			if t.HasToken(c, "get") {
				m.Kind, m.Type = "field", memberType([]string{"get"}, result)
			} else if params := esParams(t, t.Child(c, "parameters"), o); t.HasToken(c, "set") && len(params) == 1 {
				m.Kind, m.Type = "field", memberType([]string{"set"}, params[0].Type)
			}
		case "call_signature":
			m.Kind, m.Type = "call", call
		case "construct_signature":
			m.Kind, m.Name, m.Type = "call", "new", call
			if typ := t.Child(c, "type"); typ != None {
				m.Type += ": " + esAnnotation(t, typ, o)
			}
		case "index_signature":
			m = esIndex(t, c, o)
		default:
			continue
		}
		out = append(out, m)
	}
	return out
}

func (e *esFile) interfaceType(n Node, p esPlace) {
	t := e.t
	name := t.Child(n, "name")
	d := definition{nodes: []Node{n}, omit: []Node{name}}
	s := e.typeSymbol(&d, model.KindInterface, name, p)
	y := e.types(p.types)
	head := "interface " + s.Qualified + y.typeParams(s, t.Child(n, "type_parameters"), "T")
	body := t.Child(n, "body")
	s.Members = append(e.bases(n, y.equal), e.shape(body, y, y.equal)...)
	s.Signature = head + baseText(e.bases(n, y.shown)) + " " + esMemberText(e.shape(body, y, y.shown))
	e.add(d, p)
}

// alias reads a type alias. One that names an object type has members, so that an
// optional one can be added to it.
func (e *esFile) alias(n Node, p esPlace) {
	t := e.t
	name, value := t.Child(n, "name"), t.Child(n, "value")
	d := definition{nodes: []Node{n}, omit: []Node{name}}
	s := e.typeSymbol(&d, model.KindType, name, p)
	y := e.types(p.types)
	head := "type " + s.Qualified + y.typeParams(s, t.Child(n, "type_parameters"), "T") + " = "
	if t.Is(value, "object_type") && t.ChildOf(value, "{|") == None && !esMapped(t, value) {
		s.Members = e.shape(value, y, y.equal)
		s.Signature = head + esMemberText(e.shape(value, y, y.shown))
	} else {
		s.Results = typeText(t, value, y.equal)
		s.Signature = head + typeText(t, value, y.shown)
	}
	e.add(d, p)
}

// esMapped reports whether an object type is a mapped one, { [K in T]: V }.
func esMapped(t *Tree, n Node) bool {
	for c := range t.NamedChildren(n) {
		if t.ChildOf(c, "mapped_type_clause") != None {
			return true
		}
	}
	return false
}

func (e *esFile) enum(n Node, p esPlace) {
	t := e.t
	name := t.Child(n, "name")
	d := definition{nodes: []Node{n}, omit: []Node{name}}
	s := e.typeSymbol(&d, model.KindEnum, name, p)
	head := "enum "
	if t.HasToken(n, "const") {
		s.Modifiers, head = []string{"const"}, "const enum "
	}
	var shown []string
	for c := range t.NamedChildren(t.Child(n, "body")) {
		m := model.Member{Name: esName(t, c), Kind: "variant"}
		text := m.Name
		if t.Is(c, "enum_assignment") {
			m.Name = esName(t, t.Child(c, "name"))
			m.Type = typeText(t, t.Child(c, "value"), esText(nil))
			text = m.Name + " = " + m.Type
		}
		s.Members = append(s.Members, m)
		shown = append(shown, text)
	}
	s.Signature = head + s.Qualified + " { " + strings.Join(shown, ", ") + " }"
	e.add(d, p)
}

func (e *esFile) typeSymbol(d *definition, kind model.SymbolKind, name Node, p esPlace) *model.Symbol {
	s := &d.sym
	s.Kind, s.Name, s.Container = kind, esName(e.t, name), p.container
	s.Exported, s.DefaultExport = p.exported, p.isDefault
	s.Qualified = qualify(s.Container, s.Name)
	return s
}

// baseText shows bases as a class head has them.
func baseText(bases []model.Member) string {
	text, last := "", ""
	for _, b := range bases {
		if b.Type != last {
			text += " " + b.Type + " " + b.Name
		} else {
			text += ", " + b.Name
		}
		last = b.Type
	}
	return text
}

// esMemberText shows members in braces on one line.
func esMemberText(members []model.Member) string {
	if len(members) == 0 {
		return "{}"
	}
	parts := make([]string, len(members))
	for i, m := range members {
		parts[i] = esMember(m)
	}
	return "{ " + strings.Join(parts, "; ") + " }"
}

func esMember(m model.Member) string {
	head, typ := m.Name, m.Type
	if m.Optional {
		head += "?"
	}
	if m.Kind == "method" || m.Kind == "call" {
		return head + typ
	}
	if mods, rest, ok := strings.Cut(typ, ":"); ok && esModifiers(mods) {
		head, typ = mods+" "+head, strings.TrimPrefix(rest, " ")
	}
	if typ == "" {
		return head
	}
	return head + ": " + typ
}

// memberType joins a member's modifiers and type, "readonly static: number"; no
// type starts like that, so both stay apart.
func memberType(mods []string, typ string) string {
	if len(mods) == 0 {
		return typ
	}
	return strings.TrimSuffix(strings.Join(mods, " ")+": "+typ, " ")
}

func esModifiers(s string) bool {
	for _, w := range strings.Fields(s) {
		switch w {
		case "static", "abstract", "readonly", "protected", "get", "set":
		default:
			return false
		}
	}
	return s != ""
}
