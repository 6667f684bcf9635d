package rules

import (
	"slices"
	"strings"

	"gitlet/internal/model"
)

// A definition of up to shortCode lines is read as one piece. In a longer one, what stands
// more than beside lines away from a change has little to do with it.
const (
	shortCode = 40
	beside    = 10
)

// near leaves out the references that main has as well and that stand far from what was
// changed, in a long definition. Whoever changes what they mean adapts them, and git merges
// the two. What is not known counts as near.
func (u uses) near(user *model.Footprint) uses {
	out := uses{resolved: u.resolved}
	for _, r := range u.refs {
		if !r.Kept || isNear(user, r) {
			out.refs = append(out.refs, r)
		}
	}
	return out
}

func isNear(user *model.Footprint, r model.Ref) bool {
	f := user.File(r.Path)
	if f == nil || len(f.Hunks) == 0 {
		return true
	}
	for i := range user.Symbols {
		s := &user.Symbols[i].Symbol
		if s.Path == r.Path && s.Qualified == r.In && s.EndLine-s.StartLine < shortCode {
			return true
		}
	}
	shift := 0
	for _, h := range f.Hunks {
		first, last := h.Start+shift, h.Start+shift+h.New
		if !h.Picked && r.Line >= first-beside && r.Line <= last+beside {
			return true
		}
		shift += h.New - h.Old
	}
	return false
}

// farOff says why code that a breaking change hurts is still no reason to act.
func farOff(whose string) fact {
	return fact{"", "main has these uses as well, and " + whose + " change does not touch that part: the breaking change has to adapt them"}
}

// told are the references worth a word. Of those that rest on a method's name alone, and of
// those that are certain to work as before, that are the ones just written; of the former
// only where the name says something. Code that only names a type has nothing to do with what
// the type gains without breaking anyone.
func (u uses) told(c *model.SymbolChange) uses {
	switch {
	case u.resolved && !breaking(c) && u.onlyNames():
		return uses{}
	case u.resolved && breaking(c) && len(u.hurt(c).refs) == 0:
		return u.gained()
	case u.resolved:
		return u
	}
	if everydayMethods[strings.ToLower(before(c).Name)] {
		return uses{}
	}
	return u.gained()
}

// onlyNames reports whether the code does no more than name a type.
func (u uses) onlyNames() bool {
	return !slices.ContainsFunc(u.refs, func(r model.Ref) bool { return r.Kind != model.RefType })
}

// everydayMethods are names that so many types have that a call by name tells nothing.
var everydayMethods = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(`
		add all any append apply at call catch clear clone close contains copy count debug delete each empty entries
		equal equals eq error extend filter find first flush foreach format get getattr has hash id index info insert
		is isempty items iter join key keys kind last len length less list log map match name names new next open path
		pop print push put read remove replace reset seek send set size sort split start stop str string swap then
		tostring trim type unwrap url value values warn with write`) {
		m[name] = true
	}
	return m
}()
