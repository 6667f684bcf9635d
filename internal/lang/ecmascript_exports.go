package lang

import "gitlet/internal/model"

// esPath spells a chain of names, a.b.c; nil when it is anything else.
func esPath(t *Tree, n Node) []string {
	switch t.Kind(n) {
	case "identifier":
		return []string{t.Text(n)}
	case "this":
		return []string{"this"}
	case "member_expression":
		if p := esPath(t, t.Child(n, "object")); p != nil {
			return append(p, t.Text(t.Child(n, "property")))
		}
	case "subscript_expression": // exports["load"]
		if p, index := esPath(t, t.Child(n, "object")), t.Child(n, "index"); p != nil && t.Is(index, "string") {
			return append(p, esName(t, index))
		}
	}
	return nil
}

// exports notes which local names the file makes visible, before they are read,
// and which names its top level binds.
func (e *esFile) exports(root Node) {
	t := e.t
	for c := range t.NamedChildren(root) {
		switch t.Kind(c) {
		case "export_statement":
			e.exportNames(c)
			if d := t.Child(c, "declaration"); d != None {
				e.bindNames(d)
			}
		case "expression_statement":
			for a := range t.NamedChildren(c) {
				e.exportAssigned(a)
			}
		default:
			e.bindNames(c)
		}
	}
}

func (e *esFile) bindNames(n Node) {
	t := e.t
	switch t.Kind(n) {
	case "lexical_declaration", "variable_declaration":
		for d := range t.NamedChildren(n) {
			for _, name := range esPatternNames(t, t.Child(d, "name")) {
				e.bound[name] = true
			}
			e.exportAssigned(t.Child(d, "value"))
		}
	case "function_declaration", "generator_function_declaration", "class_declaration", "abstract_class_declaration":
		e.bound[t.Text(t.Child(n, "name"))] = true
	}
}

// exportNames reads export { a, b as default }, export default a and export = a.
func (e *esFile) exportNames(n Node) {
	t := e.t
	if t.Child(n, "source") != None {
		return
	}
	for spec := range t.NamedChildren(t.ChildOf(n, "export_clause")) {
		name := t.Text(t.Child(spec, "name"))
		e.exported[name] = true
		if alias := t.Child(spec, "alias"); t.Equals(alias, "default") {
			e.defaults[name] = true
		} else if as := esName(t, alias); as != "" && as != name {
			e.aliases[name] = append(e.aliases[name], as)
		}
	}
	value := t.Child(n, "value")
	if t.HasToken(n, "=") {
		value = firstNamed(t, n)
	}
	e.defaultValue(value)
}

// defaultValue notes what export default or module.exports = value exports: a
// name, or the first name given to a wrapper as in memo(Row) or connect(f)(Row).
func (e *esFile) defaultValue(n Node) {
	t := e.t
	n = esUnwrap(t, n)
	switch t.Kind(n) {
	case "identifier":
		e.defaults[t.Text(n)] = true
	case "call_expression":
		for a := range t.NamedChildren(t.Child(n, "arguments")) {
			if t.Is(a, "identifier", "call_expression") {
				e.defaultValue(a)
				return
			}
		}
	}
}

// exportAssigned reads exports.a = b, module.exports = b and chains of them.
func (e *esFile) exportAssigned(n Node) {
	t := e.t
	if !t.Is(n, "assignment_expression") {
		return
	}
	right := esUnwrap(t, t.Child(n, "right"))
	e.exportAssigned(right)
	for t.Is(right, "assignment_expression") {
		right = esUnwrap(t, t.Child(right, "right"))
	}
	name, whole, ok := esExport(esPath(t, t.Child(n, "left")))
	switch {
	case !ok:
	case whole && t.Is(right, "object"):
		for c := range t.NamedChildren(right) {
			switch t.Kind(c) {
			case "shorthand_property_identifier":
				e.exported[t.Text(c)] = true
			case "pair":
				if v := t.Child(c, "value"); t.Is(v, "identifier") {
					e.exported[t.Text(v)] = true
				}
			}
		}
	case whole || name == "default":
		e.defaultValue(right)
	case t.Is(right, "identifier"):
		e.exported[t.Text(right)] = true
	}
}

// esExport reads the left side of a CommonJS export: exports.a and module.exports.a
// give the name, module.exports and exports alone are the whole.
func esExport(path []string) (name string, whole, ok bool) {
	if len(path) > 0 && path[0] == "module" {
		path = path[1:]
	}
	if len(path) == 0 || path[0] != "exports" || len(path) > 2 {
		return "", false, false
	}
	if len(path) == 1 {
		return "", true, true
	}
	return path[1], false, true
}

// assignment reads a function that a statement assigns: to a CommonJS export, to a
// prototype, or to a member of something the file declares.
func (e *esFile) assignment(n Node, p esPlace) {
	t := e.t
	left, right := t.Child(n, "left"), esUnwrap(t, t.Child(n, "right"))
	if t.Is(right, "assignment_expression") { // exports.a = exports.b = function ...
		e.assignment(right, p)
		for t.Is(right, "assignment_expression") {
			right = esUnwrap(t, t.Child(right, "right"))
		}
	}
	path := esPath(t, left)
	property := t.Child(left, "property")
	if property == None {
		property = t.Child(left, "index")
	}
	if name, whole, ok := esExport(path); ok {
		p.exported = true
		switch {
		case whole && t.Is(right, "object"):
			e.members(right, p, maxObjectDepth)
		case whole:
			p.isDefault = true
			e.bind(esNamed{None, "default"}, right, right, p)
		default:
			p.isDefault = name == "default"
			e.bind(e.at(property), n, right, p)
		}
		return
	}
	if len(path) < 2 || !e.bound[path[0]] && (len(path) < 2 || path[1] != "prototype") {
		return
	}
	p.container, p.member, p.exported = qualify(p.container, path[0]), true, true
	switch {
	case path[1] == "prototype" && len(path) == 2 && t.Is(right, "object"):
		e.members(right, p, 1)
	case path[1] == "prototype" && len(path) == 3:
		e.bind(e.at(property), n, right, p)
	case path[1] != "prototype" && len(path) == 2 && !t.Is(right, "object"):
		before := len(e.defs)
		e.bind(e.at(property), n, right, p)
		for i := before; i < len(e.defs); i++ {
			if s := &e.defs[i].sym; s.Kind == model.KindMethod && s.Container == p.container {
				s.Modifiers = append(s.Modifiers, "static")
				s.Signature = "static " + s.Signature
			}
		}
	}
}

// esPatternNames lists the names that a binding pattern introduces.
func esPatternNames(t *Tree, n Node) []string {
	if n == None {
		return nil
	}
	var out []string
	for i := n; i < t.Next(n); {
		switch t.Kind(i) {
		case "identifier", "shorthand_property_identifier_pattern":
			out = append(out, t.Text(i))
		case "type_annotation", "decorator":
			i = t.Next(i)
			continue
		case "assignment_pattern", "object_assignment_pattern":
			out = append(out, esPatternNames(t, t.Child(i, "left"))...)
			i = t.Next(i)
			continue
		case "required_parameter", "optional_parameter":
			out = append(out, esPatternNames(t, t.Child(i, "pattern"))...)
			i = t.Next(i)
			continue
		}
		i++
	}
	return out
}
