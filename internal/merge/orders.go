package merge

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"gitlet/internal/lang"
)

// order compares two words of a list.
type order func(x, y string) int

func folded(x, y string) int { return strings.Compare(strings.ToLower(x), strings.ToLower(y)) }

// nameOrders are how tools sort the names of an import: byte by byte, without regard to
// case, and constants before classes before the rest.
var nameOrders = []order{
	strings.Compare,
	folded,
	func(x, y string) int { return cmp.Or(cmp.Compare(caste(x), caste(y)), folded(x, y)) },
}

// caste is 0 for the name of a constant, 1 for that of a class, 2 for any other.
func caste(name string) int {
	first := []rune(name + " ")[0]
	switch {
	case len(name) > 1 && strings.ToUpper(name) == name && unicode.IsLetter(first):
		return 0
	case unicode.IsUpper(first):
		return 1
	}
	return 2
}

// importOrders are how tools sort imports by their keys: whole modules before names out of
// modules, and all by the module alone.
var importOrders = []order{
	func(x, y string) int { return cmp.Or(cmp.Compare(style(x), style(y)), folded(module(x), module(y))) },
	func(x, y string) int { return folded(module(x), module(y)) },
	func(x, y string) int { return strings.Compare(module(x), module(y)) },
}

func style(key string) int {
	if strings.HasPrefix(key, "import ") {
		return 0
	}
	return 1
}

// module is what an import is sorted by: the path in quotes where there is one.
func module(key string) string {
	for _, q := range []string{`"`, "'"} {
		if _, rest, ok := strings.Cut(key, q); ok {
			path, _, _ := strings.Cut(rest, q)
			return path
		}
	}
	for _, word := range []string{"type ", "import ", "from ", "export ", "pub ", "use "} {
		key = strings.TrimPrefix(key, word)
	}
	return key
}

// orderOf is the first order that all lists are in; nil where there is none.
func orderOf(orders []order, lists ...[]string) order {
	for _, by := range orders {
		if !slices.ContainsFunc(lists, func(l []string) bool { return !slices.IsSortedFunc(l, by) }) {
			return by
		}
	}
	return nil
}

// sorted joins two runs of imports that are each in order, with what stands right before
// and behind them in out; nil where they are not.
func (g gap) sorted(a, b, before, after []placed) []placed {
	all := append(slices.Clone(a), b...)
	blank := g.item(a[0]).blank
	for i, p := range all {
		it := g.item(p)
		if it.kind != lang.PartImport || (i == 0 || i == len(a)) && it.blank != blank || i > 0 && i != len(a) && it.blank != "" {
			return nil
		}
	}
	var around [2][]string
	if n := len(before); n > 0 && blank == "" && g.item(before[n-1]).kind == lang.PartImport {
		around[0] = []string{g.item(before[n-1]).key}
	}
	if len(after) > 0 && g.item(after[0]).kind == lang.PartImport && g.item(after[0]).blank == "" {
		around[1] = []string{g.item(after[0]).key}
	}
	keys := func(run []placed) []string {
		out := slices.Clone(around[0])
		for _, p := range run {
			out = append(out, g.item(p).key)
		}
		return append(out, around[1]...)
	}
	by := orderOf(importOrders, keys(a), keys(b))
	if by == nil {
		return nil
	}
	slices.SortStableFunc(all, func(x, y placed) int { return by(g.item(x).key, g.item(y).key) })
	for i := range all {
		all[i].moved, all[i].blank = true, ""
	}
	all[0].blank = blank
	return all
}
