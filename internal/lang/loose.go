package lang

import (
	"bytes"
	"hash/maphash"
	"sort"
	"strings"
)

// Loose is one top-level statement, as far as it lies outside every symbol:
// CommonJS exports, module-level calls, macro bodies, the head of an impl block.
// Imports, comments and blank space are never loose. Hashes compare within one
// process only.
type Loose struct {
	Hash uint64
	// Lines are the statement's loose lines.
	Lines []LooseLine
	// Holds lists the qualified names of the symbols defined inside the statement.
	Holds []string
	// Clause is set for a package clause: every file has one, so a new file's says
	// nothing, while a changed one does.
	Clause bool
}

// LooseLine is the loose part of one line.
type LooseLine struct {
	Line int // from 1
	Hash uint64
}

var looseSeed = maphash.MakeSeed()

// Complete fills in what every language's facts say alike: the code outside
// symbols, and whether conflict markers stand in the text. It needs f's symbols
// and imports.
func Complete(t *Tree, f *Facts) {
	f.Markers = f.HasErrors && conflictMarkers(t.Src)
	f.Loose, f.Lines = nil, LinesOf(t.Src)
	w := looseWalk{t: t, f: f, spans: outermost(f)}
	for _, im := range f.Imports {
		if im.Kind == "commonjs" {
			if w.skip == nil {
				w.skip = map[int]bool{}
			}
			w.skip[1+bytes.Count(t.Src[:min(im.Byte, len(t.Src))], []byte("\n"))] = true
		}
	}
	for c := range t.Children(t.Root()) {
		w.statement(c)
	}
}

// span is the byte range of one symbol that lies in no other.
type span struct {
	start, end int
	name       string
}

func outermost(f *Facts) []span {
	all := make([]span, 0, len(f.Symbols))
	for _, s := range f.Symbols {
		all = append(all, span{s.StartByte, s.EndByte, s.Qualified})
	}
	sort.SliceStable(all, func(i, j int) bool {
		if all[i].start != all[j].start {
			return all[i].start < all[j].start
		}
		return all[i].end > all[j].end
	})
	out := all[:0]
	end := -1
	for _, s := range all {
		if s.end <= end {
			continue
		}
		end = s.end
		out = append(out, s)
	}
	return out
}

type looseWalk struct {
	t     *Tree
	f     *Facts
	spans []span
	next  int // the first span that may still matter
	skip  map[int]bool
}

// statement collects one child of the root.
func (w *looseWalk) statement(root Node) {
	t := w.t
	for w.next < len(w.spans) && w.spans[w.next].end <= t.Start(root) {
		w.next++
	}
	var holds []string
	for i := w.next; i < len(w.spans) && w.spans[i].start < t.End(root); i++ {
		holds = append(holds, w.spans[i].name)
	}
	var whole, line maphash.Hash
	whole.SetSeed(looseSeed)
	line.SetSeed(looseSeed)
	var lines []LooseLine
	at := 0
	flush := func() {
		if at > 0 {
			lines = append(lines, LooseLine{at, line.Sum64()})
			line.Reset()
		}
	}
	for n := root; n < t.Next(root); {
		if t.Extra(n) || t.trait(n, traitImport) || w.covered(n) {
			n = t.Next(n)
			continue
		}
		token := t.Leaf(n) || t.trait(n, traitLiteral)
		if token && !w.blank(n, len(holds) > 0) {
			if l := t.Line(n); l != at {
				flush()
				at = l
			}
			b := unixLines(t.Bytes(n))
			whole.Write(b)
			whole.WriteByte(0)
			line.Write(b)
			line.WriteByte(0)
		}
		if token {
			n = t.Next(n)
			continue
		}
		n++
	}
	flush()
	if len(lines) > 0 {
		w.f.Loose = append(w.f.Loose, Loose{Hash: whole.Sum64(), Lines: lines, Holds: holds, Clause: t.Is(root, "package_clause")})
	}
}

// covered reports whether n lies within a symbol.
func (w *looseWalk) covered(n Node) bool {
	start, end := w.t.Start(n), w.t.End(n)
	i := w.next + sort.Search(len(w.spans)-w.next, func(i int) bool { return w.spans[w.next+i].end > start })
	return i < len(w.spans) && w.spans[i].start <= start && end <= w.spans[i].end
}

// blank reports whether a leaf says nothing by itself: white space, separators,
// a commonjs import's line and, around symbols, keywords and punctuation.
func (w *looseWalk) blank(n Node, around bool) bool {
	b := bytes.TrimSpace(w.t.Bytes(n))
	if len(b) == 0 || len(b) == 1 && (b[0] == ';' || b[0] == ',' || b[0] == 0) {
		return true
	}
	return around && !w.t.Named(n) || w.skip[w.t.Line(n)]
}

// importNode reports whether a node kind is a whole import statement. Git merges
// those line by line and two agents that add imports do not meet in them.
func importNode(kind string) bool {
	switch kind {
	case "use_declaration", "extern_crate_declaration", "future_import_statement", "import_from_statement":
		return true
	}
	return strings.HasPrefix(kind, "import_") && (strings.HasSuffix(kind, "_statement") || strings.HasSuffix(kind, "_declaration"))
}

// conflictMarkers reports whether the three markers that git writes into a
// conflicted file stand at the start of lines, in order.
func conflictMarkers(src []byte) bool {
	want := []string{"<<<<<<< ", "=======", ">>>>>>> "}
	for len(src) > 0 {
		line := src
		if i := bytes.IndexByte(src, '\n'); i >= 0 {
			line, src = src[:i], src[i+1:]
		} else {
			src = nil
		}
		line = bytes.TrimSuffix(line, []byte("\r"))
		if !bytes.HasPrefix(line, []byte(want[0])) || want[0] == "=======" && len(line) != 7 {
			continue
		}
		if want = want[1:]; len(want) == 0 {
			return true
		}
	}
	return false
}
