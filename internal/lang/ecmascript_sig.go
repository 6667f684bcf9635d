package lang

import (
	"bytes"
	"sort"
	"strconv"
	"strings"

	"gitlet/internal/model"
)

// esName is the name a property or identifier node spells. Computed names keep
// their brackets: [Symbol.iterator].
func esName(t *Tree, n Node) string {
	switch t.Kind(n) {
	case "":
		return ""
	case "string":
		return safeName(string(bytes.Trim(t.Bytes(n), "\"'`")))
	case "computed_property_name":
		return safeName(typeText(t, n, textOptions{}))
	}
	return safeName(t.Text(n))
}

// esToken drops what formatters add or take away: semicolons, quote styles, quotes of
// property names, parentheses that change nothing, line breaks in JSX text.
func esToken(t *Tree, n Node, text []byte) []byte {
	if t.Is(n, "jsx_text") {
		return jsxText(text)
	}
	if len(text) != 1 {
		return text
	}
	parent := t.Parent(n)
	if t.Named(n) {
		if text[0] == ' ' && t.Is(parent, "string") && jsxSpace(t, t.Parent(parent)) {
			return jsxBlank
		}
		return text
	}
	switch text[0] {
	case ';':
		if !t.Is(parent, "for_statement") {
			return nil
		}
	case ',':
		if t.trait(parent, traitMembers) {
			return nil
		}
	case '|', '&':
		if t.FirstChild(parent) == n {
			return nil
		}
	case '\'', '"':
		if !t.Is(parent, "string") {
			return text
		}
		if jsxSpace(t, t.Parent(parent)) || t.Field(parent) == "key" && plainName(t.Bytes(parent)) {
			return nil
		}
		return []byte(`"`)
	case '{', '}':
		if jsxSpace(t, parent) {
			return nil
		}
	case '(', ')':
		if t.Is(parent, "formal_parameters") && t.Is(t.Parent(parent), "arrow_function") && onePlainParam(t, parent) {
			return nil
		}
		if t.Is(parent, "parenthesized_expression") && spareParens(t, parent) {
			return nil
		}
	}
	return text
}

// plainName reports whether a quoted property name needs no quotes.
func plainName(quoted []byte) bool {
	name := bytes.Trim(quoted, "\"'")
	for i, c := range name {
		if c != '_' && c != '$' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return len(name) > 0
}

// spareParens reports whether parentheses around an expression change nothing: it is
// JSX, or all of what is returned, assigned or thrown. An object in front would be
// taken for a block without them, and a sequence for several things.
func spareParens(t *Tree, n Node) bool {
	inner := firstNamed(t, n)
	if t.Is(inner, "jsx_element", "jsx_self_closing_element", "jsx_fragment") {
		return true
	}
	if t.Is(inner, "object", "sequence_expression") {
		return false
	}
	switch p := t.Parent(n); t.Kind(p) {
	case "return_statement", "throw_statement":
		return true
	case "variable_declarator":
		return t.Field(n) == "value"
	case "assignment_expression":
		return t.Field(n) == "right"
	case "arrow_function":
		return t.Field(n) == "body"
	}
	return false
}

// jsxSpace reports whether n is {" "}, the space that formatters put where a line
// break would swallow one.
func jsxSpace(t *Tree, n Node) bool {
	if !t.Is(n, "jsx_expression") {
		return false
	}
	s := firstNamed(t, n)
	return t.Is(s, "string") && t.End(s)-t.Start(s) == 3 && t.Src[t.Start(s)+1] == ' '
}

func onePlainParam(t *Tree, list Node) bool {
	count, plain := 0, false
	for c := range t.NamedChildren(list) {
		count++
		if t.Is(c, "required_parameter") && t.Next(c) == c+2 {
			c = firstNamed(t, c)
		}
		plain = t.Is(c, "identifier")
	}
	return count == 1 && plain && t.Child(t.Parent(list), "return_type") == None
}

// jsxBlank stands for white space that JSX text shows.
var jsxBlank = []byte{4}

// jsxText is text between JSX tags as it renders, word by word: lines trimmed where
// they break, blank ones gone. nil when nothing is left.
func jsxText(text []byte) []byte {
	lines := bytes.Split(text, []byte("\n"))
	var out [][]byte
	for i, l := range lines {
		words := bytes.Fields(l)
		if len(words) == 0 && len(lines) > 1 {
			continue
		}
		if i == 0 || len(out) > 0 {
			if first := l[:len(l)-len(bytes.TrimLeft(l, " \t"))]; i > 0 || len(first) > 0 {
				out = append(out, jsxBlank)
			}
		}
		for k, w := range words {
			if k > 0 {
				out = append(out, jsxBlank)
			}
			out = append(out, w)
		}
		if last := l[len(bytes.TrimRight(l, " \t")):]; i == len(lines)-1 && len(last) > 0 && len(words) > 0 {
			out = append(out, jsxBlank)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return bytes.Join(out, []byte{0}) // as if each were a token
}

// esText are the options that spell a TypeScript type: parameter names left out,
// quotes of one style, type parameters by number.
func esText(rename map[string]string) textOptions {
	o := textOptions{rename: rename}
	o.sub = func(t *Tree, n Node) (string, bool) {
		switch t.Kind(n) {
		case "formal_parameters":
			return paramList(esParams(t, n, o)), true
		case "required_parameter", "optional_parameter":
			if p, ok := esParam(t, n, o); ok {
				return paramText(p), true
			}
			return "", true
		case "string":
			if !t.Named(n) {
				return "", false // the keyword
			}
			return `"` + string(unixLines(bytes.Trim(t.Bytes(n), "\"'"))) + `"`, true
		}
		return "", false
	}
	return o
}

// esParams reads a parameter list. TypeScript's this is no parameter.
func esParams(t *Tree, list Node, o textOptions) []model.Param {
	var out []model.Param
	for c := range t.NamedChildren(list) {
		if p, ok := esParam(t, c, o); ok {
			out = append(out, p)
		}
	}
	return out
}

func esParam(t *Tree, n Node, o textOptions) (model.Param, bool) {
	var p model.Param
	switch t.Kind(n) {
	case "required_parameter", "optional_parameter":
		pattern := t.Child(n, "pattern")
		if pattern == None {
			pattern = t.Child(n, "name") // a named tuple member
		}
		if t.Is(pattern, "this") {
			return p, false
		}
		p.Type = esAnnotation(t, t.Child(n, "type"), o)
		p.Optional = t.Is(n, "optional_parameter")
		p.Default = t.Child(n, "value") != None
		p.Variadic = t.Is(pattern, "rest_pattern")
	case "identifier", "object_pattern", "array_pattern":
	case "assignment_pattern":
		p.Default = true
	case "rest_pattern":
		p.Variadic = true
	default:
		return p, false
	}
	return p, true
}

// esAnnotation spells the type of an annotation, without its colon.
func esAnnotation(t *Tree, n Node, o textOptions) string {
	if !t.Is(n, "type_annotation", "type_predicate_annotation", "asserts_annotation", "opting_type_annotation",
		"omitting_type_annotation", "adding_type_annotation") {
		return typeText(t, n, o)
	}
	for c := range t.NamedChildren(n) {
		return typeText(t, c, o)
	}
	return ""
}

// esTypes spells types as shown and, with type parameters numbered, as compared.
type esTypes struct {
	t            *Tree
	shown, equal textOptions
}

func (e *esFile) types(outer map[string]string) esTypes {
	rename := map[string]string{}
	for k, v := range outer {
		rename[k] = v
	}
	return esTypes{e.t, esText(nil), esText(rename)}
}

// typeParams fills a symbol's type parameters and returns their display. The mark
// keeps a class's ones apart from its methods'.
func (y esTypes) typeParams(s *model.Symbol, list Node, mark string) string {
	if list == None {
		return ""
	}
	t := y.t
	var params []Node
	var names, shown []string
	if t.HasError(list) {
		// Marks of variance are errors to the grammar and hide the name they stand before.
		s.TypeParams = esTypeParamText(t, list)
		return "<" + strings.Join(s.TypeParams, ", ") + ">"
	}
	for c := range t.NamedChildren(list) {
		if t.Is(c, "type_parameter") {
			params = append(params, c)
			names = append(names, t.Text(t.Child(c, "name")))
		}
	}
	renameParams(y.equal.rename, mark, names)
	for _, c := range params {
		s.TypeParams = append(s.TypeParams, typeText(t, c, y.equal))
		shown = append(shown, typeText(t, c, y.shown))
	}
	return "<" + strings.Join(shown, ", ") + ">"
}

// esTypeParamText reads a list of type parameters from its text.
func esTypeParamText(t *Tree, list Node) []string {
	text := strings.TrimSpace(typeSource(t, list))
	var out []string
	for _, p := range strings.Split(strings.TrimSuffix(strings.TrimPrefix(text, "<"), ">"), ",") {
		if p = strings.Join(strings.Fields(p), " "); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// results spells a return type, or what a curried arrow shows of it. A predicate names
// a parameter, which callers know by its place.
func (y esTypes) results(fn, list Node, o textOptions) string {
	n := y.t.Child(fn, "return_type")
	if n == None {
		return y.esCurried(fn, o)
	}
	if y.t.Is(n, "type_predicate_annotation", "asserts_annotation", "type_predicate", "asserts") {
		rename := map[string]string{}
		for k, v := range o.rename {
			rename[k] = v
		}
		i := 0
		for c := range y.t.NamedChildren(list) {
			if y.t.Is(y.t.Child(c, "pattern"), "this") {
				continue // no argument
			}
			i++
			for _, name := range esPatternNames(y.t, c) {
				rename[name] = "arg" + strconv.Itoa(i)
			}
		}
		o = esText(rename)
	}
	return esAnnotation(y.t, n, o)
}

// function reads a function, a method, or a function bound to a name. The owner is
// the node that holds name and function.
func (e *esFile) function(name esNamed, owner, fn Node, p esPlace) {
	t := e.t
	d := definition{nodes: []Node{owner}, omit: []Node{name.node}}
	if own := t.Child(fn, "name"); own != name.node && t.Is(own, "identifier") && t.Text(own) == name.text {
		d.omit = append(d.omit, own)
	}
	s := &d.sym
	s.Kind, s.Name, s.Container = model.KindFunction, name.text, p.container
	s.Exported, s.DefaultExport = p.exported, p.isDefault
	s.Qualified = qualify(s.Container, s.Name)
	if p.member {
		s.Kind, s.TypeMember, s.DefaultExport = model.KindMethod, true, false
	}
	y := e.types(p.types)
	generics := y.typeParams(s, t.Child(fn, "type_parameters"), "")
	list := t.Child(fn, "parameters")
	var shown []model.Param
	if list == None && t.Child(fn, "parameter") != None {
		s.Params, shown = []model.Param{{}}, []model.Param{{}}
	} else {
		s.Params, shown = esParams(t, list, y.equal), esParams(t, list, y.shown)
	}
	s.Results = y.results(fn, list, y.equal)
	e.functionModifiers(s, owner, fn, p)
	head, tail := e.functionHead(s, owner, p, y)
	s.Signature = head + generics + paramList(shown)
	if r := y.results(fn, list, y.shown); r != "" {
		s.Signature += ": " + r
	}
	s.Signature += tail
	if hasModifier(s, "set") {
		s.Qualified += "@set"
	}
	e.add(d, p)
}

func hasModifier(s *model.Symbol, m string) bool {
	for _, x := range s.Modifiers {
		if x == m {
			return true
		}
	}
	return false
}

// functionModifiers sets async, generator, static and the like, the annotation of
// the name a function is bound to, and the calls it is wrapped in.
func (e *esFile) functionModifiers(s *model.Symbol, owner, fn Node, p esPlace) {
	t := e.t
	mods := e.memberModifiers(s.Name, owner)
	if t.HasToken(fn, "async") {
		mods = append(mods, "async")
	}
	if t.HasToken(fn, "*") || t.Is(fn, "generator_function", "generator_function_declaration") {
		mods = append(mods, "generator")
	}
	if t.Is(fn, "method_definition", "method_signature", "abstract_method_signature") {
		for _, m := range []string{"get", "set"} {
			if t.HasToken(fn, m) {
				mods = append(mods, m)
			}
		}
		if t.HasToken(fn, "?") {
			mods = append(mods, "optional")
		}
	}
	sort.Strings(mods)
	if a := t.Child(owner, "type"); owner != fn && a != None {
		mods = append(mods, "as "+esAnnotation(t, a, esText(p.types)))
	}
	if p.through != "" {
		mods = append(mods, "in "+p.through)
	}
	if first := firstNamed(t, t.Child(fn, "parameters")); t.Is(t.Child(first, "pattern"), "this") {
		mods = append(mods, "this "+esAnnotation(t, t.Child(first, "type"), esText(p.types)))
	}
	s.Modifiers = mods
	if hasModifier(s, "private") {
		s.Exported = false
	}
}

// memberModifiers are the marks on a class member that its users depend on.
func (e *esFile) memberModifiers(name string, n Node) []string {
	t := e.t
	var mods []string
	if t.Is(n, "function_declaration", "function_signature", "variable_declarator") {
		return nil
	}
	switch access := t.Text(t.ChildOf(n, "accessibility_modifier")); {
	case access == "private" || strings.HasPrefix(name, "#"):
		mods = append(mods, "private")
	case access == "protected":
		mods = append(mods, access)
	}
	for _, m := range []string{"static", "abstract", "readonly"} {
		if t.HasToken(n, m) {
			mods = append(mods, m)
		}
	}
	return mods
}

// functionHead is a signature up to its type parameters, and what follows its result.
func (e *esFile) functionHead(s *model.Symbol, owner Node, p esPlace, y esTypes) (head, tail string) {
	t := e.t
	for _, m := range []string{"private", "protected", "static", "abstract", "readonly", "async", "get", "set"} {
		if hasModifier(s, m) {
			head += m + " "
		}
	}
	star := ""
	if hasModifier(s, "generator") {
		star = "*"
	}
	if a := t.Child(owner, "type"); a != None && t.Is(owner, "variable_declarator", "public_field_definition") {
		return "const " + s.Qualified + ": " + esAnnotation(t, a, y.shown) + " = " + head + "function" + star, ""
	}
	if p.through != "" {
		return "const " + s.Qualified + " = " + p.through + head + "function" + star, strings.Repeat(")", strings.Count(p.through, "(")-strings.Count(p.through, ")"))
	}
	if s.TypeMember || hasModifier(s, "get") || hasModifier(s, "set") {
		if hasModifier(s, "optional") {
			return head + star + s.Qualified + "?", ""
		}
		return head + star + s.Qualified, ""
	}
	return head + "function" + star + " " + s.Qualified, ""
}
