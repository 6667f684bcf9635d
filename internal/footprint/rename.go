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

// joinModules finds symbols that went from one file to another of the same module,
// as a Go function moved within its package: their users see no move.
func joinModules(files []*file) {
	type place struct{ file, change int }
	type name struct{ family, module, kind, name string }
	removed, added := map[name][]place{}, map[name][]place{}
	for fi, f := range files {
		for ci, c := range f.changes {
			var into map[name][]place
			switch c.Change {
			case model.ChangeRemoved:
				into = removed
			case model.ChangeAdded:
				into = added
			default:
				continue
			}
			for _, module := range f.lang.Modules(c.Symbol.Path) {
				k := name{f.lang.Family, module, string(c.Symbol.Kind), plainName(c.Symbol.Qualified)}
				into[k] = append(into[k], place{fi, ci})
			}
		}
	}
	gone := map[place]bool{}
	for fi, f := range files {
		for ci, c := range f.changes {
			if c.Change != model.ChangeAdded {
				continue
			}
			for _, module := range f.lang.Modules(c.Symbol.Path) {
				k := name{f.lang.Family, module, string(c.Symbol.Kind), plainName(c.Symbol.Qualified)}
				if len(removed[k]) != 1 || len(added[k]) != 1 || gone[removed[k][0]] {
					continue
				}
				from := removed[k][0]
				f.join(ci, files[from.file].changes[from.change].Symbol)
				gone[place{fi, ci}], gone[from] = false, true
				break
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

// join turns an added symbol into one that moved here from another file.
func (f *file) join(ci int, old model.Symbol) {
	m := &fileMatch{lang: f.lang, path: f.change.Path, oldPath: old.Path, moved: true, touched: map[int]bool{}}
	at := slices.IndexFunc(f.symbols, func(s model.Symbol) bool { return s.Key == f.changes[ci].Symbol.Key })
	delete(f.touched, at)
	f.changes[ci], _ = m.pair(old, f.changes[ci].Symbol, at)
	if m.touched[at] {
		f.touched[at] = true
	}
}
