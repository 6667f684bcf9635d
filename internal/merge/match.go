package merge

import "gitlet/internal/lang"

// match says which of base each of side is, -1 for new ones. Keys that stand several
// times and cannot be told apart are in unsure.
func match(base, side []item, unsure map[string]int, nameless []lang.PartKind) []int {
	out := make([]int, len(side))
	inBase, inSide := map[string][]int{}, map[string][]int{}
	for i, it := range base {
		inBase[it.key] = append(inBase[it.key], i)
	}
	for i, it := range side {
		out[i] = -1
		inSide[it.key] = append(inSide[it.key], i)
	}
	for key, ss := range inSide {
		bs := inBase[key]
		if len(ss) == 1 && len(bs) == 1 {
			out[ss[0]] = bs[0]
			continue
		}
		// The same text first, then in order.
		used := map[int]bool{}
		for _, s := range ss {
			for _, b := range bs {
				if !used[b] && out[s] < 0 && base[b].text == side[s].text {
					out[s], used[b] = b, true
				}
			}
		}
		var left, spare []int
		for _, s := range ss {
			if out[s] < 0 {
				left = append(left, s)
			}
		}
		for _, b := range bs {
			if !used[b] {
				spare = append(spare, b)
			}
		}
		if len(bs) > 0 && (len(left) > 0 || len(spare) > 0) {
			unsure[key]++
		}
		if len(left) == len(spare) {
			for i := range left {
				out[left[i]] = spare[i]
			}
		}
	}
	edits(base, side, out, nameless)
	return out
}

// edits pairs what has no name but its own text, where some went and as many came between
// the same neighbours.
func edits(base, side []item, ids []int, nameless []lang.PartKind) {
	taken := make([]bool, len(base))
	for _, b := range ids {
		if b >= 0 {
			taken[b] = true
		}
	}
	for from := 0; from < len(ids); {
		if ids[from] >= 0 {
			from++
			continue
		}
		to := from
		for to < len(ids) && ids[to] < 0 {
			to++
		}
		low, high := 0, len(base)
		if from > 0 {
			low = ids[from-1] + 1
		}
		if to < len(ids) {
			high = ids[to]
		}
		for _, kind := range nameless {
			var gone, came []int
			for b := low; b < high; b++ {
				if !taken[b] && base[b].kind == kind {
					gone = append(gone, b)
				}
			}
			for s := from; s < to; s++ {
				if side[s].kind == kind {
					came = append(came, s)
				}
			}
			for i := range gone {
				if len(gone) == len(came) && base[gone[i]].holds == side[came[i]].holds {
					ids[came[i]], taken[gone[i]] = gone[i], true
				}
			}
		}
		from = to
	}
}

// three is one thing in the versions that have it.
type three struct{ base, ours, theirs *item }

// identify gives the things of the three versions numbers, the same for the same thing:
// those of base first.
func (m *merger) identify(base, ours, theirs []item) (things []three, o, t []int, err error) {
	unsureO, unsureT := map[string]int{}, map[string]int{}
	o, t = match(base, ours, unsureO, m.nameless), match(base, theirs, unsureT, m.nameless)
	for key := range unsureO {
		if unsureT[key] > 0 {
			return nil, nil, nil, doubt("both sides change %q, which is there several times", key)
		}
	}
	things = make([]three, len(base))
	for i := range base {
		things[i].base = &base[i]
	}
	added := map[string][]int{}
	for i := range ours {
		if o[i] < 0 {
			o[i] = len(things)
			added[ours[i].key] = append(added[ours[i].key], o[i])
			things = append(things, three{})
		}
		things[o[i]].ours = &ours[i]
	}
	for i := range theirs {
		if t[i] < 0 {
			for _, id := range added[theirs[i].key] {
				if things[id].theirs == nil && things[id].ours.text == theirs[i].text {
					t[i] = id
					break
				}
			}
		}
		if t[i] < 0 {
			for _, id := range added[theirs[i].key] {
				if a := things[id].ours; things[id].theirs == nil && len(added[theirs[i].key]) == 1 && a.names != nil && theirs[i].names != nil {
					t[i] = id
				} else {
					return nil, nil, nil, doubt("both sides add %s, and not the same", a.label())
				}
			}
		}
		if t[i] < 0 {
			t[i] = len(things)
			things = append(things, three{})
		}
		things[t[i]].theirs = &theirs[i]
	}
	return things, o, t, nil
}
