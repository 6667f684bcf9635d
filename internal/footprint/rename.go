package footprint

import (
	"slices"
	"strings"

	"gitlet/internal/model"
)

// maxBucket bounds how many symbols with one body are compared by name.
const maxBucket = 64

// maxWord bounds the words that are looked up when types are renamed, in bytes.
const maxWord = 1024

// candidate is a removed and an added symbol that may be one.
type candidate struct {
	old, new       int
	otherContainer bool
	likeness       int // higher is better
	distance       int // between the names, lower is better
}

// renamer pairs removed with added symbols, each at most once. The choice depends on
// the symbols alone.
type renamer struct {
	m    *fileMatch
	from map[int]int // new to old
	gone map[int]bool
	// names maps the qualified names of renamed types, old to new.
	names map[string]string
}

// renames maps new symbols to the old ones that they are under another name. Types
// come first: those with the same body, then those that kept most of what they hold.
// What a renamed type holds follows it by name, whatever else changed in it. The rest
// is paired by kind and body, and functions that are left by what their insides say.
func (m *fileMatch) renames() *renamer {
	r := &renamer{m: m, from: map[int]int{}, gone: map[int]bool{}, names: map[string]string{}}
	if len(m.removed) == 0 || len(m.added) == 0 {
		return r
	}
	r.take(r.sameBody(true))
	r.take(r.alike())
	r.follow()
	r.take(r.sameBody(false))
	r.take(r.rewritten())
	return r
}

// take accepts candidates, the best first.
func (r *renamer) take(all []candidate) {
	old, new := r.m.old, r.m.new
	slices.SortFunc(all, func(a, b candidate) int {
		switch {
		case a.otherContainer != b.otherContainer:
			if a.otherContainer {
				return 1
			}
			return -1
		case a.likeness != b.likeness:
			return b.likeness - a.likeness
		case a.distance != b.distance:
			return a.distance - b.distance
		}
		if n := strings.Compare(old[a.old].Qualified, old[b.old].Qualified); n != 0 {
			return n
		}
		return strings.Compare(new[a.new].Qualified, new[b.new].Qualified)
	})
	for _, c := range all {
		r.pair(c.old, c.new)
	}
}

// pair records that old is new now, unless one of them is taken.
func (r *renamer) pair(i, j int) {
	if _, taken := r.from[j]; taken || r.gone[i] {
		return
	}
	r.from[j], r.gone[i] = i, true
	if o := r.m.old[i]; o.Kind.TypeLike() {
		r.names[plainName(o.Qualified)] = plainName(r.m.new[j].Qualified)
	}
}

func (r *renamer) candidate(i, j, likeness int) candidate {
	o, n := r.m.old[i], r.m.new[j]
	container := plainName(o.Container)
	if to, ok := r.names[container]; ok {
		container = to
	}
	return candidate{i, j, container != plainName(n.Container), likeness, distance(o.Qualified, n.Qualified)}
}

// sameBody lists the pairs of one kind and body, among types or among the rest.
func (r *renamer) sameBody(types bool) []candidate {
	type bucket struct {
		kind model.SymbolKind
		body string
	}
	added := map[bucket][]int{}
	for _, j := range r.m.added {
		if s := r.m.new[j]; s.BodyHash != "" && s.Kind.TypeLike() == types {
			b := bucket{s.Kind, s.BodyHash}
			if len(added[b]) < maxBucket {
				added[b] = append(added[b], j)
			}
		}
	}
	var all []candidate
	for _, i := range r.m.removed {
		o := r.m.old[i]
		for _, j := range added[bucket{o.Kind, o.BodyHash}] {
			if n := r.m.new[j]; types {
				// A body holds only the names of methods: two classes may share those.
				had := holdings(r.m.old, o)
				if _, unchanged := inCommon(had, holdings(r.m.new, n), o.Name, n.Name); len(had) > 0 && unchanged == 0 {
					continue
				}
			}
			all = append(all, r.candidate(i, j, 0))
		}
	}
	return all
}

// alike lists the pairs of types of one kind in one container that share most of
// what they hold, some of it unchanged.
func (r *renamer) alike() []candidate {
	left := func(list []int, taken func(int) bool, symbols []model.Symbol) (out []int) {
		for _, k := range list {
			if symbols[k].Kind.TypeLike() && !taken(k) && len(out) < maxBucket {
				out = append(out, k)
			}
		}
		return out
	}
	removed := left(r.m.removed, func(i int) bool { return r.gone[i] }, r.m.old)
	added := left(r.m.added, func(j int) bool { _, taken := r.from[j]; return taken }, r.m.new)
	if len(removed) == 0 || len(added) == 0 {
		return nil
	}
	var all []candidate
	for _, i := range removed {
		o := r.m.old[i]
		had := holdings(r.m.old, o)
		for _, j := range added {
			n := r.m.new[j]
			if o.Kind != n.Kind || o.Container != n.Container {
				continue
			}
			has := holdings(r.m.new, n)
			same, unchanged := inCommon(had, has, o.Name, n.Name)
			if most := max(len(had), len(has)); unchanged > 0 && 2*same >= most && same+unchanged >= most {
				all = append(all, r.candidate(i, j, same+unchanged))
			}
		}
	}
	return all
}

// inCommon counts what two types hold under the same names, and how much of that is
// unchanged but for the types' own names.
func inCommon(had, has map[string]string, oldName, newName string) (same, unchanged int) {
	names := map[string]string{oldName: newName}
	for k, v := range had {
		if w, ok := has[k]; ok {
			same++
			if w == renameWords(v, names) {
				unchanged++
			}
		}
	}
	return same, unchanged
}

// holdings lists what a type holds: the bodies of its methods and inner types, and
// the types of its members.
func holdings(symbols []model.Symbol, s model.Symbol) map[string]string {
	out := map[string]string{}
	for _, m := range s.Members {
		out[m.Kind+" "+m.Name] = m.Type
	}
	for _, c := range symbols {
		if c.Container == s.Qualified {
			out[string(c.Kind)+" "+strings.TrimPrefix(c.Qualified, s.Qualified+".")] = c.BodyHash
		}
	}
	return out
}

// follow pairs what a renamed type holds by name.
func (r *renamer) follow() {
	at := map[string]int{}
	for _, j := range r.m.added {
		at[r.m.new[j].Qualified] = j
	}
	for _, i := range r.m.removed { // in source order, so inner types come before what they hold
		o := r.m.old[i]
		to, ok := r.names[plainName(o.Container)]
		if !ok || o.Container == "" {
			continue
		}
		if j, ok := at[to+strings.TrimPrefix(o.Qualified, o.Container)]; ok && r.m.new[j].Kind == o.Kind {
			r.pair(i, j)
		}
	}
}

// renamed is an old symbol as it would be spelled with the names of today.
func (r *renamer) renamed(s model.Symbol) model.Symbol {
	if len(r.names) == 0 {
		return s
	}
	names := map[string]string{}
	for old, new := range r.names {
		_, o := splitQualified(old)
		_, n := splitQualified(new)
		names[o] = n
	}
	list := func(in []string) []string {
		out := make([]string, len(in))
		for i, x := range in {
			out[i] = renameWords(x, names)
		}
		return out
	}
	s.Results = renameWords(s.Results, names)
	s.TypeParams, s.Modifiers, s.Overloads = list(s.TypeParams), list(s.Modifiers), list(s.Overloads)
	s.Params, s.Members = slices.Clone(s.Params), slices.Clone(s.Members)
	for i := range s.Params {
		s.Params[i].Type = renameWords(s.Params[i].Type, names)
	}
	for i := range s.Members {
		m := &s.Members[i]
		if m.Type = renameWords(m.Type, names); m.Kind == "base" || m.Kind == "embed" {
			m.Name = renameWords(m.Name, names)
		}
	}
	return s
}

// renameWords replaces whole words of s.
func renameWords(s string, names map[string]string) string {
	var b strings.Builder
	for at := 0; at < len(s); {
		n := nextWord([]byte(s[at:min(len(s), at+maxWord)]))
		word := s[at : at+n]
		if to, ok := names[word]; ok {
			word = to
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
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
