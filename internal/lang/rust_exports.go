package lang

import (
	"path"
	"strings"
)

// rustExports is what another module's text says at its top level, read by line:
// enough to follow a name that the module only passes on with `use`.
type rustExports struct {
	defines map[string]bool // modules aside: a function may have the name of one
	inline  map[string]bool // modules with a body
	uses    []rustUse
}

// rustUse is one leaf of a use tree.
type rustUse struct {
	path  []string // without the last segment, or all of it for a glob
	name  string   // "" for a glob
	local string
}

var rustExportsMemo = newMemo[*rustExports](512)

var rustItemWords = lazily("fn struct enum trait type const static mod union macro_rules!")

func readRustExports(src []byte) *rustExports {
	e := &rustExports{defines: map[string]bool{}, inline: map[string]bool{}}
	text := rustCode(string(src))
	for len(text) > 0 {
		line, rest, _ := strings.Cut(text, "\n")
		if line == "" || !nameByte(line[0]) {
			text = rest
			continue
		}
		words := rustItemStart(line)
		switch {
		case words == "":
		case strings.HasPrefix(words, "use "):
			stmt, after, ok := strings.Cut(text[len(line)-len(words):], ";")
			if ok && len(stmt) < 1<<14 {
				e.tree(nil, strings.TrimPrefix(stmt, "use "), 0)
				text = after
				continue
			}
		case strings.HasPrefix(words, "crate "): // extern crate a as b;
			stmt, _, _ := strings.Cut(words, ";")
			e.tree(nil, strings.TrimPrefix(stmt, "crate "), 0)
		default:
			word, name, _ := strings.Cut(words, " ")
			name = strings.TrimPrefix(strings.TrimLeft(name, " "), "r#")
			n := 0
			for n < len(name) && nameByte(name[n]) {
				n++
			}
			switch {
			case n == 0 || !rustItemWords()[word]:
			case word != "mod":
				e.defines[name[:n]] = true
			case !strings.Contains(name[n:], ";"):
				e.inline[name[:n]] = true
			}
		}
		text = rest
	}
	return e
}

// rustItemStart cuts visibility and modifiers off a line, down to the word that says
// what the item is; "" when there is none.
func rustItemStart(line string) string {
	for line != "" {
		line = strings.TrimLeft(line, " \t")
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case word == "use", word == "crate", word == "const" && !strings.HasPrefix(rest, "fn ") && !strings.HasPrefix(rest, "unsafe "), word != "const" && rustItemWords()[word]:
			return line
		case word == "pub", word == "unsafe", word == "async", word == "const", word == "extern", word == "default",
			strings.HasPrefix(word, `"`):
			line = rest
		case strings.HasPrefix(word, "pub("):
			_, after, ok := strings.Cut(line, ")")
			if !ok {
				return ""
			}
			line = after
		default:
			return ""
		}
	}
	return ""
}

// tree reads a use tree from text; depth bounds its nesting.
func (e *rustExports) tree(prefix []string, s string, depth int) {
	s = strings.TrimSpace(s)
	if depth > 16 || s == "" || strings.HasPrefix(s, "//") {
		return
	}
	segs := append([]string(nil), prefix...)
	for {
		if strings.HasPrefix(s, "{") {
			for _, part := range splitTop(strings.TrimSuffix(strings.TrimPrefix(s, "{"), "}"), ',') {
				e.tree(segs, part, depth+1)
			}
			return
		}
		head, rest, more := strings.Cut(s, "::")
		if !more {
			break
		}
		segs = append(segs, strings.TrimPrefix(strings.TrimSpace(head), "r#"))
		s = strings.TrimSpace(rest)
	}
	name, local, alias := strings.Cut(s, " as ")
	name, local = strings.TrimPrefix(strings.TrimSpace(name), "r#"), strings.TrimPrefix(strings.TrimSpace(local), "r#")
	if name == "*" {
		e.uses = append(e.uses, rustUse{path: segs})
		return
	}
	if name == "self" && len(segs) > 0 {
		segs, name = segs[:len(segs)-1], segs[len(segs)-1]
	}
	if !alias {
		local = name
	}
	e.uses = append(e.uses, rustUse{path: segs, name: name, local: local})
}

// exports reads a module's text; nil when the repository has no file for it.
func (p *rustResolver) exports(module string) *rustExports {
	src, ok := p.read(module)
	if !ok {
		return nil
	}
	return rustExportsMemo.get(src, readRustExports)
}

// through follows a name that a module passes on to where it is defined, through at
// most a few modules. It gives back what it was asked when nothing is known.
func (p *rustResolver) through(module, name string, depth int) (rustAt, string) {
	here := rustAt{module: module}
	e := p.exports(module)
	if e == nil || depth > 6 || e.defines[name] || !spend(p.left) {
		return here, name
	}
	in := p.within(module)
	for _, u := range e.uses {
		if u.local != name || len(u.path) == 0 {
			continue
		}
		at, ok := in.walk(u.path, depth+1)
		switch {
		case at.outside:
			return at, u.name
		case !ok:
			return here, name
		case at.container != "" || at.module == module:
			return at, u.name
		}
		return in.through(at.module, u.name, depth+1)
	}
	for _, u := range e.uses {
		if u.name != "" {
			continue
		}
		at, ok := in.walk(u.path, depth+1)
		if !ok || at.container != "" || at.module == module {
			continue
		}
		if next := p.exports(at.module); next != nil && next.defines[name] {
			return at, name
		}
		if to, n := in.through(at.module, name, depth+1); to.module != at.module {
			return to, n
		}
	}
	return here, name
}

// within is a resolver that stands in another module, whose imports are read from
// its text when needed.
func (p *rustResolver) within(module string) *rustResolver {
	file := module + ".rs"
	for _, end := range []string{".rs", "/mod.rs", "/lib.rs", "/main.rs"} {
		if p.find(module, end) {
			file = module + end
			break
		}
	}
	q := &rustResolver{file: path.Clean(file), f: &Facts{}, repo: p.repo, own: module, left: p.left}
	q.root = q.crateRoot()
	return q
}
