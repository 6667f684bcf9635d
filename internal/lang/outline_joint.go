package lang

import "strings"

// Joint says what a part does to the one that comes right behind it.
type Joint int

// The joints. Only JavaScript and TypeScript without semicolons know others than Closed.
const (
	Closed Joint = iota
	Open         // what begins with an operator or a bracket is read as more of it
	Hungry       // whatever comes is read as more of it: "get", "static"
)

// modifiers are words that may stand before a member and be the name of one.
var modifiers = map[string]bool{
	"get": true, "set": true, "static": true, "async": true, "accessor": true, "declare": true, "readonly": true,
	"public": true, "private": true, "protected": true, "override": true, "abstract": true,
}

// jointOf is the joint behind a node of a list.
func jointOf(t *Tree, n Node) Joint {
	if !t.Is(t.Root(), "program") {
		return Closed
	}
	text := t.Bytes(n)
	if len(text) == 0 || text[len(text)-1] == ';' {
		return Closed
	}
	braced := text[len(text)-1] == '}'
	switch k := t.Kind(n); k {
	case "function_declaration", "generator_function_declaration", "class_declaration", "abstract_class_declaration", "method_definition",
		"interface_declaration", "enum_declaration", "class_static_block", "internal_module", "module", "import_statement":
		return Closed
	case "public_field_definition", "field_definition", "property_signature":
		if words := strings.Fields(string(text)); modifiers[words[len(words)-1]] && t.Child(n, "value") == None && t.Child(n, "type") == None {
			return Hungry
		}
	case "export_statement":
		if d := t.Child(n, "declaration"); d != None {
			return jointOf(t, d)
		}
		if t.Child(n, "source") != None || t.ChildOf(n, "export_clause") != None {
			return Closed
		}
	case "expression_statement":
		if t.ChildOf(n, "internal_module") != None {
			return Closed
		}
	default:
		if nested[k] && braced {
			return Closed
		}
	}
	return Open
}

// continues reports whether a node would be read as more of an open one before it.
func continues(t *Tree, n Node) bool {
	text := string(t.Bytes(n)[:min(t.End(n)-t.Start(n), len("instanceof "))])
	if text == "" || strings.ContainsRune("([`/+-*<>.,?:=&|^%", rune(text[0])) {
		return true
	}
	for _, word := range []string{"in", "instanceof"} {
		if rest, ok := strings.CutPrefix(text, word); ok && (rest == "" || strings.ContainsRune(" \t\n;=:(?!", rune(rest[0]))) {
			return true
		}
	}
	return false
}
