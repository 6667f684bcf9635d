package langtest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"gitlet/internal/lang"
	"gitlet/internal/model"
	"gitlet/internal/symbols"
)

// Same fails the test unless two versions define the same symbols with the same
// signatures and references; with bodies set, their body hashes must agree too.
func Same(t *testing.T, what string, a, b *lang.Facts, bodies bool) {
	t.Helper()
	if d := Differ(a, b, bodies); d != "" {
		t.Errorf("%s: %s", what, d)
	}
}

// Differ says how two versions differ in what must not, "" when they do not.
func Differ(a, b *lang.Facts, bodies bool) string {
	for i := 0; i < len(a.Symbols) && i < len(b.Symbols); i++ {
		x, y := a.Symbols[i], b.Symbols[i]
		switch {
		case x.Qualified != y.Qualified || x.Kind != y.Kind:
			return fmt.Sprintf("%s %s became %s %s", x.Kind, x.Qualified, y.Kind, y.Qualified)
		case x.SigHash != y.SigHash:
			return fmt.Sprintf("the signature hash of %s changed: %s -> %s", x.Qualified, x.Signature, y.Signature)
		case bodies && x.BodyHash != y.BodyHash:
			return fmt.Sprintf("the body hash of %s changed", x.Qualified)
		case bodies && x.Signature != y.Signature:
			return fmt.Sprintf("the signature of %s changed: %s -> %s", x.Qualified, x.Signature, y.Signature)
		}
	}
	if len(a.Symbols) != len(b.Symbols) {
		return fmt.Sprintf("%d symbols became %d", len(a.Symbols), len(b.Symbols))
	}
	if !bodies {
		return ""
	}
	for i := 0; i < len(a.Refs) && i < len(b.Refs); i++ {
		if x, y := a.Refs[i], b.Refs[i]; spell(x) != spell(y) || x.Kind != y.Kind {
			return fmt.Sprintf("reference %s %s became %s %s", x.Kind, spell(x), y.Kind, spell(y))
		}
	}
	if len(a.Refs) != len(b.Refs) {
		return fmt.Sprintf("%d references became %d", len(a.Refs), len(b.Refs))
	}
	return ""
}

// Laws checks what holds for every source of every language: formatting, comments,
// line endings and a byte-order mark change nothing; an edit inside one body is
// that symbol's body alone; reading twice gives the same; and the facts keep their
// own promises. The comment is how the language starts one that ends with the line.
func Laws(t *testing.T, l *lang.Language, comment string, src []byte) {
	t.Helper()
	before := Read(t, l, src)
	if d := Broken(before, len(src)); d != "" {
		t.Errorf("%s", d)
	}
	Same(t, "reading again", before, Read(t, l, src), true)
	if before.HasErrors {
		return // an edit may move the error
	}
	tree, err := symbols.Parse(l, src, symbols.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	for _, law := range []struct {
		name string
		edit func(*lang.Tree) []byte
	}{
		{"wider spaces", wider},
		{"blank lines", func(t *lang.Tree) []byte { return atLineEnds(t, "\n") }},
		{"comments", func(t *lang.Tree) []byte { return atLineEnds(t, "  "+comment+" note, (here\n") }},
		{"CRLF", func(t *lang.Tree) []byte { return bytes.ReplaceAll(t.Src, []byte("\n"), []byte("\r\n")) }},
		{"byte-order mark", func(t *lang.Tree) []byte { return append([]byte("\xef\xbb\xbf"), t.Src...) }},
	} {
		edited := law.edit(tree)
		after := Read(t, l, edited)
		if d := Differ(before, after, true); d != "" {
			t.Errorf("law %q: %s\n%s", law.name, d, edited)
		}
		if d := Broken(after, len(edited)); d != "" {
			t.Errorf("law %q: %s", law.name, d)
		}
	}
	bodyLaw(t, l, tree, before)
}

// Broken says which promise of facts does not hold, "" when all do.
func Broken(f *lang.Facts, size int) string {
	seen := map[string]bool{}
	last := 0
	for _, s := range f.Symbols {
		switch {
		case s.Name == "" || s.Qualified == "" || s.Kind == "" || s.Lang == "":
			return fmt.Sprintf("a symbol lacks a name, kind or language: %+v", s)
		case seen[s.Qualified]:
			return fmt.Sprintf("%s is defined twice", s.Qualified)
		case strings.ContainsAny(s.Qualified, ":\"'\n\r\t"):
			return fmt.Sprintf("the name %q cannot be given as path:name", s.Qualified)
		case s.SigHash == "" || s.BodyHash == "" || s.Signature == "":
			return fmt.Sprintf("%s lacks a hash or a signature", s.Qualified)
		case s.StartByte < last || s.EndByte <= s.StartByte || s.EndByte > size || s.StartLine < 1 || s.EndLine < s.StartLine:
			return fmt.Sprintf("%s has a wrong place: %d-%d after %d", s.Qualified, s.StartByte, s.EndByte, last)
		case !strings.HasPrefix(s.Qualified, s.Container):
			return fmt.Sprintf("%s is not named after its container %s", s.Qualified, s.Container)
		}
		seen[s.Qualified] = true
		last = s.StartByte
	}
	last = 0
	for _, r := range f.Refs {
		if r.Name == "" || r.Kind == "" || r.Line < 1 || r.Byte < last || r.Byte > size {
			return fmt.Sprintf("a reference has no name, kind or place, or is out of order: %+v", r)
		}
		last = r.Byte
	}
	return ""
}

// wider doubles each single space between two tokens of one line.
func wider(t *lang.Tree) []byte {
	var out []byte
	pos := 0
	for _, leaf := range leaves(t) {
		if start := t.Start(leaf); start > pos {
			gap := t.Src[pos:start]
			if string(gap) == " " && !literal(t, leaf, pos) {
				gap = []byte("  ")
			}
			out = append(out, gap...)
			pos = start
		}
		if end := t.End(leaf); end > pos {
			out = append(out, t.Src[pos:end]...)
			pos = end
		}
	}
	return append(out, t.Src[pos:]...)
}

// literal reports whether the gap before leaf lies inside a string or between tags.
func literal(t *lang.Tree, leaf lang.Node, from int) bool {
	for n := leaf; n != lang.None; n = t.Parent(n) {
		if t.Start(n) <= from {
			k := t.Kind(n)
			return n != t.Root() && (strings.Contains(k, "string") || strings.Contains(k, "template") || strings.Contains(k, "regex") ||
				k == "jsx_element" || k == "jsx_fragment")
		}
	}
	return false
}

// atLineEnds puts text before each line break that is not part of a token.
func atLineEnds(t *lang.Tree, text string) []byte {
	var out []byte
	pos := 0
	copyGap := func(gap []byte, inside bool) {
		for _, c := range gap {
			if c == '\n' && !inside && !bytes.Contains(gap, []byte("\\")) {
				out = append(out, text...)
				if text != "\n" {
					continue
				}
			}
			out = append(out, c)
		}
	}
	for _, leaf := range leaves(t) {
		if start := t.Start(leaf); start > pos {
			gap := t.Src[pos:start] // one with text holds the hidden quote of a string
			copyGap(gap, literal(t, leaf, pos) || len(bytes.TrimSpace(gap)) > 0)
			pos = start
		}
		if end := t.End(leaf); end > pos {
			b := t.Src[pos:end]
			copyGap(b, t.Named(leaf) || len(bytes.TrimSpace(b)) > 0)
			pos = end
		}
	}
	copyGap(t.Src[pos:], false)
	return out
}

func leaves(t *lang.Tree) []lang.Node {
	var out []lang.Node
	for n := t.Root(); int(n) < len(t.Nodes); n++ {
		if t.Leaf(n) {
			out = append(out, n)
		}
	}
	return out
}

// bodyLaw renames the last plain name in each function's body: that body must
// change, no signature may, and no other symbol at all.
func bodyLaw(t *testing.T, l *lang.Language, tree *lang.Tree, before *lang.Facts) {
	t.Helper()
	for i, s := range before.Symbols {
		if s.Kind != model.KindFunction && s.Kind != model.KindMethod {
			continue
		}
		at := lastName(tree, s)
		if at < 0 {
			continue
		}
		edited := append(append(append([]byte(nil), tree.Src[:at]...), "zz"...), tree.Src[at:]...)
		after := Read(t, l, edited)
		if after.HasErrors {
			continue
		}
		if d := Differ(before, after, false); d != "" {
			t.Errorf("law \"one body\": after an edit inside %s: %s\n%s", s.Qualified, d, edited)
			continue
		}
		for j, x := range after.Symbols {
			if same := x.BodyHash == before.Symbols[j].BodyHash; same == (i == j) {
				t.Errorf("law \"one body\": after an edit inside %s, the body of %s is changed: %v\n%s", s.Qualified, x.Qualified, !same, edited)
			}
		}
	}
}

// lastName is the end of the last plain identifier in the body of s, or -1.
func lastName(t *lang.Tree, s model.Symbol) int {
	at := -1
	for n := t.Root(); int(n) < len(t.Nodes); n++ {
		if !t.Leaf(n) || !t.Is(n, "identifier") || t.Start(n) < s.StartByte || t.End(n) > s.EndByte {
			continue
		}
		for p := t.Parent(n); p != lang.None && t.Start(p) >= s.StartByte; p = t.Parent(p) {
			if t.Field(p) == "body" && t.Start(p) > s.StartByte {
				at = t.End(n)
				break
			}
		}
	}
	return at
}
