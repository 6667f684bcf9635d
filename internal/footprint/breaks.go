package footprint

import (
	"slices"
	"strconv"
	"strings"

	"gitlet/internal/lang"
	"gitlet/internal/model"
)

// Narrow says whom a breaking change can break, as far as the two versions tell: only
// calls, where nothing but the parameters breaks and callers pass by name; only those
// who build, take apart or extend a type that gained fields.
func Narrow(l *lang.Language, old, new model.Symbol) model.Breaks {
	calm := new
	switch {
	case l.Compat.NamedParams && !old.Kind.TypeLike() && old.Kind == new.Kind && !slices.Equal(old.Params, new.Params):
		calm.Params = old.Params
		if !breaksBut(l, old, calm) {
			return model.BreaksCalls
		}
	case l.Compat.Nominal[old.Kind] && old.Kind == new.Kind && !structural(old) && !structural(new):
		partner := pairMembers(old.Members, new.Members)
		calm.Members = nil
		for j, m := range new.Members {
			switch {
			case slices.Contains(partner, j):
				calm.Members = append(calm.Members, m)
			case m.Kind != "field" && m.Kind != "attr":
				return ""
			}
		}
		if len(calm.Members) < len(new.Members) && !breaksBut(l, old, calm) {
			return model.BreaksBuilders
		}
	}
	return ""
}

// breaksBut compares with a version that was made up to leave one difference out; its
// hash says nothing.
func breaksBut(l *lang.Language, old, calm model.Symbol) bool {
	calm.SigHash = old.SigHash
	return Breaking(l, old, calm)
}

// structural reports whether values of a class need not be built by its name.
func structural(s model.Symbol) bool {
	return slices.ContainsFunc(s.Members, func(m model.Member) bool {
		return m.Kind == "base" && (strings.Contains(m.Type+m.Name, "Protocol") || strings.Contains(m.Type+m.Name, "TypedDict"))
	})
}

// MayBreak reports whether the reference can stop working by the breaking change of sym
// that it means. It is true unless the contrary is certain.
func MayBreak(r model.Ref, c model.SymbolChange) bool {
	switch c.Breaks {
	case model.BreaksBuilders:
		return r.Kind != model.RefType || !r.Named
	case model.BreaksCalls:
		return r.Kind != model.RefCall || !receiverKnown(r, c.Symbol) || !fits(r.Args, c.OldParams, c.Symbol.Params)
	}
	return true
}

// receiverKnown reports whether the call passes what the parameters list and nothing
// before it: a method called through its class passes the receiver too.
func receiverKnown(r model.Ref, s model.Symbol) bool {
	return !s.TypeMember || r.Name != s.Name ||
		slices.Contains(s.Modifiers, "static") || slices.Contains(s.Modifiers, "classmethod")
}

// fits reports whether a call is certain to mean the same with the new parameters.
func fits(args string, old, new []model.Param) bool {
	words := strings.Fields(args)
	if len(words) == 0 {
		return false
	}
	n, err := strconv.Atoi(words[0])
	if err != nil || n < 0 {
		return false
	}
	a, b := shapeOf(old), shapeOf(new)
	if n > len(a.positional) || n > len(b.positional) {
		return false
	}
	same := func(o, n model.Param) bool {
		return o.Name != "" && o.Name == n.Name && (o.Type == "" || lang.SameType(o.Type, n.Type))
	}
	passed := map[string]bool{}
	for i := range n {
		if !same(a.positional[i], b.positional[i]) {
			return false
		}
		passed[b.positional[i].Name] = true
	}
	for _, w := range words[1:] {
		o, n := a.named(w), b.named(w)
		switch {
		case passed[w], (o == nil) != (n == nil):
			return false
		case o == nil && (a.kw == nil || b.kw == nil || a.kw.Type != b.kw.Type):
			return false
		case o != nil && !same(*o, *n):
			return false
		}
		passed[w] = true
	}
	// A call that did not fit before goes through something that is not seen here.
	return a.enough(passed) && b.enough(passed)
}

// enough reports whether every required parameter is among those passed.
func (s shape) enough(passed map[string]bool) bool {
	for _, p := range slices.Concat(s.positional, s.keys) {
		if required(p) && !passed[p.Name] {
			return false
		}
	}
	return true
}

// named is the parameter that a keyword reaches, nil when none does.
func (s shape) named(word string) *model.Param {
	if i := s.index(word); i >= 0 {
		return &s.positional[i]
	}
	return s.key(word)
}
