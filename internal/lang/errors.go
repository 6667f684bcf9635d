package lang

import (
	"slices"
	"sort"

	"gitlet/internal/model"
)

// ErrorRegions lists what error recovery could not read or made up. Of an ERROR node
// that holds definitions, as the root of a file can be one, only the parts between
// them count: the definitions were read. The symbols are the tree's, in source order.
func ErrorRegions(t *Tree, symbols []model.Symbol) []ErrorRegion {
	if !t.HasError(t.Root()) {
		return nil
	}
	w := errorWalk{t: t, symbols: symbols}
	w.node(t.Root())
	return w.out
}

type errorWalk struct {
	t       *Tree
	symbols []model.Symbol
	out     []ErrorRegion
	// open are the symbols around the present place, and next the first one behind it;
	// regions come in order.
	open []int
	next int
}

// node collects the regions at and below n.
func (w *errorWalk) node(n Node) {
	t := w.t
	for end := t.Next(n); n < end; {
		switch {
		case t.Missing(n):
			w.add(n, t.Start(n), t.End(n))
			n = t.Next(n)
		case t.IsError(n):
			w.recovered(n)
			n = t.Next(n)
		case !t.HasError(n):
			n = t.Next(n)
		default:
			n++
		}
	}
}

// recovered collects the regions of one ERROR node: all of it, or what lies between
// the definitions it holds.
func (w *errorWalk) recovered(n Node) {
	t := w.t
	if !w.holds(n) {
		w.add(n, t.Start(n), t.End(n))
		return
	}
	from, to := -1, -1
	flush := func() {
		if from >= 0 {
			w.add(n, from, to)
		}
		from = -1
	}
	for c := range t.Children(n) {
		if !t.Leaf(c) && w.holds(c) {
			flush()
			w.node(c)
			continue
		}
		if t.Extra(c) && !t.IsError(c) {
			continue // a comment alone is no error
		}
		if from < 0 {
			from = t.Start(c)
		}
		to = t.End(c)
	}
	flush()
}

// holds reports whether a definition starts in n.
func (w *errorWalk) holds(n Node) bool {
	start, end := w.t.Start(n), w.t.End(n)
	i := sort.Search(len(w.symbols), func(i int) bool { return w.symbols[i].StartByte >= start })
	return i < len(w.symbols) && w.symbols[i].EndByte <= end
}

func (w *errorWalk) add(n Node, start, end int) {
	r := ErrorRegion{Start: start, End: end, Symbol: -1}
	for ; w.next < len(w.symbols) && w.symbols[w.next].StartByte <= start; w.next++ {
		w.open = append(w.open, w.next)
	}
	w.open = slices.DeleteFunc(w.open, func(i int) bool { return w.symbols[i].EndByte < start })
	for i := len(w.open) - 1; i >= 0 && r.Symbol < 0; i-- {
		if end <= w.symbols[w.open[i]].EndByte {
			r.Symbol = w.open[i] // the last one to start is the innermost
		}
	}
	r.Head = r.Symbol >= 0 && !w.inBody(n, w.symbols[r.Symbol])
	w.out = append(w.out, r)
}

// inBody reports whether n lies in the part of s that its callers do not see.
func (w *errorWalk) inBody(n Node, s model.Symbol) bool {
	if s.Kind.TypeLike() || s.Kind == model.KindModule {
		return false
	}
	t := w.t
	for p := n; p != None && t.Start(p) > s.StartByte; p = t.Parent(p) {
		if f := t.Field(p); f == "body" || f == "value" {
			return true
		}
	}
	return false
}
