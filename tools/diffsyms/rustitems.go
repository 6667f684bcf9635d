package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A reader of Rust items in the plainest way: cut the file into tokens, walk items by
// their keywords, skip bodies by their braces. It reads consts, unions and attributes,
// which ctags does not, and shares nothing with gitlet's reader.

// rustToken is one token of Rust source; strings, characters and lifetimes are cut short.
type rustToken struct {
	text string
	line int
}

// readRustItems reads each file with the item scanner.
func readRustItems(ctx context.Context, files []string) (map[string]Reading, error) {
	out := make(map[string]Reading, len(files))
	for _, path := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read %q: %w", path, err)
		}
		out[path] = scanRust(path, string(src))
	}
	return out, nil
}

// lexRust cuts source into tokens. An unclosed string or comment is an error.
func lexRust(s string) ([]rustToken, error) {
	var out []rustToken
	line := 1
	for i := 0; i < len(s); {
		start := i
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsSpace(r) || r == '\uFEFF':
			if r == '\n' {
				line++
			}
			i += size
			continue
		case strings.HasPrefix(s[i:], "//"):
			if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
				i += n
			} else {
				i = len(s)
			}
			continue
		case strings.HasPrefix(s[i:], "/*"):
			end := commentEnd(s, i)
			if end < 0 {
				return out, fmt.Errorf("line %d: unclosed comment", line)
			}
			line += strings.Count(s[i:end], "\n")
			i = end
			continue
		}
		end := literalEnd(s, i)
		if end < 0 {
			return out, fmt.Errorf("line %d: unclosed literal", line)
		}
		text := `""`
		if end == i {
			end = wordEnd(s, i)
			if end == i {
				end = i + size
			}
			text = s[start:end]
		}
		out = append(out, rustToken{text, line})
		line += strings.Count(s[start:end], "\n")
		i = end
	}
	return out, nil
}

func commentEnd(s string, i int) int {
	depth := 0
	for i < len(s) {
		switch {
		case strings.HasPrefix(s[i:], "/*"):
			depth++
			i += 2
		case strings.HasPrefix(s[i:], "*/"):
			depth--
			i += 2
			if depth == 0 {
				return i
			}
		default:
			i++
		}
	}
	return -1
}

func wordEnd(s string, i int) int {
	if strings.HasPrefix(s[i:], "r#") {
		i += 2
	}
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		i += size
	}
	return i
}

// literalEnd is where the string or character at i ends; i when there is none, -1
// when it does not end. A lifetime is none.
func literalEnd(s string, i int) int {
	j := i
	for j < len(s) && j < i+2 && (s[j] == 'b' || s[j] == 'c' || s[j] == 'r') {
		j++
	}
	hashes := 0
	if j > i && s[j-1] == 'r' {
		for j+hashes < len(s) && s[j+hashes] == '#' {
			hashes++
		}
		if j+hashes < len(s) && s[j+hashes] == '"' {
			close := `"` + strings.Repeat("#", hashes)
			n := strings.Index(s[j+hashes+1:], close)
			if n < 0 {
				return -1
			}
			return j + hashes + 1 + n + len(close)
		}
		return i
	}
	if j >= len(s) || s[j] != '"' && s[j] != '\'' || j > i+1 {
		return i
	}
	quote := s[j]
	if quote == '\'' && j+1 < len(s) && s[j+1] != '\\' {
		_, size := utf8.DecodeRuneInString(s[j+1:])
		if j+1+size >= len(s) || s[j+1+size] != '\'' {
			return i // a lifetime or a label
		}
		return j + 2 + size
	}
	for k := j + 1; k < len(s); k++ {
		switch s[k] {
		case '\\':
			k++
		case quote:
			return k + 1
		}
	}
	return -1
}

// rustScanner walks tokens.
type rustScanner struct {
	toks []rustToken
	at   int
	defs []Definition
	// passed are the parts whose items nobody can name from outside.
	passed []rustRegion
}

// rustRegion is a range of lines, both inclusive.
type rustRegion struct {
	from, to int
	what     string
}

// pass skips a group and notes what it was.
func (s *rustScanner) pass(what string) {
	r := rustRegion{what: what}
	if s.at < len(s.toks) {
		r.from = s.toks[s.at].line
	}
	s.skip()
	r.to = s.toks[s.at-1].line
	s.passed = append(s.passed, r)
}

func scanRust(path, src string) Reading {
	r := Reading{Path: path}
	s, err := scanItems(src)
	if err != nil {
		r.Error = err.Error()
		return r
	}
	r.Defs = s.defs
	return r
}

func scanItems(src string) (*rustScanner, error) {
	toks, err := lexRust(src)
	if err == nil {
		err = balanced(toks)
	}
	s := &rustScanner{toks: toks}
	if err == nil {
		s.items("", false)
	}
	return s, err
}

// explainRust says why ctags and gitlet may differ over d: the part of the file that
// ctags should have passed by, or that the item scanner sees d as well.
func explainRust(path string, d Definition) string {
	src, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	s, err := scanItems(string(src))
	if err != nil {
		return "the item scanner calls the file broken"
	}
	for _, o := range s.defs {
		if key(o, true) == key(d, true) && d.Line <= o.Line && o.Line <= max(d.Line, d.End) {
			return "the item scanner sees it"
		}
	}
	for _, r := range s.passed {
		if r.from <= d.Line && d.Line <= r.to {
			return r.what
		}
	}
	return "no item of the file"
}

// balanced reports brackets that do not match.
func balanced(toks []rustToken) error {
	var open []string
	pair := map[string]string{")": "(", "]": "[", "}": "{"}
	for _, t := range toks {
		switch t.text {
		case "(", "[", "{":
			open = append(open, t.text)
		case ")", "]", "}":
			if len(open) == 0 || open[len(open)-1] != pair[t.text] {
				return fmt.Errorf("line %d: %q without its match", t.line, t.text)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("%q is never closed", open[len(open)-1])
	}
	return nil
}

func (s *rustScanner) peek(n int) string {
	if s.at+n < len(s.toks) {
		return s.toks[s.at+n].text
	}
	return ""
}

// skip passes one token, or a whole bracketed group.
func (s *rustScanner) skip() {
	depth := 0
	for s.at < len(s.toks) {
		switch s.toks[s.at].text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		s.at++
		if depth <= 0 {
			return
		}
	}
}

// until stops before the first of the tokens that stands outside brackets.
func (s *rustScanner) until(stop ...string) string {
	for s.at < len(s.toks) {
		t := s.toks[s.at].text
		for _, x := range stop {
			if t == x {
				return t
			}
		}
		s.skip()
	}
	return ""
}

// items reads items up to the closing brace of their block.
func (s *rustScanner) items(container string, member bool) {
	test := false
	for s.at < len(s.toks) && s.peek(0) != "}" {
		if s.peek(0) == "#" {
			test = s.attribute() || test
			continue
		}
		if s.item(container, member, test) {
			test = false
		}
	}
}

// attribute passes #[...] or #![...] and reports whether it keeps the item to tests.
func (s *rustScanner) attribute() bool {
	start := s.at
	s.at++
	if s.peek(0) == "!" {
		s.at++
		s.skip()
		return false
	}
	s.skip()
	var b strings.Builder
	for _, t := range s.toks[start:s.at] {
		b.WriteString(t.text)
	}
	return testAttribute(b.String())
}

func (s *rustScanner) add(kind, container string, name rustToken, params int) {
	text := strings.TrimPrefix(name.text, "r#")
	if text == "_" {
		return
	}
	if container != "" {
		text = container + "." + text
	}
	s.defs = append(s.defs, Definition{Name: text, Kind: kind, Line: name.line, Params: params})
}

// item reads one item, or passes one token of its head. It reports whether the item is over.
func (s *rustScanner) item(container string, member, test bool) bool {
	next := s.peek(1)
	word := next != "" && (next[0] == '_' || next[0] >= utf8.RuneSelf || unicode.IsLetter(rune(next[0])))
	switch s.peek(0) {
	case "fn":
		s.function(container, member)
	case "struct", "union", "enum", "trait", "type", "mod":
		if !word {
			s.at++
			return false
		}
		s.named(s.peek(0), container, test)
	case "const", "static":
		return s.value(container)
	case "impl":
		s.at++
		if s.until("{", ";") == "{" {
			s.block("impl", true)
		} else {
			s.at++
		}
	case "extern":
		return s.foreign(container)
	case "use":
		s.until(";")
		s.at++
	case "macro_rules":
		s.macro()
	default:
		if word && next != "!" || s.peek(1) != "!" {
			s.skip()
			return s.at > 0 && s.toks[s.at-1].text == ";"
		}
		s.macro()
	}
	return true
}

// macro passes a call of a macro with whatever it holds.
func (s *rustScanner) macro() {
	if s.until("{", "(", "[", ";") == ";" {
		s.at++
		return
	}
	brace := s.peek(0) == "{"
	s.pass("inside a macro")
	if !brace && s.peek(0) == ";" {
		s.at++
	}
}

// block reads the items in braces.
func (s *rustScanner) block(container string, member bool) {
	s.at++
	s.items(container, member)
	s.at++
}

func (s *rustScanner) function(container string, member bool) {
	s.at++
	if s.at >= len(s.toks) {
		return
	}
	name := s.toks[s.at]
	s.at++
	s.angles()
	params := -1
	if s.peek(0) == "(" {
		params = countParams(s.toks[s.at:])
	}
	kind := "function"
	if member {
		kind = "method"
	}
	s.add(kind, container, name, params)
	if s.until("{", ";") == "{" {
		s.pass("inside a function")
	} else {
		s.at++
	}
}

// angles passes <...>, in which "->" closes nothing.
func (s *rustScanner) angles() {
	if s.peek(0) != "<" {
		return
	}
	depth := 0
	for s.at < len(s.toks) {
		switch s.toks[s.at].text {
		case "<":
			depth++
		case ">":
			if s.toks[s.at-1].text != "-" {
				depth--
			}
		}
		s.skip()
		if depth == 0 {
			return
		}
	}
}

func (s *rustScanner) named(kind, container string, test bool) {
	name := s.toks[s.at+1]
	s.at += 2
	if kind == "mod" {
		if s.until("{", ";") == ";" || test {
			s.pass("in a test-only module")
			return
		}
		inner := name.text
		if container != "" {
			inner = container + "." + inner
		}
		s.block(inner, false)
		return
	}
	if kind == "union" {
		kind = "struct"
	}
	s.add(kind, container, name, -1)
	s.angles()
	switch stop := s.until("{", ";"); {
	case stop == "{" && kind == "trait":
		s.block(name.text, true)
	default:
		s.skip()
	}
}

// value reads a const or static, unless the word is part of a function's head.
func (s *rustScanner) value(container string) bool {
	kind := map[string]string{"const": "const", "static": "var"}[s.peek(0)]
	i := 1
	if s.peek(i) == "mut" {
		i++
	}
	if s.peek(i+1) != ":" {
		if s.peek(i) == "{" || s.peek(i) == "" {
			s.skip()
			return false
		}
		s.at++
		return false
	}
	s.add(kind, container, s.toks[s.at+i], -1)
	for s.until("{", ";") == "{" {
		s.pass("inside a value")
	}
	s.at++
	return true
}

// foreign reads extern blocks; extern crate is passed, extern before fn too.
func (s *rustScanner) foreign(container string) bool {
	s.at++
	if s.peek(0) == `""` {
		s.at++
	}
	switch s.peek(0) {
	case "{":
		s.block(container, false)
	case "crate":
		s.until(";")
		s.at++
	default:
		return false
	}
	return true
}

// countParams counts what commas separate in the parentheses that toks start with;
// attributes and a self receiver are left out.
func countParams(toks []rustToken) int {
	var params [][]string
	var now []string
	depth, angle := 0, 0
	for i, t := range toks {
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case "<":
			angle++
		case ">":
			if p := toks[i-1].text; p != "-" && p != "=" && angle > 0 {
				angle--
			}
		}
		switch {
		case depth == 0 || t.text == "," && depth == 1 && angle == 0:
			if len(now) > 0 {
				params = append(params, now)
			}
			now = nil
		case i == 0:
		case t.text == "]" && len(now) > 0 && now[0] == "#" && depth == 1:
			now = nil // an attribute
		default:
			now = append(now, t.text)
		}
		if depth == 0 {
			return len(params) - receivers(params)
		}
	}
	return len(params) - receivers(params)
}

// receivers is 1 when the first parameter is self.
func receivers(params [][]string) int {
	if len(params) > 0 && isReceiver(params[0]) {
		return 1
	}
	return 0
}

// isReceiver reports whether a parameter's tokens are self in any of its forms.
func isReceiver(toks []string) bool {
	for i, t := range toks {
		switch {
		case t == "self":
			return i+1 == len(toks) || toks[i+1] == ":"
		case t == "&" || t == "mut" || t == "'":
		case i > 0 && toks[i-1] == "'":
		default:
			return false
		}
	}
	return false
}
