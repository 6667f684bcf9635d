package footprint

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// References that the same code made before its change are marked, so that what main or
// a colleague adapted already can be told from what is new.
func TestReferencesThatStay(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"stays", "def f():\n    a()\n", "def f():\n    a()\n    b()\n", "a kept, b"},
		{"once more", "def f():\n    a()\n", "def f():\n    a()\n    x = a()\n", "a kept, a"},
		{"new definition", "def f():\n    a()\n", "def f():\n    a()\n\ndef g():\n    a()\n", "a"},
		{"another definition had it", "def f():\n    a()\ndef g():\n    pass\n", "def f():\n    a()\ndef g():\n    a()\n", "a"},
		{"from elsewhere now", "from m import a\ndef f():\n    a()\n", "from n import a\ndef f():\n    a(1)\n", "a"},
		{"outside", "a()\n", "a()\na(1)\nb(a())\n", "a kept, b, a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fp := Compute(Input{Deltas: []Delta{{Path: "x.py", Status: "M", Old: content(c.old), New: content(c.new)}}})
			var got []string
			for _, r := range fp.Refs {
				s := r.Name
				if r.Kept {
					s += " kept"
				}
				got = append(got, s)
			}
			want := strings.Split(c.want, ", ")
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("got %s, want %s", fmt.Sprint(got), c.want)
			}
		})
	}
}

func TestMaxRefs(t *testing.T) {
	d := []Delta{{Path: "x.py", Status: "A", New: content("a()\nb()\nc()\n")}}
	if fp := Compute(Input{Deltas: d, MaxRefs: 2}); len(fp.Refs) != 2 || !fp.Broad {
		t.Errorf("%d references, broad %v", len(fp.Refs), fp.Broad)
	}
	if fp := Compute(Input{Deltas: d}); len(fp.Refs) != 3 || fp.Broad {
		t.Errorf("%d references, broad %v", len(fp.Refs), fp.Broad)
	}
}
