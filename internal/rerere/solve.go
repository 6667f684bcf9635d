package rerere

import "bytes"

// Solutions reads out of the resolved file what became of each conflict, in their order.
// It reports false where the file was changed elsewhere too, and where that can be read in
// more than one way.
func (c *Conflict) Solutions(after []byte) ([][]byte, bool) {
	n := len(c.Hunks)
	first, last := c.around[0], c.around[n]
	if len(after) < len(first)+len(last) || !bytes.HasPrefix(after, first) || !bytes.HasSuffix(after, last) {
		return nil, false
	}
	after = after[len(first) : len(after)-len(last)]
	between := c.around[1:n]
	// As far ahead as each can stand, and as far back.
	ahead, back := make([]int, len(between)), make([]int, len(between))
	at := 0
	for i, text := range between {
		found := findLines(after[at:], text)
		if len(text) == 0 || found < 0 {
			return nil, false
		}
		ahead[i] = at + found
		at = ahead[i] + len(text)
	}
	end := len(after)
	for i := len(between) - 1; i >= 0; i-- {
		if back[i] = findLastLines(after[:end], between[i]); back[i] != ahead[i] {
			return nil, false
		}
		end = back[i]
	}
	out := make([][]byte, 0, n)
	from := 0
	for i, text := range between {
		out = append(out, after[from:ahead[i]])
		from = ahead[i] + len(text)
	}
	out = append(out, after[from:])
	for i, to := range out {
		if !c.fits(i, to) {
			return nil, false
		}
	}
	return out, true
}

// Solve puts a text in the place of each conflict. It reports false where there are not as
// many, or where one would run into the line behind it.
func (c *Conflict) Solve(solutions [][]byte) ([]byte, bool) {
	if len(solutions) != len(c.Hunks) {
		return nil, false
	}
	var out []byte
	for i, to := range solutions {
		if !c.fits(i, to) {
			return nil, false
		}
		out = append(append(out, c.around[i]...), to...)
	}
	return append(out, c.around[len(c.Hunks)]...), true
}

// fits reports whether a text in the place of a conflict ends with its line, or nothing
// comes behind it.
func (c *Conflict) fits(i int, to []byte) bool {
	if len(to) == 0 || to[len(to)-1] == '\n' {
		return true
	}
	return i == len(c.Hunks)-1 && len(c.around[i+1]) == 0
}

// findLines is where whole lines begin in a text, -1 for nowhere.
func findLines(in, lines []byte) int {
	for from := 0; from <= len(in); {
		i := bytes.Index(in[from:], lines)
		if i < 0 {
			return -1
		}
		if i += from; i == 0 || in[i-1] == '\n' {
			return i
		}
		from = i + 1
	}
	return -1
}

// findLastLines is where they begin last.
func findLastLines(in, lines []byte) int {
	for end := len(in); end >= 0; {
		i := bytes.LastIndex(in[:end], lines)
		if i < 0 {
			return -1
		}
		if i == 0 || in[i-1] == '\n' {
			return i
		}
		end = i + len(lines) - 1
	}
	return -1
}
