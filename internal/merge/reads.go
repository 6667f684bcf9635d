package merge

import (
	"slices"
	"strings"

	"gitlet/internal/lang"
	"gitlet/internal/pattern"
)

// Code that runs where it stands sees what stands above it. Where the result has such a
// pair of parts, one that uses a name and one that gives it, in a way that neither side has
// them, no side meant what the code then sees. Uses are read off words, comments and
// strings among them, and through what is used in turn: that finds too many, and few are
// lost by it, since only parts that moved and names given twice are asked for.

// runOrder doubts a use that came to stand above what it uses, and one of a name that the
// other side gives anew.
func runOrder(things []three, o, t []int, order []placed) error {
	return reads{given: givenBy, now: func(it *item) string { return it.now }}.check(things, o, t, order)
}

// macroOrder does so for macros, which count from where they stand, in bodies too.
func macroOrder(things []three, o, t []int, order []placed) error {
	return reads{
		given: func(it *item) (names []string, whole bool) {
			if name, ok := strings.CutPrefix(it.key, "macro "); ok {
				return []string{name}, false
			}
			return nil, false
		},
		now: func(it *item) string { return it.text },
		all: func(it *item) bool { // macros of a file of its own may be used everywhere
			return strings.Contains(it.text, "macro_use")
		},
		any: func(it *item) bool { return strings.HasPrefix(it.key, "mod ") && !it.holds },
	}.check(things, o, t, order)
}

// reads is how a language's parts use one another.
type reads struct {
	// given are the names that a part gives something; partly where it sets a part of
	// something that has its name elsewhere.
	given func(it *item) (names []string, partly bool)
	now   func(it *item) string // the text that runs where it stands
	all   func(it *item) bool   // every part may use it
	any   func(it *item) bool   // it may use every part
}

var (
	given    = pattern.New(`\b([A-Za-z_$][\w$]*)\s*(?::[^=\n]*)?(?:[-+*/|&^%@]|//|\*\*|<<|>>|\|\||&&|\?\?)?=(?:[^=>]|$)`)
	declared = pattern.New(`\b(?:def|class|function|const|let|var|enum|namespace|import|as)\s+([A-Za-z_$][\w$]*)`)
	erased   = pattern.New(`^(?:type |member )`)
)

// givenBy are the names that a part of a script or module gives something.
func givenBy(it *item) (names []string, partly bool) {
	switch {
	case it.kind == lang.PartComment || erased.MatchString(it.key):
		return nil, false
	case it.kind == lang.PartImport && it.hoisted:
		return nil, false
	case it.kind == lang.PartImport:
		list := strings.Split(strings.TrimPrefix(it.key, "import "), ",")
		if it.names != nil {
			list = it.names.list
		}
		for _, n := range list {
			if _, as, ok := strings.Cut(n, " as "); ok {
				n = as
			}
			n, _, _ = strings.Cut(strings.TrimSpace(n), ".")
			names = append(names, n)
		}
		return names, false
	case it.kind == lang.PartDefinition:
		key := strings.TrimPrefix(it.key, "def ")
		for _, word := range []string{"static ", "get ", "set "} {
			key = strings.TrimPrefix(key, word)
		}
		if key == "default" {
			key = ""
			if m := declared.FindStringSubmatch(it.now); m != nil {
				key = m[1]
			}
		}
		for _, target := range strings.Split(key, ",") {
			if i := strings.LastIndexAny(target, ".["); i >= 0 && !strings.HasPrefix(strings.TrimSpace(key), "[") {
				target, partly = target[i:], true
			}
			for w := range wordsOf(target) {
				names = append(names, w)
			}
		}
		slices.Sort(names)
		return names, partly
	}
	for _, p := range []interface {
		FindAllStringSubmatch(string, int) [][]string
	}{given, declared} {
		for _, m := range p.FindAllStringSubmatch(it.text, -1) {
			names = append(names, m[1])
		}
	}
	return names, false
}

// uses is which parts of one version use which: near where the code runs where it stands,
// far in all of it. Both are by the used part.
type uses struct {
	place     map[int]int // where each stands
	near, far map[int][]int
}

// of reads the uses of the parts in order; pick gives what is known of one.
func (r reads) of(order []int, pick func(id int) []*item) uses {
	u := uses{place: map[int]int{}, near: map[int][]int{}, far: map[int][]int{}}
	by := map[string][]int{}
	var all []int
	for i, id := range order {
		u.place[id] = i
		for _, it := range pick(id) {
			names, _ := r.given(it)
			for _, n := range names {
				if l := by[n]; len(l) == 0 || l[len(l)-1] != id {
					by[n] = append(l, id)
				}
			}
			if r.all != nil && r.all(it) && !slices.Contains(all, id) {
				all = append(all, id)
			}
		}
	}
	add := func(to map[int][]int, user int, text string, any bool) {
		seen := map[int]bool{user: true}
		use := func(ids []int) {
			for _, id := range ids {
				if !seen[id] {
					seen[id] = true
					to[id] = append(to[id], user)
				}
			}
		}
		use(all)
		if any {
			for _, ids := range by {
				use(ids)
			}
			return
		}
		for w := range wordsOf(text) {
			use(by[w])
		}
	}
	for _, id := range order {
		for _, it := range pick(id) {
			if it.kind == lang.PartComment || it.kind == lang.PartImport || erased.MatchString(it.key) {
				continue
			}
			any := r.any != nil && r.any(it)
			add(u.near, id, r.now(it), any)
			add(u.far, id, it.text, any)
		}
	}
	return u
}

// users are the parts whose code, run where it stands, uses a part, itself or by what it
// uses.
func (u uses) users(of int) map[int]bool {
	through := map[int]bool{of: true}
	out := map[int]bool{}
	for next := []int{of}; len(next) > 0; {
		id := next[0]
		next = next[1:]
		for _, user := range u.near[id] {
			out[user] = true
		}
		for _, user := range u.far[id] {
			if !through[user] {
				through[user] = true
				next = append(next, user)
			}
		}
	}
	delete(out, of)
	return out
}

// givers counts how many parts give each name; those that only import it count as one.
func (r reads) givers(things []three, ids []int) map[string]int {
	givers, last, imported := map[string]int{}, map[string]int{}, map[string]bool{}
	for i, id := range ids {
		it := things[id].either()
		names, _ := r.given(it)
		for _, n := range names {
			if at, ok := last[n]; it.kind == lang.PartImport {
				imported[n] = true
			} else if !ok || at != i {
				givers[n], last[n] = givers[n]+1, i
			}
		}
	}
	for n := range imported {
		givers[n]++ // two imports of one name are for others to judge
	}
	return givers
}

// shifted finds what has changed places with something above it, and what gives a name anew.
func (r reads) shifted(things []three, ids []int, at [2]map[int]int, givers map[string]int) (moved, again map[int]bool) {
	moved, again = map[int]bool{}, map[int]bool{}
	for side := range at {
		lowest := -1
		for _, x := range ids {
			if i, ok := at[side][x]; ok {
				if i < lowest {
					moved[x] = true
				}
				lowest = max(lowest, i)
			}
		}
	}
	for _, x := range ids {
		_, inO := at[0][x]
		_, inT := at[1][x]
		names, partly := r.given(things[x].either())
		if inO != inT && (partly || slices.ContainsFunc(names, func(n string) bool { return givers[n] > 1 })) {
			again[x] = true
		}
	}
	return moved, again
}

// check doubts an order in which something that runs sees what it sees on neither side.
func (r reads) check(things []three, o, t []int, order []placed) error {
	ids := make([]int, len(order))
	for i, p := range order {
		ids[i] = p.id
	}
	givers := r.givers(things, ids)
	place := func(list []int) map[int]int {
		at := map[int]int{}
		for i, id := range list {
			at[id] = i
		}
		return at
	}
	in, at := place(ids), [2]map[int]int{place(o), place(t)}
	// before says whether a side has x above y, and whether it has both.
	before := func(side, x, y int) (above, both bool) {
		i, ok := at[side][x]
		j, too := at[side][y]
		return i < j, ok && too
	}
	moved, again := r.shifted(things, ids, at, givers)
	if len(moved) == 0 && len(again) == 0 {
		return nil
	}
	result := r.of(ids, func(id int) []*item {
		x := things[id]
		switch {
		case x.ours == nil:
			return []*item{x.theirs}
		case x.theirs == nil || x.ours.text == x.theirs.text || x.base != nil && x.theirs.text == x.base.text:
			return []*item{x.ours}
		case x.base != nil && x.ours.text == x.base.text:
			return []*item{x.theirs}
		}
		return []*item{x.ours, x.theirs} // both changed it
	})
	sides := [2]uses{
		r.of(o, func(id int) []*item { return []*item{things[id].ours} }),
		r.of(t, func(id int) []*item { return []*item{things[id].theirs} }),
	}
	for _, x := range ids {
		if !again[x] && !moved[x] {
			continue
		}
		known := [2]map[int]bool{sides[0].users(x), sides[1].users(x)}
		users := result.users(x)
		for _, y := range ids {
			if !users[y] {
				continue
			}
			above := in[x] < in[y]
			as, turned := false, false
			for side := range at {
				was, both := before(side, x, y)
				as = as || both && was == above && known[side][y]
				turned = turned || both && was != above
			}
			switch {
			case as:
			case turned && !above && !things[x].either().hoisted:
				return doubt("%s would stand above %s, which it uses", things[y].either().label(), things[x].either().label())
			case again[x]:
				return doubt("one side gives %s anew, and the other adds code that uses it", things[x].either().label())
			}
		}
	}
	return nil
}
