package lang

import (
	"bytes"
	"slices"
)

// PartKind says what a part of a file is for merging.
type PartKind int

// The kinds of parts.
const (
	// PartStatement is code that runs, or of which it is not known what it is: its place
	// among the others may matter.
	PartStatement  PartKind = iota
	PartDefinition          // it gives something a name
	PartImport              // it brings names in, or passes them on
	PartComment             // a comment that belongs to nothing below it
)

// Part is a stretch of whole lines: a definition with the comments, decorators and
// attributes right above it, an import, a statement. The parts of a file, with the blank
// lines before each and those at the end, are all of it.
type Part struct {
	Kind PartKind
	// Key is what the part is known by among its siblings; two of them may share one.
	Key string
	// Blank counts the lines before it that hold white space only.
	Blank int
	// From and To are its lines, from 0, end exclusive.
	From, To int
	// Kids are the members of a type, a group or a module, where they stand on lines of
	// their own: HeadTo is the first line behind what opens it, FootFrom the first of what
	// closes it, Tail counts the blank lines before that.
	Holds            bool
	HeadTo, FootFrom int
	Kids             []Part
	Tail             int
	// Commas is set for a holder whose members are parted by commas.
	Commas bool
	// Sep is where the comma behind a member stands or would stand, in bytes of the file;
	// HasSep whether it stands there.
	Sep    int
	HasSep bool
	// Broken is set where the parser could not read all of it.
	Broken bool
	// List is the list of names in an import, where it can be told apart.
	List *NameList
	// Bound are the names it gives to something in the list it stands in, each once.
	Bound []string
	// Behind is what it does to the part behind it; Continues is set where it would be read
	// as more of one before it that is open.
	Behind    Joint
	Continues bool
	// Later are the bytes of the file, end exclusive, within the part that do not run where
	// it stands: bodies of functions that have a name.
	Later [][2]int
	// Hoisted is set for what may be used above the part too.
	Hoisted bool
	// Numbered is set for a list of members where the value of one may depend on those
	// before it.
	Numbered bool
}

// Outline is a file cut into parts.
type Outline struct {
	Parts []Part
	Tail  int   // blank lines at the end
	Lines []int // where each line begins, and the length of the file at the end
}

// OutlineOf cuts a file into parts. It reports false where that cannot be done: an error
// lies between definitions, or there is text that belongs to none.
func OutlineOf(t *Tree) (*Outline, bool) {
	o := outliner{t: t}
	o.lines = append(o.lines, 0)
	for i, c := range t.Src {
		if c == '\n' && i+1 < len(t.Src) {
			o.lines = append(o.lines, i+1)
		}
	}
	n := len(o.lines)
	if len(t.Src) == 0 {
		n = 0
	}
	o.lines = append(o.lines, len(t.Src))
	if t.IsError(t.Root()) {
		return nil, false
	}
	parts, tail, ok := o.list(t.Root(), 0, n)
	if !ok {
		return nil, false
	}
	return &Outline{Parts: parts, Tail: tail, Lines: o.lines}, true
}

type outliner struct {
	t     *Tree
	lines []int
}

// attached are nodes that belong to what follows them.
var attached = map[string]bool{"decorator": true, "attribute_item": true}

// list cuts the lines from-to into parts by the children of parent that stand in them.
func (o *outliner) list(parent Node, from, to int) (parts []Part, tail int, ok bool) {
	t := o.t
	var cur *Part
	nodes, column := 0, -1 // what cur holds beside comments and what is attached to it; of the first part
	var solo Node          // the one of them
	// cur ends in something attached to what follows; it is comments only
	expects, commented := false, true
	finish := func() {
		if cur != nil {
			o.call(cur, commented, nodes, solo)
			parts, cur = append(parts, *cur), nil
		}
	}
	for c := range t.Children(parent) {
		first, end := int(t.Nodes[c].Row), t.EndLine(c)
		if t.Start(c) == t.End(c) && !t.Missing(c) || end <= from || first >= to || blankToken(t, c) {
			continue
		}
		if first < from || end > to || t.IsError(c) || t.Missing(c) {
			return nil, 0, false
		}
		column0 := t.Start(c) - o.lines[first]
		if column < 0 {
			column = column0
		}
		same, comment := cur != nil && first < cur.To, t.Extra(c) // it begins on the last line of cur
		switch {
		case !t.Named(c) && !comment && (t.Equals(c, ",") || t.Equals(c, ";")):
			if !same {
				return nil, 0, false
			}
			cur.Behind = Closed
			if t.Equals(c, ",") {
				cur.HasSep, cur.Sep = true, t.Start(c)
			}
			cur.To = max(cur.To, end)
			continue
		case comment && (same || cur != nil && !commented && !expects && column0 > column):
			cur.To = max(cur.To, end)
			continue
		case comment && cur != nil && (commented || expects) && first == cur.To:
			cur.To = end
			continue
		case comment:
			if expects {
				return nil, 0, false
			}
			finish()
			cur = &Part{From: first, To: end}
			nodes, solo, commented, expects = 0, None, true, false
			continue
		}
		joins := same || expects || cur != nil && commented && first == cur.To
		if !joins {
			finish()
			cur = &Part{From: first}
			nodes, solo = 0, None
		}
		cur.To = max(cur.To, end)
		commented = false
		expects = attached[t.Kind(c)]
		if !expects {
			nodes, solo = nodes+1, c
			cur.Continues = cur.Continues || nodes == 1 && continues(t, c)
			cur.Behind = jointOf(t, c)
			cur.Bound = append(cur.Bound, bound(t, c)...)
			cur.Sep, cur.HasSep = t.End(c), false
		}
		cur.Broken = cur.Broken || t.HasError(c)
	}
	if expects {
		return nil, 0, false
	}
	finish()
	tail, ok = o.blanks(parts, from, to)
	return parts, tail, ok
}

// call says what a part is: comments only, one node, or several on shared lines.
func (o *outliner) call(p *Part, commented bool, nodes int, solo Node) {
	switch {
	case commented:
		p.Kind, p.Key = PartComment, "comment "+o.text(p.From, p.To)
	case nodes == 1:
		o.describe(p, solo)
	default:
		p.Kind, p.Key, p.Holds = PartStatement, "lines "+o.text(p.From, p.To), false
	}
}

// blanks counts the empty lines before each part, and those behind the last; not ok when
// there is anything else between them.
func (o *outliner) blanks(parts []Part, from, to int) (tail int, ok bool) {
	at := from
	for i := range parts {
		if parts[i].From < at || !o.blank(at, parts[i].From) {
			return 0, false
		}
		parts[i].Blank = parts[i].From - at
		at = parts[i].To
	}
	if at > to || !o.blank(at, to) {
		return 0, false
	}
	return to - at, true
}

func (o *outliner) text(from, to int) string { return string(o.t.Src[o.lines[from]:o.lines[to]]) }

func (o *outliner) blank(from, to int) bool {
	return len(bytes.TrimSpace(o.t.Src[o.lines[from]:o.lines[max(from, to)]])) == 0
}

// describe fills in what is known of a part that one node makes up.
func (o *outliner) describe(p *Part, n Node) {
	t := o.t
	kind, key := o.name(n)
	p.Kind, p.Key = kind, key
	o.runs(p, n)
	if p.Broken {
		if kind != PartDefinition {
			p.Kind = PartStatement
		}
		return
	}
	if kind == PartImport || t.trait(n, traitImport) {
		p.List = nameList(t, n)
	}
	if kind == PartStatement {
		return
	}
	body := bodyNode(t, n)
	if body == None {
		return
	}
	open, closed := int(t.Nodes[body].Row), t.EndLine(body)-1
	if t.Is(body, "block") {
		// What opens a block ends in a colon, and nothing closes it.
		colon := t.ChildOf(t.Parent(body), ":")
		if colon == None {
			return
		}
		open, closed = int(t.Nodes[colon].Row), p.To
	} else {
		from, to := t.ChildOf(body, "{", "("), None
		for c := range t.Children(body) {
			if t.Is(c, "}", ")") {
				to = c
			}
		}
		if from == None || to == None {
			return
		}
		open, closed = int(t.Nodes[from].Row), int(t.Nodes[to].Row)
	}
	for c := range t.Children(body) {
		first, end := int(t.Nodes[c].Row), t.EndLine(c)
		switch {
		case first > open && end <= closed: // a member
		case t.Extra(c) && first == open && end == open+1:
		case !t.Named(c) && !t.Is(c, ",", ";"):
		default:
			return
		}
	}
	if closed <= open {
		return
	}
	if kids, tail, ok := o.list(body, open+1, closed); ok && len(kids) > 0 {
		p.Holds, p.Kids, p.Tail, p.HeadTo, p.FootFrom = true, kids, tail, open+1, closed
		p.Commas = t.HasToken(body, ",")
	}
}

// bodies are the nodes that hold members, one after another.
var bodies = []string{
	"class_body", "interface_body", "enum_body", "declaration_list", "field_declaration_list", "enum_variant_list",
	"import_spec_list", "var_spec_list", "interface_type", "ordered_field_declaration_list",
}

// bodyNode is the node whose children are the members of what n defines, or None.
func bodyNode(t *Tree, n Node) Node {
	n = unwrapped(t, n)
	switch t.Kind(n) {
	case "class_definition":
		if b := t.Child(n, "body"); t.Is(b, "block") {
			return b
		}
		return None
	case "const_declaration", "type_declaration", "var_declaration":
		if t.HasToken(n, "(") {
			return n
		}
		if list := t.ChildOf(n, "var_spec_list"); list != None {
			return list
		}
		spec := t.ChildOf(n, "type_spec")
		for c := range t.Children(spec) {
			switch {
			case t.Is(c, "struct_type"):
				return t.ChildOf(c, "field_declaration_list")
			case t.Is(c, "interface_type"):
				return c
			}
		}
		return None
	case "type_spec":
		for c := range t.Children(n) {
			switch {
			case t.Is(c, "struct_type"):
				return t.ChildOf(c, "field_declaration_list")
			case t.Is(c, "interface_type"):
				return c
			}
		}
		return None
	case "internal_module", "module":
		return t.ChildOf(n, "statement_block")
	case "type_alias_declaration":
		return t.ChildOf(n, "object_type")
	}
	for c := range t.Children(n) {
		if slices.Contains(bodies, t.Kind(c)) {
			return c
		}
	}
	if b := t.Child(n, "body"); t.Is(b, "object_type") {
		return b
	}
	return None
}

// unwrapped steps into what only wraps one definition.
func unwrapped(t *Tree, n Node) Node {
	for {
		in := None
		switch t.Kind(n) {
		case "export_statement":
			in = t.Child(n, "declaration")
		case "decorated_definition":
			in = t.Child(n, "definition")
		case "ambient_declaration":
			for c := range t.NamedChildren(n) {
				in = c
			}
		case "expression_statement":
			in = t.ChildOf(n, "internal_module")
		}
		if in == None {
			return n
		}
		n = in
	}
}
