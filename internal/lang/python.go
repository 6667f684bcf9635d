package lang

import (
	"bytes"
	"path"
	"strings"
	"unsafe"

	grammar "github.com/tree-sitter/tree-sitter-python/bindings/go"

	"gitlet/internal/model"
)

var python = &Language{
	Name:          "python",
	Family:        "python",
	Extensions:    []string{".py", ".pyi"},
	Lexical:       Lexical{Comment: "#", Triple: true},
	Pointer:       func() unsafe.Pointer { return grammar.Language() },
	Extract:       pythonExtract,
	Modules:       pythonModules,
	Resolve:       pythonResolve,
	SuffixModules: true,
	Compat: Compat{
		NamedParams:         true,
		AnnotationsOptional: true,
		Nominal:             map[model.SymbolKind]bool{model.KindClass: true},
		FieldAdd:            map[model.SymbolKind]string{model.KindClass: "after"},
	},
	Constructor: "__init__",
	BuiltBy:     model.RefCall,
}

// pythonModules names a file by its path without extension; __init__.py is its directory.
func pythonModules(file string) []string {
	m := strings.TrimSuffix(strings.TrimSuffix(file, ".pyi"), ".py")
	if path.Base(m) == "__init__" {
		return []string{path.Dir(m)}
	}
	return []string{m}
}

func pythonExtract(t *Tree) *Facts {
	f := &Facts{}
	collectPythonRefs(t, f)
	r := &pyReader{t: t, f: f, overload: pyOverloadNames(f.Imports), typing: pyTypingNames(f.Imports)}
	r.scope(t.Root(), &pyScope{})
	return finish("python", f)
}

// pyReader finds the definitions of one file.
type pyReader struct {
	t *Tree
	f *Facts
	// overload holds the decorators that mean typing.overload here, as written.
	overload map[string]bool
	typing   *pyTyping
}

// pyScope is a module or a class body while its definitions are read.
type pyScope struct {
	container string // the class, qualified; "" in the module
	class     bool
	enum      bool
	nested    map[Node]string // definitions inside, for the class's own body hash
	members   pyMembers
	pending   map[string][]pyDef // overload stubs that wait for their implementation
}

// pyDef is one function definition with its decorators.
type pyDef struct {
	outer, def Node // outer is the decorated definition, or def
	marks      pyMarks
	name       string
}

// scope reads every definition directly in n, a module or class body.
func (r *pyReader) scope(n Node, s *pyScope) {
	s.nested, s.pending = map[Node]string{}, map[string][]pyDef{}
	r.statements(n, s)
	for _, stubs := range s.pending {
		r.function(s, stubs)
	}
}

// statements walks compound statements but never enters a function: what is
// defined there cannot be named from outside.
func (r *pyReader) statements(n Node, s *pyScope) {
	for c := range r.t.NamedChildren(n) {
		r.statement(c, s)
	}
	// Error recovery may hang good definitions below an ERROR node, which is an extra.
	for c := range r.t.Children(n) {
		if r.t.Extra(c) && r.t.IsError(c) {
			r.statements(c, s)
		}
	}
}

func (r *pyReader) statement(n Node, s *pyScope) {
	t := r.t
	switch t.Kind(n) {
	case "decorated_definition":
		if def := t.Child(n, "definition"); def != None {
			r.definition(n, def, s)
		}
	case "function_definition", "class_definition":
		r.definition(n, n, s)
	case "if_statement", "elif_clause", "else_clause", "for_statement", "while_statement", "try_statement",
		"except_clause", "except_group_clause", "finally_clause", "with_statement", "match_statement",
		"case_clause", "block", "ERROR":
		r.statements(n, s)
	case "expression_statement":
		if a := t.ChildOf(n, "assignment"); a != None {
			r.assignment(n, a, s)
		}
	case "type_alias_statement":
		r.typeAlias(n, s)
	}
}

func (r *pyReader) definition(outer, def Node, s *pyScope) {
	t := r.t
	nameNode := t.Child(def, "name")
	if nameNode == None || t.Missing(nameNode) || t.Start(nameNode) == t.End(nameNode) {
		return
	}
	d := pyDef{outer: outer, def: def, name: safeName(t.Text(nameNode))}
	d.marks = r.marks(outer)
	if t.Is(def, "class_definition") {
		r.class(s, d)
		return
	}
	s.nested[outer] = d.name + d.marks.suffix()
	if !s.class {
		d.marks = pyMarks{overload: d.marks.overload} // the others mean nothing outside a class
	}
	key := d.name + d.marks.suffix()
	if d.marks.overload {
		s.pending[key] = append(s.pending[key], d)
		return
	}
	defs := append(s.pending[key], d)
	delete(s.pending, key)
	r.function(s, defs)
}

// function adds one symbol for a definition and the overload stubs before it.
func (r *pyReader) function(s *pyScope, defs []pyDef) {
	t := r.t
	main := defs[len(defs)-1]
	sym := model.Symbol{
		Name:       main.name,
		Qualified:  qualify(s.container, main.name) + main.marks.suffix(),
		Kind:       model.KindFunction,
		Container:  s.container,
		Exported:   pyExported(main.name),
		TypeMember: s.class,
	}
	if s.class {
		sym.Kind = model.KindMethod
	}
	r.signature(&sym, main, s.class)
	if main.marks.overload || len(defs) > 1 {
		sym.Overloads, sym.Signature = r.overloads(defs, s.class)
	}
	first := main.outer
	for i := len(defs) - 2; i >= 0 && pyAdjacent(t, defs[i].outer, first); i-- {
		first = defs[i].outer
	}
	place(t, &sym, first, main.outer)
	nodes := make([]Node, len(defs))
	drop := map[Node]string{}
	for i, d := range defs {
		nodes[i] = d.outer
		drop[t.Child(d.def, "name")] = ""
		if d.marks.own != None {
			drop[d.marks.own] = ""
		}
	}
	sym.BodyHash = bodyHash(t, pyHashOptions(t, drop, &sym), nodes...)
	r.f.Symbols = append(r.f.Symbols, sym)
}

// pyAdjacent reports whether a stands right before b, comments aside.
func pyAdjacent(t *Tree, a, b Node) bool {
	n := t.NextSibling(a)
	for n != None && t.Extra(n) {
		n = t.NextSibling(n)
	}
	return n == b
}

func (r *pyReader) class(s *pyScope, d pyDef) {
	t := r.t
	sym := model.Symbol{
		Name:       d.name,
		Qualified:  qualify(s.container, d.name),
		Kind:       model.KindClass,
		Container:  s.container,
		Exported:   pyExported(d.name),
		TypeMember: s.class,
		TypeParams: pyTypeParams(t, t.Child(d.def, "type_parameters")),
	}
	s.nested[d.outer] = d.name
	inner := &pyScope{container: sym.Qualified, class: true}
	bases := r.bases(d.def)
	inner.enum = pyEnumBases(bases)
	if body := t.Child(d.def, "body"); body != None {
		r.scope(body, inner)
	}
	sym.Members = append(bases, inner.members.list(inner.enum)...)
	sym.Signature = pyClassText(&sym)
	place(t, &sym, d.outer, d.outer)
	inner.nested[t.Child(d.def, "name")] = ""
	sym.BodyHash = bodyHash(t, pyHashOptions(t, inner.nested, &sym), d.outer)
	r.f.Symbols = append(r.f.Symbols, sym)
}

// assignment reads module constants and class fields; stmt is the whole statement.
func (r *pyReader) assignment(stmt, a Node, s *pyScope) {
	if s.class {
		r.fields(a, s)
		return
	}
	t := r.t
	for t.Is(a, "assignment") { // A = B = 1 binds both
		for _, n := range pyTargets(t, t.Child(a, "left")) {
			r.constant(stmt, n, t.Child(a, "type"))
		}
		a = t.Child(a, "right")
	}
}

// constant adds a module-level name in upper case. Its value is its body.
func (r *pyReader) constant(stmt, name, typ Node) {
	text := r.t.Text(name)
	if !pyConstantName(text) {
		return
	}
	sym := model.Symbol{
		Name: safeName(text), Qualified: safeName(text), Kind: model.KindConst, Exported: pyExported(text),
		Results: r.typ(typ),
	}
	sym.Signature = sym.Name
	if sym.Results != "" {
		sym.Signature += ": " + sym.Results
	}
	place(r.t, &sym, stmt, stmt)
	sym.BodyHash = bodyHash(r.t, pyHashOptions(r.t, map[Node]string{name: ""}, &sym), stmt)
	r.f.Symbols = append(r.f.Symbols, sym)
}

// typeAlias adds `type Name[T] = ...` of a module.
func (r *pyReader) typeAlias(n Node, s *pyScope) {
	t := r.t
	left := t.Child(n, "left")
	inner := t.ChildOf(left, "generic_type")
	name := t.ChildOf(left, "identifier")
	if inner != None {
		name = t.ChildOf(inner, "identifier")
	}
	if s.class || name == None {
		return
	}
	sym := model.Symbol{
		Name: safeName(t.Text(name)), Qualified: safeName(t.Text(name)), Kind: model.KindType,
		Exported:   pyExported(t.Text(name)),
		TypeParams: pyTypeParams(t, t.ChildOf(inner, "type_parameter")),
		Results:    r.typ(t.Child(n, "right")),
	}
	sym.Signature = "type " + sym.Name + pyBrackets(sym.TypeParams) + " = " + sym.Results
	place(t, &sym, n, n)
	sym.BodyHash = bodyHash(t, pyHashOptions(t, map[Node]string{name: ""}, &sym), n)
	r.f.Symbols = append(r.f.Symbols, sym)
}

// pyHashOptions adds what Python writes without tokens: where blocks start and end
// and where statements end. A semicolon is only another way to end a statement.
func pyHashOptions(t *Tree, replace map[Node]string, s *model.Symbol) hashOptions {
	return hashOptions{
		replace: replace,
		own:     ownNames(s.Name, s.Container),
		token: func(n Node, text []byte) []byte {
			if t.Is(n, "string_start", "string_end") {
				return bytes.ReplaceAll(text, []byte("'"), []byte(`"`))
			}
			if len(text) != 1 || t.Named(n) {
				return text
			}
			if c := text[0]; c == ';' || (c == '(' || c == ')') && pySpareParens(t, t.Parent(n)) {
				return nil
			}
			return text
		},
		around: func(n Node) (before, after string) {
			if t.trait(n, traitBlock) {
				return "\x02indent", "\x02dedent"
			}
			if t.Named(n) && t.trait(t.Parent(n), traitBlock) {
				return "", "\x02end"
			}
			return "", ""
		},
	}
}

// pySpareParens reports whether parentheses only let an expression go on over lines:
// it is all of what is returned, assigned, tested or asserted.
func pySpareParens(t *Tree, n Node) bool {
	if !t.Is(n, "parenthesized_expression") || t.Is(firstNamed(t, n), "yield", "named_expression") {
		return false
	}
	switch p := t.Parent(n); t.Kind(p) {
	case "return_statement", "assert_statement", "if_statement", "elif_clause", "while_statement":
		return true
	case "assignment", "augmented_assignment":
		return t.Field(n) == "right"
	}
	return false
}

// pyTargets lists the plain names bound by the left side of an assignment.
func pyTargets(t *Tree, n Node) []Node {
	switch t.Kind(n) {
	case "identifier":
		return []Node{n}
	case "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "tuple", "list",
		"parenthesized_expression", "as_pattern_target", "list_splat":
		var out []Node
		for c := range t.NamedChildren(n) {
			out = append(out, pyTargets(t, c)...)
		}
		return out
	}
	return nil
}

// pyConstantName reports whether a name is written as a constant: MAX_RETRY.
func pyConstantName(s string) bool {
	upper := false
	for _, c := range s {
		switch {
		case c >= 'A' && c <= 'Z':
			upper = true
		case c == '_' || c >= '0' && c <= '9':
		default:
			return false
		}
	}
	return upper
}

// pyExported: a leading underscore keeps a name to its module; dunder names are
// the language's own and public.
func pyExported(name string) bool {
	return !strings.HasPrefix(name, "_") || strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__") && len(name) > 4
}
