package combine

// Branch is one branch to be merged.
type Branch struct {
	Name   string // as people know it
	Commit string
	// Agent, Item and Intent say whose work it is; "" for a branch that is nobody's.
	Agent, Item, Intent string
}

// Order puts branches behind those they build on: after[i] are the indexes of those that
// come before branch i. Where nothing speaks against it they keep their order; a circle is
// cut at its first.
func Order(n int, after map[int][]int) []int {
	out := make([]int, 0, n)
	state := make([]int, n) // 0 not seen, 1 on the way, 2 placed
	var place func(i int)
	place = func(i int) {
		if i < 0 || i >= n || state[i] != 0 {
			return
		}
		state[i] = 1
		for _, before := range after[i] {
			place(before)
		}
		state[i] = 2
		out = append(out, i)
	}
	for i := range n {
		place(i)
	}
	return out
}
