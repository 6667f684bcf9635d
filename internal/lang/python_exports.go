package lang

import (
	"path"
	"strings"
)

// pyExports is what another module's text says at its top level, read by line: enough
// to follow a name that a package only passes on from one of its modules.
type pyExports struct {
	defines map[string]bool
	imports []Import
}

var pyExportsMemo = newMemo[*pyExports](512)

func readPyExports(src []byte) *pyExports {
	e := &pyExports{defines: map[string]bool{}}
	text := pyCode(string(src))
	conditional := false // below a try or an if of the module
	for len(text) > 0 {
		line, rest, _ := strings.Cut(text, "\n")
		body := strings.TrimLeft(line, " \t")
		indented := len(body) < len(line)
		word, after, _ := strings.Cut(strings.TrimRight(body, "\r"), " ")
		if !indented && body != "" && body[0] != '#' {
			conditional = wordIn(strings.TrimSuffix(word, ":"), "try", "if", "else", "elif", "except")
		}
		switch {
		case indented && !conditional:
		case word == "from":
			text = e.from(text[len(line)-len(body):])
			continue
		case word == "async":
			e.define(strings.TrimPrefix(after, "def "))
		case word == "def", word == "class", word == "type":
			e.define(after)
		case word != "import" && !indented:
			if name := e.head(body); name != "" {
				tail := strings.TrimLeft(body[len(name):], " ")
				if strings.HasPrefix(tail, ":") && !wordIn(name, "try", "else", "finally") ||
					strings.HasPrefix(tail, "=") && !strings.HasPrefix(tail, "==") {
					e.defines[name] = true
				}
			}
		}
		text = rest
	}
	return e
}

// pyCode is Python source for a reader by line: strings over many lines are emptied, so
// that no line of theirs looks like code.
func pyCode(src string) string {
	if !strings.Contains(src, `"""`) && !strings.Contains(src, "'''") {
		return src
	}
	var b strings.Builder
	b.Grow(len(src))
	for len(src) > 0 {
		n, mark := 1, ""
		switch c := src[0]; {
		case c == '#':
			if n = strings.IndexByte(src, '\n'); n < 0 {
				n = len(src)
			}
		case strings.HasPrefix(src, `"""`), strings.HasPrefix(src, "'''"):
			n, mark = pyStringEnd(src, src[:3]), `""`
		case c == '"', c == '\'':
			n = pyStringEnd(src, src[:1])
		}
		if mark == "" {
			mark = src[:n]
		}
		b.WriteString(mark)
		src = src[n:]
	}
	return b.String()
}

// pyStringEnd is the length of the string that s starts with, whose mark is one quote
// or three; a short one ends at its line's end at the latest.
func pyStringEnd(s, mark string) int {
	for i := len(mark); i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '\n' && len(mark) == 1:
			return i
		case strings.HasPrefix(s[i:], mark):
			return i + len(mark)
		}
	}
	return len(s)
}

func wordIn(s string, words ...string) bool { return hasString(words, s) }

func (e *pyExports) head(s string) string {
	n := 0
	for n < len(s) && nameByte(s[n]) {
		n++
	}
	return s[:n]
}

func (e *pyExports) define(s string) {
	if name := e.head(strings.TrimLeft(s, " ")); name != "" {
		e.defines[name] = true
	}
}

// from reads a statement "from m import a, (b as c)" at the start of text and
// returns what follows it.
func (e *pyExports) from(text string) string {
	line, rest, _ := strings.Cut(text, "\n")
	if strings.Contains(line, "(") && !strings.Contains(line, ")") {
		if end := strings.IndexByte(text, ')'); end >= 0 && end < 1<<14 {
			line, rest = text[:end], text[end+1:]
		}
	} else {
		for strings.HasSuffix(strings.TrimRight(line, "\r"), "\\") && rest != "" {
			var more string
			more, rest, _ = strings.Cut(rest, "\n")
			line = strings.TrimSuffix(strings.TrimRight(line, "\r"), "\\") + " " + more
		}
	}
	module, names, ok := strings.Cut(strings.TrimPrefix(line, "from "), " import")
	if !ok {
		return rest
	}
	module = strings.ReplaceAll(strings.TrimSpace(module), " ", "")
	var clean []string
	for l := range strings.Lines(names) {
		l, _, _ = strings.Cut(l, "#")
		clean = append(clean, strings.Trim(l, " \t\r\n()"))
	}
	for _, n := range strings.Split(strings.Join(clean, " "), ",") {
		words := strings.Fields(n)
		switch {
		case len(words) == 1 && words[0] == "*":
			e.imports = append(e.imports, Import{Module: module, Kind: "glob"})
		case len(words) == 1:
			e.imports = append(e.imports, Import{Module: module, Kind: "member", Name: words[0], Local: words[0]})
		case len(words) == 3 && words[1] == "as":
			e.imports = append(e.imports, Import{Module: module, Kind: "member", Name: words[0], Local: words[2]})
		}
	}
	return rest
}

// exports reads a module's text; nil when the repository has no file for it.
func (p pyResolver) exports(module string) (*pyExports, string) {
	src, file, ok := p.read(module)
	if !ok {
		return nil, ""
	}
	return pyExportsMemo.get(src, readPyExports), file
}

// passedOn follows a name that a module only imports to the module that defines it.
// It gives back what it was asked when nothing is known.
func (p pyResolver) passedOn(module, name string, depth int) (string, string) {
	e, file := p.exports(module)
	if e == nil || depth > 6 || e.defines[name] || !spend(p.left) {
		return module, name
	}
	in := pyResolver{file: file, f: p.f, repo: p.repo, left: p.left}
	for _, i := range e.imports {
		if i.Local != name || i.Kind != "member" {
			continue
		}
		m, drop := in.module(i.Module)
		if drop || m == module || in.exists(path.Join(m, i.Name)) || !in.exists(m) {
			return module, name
		}
		return in.passedOn(m, i.Name, depth+1)
	}
	for _, i := range e.imports {
		if i.Kind != "glob" {
			continue
		}
		if m, drop := in.module(i.Module); !drop && m != module {
			to, n := in.passedOn(m, name, depth+1)
			if next, _ := p.exports(to); next != nil && next.defines[n] {
				return to, n
			}
		}
	}
	return module, name
}
