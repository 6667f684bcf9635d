package lang

import (
	"slices"
	"strings"
)

// valueKinds are definitions with a name of their own, in the field "name".
var valueKinds = map[string]bool{
	"function_declaration": true, "generator_function_declaration": true, "function_definition": true, "class_definition": true,
	"class_declaration": true, "abstract_class_declaration": true, "enum_declaration": true, "internal_module": true, "module": true,
	"function_signature": true, "function_item": true, "function_signature_item": true, "struct_item": true, "enum_item": true,
	"union_item": true, "trait_item": true, "const_item": true, "static_item": true, "type_item": true, "associated_type": true,
	"method_signature": true, "property_signature": true, "abstract_method_signature": true, "method_definition": true,
	"public_field_definition": true, "field_definition": true, "enum_assignment": true, "enum_variant": true, "method_elem": true,
	"method_spec": true, "type_spec": true, "type_alias": true, "field_declaration": true, "const_spec": true, "var_spec": true,
}

// name says what a node is and what it is known by.
func (o *outliner) name(n Node) (PartKind, string) {
	t := o.t
	whole := func() string { return spaced(t.Text(n)) }
	switch k := t.Kind(n); {
	case k == "import_spec":
		return PartImport, "import " + whole()
	case k == "import_declaration":
		if t.ChildOf(n, "import_spec_list") != None {
			return PartImport, "imports"
		}
		return PartImport, "import " + whole()
	case importNode(k):
		return importName(t, n)
	case k == "export_statement" && t.Child(n, "declaration") == None:
		if t.HasToken(n, "default") {
			return PartDefinition, "def default"
		}
		if t.Child(n, "source") != None || t.ChildOf(n, "export_clause") != None {
			return PartImport, "export " + whole()
		}
		return PartStatement, "statement " + whole()
	}
	n = unwrapped(t, n)
	name := ""
	switch k := t.Kind(n); {
	case k == "method_declaration":
		name = receiverType(t, t.Child(n, "receiver")) + "." + t.Text(t.Child(n, "name"))
	case k == "lexical_declaration" || k == "variable_declaration":
		name = names(t, n, "variable_declarator", "name")
	case k == "const_declaration" || k == "type_declaration" || k == "var_declaration":
		name = groupName(t, n)
	case k == "expression_statement":
		a := t.ChildOf(n, "assignment", "assignment_expression")
		left := t.Child(a, "left")
		if left == None {
			return PartStatement, "statement " + whole()
		}
		name = spaced(t.Text(left))
	case k == "impl_item":
		end := t.End(n)
		if b := t.Child(n, "body"); b != None {
			end = t.Start(b)
		}
		name = spaced(string(t.Src[t.Start(n):end]))
	case k == "mod_item":
		return PartDefinition, "mod " + t.Text(t.Child(n, "name"))
	case k == "macro_definition":
		return PartDefinition, "macro " + t.Text(t.Child(n, "name"))
	case k == "interface_declaration" || k == "type_alias_declaration":
		return PartDefinition, "type " + t.Text(t.Child(n, "name"))
	case k == "property_identifier":
		name = t.Text(n) // a member of an enum without a value
	case k == "index_signature" || k == "call_signature" || k == "construct_signature" || k == "type_elem":
		return PartDefinition, "member " + whole()
	case valueKinds[k]:
		name = fieldNames(t, n)
	default:
		return PartStatement, "statement " + spaced(t.Text(n))
	}
	if name == "" {
		return PartStatement, "statement " + spaced(t.Text(n))
	}
	return PartDefinition, "def " + name
}

// fieldNames are the names of a definition, with what keeps it apart from others of that
// name: a static twin, the two halves of a property.
func fieldNames(t *Tree, n Node) string {
	var out []string
	for c := range t.Children(n) {
		switch {
		case t.Is(c, "get", "set", "static"):
			out = append(out, t.Text(c))
		case t.Field(c) == "name" && t.Named(c):
			out = append(out, t.Text(c))
		}
	}
	if len(out) == 0 {
		return spaced(t.Text(t.Child(n, "type"))) // a field without a name has its type's
	}
	return strings.Join(out, " ")
}

// receiverType is the type a method belongs to.
func receiverType(t *Tree, n Node) string {
	for c := n; n != None && c < t.Next(n); c++ {
		if t.Is(c, "type_identifier") {
			return t.Text(c)
		}
	}
	return ""
}

// names joins a field of the children of one kind.
func names(t *Tree, n Node, kind, field string) string {
	var out []string
	for c := range t.NamedChildren(n) {
		if t.Is(c, kind) {
			out = append(out, spaced(t.Text(t.Child(c, field))))
		}
	}
	return strings.Join(out, ", ")
}

// groupName is the name of a declaration of one thing, or that of the first of several.
func groupName(t *Tree, n Node) string {
	list := n
	if l := t.ChildOf(n, "var_spec_list"); l != None {
		list = l
	}
	var first string
	count := 0
	for c := range t.NamedChildren(list) {
		if t.Is(c, "const_spec", "var_spec", "type_spec", "type_alias") {
			if count == 0 {
				first = fieldNames(t, c)
			}
			count++
		}
	}
	if count == 0 {
		return ""
	}
	if t.HasToken(list, "(") {
		return t.Kind(n) + " group " + first
	}
	return first
}

// importName says what an import is known by: where it has a list of names, the module
// they come from, so that two lists of one module are one import.
func importName(t *Tree, n Node) (PartKind, string) {
	whole := spaced(t.Text(n))
	module := t.Child(n, "module_name")
	switch {
	case t.Is(n, "future_import_statement"):
		// It has to come before everything that runs, other imports among it.
		return PartStatement, "from __future__"
	case t.ChildOf(n, "wildcard_import") != None:
		return PartStatement, "statement " + whole
	case module != None:
		return PartImport, "from " + t.Text(module)
	case t.Is(n, "import_statement") && t.Child(n, "source") != None:
		if t.ChildOf(n, "import_clause") == None {
			return PartStatement, "statement " + whole // for what it does
		}
		key := "from "
		if t.HasToken(n, "type") {
			key = "type from "
		}
		return PartImport, key + strings.Trim(t.Text(t.Child(n, "source")), `'"`)
	case t.Is(n, "use_declaration"):
		arg := t.Child(n, "argument")
		if t.Is(arg, "scoped_use_list") {
			return PartImport, spaced(string(t.Src[t.Start(n):t.Start(arg)])) + " " + t.Text(t.Child(arg, "path")) + "::{}"
		}
	}
	return PartImport, "import " + whole
}

// spaced is text with every stretch of white space as one space.
func spaced(s string) string { return strings.Join(strings.Fields(s), " ") }

// NameList is the list of names in an import: "a", "b as c".
type NameList struct {
	// From and To are the bytes of the file between the brackets, or of the bare list.
	From, To int
	Names    []string
	// Bracketed is set where brackets stand around it, so that it may run over lines.
	Bracketed bool
}

// nameList finds the list of an import; nil where there is none, or it holds more than names.
func nameList(t *Tree, n Node) *NameList {
	list := None
	for c := n; c < t.Next(n); c++ {
		if t.Is(c, "named_imports", "use_list", "export_clause") {
			if list != None {
				return nil // lists in lists
			}
			list = c
		}
	}
	out := &NameList{}
	var parts []Node
	switch {
	case list != None:
		out.Bracketed = true
		for c := range t.Children(list) {
			switch {
			case t.Is(c, "{"):
				out.From = t.End(c)
			case t.Is(c, "}"):
				out.To = t.Start(c)
			case t.Named(c):
				parts = append(parts, c)
			case !t.Is(c, ","):
				return nil
			}
		}
	case t.Child(n, "module_name") != None || t.Is(n, "future_import_statement"):
		for c := range t.Children(n) {
			switch {
			case t.Is(c, "("):
				out.From, out.Bracketed = t.End(c), true
			case t.Is(c, ")"):
				out.To = t.Start(c)
			case t.Field(c) == "name" || t.Extra(c):
				parts = append(parts, c)
			}
		}
		if !out.Bracketed && len(parts) > 0 {
			out.From, out.To = t.Start(parts[0]), t.End(parts[len(parts)-1])
		}
	}
	if len(parts) == 0 || out.To < out.From {
		return nil
	}
	for _, c := range parts {
		if t.Extra(c) || t.Start(c) < out.From || t.End(c) > out.To || slices.Contains(out.Names, spaced(t.Text(c))) {
			return nil
		}
		out.Names = append(out.Names, spaced(t.Text(c)))
	}
	return out
}
