package merge

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestApartIsAsGitMerges: what is merged without git is what git makes of it.
func TestApartIsAsGitMerges(t *testing.T) {
	merged := 0
	for seed := range 300 {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		text := func(n int) []string {
			var out []string
			for range n {
				out = append(out, string("abcdefghijkl"[r.IntN(12)])+"\n") // few, so that lines repeat
			}
			return out
		}
		base := text(4 + r.IntN(6))
		side := func() string {
			at := r.IntN(len(base) + 1)
			gone := min(r.IntN(3), len(base)-at)
			return strings.Join(base[:at], "") + strings.Join(text(r.IntN(3)), "") + strings.Join(base[at+gone:], "")
		}
		b, o, th := strings.Join(base, ""), side(), side()
		got, ok := apart(b, o, th)
		if !ok {
			continue
		}
		merged++
		if want, ok := byGit([]byte(b), []byte(o), []byte(th)); !ok || string(want) != got {
			t.Fatalf("seed %d: %q and %q of %q give %q, git says %q, %v", seed, o, th, b, got, want, ok)
		}
	}
	if merged < 20 {
		t.Errorf("only %d merged", merged)
	}
}
