package lang

import "bytes"

// Node is an index into a Tree; None is no node.
type Node int32

// None is the absent node.
const None Node = -1

// Node flags, as package symbols' parser sets them.
const (
	FlagNamed    = 1 << iota // a named node of the grammar
	FlagExtra                // may appear anywhere: comments
	FlagMissing              // inserted by error recovery, covers no text
	FlagError                // an ERROR node
	FlagHasError             // holds an error somewhere below
)

// RawNode is one node in preorder. Its layout matches the C struct in package symbols.
type RawNode struct {
	Sym    uint16 // index into Grammar.Kinds
	Field  uint16 // index into Grammar.Fields; 0 is none
	Flags  uint32
	Start  uint32 // byte offset
	End    uint32 // byte offset, exclusive
	Row    uint32 // 0-based line of Start
	EndRow uint32
	Parent int32
	Next   int32 // index just past this node's subtree
}

// Grammar names a grammar's node kinds and fields by their numbers.
type Grammar struct {
	Kinds  []string
	Fields []string
	traits []uint8 // by kind
}

// What is asked of nearly every node is looked up by kind number, not by name.
const (
	traitLiteral = 1 << iota // one of literalKinds
	traitWhole               // one of wholeLiterals
	traitMembers             // one of memberLists
	traitImport              // a whole import statement
	traitBlock               // a "block"
)

// NewGrammar returns the grammar with these names of kinds and fields.
func NewGrammar(kinds, fields []string) Grammar {
	g := Grammar{kinds, fields, make([]uint8, len(kinds))}
	for i, k := range kinds {
		for trait, on := range map[uint8]bool{
			traitLiteral: literalKinds[k], traitWhole: wholeLiterals[k],
			traitMembers: memberLists[k], traitImport: importNode(k), traitBlock: k == "block",
		} {
			if on {
				g.traits[i] |= trait
			}
		}
	}
	return g
}

// Tree is a whole syntax tree as one flat array in preorder, so walking it costs
// no calls into C. Node 0 is the root.
type Tree struct {
	Src   []byte
	Nodes []RawNode
	*Grammar
	scratch []byte // reused while hashing
	left    int    // how many more steps reading it may take
}

// stepsPerNode bounds the work of reading a tree. Ordinary code takes fewer than
// five steps for each node; what takes a hundred is made to.
const stepsPerNode = 100

// NewTree returns a tree whose reading panics with Exhausted when it takes out of
// all proportion to the tree's size.
func NewTree(src []byte, nodes []RawNode, g *Grammar) *Tree {
	return &Tree{Src: src, Nodes: nodes, Grammar: g, left: stepsPerNode*len(nodes) + 1<<20}
}

// Exhausted is the panic of a tree that took too much work to read. It depends on
// the source alone, not on the machine.
type Exhausted struct{}

// spend counts steps of reading.
func (t *Tree) spend(steps int) {
	if t.left -= steps; t.left < 0 {
		panic(Exhausted{})
	}
}

// Steps is how much work reading has taken so far.
func (t *Tree) Steps() int { return stepsPerNode*len(t.Nodes) + 1<<20 - t.left }

func (t *Tree) trait(n Node, trait uint8) bool { return n >= 0 && t.traits[t.Nodes[n].Sym]&trait != 0 }

// Root returns the root node.
func (t *Tree) Root() Node { return 0 }

// Kind returns n's kind, such as "function_declaration"; "" for None.
func (t *Tree) Kind(n Node) string {
	if n < 0 {
		return ""
	}
	return t.Kinds[t.Nodes[n].Sym]
}

// Is reports whether n has one of the kinds.
func (t *Tree) Is(n Node, kinds ...string) bool {
	k := t.Kind(n)
	for _, x := range kinds {
		if x == k {
			return true
		}
	}
	return false
}

// Field returns the field name of n in its parent, or "".
func (t *Tree) Field(n Node) string {
	if n < 0 {
		return ""
	}
	return t.Fields[t.Nodes[n].Field]
}

func (t *Tree) flag(n Node, f uint32) bool { return n >= 0 && t.Nodes[n].Flags&f != 0 }

// Named reports whether n is a named node.
func (t *Tree) Named(n Node) bool { return t.flag(n, FlagNamed) }

// Extra reports whether n may appear anywhere, as comments do.
func (t *Tree) Extra(n Node) bool { return t.flag(n, FlagExtra) }

// Missing reports whether error recovery made n up.
func (t *Tree) Missing(n Node) bool { return t.flag(n, FlagMissing) }

// IsError reports whether n is an ERROR node.
func (t *Tree) IsError(n Node) bool { return t.flag(n, FlagError) }

// HasError reports whether n or anything below it is an error.
func (t *Tree) HasError(n Node) bool { return t.flag(n, FlagHasError) }

// Start and End are n's byte offsets, end exclusive.
func (t *Tree) Start(n Node) int { return int(t.Nodes[n].Start) }

// End is the byte offset just past n.
func (t *Tree) End(n Node) int { return int(t.Nodes[n].End) }

// Line is n's first line, from 1.
func (t *Tree) Line(n Node) int { return int(t.Nodes[n].Row) + 1 }

// EndLine is n's last line, from 1.
func (t *Tree) EndLine(n Node) int {
	r := t.Nodes[n]
	if r.EndRow > r.Row && r.End > r.Start && t.Src[r.End-1] == '\n' {
		return int(r.EndRow)
	}
	return int(r.EndRow) + 1
}

// Bytes is the source of n.
func (t *Tree) Bytes(n Node) []byte {
	if n < 0 {
		return nil
	}
	return t.Src[t.Nodes[n].Start:t.Nodes[n].End]
}

// Text is the source of n as a string.
func (t *Tree) Text(n Node) string {
	b := t.Bytes(n)
	t.spend(1 + len(b)>>6)
	return string(b)
}

// Equals reports whether n's source is s.
func (t *Tree) Equals(n Node, s string) bool { return bytes.Equal(t.Bytes(n), []byte(s)) }

// Parent returns n's parent, or None.
func (t *Tree) Parent(n Node) Node {
	if n < 0 {
		return None
	}
	return Node(t.Nodes[n].Parent)
}

// FirstChild returns n's first child, anonymous ones included, or None.
func (t *Tree) FirstChild(n Node) Node {
	if n < 0 || int32(n)+1 >= t.Nodes[n].Next {
		return None
	}
	return n + 1
}

// NextSibling returns the node after n under the same parent, or None.
func (t *Tree) NextSibling(n Node) Node {
	p := t.Parent(n)
	if p < 0 {
		return None
	}
	if next := t.Nodes[n].Next; next < t.Nodes[p].Next {
		return Node(next)
	}
	return None
}

// PrevSibling returns the node before n under the same parent, or None.
func (t *Tree) PrevSibling(n Node) Node {
	prev := None
	for c := t.FirstChild(t.Parent(n)); c != None && c != n; c = t.NextSibling(c) {
		t.spend(1)
		prev = c
	}
	return prev
}

// Children yields n's children in order, anonymous ones included:
//
//	for c := range t.Children(n) { ... }
func (t *Tree) Children(n Node) func(yield func(Node) bool) {
	return func(yield func(Node) bool) {
		for c := t.FirstChild(n); c != None; c = t.NextSibling(c) {
			t.spend(1)
			if !yield(c) {
				return
			}
		}
	}
}

// NamedChildren yields n's named children, comments and other extras left out.
func (t *Tree) NamedChildren(n Node) func(yield func(Node) bool) {
	return func(yield func(Node) bool) {
		for c := t.FirstChild(n); c != None; c = t.NextSibling(c) {
			t.spend(1)
			if t.Named(c) && !t.Extra(c) && !yield(c) {
				return
			}
		}
	}
}

// Child returns n's first child under the field, or None.
func (t *Tree) Child(n Node, field string) Node {
	for c := t.FirstChild(n); c != None; c = t.NextSibling(c) {
		t.spend(1)
		if t.Field(c) == field {
			return c
		}
	}
	return None
}

// ChildOf returns n's first child of one of the kinds, or None.
func (t *Tree) ChildOf(n Node, kinds ...string) Node {
	for c := t.FirstChild(n); c != None; c = t.NextSibling(c) {
		t.spend(1)
		if t.Is(c, kinds...) {
			return c
		}
	}
	return None
}

// HasToken reports whether n has a direct child whose kind is the token, such as "async".
func (t *Tree) HasToken(n Node, token string) bool { return t.ChildOf(n, token) != None }

// Next returns the node just past n's subtree in preorder; it may equal len(Nodes).
func (t *Tree) Next(n Node) Node { return Node(t.Nodes[n].Next) }

// Leaf reports whether n has no children.
func (t *Tree) Leaf(n Node) bool { return t.Nodes[n].Next == int32(n)+1 }
