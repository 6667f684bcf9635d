package merge

import (
	"slices"
	"strings"

	"gitlet/internal/lang"
	"gitlet/internal/pattern"
)

// merger merges one file.
type merger struct {
	lines Lines
	left  int // how many stretches of lines may still be merged
	// nameless are the kinds that are known by their text alone.
	nameless []lang.PartKind
	// together says why what both sides add at one place cannot both stand there.
	together func(a, b []placed, g gap) error
	// reads says why an order is not certain to be right, for what runs where it stands;
	// nil where order is no matter.
	reads func(things []three, o, t []int, order []placed) error
	// space sets the empty lines before what was merged; nil leaves them.
	space func(out []item, sides ...[]item)
}

// list merges three versions of a row of things. around is the text of what holds them.
func (m *merger) list(base, ours, theirs []item, around string) ([]item, error) {
	things, o, t, err := m.identify(base, ours, theirs)
	if err != nil {
		return nil, err
	}
	if name := boundByBoth(things); name != "" {
		return nil, doubt("each side adds %q of its own", name)
	}
	order, err := m.order(things, len(base), o, t, around)
	if err != nil {
		return nil, err
	}
	if m.reads != nil {
		if err := m.reads(things, o, t, order); err != nil {
			return nil, err
		}
	}
	var out []item
	for _, p := range order {
		it, err := m.one(things[p.id])
		if err != nil {
			return nil, err
		}
		if p.moved {
			it.blank = p.blank
		}
		out = append(out, it)
	}
	if m.space != nil {
		m.space(out, ours, theirs, base)
	}
	if it := twice(ours, theirs, out); it != nil {
		return nil, doubt("both sides have %s, and not as the same thing", it.label())
	}
	if it := fused(ours, theirs, out); it != nil {
		return nil, doubt("nothing ends %s, so what comes behind it would be read as more of it", it.label())
	}
	return out, nil
}

// twice is something that stands in the result oftener than on either side: one side made it
// of something else that the other has too.
func twice(ours, theirs, out []item) *item {
	count := func(list []item) map[string]int {
		n := map[string]int{}
		for _, it := range list {
			n[it.text]++
		}
		return n
	}
	o, t, n := count(ours), count(theirs), count(out)
	for i, it := range out {
		if most := max(o[it.text], t[it.text]); most > 0 && n[it.text] > most {
			return &out[i]
		}
	}
	return nil
}

// reborn is something that both sides took out, and in whose place a side has something new
// that is not the same on both: it may be the old one under another name, which the other
// side did not want.
func reborn(things []three, inBase int, side []int) *item {
	low, fresh := -1, false
	check := func(high int) *item {
		from, to := min(low, high)+1, max(low, high)
		for id := from; fresh && id < to; id++ {
			if x := things[id]; x.ours == nil && x.theirs == nil {
				return x.base
			}
		}
		return nil
	}
	for _, id := range side {
		x := things[id]
		switch {
		case id >= inBase:
			fresh = fresh || x.ours == nil || x.theirs == nil || x.ours.text != x.theirs.text
		case x.ours != nil && x.theirs != nil:
			if y := check(id); y != nil {
				return y
			}
			low, fresh = id, false
		}
	}
	return check(inBase)
}

// placed is a thing in the result. One that moved has other empty lines before it.
type placed struct {
	id    int
	moved bool
	blank string
}

// order says which things stay, and in which order.
func (m *merger) order(things []three, inBase int, o, t []int, around string) ([]placed, error) {
	if err := m.takenOut(things, inBase, o, t); err != nil {
		return nil, err
	}
	stays := func(id int) bool {
		x := things[id]
		return x.ours != nil && x.theirs != nil
	}
	common := func(list []int) []int {
		var out []int
		for _, id := range list {
			if stays(id) {
				out = append(out, id)
			}
		}
		return out
	}
	first, second, swapped := o, t, false
	if co, ct := common(o), common(t); !slices.Equal(co, ct) {
		// One side moved things: its order counts.
		if slices.ContainsFunc(co, func(id int) bool { return id >= inBase }) {
			return nil, doubt("both sides add the same at different places")
		}
		switch {
		case slices.IsSorted(ct):
		case slices.IsSorted(co):
			first, second, swapped = t, o, true
		default:
			return nil, doubt("both sides move things, and not the same way")
		}
	}
	var out []placed
	kept := map[int]bool{}
	for _, id := range first {
		if stays(id) || id >= inBase {
			out, kept[id] = append(out, placed{id: id}), true
		}
	}
	for i := 0; i < len(second); {
		id := second[i]
		if id < inBase || stays(id) {
			i++
			continue
		}
		// A run of what only the second side adds, with what it took out left aside.
		from, before, run := i, -1, []placed(nil)
		for j := from - 1; j >= 0 && before < 0; j-- {
			if kept[second[j]] {
				before = second[j]
			}
		}
		for ; i < len(second) && !kept[second[i]]; i++ {
			if second[i] >= inBase {
				run = append(run, placed{id: second[i]})
			}
		}
		after := -1
		if i < len(second) {
			after = second[i]
		}
		var err error
		if out, err = m.insert(out, run, before, after, gap{things, inBase, swapped, around}); err != nil {
			return nil, err
		}
		for _, p := range run {
			kept[p.id] = true
		}
	}
	return out, nil
}

// takenOut doubts what a side took out and the other changed, or that may be back under
// another name.
func (m *merger) takenOut(things []three, inBase int, o, t []int) error {
	for _, x := range things[:inBase] {
		switch {
		case x.ours == nil && x.theirs != nil && x.theirs.text != x.base.text,
			x.theirs == nil && x.ours != nil && x.ours.text != x.base.text:
			return doubt("one side changes %s, which the other took out", x.base.label())
		case x.ours == nil && x.theirs == nil && slices.Contains(m.nameless, x.base.kind):
			// Put in again with a change, it would look like something new.
			if slices.ContainsFunc(things[inBase:], func(y three) bool { return y.either().kind == x.base.kind }) {
				return doubt("both sides take out %s, and something like it is new", x.base.label())
			}
		}
	}
	for _, side := range [][]int{o, t} {
		if x := reborn(things, inBase, side); x != nil {
			return doubt("both sides take out %s, and one puts something in its place", x.label())
		}
	}
	return nil
}

// gap is what insert has to know of the whole row.
type gap struct {
	things  []three
	inBase  int
	swapped bool // the run is ours, what is there is theirs
	around  string
}

// insert puts a run between its neighbours (-1 for an end), beside what the other side
// added there.
func (m *merger) insert(out, run []placed, before, after int, g gap) ([]placed, error) {
	at := func(id, end int) int {
		for i, p := range out {
			if p.id == id {
				return i
			}
		}
		return end
	}
	from, to := at(before, -1)+1, at(after, len(out))
	there := out[min(from, to):to]
	foreign := slices.ContainsFunc(there, func(p placed) bool {
		return p.id < g.inBase || g.things[p.id].ours != nil && g.things[p.id].theirs != nil
	})
	if to < from || foreign {
		// Its neighbours were moved apart: it goes where the one before it went.
		for _, p := range run {
			if g.item(p).kind != lang.PartDefinition {
				return nil, doubt("one side adds %s where the other moved things", g.item(p).label())
			}
		}
		return slices.Insert(out, from, run...), nil
	}
	if len(there) == 0 {
		return slices.Insert(out, from, run...), nil
	}
	if err := m.together(there, run, g); err != nil {
		return nil, err
	}
	ours, theirs := there, run
	if g.swapped {
		ours, theirs = run, there
	}
	both := g.sorted(ours, theirs, out[:from], out[to:])
	if both == nil {
		both = append(slices.Clone(ours), theirs...)
	}
	return slices.Replace(out, from, to, both...), nil
}

func (g gap) item(p placed) *item { return g.things[p.id].either() }

// either is the thing in the first version that has it.
func (x three) either() *item {
	switch {
	case x.ours != nil:
		return x.ours
	case x.theirs != nil:
		return x.theirs
	}
	return x.base
}

var (
	number  = pattern.New(`=\s*(-?[0-9][0-9a-zA-Z_.]*|"[^"]*"|'[^']*')\s*[,;]?\s*$`)
	counter = pattern.New(`\biota\b`)
)

// code says why what both sides add to code at one place cannot both stand there.
func code(a, b []placed, g gap) error {
	if counter.MatchString(g.around) {
		return doubt("both sides add constants that are counted")
	}
	values := map[string]bool{}
	for i, p := range append(slices.Clone(a), b...) {
		it := g.item(p)
		if it.kind == lang.PartStatement {
			return doubt("both sides add code at one place, among it a statement: %s", it.label())
		}
		v := number.FindStringSubmatch(strings.TrimSpace(it.text))
		switch {
		case v == nil || g.around == "":
		case i < len(a):
			values[v[1]] = true
		case values[v[1]]:
			return doubt("both sides add a member with the value %s", v[1])
		}
	}
	return nil
}
