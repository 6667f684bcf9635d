package lang

import (
	"slices"
	"strings"

	"gitlet/internal/model"
)

// What TypeScript, TSX and JavaScript share: one walk over the statements of a
// module, since the grammars agree on nearly every node.

var lexicalECMA = Lexical{Comment: "//", Backticks: true, Regexps: true}

var compatECMA = Compat{
	AnnotationsOptional: true,
	PrivateMembers:      true,
	FieldAdd: map[model.SymbolKind]string{
		model.KindClass: "always", model.KindInterface: "optional", model.KindType: "optional",
	},
	OrderFree: map[model.SymbolKind]bool{
		model.KindClass: true, model.KindInterface: true, model.KindType: true,
	},
}

// esFile collects one file's definitions.
type esFile struct {
	t    *Tree
	defs []definition
	// exported and defaults are the local names that export lists, default exports
	// and CommonJS assignments make visible.
	exported, defaults map[string]bool
	// aliases are other names under which an export list offers a local one.
	aliases map[string][]string
	// bound are the names declared at the top level.
	bound map[string]bool
}

// esPlace says where a statement stands.
type esPlace struct {
	whole      Node   // the outermost node of the definition: an export statement, a declaration
	container  string // qualified name of the namespace around it
	ambient    bool   // under declare
	exported   bool
	isDefault  bool
	decorators []Node
	// member is set for members of a class; types are its type parameters by number.
	member bool
	types  map[string]string
	// through spells the calls around a wrapped function: "memo(forwardRef(".
	through string
	// block is set inside an if, try or bare block at the top level, where only
	// functions and var declarations belong to the module.
	block bool
}

func extractECMA(language string, t *Tree) *Facts {
	e := &esFile{t: t, exported: map[string]bool{}, defaults: map[string]bool{}, aliases: map[string][]string{}, bound: map[string]bool{}}
	e.exports(t.Root())
	e.statements(t.Root(), esPlace{})
	e.merge()
	bodyHashes(t, e.defs, func(n Node, text []byte) []byte { return esToken(t, n, text) })
	f := &Facts{}
	for i := range e.defs {
		s := &e.defs[i].sym
		if s.Container == "" && e.exported[s.Name] {
			s.Exported = true
		}
		if s.Container == "" && e.defaults[s.Name] {
			s.Exported, s.DefaultExport = true, true
		}
		if s.Container == "" {
			for _, as := range e.aliases[s.Name] {
				s.Modifiers = append(s.Modifiers, "exported as "+as)
			}
		}
		f.Symbols = append(f.Symbols, *s)
	}
	f.Refs, f.Imports = esRefs(t, f)
	return finish(language, f)
}

// statements reads each statement under n.
func (e *esFile) statements(n Node, p esPlace) {
	var decorators []Node
	before := None
	for c := range e.t.NamedChildren(n) {
		if e.t.Is(c, "decorator") {
			decorators = append(decorators, c)
			continue
		}
		q := p
		if e.t.Is(c, "statement_block") && e.globalWord(before) {
			q.container, q.block = qualify(p.container, "global"), false
			e.statements(c, q)
			continue
		}
		before = c
		q.whole, q.decorators = c, decorators
		e.statement(c, q)
		decorators = nil
	}
}

// globalWord reports whether n is the word global of global { ... }, which the grammar
// knows only after declare: inside an ambient module it reads a name without its
// semicolon, and a block.
func (e *esFile) globalWord(n Node) bool {
	return e.t.Is(n, "expression_statement") && e.t.HasError(n) && e.t.Equals(firstNamed(e.t, n), "global")
}

func (e *esFile) statement(n Node, p esPlace) {
	t := e.t
	if p.block && !t.Is(n, "function_declaration", "generator_function_declaration", "variable_declaration") && !esBlocks[t.Kind(n)] {
		return
	}
	switch t.Kind(n) {
	case "export_statement":
		e.exportStatement(n, p)
	case "ambient_declaration":
		p.ambient = true
		for c := range t.NamedChildren(n) {
			if t.Is(c, "statement_block") { // declare global { ... }
				p.container, p.exported = qualify(p.container, "global"), true
				e.statements(c, p)
				return
			}
			e.statement(c, p)
		}
	case "expression_statement":
		for c := range t.NamedChildren(n) {
			if t.Is(c, "internal_module") {
				e.statement(c, p)
			} else if t.Is(c, "assignment_expression") {
				e.assignment(c, p)
			}
		}
	case "function_declaration", "generator_function_declaration", "function_signature":
		e.function(e.declared(n), n, n, p)
	case "class_declaration", "abstract_class_declaration":
		e.class(e.declared(n), n, n, p)
	case "interface_declaration":
		e.interfaceType(n, p)
	case "type_alias_declaration":
		e.alias(n, p)
	case "enum_declaration":
		e.enum(n, p)
	case "internal_module", "module":
		e.namespace(n, p)
	case "lexical_declaration", "variable_declaration":
		e.variables(n, p)
	default:
		if esBlocks[t.Kind(n)] {
			p.block = true
			e.statements(n, p)
		}
	}
}

// esBlocks are statements at the top level that may hold functions of the module.
var esBlocks = map[string]bool{
	"if_statement": true, "else_clause": true, "statement_block": true, "try_statement": true,
	"catch_clause": true, "finally_clause": true, "labeled_statement": true,
}

func (e *esFile) exportStatement(n Node, p esPlace) {
	t := e.t
	if t.Child(n, "source") != None {
		return
	}
	p.exported = true
	p.isDefault = t.HasToken(n, "default")
	for c := range t.NamedChildren(n) {
		if t.Is(c, "decorator") {
			p.decorators = append(p.decorators, c)
		}
	}
	if d := t.Child(n, "declaration"); d != None {
		e.statement(d, p)
		return
	}
	value := t.Child(n, "value")
	if t.HasToken(n, "=") { // export = value
		p.isDefault = true
		value = firstNamed(t, n)
	}
	e.bind(esNamed{None, "default"}, value, value, p)
}

// esNamed is a definition's name: its node, and its text, which stands alone where
// no node spells it ("default").
type esNamed struct {
	node Node
	text string
}

// declared is the name of a declaration; export default function () {} has none.
func (e *esFile) declared(n Node) esNamed {
	if name := e.t.Child(n, "name"); name != None {
		return e.at(name)
	}
	return esNamed{None, "default"}
}

func (e *esFile) at(n Node) esNamed { return esNamed{n, esName(e.t, n)} }

// variables reads const, let and var: functions and classes they bind, the function
// members of exported objects, and what has the type of a function.
func (e *esFile) variables(n Node, p esPlace) {
	t := e.t
	var list []Node
	for c := range t.NamedChildren(n) {
		if t.Is(c, "variable_declarator") {
			list = append(list, c)
		}
	}
	for _, d := range list {
		q := p
		if len(list) > 1 {
			q.whole = d
		}
		if name := t.Child(d, "name"); t.Is(name, "identifier") {
			at, before := e.at(name), len(e.defs)
			e.bind(at, d, t.Child(d, "value"), q)
			if !e.defined(before, qualify(q.container, at.text)) {
				e.typed(at, d, q)
			}
		}
	}
}

// defined reports whether one of the definitions from index from on has the name.
func (e *esFile) defined(from int, qualified string) bool {
	return slices.ContainsFunc(e.defs[from:], func(d definition) bool { return d.sym.Qualified == qualified })
}

// bind reads what a value defines under a name: a function, a class, a function
// behind a wrapper call, or an object whose members are functions. The owner is the
// node that holds name and value.
func (e *esFile) bind(name esNamed, owner, value Node, p esPlace) {
	t := e.t
	value = esUnwrap(t, value)
	if own := t.Child(value, "name"); name.node == None && own != None && t.Is(own, "identifier", "type_identifier") {
		name = e.at(own)
	}
	switch t.Kind(value) {
	case "arrow_function", "function_expression", "generator_function":
		e.function(name, owner, value, p)
	case "class":
		e.class(name, owner, value, p)
	case "call_expression":
		e.wrapped(name, owner, value, p)
	case "object":
		if e.visible(name, p) {
			p.container, p.exported, p.isDefault = qualify(p.container, name.text), true, false
			e.members(value, p, maxObjectDepth)
		}
	case "assignment_expression": // const load = exports.load = function ...
		switch path := esPath(t, t.Child(value, "left")); {
		case len(path) == 2 && path[0] == "module" && path[1] == "exports":
			p.exported, p.isDefault = true, true
		case len(path) > 1 && (path[0] == "exports" || path[0] == "module"):
			p.exported = true
		}
		e.bind(name, owner, t.Child(value, "right"), p)
	}
}

// maxObjectDepth bounds how deep functions inside object literals are definitions.
const maxObjectDepth = 3

// visible reports whether users of the module can reach a name bound at p.
func (e *esFile) visible(name esNamed, p esPlace) bool {
	return p.exported || p.container == "" && (e.exported[name.text] || e.defaults[name.text])
}

// esUnwrap skips what does not change a value: parentheses, casts, "!".
func esUnwrap(t *Tree, n Node) Node {
	for t.Is(n, "parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression", "type_assertion") {
		next := None
		for c := range t.NamedChildren(n) {
			if !t.Is(c, "type_arguments") {
				next = c
				break
			}
		}
		n = next
	}
	return n
}

// iterating are methods that run their function argument at once, so the result is
// no function: const total = items.map(...).
var iterating = lazily(`map filter reduce reduceRight forEach find findIndex findLast some every flatMap sort then
	catch finally replace replaceAll addEventListener on once subscribe from call apply require`)

// wrapped reads const Row = memo(function ...): a function behind one or more
// calls is a definition, and so are the function members of an object that is
// given to a call whose result is exported.
func (e *esFile) wrapped(name esNamed, owner, call Node, p esPlace) {
	inner, through, objects := esWrapped(e.t, call)
	if e.visible(name, p) && !p.member {
		for _, o := range objects {
			q := p
			q.container, q.exported, q.isDefault = qualify(p.container, name.text), true, false
			e.members(o, q, maxObjectDepth)
		}
	}
	if inner != None {
		p.through = through
		e.function(name, owner, inner, p)
	}
}

// esWrapped finds the function behind a call and spells the calls on the way to it,
// "memo(forwardRef<Ref, Props>(". Without one it lists the objects given to the call.
func esWrapped(t *Tree, call Node) (inner Node, through string, objects []Node) {
	fn, made := esUnwrap(t, t.Child(call, "function")), ""
	for t.Is(fn, "call_expression") { // create<State>()(...), connect(select)(...)
		fn, made = esUnwrap(t, t.Child(fn, "function")), made+"()"
	}
	path := esPath(t, fn)
	if len(path) == 0 || iterating()[path[len(path)-1]] {
		return None, "", nil
	}
	through = strings.Join(path, ".") + typeText(t, t.Child(call, "type_arguments"), esText(nil)) + made + "("
	for a := range t.NamedChildren(t.Child(call, "arguments")) {
		a = esUnwrap(t, a)
		switch t.Kind(a) {
		case "arrow_function", "function_expression", "generator_function":
			return a, through, nil
		case "call_expression":
			if in, more, _ := esWrapped(t, a); in != None {
				return in, through + more, nil
			}
		case "object":
			objects = append(objects, a)
		}
	}
	return None, "", objects
}

// members reads the functions of an object literal, and those of objects inside it.
func (e *esFile) members(object Node, p esPlace, depth int) {
	t := e.t
	for c := range t.NamedChildren(object) {
		p.whole = c
		switch t.Kind(c) {
		case "method_definition":
			e.function(e.at(t.Child(c, "name")), c, c, p)
		case "pair":
			key, value := t.Child(c, "key"), esUnwrap(t, t.Child(c, "value"))
			if !t.Is(value, "object") {
				e.bind(e.at(key), c, value, p)
			} else if depth > 1 {
				q := p
				q.container = qualify(p.container, esName(t, key))
				e.members(value, q, depth-1)
			}
		}
	}
}

// namespace reads namespace A.B { ... } and declare module "x" { ... }.
func (e *esFile) namespace(n Node, p esPlace) {
	t := e.t
	name := t.Child(n, "name")
	parts := []string{esName(t, name)}
	if t.Is(name, "nested_identifier") {
		parts = strings.Split(strings.Join(strings.Fields(t.Text(name)), ""), ".")
	}
	d := definition{nodes: []Node{n}, omit: []Node{name}}
	s := &d.sym
	s.Kind, s.Exported = model.KindModule, p.exported
	s.Name = safeName(parts[len(parts)-1])
	s.Container = qualify(p.container, strings.Join(parts[:len(parts)-1], "."))
	s.Qualified = qualify(s.Container, s.Name)
	s.Signature = "namespace " + s.Qualified
	e.add(d, p)
	// What an ambient namespace declares is visible without a word.
	inner := esPlace{container: s.Qualified, exported: p.ambient, ambient: p.ambient}
	if body := t.Child(n, "body"); body != None {
		e.statements(body, inner)
	}
}

// add places and keeps a definition.
func (e *esFile) add(d definition, p esPlace) {
	if d.sym.Name == "" {
		return
	}
	first := p.whole
	for _, dec := range p.decorators {
		if dec < first {
			first = dec
		}
	}
	place(e.t, &d.sym, first, p.whole)
	for _, dec := range p.decorators {
		if len(d.nodes) > 0 && (dec < d.nodes[0] || dec >= e.t.Next(d.nodes[0])) {
			d.nodes = append(d.nodes, dec)
		}
	}
	e.defs = append(e.defs, d)
}

// merge joins overload declarations into the function that implements them, or
// into the first of them when none does. Everything between them belongs to one symbol.
func (e *esFile) merge() {
	var out []definition
	open := map[string]int{} // qualified name -> index in out whose declarations may still grow
	for _, d := range e.defs {
		key := d.sym.Qualified
		if d.sym.Kind != model.KindFunction && d.sym.Kind != model.KindMethod {
			out = append(out, d)
			continue
		}
		key += "\x00" + strings.Join(staticOf(d.sym.Modifiers), "")
		at, ok := open[key]
		if !ok {
			if e.bodyless(d) {
				open[key] = len(out)
			}
			out = append(out, d)
			continue
		}
		joinOverload(&out[at], d)
		if !e.bodyless(d) {
			delete(open, key)
		}
	}
	e.defs = out
}

func staticOf(modifiers []string) []string {
	for _, m := range modifiers {
		if m == "static" {
			return []string{m}
		}
	}
	return nil
}

func (e *esFile) bodyless(d definition) bool {
	return e.t.Is(d.nodes[0], "function_signature", "method_signature", "abstract_method_signature")
}

// joinOverload adds declaration d to the symbol into; the last one gives the
// structured parts, since it is the implementation where there is one.
func joinOverload(into *definition, d definition) {
	if len(into.sym.Overloads) == 0 {
		into.sym.Overloads = []string{overloadText(into.sym)}
	}
	shown := into.sym.Signature + "; " + d.sym.Signature
	overloads := append(into.sym.Overloads, overloadText(d.sym))
	start, line := into.sym.StartByte, into.sym.StartLine
	exported := into.sym.Exported || d.sym.Exported
	isDefault := into.sym.DefaultExport || d.sym.DefaultExport
	into.sym = d.sym
	into.sym.Signature, into.sym.Overloads = shown, overloads
	into.sym.StartByte, into.sym.StartLine = start, line
	into.sym.Exported, into.sym.DefaultExport = exported, isDefault
	into.nodes = append(into.nodes, d.nodes...)
	into.omit = append(into.omit, d.omit...)
}

// overloadText is one overload as callers see it, type parameters by number.
func overloadText(s model.Symbol) string {
	text := ""
	if len(s.TypeParams) > 0 {
		text = "<" + strings.Join(s.TypeParams, ", ") + ">"
	}
	text += paramList(s.Params)
	if s.Results != "" {
		text += ": " + s.Results
	}
	return text
}
