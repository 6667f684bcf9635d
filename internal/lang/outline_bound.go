package lang

import (
	"slices"
	"strings"
)

// Names that are none, but that a list may be given once only, or by one side only.
const (
	defaultExport = "export default"
	callSignature = "call signature"
	newSignature  = "construct signature"
	keySignature  = "index signature"
	fieldInOrder  = "positional field" // its place among the fields is its parameter's
)

// nested are statements whose blocks bind names for the list that they stand in.
var nested = map[string]bool{
	"if_statement": true, "for_statement": true, "for_in_statement": true, "while_statement": true, "do_statement": true,
	"try_statement": true, "with_statement": true, "switch_statement": true, "match_statement": true, "statement_block": true,
	"labeled_statement": true,
}

// bound are the names that a node gives to something in the list it stands in, each once:
// those of every pattern and of all that one declaration declares, the local names of
// imports, names given to others as "export x". The methods of a type that is declared
// elsewhere are "T.m". Go's "_" and "init" are no names.
func bound(t *Tree, n Node) []string {
	b := binder{t: t}
	b.node(n)
	slices.Sort(b.names)
	return slices.Compact(b.names)
}

type binder struct {
	t     *Tree
	names []string
}

func (b *binder) add(names ...string) {
	for _, s := range names {
		if s != "" && s != "_" {
			b.names = append(b.names, s)
		}
	}
}

// field adds the names that stand in a field of n.
func (b *binder) field(n Node, field string) {
	for c := range b.t.NamedChildren(n) {
		if b.t.Field(c) == field {
			b.add(memberName(b.t, c))
		}
	}
}

// memberName is a name without what it may be written with: quotes, Rust's r#.
func memberName(t *Tree, n Node) string {
	return strings.TrimPrefix(strings.Trim(spaced(t.Text(n)), `'"`), "r#")
}

func (b *binder) node(n Node) {
	t := b.t
	switch t.Kind(n) {
	case "export_statement":
		b.exported(n)
	case "decorated_definition":
		b.node(t.Child(n, "definition"))
	case "ambient_declaration":
		for c := range t.NamedChildren(n) {
			b.node(c)
		}
	case "expression_statement":
		for c := range t.NamedChildren(n) {
			b.expression(c)
		}
	case "lexical_declaration", "variable_declaration":
		for c := range t.NamedChildren(n) {
			b.add(esPatternNames(t, t.Child(c, "name"))...)
		}
	case "import_statement", "import_from_statement", "future_import_statement", "import_alias":
		b.imported(n)
	case "import_declaration", "import_spec":
		for _, i := range goImports(t, n) {
			b.add(i.Local)
		}
	case "use_declaration":
		b.use(t.Child(n, "argument"), None)
	case "extern_crate_declaration":
		if alias := t.Child(n, "alias"); alias != None {
			n = alias
		} else {
			n = t.Child(n, "name")
		}
		b.add(memberName(t, n))
	case "const_declaration", "var_declaration", "type_declaration", "var_spec_list":
		for c := range t.NamedChildren(n) {
			b.node(c)
		}
	case "type_spec", "type_alias":
		b.field(n, "name")
		if body := bodyNode(t, n); body != None {
			b.members(t.Text(t.Child(n, "name"))+".", body)
		}
	case "method_declaration":
		b.add(receiverType(t, t.Child(n, "receiver")) + "." + t.Text(t.Child(n, "name")))
	case "function_declaration":
		if name := t.Text(t.Child(n, "name")); name != "init" || !t.Is(t.Child(n, "body"), "block") {
			b.add(name)
		}
	case "impl_item":
		if t.Child(n, "trait") == None {
			b.members(rustTypeBase(t, t.Child(n, "type"))+".", t.Child(n, "body"))
		}
	case "foreign_mod_item":
		b.members("", t.Child(n, "body"))
	case "macro_definition":
		b.add(memberName(t, t.Child(n, "name")) + "!")
	default:
		b.member(n)
	}
}

// member adds the names of what stands in a class, a struct, an enum or an interface, and of
// the kinds that may stand anywhere.
func (b *binder) member(n Node) {
	t := b.t
	switch k := t.Kind(n); k {
	case "property_identifier", "string":
		b.add(memberName(t, n)) // a member of an enum without a value
	case "call_signature":
		b.add(callSignature)
	case "construct_signature":
		b.add(newSignature)
	case "index_signature":
		b.add(keySignature)
	case "field_declaration":
		before := len(b.names)
		b.field(n, "name")
		if typ := t.Child(n, "type"); len(b.names) == before {
			b.add(goBaseName(t, typ)) // embedded
		}
	case "method_definition":
		b.field(n, "name")
		for c := range t.NamedChildren(t.Child(n, "parameters")) {
			if t.ChildOf(c, "accessibility_modifier", "readonly") != None {
				b.add(esPatternNames(t, t.Child(c, "pattern"))...)
			}
		}
	case "field_definition":
		b.field(n, "property")
	default:
		switch {
		case valueKinds[k], k == "mod_item", k == "interface_declaration", k == "type_alias_declaration", k == "type_alias_statement":
			b.field(n, "name")
		case nested[k]:
			b.within(n)
		}
	}
}

// members adds the members in a body, under the name of what they belong to.
func (b *binder) members(owner string, body Node) {
	in := binder{t: b.t}
	for c := range b.t.NamedChildren(body) {
		in.node(c)
	}
	for _, name := range in.names {
		b.add(owner + name)
	}
}

// expression adds what an expression that stands alone binds.
func (b *binder) expression(n Node) {
	t := b.t
	switch t.Kind(n) {
	case "internal_module":
		b.node(n)
	case "assignment":
		for a := n; t.Is(a, "assignment"); a = t.Child(a, "right") {
			for _, target := range pyTargets(t, t.Child(a, "left")) {
				b.add(t.Text(target))
			}
		}
		if positional(t, n) {
			b.add(fieldInOrder)
		}
	case "assignment_expression":
		path := esPath(t, t.Child(n, "left"))
		if name, _, ok := esExport(path); ok {
			b.add("export " + name)
		} else if len(path) > 1 {
			b.add(strings.Join(path, "."))
		}
	}
}

// exported adds what an export statement gives to others, and binds here.
func (b *binder) exported(n Node) {
	t := b.t
	byDefault := t.HasToken(n, "default") || t.HasToken(n, "=")
	if byDefault {
		b.add(defaultExport)
	}
	if d := t.Child(n, "declaration"); d != None {
		in := binder{t: t}
		in.node(d)
		b.add(in.names...)
		for _, name := range in.names {
			if !byDefault {
				b.add("export " + name)
			}
		}
		return
	}
	for c := range t.NamedChildren(n) {
		switch t.Kind(c) {
		case "namespace_export":
			b.add("export " + memberName(t, firstNamed(t, c)))
		case "export_clause":
			for s := range t.NamedChildren(c) {
				name := t.Child(s, "alias")
				if name == None {
					name = t.Child(s, "name")
				}
				if t.Is(s, "export_specifier") {
					b.add("export " + memberName(t, name))
				}
			}
		}
	}
}

// imported adds the local names of an import of Python, JavaScript or TypeScript.
func (b *binder) imported(n Node) {
	t := b.t
	for c := range t.NamedChildren(n) {
		switch {
		case t.Is(c, "import_clause"):
			for d := range t.NamedChildren(c) {
				switch t.Kind(d) {
				case "identifier":
					b.add(t.Text(d))
				case "namespace_import":
					b.add(t.Text(firstNamed(t, d)))
				}
				for s := range t.NamedChildren(d) {
					if alias := t.Child(s, "alias"); alias != None {
						b.add(t.Text(alias))
					} else if t.Is(s, "import_specifier") {
						b.add(t.Text(t.Child(s, "name")))
					}
				}
			}
		case t.Is(c, "import_require_clause"):
			b.add(t.Text(firstNamed(t, c)))
		case t.Is(n, "import_alias"):
			b.add(t.Text(c))
			return
		case t.Field(c) != "name":
		case t.Is(c, "aliased_import"):
			b.add(t.Text(t.Child(c, "alias")))
		case !strings.Contains(t.Text(c), "."):
			b.add(t.Text(c)) // a.b and a.c bind the same a
		}
	}
}

// use adds the names of a tree of imports of Rust; from is the path it stands under.
func (b *binder) use(n, from Node) {
	t := b.t
	switch t.Kind(n) {
	case "use_list":
		for c := range t.NamedChildren(n) {
			b.use(c, from)
		}
	case "scoped_use_list":
		b.use(t.Child(n, "list"), t.Child(n, "path"))
	case "use_as_clause":
		b.add(memberName(t, t.Child(n, "alias")))
	case "self":
		if from != None {
			b.use(from, None)
		}
	case "scoped_identifier":
		b.add(memberName(t, t.Child(n, "name")))
	case "identifier":
		b.add(memberName(t, n))
	}
}

// within adds what the blocks of a statement bind outside of them: anything in Python, var
// in JavaScript.
func (b *binder) within(n Node) {
	t := b.t
	for i := n + 1; i < t.Next(n); {
		switch k := t.Kind(i); k {
		case "function_definition", "class_definition", "import_statement", "import_from_statement":
			b.node(i)
			i = t.Next(i)
			continue
		case "assignment", "variable_declaration":
			if k == "assignment" {
				b.expression(i)
			} else {
				b.node(i)
			}
		case "for_statement":
			for _, target := range pyTargets(t, t.Child(i, "left")) {
				b.add(t.Text(target))
			}
		case "as_pattern_target":
			for _, target := range pyTargets(t, i) {
				b.add(t.Text(target))
			}
		case "lambda", "function_declaration", "generator_function_declaration", "function_expression", "generator_function",
			"arrow_function", "class_body", "method_definition":
			i = t.Next(i)
			continue
		}
		i++
	}
}

// inOrder are the decorators and bases of Python that make parameters of a class's fields,
// by the last name of their path.
var inOrder = map[string]bool{
	"dataclass": true, "NamedTuple": true, "attrs": true, "attributes": true, "s": true, "define": true, "frozen": true,
	"mutable": true, "dataclass_transform": true, "Struct": true,
}

// positional reports whether an assignment of Python is a field whose place among the
// others is that of its parameter.
func positional(t *Tree, assignment Node) bool {
	if t.Child(assignment, "type") == None && !t.Is(t.Child(assignment, "right"), "call") {
		return false
	}
	class := t.Parent(t.Parent(t.Parent(assignment)))
	if !t.Is(class, "class_definition") {
		return false
	}
	known := func(n Node) bool {
		if t.Is(n, "call") {
			n = t.Child(n, "function")
		}
		path := strings.Split(t.Text(n), ".")
		return inOrder[path[len(path)-1]]
	}
	for c := range t.NamedChildren(t.Child(class, "superclasses")) {
		if known(c) {
			return true
		}
	}
	if outer := t.Parent(class); t.Is(outer, "decorated_definition") {
		for c := range t.NamedChildren(outer) {
			if t.Is(c, "decorator") && known(firstNamed(t, c)) {
				return true
			}
		}
	}
	return false
}
