package rerere

import (
	"bytes"
	"strings"
	"testing"
)

const two = "a\n<<<<<<< x\none\n=======\nthe other\n>>>>>>> y\nmid\n<<<<<<< x\n1\n=======\n2\n>>>>>>> y\nend\n"

func TestSolutions(t *testing.T) {
	c, ok := Read([]byte(two), "sha1")
	if !ok || len(c.Hunks) != 2 {
		t.Fatal("not read")
	}
	for _, test := range []struct{ after, want string }{
		{"a\nboth\nmid\n3\nend\n", "both\n|3\n"},
		{"a\nmid\nend\n", "|"},
		{"A\nboth\nmid\n3\nend\n", "no"},                     // changed before
		{"a\nboth\nmid!\n3\nend\n", "no"},                    // between
		{"a\nboth\nmid\n3\nmore\nend\n", "both\n|3\nmore\n"}, // behind it belongs to the second
		{"a\nmid\nmid\n3\nend\n", "no"},                      // either of the two
		{"a\nboth\nxmid\n3\nend\n", "no"},                    // no whole line
		{"a\nend\n", "no"},
		{"", "no"},
	} {
		got, ok := c.Solutions([]byte(test.after))
		text := string(bytes.Join(got, []byte("|")))
		if !ok {
			text = "no"
		}
		if text != test.want {
			t.Errorf("%q: %q, want %q", test.after, text, test.want)
		}
		if ok {
			if back, ok := c.Solve(got); !ok || string(back) != test.after {
				t.Errorf("%q comes back as %q", test.after, back)
			}
		}
	}
	for _, bad := range [][]string{{"x\n"}, {"x", "y\n"}, {"x\n", "y"}, {"x\n", "y\n", "z\n"}} {
		var solutions [][]byte
		for _, s := range bad {
			solutions = append(solutions, []byte(s))
		}
		if out, ok := c.Solve(solutions); ok {
			t.Errorf("%q gives %q", bad, out)
		}
	}
}

// FuzzSolutions: whatever is read out of a resolved file gives that file back, and into
// any other file with the conflicts only the solutions go.
func FuzzSolutions(f *testing.F) {
	f.Add([]byte(two), []byte("a\nboth\nmid\n3\nend\n"))
	f.Add([]byte(strings.ReplaceAll(two, "\n", "\r\n")), []byte("a\r\nmid\r\nend\r\n"))
	f.Add([]byte("<<<<<<< x\n=======\n>>>>>>> y\n"), []byte("no end"))
	f.Add([]byte("<<<<<<< x\n<<<<<<< x\n=======\n>>>>>>> y\n=======\n>>>>>>> y\n"), []byte{})
	f.Fuzz(func(t *testing.T, before, after []byte) {
		c, ok := Read(before, "sha1")
		if !ok {
			return
		}
		got, ok := c.Solutions(after)
		if !ok {
			return
		}
		back, ok := c.Solve(got)
		if !ok || !bytes.Equal(back, after) {
			t.Fatalf("%q comes back as %q", after, back)
		}
	})
}
