package footprint

import (
	"slices"
	"strings"

	"gitlet/internal/model"
)

// maxBucket bounds how many symbols with one body are compared by name.
const maxBucket = 64

// candidate is a removed and an added symbol that may be one.
type candidate struct {
	old, new       int
	otherContainer bool
	distance       int
}

// renames pairs removed with added symbols of the same kind and body, each at most
// once, the nearest names first. It maps new to old. The choice depends on the
// symbols alone.
func (m *fileMatch) renames() map[int]int {
	type bucket struct {
		kind model.SymbolKind
		body string
	}
	added := map[bucket][]int{}
	for _, j := range m.added {
		if s := m.new[j]; s.BodyHash != "" {
			b := bucket{s.Kind, s.BodyHash}
			if len(added[b]) < maxBucket {
				added[b] = append(added[b], j)
			}
		}
	}
	var all []candidate
	for _, i := range m.removed {
		o := m.old[i]
		for _, j := range added[bucket{o.Kind, o.BodyHash}] {
			n := m.new[j]
			all = append(all, candidate{i, j, o.Container != n.Container, distance(o.Qualified, n.Qualified)})
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		if a.otherContainer != b.otherContainer {
			if a.otherContainer {
				return 1
			}
			return -1
		}
		if a.distance != b.distance {
			return a.distance - b.distance
		}
		if n := strings.Compare(m.old[a.old].Qualified, m.old[b.old].Qualified); n != 0 {
			return n
		}
		return strings.Compare(m.new[a.new].Qualified, m.new[b.new].Qualified)
	})
	out := map[int]int{}
	used := map[int]bool{}
	for _, c := range all {
		if _, taken := out[c.new]; !taken && !used[c.old] {
			out[c.new] = c.old
			used[c.old] = true
		}
	}
	return out
}

// distance is the number of single-character edits between two names, in bytes;
// names are cut at 200.
func distance(a, b string) int {
	const limit = 200
	a, b = a[:min(len(a), limit)], b[:min(len(b), limit)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

// place names one change of one file.
type place struct{ file, change int }

// joined is what a removed and an added symbol must share to be one that moved.
type joined struct {
	family, module, name string
	kind                 model.SymbolKind
}

// joinModules finds symbols that went from one file to another of the same module,
// as a Go function moved within its package: their users see no move.
func joinModules(files []*file) {
	removed, added := map[joined][]place{}, map[joined][]place{}
	var order []joined
	for fi, f := range files {
		for ci, c := range f.changes {
			into := added
			if c.Change == model.ChangeRemoved {
				into = removed
			} else if c.Change != model.ChangeAdded {
				continue
			}
			for _, module := range f.lang.Modules(c.Symbol.Path) {
				k := joined{f.lang.Family, module, plainName(c.Symbol.Qualified), c.Symbol.Kind}
				if c.Change == model.ChangeRemoved && removed[k] == nil {
					order = append(order, k)
				}
				into[k] = append(into[k], place{fi, ci})
			}
		}
	}
	from := map[place]place{} // added to removed
	gone := map[place]bool{}
	for _, k := range order {
		pairPlaces(files, removed[k], added[k], from, gone)
	}
	for fi, f := range files {
		for ci := range f.changes {
			if p, ok := from[place{fi, ci}]; ok {
				f.join(ci, files[p.file].changes[p.change].Symbol)
			}
		}
	}
	for fi, f := range files {
		kept := f.changes[:0]
		for ci, c := range f.changes {
			if !gone[place{fi, ci}] {
				kept = append(kept, c)
			}
		}
		f.changes = kept
	}
}

// pairPlaces pairs symbols of one name: those with the same body first and, where
// there is no choice on one side, what is left, in file order.
func pairPlaces(files []*file, removed, added []place, from map[place]place, gone map[place]bool) {
	at := func(p place) model.Symbol { return files[p.file].changes[p.change].Symbol }
	pass := func(same func(o, n model.Symbol) bool) {
		for _, r := range removed {
			for _, a := range added {
				if _, taken := from[a]; !taken && !gone[r] && same(at(r), at(a)) {
					from[a], gone[r] = r, true
				}
			}
		}
	}
	pass(func(o, n model.Symbol) bool { return o.BodyHash == n.BodyHash })
	if len(removed) == 1 || len(added) == 1 {
		pass(func(o, n model.Symbol) bool { return o.SigHash == n.SigHash })
		pass(func(o, n model.Symbol) bool { return true })
	}
}

// join turns an added symbol into one that moved here from another file.
func (f *file) join(ci int, old model.Symbol) {
	m := &fileMatch{lang: f.lang, path: f.change.Path, oldPath: old.Path, moved: true, touched: map[int]bool{}}
	at := slices.IndexFunc(f.symbols, func(s model.Symbol) bool { return s.Qualified == f.changes[ci].Symbol.Qualified })
	delete(f.touched, at)
	f.changes[ci], _ = m.pair(old, f.changes[ci].Symbol, at)
	if m.touched[at] {
		f.touched[at] = true
	}
}
