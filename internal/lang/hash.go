package lang

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// hashOptions says what a body hash leaves out or adds.
type hashOptions struct {
	// replace maps a node to what stands for its whole subtree: "" drops it (the
	// definition's own name), anything else is a placeholder (the qualified name of a
	// nested definition, which is a symbol of its own).
	replace map[Node]string
	// token may rewrite a leaf's text, or drop the leaf by returning nil. Line
	// endings are already "\n". May be nil.
	token func(n Node, text []byte) []byte
	// around gives tokens that stand before and after a node's own ones, "" for
	// none: Python's blocks have no tokens for their indentation. May be nil.
	around func(n Node) (before, after string)
	// own are the names by which a definition mentions itself: its name and those of
	// its containers. They count by their place, so that a renamed definition keeps
	// its hash though it calls itself or returns its own type.
	own []string
}

// ownNames are a symbol's names for hashOptions.own.
func ownNames(name, container string) []string {
	own := []string{name}
	if container != "" {
		own = append(own, strings.Split(container, ".")...)
	}
	return own
}

// literalKinds hold text in which white space is content.
var literalKinds = map[string]bool{
	"string": true, "string_content": true, "string_fragment": true, "string_literal": true,
	"template_string": true, "template_literal_type": true, "interpreted_string_literal": true,
	"raw_string_literal": true, "rune_literal": true, "char_literal": true, "regex": true,
	"regex_pattern": true, "jsx_text": true, "byte_string_literal": true,
}

// wholeLiterals are strings that hold no code. They count as one token: a grammar may
// hide their quotes, or take the white space after an opening quote for formatting.
var wholeLiterals = map[string]bool{"raw_string_literal": true, "string_literal": true}

// bodyHash hashes the leaf tokens of the nodes, one after another, as 16 hex
// characters. Comments, white space between tokens, terminators made of a line
// break and trailing commas do not count.
func bodyHash(t *Tree, o hashOptions, nodes ...Node) string {
	h := tokenHash{t: t, o: o, buf: t.scratch[:0], replaced: slices.Sorted(maps.Keys(o.replace))}
	for _, n := range nodes {
		if n != None {
			h.node(n)
		}
	}
	t.scratch = h.buf
	return shortHash(h.buf)
}

// shortHash is the first 16 hex characters of the SHA-256 of b.
func shortHash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

type tokenHash struct {
	t   *Tree
	o   hashOptions
	buf []byte
	// replaced are the keys of o.replace in order: a map look-up for every node costs more.
	replaced []Node
}

type pendingToken struct {
	at    Node
	after string
}

func (h *tokenHash) emit(b []byte) { h.buf = append(append(h.buf, b...), 0) }

// node appends the tokens of one subtree.
func (h *tokenHash) node(root Node) {
	t, end := h.t, h.t.Next(root)
	pos := t.Start(root)
	at, _ := slices.BinarySearch(h.replaced, root)
	replaced := h.replaced[at:]
	var open []pendingToken
	for n := root; n < end; {
		for len(open) > 0 && open[len(open)-1].at <= n {
			h.emit([]byte(open[len(open)-1].after))
			open = open[:len(open)-1]
		}
		if t.Extra(n) && n != root && !t.IsError(n) {
			if g := t.Start(n); g > pos {
				h.gap(n, pos, g)
			}
			pos = t.End(n)
			n = t.Next(n)
			continue
		}
		for len(replaced) > 0 && replaced[0] < n {
			replaced = replaced[1:]
		}
		if len(replaced) > 0 && replaced[0] == n {
			if with := h.o.replace[n]; with != "" {
				h.emit([]byte("\x01" + with))
			}
			pos = t.End(n)
			n = t.Next(n)
			continue
		}
		if t.trait(n, traitWhole) {
			if g := t.Start(n); g > pos {
				h.gap(n, pos, g)
			}
			h.emit(unixLines(t.Bytes(n)))
			pos = t.End(n)
			n = t.Next(n)
			continue
		}
		if h.o.around != nil {
			before, after := h.o.around(n)
			if before != "" {
				h.emit([]byte(before))
			}
			if after != "" {
				open = append(open, pendingToken{t.Next(n), after})
			}
		}
		if t.Leaf(n) {
			if g := t.Start(n); g > pos {
				h.gap(n, pos, g)
			}
			h.leaf(n)
			if e := t.End(n); e > pos {
				pos = e
			}
		}
		n++
	}
	for i := len(open) - 1; i >= 0; i-- {
		h.emit([]byte(open[i].after))
	}
	if e := t.End(root); e > pos {
		h.text(t.Src[pos:e], false)
	}
}

// leaf appends one token.
func (h *tokenHash) leaf(n Node) {
	t := h.t
	if t.Start(n) == t.End(n) || blankToken(t, n) || trailingComma(t, n) {
		return
	}
	b := unixLines(t.Bytes(n))
	if h.o.token != nil {
		if b = h.o.token(n, b); b == nil {
			return
		}
	}
	for i, own := range h.o.own {
		if len(b) == len(own) && string(b) == own && strings.HasSuffix(t.Kind(n), "identifier") {
			h.emit([]byte{3, byte(i)})
			return
		}
	}
	h.emit(b)
}

// gap appends text between leaves that no token covers: grammars hide parts of
// string literals, and error recovery skips characters.
func (h *tokenHash) gap(next Node, from, to int) {
	p := next
	for p > 0 && h.t.Start(p) > from {
		p = h.t.Parent(p)
	}
	h.text(h.t.Src[from:to], h.t.trait(p, traitLiteral))
}

func (h *tokenHash) text(b []byte, literal bool) {
	if !literal && len(bytes.TrimLeft(b, " \t\n\r")) == 0 {
		return
	}
	b = unixLines(b)
	if !literal {
		b = bytes.Join(bytes.Fields(b), nil)
	}
	if len(b) > 0 {
		h.emit(b)
	}
}

// blankToken reports whether n is a terminator made of white space, as Go's line ends.
func blankToken(t *Tree, n Node) bool {
	if t.Named(n) {
		return false
	}
	b := t.Bytes(n)
	return (len(b) == 0 || b[0] <= ' ' || b[0] >= utf8.RuneSelf) && len(bytes.TrimSpace(b)) == 0
}

// trailingComma reports whether n is a comma that only formatting put before a
// closing bracket. A one-element tuple's comma is not.
func trailingComma(t *Tree, n Node) bool {
	if t.Start(n)+1 != t.End(n) || t.Src[t.Start(n)] != ',' || t.Named(n) {
		return false
	}
	next := t.NextSibling(n)
	for next != None && t.Extra(next) {
		next = t.NextSibling(next)
	}
	if !t.Is(next, ")", "]", "}", ">", "|") {
		return false
	}
	parent := t.Parent(n)
	switch t.Kind(parent) {
	case "token_tree", "subscript":
		return false
	case "tuple", "tuple_expression", "tuple_type", "tuple_pattern":
		count := 0
		for range t.NamedChildren(parent) {
			count++
		}
		if count == 1 {
			return false
		}
	}
	prev := t.PrevSibling(n)
	for prev != None && t.Extra(prev) {
		prev = t.PrevSibling(prev)
	}
	return prev != None && t.Named(prev)
}

// unixLines turns "\r\n" into "\n"; line endings are not content.
func unixLines(b []byte) []byte {
	if bytes.IndexByte(b, '\r') < 0 {
		return b
	}
	return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
}
