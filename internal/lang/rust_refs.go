package lang

import (
	"strings"

	"gitlet/internal/model"
)

// rustInline is the kind of an Import that stands for an inline module: Local is
// its name, Module its path from the file's own module, Scope its body.
const rustInline = "inline"

// rustRefs collects references and imports in one pass over the flat tree.
type rustRefs struct {
	t      *Tree
	f      *Facts
	local  scopes
	blocks []rustBlock
	inline []string // the inline modules around, outermost first
	impls  []rustImpl
}

// rustImpl is an impl block around the present place: what Self means in it.
type rustImpl struct {
	n    Node
	segs []string
}

// rustBlock is a block or a module body around the present place: use declarations
// hold in it.
type rustBlock struct {
	n      Node
	module bool
}

func collectRustRefs(t *Tree, f *Facts) {
	r := &rustRefs{t: t, f: f}
	for n := Node(0); int(n) < len(t.Nodes); {
		r.local.at(n)
		for len(r.blocks) > 0 && t.Next(r.blocks[len(r.blocks)-1].n) <= n {
			if r.blocks[len(r.blocks)-1].module {
				r.inline = r.inline[:len(r.inline)-1]
			}
			r.blocks = r.blocks[:len(r.blocks)-1]
		}
		for len(r.impls) > 0 && t.Next(r.impls[len(r.impls)-1].n) <= n {
			r.impls = r.impls[:len(r.impls)-1]
		}
		n = r.visit(n)
	}
}

// visit reads one node and returns where to go on.
func (r *rustRefs) visit(n Node) Node {
	t := r.t
	if !t.Named(n) {
		return n + 1
	}
	switch t.Kind(n) {
	case "function_item", "function_signature_item":
		r.local.push(t.Next(n), true)
		r.local.add(rustTypeParamNames(t, n)...)
		r.local.add(rustBound(t, n)...)
	case "struct_item", "enum_item", "union_item", "type_item", "associated_type":
		r.local.push(t.Next(n), false)
		r.local.add(rustTypeParamNames(t, n)...)
	case "trait_item", "impl_item":
		r.local.push(t.Next(n), false)
		r.local.add(rustTypeParamNames(t, n)...)
		if t.Is(n, "impl_item") {
			r.impls = append(r.impls, rustImpl{n, rustPath(t, t.Child(n, "type"))})
		}
		r.extends(n)
	case "mod_item":
		r.module(n)
	case "block":
		r.blocks = append(r.blocks, rustBlock{n, false})
	case "use_declaration":
		r.use(t.Child(n, "argument"), nil, t.Start(n))
		return t.Next(n)
	case "extern_crate_declaration":
		if alias := t.Child(n, "alias"); alias != None {
			r.f.Imports = append(r.f.Imports, Import{
				Local: strings.TrimPrefix(t.Text(alias), "r#"), Name: t.Text(t.Child(n, "name")), Kind: "member",
				Byte: t.Start(n), Scope: r.scope(),
			})
		}
		return t.Next(n)
	case "macro_definition", "attribute_item", "inner_attribute_item", "visibility_modifier":
		return t.Next(n)
	case "call_expression":
		r.call(t.Child(n, "function"))
	case "struct_expression":
		r.path(t.Child(n, "name"), model.RefConstruct)
	case "tuple_struct_pattern":
		if typ := t.Child(n, "type"); t.Is(typ, "identifier") {
			r.path(typ, model.RefType)
		}
	case "scoped_identifier":
		r.valuePath(n)
	case "type_identifier":
		if t.Field(n) != "name" && !r.isBase(n) {
			r.typ(n)
		}
	case "scoped_type_identifier":
		if !t.Is(t.Parent(n), "struct_expression", "scoped_type_identifier") && !r.isBase(n) {
			r.typ(n)
		}
	case "macro_invocation":
		r.tokens(t.ChildOf(n, "token_tree"))
		return t.Next(n)
	}
	return n + 1
}

// module notes `mod x;` and enters `mod x { ... }`.
func (r *rustRefs) module(n Node) {
	t := r.t
	name := strings.TrimPrefix(t.Text(t.Child(n, "name")), "r#")
	path := append([]string{"self"}, append(append([]string(nil), r.inline...), name)...)
	i := Import{Local: name, Module: strings.Join(path, "::"), Kind: "module", Byte: t.Start(n), Scope: r.scope()}
	if body := t.Child(n, "body"); body != None {
		i.Kind, i.Scope = rustInline, [2]int{t.Start(body), t.End(body)}
		r.blocks = append(r.blocks, rustBlock{body, true})
		r.inline = append(r.inline, name)
	}
	r.f.Imports = append(r.f.Imports, i)
}

// scope is where a use declaration here holds: zero for the whole file.
func (r *rustRefs) scope() [2]int {
	if len(r.blocks) == 0 {
		return [2]int{}
	}
	b := r.blocks[len(r.blocks)-1].n
	return [2]int{r.t.Start(b), r.t.End(b)}
}

// extends reads the trait of an impl, or the bounds of a trait.
func (r *rustRefs) extends(n Node) {
	t := r.t
	if trait := t.Child(n, "trait"); trait != None {
		r.path(trait, model.RefExtends)
		return
	}
	if t.Is(n, "trait_item") {
		for b := range t.NamedChildren(t.Child(n, "bounds")) {
			r.path(b, model.RefExtends)
		}
	}
}

// isBase reports whether n names a trait that extends has read.
func (r *rustRefs) isBase(n Node) bool {
	t := r.t
	if p := t.Parent(n); t.Is(p, "generic_type") && t.Field(n) == "type" {
		n = p
	}
	p := t.Parent(n)
	return t.Is(p, "impl_item") && t.Field(n) == "trait" || t.Is(p, "trait_bounds") && t.Is(t.Parent(p), "trait_item")
}

// call adds a reference for the function of a call.
func (r *rustRefs) call(f Node) {
	t := r.t
	if t.Is(f, "generic_function") {
		f = t.Child(f, "function")
	}
	if !t.Is(f, "field_expression") {
		kind := model.RefCall
		if t.Is(f, "identifier", "scoped_identifier") {
			r.path(f, kind)
		}
		return
	}
	name, value := t.Child(f, "field"), t.Child(f, "value")
	if !t.Is(name, "field_identifier") {
		return
	}
	ref := RawRef{Name: strings.TrimPrefix(t.Text(name), "r#"), Kind: model.RefCall, Value: true,
		Line: t.Line(name), Byte: t.Start(name)}
	if t.Is(value, "identifier", "self") {
		ref.Qualifier = t.Text(value)
	}
	r.f.Refs = append(r.f.Refs, ref)
}

// valuePath reads Kind::A used as a value or a pattern: it is a use of the enum.
func (r *rustRefs) valuePath(n Node) {
	t := r.t
	switch t.Field(n) {
	case "function", "path", "macro":
		return
	}
	segs := rustPath(t, n)
	if k := len(segs); k >= 2 && capitalised(segs[k-1]) && capitalised(segs[k-2]) {
		kind := model.RefConstruct
		if t.Is(t.Parent(n), "match_pattern", "tuple_struct_pattern", "or_pattern", "tuple_pattern") {
			kind = model.RefType
		}
		r.segments(segs, kind, n)
	}
}

// typ adds a reference for a type. One that a pattern takes apart, an impl block adds to
// or an alias stands for is more than named: its values may be built under that name.
func (r *rustRefs) typ(n Node) {
	t := r.t
	before := len(r.f.Refs)
	at := n
	if p := t.Parent(at); t.Is(p, "generic_type") && t.Field(at) == "type" {
		at = p
	}
	p := t.Parent(at)
	parts := t.Is(p, "tuple_struct_pattern") || t.Is(p, "struct_pattern") && t.ChildOf(p, "remaining_field_pattern") == None
	if segs := rustPath(t, n); parts && len(segs) == 1 && segs[0] == "Self" {
		r.self(model.RefType, n)
		return
	}
	r.path(n, model.RefType)
	for i := range r.f.Refs[before:] {
		r.f.Refs[before+i].Named = !parts && t.Field(at) == "type" && !t.Is(p, "impl_item", "type_item", "associated_type") ||
			t.Is(p, "type_arguments", "tuple_type", "trait_bounds")
	}
}

// self adds a reference to the type that the impl block around is about.
func (r *rustRefs) self(kind model.RefKind, at Node) {
	if len(r.impls) > 0 {
		if segs := r.impls[len(r.impls)-1].segs; len(segs) > 0 && segs[len(segs)-1] != "Self" {
			r.segments(segs, kind, at)
		}
	}
}

// path adds a reference for what a path names.
func (r *rustRefs) path(n Node, kind model.RefKind) {
	if n != None {
		r.segments(rustPath(r.t, n), kind, n)
	}
}

// segments adds a reference for a path. The last segment of Kind::A is a variant or
// an associated type: the reference is to Kind.
func (r *rustRefs) segments(segs []string, kind model.RefKind, at Node) {
	k := len(segs)
	if k == 0 {
		return
	}
	if k >= 2 && rustTypeName(segs[k-1]) && rustTypeName(segs[k-2]) {
		segs = segs[:k-1]
		if kind == model.RefCall {
			kind = model.RefConstruct
		}
		k--
	} else if kind == model.RefCall && rustTypeName(segs[k-1]) {
		kind = model.RefConstruct // a tuple struct
	}
	if k == 1 && segs[0] == "Self" && kind == model.RefConstruct {
		r.self(kind, at)
		return
	}
	if segs[k-1] == "Self" || r.local.has(segs[0]) {
		return
	}
	segs = r.fromFile(segs)
	name := segs[len(segs)-1]
	if name == "" || name == "_" || name == "self" || name == "super" || name == "crate" {
		return
	}
	r.f.Refs = append(r.f.Refs, RawRef{Name: name, Qualifier: strings.Join(segs[:len(segs)-1], "::"), Kind: kind,
		Line: r.t.Line(at), Byte: r.t.Start(at)})
}

// rustTypeName tells types and variants from constants and functions by their case.
func rustTypeName(s string) bool {
	if !capitalised(s) {
		return false
	}
	for i := 1; i < len(s); i++ {
		if s[i] >= 'a' && s[i] <= 'z' {
			return true
		}
	}
	return len(s) == 1
}

// fromFile rewrites self and super so that they count from the file's own module:
// the inline modules around are resolved here, where they are known.
func (r *rustRefs) fromFile(segs []string) []string {
	if len(r.inline) == 0 || segs[0] != "self" && segs[0] != "super" {
		return segs
	}
	around, rest := r.inline, segs
	if rest[0] == "self" {
		rest = rest[1:]
	}
	for len(rest) > 0 && rest[0] == "super" && len(around) > 0 {
		around, rest = around[:len(around)-1], rest[1:]
	}
	if len(rest) > 0 && rest[0] == "super" {
		return rest
	}
	out := append([]string{"self"}, around...)
	return append(out, rest...)
}

// rustPath lists the segments of a path without generic arguments; a leading "::"
// is an empty first segment. It is nil for what is no path.
func rustPath(t *Tree, n Node) []string {
	switch t.Kind(n) {
	case "identifier", "type_identifier", "self", "super", "crate", "primitive_type":
		return []string{strings.TrimPrefix(t.Text(n), "r#")}
	case "generic_type", "generic_type_with_turbofish", "qualified_type", "higher_ranked_trait_bound", "reference_type":
		return rustPath(t, t.Child(n, "type"))
	case "function_type", "dynamic_type", "abstract_type":
		return rustPath(t, t.Child(n, "trait"))
	case "bracketed_type":
		for c := range t.NamedChildren(n) {
			return rustPath(t, c)
		}
	case "scoped_identifier", "scoped_type_identifier":
		p := t.Child(n, "path")
		segs := []string{""}
		if p != None {
			segs = rustPath(t, p)
		}
		if segs == nil {
			return nil
		}
		return append(segs, rustPath(t, t.Child(n, "name"))...)
	}
	return nil
}

// use reads a use tree.
func (r *rustRefs) use(n Node, prefix []string, at int) {
	t := r.t
	add := func(segs []string, local, kind string) {
		if len(segs) == 0 {
			return
		}
		segs = r.fromFile(segs)
		i := Import{Local: local, Kind: kind, Byte: at, Scope: r.scope()}
		if kind == "glob" {
			i.Module = strings.Join(segs, "::")
		} else {
			i.Module, i.Name = strings.Join(segs[:len(segs)-1], "::"), segs[len(segs)-1]
			if i.Local == "" {
				i.Local = i.Name
			}
		}
		if i.Local != "_" {
			r.f.Imports = append(r.f.Imports, i)
		}
	}
	join := func(n Node) []string { return append(append([]string(nil), prefix...), rustPath(t, n)...) }
	switch t.Kind(n) {
	case "use_list":
		for c := range t.NamedChildren(n) {
			r.use(c, prefix, at)
		}
	case "scoped_use_list":
		p := prefix
		if path := t.Child(n, "path"); path != None {
			p = join(path)
		}
		r.use(t.Child(n, "list"), p, at)
	case "use_as_clause":
		segs := join(t.Child(n, "path"))
		if k := len(segs); k > 1 && segs[k-1] == "self" {
			segs = segs[:k-1]
		}
		add(segs, strings.TrimPrefix(t.Text(t.Child(n, "alias")), "r#"), "member")
	case "use_wildcard":
		segs := prefix
		for c := range t.NamedChildren(n) {
			segs = join(c)
		}
		add(segs, "", "glob")
	case "self":
		if len(prefix) > 0 { // a::{self}
			add(append([]string(nil), prefix...), "", "member")
		}
	default:
		add(join(n), "", "member")
	}
}

// tokens finds references inside a macro call, whose tokens the grammar does not
// parse: a path before parentheses is a call, one before braces a struct literal.
func (r *rustRefs) tokens(tree Node) {
	t := r.t
	var kids []Node
	for c := range t.Children(tree) {
		if !t.Extra(c) {
			kids = append(kids, c)
		}
	}
	for i := 0; i < len(kids); i++ {
		if t.Is(kids[i], "token_tree") {
			r.tokens(kids[i])
			continue
		}
		if !t.Is(kids[i], "identifier", "self", "super", "crate") {
			continue
		}
		first, segs := i, rustPath(t, kids[i])
		for i+2 < len(kids) && t.Kind(kids[i+1]) == "::" && t.Is(kids[i+2], "identifier", "super") {
			segs = append(segs, rustPath(t, kids[i+2])...)
			i += 2
		}
		before := ""
		if first > 0 {
			before = t.Text(kids[first-1])
		}
		r.tokenPath(segs, kids[i], before, r.afterTurbofish(kids, i+1))
	}
}

// afterTurbofish skips ::<...> from kids[i] on and returns the node there, or None.
func (r *rustRefs) afterTurbofish(kids []Node, i int) Node {
	t := r.t
	if i+1 < len(kids) && t.Kind(kids[i]) == "::" && t.Kind(kids[i+1]) == "<" {
		for depth := 0; i < len(kids); i++ {
			switch t.Kind(kids[i]) {
			case "<":
				depth++
			case ">", ">>":
				depth -= len(t.Bytes(kids[i]))
			}
			if depth <= 0 && t.Kind(kids[i]) != "::" {
				i++
				break
			}
		}
	}
	if i < len(kids) {
		return kids[i]
	}
	return None
}

func (r *rustRefs) tokenPath(segs []string, at Node, before string, after Node) {
	t := r.t
	open := byte(0)
	if t.Is(after, "token_tree") {
		open = t.Src[t.Start(after)]
	}
	k := len(segs)
	switch {
	case before == "fn" || before == "$" || t.Text(after) == "!":
	case before == "." && open == '(':
		r.f.Refs = append(r.f.Refs, RawRef{Name: segs[k-1], Kind: model.RefCall, Value: true, Line: t.Line(at), Byte: t.Start(at)})
	case before == ".":
	case open == '(':
		r.segments(segs, model.RefCall, at)
	case open == '{' && rustTypeName(segs[k-1]):
		r.segments(segs, model.RefConstruct, at)
	case k >= 2 && rustTypeName(segs[k-1]) && rustTypeName(segs[k-2]):
		r.segments(segs, model.RefConstruct, at)
	}
}

// rustTypeParamNames lists the type and const parameters of an item.
func rustTypeParamNames(t *Tree, n Node) []string {
	var out []string
	for p := range t.NamedChildren(t.Child(n, "type_parameters")) {
		if t.Is(p, "type_parameter", "const_parameter") {
			out = append(out, t.Text(t.Child(p, "name")))
		}
	}
	return out
}

// rustBound lists the names a function binds: parameters, let, patterns, closures
// and functions inside it. Names in upper case in a pattern are constants.
func rustBound(t *Tree, fn Node) []string {
	var out []string
	for n := fn + 1; n < t.Next(fn); n++ {
		switch t.Kind(n) {
		case "function_item", "struct_item", "enum_item", "union_item", "trait_item", "type_item", "const_item", "static_item":
			if !t.Is(t.Parent(t.Parent(n)), "impl_item", "trait_item") {
				out = append(out, t.Text(t.Child(n, "name")))
			}
			continue
		case "shorthand_field_identifier":
		case "identifier":
			switch t.Kind(t.Parent(n)) {
			case "parameter", "let_declaration", "let_condition", "for_expression":
				if t.Field(n) != "pattern" {
					continue
				}
			case "tuple_struct_pattern":
				if t.Field(n) == "type" {
					continue
				}
			case "tuple_pattern", "slice_pattern", "ref_pattern", "mut_pattern", "captured_pattern",
				"reference_pattern", "or_pattern", "closure_parameters", "match_pattern", "field_pattern":
			default:
				continue
			}
		default:
			continue
		}
		if s := t.Text(n); !capitalised(s) {
			out = append(out, s)
		}
	}
	return out
}
