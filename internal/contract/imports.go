package contract

import (
	"strings"

	"gitlet/internal/lang"
)

// importStatements are the statements that bring names in.
var importStatements = map[string]bool{
	"import_statement": true, "import_from_statement": true, "import_declaration": true, "use_declaration": true, "future_import_statement": true,
}

// lists are the nodes whose children are one import each.
var lists = map[string]bool{"named_imports": true, "import_from_statement": true, "use_list": true, "import_spec_list": true}

// imports brings along what the text uses and main does not import, and takes away what
// only the old text used, where the language refuses an import that nothing uses.
func (b *builder) imports(put edit) []edit {
	var out []edit
	rest := string(b.main.Src[:put.from]) + string(b.main.Src[put.to:])
	var wanted []lang.Import
	for _, i := range b.mine.facts.Imports {
		if i.Scope != [2]int{} || i.Local == "" || i.Local == "_" || !usesWord(b.text, i.Local) {
			continue
		}
		if b.in.Lang.ModulePrivate && !b.mine.uses(b.taken, i.Local) {
			continue // only a comment or a text speaks of it
		}
		if !b.mainHas(i) {
			wanted = append(wanted, i)
		}
	}
	out = append(out, b.add(wanted)...)
	if !b.in.Lang.ModulePrivate {
		return out
	}
	// Names private to a package: the one language of these that refuses unused imports.
	for _, i := range b.main.facts.Imports {
		if i.Local == "" || i.Local == "_" || usesWord(b.text, i.Local) || !usesWord(string(b.main.Src[put.from:put.to]), i.Local) {
			continue
		}
		if n := b.specAt(b.main, i.Byte); n != lang.None && !usesOutside(rest, i.Local, b.main.Text(n)) {
			from, to := wholeLine(b.main.Src, b.main.Start(n), b.main.End(n))
			out = append(out, edit{from, to, ""})
		}
	}
	return out
}

// uses reports whether the code in a part of the file has name as a word of its own,
// comments and texts aside.
func (p *parsed) uses(part [2]int, name string) bool {
	for n := p.Root(); int(n) < len(p.Nodes); n++ {
		if p.Leaf(n) && p.Start(n) >= part[0] && p.End(n) <= part[1] && p.Equals(n, name) &&
			!strings.Contains(p.Kind(n), "comment") && !strings.Contains(p.Kind(n), "string") {
			return true
		}
	}
	return false
}

func usesOutside(text, name, spec string) bool {
	return usesWord(strings.Replace(text, spec, "", 1), name)
}

func wholeLine(src []byte, from, to int) (int, int) {
	start := lineStart(src, from)
	end := to
	for end < len(src) && src[end] != '\n' {
		end++
	}
	if onlySpace(src, start, from) && onlySpace(src, to, end) && end < len(src) {
		return start, end + 1
	}
	return from, to
}

func (b *builder) mainHas(want lang.Import) bool {
	for _, i := range b.main.facts.Imports {
		if i.Local == want.Local && i.Scope == [2]int{} {
			return true
		}
	}
	return false
}

// specAt is the node of one import: in a list the entry, else the statement.
func (b *builder) specAt(p *parsed, at int) lang.Node {
	n := p.Root()
	for {
		next := lang.None
		for c := range p.Children(n) {
			if p.Start(c) <= at && at < p.End(c) {
				next = c
				break
			}
		}
		if next == lang.None {
			return lang.None
		}
		if lists[p.Kind(n)] || p.Is(next, "import_spec") {
			if p.Kind(next) == "import_spec" && !lists[p.Kind(n)] {
				return n // the only one: the whole statement
			}
			return next
		}
		if importStatements[p.Kind(next)] && !holdsList(p, next) {
			return next
		}
		n = next
	}
}

func holdsList(p *parsed, n lang.Node) bool {
	for m := n; m < p.Next(n); m++ {
		if lists[p.Kind(m)] {
			return true
		}
	}
	return false
}

// statementAt is the top-level statement at a place.
func statementAt(p *parsed, at int) lang.Node {
	for c := range p.Children(p.Root()) {
		if p.Start(c) <= at && at < p.End(c) {
			return c
		}
	}
	return lang.None
}

// add makes the imports, each statement with only what is wanted of it.
func (b *builder) add(wanted []lang.Import) []edit {
	keep := map[lang.Node]map[lang.Node]bool{}
	var order []lang.Node
	for _, i := range wanted {
		s := statementAt(b.mine, i.Byte)
		if s == lang.None {
			continue
		}
		if keep[s] == nil {
			keep[s] = map[lang.Node]bool{}
			order = append(order, s)
		}
		keep[s][b.specAt(b.mine, i.Byte)] = true
	}
	var statements, specs []string
	for _, s := range order {
		if b.mine.Kind(s) == "import_declaration" {
			for n := s; n < b.mine.Next(s); n++ {
				if b.mine.Kind(n) == "import_spec" && (keep[s][n] || keep[s][s]) {
					specs = append(specs, b.mine.Text(n))
				}
			}
			continue
		}
		statements = append(statements, b.pruned(s, keep[s]))
	}
	var out []edit
	if e, ok := b.addSpecs(specs); ok {
		out = append(out, e)
	}
	if len(statements) > 0 {
		at := b.importEnd()
		text := strings.Join(statements, "\n")
		if at == 0 {
			text += "\n"
		} else {
			text = "\n" + text
		}
		out = append(out, edit{at, at, text})
	}
	return out
}

// pruned is an import statement with only some of the entries of its list.
func (b *builder) pruned(s lang.Node, keep map[lang.Node]bool) string {
	p := b.mine
	for list := s; list < p.Next(s); list++ {
		if !lists[p.Kind(list)] {
			continue
		}
		var kept []string
		first, last := lang.None, lang.None
		for c := range p.NamedChildren(list) {
			if p.Field(c) == "module_name" {
				continue
			}
			if first == lang.None {
				first = c
			}
			last = c
			if keep[c] {
				kept = append(kept, p.Text(c))
			}
		}
		if len(kept) == 0 || first == lang.None {
			break
		}
		tail := string(p.Src[p.End(last):p.End(s)])
		head := string(p.Src[p.Start(s):p.Start(first)])
		if strings.Contains(head, "\n") {
			head, tail = strings.TrimRight(head, " \t\n"), strings.TrimLeft(tail, ", \t\n")
			if strings.HasSuffix(head, "{") {
				head, tail = head+" ", " "+tail
			}
		}
		return head + strings.Join(kept, ", ") + tail
	}
	return p.Text(s)
}

// importEnd is where another import statement goes: behind the last one at the top.
func (b *builder) importEnd() int {
	p := b.main
	at := 0
	for c := range p.Children(p.Root()) {
		switch kind := p.Kind(c); {
		case importStatements[kind] || kind == "package_clause":
			at = p.End(c)
		case strings.Contains(kind, "comment") || kind == "hash_bang_line" || kind == ";":
			if at == 0 && kind == "hash_bang_line" {
				at = p.End(c)
			}
		case kind == "expression_statement" && at == 0 && p.Is(p.FirstChild(c), "string"):
			at = p.End(c) // a docstring, "use strict"
		case kind == "inner_attribute_item":
			at = p.End(c)
		}
	}
	for at > 0 && at < len(p.Src) && (p.Src[at] == ';' || p.Src[at] == ' ') {
		at++
	}
	return at
}

// addSpecs puts entries into main's import list, or makes one.
func (b *builder) addSpecs(specs []string) (edit, bool) {
	if len(specs) == 0 {
		return edit{}, false
	}
	p := b.main
	for n := lang.Node(0); int(n) < len(p.Nodes); n++ {
		if p.Kind(n) != "import_spec_list" {
			continue
		}
		at := p.End(n) - 1
		return edit{at, at, "\t" + strings.Join(specs, "\n\t") + "\n"}, true
	}
	at := b.importEnd()
	text := "\n"
	for c := range p.Children(p.Root()) {
		if p.Kind(c) == "package_clause" && p.End(c) == at {
			text = "\n\n"
		}
	}
	if len(specs) == 1 {
		return edit{at, at, text + "import " + specs[0]}, true
	}
	return edit{at, at, text + "import (\n\t" + strings.Join(specs, "\n\t") + "\n)"}, true
}
