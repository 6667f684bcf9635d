package engine

import (
	"context"
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/git/gittest"
	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/verb"
)

// pair is an owner and somebody who watches it, with a lease of ten minutes and a poll
// every two. Nothing ticks by itself.
type pair struct {
	*testing.T
	repos        map[string]*gittest.Repo
	owner, other *Engine
	remote       string
}

const (
	ownerID = "claude-host-000001"
	otherID = "codex-host-000002"
	taskID  = "0123456789ab"
)

var loadSymbol = model.Symbol{Key: "0123456789abcdef", Lang: "go", Path: "lib/lib.go", Name: "Load", Qualified: "Load", Kind: "function"}

func newPair(t *testing.T, repos map[string]*gittest.Repo) *pair {
	p := &pair{T: t, repos: repos, remote: repos["claude"].Git("config", "remote.origin.url")[len("file://"):]}
	for name, e := range map[string]**Engine{"claude": &p.owner, "codex": &p.other} {
		agent := ownerID
		if name == "codex" {
			agent = otherID
		}
		repos[name].Git("config", "gitlet.pollInterval", "2m")
		var err error
		if *e, err = Open(t.Context(), Options{Dir: repos[name].Dir, Client: "test", Agent: agent}); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := (*e).Close(); err != nil {
				t.Error(err)
			}
		})
	}
	p.run(p.owner, func(ctx context.Context, c *Call) error {
		_, err := c.Open(ctx, model.Item{ID: taskID, Intent: "Own it", Status: model.ItemActive, OpenedAt: c.Now})
		return err
	})
	p.run(p.owner, func(ctx context.Context, c *Call) error {
		got, err := c.Claim(ctx, loadSymbol, taskID)
		if err == nil && got.Held == nil {
			err = errors.New("the claim was not granted")
		}
		return err
	})
	return p
}

// run makes one call, as a shell command would.
func (p *pair) run(e *Engine, do func(context.Context, *Call) error) *verb.Result {
	p.Helper()
	r := e.Run(p.Context(), verb.Spec{Name: "look"}, func(ctx context.Context, c *Call) (*verb.Result, error) {
		return &verb.Result{Outcome: verb.OK}, do(ctx, c)
	})
	if r.Outcome != verb.OK {
		p.Fatalf("call: %+v", r)
	}
	return r
}

// watch lets time pass with the other's ticks, and the owner's when it is at work.
func (p *pair) watch(d time.Duration, working bool) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		time.Sleep(min(2*time.Minute, time.Until(end)))
		if working {
			p.owner.lastCall = time.Now()
			_, _ = p.owner.Tick(p.Context())
		}
		_, _ = p.other.Tick(p.Context()) // it fails while the remote is away
	}
}

func (p *pair) away(away bool) {
	from, to := p.remote, p.remote+".away"
	if !away {
		from, to = to, from
	}
	if err := os.Rename(from, to); err != nil {
		p.Fatal(err)
	}
}

// lapsed is what the other's next look says of the owner: of its state, and of its claim.
func (p *pair) lapsed() (state, claim bool) {
	p.Helper()
	p.run(p.other, func(ctx context.Context, c *Call) error {
		v, err := c.View(ctx)
		if err != nil {
			return err
		}
		seen := false
		for _, peer := range v.Peers {
			if peer.Agent.ID == ownerID {
				seen, state = true, peer.Lapsed
			}
		}
		if cl := v.Claim(loadSymbol.Key); cl == nil || !seen {
			return errors.New("the owner's work or claim is not visible")
		} else {
			claim = c.claimLapsed(*cl)
		}
		return nil
	})
	return state, claim
}

// TestLeases is the table of what counts as a lapse, in virtual time over real git. Who
// is judged has lapsed or not; either way its work stays visible.
func TestLeases(t *testing.T) {
	t.Parallel()
	const minute = time.Minute
	for _, c := range []struct {
		name string
		play func(p *pair)
		want bool
	}{
		{"at work", func(p *pair) { p.watch(24*minute, true) }, false},
		{"silent for less than the lease", func(p *pair) { p.watch(8*minute, false) }, false},
		{"silent for the lease", func(p *pair) { p.watch(12*minute, false) }, true},
		{"the watcher slept through it", func(p *pair) {
			p.watch(4*minute, false)
			time.Sleep(time.Hour)
		}, false},
		{"the watcher slept, and then watched for a lease", func(p *pair) {
			p.watch(4*minute, false)
			time.Sleep(time.Hour)
			p.watch(14*minute, false)
		}, true},
		{"a short outage changes nothing", func(p *pair) {
			p.watch(4*minute, false)
			p.away(true)
			p.watch(2*minute, false)
			p.away(false)
			p.watch(8*minute, false)
		}, true},
		{"a long outage starts it over", func(p *pair) {
			p.watch(4*minute, false)
			p.away(true)
			p.watch(8*minute, false)
			p.away(false)
			p.watch(6*minute, false)
		}, false},
		{"an outage that the owner worked through", func(p *pair) {
			p.watch(4*minute, true)
			p.away(true)
			p.watch(14*minute, true)
			p.away(false)
		}, false},
		{"nothing is judged while the remote is away", func(p *pair) {
			p.watch(8*minute, false)
			p.away(true)
			p.watch(10*minute, false)
		}, false},
		{"a clock far ahead buys no time", func(p *pair) {
			p.skew(365 * 24 * time.Hour)
			p.watch(12*minute, false)
		}, true},
		{"a clock far behind costs none", func(p *pair) {
			p.skew(-365 * 24 * time.Hour)
			p.watch(8*minute, false)
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			repos := machines(t, "claude", "codex")
			synctest.Test(t, func(t *testing.T) {
				p := newPair(t, repos)
				_, _ = p.other.Tick(t.Context())
				c.play(p)
				if state, claim := p.lapsed(); state != c.want || claim != c.want {
					t.Errorf("lapsed: state %v, claim %v; want %v", state, claim, c.want)
				}
			})
		})
	}
}

// skew makes the owner write as if its clock were off by so much.
func (p *pair) skew(d time.Duration) {
	at := time.Now().Add(d)
	if err := p.owner.bus.UpdateState(p.Context(), ownerID, func(s *model.State) error {
		s.Heartbeat = at
		return nil
	}); err != nil {
		p.Fatal(err)
	}
	held := p.owner.docs.Held(loadSymbol.Key)
	to := held.Claim
	to.UpdatedAt = at
	if _, err := p.owner.bus.UpdateClaim(p.Context(), held, to); err != nil {
		p.Fatal(err)
	}
	_, _ = p.other.Tick(p.Context())
}

// TestTakeover: a claim whose owner went quiet can be taken over, at exactly the value
// that was judged; one whose owner is at work cannot. Who lost it learns so.
func TestTakeover(t *testing.T) {
	t.Parallel()
	repos := machines(t, "claude", "codex")
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, repos)
		item := id.NewItem()
		p.run(p.other, func(ctx context.Context, c *Call) error {
			_, err := c.Open(ctx, model.Item{ID: item, Intent: "Take it", Status: model.ItemActive, OpenedAt: c.Now})
			return err
		})
		try := func() (got Claimed) {
			p.run(p.other, func(ctx context.Context, c *Call) (err error) {
				got, err = c.Claim(ctx, loadSymbol, item)
				return err
			})
			return got
		}
		p.watch(8*time.Minute, false)
		if got := try(); got.Holder == nil || got.Holder.Owner != ownerID {
			t.Errorf("before the lease is over: %+v", got)
		}
		seen := p.owner.docs.Held(loadSymbol.Key)
		p.watch(4*time.Minute, false)
		got := try()
		if got.TookOver != ownerID || got.Held == nil || got.Held.Claim.Epoch != 2 || got.Held.Claim.Item != item {
			t.Fatalf("after it: %+v", got)
		}
		// The old owner writes what it last saw, and hears who has it.
		_, err := p.owner.bus.UpdateClaim(t.Context(), seen, seen.Claim)
		var lost *bus.Lost
		if !errors.As(err, &lost) || lost.Holder == nil || lost.Holder.Claim.Owner != otherID {
			t.Errorf("the old owner's write: %v", err)
		}
		p.run(p.owner, func(ctx context.Context, c *Call) error {
			back, err := c.Claim(ctx, loadSymbol, taskID)
			if err == nil && (back.Holder == nil || back.Holder.Owner != otherID) {
				t.Errorf("the old owner claims again: %+v", back)
			}
			return err
		})
	})
}

// TestRenewals: heartbeat and claims are renewed once a third of the lease has passed,
// by ticks and by calls alike, and only while the agent is at work.
func TestRenewals(t *testing.T) {
	t.Parallel()
	repos := machines(t, "claude", "codex")
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, repos)
		written := func() (state, claim time.Time) {
			st, err := p.owner.bus.State(t.Context(), ownerID)
			if err != nil {
				t.Fatal(err)
			}
			p.run(p.other, func(context.Context, *Call) error { return nil })
			return st.Heartbeat, p.other.docs.Held(loadSymbol.Key).Claim.UpdatedAt
		}
		call := func() { p.run(p.owner, func(context.Context, *Call) error { return nil }) }
		tick := func() {
			if _, err := p.owner.Tick(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(5 * time.Minute)
		call() // both are written at one moment
		for _, c := range []struct {
			name    string
			after   time.Duration
			do      func()
			renewed bool
		}{
			{"a call before a third", 3 * time.Minute, call, false},
			{"a call after a third", time.Minute, call, true},
			{"a tick before a third", 3 * time.Minute, tick, false},
			{"a tick after a third", time.Minute, tick, true},
			{"a tick with nobody at work", 11 * time.Minute, tick, false},
			{"the next call", time.Minute, call, true},
		} {
			state, claim := written()
			time.Sleep(c.after)
			c.do()
			state2, claim2 := written()
			if state2.After(state) != c.renewed || claim2.After(claim) != c.renewed {
				t.Errorf("%s: state renewed %v, claim %v; want %v", c.name, state2.After(state), claim2.After(claim), c.renewed)
			}
		}
	})
}

// TestObserver: a remote that denies writing is asked once an hour; meanwhile own
// writes stand here, everything is read, and each result says so once.
func TestObserver(t *testing.T) {
	t.Parallel()
	repos := machines(t, "claude", "codex")
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, repos)
		asked := repos["claude"].Path("../asked")
		repos["claude"].Script("../deny", "echo x >>'"+asked+"'\necho 'fatal: Permission denied' >&2\nexit 1\n")
		repos["claude"].Git("config", "remote.origin.receivepack", repos["claude"].Path("../deny"))
		asks := func() int {
			data, err := os.ReadFile(asked)
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			return len(data) / 2
		}
		for i, c := range []struct {
			after time.Duration
			asked int
		}{{4 * time.Minute, 1}, {4 * time.Minute, 1}, {30 * time.Minute, 1}, {27 * time.Minute, 2}, {4 * time.Minute, 2}} {
			time.Sleep(c.after)
			repos["claude"].Write("lib/lib.go", "package lib\n\nfunc Load(path string, n int) error { return nil }\n\n// "+time.Now().String()+"\n")
			r := p.run(p.owner, func(context.Context, *Call) error { return nil })
			if len(otherWarnings(r)) != 1 || asks() != c.asked {
				t.Errorf("step %d: asked %d times, want %d; warnings %q", i, asks(), c.asked, r.Warnings)
			}
			if st, err := p.owner.bus.State(t.Context(), ownerID); err != nil || st.Active() == nil || !st.Heartbeat.Equal(p.owner.lastCall) {
				t.Errorf("step %d: the own state does not stand: %+v, %v", i, st, err)
			}
		}
		repos["claude"].Git("config", "--unset", "remote.origin.receivepack")
		time.Sleep(time.Hour)
		if r := p.run(p.owner, func(context.Context, *Call) error { return nil }); len(otherWarnings(r)) != 0 {
			t.Errorf("once it may write: %q", r.Warnings)
		}
		p.run(p.other, func(context.Context, *Call) error { return nil })
		if n := len(p.other.docs.States); n != 1 || !p.other.docs.States[0].Value.Heartbeat.Equal(p.owner.lastCall) {
			t.Errorf("the others do not see it: %+v", p.other.docs.States)
		}
	})
}

// TestReleaseRacesRenewal: a claim that the agent's own session renewed a moment ago is
// released all the same; one that was taken over is not, and that is no fault.
func TestReleaseRacesRenewal(t *testing.T) {
	t.Parallel()
	repos := machines(t, "claude", "codex")
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, repos)
		renew := func(owner string) {
			held := p.owner.docs.Held(loadSymbol.Key)
			to := held.Claim
			to.Owner, to.UpdatedAt = owner, time.Now()
			if _, err := p.other.bus.UpdateClaim(t.Context(), held, to); err != nil {
				t.Fatal(err)
			}
		}
		release := func() (claim bool) {
			p.run(p.owner, func(ctx context.Context, c *Call) (err error) {
				claim, _, err = c.Release(ctx, loadSymbol.Key)
				return err
			})
			return claim
		}
		renew(ownerID)
		if !release() {
			t.Error("a claim that was renewed is not released")
		}
		p.run(p.owner, func(ctx context.Context, c *Call) error {
			got, err := c.Claim(ctx, loadSymbol, taskID)
			if err == nil && got.Held == nil {
				t.Errorf("claimed again: %+v", got)
			}
			return err
		})
		renew(otherID)
		if release() {
			t.Error("a claim of somebody else is released")
		}
		time.Sleep(time.Minute)
		p.run(p.other, func(context.Context, *Call) error { return nil })
		if held := p.other.docs.Held(loadSymbol.Key); held == nil || held.Claim.Owner != otherID {
			t.Errorf("it is at %+v", held)
		}
	})
}
