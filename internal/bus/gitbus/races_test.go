package gitbus

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/git/gittest"
)

const (
	contenders = 32
	clones     = 8
)

// TestRace: 32 contenders in 8 clones claim one symbol at once, over a remote that takes
// up to 50 ms to answer, and in 8 worktrees of one repository. Each round has one
// winner; everybody else learns who it is; nothing is left behind.
func TestRace(t *testing.T) {
	rounds := 2
	if soak {
		rounds = 200
	}
	for name, homes := range map[string]func(*testing.T) (*world, []*gittest.Repo){"remote": raceClones, "local": raceWorktrees} {
		t.Run(name, func(t *testing.T) {
			if !soak {
				t.Parallel()
			}
			w, repos := homes(t)
			r := &race{w: w, draw: rand.New(rand.NewPCG(4, uint64(len(name))))}
			for i := range contenders {
				o := w.options
				o.Reuse = -1
				b, err := New(w.open(repos[i%clones]), o)
				if err != nil {
					t.Fatal(err)
				}
				r.doors = append(r.doors, b)
			}
			began := time.Now()
			for i := range rounds {
				r.round(i)
			}
			took := slices.Sorted(slices.Values(r.took))
			t.Logf("%d rounds of %d in %s; a claim took %s in the middle, %s at most; losers %d", rounds, contenders,
				time.Since(began).Round(time.Second), took[len(took)/2].Round(time.Millisecond), took[len(took)-1].Round(time.Millisecond), r.losers)
		})
	}
}

func raceClones(t *testing.T) (*world, []*gittest.Repo) {
	w := newRemoteWorld(t)
	const body = "sleep \"$(printf 0.%%03d $(($(od -An -N1 -tu1 /dev/urandom) %% 51)))\"\nexec git %s \"$1\"\n"
	var repos []*gittest.Repo
	for range clones {
		r := w.remote.Clone()
		r.Git("config", "remote.origin.receivepack", w.script("slow-receive", fmt.Sprintf(body, "receive-pack")))
		r.Git("config", "remote.origin.uploadpack", w.script("slow-upload", fmt.Sprintf(body, "upload-pack")))
		repos = append(repos, r)
	}
	return w, repos
}

func raceWorktrees(t *testing.T) (*world, []*gittest.Repo) {
	w := newLocalWorld(t)
	repos := w.machines[:]
	for i := len(repos); i < clones; i++ {
		dir := filepath.Join(t.TempDir(), "linked")
		w.remote.Git("worktree", "add", "-q", "--detach", dir, "main")
		repos = append(repos, gittest.At(t, dir))
	}
	return w, repos
}

type race struct {
	w      *world
	draw   *rand.Rand
	doors  []*Bus
	took   []time.Duration
	losers int
}

func (r *race) round(n int) {
	t, w := r.w.t, r.w
	t.Helper()
	type result struct {
		held *bus.Held
		err  error
		took time.Duration
	}
	results := make([]result, len(r.doors))
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	for i, b := range r.doors {
		wait := time.Duration(r.draw.Int64N(int64(20 * time.Millisecond)))
		ready.Add(1)
		done.Add(1)
		go func() {
			defer done.Done()
			ready.Done()
			<-start
			time.Sleep(wait)
			began := time.Now()
			h, err := b.Claim(t.Context(), claimOn(someKey, contender(i)))
			results[i] = result{h, err, time.Since(began)}
		}()
	}
	ready.Wait()
	close(start)
	done.Wait()
	winner := -1
	for i, got := range results {
		r.took = append(r.took, got.took)
		if got.err != nil {
			continue
		}
		if winner >= 0 {
			t.Fatalf("round %d: %s and %s both hold the claim", n, contender(winner), contender(i))
		}
		winner = i
	}
	if winner < 0 {
		t.Fatalf("round %d: nobody won: %v", n, results)
	}
	for i, got := range results {
		var lost *bus.Lost
		if i == winner {
			continue
		}
		if r.losers++; !errors.As(got.err, &lost) || lost.Holder == nil || lost.Holder.Claim.Owner != contender(winner) {
			t.Fatalf("round %d: %s won, and %s got %v", n, contender(winner), contender(i), got.err)
		}
	}
	ref := w.name(bus.ClaimRef(someKey))
	if got := w.remote.Git("for-each-ref", "--format=%(objectname)", ref); got != bus.Token(results[winner].held) {
		t.Fatalf("round %d: the claim is at %q, the winner holds %q", n, got, bus.Token(results[winner].held))
	}
	if err := r.doors[winner].ReleaseClaim(t.Context(), results[winner].held); err != nil {
		t.Fatal(err)
	}
	if left := w.remote.Git("for-each-ref", "refs/gitlet"); left != "" {
		t.Fatalf("round %d left %s", n, left)
	}
	if n%10 != 0 {
		return
	}
	for _, b := range r.doors[:clones] {
		if d := w.see(b); len(d.Claims)+len(d.Problems) > 0 {
			t.Fatalf("round %d: a clone still sees %+v %v", n, d.Claims, d.Problems)
		}
		if refs, err := b.repo.Refs(t.Context()); err != nil || strings.Contains(fmt.Sprint(refs), "claims") {
			t.Fatalf("round %d: left in a clone: %v %v", n, refs, err)
		}
	}
}

func contender(i int) string { return fmt.Sprintf("contender-%02d", i) }
