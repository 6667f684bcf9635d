package symbols

import (
	"testing"

	"gitlet/internal/lang"
)

func TestParseEveryLanguage(t *testing.T) {
	for _, l := range lang.All() {
		tree, err := Parse(l, []byte("x"), DefaultLimits)
		if err != nil {
			t.Fatalf("%s: %v", l.Name, err)
		}
		if int(tree.Nodes[0].Next) != len(tree.Nodes) || tree.Nodes[0].Parent != -1 {
			t.Errorf("%s: the root must span the whole tree, got %+v of %d", l.Name, tree.Nodes[0], len(tree.Nodes))
		}
		for i, n := range tree.Nodes {
			if n.Next <= int32(i) || int(n.Next) > len(tree.Nodes) {
				t.Fatalf("%s: node %d has subtree end %d of %d", l.Name, i, n.Next, len(tree.Nodes))
			}
		}
	}
}
