package tomledit

import (
	"bytes"
	"testing"
)

// FuzzEdit: nothing panics, and a table that was added comes out again to the last byte.
func FuzzEdit(f *testing.F) {
	for _, s := range []string{"", "a = 1", "[p]\nx = 1\n", "p = { a = 1 }\n", "p.a = 1\r\n", "p = {}", "x = \"\"\"\n[p.n]\n\"\"\"\n", "[[l]]\n", "# c", "'p'.\"n\" = 1\n", "p = { n = {} }"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, err := Parse(text)
		if err != nil {
			return
		}
		scan(text)
		if Get(doc, "p", "n") != nil {
			_, _ = Remove(text, "p", "n") // it may be in a form that is left alone
			return
		}
		now, err := Add(text, "p", "n", []Pair{{"k", `"v"`}})
		if err != nil {
			return
		}
		back, err := Remove(now, "p", "n")
		if err != nil || !bytes.Equal(back, text) {
			t.Fatalf("%q became %q and then %q: %v", text, now, back, err)
		}
	})
}
