package footprint

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gitlet/internal/lang"
	"gitlet/internal/model"
)

// checkHunks holds hunks to their promise: in order, with an unchanged line between two,
// and everything outside of them is the same text.
func checkHunks(t *testing.T, old, new string, all []model.Hunk) {
	t.Helper()
	a, b := lines(old), lines(new)
	pa, pb := 0, 0
	for i, h := range all {
		n := h.Start - 1 - pa
		if n < 0 || i > 0 && n == 0 || h.Old+h.New == 0 || h.Start-1+h.Old > len(a) || pb+n+h.New > len(b) {
			t.Fatalf("hunk %d of %v does not fit\n%q\n%q", i, all, a, b)
		}
		if !slices.Equal(a[pa:pa+n], b[pb:pb+n]) {
			t.Fatalf("the text before hunk %d of %v differs\n%q\n%q", i, all, a, b)
		}
		pa, pb = h.Start-1+h.Old, pb+n+h.New
	}
	if !slices.Equal(a[pa:], b[pb:]) {
		t.Fatalf("the text after %v differs\n%q\n%q", all, a, b)
	}
}

func lines(s string) []string {
	out := strings.Split(s, "\n")
	if out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}

// TestHunksCoverTheDifference tries random edits, with few and with many places.
func TestHunksCoverTheDifference(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string { return fmt.Sprintf("line %d\n", r.IntN(40)) }
	for range 2000 {
		var old, new []string
		rate := r.IntN(20) + 1
		for range r.IntN(200) {
			w := word()
			old = append(old, w)
			switch r.IntN(rate + 3) {
			case 0:
				new = append(new, word())
			case 1:
				new = append(new, w, word())
			case 2:
			default:
				new = append(new, w)
			}
		}
		a, b := strings.Join(old, ""), strings.Join(new, "")
		if r.IntN(4) == 0 {
			b = strings.TrimSuffix(b, "\n")
		}
		all := diffLines(lang.LinesOf([]byte(a)).Hashes, lang.LinesOf([]byte(b)).Hashes)
		checkHunks(t, a, b, all)
		few := joinHunks(all, model.MaxHunks)
		if len(few) > model.MaxHunks || len(all) <= model.MaxHunks && len(few) != len(all) {
			t.Fatalf("%d hunks joined to %d", len(all), len(few))
		}
		checkHunks(t, a, b, few)
	}
}

func TestHunksOfAFile(t *testing.T) {
	t.Parallel()
	text := func(s string) func() ([]byte, error) { return func() ([]byte, error) { return []byte(s), nil } }
	unread := func() ([]byte, error) { return nil, errors.New("gone") }
	yaml, edited := "a: 1\nb: 2\nc: 3\n", "a: 1\nb: 3\nc: 3\nd: 4\n"
	want := []model.Hunk{{Start: 2, Old: 1, New: 1}, {Start: 4, New: 1}}
	for _, c := range []struct {
		name string
		d    Delta
		want []model.Hunk
	}{
		{"changed", Delta{Path: "a.yml", Status: "M", Old: text(yaml), New: text(edited)}, want},
		{"line endings", Delta{Path: "a.yml", Status: "M", Old: text(strings.ReplaceAll(yaml, "\n", "\r\n")), New: text(edited)}, want},
		{"only line endings", Delta{Path: "a.yml", Status: "M", Old: text(strings.ReplaceAll(yaml, "\n", "\r\n")), New: text(yaml)}, nil},
		{"added", Delta{Path: "a.yml", Status: "A", New: text(edited)}, nil},
		{"removed", Delta{Path: "a.yml", Status: "D", Old: text(edited)}, nil},
		{"renamed", Delta{Path: "a.yml", OldPath: "b.yml", Status: "R", Old: text(yaml), New: text(edited)}, nil},
		{"withheld", Delta{Path: ".env", Status: "M", Withheld: "it stays here", Old: text(yaml), New: text(edited)}, nil},
		{"link", Delta{Path: "a.yml", Status: "M", OldMode: "120000", NewMode: "120000", Old: text("a"), New: text("b")}, nil},
		{"binary", Delta{Path: "a.bin", Status: "M", Old: text(yaml), New: text("a\x00b\n")}, nil},
		{"large", Delta{Path: "a.yml", Status: "M", Old: text(strings.Repeat("x\n", maxDiffedFile)), New: text(edited)}, nil},
		{"unread", Delta{Path: "a.yml", Status: "M", Old: text(yaml), New: unread}, nil},
		{"code", Delta{Path: "a.py", Status: "M", Old: text("x = f(1)\nprint(x)\n\n\ndef g():\n    pass\n"), New: text("x = f(1)\n\n\ndef g():\n    return 1\n")},
			[]model.Hunk{{Start: 2, Old: 1, Outside: true}, {Start: 6, Old: 1, New: 1}}},
	} {
		got := Compute(Input{Deltas: []Delta{c.d}}).Files[0]
		if !slices.Equal(got.Hunks, c.want) || (got.Was != "") != (c.want != nil) {
			t.Errorf("%s: %q %v, want %v", c.name, got.Was, got.Hunks, c.want)
		}
	}
}

// TestHunksAreBounded: a very wide change says of its first files where they changed.
func TestHunksAreBounded(t *testing.T) {
	t.Parallel()
	var in Input
	for i := range maxDiffed + 20 {
		in.Deltas = append(in.Deltas, Delta{Path: fmt.Sprintf("%04d.yml", i), Status: "M", Old: content("a\n"), New: content("b\n")})
	}
	for i, f := range Compute(in).Files {
		if (f.Was != "") != (i < maxDiffed) {
			t.Fatalf("file %d of many: %+v", i, f)
		}
	}
}
