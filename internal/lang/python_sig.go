package lang

import (
	"sort"
	"strings"

	"gitlet/internal/model"
)

// maxShape bounds how much of a class's shape its signature text shows, in bytes.
const maxShape = 2000

// pyMarks are the decorators that change how callers use a definition; all others
// leave the signature alone.
type pyMarks struct {
	static, classmethod, property, overload bool
	accessor                                string // setter or deleter
	own                                     Node   // the definition's own name inside its accessor decorator
}

// suffix tells the accessors of one property apart.
func (m pyMarks) suffix() string {
	if m.accessor == "" {
		return ""
	}
	return "@" + m.accessor
}

func (r *pyReader) marks(outer Node) pyMarks {
	m := pyMarks{own: None}
	t := r.t
	if !t.Is(outer, "decorated_definition") {
		return m
	}
	for d := range t.NamedChildren(outer) {
		if !t.Is(d, "decorator") {
			continue
		}
		e := t.ChildOf(d, "identifier", "attribute")
		switch text := pyDotted(t, e); text {
		case "":
		case "staticmethod", "builtins.staticmethod":
			m.static = true
		case "classmethod", "builtins.classmethod":
			m.classmethod = true
		case "property", "builtins.property":
			m.property = true
		default:
			if r.overload[text] {
				m.overload = true
			}
			if a := t.Text(t.Child(e, "attribute")); a == "setter" || a == "deleter" || a == "getter" {
				m.property = true
				if a != "getter" {
					m.accessor = a
				}
				if o := t.Child(e, "object"); t.Is(o, "identifier") {
					m.own = o
				}
			}
		}
	}
	return m
}

// pyOverloadNames lists the decorators that mean typing.overload, through any alias.
func pyOverloadNames(imports []Import) map[string]bool {
	names := map[string]bool{"overload": true, "typing.overload": true, "typing_extensions.overload": true}
	for _, i := range imports {
		if i.Module != "typing" && i.Module != "typing_extensions" {
			continue
		}
		switch {
		case i.Kind == "module":
			names[i.Local+".overload"] = true
		case i.Name == "overload":
			names[i.Local] = true
		}
	}
	return names
}

// signature fills the structured parts and the display text of a function.
func (r *pyReader) signature(sym *model.Symbol, d pyDef, method bool) {
	t := r.t
	sym.TypeParams = pyTypeParams(t, t.Child(d.def, "type_parameters"))
	sym.Params = r.params(t.Child(d.def, "parameters"), method && !d.marks.static)
	sym.Results = r.typ(t.Child(d.def, "return_type"))
	for _, m := range []struct {
		on   bool
		name string
	}{
		{t.HasToken(d.def, "async"), "async"},
		{d.marks.classmethod, "classmethod"},
		{pyYields(t, t.Child(d.def, "body")), "generator"},
		{d.marks.property, "property"},
		{d.marks.static, "static"},
	} {
		if m.on {
			sym.Modifiers = append(sym.Modifiers, m.name)
		}
	}
	sym.Signature = pyFunctionText(sym, d.marks, r.paramText(t.Child(d.def, "parameters"), method && !d.marks.static))
}

// overloads joins the declarations of stubs and the implementation.
func (r *pyReader) overloads(defs []pyDef, method bool) (list []string, text string) {
	var shown []string
	for _, d := range defs {
		s := model.Symbol{Name: d.name}
		r.signature(&s, d, method)
		shown = append(shown, s.Signature)
		if d.marks.overload {
			list = append(list, s.Signature)
		}
	}
	return list, strings.Join(shown, "; ")
}

// pyYields reports whether a function's own body yields, nested functions aside.
func pyYields(t *Tree, body Node) bool {
	if body == None {
		return false
	}
	for n := body; n < t.Next(body); {
		switch t.Kind(n) {
		case "function_definition", "class_definition", "lambda":
			n = t.Next(n)
			continue
		case "yield":
			if t.Named(n) {
				return true
			}
		}
		n++
	}
	return false
}

// pyFirstIsReceiver reports whether the first parameter is one Python passes itself.
func pyFirstIsReceiver(t *Tree, first Node) bool {
	switch t.Kind(first) {
	case "identifier", "default_parameter", "typed_default_parameter":
		return true
	case "typed_parameter":
		return t.Is(t.FirstChild(first), "identifier")
	}
	return false
}

// pyParamNodes lists the parameters, markers included, without self or cls.
func pyParamNodes(t *Tree, list Node, receiver bool) []Node {
	var nodes []Node
	for n := range t.NamedChildren(list) {
		nodes = append(nodes, n)
	}
	if receiver && len(nodes) > 0 && pyFirstIsReceiver(t, nodes[0]) {
		nodes = nodes[1:]
		if len(nodes) > 0 && t.Is(nodes[0], "positional_separator") {
			nodes = nodes[1:]
		}
	}
	return nodes
}

// params reads the parameters. A name is kept only where callers can pass by it.
func (r *pyReader) params(list Node, receiver bool) []model.Param {
	t := r.t
	var out []model.Param
	mode := ""
	for _, n := range pyParamNodes(t, list, receiver) {
		p := model.Param{Mode: mode, Type: r.typ(t.Child(n, "type"))}
		switch t.Kind(n) {
		case "positional_separator":
			for i := range out {
				out[i].Mode, out[i].Name = "pos", ""
			}
			continue
		case "keyword_separator":
			mode = "key"
			continue
		case "ERROR":
			continue
		case "list_splat_pattern", "dictionary_splat_pattern", "typed_parameter":
			inner := n
			if t.Is(n, "typed_parameter") {
				inner = t.FirstChild(n)
			}
			switch t.Kind(inner) {
			case "list_splat_pattern":
				p.Variadic, p.Mode = true, "pos"
				mode = "key"
			case "dictionary_splat_pattern":
				p.Variadic, p.Mode = true, "kw"
			default:
				p.Name = t.Text(inner)
			}
		case "identifier":
			p.Name = t.Text(n)
		case "default_parameter", "typed_default_parameter":
			p.Default = true
			if name := t.Child(n, "name"); t.Is(name, "identifier") {
				p.Name = t.Text(name)
			}
		default: // Python 2 tuples
			p.Mode = "pos"
		}
		out = append(out, p)
	}
	return out
}

// paramText shows the parameters as written, types spelled alike and defaults as "…".
func (r *pyReader) paramText(list Node, receiver bool) string {
	t := r.t
	var parts []string
	for _, n := range pyParamNodes(t, list, receiver) {
		typ := r.typ(t.Child(n, "type"))
		s := ""
		switch t.Kind(n) {
		case "ERROR":
			continue
		case "typed_parameter":
			s = t.Text(t.FirstChild(n)) + ": " + typ
		case "default_parameter":
			s = typeText(t, t.Child(n, "name"), textOptions{}) + "=…"
		case "typed_default_parameter":
			s = t.Text(t.Child(n, "name")) + ": " + typ + " = …"
		default:
			s = typeText(t, n, textOptions{})
		}
		parts = append(parts, s)
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

func pyFunctionText(s *model.Symbol, m pyMarks, params string) string {
	var b strings.Builder
	for _, mark := range []struct {
		on   bool
		text string
	}{
		{m.static, "@staticmethod "},
		{m.classmethod, "@classmethod "},
		{m.property && m.accessor == "", "@property "},
		{m.accessor != "", "@" + s.Name + "." + m.accessor + " "},
	} {
		if mark.on {
			b.WriteString(mark.text)
		}
	}
	if hasString(s.Modifiers, "async") {
		b.WriteString("async ")
	}
	b.WriteString("def " + s.Name + pyBrackets(s.TypeParams) + params)
	if s.Results != "" {
		b.WriteString(" -> " + s.Results)
	}
	if hasString(s.Modifiers, "generator") {
		b.WriteString(" (yields)")
	}
	return b.String()
}

func hasString(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func pyBrackets(params []string) string {
	if len(params) == 0 {
		return ""
	}
	return "[" + strings.Join(params, ", ") + "]"
}

// pyTypeParams reads a [T, *Ts, **P] list from its text, because a default (T = int)
// is an error node in the grammar and would lose the name.
func pyTypeParams(t *Tree, list Node) []string {
	if list == None {
		return nil
	}
	text := strings.TrimSpace(typeSource(t, list))
	text = strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")
	var out []string
	for _, p := range splitTop(text, ',') {
		if p = spaceTypeText(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// typeSource is the text of n without its comments.
func typeSource(t *Tree, n Node) string {
	var b strings.Builder
	pos := t.Start(n)
	for c := n + 1; c < t.Next(n); c++ {
		if t.Is(c, "comment", "line_comment", "block_comment") {
			b.Write(t.Src[pos:t.Start(c)])
			pos = t.End(c)
		}
	}
	b.Write(t.Src[pos:t.End(n)])
	return b.String()
}

// splitTop splits at sep outside brackets and quotes.
func splitTop(s string, sep byte) []string {
	var out []string
	depth, from := 0, 0
	var quote byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '(' || c == '{':
			depth++
		case c == ']' || c == ')' || c == '}':
			depth--
		case c == sep && depth == 0:
			out = append(out, s[from:i])
			from = i + 1
		}
	}
	return append(out, s[from:])
}

// spaceTypeText spaces a type written as text the way typeText does.
func spaceTypeText(s string) string {
	var b strings.Builder
	word := func(c byte) bool {
		return c == '_' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	var last byte
	gap := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch c {
		case ' ', '\t', '\n', '\r', '\f', '\\':
			gap = true
			continue
		case ',', ':':
			b.WriteByte(c)
			b.WriteByte(' ')
			last, gap = ' ', false
			continue
		case '|', '=':
			if last != ' ' && last != 0 {
				b.WriteByte(' ')
			}
			b.WriteByte(c)
			b.WriteByte(' ')
			last, gap = ' ', false
			continue
		}
		if gap && word(last) && word(c) {
			b.WriteByte(' ')
		}
		b.WriteByte(c)
		last, gap = c, false
	}
	return strings.TrimSpace(b.String())
}

// typ spells an annotation; a quoted one reads as if it had no quotes.
func (r *pyReader) typ(n Node) string {
	if n == None {
		return ""
	}
	return r.typing.spell(typeText(r.t, n, textOptions{sub: func(t *Tree, s Node) (string, bool) {
		if !t.Is(s, "string") || pyLiteralArgument(t, s, n) {
			return "", false
		}
		if text, ok := pyStringText(t, s); ok {
			return spaceTypeText(text), true
		}
		return "", false
	}}))
}

// pyStringText is the content of a plain string without prefix or escapes.
func pyStringText(t *Tree, s Node) (string, bool) {
	if start := t.Text(t.FirstChild(s)); strings.Trim(start, `"'`) != "" {
		return "", false
	}
	c := t.ChildOf(s, "string_content")
	if c == None || !t.Leaf(c) || t.ChildOf(s, "interpolation") != None {
		return "", false
	}
	return t.Text(c), true
}

// pyLiteralArgument reports whether s is data inside Literal[...] or Annotated[...].
func pyLiteralArgument(t *Tree, s, root Node) bool {
	for p := t.Parent(s); p != None && p >= root; p = t.Parent(p) {
		switch t.Kind(p) {
		case "generic_type", "subscript":
			name := t.Text(t.FirstChild(p))
			name = name[strings.LastIndexByte(name, '.')+1:]
			if name == "Literal" || name == "Annotated" {
				return true
			}
		case "call":
			return true
		}
	}
	return false
}

// bases lists the class's bases in order; object is every class's base anyway.
func (r *pyReader) bases(def Node) []model.Member {
	t := r.t
	var out []model.Member
	for n := range t.NamedChildren(t.Child(def, "superclasses")) {
		m := model.Member{Kind: "base"}
		if t.Is(n, "keyword_argument") {
			m.Name, m.Type = t.Text(t.Child(n, "name")), typeText(t, t.Child(n, "value"), textOptions{})
		} else if m.Name = r.typ(n); m.Name == "object" {
			continue
		}
		out = append(out, m)
	}
	return out
}

func pyEnumBases(bases []model.Member) bool {
	for _, b := range bases {
		switch b.Name[strings.LastIndexByte(b.Name, '.')+1:] {
		case "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag":
			return b.Type == ""
		}
	}
	return false
}

// pyMembers collects the fields of a class: annotated ones in order, since a
// dataclass takes them by position, then plain attributes, whose order means nothing.
type pyMembers struct {
	fields, attrs []model.Member
	seen          map[string]bool
}

func (m *pyMembers) add(f model.Member) {
	if m.seen[f.Name] || strings.HasPrefix(f.Name, "_") {
		return
	}
	if m.seen == nil {
		m.seen = map[string]bool{}
	}
	m.seen[f.Name] = true
	if f.Kind == "field" {
		m.fields = append(m.fields, f)
	} else {
		m.attrs = append(m.attrs, f)
	}
}

func (m *pyMembers) list(enum bool) []model.Member {
	if !enum {
		sort.Slice(m.attrs, func(i, j int) bool { return m.attrs[i].Name < m.attrs[j].Name })
	}
	return append(m.fields, m.attrs...)
}

// fields reads one assignment in a class body, chained ones included.
func (r *pyReader) fields(a Node, s *pyScope) {
	t := r.t
	for t.Is(a, "assignment") {
		typ, right := t.Child(a, "type"), t.Child(a, "right")
		text := r.typ(typ)
		for _, n := range pyTargets(t, t.Child(a, "left")) {
			m := model.Member{Name: t.Text(n), Kind: "attr", Type: text, Optional: true}
			switch {
			case s.enum && typ == None:
				m.Kind, m.Optional = "variant", false
			case typ != None && !pyClassVar(text):
				m.Kind, m.Optional = "field", right != None
			}
			s.members.add(m)
		}
		a = right
	}
}

// pyClassVar reports whether a type says the field is not one of the instance.
func pyClassVar(typ string) bool {
	head, _, _ := strings.Cut(typ, "[")
	return head[strings.LastIndexByte(head, '.')+1:] == "ClassVar"
}

// pyClassText shows a class with its bases and fields.
func pyClassText(s *model.Symbol) string {
	var bases, fields []string
	size := 0
	for _, m := range s.Members {
		text := m.Name
		switch {
		case m.Kind == "base" && m.Type != "":
			text += "=" + m.Type
		case m.Type != "":
			text += ": " + m.Type
		}
		if m.Kind == "base" {
			bases = append(bases, text)
			continue
		}
		if m.Optional {
			text += " = …"
		}
		if size += len(text); size > maxShape {
			fields = append(fields, "…")
			break
		}
		fields = append(fields, text)
	}
	out := "class " + s.Name + pyBrackets(s.TypeParams)
	if len(bases) > 0 {
		out += "(" + strings.Join(bases, ", ") + ")"
	}
	if len(fields) > 0 {
		out += ": " + strings.Join(fields, "; ")
	}
	return out
}
