package lang

import "gitlet/internal/model"

// esCallable is the type of an annotation where it says by itself that its value can
// be called: a function type, or an object type with call signatures. A type known
// only by name may be anything.
func esCallable(t *Tree, annotation Node) Node {
	n := annotation
	for t.Is(n, "type_annotation", "parenthesized_type") {
		n = firstNamed(t, n)
	}
	if t.Is(n, "function_type") || t.Is(n, "object_type") && t.ChildOf(n, "call_signature") != None {
		return n
	}
	return None
}

// typed reads a name that only its type makes a function, as in
// const get: (key: string) => Item = lookup, or after declare. A function type gives the
// same parts as a function that declares them itself.
func (e *esFile) typed(name esNamed, owner Node, p esPlace) {
	t := e.t
	annotation := t.Child(owner, "type")
	callable := esCallable(t, annotation)
	if callable == None {
		return
	}
	d := definition{nodes: []Node{owner}, omit: []Node{name.node}}
	s := &d.sym
	s.Kind, s.Name, s.Container = model.KindFunction, name.text, p.container
	s.Exported, s.DefaultExport = p.exported, p.isDefault
	s.Qualified = qualify(s.Container, s.Name)
	y := e.types(p.types)
	s.Signature = "const " + s.Qualified + ": " + esAnnotation(t, annotation, y.shown)
	if t.Is(callable, "function_type") {
		list := t.Child(callable, "parameters")
		y.typeParams(s, t.Child(callable, "type_parameters"), "")
		s.Params, s.Results = esParams(t, list, y.equal), y.results(callable, list, y.equal)
	} else {
		s.Modifiers = []string{"as " + esAnnotation(t, annotation, y.equal)}
	}
	e.add(d, p)
}

// esCurried spells the arrow that an arrow function without a return type returns
// directly: its callers call that too. "" when it returns anything else.
func (y esTypes) esCurried(fn Node, o textOptions) string {
	t := y.t
	if !t.Is(fn, "arrow_function") {
		return ""
	}
	inner := esUnwrap(t, t.Child(fn, "body"))
	if !t.Is(inner, "arrow_function") {
		return ""
	}
	list := t.Child(inner, "parameters")
	params := esParams(t, list, o)
	if list == None {
		params = []model.Param{{}}
	}
	result := y.results(inner, list, o)
	if result == "" {
		result = "_"
	}
	text := typeText(t, t.Child(inner, "type_parameters"), o) + paramList(params) + " => " + result
	if t.HasToken(fn, "async") {
		return "Promise<" + text + ">"
	}
	return text
}
