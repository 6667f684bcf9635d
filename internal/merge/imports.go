package merge

import (
	"fmt"
	"slices"

	"gitlet/internal/lang"
)

// imported is one name that a file brings in, however its import is written.
type imported struct{ module, name, local, kind string }

// importCounts says how often a whole file brings in each thing, and how often each name
// is given to one.
func importCounts(f *lang.Facts) (things map[imported]int, locals map[string]int) {
	things, locals = map[imported]int{}, map[string]int{}
	if f == nil {
		return things, locals
	}
	for _, i := range f.Imports {
		if i.Scope != [2]int{} {
			continue
		}
		things[imported{i.Module, i.Name, i.Local, i.Kind}]++
		if i.Local != "" && i.Local != "_" {
			locals[i.Local]++
		}
	}
	return things, locals
}

// importTwice says what a result brings in oftener than a side and the other's change to it
// account for, or under a name that something else has; "" for nothing. Two imports that
// are written differently may bring in the same.
func importTwice(base, ours, theirs, result *lang.Facts) string {
	b, _ := importCounts(base)
	o, ol := importCounts(ours)
	t, tl := importCounts(theirs)
	n, nl := importCounts(result)
	var bad []string
	for i, count := range n {
		if count > max(o[i], t[i]) {
			bad = append(bad, fmt.Sprintf("%q is imported %d times", i.local, count))
		}
	}
	for i := range o {
		if n[i] == 0 && (t[i] > 0 || b[i] == 0) {
			bad = append(bad, fmt.Sprintf("the import of %q is lost", i.local))
		}
	}
	for i := range t {
		if n[i] == 0 && (o[i] > 0 || b[i] == 0) {
			bad = append(bad, fmt.Sprintf("the import of %q is lost", i.local))
		}
	}
	for local, count := range nl {
		if count > max(ol[local], tl[local]) {
			bad = append(bad, fmt.Sprintf("%q is imported %d times", local, count))
		}
	}
	if len(bad) == 0 {
		return ""
	}
	return slices.Min(bad)
}
