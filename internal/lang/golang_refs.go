package lang

import (
	"path"
	"strings"
	"sync"

	"gitlet/internal/model"
)

// goBuiltinTypes and goBuiltinCalls are predeclared names that a package rarely
// defines itself; min, max and clear are left out because many do.
var goBuiltinTypes = lazily(`any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32
	int64 rune string uint uint8 uint16 uint32 uint64 uintptr`)

var goBuiltinCalls = lazily(`append cap close complex copy delete imag len make new panic print println real recover`)

// lazily is the set of the words of a text, made when it is first asked for: a hook that
// reads no code must not pay for it.
func lazily(text string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for _, w := range strings.Fields(text) {
			m[w] = true
		}
		return m
	})
}

// goImports reads one import declaration.
func goImports(t *Tree, decl Node) []Import {
	var out []Import
	for n := decl; n < t.Next(decl); n++ {
		if !t.Is(n, "import_spec") {
			continue
		}
		spec := strings.Trim(valid(t.Text(t.Child(n, "path"))), "\"`")
		im := Import{Module: spec, Kind: "module", Byte: t.Start(n)}
		switch name := t.Child(n, "name"); t.Kind(name) {
		case "":
			im.Local = goPackageName(spec)
		case "dot":
			im.Kind = "glob"
		case "blank_identifier":
		default:
			im.Local = t.Text(name)
		}
		out = append(out, im)
	}
	return out
}

// goPackageName guesses the name of the package at an import path: its last
// element, without a major version.
func goPackageName(spec string) string {
	base := path.Base(spec)
	if majorVersion(base) && strings.Contains(spec, "/") {
		base = path.Base(path.Dir(spec))
	}
	if i := strings.LastIndex(base, ".v"); i > 0 && majorVersion(base[i+1:]) {
		base = base[:i]
	}
	return base
}

func majorVersion(s string) bool {
	if len(s) < 2 || s[0] != 'v' {
		return false
	}
	return strings.Trim(s[1:], "0123456789") == ""
}

// goWalk collects references. Its scopes hold what is local to functions.
type goWalk struct {
	t     *Tree
	own   map[string]bool // names the file defines at its top level
	local scopes
	refs  []RawRef
	// said are nodes already recorded, or not references at all.
	said map[Node]bool
}

func goRefs(t *Tree, f *Facts) []RawRef {
	w := goWalk{t: t, own: map[string]bool{}, said: map[Node]bool{}}
	for _, s := range f.Symbols {
		if s.Container == "" {
			w.own[s.Name] = true
		}
	}
	for n := t.Root(); int(n) < len(t.Nodes); {
		w.local.at(n)
		if t.Is(n, "import_declaration", "package_clause", "comment") {
			n = t.Next(n)
			continue
		}
		w.scope(n)
		w.reference(n)
		n++
	}
	return w.refs
}

// scope opens scopes and brings declared names into force.
func (w *goWalk) scope(n Node) {
	t := w.t
	switch t.Kind(n) {
	case "function_declaration", "method_declaration", "func_literal":
		w.local.push(t.Next(n), true)
		if r := t.Child(n, "receiver"); r != None {
			w.local.add(readGoReceiver(t, r).params...)
		}
	case "type_spec", "type_alias":
		name := t.Child(n, "name")
		w.said[name] = true
		w.local.add(t.Text(name))
		w.local.push(t.Next(n), false)
	case "block", "if_statement", "for_statement", "expression_switch_statement", "type_switch_statement",
		"select_statement", "expression_case", "type_case", "default_case", "communication_case":
		w.local.push(t.Next(n), false)
		if alias := t.Child(n, "alias"); alias != None {
			w.local.addLater(t.Next(t.Child(n, "value")), w.identifiers(alias))
		}
	case "parameter_declaration", "variadic_parameter_declaration", "type_parameter_declaration":
		// The names of a function type's parameters hide nothing that is used inside it.
		for c := range t.NamedChildren(n) {
			if t.Field(c) == "name" {
				w.local.add(t.Text(c))
			}
		}
	case "short_var_declaration", "range_clause", "receive_statement":
		if t.HasToken(n, ":=") {
			w.local.addLater(t.Next(n), w.identifiers(t.Child(n, "left")))
		}
	case "var_spec", "const_spec":
		if w.local.inFunction() {
			w.local.addLater(t.Next(n), w.identifiers(n))
		}
	}
}

// identifiers are the plain names directly under n.
func (w *goWalk) identifiers(n Node) []string {
	var out []string
	for c := range w.t.NamedChildren(n) {
		if w.t.Is(c, "identifier") && w.t.Field(c) != "value" {
			out = append(out, w.t.Text(c))
		}
	}
	return out
}

func (w *goWalk) reference(n Node) {
	t := w.t
	switch t.Kind(n) {
	case "call_expression":
		w.call(t.Child(n, "function"))
	case "type_conversion_expression":
		// f[T](x) reads as a conversion to a generic type.
		if typ := t.Child(n, "type"); t.Is(typ, "generic_type") {
			w.typeName(t.Child(typ, "type"), model.RefCall)
		}
	case "composite_literal":
		typ := t.Child(n, "type")
		if t.Is(typ, "generic_type") {
			typ = t.Child(typ, "type")
		}
		w.typeName(typ, model.RefConstruct)
	case "field_declaration":
		if t.Child(n, "name") == None {
			w.typeName(embedded(t, t.Child(n, "type")), model.RefExtends)
		}
	case "type_elem":
		if t.Is(t.Parent(n), "interface_type") && t.ChildOf(n, "|") == None {
			w.typeName(embedded(t, firstNamed(t, n)), model.RefExtends)
		}
	case "type_identifier", "qualified_type":
		w.typeName(n, model.RefType)
	}
}

func embedded(t *Tree, n Node) Node {
	if t.Is(n, "generic_type") {
		return t.Child(n, "type")
	}
	return n
}

// typeName records a named type once, as the kind its outermost use gives it.
func (w *goWalk) typeName(n Node, kind model.RefKind) {
	t := w.t
	if w.said[n] {
		return
	}
	switch t.Kind(n) {
	case "type_identifier":
		w.said[n] = true
		name := t.Text(n)
		if w.local.has(name) || goBuiltinTypes()[name] && !w.own[name] {
			return
		}
		w.add(n, RawRef{Name: name, Kind: kind})
	case "qualified_type":
		name, pkg := t.Child(n, "name"), t.Child(n, "package")
		w.said[n], w.said[name] = true, true
		w.add(name, RawRef{Name: t.Text(name), Qualifier: t.Text(pkg), Kind: kind, Value: w.local.has(t.Text(pkg))})
	}
}

func (w *goWalk) call(fn Node) {
	t := w.t
	for t.Is(fn, "parenthesized_expression") {
		fn = firstNamed(t, fn)
	}
	switch t.Kind(fn) {
	case "index_expression": // f[int](a, b)
		w.call(t.Child(fn, "operand"))
	case "unary_expression": // (*T)(x)
		if t.HasToken(fn, "*") {
			w.call(t.Child(fn, "operand"))
		}
	case "identifier":
		name := t.Text(fn)
		if w.local.has(name) || goBuiltinCalls()[name] && !w.own[name] || goBuiltinTypes()[name] && !w.own[name] {
			return
		}
		w.add(fn, RawRef{Name: name, Kind: model.RefCall})
	case "selector_expression":
		field := t.Child(fn, "field")
		r := RawRef{Name: t.Text(field), Kind: model.RefCall}
		r.Qualifier, r.Value = w.qualifier(t.Child(fn, "operand"))
		w.add(field, r)
	}
}

// qualifier spells what stands before the name of a call, and whether it is
// certainly a value. The receiver type of a method expression, (*T).M, is not.
func (w *goWalk) qualifier(n Node) (string, bool) {
	t := w.t
	switch t.Kind(n) {
	case "identifier":
		return t.Text(n), w.local.has(t.Text(n))
	case "selector_expression":
		q, _ := w.qualifier(t.Child(n, "operand"))
		if q == "" {
			return "", true
		}
		return q + "." + t.Text(t.Child(n, "field")), true
	case "parenthesized_expression":
		inner := firstNamed(t, n)
		if !t.Is(inner, "unary_expression") || !t.HasToken(inner, "*") {
			return "", true
		}
		inner = t.Child(inner, "operand")
		if t.Is(inner, "selector_expression") && t.Is(t.Child(inner, "operand"), "identifier") {
			pkg := t.Text(t.Child(inner, "operand"))
			return pkg + "." + t.Text(t.Child(inner, "field")), w.local.has(pkg)
		}
		if t.Is(inner, "identifier") {
			return t.Text(inner), w.local.has(t.Text(inner))
		}
	}
	return "", true
}

func (w *goWalk) add(at Node, r RawRef) {
	if r.Name == "" || r.Name == "_" || w.t.Missing(at) {
		return
	}
	r.Line, r.Byte = w.t.Line(at), w.t.Start(at)
	w.refs = append(w.refs, r)
}
