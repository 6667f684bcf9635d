package jsonc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Kind is what a value is.
type Kind int

// The kinds.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

func (k Kind) String() string {
	return [...]string{"null", "true or false", "a number", "a text", "a list", "an object"}[k]
}

// Value is one value and where it stands: [Start, End) of the text.
type Value struct {
	Kind       Kind
	Start, End int
	Text       string   // of a String, decoded
	Members    []Member // of an Object, in order; a name may come twice
	Elems      []*Value // of an Array
}

// Member is one name and value of an object.
type Member struct {
	Name     string // decoded
	KeyStart int
	Value    *Value
}

// Get is the value of the last member of that name, as JSON readers take it; nil for none.
func (v *Value) Get(name string) *Value {
	if v == nil {
		return nil
	}
	for i := len(v.Members) - 1; i >= 0; i-- {
		if v.Members[i].Name == name {
			return v.Members[i].Value
		}
	}
	return nil
}

// Strings are the texts of an array, those elements that are texts.
func (v *Value) Strings() []string {
	var out []string
	if v != nil {
		for _, e := range v.Elems {
			if e.Kind == String {
				out = append(out, e.Text)
			}
		}
	}
	return out
}

// SyntaxError is text that is no JSON, also not with comments and trailing commas.
type SyntaxError struct {
	Line, Column int // from 1; the column in bytes
	What         string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.What)
}

const (
	bom      = "\xef\xbb\xbf"
	maxDepth = 200
)

// Doc is a text and the value in it.
type Doc struct {
	Root *Value // nil where the text holds nothing but space and comments
	// Plain is whether any JSON reader takes it: without comments, trailing commas and
	// byte-order mark.
	Plain bool
}

// Parse reads a text.
func Parse(text []byte) (*Doc, error) {
	p := &parser{b: text, plain: true}
	if bytes.HasPrefix(text, []byte(bom)) {
		p.at, p.plain = len(bom), false
	}
	p.space()
	d := &Doc{}
	if p.err == nil && p.at < len(text) {
		d.Root = p.value(0)
		p.space()
		if p.err == nil && p.at < len(text) {
			p.fail("something follows the end of the value")
		}
	}
	if p.err != nil {
		return nil, p.err
	}
	d.Plain = p.plain && d.Root != nil
	return d, nil
}

type parser struct {
	b     []byte
	at    int
	plain bool
	err   *SyntaxError
}

func (p *parser) fail(format string, args ...any) {
	if p.err != nil {
		return
	}
	before := p.b[:min(p.at, len(p.b))]
	p.err = &SyntaxError{Line: bytes.Count(before, []byte("\n")) + 1, Column: len(before) - bytes.LastIndexByte(before, '\n'),
		What: fmt.Sprintf(format, args...)}
}

func (p *parser) peek() byte {
	if p.at < len(p.b) {
		return p.b[p.at]
	}
	return 0
}

// space skips white space and comments.
func (p *parser) space() {
	for p.err == nil && p.at < len(p.b) {
		rest := p.b[p.at:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			p.at++
		case bytes.HasPrefix(rest, []byte("//")):
			p.plain = false
			if n := bytes.IndexByte(rest, '\n'); n >= 0 {
				p.at += n
			} else {
				p.at = len(p.b)
			}
		case bytes.HasPrefix(rest, []byte("/*")):
			p.plain = false
			n := bytes.Index(rest[2:], []byte("*/"))
			if n < 0 {
				p.fail("a comment has no end")
				return
			}
			p.at += n + 4
		default:
			return
		}
	}
}

func (p *parser) value(depth int) *Value {
	v := &Value{Start: p.at}
	if depth > maxDepth {
		p.fail("it is nested deeper than %d", maxDepth)
		return v
	}
	switch c := p.peek(); {
	case c == '{':
		v.Kind = Object
		p.list('}', func() {
			m := Member{KeyStart: p.at}
			if p.peek() != '"' {
				p.fail("a name in double quotes is missing%s", p.instead())
				return
			}
			m.Name = p.text()
			p.space()
			if p.peek() != ':' {
				p.fail("a colon is missing%s", p.instead())
				return
			}
			p.at++
			p.space()
			m.Value = p.value(depth + 1)
			v.Members = append(v.Members, m)
		})
	case c == '[':
		v.Kind = Array
		p.list(']', func() { v.Elems = append(v.Elems, p.value(depth+1)) })
	case c == '"':
		v.Kind = String
		v.Text = p.text()
	default:
		p.word(v)
	}
	v.End = p.at
	return v
}

// list reads what stands between brackets.
func (p *parser) list(end byte, item func()) {
	open := *p
	p.at++
	p.space()
	for p.err == nil {
		if p.peek() == end {
			p.at++
			return
		}
		if p.at >= len(p.b) {
			p.at = open.at
			p.fail("the %q that opens here is never closed", p.b[p.at])
			return
		}
		item()
		p.space()
		switch {
		case p.err != nil:
			return
		case p.peek() == ',':
			p.at++
			p.space()
			if p.peek() == end {
				p.plain = false
			}
		case p.peek() != end && p.at < len(p.b):
			p.fail("a comma or %q is missing%s", end, p.instead())
		}
	}
}

func (p *parser) instead() string {
	if p.at >= len(p.b) {
		return ": the text ends"
	}
	r, _ := utf8.DecodeRune(p.b[p.at:])
	return fmt.Sprintf(" before %q", r)
}

// text reads a string.
func (p *parser) text() string {
	start := p.at
	for p.at++; p.at < len(p.b); p.at++ {
		switch p.b[p.at] {
		case '\\':
			p.at++
		case '"':
			p.at++
			var s string
			if err := json.Unmarshal(p.b[start:p.at], &s); err != nil {
				p.at = start
				p.fail("this text has a character or an escape that JSON does not allow")
			}
			return s
		case '\n':
			p.at = start
			p.fail("this text has no end on its line")
			return ""
		}
	}
	p.at = start
	p.fail("this text has no end")
	return ""
}

// word reads what is neither list nor text.
func (p *parser) word(v *Value) {
	start := p.at
	for p.at < len(p.b) && !bytes.ContainsRune([]byte(" \t\r\n,:]}[{\"/"), rune(p.b[p.at])) {
		p.at++
	}
	w := p.b[start:p.at]
	switch string(w) {
	case "null":
		v.Kind = Null
	case "true", "false":
		v.Kind = Bool
	default:
		v.Kind = Number
		if !json.Valid(w) {
			p.at = start
			p.fail("a value is missing%s", p.instead())
		}
	}
}
