package footprint

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestDiffText(t *testing.T) {
	old := "one\ntwo three four\nfive\nsix\n"
	new := "\ufeffzero\r\none\r\ntwo 3 four\r\nsix\r\n"
	d := diffText([]byte(old), []byte(new))
	for _, c := range []struct {
		text string
		kept bool
	}{
		{"one", true}, {"two ", true}, {"three", false}, {" four", true}, {"five", false}, {"six", true}, {"two three", false},
	} {
		at := strings.Index(old, c.text)
		start, end, ok := d.toNew(at, at+len(c.text))
		if ok != c.kept {
			t.Errorf("%q kept: %v", c.text, ok)
		}
		if ok && string(d.newText.b[start:end]) != c.text {
			t.Errorf("%q became %q", c.text, d.newText.b[start:end])
		}
		if c.kept {
			n := strings.Index(new, c.text)
			if !d.wasOld(n, n+len(c.text)) {
				t.Errorf("%q in the new version is not known from the old one", c.text)
			}
		}
	}
	if n := strings.Index(new, "3"); d.wasOld(n, n+1) {
		t.Error("new text taken for old")
	}
}

// checkRuns holds what every diff promises: equal text, in order, without overlap.
func checkRuns(t *testing.T, old, new []byte) *textDiff {
	t.Helper()
	d := diffText(old, new)
	a, b := 0, 0
	for _, r := range d.runs {
		if r.n <= 0 || r.old < a || r.new < b || r.old+r.n > len(d.oldText.b) || r.new+r.n > len(d.newText.b) {
			t.Fatalf("run %+v after %d, %d in %q -> %q", r, a, b, old, new)
		}
		if !bytes.Equal(d.oldText.b[r.old:r.old+r.n], d.newText.b[r.new:r.new+r.n]) {
			t.Fatalf("run %+v is not the same text in %q -> %q", r, old, new)
		}
		a, b = r.old+r.n, r.new+r.n
	}
	return d
}

func TestDiffOfRandomEdits(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	words := strings.Fields("a b c func return { } ( ) ; x1 x2 é 世")
	for range 2000 {
		var old []byte
		for range rng.IntN(60) {
			old = append(old, words[rng.IntN(len(words))]...)
			old = append(old, []string{" ", "\n", "\r\n", ""}[rng.IntN(4)]...)
		}
		new := bytes.Clone(old)
		for range rng.IntN(4) {
			at := rng.IntN(len(new) + 1)
			end := at + rng.IntN(min(8, len(new)-at+1))
			new = append(append(bytes.Clone(new[:at]), words[rng.IntN(len(words))]...), new[end:]...)
		}
		checkRuns(t, old, new)
		if d := checkRuns(t, old, old); len(old) > 0 && (len(d.runs) != 1 || d.runs[0].n != len(d.oldText.b)) {
			t.Fatalf("%q differs from itself: %+v", old, d.runs)
		}
	}
}

func FuzzDiffText(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nx\nc\n")
	f.Add("\ufeffa\r\n", "a\n")
	f.Add(strings.Repeat("x\n", 300), strings.Repeat("x\ny\n", 200))
	f.Fuzz(func(t *testing.T, old, new string) { checkRuns(t, []byte(old), []byte(new)) })
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"get", "fetch", 3}} {
		if got := distance(c.a, c.b); got != c.want || distance(c.b, c.a) != got {
			t.Errorf("%q and %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
