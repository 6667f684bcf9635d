package footprint

import (
	"fmt"
	"slices"

	"gitlet/internal/model"
)

// members compares the shape of a type.
func (c *comparer) members() {
	old, new := c.old.Members, c.new.Members
	partner := pairMembers(old, new)
	taken := make([]bool, len(new))
	lastField := -1 // the last field that was one before
	for i, o := range old {
		j := partner[i]
		if j < 0 {
			c.breaks("%s was removed", memberText(o))
			continue
		}
		taken[j] = true
		if o.Kind == "field" && new[j].Kind == "field" {
			lastField = max(lastField, j)
		}
	}
	for i, o := range old {
		if j := partner[i]; j >= 0 {
			c.member(o, new[j])
			if o.Kind != new[j].Kind && j < lastField {
				c.breaks("%s is now in front of existing ones", memberText(new[j]))
			}
		}
	}
	c.order(old, new, partner)
	for j, m := range new {
		if !taken[j] {
			c.addedMember(m, j > lastField)
		}
	}
}

func memberText(m model.Member) string {
	if m.Name == "" {
		return fmt.Sprintf("%s %s", m.Kind, short(m.Type))
	}
	return fmt.Sprintf("%s %s", m.Kind, short(m.Name))
}

// pairMembers finds for each old member its new self, or -1: the same kind and
// name; among several of one name, one of the same type first.
func pairMembers(old, new []model.Member) []int {
	partner := make([]int, len(old))
	taken := make([]bool, len(new))
	type name struct{ kind, name string }
	key := func(m model.Member) name {
		if m.Kind == "attr" { // an annotation makes it a field
			return name{"field", m.Name}
		}
		return name{m.Kind, m.Name}
	}
	at := map[name][]int{}
	for j, m := range new {
		at[key(m)] = append(at[key(m)], j)
	}
	pick := func(o model.Member, same func(model.Member) bool) int {
		for _, j := range at[key(o)] {
			if !taken[j] && same(new[j]) {
				taken[j] = true
				return j
			}
		}
		return -1
	}
	for i, o := range old {
		partner[i] = pick(o, func(n model.Member) bool { return n == o })
	}
	for i, o := range old {
		if partner[i] < 0 {
			partner[i] = pick(o, func(model.Member) bool { return true })
		}
	}
	return partner
}

func (c *comparer) member(old, new model.Member) {
	c.typed(memberText(old), old.Type, new.Type)
	switch {
	case old.Optional && !new.Optional:
		c.breaks("%s became required", memberText(old))
	case !old.Optional && new.Optional:
		c.breaks("%s became optional", memberText(old))
	}
}

// order compares the sequence of the members that stayed. The terms of a union are
// a set.
func (c *comparer) order(old, new []model.Member, partner []int) {
	if c.l.Compat.OrderFree[c.old.Kind] {
		if outOfOrder(old, partner, func(model.Member) bool { return true }) {
			c.keeps("members were reordered")
		}
		return
	}
	ordered := slices.Clone(partner)
	for i, j := range partner {
		if old[i].Kind == "attr" || j >= 0 && new[j].Kind == "attr" {
			ordered[i] = -1 // a class attribute has no place among the fields
		}
	}
	if outOfOrder(old, ordered, func(m model.Member) bool { return m.Kind != "union" }) {
		c.breaks("members were reordered, and their order is visible")
	} else if outOfOrder(old, partner, func(m model.Member) bool { return m.Kind == "union" }) {
		c.keeps("union terms were reordered")
	}
}

func outOfOrder(old []model.Member, partner []int, counts func(model.Member) bool) bool {
	var seq []int
	for i, j := range partner {
		if j >= 0 && counts(old[i]) {
			seq = append(seq, j)
		}
	}
	return !slices.IsSorted(seq)
}

// addedMember judges a new member; last tells whether it stands after every field
// that stayed.
func (c *comparer) addedMember(m model.Member, last bool) {
	ok := m.Kind == "attr" && c.l.Compat.FieldAdd[c.old.Kind] != ""
	if m.Kind == "field" || m.Kind == "embed" || m.Kind == "method" {
		switch c.l.Compat.FieldAdd[c.old.Kind] {
		case "always":
			ok = true
		case "optional":
			ok = m.Optional
		case "after":
			ok = last && m.Optional
		}
	}
	switch {
	case ok:
		c.keeps("%s was added", memberText(m))
	case m.Optional && !last && c.l.Compat.FieldAdd[c.old.Kind] == "after":
		c.breaks("%s was added in front of existing ones", memberText(m))
	case c.l.Compat.FieldAdd[c.old.Kind] == "optional" && !m.Optional && (m.Kind == "field" || m.Kind == "method"):
		c.breaks("%s was added as required", memberText(m))
	default:
		c.breaks("%s was added", memberText(m))
	}
}
