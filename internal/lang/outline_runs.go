package lang

import (
	"slices"
	"strings"
)

// hoisted are definitions that hold in all of their block, above them too.
var hoisted = []string{
	"function_declaration", "generator_function_declaration", "function_signature", "method_definition", "method_signature",
	"abstract_method_signature", "interface_declaration", "type_alias_declaration", "function_item", "function_signature_item",
	"struct_item", "enum_item", "union_item", "trait_item", "const_item", "static_item", "type_item", "associated_type", "impl_item",
	"mod_item", "use_declaration", "enum_variant", "field_declaration",
}

// functions are definitions whose body runs when they are called, and not before.
var functions = []string{
	"function_declaration", "generator_function_declaration", "function_definition", "method_definition", "arrow_function",
	"function_expression", "generator_function",
}

// runs fills in what of a part runs where it stands.
func (o *outliner) runs(p *Part, n Node) {
	n = unwrapped(o.t, n)
	p.Hoisted = slices.Contains(hoisted, o.t.Kind(n)) || o.t.Is(n, "import_statement", "export_statement") && o.t.Child(n, "source") != None
	p.Later = laterOf(o.t, n, nil)
	above := string(o.t.Src[o.lines[p.From]:o.t.Start(n)])
	p.Numbered = numbered(o.t, n) || o.t.Is(n, "enum_item") && strings.Contains(above, "repr(")
}

// laterOf adds the bytes of the bodies of functions that n names. A function that is named
// nowhere may be called on the spot.
func laterOf(t *Tree, n Node, out [][2]int) [][2]int {
	n = unwrapped(t, n)
	k := t.Kind(n)
	body := t.Child(n, "body")
	switch {
	case body == None && !t.Is(n, "lexical_declaration", "variable_declaration", "public_field_definition", "field_definition"):
	case slices.Contains(functions, k):
		out = append(out, [2]int{t.Start(body), t.End(body)})
	case k == "class_definition" || k == "class_declaration" || k == "abstract_class_declaration":
		for c := range t.NamedChildren(body) {
			out = laterOf(t, c, out)
		}
	case k == "lexical_declaration" || k == "variable_declaration":
		for c := range t.NamedChildren(n) {
			if v := t.Child(c, "value"); t.Is(v, functions...) {
				out = laterOf(t, v, out)
			}
		}
	case k == "public_field_definition" || k == "field_definition":
		if v := t.Child(n, "value"); t.Is(v, functions...) {
			out = laterOf(t, v, out)
		}
	}
	return out
}

// numbered reports whether the value of a member of n may depend on the members before it.
func numbered(t *Tree, n Node) bool {
	switch t.Kind(n) {
	case "enum_declaration":
		for c := range t.NamedChildren(t.ChildOf(n, "enum_body")) {
			if !t.Extra(c) && !t.Is(c, "enum_assignment") {
				return true
			}
		}
	case "enum_item":
		for c := range t.NamedChildren(t.Child(n, "body")) {
			if t.Child(c, "value") != None {
				return true
			}
		}
	case "const_declaration":
		for c := range t.NamedChildren(n) {
			if v := t.Child(c, "value"); t.Is(c, "const_spec") && (v == None || strings.Contains(t.Text(v), "iota")) {
				return true
			}
		}
	case "class_definition":
		for c := range t.NamedChildren(t.Child(n, "body")) {
			a := t.ChildOf(c, "assignment")
			if v := t.Child(a, "right"); a != None && v != None && strings.Contains(t.Text(v), "auto(") {
				return true
			}
		}
	}
	return false
}
