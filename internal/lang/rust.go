package lang

import (
	"path"
	"strings"
	"unsafe"

	grammar "github.com/tree-sitter/tree-sitter-rust/bindings/go"

	"gitlet/internal/model"
)

var rust = &Language{
	Name:          "rust",
	Family:        "rust",
	Extensions:    []string{".rs"},
	Lexical:       Lexical{Comment: "//", Chars: true, LongStrings: true},
	Pointer:       func() unsafe.Pointer { return grammar.Language() },
	Extract:       rustExtract,
	Modules:       rustModules,
	Resolve:       rustResolve,
	SuffixModules: true,
	ValuesApart:   true,
	Compat: Compat{
		Nominal:   map[model.SymbolKind]bool{model.KindStruct: true},
		OrderFree: map[model.SymbolKind]bool{model.KindStruct: true, model.KindTrait: true},
	},
}

// rustModules names a file by its path without extension; mod.rs, lib.rs and
// main.rs stand for their directory too.
func rustModules(file string) []string {
	m := strings.TrimSuffix(file, ".rs")
	switch path.Base(m) {
	case "mod", "lib", "main":
		return []string{m, path.Dir(m)}
	}
	return []string{m}
}

func rustExtract(t *Tree) *Facts {
	r := &rustReader{t: t}
	r.items(t.Root(), rustPlace{})
	bodyHashes(t, r.defs, rustToken(t))
	f := &Facts{}
	for _, d := range r.defs {
		f.Symbols = append(f.Symbols, d.sym)
	}
	collectRustRefs(t, f)
	return finish("rust", f)
}

// rustToken drops the commas that only formatting puts after a match arm and at the
// end of a where clause, and the semicolon after a macro's last rule.
func rustToken(t *Tree) func(Node, []byte) []byte {
	return func(n Node, text []byte) []byte {
		if len(text) == 1 && text[0] == ',' {
			if p := t.Parent(n); t.Is(p, "match_arm") || t.Is(p, "where_clause") && t.NextSibling(n) == None {
				return nil
			}
		}
		if len(text) == 1 && text[0] == ';' && t.Is(t.Parent(n), "macro_definition") {
			return nil
		}
		return text
	}
}

// rustReader finds the definitions of one file.
type rustReader struct {
	t    *Tree
	defs []definition
}

// rustPlace is where items are read: a module, an impl, a trait or an extern block.
type rustPlace struct {
	container string
	member    bool   // items of an impl or a trait
	suffix    string // "@Trait" in a trait impl
	public    bool   // reached through the trait whatever they say
	foreign   string // the ABI of an extern block
	impl      Node   // the impl or trait around, or None
}

// items reads the items directly in n. Attributes come before the item they belong to.
func (r *rustReader) items(n Node, p rustPlace) {
	t := r.t
	var attrs []Node
	for c := range t.Children(n) {
		switch {
		case t.IsError(c):
			r.items(c, p)
		case !t.Named(c) || t.Extra(c):
			continue
		case t.Is(c, "attribute_item"):
			attrs = append(attrs, c)
			continue
		default:
			r.item(c, attrs, p)
		}
		attrs = nil
	}
}

func (r *rustReader) item(n Node, attrs []Node, p rustPlace) {
	t := r.t
	switch t.Kind(n) {
	case "function_item", "function_signature_item":
		r.function(n, attrs, p)
	case "struct_item", "union_item":
		r.structure(n, attrs, p)
	case "enum_item":
		r.enum(n, attrs, p)
	case "trait_item":
		r.trait(n, attrs, p)
	case "type_item", "associated_type":
		r.typeAlias(n, attrs, p)
	case "const_item", "static_item":
		r.value(n, attrs, p)
	case "impl_item":
		r.impl(n, p)
	case "foreign_mod_item":
		p.foreign = rustABI(t, t.ChildOf(n, "extern_modifier"))
		r.items(t.Child(n, "body"), p)
	case "mod_item":
		if body := t.Child(n, "body"); body != None && !rustTestOnly(t, attrs) {
			r.items(body, rustPlace{container: qualify(p.container, rustName(t, t.Child(n, "name"))), impl: None})
		}
	case "expression_statement": // an extern block the grammar does not know yet
		if b := t.ChildOf(n, "block"); b != None && t.HasError(n) {
			r.items(b, p)
		}
	}
}

// rustTestOnly reports whether the attributes keep an item out of every build but
// tests: cfg(test), or cfg(all(test, ...)).
func rustTestOnly(t *Tree, attrs []Node) bool {
	for _, a := range attrs {
		s := strings.Join(strings.Fields(t.Text(a)), "")
		if strings.HasPrefix(s, "#[cfg(test)") || strings.HasPrefix(s, "#[cfg(all(test,") || strings.HasPrefix(s, "#[cfg(all(test)") {
			return true
		}
		if rest, ok := strings.CutPrefix(s, "#[cfg(all("); ok {
			for _, part := range splitTop(strings.TrimSuffix(rest, "))]"), ',') {
				if part == "test" {
					return true
				}
			}
		}
	}
	return false
}

// rustName is an identifier without the raw mark.
func rustName(t *Tree, n Node) string { return safeName(strings.TrimPrefix(t.Text(n), "r#")) }

// add keeps a definition whose symbol is complete but for its name and place.
func (r *rustReader) add(n Node, attrs []Node, p rustPlace, sym model.Symbol) {
	t := r.t
	name := t.Child(n, "name")
	sym.Name = rustName(t, name)
	if name == None || sym.Name == "" || sym.Name == "_" || t.Missing(name) {
		return
	}
	sym.Qualified = qualify(p.container, sym.Name) + p.suffix
	sym.Container, sym.TypeMember = p.container, p.member
	d := definition{sym: sym, nodes: append(append([]Node(nil), attrs...), n), omit: []Node{name}}
	place(t, &d.sym, d.nodes[0], n)
	r.defs = append(r.defs, d)
}

// impl reads an impl block: its items belong to the type.
func (r *rustReader) impl(n Node, p rustPlace) {
	t := r.t
	base := rustTypeBase(t, t.Child(n, "type"))
	body := t.Child(n, "body")
	if base == "" || body == None {
		return
	}
	in := rustPlace{container: qualify(p.container, base), member: true, impl: n}
	if trait := t.Child(n, "trait"); trait != None {
		in.suffix, in.public = "@"+rustTraitName(t, trait), true
	}
	r.items(body, in)
}

// rustTypeBase is the name of the type an impl is for.
func rustTypeBase(t *Tree, n Node) string {
	switch t.Kind(n) {
	case "":
		return ""
	case "type_identifier", "primitive_type", "identifier":
		return rustName(t, n)
	case "generic_type", "reference_type", "pointer_type":
		return rustTypeBase(t, t.Child(n, "type"))
	case "scoped_type_identifier":
		return rustTypeBase(t, t.Child(n, "name"))
	case "dynamic_type", "abstract_type":
		return rustTypeBase(t, t.Child(n, "trait"))
	case "bounded_type":
		return rustTypeBase(t, t.FirstChild(n))
	}
	return rustTight(typeText(t, n, textOptions{}))
}

// rustTraitName tells trait impls of one type apart: the trait's own name with its
// arguments, since a type may implement From<u8> and From<u16>. Lifetimes are left out.
func rustTraitName(t *Tree, n Node) string {
	if t.Is(n, "scoped_type_identifier") {
		n = t.Child(n, "name")
	}
	if !t.Is(n, "generic_type") {
		return rustTypeBase(t, n)
	}
	var args []string
	for a := range t.NamedChildren(t.Child(n, "type_arguments")) {
		if t.Is(a, "lifetime") {
			continue
		}
		args = append(args, rustTight(typeText(t, a, textOptions{sub: func(t *Tree, n Node) (string, bool) {
			return "", t.Is(n, "lifetime")
		}})))
	}
	name := rustTypeBase(t, n)
	if len(args) == 0 {
		return name
	}
	return name + "<" + strings.Join(args, ",") + ">"
}

// rustTight makes type text fit for a name: no path colons, few spaces.
func rustTight(s string) string {
	s = strings.ReplaceAll(s, "<>", "")
	return safeName(strings.NewReplacer("::", ".", ", ", ",", " + ", "+", " -> ", "->", "; ", ";").Replace(s))
}

// rustABI spells the ABI of an extern; none means "C".
func rustABI(t *Tree, n Node) string {
	if s := t.ChildOf(n, "string_literal"); s != None {
		return "extern " + t.Text(s)
	}
	return `extern "C"`
}
