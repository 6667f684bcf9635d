package lang

import (
	"path"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
	"unsafe"

	grammar "github.com/tree-sitter/tree-sitter-go/bindings/go"

	"gitlet/internal/model"
)

var goLang = &Language{
	Name:          "go",
	Family:        "go",
	Extensions:    []string{".go"},
	Lexical:       Lexical{Comment: "//", Chars: true, Backticks: true},
	Pointer:       func() unsafe.Pointer { return grammar.Language() },
	Extract:       extractGo,
	Modules:       func(p string) []string { return []string{path.Dir(p)} },
	Resolve:       resolveGo,
	SuffixModules: true,
	ModulePrivate: true,
	Compat: Compat{
		FieldAdd:  map[model.SymbolKind]string{model.KindStruct: "always"},
		OrderFree: map[model.SymbolKind]bool{model.KindInterface: true},
	},
}

// goFile collects one file's definitions.
type goFile struct {
	t    *Tree
	defs []definition
}

func extractGo(t *Tree) *Facts {
	g := goFile{t: t}
	f := &Facts{}
	for c := range t.NamedChildren(t.Root()) {
		switch t.Kind(c) {
		case "package_clause":
			f.Package = valid(t.Text(t.ChildOf(c, "package_identifier")))
		case "import_declaration":
			f.Imports = append(f.Imports, goImports(t, c)...)
		case "function_declaration", "method_declaration":
			g.function(c)
		case "type_declaration":
			g.group(c, c, g.typeSpec, "type_spec", "type_alias")
		case "var_declaration":
			if list := t.ChildOf(c, "var_spec_list"); list != None {
				g.group(c, list, g.varSpec, "var_spec")
			} else {
				g.group(c, c, g.varSpec, "var_spec")
			}
		case "const_declaration":
			g.constants(c)
		}
	}
	bodyHashes(t, g.defs, func(n Node, text []byte) []byte { return goToken(t, n, text) })
	for _, d := range g.defs {
		f.Symbols = append(f.Symbols, d.sym)
	}
	f.Refs = goRefs(t, f)
	return finish("go", f)
}

// goToken drops semicolons, which a line end can stand for, and the parentheses that
// formatting takes from a receiver's type.
func goToken(t *Tree, n Node, text []byte) []byte {
	if len(text) != 1 {
		return text
	}
	switch text[0] {
	case ';':
		return nil
	case '(', ')':
		p := t.Parent(n)
		if t.Is(p, "parenthesized_type") && t.Field(t.Parent(t.Parent(p))) == "receiver" {
			return nil
		}
	}
	return text
}

func goExported(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

// group reads each spec of a declaration. A spec alone in its declaration owns all of it.
func (g *goFile) group(decl, list Node, read func(spec, whole Node), kinds ...string) {
	var specs []Node
	for c := range g.t.NamedChildren(list) {
		if g.t.Is(c, kinds...) {
			specs = append(specs, c)
		}
	}
	for _, s := range specs {
		whole := s
		if len(specs) == 1 {
			whole = decl
		}
		read(s, whole)
	}
}

// add places and keeps a definition; blank names cannot be referred to.
func (g *goFile) add(d definition, name, whole Node) {
	if d.sym.Name == "" || d.sym.Name == "_" || g.t.Missing(name) {
		return
	}
	place(g.t, &d.sym, whole, whole)
	g.defs = append(g.defs, d)
}

// goTypes spells types twice: as the source names them, and with type parameters
// numbered, since callers cannot see their names.
type goTypes struct {
	t      *Tree
	rename map[string]string
}

func (g goTypes) options() textOptions { return goText(g.rename) }

// goText are the options that spell a Go type.
func goText(rename map[string]string) textOptions {
	o := textOptions{rename: rename}
	o.sub = func(t *Tree, n Node) (string, bool) { return goSub(o, t, n) }
	return o
}

func (g goTypes) shown(n Node) string { return typeText(g.t, n, goText(nil)) }

func (g goTypes) canonical(n Node) string {
	return typeText(g.t, n, g.options())
}

// goSub leaves parameter names out of function types, and tags out of fields.
func goSub(o textOptions, t *Tree, n Node) (string, bool) {
	switch t.Kind(n) {
	case "parameter_list":
		return paramList(goParams(t, n, o)), true
	case "interface_type":
		for range t.NamedChildren(n) {
			return "", false
		}
		return "any", true // the same type by its other name
	case "type_elem", "type_constraint":
		if o.rename != nil {
			return sortedTerms(t, n, o, " | "), true
		}
	case "field_declaration":
		var names []string
		for c := range t.Children(n) {
			if t.Field(c) == "name" && t.Named(c) {
				names = append(names, t.Text(c))
			}
		}
		typ := typeText(t, t.Child(n, "type"), o)
		if len(names) == 0 {
			if t.HasToken(n, "*") {
				typ = "*" + typ
			}
			return typ, true
		}
		return strings.Join(names, ", ") + " " + typ, true
	}
	return "", false
}

// goParams reads a parameter list, one entry for each parameter of a group.
func goParams(t *Tree, list Node, o textOptions) []model.Param {
	var out []model.Param
	for c := range t.NamedChildren(list) {
		if !t.Is(c, "parameter_declaration", "variadic_parameter_declaration") {
			continue
		}
		p := model.Param{Type: typeText(t, t.Child(c, "type"), o), Variadic: t.Is(c, "variadic_parameter_declaration")}
		n := 0
		for id := range t.NamedChildren(c) {
			if t.Field(id) == "name" {
				n++
			}
		}
		for range max(n, 1) {
			out = append(out, p)
		}
	}
	return out
}

// goTypeParams reads [K comparable, V any]: names in order and constraint nodes.
func goTypeParams(t *Tree, list Node) (names []string, constraints []Node) {
	for c := range t.NamedChildren(list) {
		if !t.Is(c, "type_parameter_declaration") {
			continue
		}
		for id := range t.NamedChildren(c) {
			if t.Field(id) == "name" {
				names = append(names, t.Text(id))
				constraints = append(constraints, t.Child(c, "type"))
			}
		}
	}
	return names, constraints
}

// typeParams fills a symbol's type parameters and returns their display.
func (g goTypes) typeParams(s *model.Symbol, list Node) string {
	if list == None {
		return ""
	}
	names, constraints := goTypeParams(g.t, list)
	renameParams(g.rename, "", names)
	var shown []string
	for i, name := range names {
		s.TypeParams = append(s.TypeParams, "$"+strconv.Itoa(i+1)+" "+g.canonical(constraints[i]))
		shown = append(shown, name+" "+g.shown(constraints[i]))
	}
	return "[" + strings.Join(shown, ", ") + "]"
}

// goReceiver is what a method's receiver says.
type goReceiver struct {
	base    Node // the type's name
	pointer bool
	params  []string
	shown   string
}

func readGoReceiver(t *Tree, list Node) goReceiver {
	r := goReceiver{base: None}
	decl := t.ChildOf(list, "parameter_declaration")
	n := t.Child(decl, "type")
	if n == None {
		return r
	}
	for n != None && r.base == None {
		switch t.Kind(n) {
		case "pointer_type":
			r.pointer = true
			n = firstNamed(t, n)
		case "parenthesized_type":
			n = firstNamed(t, n)
		case "generic_type":
			for a := range t.NamedChildren(t.Child(n, "type_arguments")) {
				r.params = append(r.params, t.Text(a))
			}
			n = t.Child(n, "type")
		case "type_identifier":
			r.base = n
		default:
			return r
		}
	}
	if r.pointer {
		r.shown = "*"
	}
	r.shown += t.Text(r.base)
	if len(r.params) > 0 {
		r.shown += "[" + strings.Join(r.params, ", ") + "]"
	}
	return r
}

func firstNamed(t *Tree, n Node) Node {
	for c := range t.NamedChildren(n) {
		return c
	}
	return None
}

func (g *goFile) function(n Node) {
	t := g.t
	name := t.Child(n, "name")
	d := definition{nodes: []Node{n}, omit: []Node{name}}
	s := &d.sym
	s.Kind, s.Name = model.KindFunction, t.Text(name)
	s.Exported = goExported(s.Name)
	types := goTypes{t, map[string]string{}}
	receiver := ""
	if t.Is(n, "method_declaration") {
		r := readGoReceiver(t, t.Child(n, "receiver"))
		if r.base == None {
			return
		}
		s.Kind, s.Container, s.TypeMember = model.KindMethod, t.Text(r.base), true
		if r.pointer {
			s.Modifiers = []string{"pointer-receiver"}
		}
		renameParams(types.rename, "T", r.params)
		d.omit = append(d.omit, r.base)
		receiver = "(" + r.shown + ") "
	}
	s.Qualified = qualify(s.Container, s.Name)
	shownParams := types.typeParams(s, t.Child(n, "type_parameters"))
	list, result := t.Child(n, "parameters"), t.Child(n, "result")
	s.Params = goParams(t, list, types.options())
	s.Results = goResult(t, result, types.options())
	s.Signature = "func " + receiver + s.Name + shownParams + paramList(goParams(t, list, goText(nil)))
	if r := goResult(t, result, goText(nil)); r != "" {
		s.Signature += " " + r
	}
	g.add(d, name, n)
}

// goResult spells a result; one unnamed or named result has no parentheses.
func goResult(t *Tree, n Node, o textOptions) string {
	if n == None {
		return ""
	}
	if !t.Is(n, "parameter_list") {
		return typeText(t, n, o)
	}
	list := goParams(t, n, o)
	if len(list) == 1 {
		return list[0].Type
	}
	if len(list) == 0 {
		return ""
	}
	return paramList(list)
}

func (g *goFile) typeSpec(n, whole Node) {
	t := g.t
	name, typ := t.Child(n, "name"), t.Child(n, "type")
	d := definition{nodes: []Node{n}, omit: []Node{name}}
	s := &d.sym
	s.Name = t.Text(name)
	s.Qualified, s.Exported = s.Name, goExported(s.Name)
	types := goTypes{t, map[string]string{}}
	head := "type " + s.Name + types.typeParams(s, t.Child(n, "type_parameters"))
	if t.Is(n, "type_alias") {
		s.Kind, s.Modifiers = model.KindType, []string{"alias"}
		s.Results = types.canonical(typ)
		s.Signature = head + " = " + types.shown(typ)
		g.add(d, name, whole)
		return
	}
	switch t.Kind(typ) {
	case "struct_type":
		s.Kind = model.KindStruct
		s.Members = goFields(t, typ, types.canonical)
		s.Signature = head + " struct" + memberText(goFields(t, typ, types.shown))
	case "interface_type":
		s.Kind = model.KindInterface
		s.Members = goMethods(t, typ, types.options())
		s.Signature = head + " interface" + memberText(goMethods(t, typ, goText(nil)))
	default:
		s.Kind = model.KindType
		s.Results = types.canonical(typ)
		s.Signature = head + " " + types.shown(typ)
	}
	g.add(d, name, whole)
}

// goFields lists the fields that users outside the package can see: exported ones,
// and embedded types, whose members show through.
func goFields(t *Tree, typ Node, spell func(Node) string) []model.Member {
	var out []model.Member
	for c := range t.NamedChildren(t.ChildOf(typ, "field_declaration_list")) {
		if !t.Is(c, "field_declaration") {
			continue
		}
		text, named := spell(t.Child(c, "type")), false
		for id := range t.NamedChildren(c) {
			if t.Field(id) != "name" {
				continue
			}
			named = true
			if name := t.Text(id); goExported(name) {
				out = append(out, model.Member{Name: name, Kind: "field", Type: text})
			}
		}
		if !named {
			if t.HasToken(c, "*") {
				text = "*" + text
			}
			out = append(out, model.Member{Name: goBaseName(t, t.Child(c, "type")), Kind: "embed", Type: text})
		}
	}
	return out
}

// goBaseName is the last name of a possibly qualified or generic type.
func goBaseName(t *Tree, n Node) string {
	for n != None {
		switch t.Kind(n) {
		case "generic_type":
			n = t.Child(n, "type")
		case "qualified_type":
			n = t.Child(n, "name")
		case "pointer_type", "parenthesized_type":
			n = firstNamed(t, n)
		default:
			return t.Text(n)
		}
	}
	return ""
}

// goMethods lists an interface's methods, embedded interfaces and unions. The
// terms of a union mean the same in any order.
func goMethods(t *Tree, typ Node, o textOptions) []model.Member {
	var out []model.Member
	for c := range t.NamedChildren(typ) {
		switch t.Kind(c) {
		case "method_elem":
			text := paramList(goParams(t, t.Child(c, "parameters"), o))
			if r := goResult(t, t.Child(c, "result"), o); r != "" {
				text += " " + r
			}
			out = append(out, model.Member{Name: t.Text(t.Child(c, "name")), Kind: "method", Type: text})
		case "type_elem":
			var terms []string
			var last Node
			for term := range t.NamedChildren(c) {
				terms = append(terms, typeText(t, term, o))
				last = term
			}
			sort.Strings(terms)
			m := model.Member{Kind: "union", Type: strings.Join(terms, " | ")}
			if len(terms) == 1 && t.Is(last, "type_identifier", "qualified_type", "generic_type") {
				m.Kind, m.Name = "embed", goBaseName(t, last)
			}
			out = append(out, m)
		}
	}
	return out
}

// memberText shows members in braces, as Go writes them on one line.
func memberText(members []model.Member) string {
	if len(members) == 0 {
		return "{}"
	}
	parts := make([]string, len(members))
	for i, m := range members {
		switch m.Kind {
		case "field":
			parts[i] = m.Name + " " + m.Type
		case "method":
			parts[i] = m.Name + m.Type
		default:
			parts[i] = m.Type
		}
	}
	return "{ " + strings.Join(parts, "; ") + " }"
}
