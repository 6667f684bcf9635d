package footprint

import (
	"slices"

	"gitlet/internal/lang"
	"gitlet/internal/model"
)

// Index finds the symbols that references mean, among many, at a cost that does
// not grow with their number. It does not change once made and is safe for
// concurrent use.
type Index struct {
	symbols []model.Symbol
	byName  map[indexKey][]int // by own name, and constructors by their class's name
	// behindDefault holds what a default import may reach whatever its name, by module.
	behindDefault map[indexKey][]int
}

type indexKey struct{ family, name string }

// Hit is one symbol that a reference means: its index in the list the Index was
// made from, and how surely.
type Hit struct {
	Symbol int
	Kind   MatchKind
}

// NewIndex indexes symbols; the list is kept and must not change.
func NewIndex(symbols []model.Symbol) *Index {
	x := &Index{symbols: symbols, byName: make(map[indexKey][]int, len(symbols)), behindDefault: map[indexKey][]int{}}
	for i, s := range symbols {
		l := lang.ByName(s.Lang)
		if l == nil {
			continue
		}
		put := func(m map[indexKey][]int, name string) {
			k := indexKey{l.Family, name}
			m[k] = append(m[k], i)
		}
		put(x.byName, s.Name)
		outer, class := splitQualified(plainName(s.Container))
		builds := l.Constructor != "" && s.Name == l.Constructor && s.TypeMember
		if builds && class != s.Name {
			put(x.byName, class)
		}
		if s.DefaultExport || builds && outer == "" {
			for _, module := range l.Modules(s.Path) {
				put(x.behindDefault, module)
			}
		}
	}
	return x
}

// Find returns the symbols that ref, from a footprint of the given version, means,
// in the order of the list. unique is as for Match.
func (x *Index) Find(ref model.Ref, version int, unique func(name, family string) bool) []Hit {
	l := lang.ByName(ref.Lang)
	if l == nil {
		return nil
	}
	at := x.byName[indexKey{l.Family, ref.Name}]
	if ref.DefaultExport || ref.Container == defaultContainer {
		at = slices.Concat(at, x.behindDefault[indexKey{l.Family, ref.Module}])
		slices.Sort(at)
		at = slices.Compact(at)
	}
	var out []Hit
	for _, i := range at {
		if k := Match(ref, version, x.symbols[i], unique); k != None {
			out = append(out, Hit{i, k})
		}
	}
	return out
}

// Symbol returns the symbol at an index of the list.
func (x *Index) Symbol(i int) model.Symbol { return x.symbols[i] }

// UniqueMethods counts the methods among the changed symbols of all footprints in
// view, and returns the test that Match and Find ask: whether a method name belongs
// to one symbol only. Two items that change one method count once.
func UniqueMethods(view ...*model.Footprint) func(name, family string) bool {
	first := map[indexKey]string{}
	many := map[indexKey]bool{}
	for _, f := range view {
		if f == nil {
			continue
		}
		for i := range f.Symbols {
			if !f.Symbols[i].Symbol.TypeMember {
				continue
			}
			targets := Targets(f.Symbols[i])
			for _, s := range targets {
				l := lang.ByName(s.Lang)
				if l == nil {
					continue
				}
				k := indexKey{l.Family, s.Name}
				// As it was is what two items that change one method have in common.
				if key, ok := first[k]; !ok {
					first[k] = targets[0].Key
				} else if key != targets[0].Key {
					many[k] = true
				}
			}
		}
	}
	return func(name, family string) bool {
		k := indexKey{family, name}
		return first[k] != "" && !many[k]
	}
}
