package lang

import (
	"sort"
	"strconv"
	"strings"

	"gitlet/internal/model"
)

// pyFunctionScope is one function around the code being read: a name bound in it
// by anything but an import is no name of the module.
type pyFunctionScope struct {
	start, end Node
	bound      map[string]bool
}

// pyRefs collects references and imports in one pass over the flat tree.
type pyRefs struct {
	t      *Tree
	f      *Facts
	scopes []pyFunctionScope
}

func collectPythonRefs(t *Tree, f *Facts) {
	r := &pyRefs{t: t, f: f}
	for n := Node(0); int(n) < len(t.Nodes); {
		for len(r.scopes) > 0 && n >= r.scopes[len(r.scopes)-1].end {
			r.scopes = r.scopes[:len(r.scopes)-1]
		}
		n = r.visit(n)
	}
}

// visit reads one node and returns where to go on.
func (r *pyRefs) visit(n Node) Node {
	t := r.t
	if !t.Named(n) {
		return n + 1
	}
	switch t.Kind(n) {
	case "function_definition", "lambda":
		r.scopes = append(r.scopes, pyFunctionScope{n, t.Next(n), pyBound(t, n)})
	case "class_definition", "type_alias_statement":
		params := t.Child(n, "type_parameters")
		if left := t.Child(n, "left"); left != None {
			params = t.ChildOf(t.ChildOf(left, "generic_type"), "type_parameter")
		}
		if params != None {
			b := pyBinder{t: t, bound: map[string]bool{}}
			b.typeParams(params)
			r.scopes = append(r.scopes, pyFunctionScope{n, t.Next(n), b.bound})
		}
		r.extends(n)
	case "call":
		before := len(r.f.Refs)
		r.named(t.Child(n, "function"), model.RefCall)
		for i := range r.f.Refs[before:] {
			r.f.Refs[before+i].Args = pyArgs(t, t.Child(n, "arguments"))
		}
	case "decorator":
		e := t.ChildOf(n, "identifier", "attribute")
		switch t.Text(t.Child(e, "attribute")) {
		case "setter", "deleter", "getter": // the property's own
		default:
			r.named(e, model.RefCall)
		}
	case "type":
		if alias := t.Is(t.Parent(n), "type_alias_statement"); !alias || t.Field(n) != "left" {
			before := len(r.f.Refs)
			r.types(n, false)
			for i := range r.f.Refs[before:] {
				// Under an alias a type may be built by another name.
				ref := &r.f.Refs[before+i]
				ref.Named = ref.Kind == model.RefType && !alias
			}
		}
		return t.Next(n)
	case "import_statement", "import_from_statement", "future_import_statement":
		r.imports(n)
		return t.Next(n)
	}
	return n + 1
}

// maxArgs bounds what is kept of one call's arguments, in bytes.
const maxArgs = 200

// pyArgs is what a call passes, as model.Ref has it.
func pyArgs(t *Tree, list Node) string {
	if t.Is(list, "generator_expression") {
		return "1"
	}
	if !t.Is(list, "argument_list") || t.HasError(list) {
		return ""
	}
	places := 0
	var words []string
	for a := range t.NamedChildren(list) {
		switch t.Kind(a) {
		case "list_splat", "dictionary_splat":
			return ""
		case "keyword_argument":
			words = append(words, t.Text(t.Child(a, "name")))
		default:
			places++
		}
	}
	sort.Strings(words)
	s := strings.Join(append([]string{strconv.Itoa(places)}, words...), " ")
	if len(s) > maxArgs {
		return ""
	}
	return s
}

// local reports whether a function around the present place binds the name.
func (r *pyRefs) local(name string) bool {
	for i := len(r.scopes) - 1; i >= 0; i-- {
		if r.scopes[i].bound[name] {
			return true
		}
	}
	return false
}

// named adds a reference to what e spells: a name, or an attribute of something.
func (r *pyRefs) named(e Node, kind model.RefKind) {
	t := r.t
	for t.Is(e, "subscript", "parenthesized_expression") { // Box[int](), (f)()
		if next := t.Child(e, "value"); next != None {
			e = next
			continue
		}
		inner := None
		for c := range t.NamedChildren(e) {
			inner = c
		}
		if inner == None {
			return
		}
		e = inner
	}
	ref := RawRef{Kind: kind}
	at := e
	switch t.Kind(e) {
	case "identifier":
		ref.Name = t.Text(e)
		if r.local(ref.Name) {
			return
		}
	case "attribute":
		at = t.Child(e, "attribute")
		ref.Name = t.Text(at)
		ref.Qualifier = pyDotted(t, t.Child(e, "object"))
		head, _, _ := strings.Cut(ref.Qualifier, ".")
		ref.Value = ref.Qualifier == "" || r.local(head)
	default:
		return
	}
	if at == None || ref.Name == "" {
		return
	}
	ref.Line, ref.Byte = t.Line(at), t.Start(at)
	r.f.Refs = append(r.f.Refs, ref)
}

// pyDotted is the text of a chain of plain names, "" for any other expression.
func pyDotted(t *Tree, n Node) string {
	switch t.Kind(n) {
	case "identifier":
		return t.Text(n)
	case "attribute":
		if o := pyDotted(t, t.Child(n, "object")); o != "" {
			return o + "." + t.Text(t.Child(n, "attribute"))
		}
	}
	return ""
}

// extends reads the bases of a class; their type arguments are types.
func (r *pyRefs) extends(class Node) {
	t := r.t
	for n := range t.NamedChildren(t.Child(class, "superclasses")) {
		if t.Is(n, "keyword_argument") {
			if t.Equals(t.Child(n, "name"), "metaclass") {
				r.named(t.Child(n, "value"), model.RefExtends)
			}
			continue
		}
		r.named(n, model.RefExtends)
		if t.Is(n, "subscript") {
			for c := range t.NamedChildren(n) {
				if t.Field(c) == "subscript" {
					r.types(c, false)
				}
			}
		}
	}
}

// types adds the names used in an annotation. Inside Literal[...] strings are data.
func (r *pyRefs) types(n Node, literal bool) {
	t := r.t
	switch t.Kind(n) {
	case "identifier":
		r.named(n, model.RefType)
		return
	case "attribute":
		if pyDotted(t, n) != "" {
			r.named(n, model.RefType)
			return
		}
	case "member_type":
		r.memberType(n)
		return
	case "string":
		if text, ok := pyStringText(t, n); ok && !literal {
			r.quoted(t.ChildOf(n, "string_content"), text)
		}
		return
	case "generic_type", "subscript":
		head := t.FirstChild(n)
		name := t.Text(head)
		name = name[strings.LastIndexByte(name, '.')+1:]
		literal = literal || name == "Literal"
	case "call":
		r.named(t.Child(n, "function"), model.RefCall)
		for c := range t.NamedChildren(t.Child(n, "arguments")) {
			if t.Is(c, "call") {
				r.types(c, true)
			}
		}
		return
	case "keyword_argument", "lambda":
		return
	}
	for c := range t.NamedChildren(n) {
		r.types(c, literal)
	}
}

// memberType reads a.b.C where the grammar nests it as types.
func (r *pyRefs) memberType(n Node) {
	t := r.t
	q, name, ok := cutLast(spaceTypeText(typeSource(t, n)), ".")
	if !ok || !pyPlainDotted(q) {
		return
	}
	head, _, _ := strings.Cut(q, ".")
	r.f.Refs = append(r.f.Refs, RawRef{Name: name, Qualifier: q, Kind: model.RefType,
		Line: t.Line(n), Byte: t.Start(n), Value: r.local(head)})
}

// cutLast splits s around its last sep.
func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return "", s, false
}

func pyPlainDotted(s string) bool {
	for i := 0; i < len(s); i++ {
		if !nameByte(s[i]) && s[i] != '.' {
			return false
		}
	}
	return s != ""
}

func nameByte(c byte) bool {
	return c == '_' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// quoted adds the names in an annotation written as a string.
func (r *pyRefs) quoted(at Node, text string) {
	if strings.Contains(text, "Literal") || len(text) > 500 {
		return
	}
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && (nameByte(text[j]) || j > i && text[j] == '.') {
			j++
		}
		if j == i {
			i++
			continue
		}
		q, name, _ := cutLast(text[i:j], ".")
		head, _, _ := strings.Cut(q, ".")
		digit := text[i] >= '0' && text[i] <= '9'
		if !digit && name != "" && name != "None" && !(q == "" && r.local(name)) {
			r.f.Refs = append(r.f.Refs, RawRef{Name: name, Qualifier: q, Kind: model.RefType, Value: q != "" && r.local(head),
				Line: r.t.Line(at) + strings.Count(text[:i], "\n"), Byte: r.t.Start(at) + j - len(name)})
		}
		i = j
	}
}

// imports reads one import statement.
func (r *pyRefs) imports(n Node) {
	t := r.t
	base := Import{Byte: t.Start(n)}
	if len(r.scopes) > 0 {
		s := r.scopes[len(r.scopes)-1]
		base.Scope = [2]int{t.Start(s.start), t.End(s.start)}
	}
	from := t.Is(n, "import_from_statement", "future_import_statement")
	if from {
		base.Module = "__future__"
		if m := t.Child(n, "module_name"); m != None {
			base.Module = pyModuleText(t, m)
		}
		if t.ChildOf(n, "wildcard_import") != None {
			base.Kind = "glob"
			r.f.Imports = append(r.f.Imports, base)
			return
		}
	}
	for c := range t.NamedChildren(n) {
		if t.Field(c) != "name" {
			continue
		}
		i, name, alias := base, c, None
		if t.Is(c, "aliased_import") {
			name, alias = t.Child(c, "name"), t.Child(c, "alias")
		}
		text := pyModuleText(t, name)
		i.Local = text
		if alias != None {
			i.Local = t.Text(alias)
		}
		if from {
			i.Kind, i.Name = "member", text
		} else {
			i.Kind, i.Module = "module", text
		}
		r.f.Imports = append(r.f.Imports, i)
	}
}

// pyModuleText is a module's spelling without white space: "..pkg.mod".
func pyModuleText(t *Tree, n Node) string {
	var b strings.Builder
	for i := n; i < t.Next(n); i++ {
		if t.Leaf(i) && !t.Extra(i) {
			b.Write(t.Bytes(i))
		}
	}
	return b.String()
}

// pyBound collects the names a function binds itself: parameters, type parameters,
// assignments, loops, nested definitions. Imports are left to the import list.
func pyBound(t *Tree, fn Node) map[string]bool {
	b := pyBinder{t: t, bound: map[string]bool{}, outside: map[string]bool{}}
	for p := range t.NamedChildren(t.Child(fn, "parameters")) {
		switch t.Kind(p) {
		case "default_parameter", "typed_default_parameter":
			b.add(t.Child(p, "name"))
		case "typed_parameter":
			b.add(t.FirstChild(p))
		default:
			b.add(p)
		}
	}
	b.typeParams(t.Child(fn, "type_parameters"))
	if body := t.Child(fn, "body"); body != None {
		for n := body; n < t.Next(body); {
			n = b.visit(n)
		}
	}
	for name := range b.outside {
		delete(b.bound, name)
	}
	return b.bound
}

type pyBinder struct {
	t              *Tree
	bound, outside map[string]bool
}

// typeParams binds the names in a [T, *Ts, **P] list.
func (b *pyBinder) typeParams(list Node) {
	for _, s := range pyTypeParams(b.t, list) {
		name := strings.TrimLeft(s, "*")
		if i := strings.IndexAny(name, ":= "); i >= 0 {
			name = name[:i]
		}
		b.bound[name] = true
	}
}

// add binds every plain name in a target or parameter.
func (b *pyBinder) add(n Node) {
	t := b.t
	switch t.Kind(n) {
	case "identifier":
		b.bound[t.Text(n)] = true
	case "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "dictionary_splat_pattern",
		"tuple", "list", "parenthesized_expression", "as_pattern_target", "list_splat", "splat_pattern":
		for c := range t.NamedChildren(n) {
			b.add(c)
		}
	}
}

func (b *pyBinder) visit(n Node) Node {
	t := b.t
	switch t.Kind(n) {
	case "function_definition", "class_definition":
		b.add(t.Child(n, "name"))
		return t.Next(n)
	case "lambda":
		if t.Named(n) {
			return t.Next(n)
		}
	case "assignment", "augmented_assignment", "for_statement", "for_in_clause":
		b.add(t.Child(n, "left"))
	case "named_expression":
		b.add(t.Child(n, "name"))
	case "as_pattern":
		if a := t.Child(n, "alias"); a != None {
			b.add(a)
		} else { // in a match case the alias has no field
			last := None
			for c := range t.NamedChildren(n) {
				last = c
			}
			b.add(last)
		}
	case "case_pattern", "splat_pattern":
		for c := range t.NamedChildren(n) {
			if t.Is(c, "dotted_name") && !strings.Contains(t.Text(c), ".") {
				b.bound[t.Text(c)] = true
			} else {
				b.add(c)
			}
		}
	case "global_statement", "nonlocal_statement":
		for c := range t.NamedChildren(n) {
			b.outside[t.Text(c)] = true
		}
	}
	return n + 1
}
