package lang

import (
	"bytes"
	"strings"

	"gitlet/internal/model"
)

// esGlobals are names that every JavaScript engine or the TypeScript library
// provides; a file that defines or imports one of them means its own.
var esGlobals = lazily(`Array ArrayBuffer AsyncGenerator AsyncIterable AsyncIterator Awaited BigInt Boolean Buffer ConstructorParameters
	DataView Date Document Element Error EvalError Event EventTarget Exclude Extract File FormData Function Generator HTMLElement Headers
	InstanceType Int8Array Int16Array Int32Array Float32Array Float64Array Uint8Array Uint8ClampedArray Uint16Array Uint32Array
	Intl Iterable IterableIterator Iterator JSON JSX Map Math NoInfer Node NonNullable Number Object Omit OmitThisParameter Parameters Partial
	Pick Promise PromiseLike Proxy RangeError Readonly ReadonlyArray ReadonlyMap ReadonlySet Record ReferenceError Reflect RegExp Request
	Required Response ReturnType Set SharedArrayBuffer String Symbol SyntaxError ThisParameterType ThisType TypeError URL URLSearchParams
	Uncapitalize Capitalize Lowercase Uppercase WeakMap WeakRef WeakSet Window AbortController AbortSignal Blob
	clearInterval clearTimeout console decodeURIComponent document encodeURIComponent eval globalThis isFinite isNaN
	navigator parseFloat parseInt process queueMicrotask require requestAnimationFrame setImmediate setInterval setTimeout structuredClone
	undefined window cancelAnimationFrame bigint`)

// esWalk collects references and imports. Its scopes hold what is local.
type esWalk struct {
	t       *Tree
	own     map[string]bool            // names defined or imported at the top level
	spaces  map[string]map[string]bool // names defined in each namespace
	local   scopes
	within  []esSpace
	refs    []RawRef
	imports []Import
	said    map[Node]bool
	// bound are the local names that imports inside functions give.
	bound map[string]bool
}

// esSpace is a namespace around the walk.
type esSpace struct {
	end  Node
	name string
}

func esRefs(t *Tree, f *Facts) ([]RawRef, []Import) {
	w := esWalk{t: t, own: map[string]bool{}, spaces: map[string]map[string]bool{}, said: map[Node]bool{}, bound: map[string]bool{}}
	modules := map[string]bool{}
	for _, s := range f.Symbols {
		if s.Kind == model.KindModule {
			modules[s.Qualified] = true
		}
	}
	for _, s := range f.Symbols {
		if s.Container == "" {
			w.own[s.Name] = true
		} else if modules[s.Container] {
			if w.spaces[s.Container] == nil {
				w.spaces[s.Container] = map[string]bool{}
			}
			w.spaces[s.Container][s.Name] = true
		}
	}
	w.findImports()
	for n := t.Root(); int(n) < len(t.Nodes); {
		w.local.at(n)
		for len(w.within) > 0 && w.within[len(w.within)-1].end <= n {
			w.within = w.within[:len(w.within)-1]
		}
		if t.Is(n, "import_statement", "comment") || t.Is(n, "export_statement") && t.Child(n, "source") != None {
			n = t.Next(n)
			continue
		}
		w.scope(n)
		w.reference(n)
		n++
	}
	return w.refs, w.imports
}

// scope opens scopes and brings declared names into force.
func (w *esWalk) scope(n Node) {
	t := w.t
	switch t.Kind(n) {
	case "function_declaration", "generator_function_declaration", "function_expression", "generator_function",
		"arrow_function", "method_definition", "class_static_block":
		w.local.push(t.Next(n), true)
		w.local.add(esPatternNames(t, t.Child(n, "parameter"))...)
		if t.Is(n, "function_expression", "generator_function") {
			w.local.add(t.Text(t.Child(n, "name")))
		}
		for c := range t.NamedChildren(t.Child(n, "parameters")) {
			w.local.add(esPatternNames(t, c)...)
		}
	case "class_declaration", "abstract_class_declaration", "class", "interface_declaration", "type_alias_declaration",
		"function_type", "constructor_type", "method_signature", "abstract_method_signature", "function_signature",
		"call_signature", "construct_signature", "index_signature", "for_statement", "for_in_statement", "catch_clause":
		w.local.push(t.Next(n), false)
		w.local.add(esPatternNames(t, t.Child(n, "parameter"))...)
		if t.Is(n, "for_in_statement") && t.Child(n, "kind") != None {
			w.local.add(esPatternNames(t, t.Child(n, "left"))...)
		}
		if name := t.Child(n, "name"); name != None {
			w.said[name] = true
		}
	case "type_parameter":
		w.said[t.Child(n, "name")] = true
		w.local.add(t.Text(t.Child(n, "name")))
	case "mapped_type_clause":
		w.said[t.Child(n, "name")] = true
		w.local.add(t.Text(t.Child(n, "name")))
	case "infer_type":
		name := firstNamed(t, n)
		w.said[name] = true
		w.local.add(t.Text(name))
	case "internal_module", "module":
		name := strings.Join(strings.Fields(t.Text(t.Child(n, "name"))), "")
		if len(w.within) > 0 {
			name = w.within[len(w.within)-1].name + "." + name
		}
		w.within = append(w.within, esSpace{t.Next(n), name})
	case "statement_block", "switch_body":
		if w.local.inFunction() {
			w.local.push(t.Next(n), false)
			w.hoist(n)
		}
	case "variable_declarator":
		if w.local.inside() && !t.Is(t.Parent(t.Parent(n)), "statement_block") {
			w.bind(n)
		}
	}
}

// hoist brings the declarations directly in a block into force for all of it.
func (w *esWalk) hoist(block Node) {
	t := w.t
	for c := range t.NamedChildren(block) {
		switch t.Kind(c) {
		case "function_declaration", "generator_function_declaration", "class_declaration", "abstract_class_declaration",
			"interface_declaration", "type_alias_declaration", "enum_declaration":
			w.local.add(t.Text(t.Child(c, "name")))
		case "lexical_declaration", "variable_declaration":
			for d := range t.NamedChildren(c) {
				w.bind(d)
			}
		}
	}
}

// bind brings a declarator's names into force. Names taken from require or import
// stay references to that module.
func (w *esWalk) bind(d Node) {
	t := w.t
	for _, name := range esPatternNames(t, t.Child(d, "name")) {
		if w.bound[name] {
			continue
		}
		if t.Is(t.Parent(d), "variable_declaration") {
			w.local.addFunction(name)
		}
		w.local.add(name)
	}
}

func (w *esWalk) reference(n Node) {
	t := w.t
	switch t.Kind(n) {
	case "call_expression":
		w.use(t.Child(n, "function"), model.RefCall)
	case "new_expression":
		w.use(t.Child(n, "constructor"), model.RefConstruct)
	case "decorator":
		w.use(firstNamed(t, n), model.RefCall)
	case "jsx_opening_element", "jsx_self_closing_element":
		if name := t.Child(n, "name"); !t.Is(name, "identifier") || !lowerStart(t.Bytes(name)) {
			w.use(name, model.RefCall)
		}
	case "class_heritage", "extends_clause", "implements_clause", "extends_type_clause":
		for c := range t.NamedChildren(n) {
			if t.Is(c, "extends_clause", "implements_clause", "type_arguments") {
				continue
			}
			if t.Is(c, "generic_type") {
				c = t.Child(c, "name")
			}
			w.use(c, model.RefExtends)
		}
	case "type_query":
		w.use(firstNamed(t, n), model.RefType)
	case "type_identifier", "nested_type_identifier":
		w.use(n, model.RefType)
	}
}

func lowerStart(b []byte) bool { return len(b) > 0 && b[0] >= 'a' && b[0] <= 'z' }

// use records a name in the way it is used, once.
func (w *esWalk) use(n Node, kind model.RefKind) {
	t := w.t
	n = esUnwrap(t, n)
	if w.said[n] {
		return
	}
	switch t.Kind(n) {
	case "identifier", "type_identifier":
		w.said[n] = true
		name := t.Text(n)
		if w.local.has(name) {
			return
		}
		if space := w.space(name); space != "" {
			w.add(n, RawRef{Name: name, Qualifier: space, Kind: kind})
		} else if w.own[name] || !esGlobals()[name] {
			w.add(n, RawRef{Name: name, Kind: kind})
		}
	case "member_expression":
		property := t.Child(n, "property")
		w.qualified(n, property, t.Child(n, "object"), kind)
	case "nested_identifier":
		w.qualified(n, t.Child(n, "property"), t.Child(n, "object"), kind)
	case "nested_type_identifier":
		name, module := t.Child(n, "name"), t.Child(n, "module")
		w.said[name] = true
		w.qualified(n, name, module, kind)
	case "generic_type", "instantiation_expression":
		w.use(firstNamed(t, n), kind)
	}
}

// space is the qualified namespace around the walk that defines name, innermost first.
func (w *esWalk) space(name string) string {
	for i := len(w.within) - 1; i >= 0; i-- {
		if w.spaces[w.within[i].name][name] {
			return w.within[i].name
		}
	}
	return ""
}

func (w *esWalk) qualified(n, name, object Node, kind model.RefKind) {
	w.said[n] = true
	q, value := w.qualifier(object)
	root, _, _ := strings.Cut(q, ".")
	if !value && esGlobals()[root] && !w.own[root] {
		return
	}
	w.add(name, RawRef{Name: w.t.Text(name), Qualifier: q, Kind: kind, Value: value})
}

// qualifier spells the names before a member, and whether they are certainly a value.
func (w *esWalk) qualifier(n Node) (string, bool) {
	t := w.t
	n = esUnwrap(t, n)
	switch t.Kind(n) {
	case "identifier", "type_identifier":
		return t.Text(n), w.local.has(t.Text(n))
	case "this", "super":
		return t.Kind(n), true
	case "member_expression", "nested_identifier", "nested_type_identifier":
		object, property := t.Child(n, "object"), t.Child(n, "property")
		if object == None {
			object, property = t.Child(n, "module"), t.Child(n, "name")
		}
		q, value := w.qualifier(object)
		if q == "" {
			return "", true
		}
		return q + "." + t.Text(property), value
	}
	return "", true
}

func (w *esWalk) add(at Node, r RawRef) {
	if r.Name == "" || w.t.Missing(at) {
		return
	}
	r.Line, r.Byte = w.t.Line(at), w.t.Start(at)
	w.refs = append(w.refs, r)
}

// findImports reads every import, require and dynamic import of the file.
func (w *esWalk) findImports() {
	t := w.t
	var fn []Node // ends of the functions around the walk
	for n := t.Root(); int(n) < len(t.Nodes); n++ {
		for len(fn) > 0 && fn[len(fn)-1] <= n {
			fn = fn[:len(fn)-1]
		}
		switch t.Kind(n) {
		case "import_statement":
			w.importStatement(n)
		case "function_declaration", "function_expression", "arrow_function", "method_definition",
			"generator_function", "generator_function_declaration":
			fn = append(fn, t.Next(n))
		case "variable_declarator":
			before := len(w.imports)
			w.requires(n)
			if len(fn) == 0 {
				break
			}
			block := n
			for p := t.Parent(n); p != None; p = t.Parent(p) {
				if t.Is(p, "statement_block", "program") {
					block = p
					break
				}
			}
			for i := before; i < len(w.imports); i++ {
				w.imports[i].Scope = [2]int{t.Start(block), t.End(block)}
			}
		}
	}
	for _, im := range w.imports {
		if im.Scope == [2]int{} {
			w.own[im.Local] = true
		} else {
			w.bound[im.Local] = true
		}
	}
}

func (w *esWalk) source(n Node) (string, bool) {
	if !w.t.Is(n, "string") {
		return "", false
	}
	return valid(string(bytes.Trim(w.t.Bytes(n), "\"'"))), true
}

func (w *esWalk) importStatement(n Node) {
	t := w.t
	if c := t.ChildOf(n, "import_require_clause"); c != None {
		if m, ok := w.source(t.Child(c, "source")); ok {
			w.imports = append(w.imports, Import{Local: t.Text(firstNamed(t, c)), Module: m, Kind: "commonjs", Byte: t.Start(n)})
		}
		return
	}
	m, ok := w.source(t.Child(n, "source"))
	if !ok {
		return
	}
	clause := t.ChildOf(n, "import_clause")
	if clause == None {
		w.imports = append(w.imports, Import{Module: m, Kind: "module", Byte: t.Start(n)})
		return
	}
	for c := range t.NamedChildren(clause) {
		im := Import{Module: m, Byte: t.Start(c)}
		switch t.Kind(c) {
		case "identifier":
			im.Local, im.Name, im.Kind = t.Text(c), "default", "default"
			w.imports = append(w.imports, im)
		case "namespace_import":
			im.Local, im.Kind = t.Text(firstNamed(t, c)), "module"
			w.imports = append(w.imports, im)
		case "named_imports":
			for s := range t.NamedChildren(c) {
				w.member(m, t.Child(s, "name"), t.Child(s, "alias"))
			}
		}
	}
}

// member adds one named import; the name default is the default export.
func (w *esWalk) member(module string, name, alias Node) {
	t := w.t
	if name == None {
		return
	}
	im := Import{Local: t.Text(name), Module: module, Name: esName(t, name), Kind: "member", Byte: t.Start(name)}
	if alias != None {
		im.Local = t.Text(alias)
	}
	if im.Name == "default" {
		im.Kind = "default"
	}
	w.imports = append(w.imports, im)
}

// requires reads const X = require("m"), const { a: b } = await import("m") and
// const Y = require("m").Y.
func (w *esWalk) requires(d Node) {
	t := w.t
	name, value := t.Child(d, "name"), esUnwrap(t, t.Child(d, "value"))
	kind := "commonjs"
	if t.Is(value, "await_expression") {
		value = firstNamed(t, value)
	}
	property := None
	if t.Is(value, "member_expression") {
		property = t.Child(value, "property")
		value = esUnwrap(t, t.Child(value, "object"))
	}
	fn := t.Child(value, "function")
	switch {
	case t.Is(fn, "import"):
		kind = "module"
	case !t.Is(fn, "identifier") || !t.Equals(fn, "require"):
		return
	}
	m, ok := w.source(firstNamed(t, t.Child(value, "arguments")))
	if !ok {
		return
	}
	switch {
	case t.Is(name, "identifier") && property != None:
		w.member(m, property, name)
	case t.Is(name, "identifier"):
		w.imports = append(w.imports, Import{Local: t.Text(name), Module: m, Kind: kind, Byte: t.Start(d)})
	case t.Is(name, "object_pattern") && property == None:
		for c := range t.NamedChildren(name) {
			switch t.Kind(c) {
			case "shorthand_property_identifier_pattern":
				w.member(m, c, None)
			case "pair_pattern":
				if v := t.Child(c, "value"); t.Is(v, "identifier") {
					w.member(m, t.Child(c, "key"), v)
				}
			}
		}
	}
}
