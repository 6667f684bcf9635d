package lang

import (
	"sort"
	"strings"

	"gitlet/internal/model"
)

// definition is a symbol while it is being read, with the nodes its hashes need.
type definition struct {
	sym model.Symbol
	// nodes are the parts that the body hash covers, in source order; the first
	// one stands for the definition inside its container.
	nodes []Node
	// omit are nodes left out of the hash: the definition's own name.
	omit []Node
	// extra is hashed along with the nodes: what the parts do not spell.
	extra string
}

// bodyHashes computes the body hash of each definition. Definitions inside another
// one count there by their names within it only.
func bodyHashes(t *Tree, defs []definition, token func(Node, []byte) []byte) {
	type part struct {
		node Node
		def  int
		main bool
	}
	var parts []part
	for i := range defs {
		for j, n := range defs[i].nodes {
			if n != None {
				parts = append(parts, part{n, i, j == 0})
			}
		}
	}
	sort.SliceStable(parts, func(a, b int) bool { return parts[a].node < parts[b].node })
	for i := range defs {
		d := &defs[i]
		o := hashOptions{replace: map[Node]string{}, token: token, own: ownNames(d.sym.Name, d.sym.Container)}
		for _, n := range d.omit {
			if n != None {
				o.replace[n] = ""
			}
		}
		for _, root := range d.nodes {
			if root == None {
				continue
			}
			inside, until := None, None // the last part replaced, and where it ends
			at := sort.Search(len(parts), func(k int) bool { return parts[k].node >= root })
			for ; at < len(parts) && parts[at].node < t.Next(root); at++ {
				p := parts[at]
				if p.def == i || p.node == root || p.node < until && p.node != inside {
					continue
				}
				inside, until = p.node, t.Next(p.node)
				name := ""
				if p.main {
					name = strings.TrimPrefix(defs[p.def].sym.Qualified, d.sym.Qualified+".")
				}
				o.replace[p.node] = name
			}
		}
		d.sym.BodyHash = bodyHash(t, o, d.nodes...)
		if d.extra != "" {
			d.sym.BodyHash = shortHash([]byte(d.sym.BodyHash + d.extra))
		}
	}
}
