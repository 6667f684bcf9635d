package jsonc

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Pair is a member of an object that is written.
type Pair struct {
	Name  string
	Value any // string, bool, []string, []any, []Pair
}

// Style says how written values are laid out.
type Style struct {
	Indent string // one step, "" for everything on one line
	NL     string // the line end
}

// StyleOf is how a text is laid out: its first indented line, and its first line end.
func StyleOf(text []byte) Style {
	s := Style{NL: "\n"}
	i := bytes.IndexByte(text, '\n')
	if i < 0 {
		return s
	}
	if i > 0 && text[i-1] == '\r' {
		s.NL = "\r\n"
	}
	s.Indent = "  "
	for _, line := range bytes.Split(text[i+1:], []byte("\n")) {
		body := bytes.TrimLeft(line, " \t")
		if n := len(line) - len(body); n > 0 && len(bytes.TrimSpace(body)) > 0 && body[0] != '*' {
			s.Indent = string(line[:n])
			break
		}
	}
	return s
}

// Render writes a value that begins on a line indented by at.
func (s Style) Render(v any, at string) string {
	switch v := v.(type) {
	case []Pair:
		var items []string
		for _, p := range v {
			items = append(items, quote(p.Name)+": "+s.Render(p.Value, at+s.Indent))
		}
		return s.wrap("{", "}", items, at)
	case []any:
		var items []string
		for _, e := range v {
			items = append(items, s.Render(e, at+s.Indent))
		}
		return s.wrap("[", "]", items, at)
	case []string:
		items := make([]string, len(v))
		for i, e := range v {
			items[i] = quote(e)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case string:
		return quote(v)
	case bool:
		if v {
			return "true"
		}
		return "false"
	}
	return "null"
}

func (s Style) wrap(open, end string, items []string, at string) string {
	if s.Indent == "" {
		return open + " " + strings.Join(items, ", ") + " " + end
	}
	nl := s.NL + at
	return open + nl + s.Indent + strings.Join(items, ","+nl+s.Indent) + nl + end
}

func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// AddMember puts a member last into an object of text.
func AddMember(text []byte, obj *Value, name string, value any) []byte {
	var ends []int
	for _, m := range obj.Members {
		ends = append(ends, m.Value.End)
	}
	first := -1
	if len(obj.Members) > 0 {
		first = obj.Members[0].KeyStart
	}
	return add(text, obj, first, ends, func(s Style, at string) string { return quote(name) + ": " + s.Render(value, at) })
}

// AddElem puts an element last into an array of text.
func AddElem(text []byte, arr *Value, value any) []byte {
	var ends []int
	first := -1
	for i, e := range arr.Elems {
		if i == 0 {
			first = e.Start
		}
		ends = append(ends, e.End)
	}
	return add(text, arr, first, ends, func(s Style, at string) string { return s.Render(value, at) })
}

// add puts something last into a list. The comma it needs goes straight behind the item
// before it, the item itself behind that one's remark on the same line, so that remarks
// stay with what they are about.
func add(text []byte, list *Value, first int, ends []int, item func(Style, string) string) []byte {
	style := StyleOf(text)
	if len(ends) == 0 {
		inside := text[list.Start+1 : list.End-1]
		if !bytes.ContainsRune(inside, '\n') {
			// Nothing is put before it, so that taking it out leaves what was here. A line
			// remark cannot be here: it would hold the bracket.
			at := list.Start + 1 + len(bytes.TrimRight(inside, " \t"))
			return splice(text, at, at, item(Style{NL: style.NL}, ""))
		}
		at := list.Start + 1 + lineRemark(text[list.Start+1:list.End-1])
		depth := indentOf(text, list.Start) + style.Indent
		// On one line: a list made here is laid out in several, which tells the two apart.
		return splice(text, at, at, style.NL+depth+item(Style{NL: style.NL}, ""))
	}
	sep, depth := " ", ""
	if bytes.ContainsRune(text[list.Start:first], '\n') || len(ends) > 1 && bytes.ContainsRune(text[first:ends[len(ends)-1]], '\n') && lineStart(text, first) {
		depth = indentOf(text, first)
		sep = style.NL + depth
	} else {
		style.Indent = ""
		if bytes.ContainsRune(text[list.Start:list.End], '\n') && bytes.ContainsRune(text[ends[len(ends)-1]:list.End], '\n') {
			sep = style.NL
		}
	}
	last := ends[len(ends)-1]
	comma := commaAfter(text, last, list.End-1)
	at := last
	if comma >= 0 {
		at = comma + 1
	}
	at += lineRemark(text[at : list.End-1])
	new := sep + item(style, depth)
	if comma >= 0 {
		return splice(text, at, at, new+",")
	}
	return splice(splice(text, at, at, new), last, last, ",")
}

// Remove takes item i out of a list (an object or an array).
func Remove(text []byte, list *Value, i int) []byte {
	start := func(i int) int {
		if list.Kind == Object {
			return list.Members[i].KeyStart
		}
		return list.Elems[i].Start
	}
	end := func(i int) int {
		if list.Kind == Object {
			return list.Members[i].Value.End
		}
		return list.Elems[i].End
	}
	from := len(bytes.TrimRight(text[:start(i)], " \t\r\n"))
	to := end(i)
	after := commaAfter(text, to, list.End-1)
	rest := text[to:]
	if after == to {
		rest = rest[1:]
	}
	if inRemark(text, from) && !bytes.HasPrefix(rest, []byte("\n")) && !bytes.HasPrefix(rest, []byte("\r\n")) {
		from = start(i) // what follows must not become part of the remark
	}
	n := len(list.Members) + len(list.Elems)
	switch {
	case after >= 0 && i == 0 && n > 1 && len(bytes.TrimSpace(text[after+1:start(1)])) == 0:
		return splice(text, start(0), start(1), "")
	case after >= 0:
		out := append([]byte{}, text[:from]...)
		out = append(out, text[to:after]...)
		return append(out, text[after+1:]...)
	case i > 0:
		out := splice(text, from, to, "")
		if c := commaAfter(text, end(i-1), start(i)); c >= 0 {
			out = splice(out, c, c+1, "")
		}
		return out
	}
	return splice(text, from, to, "")
}

func splice(text []byte, from, to int, with string) []byte {
	out := make([]byte, 0, len(text)+len(with))
	out = append(out, text[:from]...)
	out = append(out, with...)
	return append(out, text[to:]...)
}

// inRemark is whether a line remark reaches to at.
func inRemark(text []byte, at int) bool {
	p := &parser{b: text[:at]}
	for p.at < at {
		switch c := p.b[p.at]; {
		case c == '"':
			p.text()
		case c == '/':
			was := p.at
			line, _, broken := bytes.Cut(p.b[was:], []byte("\n"))
			p.space()
			if p.at == at && bytes.HasPrefix(line, []byte("//")) && !broken {
				return true
			}
			if p.at == was || p.err != nil {
				return false
			}
		default:
			p.at++
		}
	}
	return false
}

// commaAfter is where the comma behind an item stands, -1 for none before end.
func commaAfter(text []byte, from, end int) int {
	p := &parser{b: text[:end], at: from}
	p.space()
	if p.at < end && text[p.at] == ',' {
		return p.at
	}
	return -1
}

// lineRemark is how much of rest is remarks on the same line, with the space before them.
func lineRemark(rest []byte) int {
	n := 0
	for {
		i := n + len(rest[n:]) - len(bytes.TrimLeft(rest[n:], " \t"))
		switch {
		case bytes.HasPrefix(rest[i:], []byte("//")):
			line, _, _ := bytes.Cut(rest[i:], []byte("\n"))
			return i + len(bytes.TrimRight(line, "\r"))
		case bytes.HasPrefix(rest[i:], []byte("/*")):
			end := bytes.Index(rest[i:], []byte("*/"))
			if end < 0 || bytes.ContainsRune(rest[i:i+end], '\n') {
				return n
			}
			n = i + end + 2
		default:
			return n
		}
	}
}

// indentOf is the white space that begins the line at stands on.
func indentOf(text []byte, at int) string {
	line := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
	line = bytes.TrimPrefix(line, []byte(bom))
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// lineStart is whether nothing but white space stands before at on its line.
func lineStart(text []byte, at int) bool {
	return len(bytes.TrimLeft(text[bytes.LastIndexByte(text[:at], '\n')+1:at], " \t")) == 0
}
