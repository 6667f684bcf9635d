package lang

import (
	"sort"
	"strconv"
	"strings"

	"gitlet/internal/model"
)

// rustTypes spells types twice: as the source names them, and with type parameters
// and lifetimes numbered, since callers cannot see their names.
type rustTypes struct {
	t      *Tree
	rename map[string]string // "T" and "'a"
}

func (r *rustReader) types() rustTypes { return rustTypes{r.t, map[string]string{}} }

// rustText are the options that spell a Rust type: parameter names and attributes
// inside function types are left out.
func rustText(rename map[string]string) textOptions {
	o := textOptions{rename: rename}
	o.sub = func(t *Tree, n Node) (string, bool) {
		switch t.Kind(n) {
		case "lifetime":
			s := t.Text(n)
			if to, ok := rename[s]; ok {
				s = to
			}
			return s, true
		case "parameter":
			return typeText(t, t.Child(n, "type"), o), true
		case "attribute_item", "visibility_modifier":
			return "", true
		case "bounded_type":
			if rename != nil { // compared: the order of bounds means nothing
				return rustBounds(t, n, o), true
			}
		}
		return "", false
	}
	return o
}

// rustBounds spells dyn A + B or impl A + B with the bounds in one order. The grammar
// gives the word to the first of them.
func rustBounds(t *Tree, n Node, o textOptions) string {
	word := ""
	terms := unionNodes(t, n)
	var bounds []string
	for _, c := range terms {
		s := typeText(t, c, o)
		for _, w := range []string{"dyn ", "impl "} {
			if rest, ok := strings.CutPrefix(s, w); ok && word == "" {
				word, s = w, rest
			}
		}
		bounds = append(bounds, s)
	}
	sort.Strings(bounds)
	return word + strings.Join(bounds, " + ")
}

func (g rustTypes) shown(n Node) string     { return typeText(g.t, n, rustText(nil)) }
func (g rustTypes) canonical(n Node) string { return typeText(g.t, n, rustText(g.rename)) }

// generics reads type parameters and where clauses of an item. A bound means the
// same in either place, and bounds have no order.
func (g rustTypes) generics(n Node, mark string) (list []string, shown, where string) {
	t := g.t
	params := t.Child(n, "type_parameters")
	clause := t.ChildOf(n, "where_clause")
	g.number(params, mark)
	type entry struct {
		head, tail string
		bounds     []string
	}
	var entries []entry
	at := map[string]int{}
	for p := range t.NamedChildren(params) {
		name := t.Child(p, "name")
		switch t.Kind(p) {
		case "type_parameter", "lifetime_parameter":
			e := entry{head: g.canonical(name), bounds: g.bounds(t.Child(p, "bounds"))}
			if d := t.Child(p, "default_type"); d != None {
				e.tail = " = " + g.canonical(d)
			}
			at[t.Text(name)] = len(entries)
			entries = append(entries, e)
		case "const_parameter":
			entries = append(entries, entry{head: "const " + g.canonical(name) + ": " + g.canonical(t.Child(p, "type"))})
		}
	}
	var extra []string
	for p := range t.NamedChildren(clause) {
		left, bounds := t.Child(p, "left"), g.bounds(t.Child(p, "bounds"))
		if i, ok := at[t.Text(left)]; ok {
			entries[i].bounds = append(entries[i].bounds, bounds...)
		} else if len(bounds) > 0 {
			sort.Strings(bounds)
			extra = append(extra, "where "+g.canonical(left)+": "+strings.Join(bounds, " + "))
		}
	}
	for _, e := range entries {
		s := e.head
		if len(e.bounds) > 0 {
			sort.Strings(e.bounds)
			s += ": " + strings.Join(e.bounds, " + ")
		}
		list = append(list, s+e.tail)
	}
	sort.Strings(extra)
	list = append(list, extra...)
	if clause != None {
		where = " " + strings.TrimSuffix(g.shown(clause), ",")
	}
	return list, g.shown(params), where
}

// number renames the parameters of one list: types to $1, lifetimes to '$1.
func (g rustTypes) number(params Node, mark string) {
	t := g.t
	types, lifetimes := 0, 0
	for p := range t.NamedChildren(params) {
		name := t.Text(t.Child(p, "name"))
		switch t.Kind(p) {
		case "lifetime_parameter":
			lifetimes++
			g.rename[name] = "'$" + mark + strconv.Itoa(lifetimes)
		case "type_parameter", "const_parameter":
			types++
			g.rename[name] = "$" + mark + strconv.Itoa(types)
		}
	}
}

// bounds lists the bounds after a colon.
func (g rustTypes) bounds(n Node) []string {
	var out []string
	for b := range g.t.NamedChildren(n) {
		out = append(out, g.canonical(b))
	}
	return out
}

// visibility returns the words of n's visibility, "" when nothing is said.
func (g rustTypes) visibility(n Node) string {
	return rustVisibility(g.t.Text(g.t.ChildOf(n, "visibility_modifier")))
}

func rustVisibility(text string) string {
	s := strings.Join(strings.Fields(text), " ")
	s = strings.NewReplacer("( ", "(", " )", ")", "pub (", "pub(").Replace(s)
	switch s {
	case "crate", "pub(in crate)":
		return "pub(crate)"
	case "pub(in super)":
		return "pub(super)"
	}
	return s
}

// head starts a symbol: its visibility, and the text that shows it.
func (r *rustReader) head(n Node, kind model.SymbolKind, p rustPlace, g rustTypes) (model.Symbol, string) {
	sym := model.Symbol{Kind: kind, Exported: p.public}
	vis := g.visibility(n)
	switch vis {
	case "":
		return sym, ""
	case "pub":
		sym.Exported = true
	default:
		sym.Modifiers = append(sym.Modifiers, vis)
	}
	return sym, vis + " "
}

// implGenerics is the part of an impl's or trait's header that its items depend on.
func (g rustTypes) implGenerics(p rustPlace) []string {
	t := g.t
	if p.impl == None || !p.member || !t.Is(p.impl, "impl_item") {
		return nil
	}
	list, _, _ := g.generics(p.impl, "i")
	typ := t.Child(p.impl, "type")
	if len(list) == 0 && t.Is(typ, "type_identifier", "scoped_type_identifier", "primitive_type") {
		return nil
	}
	head := "impl"
	if len(list) > 0 {
		head += "<" + strings.Join(list, ", ") + ">"
	}
	return []string{head + " " + g.canonical(typ)}
}

func (r *rustReader) function(n Node, attrs []Node, p rustPlace) {
	t, g := r.t, r.types()
	kind := model.KindFunction
	if p.member {
		kind = model.KindMethod
	}
	sym, text := r.head(n, kind, p, g)
	sym.TypeParams = g.implGenerics(p)
	own, shown, where := g.generics(n, "")
	sym.TypeParams = append(sym.TypeParams, own...)
	for m := range t.Children(t.ChildOf(n, "function_modifiers")) {
		word := t.Text(m)
		if t.Is(m, "extern_modifier") {
			word = rustABI(t, m)
		}
		if !t.Extra(m) {
			sym.Modifiers = append(sym.Modifiers, word)
			text += word + " "
		}
	}
	if p.foreign != "" {
		sym.Modifiers = append(sym.Modifiers, p.foreign+" block")
	}
	params, receiver, list := g.params(t.Child(n, "parameters"))
	sym.Params = params
	if receiver != "" {
		sym.Modifiers = append(sym.Modifiers, receiver)
	}
	sort.Strings(sym.Modifiers)
	ret := t.Child(n, "return_type")
	sym.Results = g.canonical(ret)
	if sym.Results == "()" {
		sym.Results = ""
	}
	text += "fn " + rustName(t, t.Child(n, "name")) + shown + list
	if s := g.shown(ret); ret != None && s != "()" {
		text += " -> " + s
	}
	sym.Signature = text + where
	r.add(n, attrs, p, sym)
}

// params reads a parameter list: the parameters, the receiver's form, and the text.
func (g rustTypes) params(list Node) (params []model.Param, receiver, text string) {
	t := g.t
	var shown []string
	for c := range t.NamedChildren(list) {
		switch t.Kind(c) {
		case "attribute_item", "ERROR":
			continue
		case "self_parameter":
			receiver = g.receiver(c, g.rename)
			shown = append(shown, g.receiver(c, nil))
		case "variadic_parameter":
			params = append(params, model.Param{Variadic: true})
			shown = append(shown, "...")
		case "parameter":
			typ := t.Child(c, "type")
			if t.Is(t.Child(c, "pattern"), "self") {
				receiver = "self: " + g.canonical(typ)
				shown = append(shown, "self: "+g.shown(typ))
				continue
			}
			params = append(params, model.Param{Type: g.canonical(typ)})
			shown = append(shown, g.shown(typ))
		default: // a type alone
			params = append(params, model.Param{Type: g.canonical(c)})
			shown = append(shown, g.shown(c))
		}
	}
	return params, receiver, "(" + strings.Join(shown, ", ") + ")"
}

// receiver spells self, &self, &mut self. What "mut self" binds is the body's business.
func (g rustTypes) receiver(n Node, rename map[string]string) string {
	t := g.t
	if !t.HasToken(n, "&") {
		return "self"
	}
	s := "&"
	if l := t.ChildOf(n, "lifetime"); l != None {
		s += typeText(t, l, rustText(rename)) + " "
	}
	if t.ChildOf(n, "mutable_specifier") != None {
		s += "mut "
	}
	return s + "self"
}

func (r *rustReader) structure(n Node, attrs []Node, p rustPlace) {
	t, g := r.t, r.types()
	sym, text := r.head(n, model.KindStruct, p, g)
	list, shown, where := g.generics(n, "")
	sym.TypeParams = list
	body := t.Child(n, "body")
	word := "struct"
	switch {
	case t.Is(n, "union_item"):
		word = "union"
		sym.Modifiers = append(sym.Modifiers, word)
	case body == None:
		sym.Modifiers = append(sym.Modifiers, "unit")
	case t.Is(body, "ordered_field_declaration_list"):
		sym.Modifiers = append(sym.Modifiers, "tuple")
	}
	sort.Strings(sym.Modifiers)
	fields, fieldText := g.fields(body, true)
	sym.Members = fields
	sym.Signature = text + word + " " + rustName(t, t.Child(n, "name")) + shown + fieldText + where
	r.add(n, attrs, p, sym)
}

// fields reads the fields of a struct or a variant; in a struct only those that
// others can see.
func (g rustTypes) fields(body Node, visibleOnly bool) (members []model.Member, text string) {
	t := g.t
	var shown []string
	hidden := false
	add := func(name, vis string, typ Node) {
		if visibleOnly && vis == "" {
			hidden = true
			return
		}
		m := model.Member{Name: name, Kind: "field", Type: g.canonical(typ)}
		prefix := ""
		if vis != "" && vis != "pub" {
			m.Type = vis + " " + m.Type
		}
		if vis != "" {
			prefix = vis + " "
		}
		if t.Is(body, "field_declaration_list") {
			prefix += name + ": "
		}
		members = append(members, m)
		shown = append(shown, prefix+g.shown(typ))
	}
	vis := ""
	index := 0
	for c := range t.NamedChildren(body) {
		switch {
		case t.Is(c, "visibility_modifier"):
			vis = rustVisibility(t.Text(c))
		case t.Is(c, "field_declaration"):
			add(strings.TrimPrefix(t.Text(t.Child(c, "name")), "r#"), g.visibility(c), t.Child(c, "type"))
		case t.Field(c) == "type":
			add(strconv.Itoa(index), vis, c)
			index++
			vis = ""
		}
	}
	if hidden {
		shown = append(shown, "..")
	}
	switch t.Kind(body) {
	case "field_declaration_list":
		if len(shown) == 0 {
			return members, " {}"
		}
		return members, " { " + rustJoin(shown) + " }"
	case "ordered_field_declaration_list":
		return members, "(" + rustJoin(shown) + ")"
	}
	return members, ""
}

// rustJoin lists parts up to the size a shape may take.
func rustJoin(parts []string) string {
	size := 0
	for i, p := range parts {
		if size += len(p); size > maxShape {
			return strings.Join(append(append([]string(nil), parts[:i]...), "…"), ", ")
		}
	}
	return strings.Join(parts, ", ")
}

func (r *rustReader) enum(n Node, attrs []Node, p rustPlace) {
	t, g := r.t, r.types()
	sym, text := r.head(n, model.KindEnum, p, g)
	list, shown, where := g.generics(n, "")
	sym.TypeParams = list
	var variants []string
	for v := range t.NamedChildren(t.Child(n, "body")) {
		if !t.Is(v, "enum_variant") {
			continue
		}
		name := strings.TrimPrefix(t.Text(t.Child(v, "name")), "r#")
		fields, fieldText := g.fields(t.Child(v, "body"), false)
		m := model.Member{Name: name, Kind: "variant"}
		var types []string
		for _, f := range fields {
			if t.Is(t.Child(v, "body"), "field_declaration_list") {
				types = append(types, f.Name+": "+f.Type)
			} else {
				types = append(types, f.Type)
			}
		}
		switch t.Kind(t.Child(v, "body")) {
		case "field_declaration_list":
			m.Type = "{ " + strings.Join(types, ", ") + " }"
		case "ordered_field_declaration_list":
			m.Type = "(" + strings.Join(types, ", ") + ")"
		}
		if value := t.Child(v, "value"); value != None {
			s := " = " + g.canonical(value)
			m.Type, fieldText = strings.TrimSpace(m.Type+s), fieldText+s
		}
		sym.Members = append(sym.Members, m)
		variants = append(variants, name+fieldText)
	}
	sym.Signature = text + "enum " + rustName(t, t.Child(n, "name")) + shown + where + " { " + rustJoin(variants) + " }"
	r.add(n, attrs, p, sym)
}

func (r *rustReader) trait(n Node, attrs []Node, p rustPlace) {
	t, g := r.t, r.types()
	sym, text := r.head(n, model.KindTrait, p, g)
	list, shown, where := g.generics(n, "")
	sym.TypeParams = list
	if t.HasToken(n, "unsafe") {
		sym.Modifiers = append(sym.Modifiers, "unsafe")
		text += "unsafe "
	}
	sort.Strings(sym.Modifiers)
	for _, b := range g.bounds(t.Child(n, "bounds")) {
		sym.Members = append(sym.Members, model.Member{Name: b, Kind: "base"})
	}
	body := t.Child(n, "body")
	name := rustName(t, t.Child(n, "name"))
	in := rustPlace{container: qualify(p.container, name), member: true, public: sym.Exported, impl: n}
	from := len(r.defs)
	r.items(body, in)
	var methods []string
	for i := range r.defs[from:] {
		m := &r.defs[from+i].sym
		item := r.defs[from+i].nodes[len(r.defs[from+i].nodes)-1]
		member := model.Member{Name: m.Name, Kind: string(m.Kind), Type: rustMemberType(m)}
		switch t.Kind(item) {
		case "function_item":
			member.Optional = true
		case "const_item":
			member.Optional = t.Child(item, "value") != None
		}
		sym.Members = append(sym.Members, member)
		methods = append(methods, m.Signature)
	}
	bounds := ""
	if b := t.Child(n, "bounds"); b != None {
		bounds = g.shown(b)
	}
	sym.Signature = text + "trait " + name + shown + bounds + where + " { " + rustJoin(methods) + " }"
	r.add(n, attrs, p, sym)
}

// rustMemberType is a trait item's contract in one line, without its name.
func rustMemberType(s *model.Symbol) string {
	if s.Kind != model.KindMethod {
		return strings.TrimSpace(strings.Join(append(append([]string(nil), s.TypeParams...), s.Results), " "))
	}
	var words, params []string
	for _, m := range s.Modifiers {
		if m == "self" || strings.HasPrefix(m, "self:") || strings.HasPrefix(m, "&") {
			params = append(params, m)
		} else {
			words = append(words, m)
		}
	}
	for _, p := range s.Params {
		if p.Variadic {
			p.Type = "..."
		}
		params = append(params, p.Type)
	}
	out := ""
	if len(words) > 0 {
		out = strings.Join(words, " ") + " "
	}
	if len(s.TypeParams) > 0 {
		out += "<" + strings.Join(s.TypeParams, ", ") + ">"
	}
	out += "(" + strings.Join(params, ", ") + ")"
	if s.Results != "" {
		out += " -> " + s.Results
	}
	return out
}

func (r *rustReader) typeAlias(n Node, attrs []Node, p rustPlace) {
	t, g := r.t, r.types()
	sym, text := r.head(n, model.KindType, p, g)
	sym.TypeParams = g.implGenerics(p)
	list, shown, where := g.generics(n, "")
	sym.TypeParams = append(sym.TypeParams, list...)
	if p.foreign != "" {
		sym.Modifiers = append(sym.Modifiers, p.foreign+" block")
	}
	text += "type " + rustName(t, t.Child(n, "name")) + shown
	if b := t.Child(n, "bounds"); b != None {
		bounds := g.bounds(b)
		sort.Strings(bounds)
		sym.Results = strings.Join(bounds, " + ")
		text += g.shown(b)
	}
	if typ := t.Child(n, "type"); typ != None {
		sym.Results = g.canonical(typ)
		text += " = " + g.shown(typ)
	}
	sym.Signature = text + where
	r.add(n, attrs, p, sym)
}

// value reads a const or a static; what it holds is its body.
func (r *rustReader) value(n Node, attrs []Node, p rustPlace) {
	t, g := r.t, r.types()
	kind, word := model.KindConst, "const "
	if t.Is(n, "static_item") {
		kind, word = model.KindVar, "static "
	}
	sym, text := r.head(n, kind, p, g)
	sym.TypeParams = g.implGenerics(p)
	if t.ChildOf(n, "mutable_specifier") != None {
		sym.Modifiers = append(sym.Modifiers, "mut")
		word += "mut "
	}
	if p.foreign != "" {
		sym.Modifiers = append(sym.Modifiers, p.foreign+" block")
	}
	sort.Strings(sym.Modifiers)
	sym.Results = g.canonical(t.Child(n, "type"))
	sym.Signature = text + word + rustName(t, t.Child(n, "name")) + ": " + g.shown(t.Child(n, "type"))
	r.add(n, attrs, p, sym)
}
