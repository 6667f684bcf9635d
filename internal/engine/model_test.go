package engine

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/bus/membus"
	"gitlet/internal/config"
	"gitlet/internal/git/gittest"
	"gitlet/internal/id"
	"gitlet/internal/ledger"
	"gitlet/internal/model"
	"gitlet/internal/symbols"
	"gitlet/internal/thread"
	"gitlet/internal/wire"
)

var (
	modelSteps     = flag.Int("modelsteps", 2400, "steps of the model test over a bus in memory")
	modelRealSteps = flag.Int("modelrealsteps", 12, "steps of the model test over real refs")
	modelSeed      = flag.Uint64("modelseed", 1, "seed of the model test")
)

// The model test lets a few agents do anything in any order, with answers that get lost,
// processes that die and agents that go quiet, and holds after every step what must
// hold: ownership changes by its holder's hand or after a lapse, its epoch only grows,
// and whoever is told that it owns something does. When everybody comes to rest, every
// contest ends, and all see the same.
type world struct {
	*testing.T
	rng    *rand.Rand
	agents []*actor
	keys   []model.Symbol
	// claims are the claims as they stood after the last step, highest the highest epoch
	// ever seen of each key; unaware are the keys whose present owner created its claim
	// before it could know of a higher one, which it raises the next time it acts.
	claims  map[string]model.Claim
	highest map[string]int
	unaware map[string]string
	// gone is when each key was last seen let go of.
	gone map[string]time.Time
	// stubs are commits that each agent can publish.
	stubs  map[string]string
	read   func() *bus.Docs // the remote as it is, by somebody who only looks
	faults func(membus.Faults)
	pause  time.Duration  // between two looks while at rest
	done   map[string]int // what was tried, and how often it had an effect
	log    []string
}

// actor is one agent in its own clone.
type actor struct {
	*Engine
	id     string
	reopen func() *Engine
	item   string
	quiet  time.Time // until when it does nothing
	n      int
}

func (w *world) failf(format string, args ...any) {
	w.Helper()
	w.Fatalf("%s\nlast steps:\n%s", fmt.Sprintf(format, args...), strings.Join(w.log[max(0, len(w.log)-40):], "\n"))
}

// step lets one agent call something, as a verb would around its own work.
func (w *world) step(a *actor, name string, do func(context.Context, *Call) (bool, error)) {
	e := a.Engine
	e.mu.Lock()
	defer e.mu.Unlock()
	ctx := w.Context()
	now := e.now()
	e.lastCall = now
	e.warnings.reset()
	e.own = nil
	e.refreshForVerb(ctx, now)
	err := e.share(ctx, func(st *model.State) error {
		own := *st
		e.own = &own
		if !renew(st, false, true, e.settings.Lease, now) {
			return bus.ErrUnchanged
		}
		st.Agent = e.agent
		own = *st
		return nil
	}, now)
	if err != nil && !errors.Is(err, bus.ErrOffline) {
		w.failf("%s shares its state: %v", a.id, err)
	}
	if !e.offline() {
		e.flush(ctx)
	}
	c := &Call{Engine: e, Now: e.now()}
	did, err := do(ctx, c)
	if err != nil && !errors.Is(err, bus.ErrOffline) {
		w.failf("%s %s: %v", a.id, name, err)
	}
	c.carryOut(ctx)
	if did {
		w.done[name]++
	}
	if name == "rest" && len(e.warnings.list()) == 0 {
		return
	}
	w.log = append(w.log, fmt.Sprintf("%s %s %s %v %v %q", now.Format("15:04:05"), a.id, name, did, err, e.warnings.list()))
}

// check holds what one step may have done to the claims.
func (w *world) check(by *actor) {
	w.Helper()
	docs := w.read()
	now := map[string]model.Claim{}
	for _, d := range docs.Claims {
		now[d.Value.Key] = d.Value
		was, had := w.claims[d.Value.Key]
		if had && d.Value.Owner != was.Owner && by.id == was.Owner {
			w.done["hand over"]++
		}
		if !had {
			w.created(by, d.Value)
		}
		switch {
		case !had || d.Value.Owner == was.Owner && d.Value.Epoch == was.Epoch:
		case d.Value.Epoch <= was.Epoch:
			w.failf("the epoch of %s went from %d to %d", d.Value.Name(), was.Epoch, d.Value.Epoch)
		case d.Value.Owner != was.Owner && by.id != was.Owner && time.Since(was.UpdatedAt) < by.settings.Lease:
			w.failf("%s was taken from %s by %s, %s after it was renewed", d.Value.Name(), was.Owner, by.id, time.Since(was.UpdatedAt))
		}
	}
	for key := range w.claims {
		if _, still := now[key]; !still {
			w.gone[key] = time.Now()
		}
	}
	for key, was := range w.claims {
		if _, still := now[key]; !still && was.Owner != by.id {
			w.failf("%s's claim on %s was removed by %s", was.Owner, was.Name(), by.id)
		}
	}
	for key, owner := range w.unaware {
		cl, still := now[key]
		switch {
		case !still || cl.Epoch > w.highest[key]:
			delete(w.unaware, key)
		case owner == by.id && cl.Owner == owner && !by.offline() && by.lastFetch.After(cl.UpdatedAt.Add(time.Minute)):
			w.failf("%s still holds %s at epoch %d after one at %d", owner, cl.Name(), cl.Epoch, w.highest[key])
		}
	}
	for key, cl := range now {
		w.highest[key] = max(w.highest[key], cl.Epoch)
	}
	w.claims = now
}

func (w *world) pick() (model.Symbol, int) {
	i := w.rng.IntN(len(w.keys))
	return w.keys[i], i
}

// footprint is what an item does to the symbols: each has one of a few signatures, or
// is as main has it, or gone.
func (w *world) footprint(a *actor) *model.Footprint {
	a.n++
	fp := &model.Footprint{Base: strings.Repeat("a", 40), Head: fmt.Sprintf("%040x", a.n), Version: model.FootprintVersion}
	for _, s := range w.keys {
		c := model.SymbolChange{Change: model.ChangeSignature, Breaking: true, OldSignature: s.Signature, OldSigHash: s.SigHash, Symbol: s}
		switch n := w.rng.IntN(6); n {
		case 0:
			continue
		case 1:
			c.Change = model.ChangeRemoved
		default:
			c.Symbol.Signature = fmt.Sprintf("%s of %d", s.Signature, n)
			c.Symbol.SigHash = fmt.Sprintf("%016x", n)
		}
		fp.Symbols = append(fp.Symbols, c)
	}
	fp.Files = []model.FileChange{{Path: "a.go", Status: "M", Lang: "go", Parsed: true}}
	return fp
}

func (w *world) edit(a *actor) {
	w.step(a, "edit", func(ctx context.Context, c *Call) (bool, error) {
		fp := w.footprint(a)
		err := c.changeState(ctx, func(st *model.State) error {
			it := st.Active()
			if it == nil {
				st.Items = append(st.Items, model.Item{ID: id.NewItem(), Intent: "work of " + a.id, Status: model.ItemActive, OpenedAt: c.Now})
				it = &st.Items[len(st.Items)-1]
			}
			it.Footprint, it.UpdatedAt = fp, c.Now
			a.item = it.ID
			return nil
		})
		c.view = nil
		return true, err
	})
}

// talk are the threads an agent may say something in.
func (w *world) talk(ctx context.Context, c *Call) (out []thread.Thread, err error) {
	all, err := c.Threads(ctx)
	for _, t := range all {
		if t.Kind == thread.Sig && t.Settled() {
			w.done[map[thread.State]string{thread.Agreed: "agreed", thread.Bound: "bound"}[t.State]]++
		}
		if t.Party(c.who.Agent) != nil && t.State == thread.Open && len(t.Parties) > 1 {
			out = append(out, t)
		}
	}
	return out, err
}

func (w *world) discuss(a *actor) {
	w.step(a, "discuss", func(ctx context.Context, c *Call) (bool, error) {
		threads, err := w.talk(ctx, c)
		if err != nil || len(threads) == 0 {
			return false, err
		}
		t := threads[w.rng.IntN(len(threads))]
		if t.Left(a.id) == 0 {
			return false, nil
		}
		var p *model.Proposal
		if w.rng.IntN(2) == 0 {
			p = &model.Proposal{ID: id.NewProposal(), Owner: t.Parties[w.rng.IntN(len(t.Parties))].Agent, Signature: "any"}
		}
		_, err = c.Say(ctx, t, t.Party(a.id).Items[0], fmt.Sprintf("word %d", w.rng.IntN(1000)), p)
		return err == nil, err
	})
}

func (w *world) accept(a *actor) {
	w.step(a, "accept", func(ctx context.Context, c *Call) (bool, error) {
		threads, err := w.talk(ctx, c)
		for _, t := range threads {
			for _, p := range slices.Backward(t.Proposals) { // the newest that stands
				if own := t.Party(p.Owner); p.Replaced || own == nil || own.Ceded {
					continue
				}
				if !slices.Contains(p.Accepted, a.id) {
					_, err := c.Accept(ctx, t, p)
					return err == nil, err
				}
				break
			}
		}
		return false, err
	})
}

func (w *world) claim(a *actor) {
	w.step(a, "claim", func(ctx context.Context, c *Call) (bool, error) {
		sym, _ := w.pick()
		st, err := c.State(ctx)
		if err != nil || st.Active() == nil {
			return false, err
		}
		got, err := c.Claim(ctx, sym, st.Active().ID)
		if err == nil && got.Held != nil && !got.Already {
			if h := w.read().Held(sym.Key); h == nil || h.Claim.Owner != a.id {
				w.failf("%s was told that it owns %s, and does not: %+v", a.id, sym.Name, h)
			}
			if got.TookOver != "" {
				w.done["take over"]++
			}
		}
		return err == nil && got.Held != nil, err
	})
}

func (w *world) need(a *actor) {
	w.step(a, "need", func(ctx context.Context, c *Call) (bool, error) {
		sym, _ := w.pick()
		v, err := c.View(ctx)
		if err != nil || len(v.Items) == 0 {
			return false, err
		}
		if cl := v.Claim(sym.Key); cl != nil && cl.Owner == a.id {
			return false, nil
		}
		_, err = c.Need(ctx, sym, v.Items[0].ID, "must stay")
		return err == nil, err
	})
}

// anything is one step of one agent.
func (w *world) anything(a *actor) {
	sym, _ := w.pick()
	switch n := w.rng.IntN(24); {
	case n >= 22:
		w.use(a)
	case n >= 20:
		w.publish(a)
	case n < 2:
		w.edit(a)
	case n < 7:
		w.discuss(a)
	case n < 12:
		w.accept(a)
	case n < 13:
		w.claim(a)
	case n < 14 && w.rng.IntN(3) == 0:
		w.need(a)
	case n < 15:
		w.step(a, "release", func(ctx context.Context, c *Call) (bool, error) {
			claim, need, err := c.Release(ctx, sym.Key)
			return claim || need, err
		})
	case n < 16 && w.rng.IntN(2) == 0 && a.item != "":
		w.step(a, "abandon", func(ctx context.Context, c *Call) (bool, error) {
			_, err := c.end(ctx, a.item, model.ItemAbandoned, "")
			a.item = ""
			c.view = nil
			return true, err
		})
	case n < 17:
		w.done["kill"]++
		a.Engine = a.reopen()
	case n < 18 && w.rng.IntN(2) == 0:
		w.done["go quiet"]++
		a.quiet = time.Now().Add(time.Duration(5+w.rng.IntN(40)) * time.Minute)
	default:
		w.step(a, "look", func(context.Context, *Call) (bool, error) { return true, nil })
	}
}

// play lets the agents do steps, and every so often come to rest.
func (w *world) play(steps int) {
	for n := 0; n < steps; n++ {
		if n%400 == 399 {
			w.rest()
		}
		a := w.agents[w.rng.IntN(len(w.agents))]
		time.Sleep(time.Duration(w.rng.IntN(12)) * time.Second)
		if time.Now().Before(a.quiet) {
			continue
		}
		if w.faults != nil && w.rng.IntN(12) == 0 {
			w.faults(membus.Faults{LoseAnswer: w.rng.IntN(2) == 0, Offline: w.rng.IntN(3) == 0})
		}
		w.anything(a)
		if w.faults != nil {
			w.faults(membus.Faults{})
		}
		w.check(a)
	}
	w.rest()
}

// rest lets everybody only look until all that can be decided is decided.
func (w *world) rest() {
	w.Helper()
	for end := time.Now().Add(13 * time.Minute); time.Now().Before(end); {
		for _, a := range w.agents {
			a.quiet = time.Time{}
			time.Sleep(w.pause)
			w.step(a, "rest", func(context.Context, *Call) (bool, error) { return true, nil })
			w.check(a)
		}
	}
	var first []string
	for i, a := range w.agents {
		var seen []string
		w.step(a, "compare", func(ctx context.Context, c *Call) (bool, error) {
			threads, err := c.Threads(ctx)
			for _, t := range threads {
				if t.Kind == thread.Sig && t.State != thread.Over {
					w.failf("%s still sees %s: %+v", a.id, t.ID, t)
				}
				if t.Kind == thread.Sig {
					w.done["thread ended"]++
				}
				seen = append(seen, fmt.Sprint(t.ID, t.State, t.Owner, len(t.Messages), len(t.Proposals)))
			}
			w.pinned(ctx, a, c)
			return true, err
		})
		if i == 0 {
			first = seen
		} else if !slices.Equal(seen, first) {
			w.failf("%s and %s see different threads:\n%q\n%q", w.agents[0].id, a.id, first, seen)
		}
	}
	w.done["rest"]++
}

func newWorld(t *testing.T, rng *rand.Rand) *world {
	w := &world{T: t, rng: rng, claims: map[string]model.Claim{}, highest: map[string]int{}, unaware: map[string]string{}, gone: map[string]time.Time{},
		stubs: map[string]string{}, done: map[string]int{}, pause: 20 * time.Second}
	for _, name := range []string{"Load", "Save"} {
		s := model.Symbol{Lang: "go", Path: "a.go", Name: name, Qualified: name, Kind: model.KindFunction, Signature: "func " + name + "()", SigHash: strings.Repeat("0", 16), Exported: true}
		w.keys = append(w.keys, s.At("a.go"))
	}
	return w
}

// TestModel is the model over a bus in memory, in virtual time.
func TestModel(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	all := map[string]int{}
	t.Run("all", func(t *testing.T) { modelRounds(t, &mu, all) })
	t.Log(all)
	for _, must := range []string{"discuss", "accept", "claim", "need", "release", "abandon", "kill", "hand over", "agreed", "bound", "publish", "use", "current", "drift told"} {
		if *modelSteps >= 1000 && all[must] == 0 {
			t.Errorf("in %d steps nothing did %q", *modelSteps, must)
		}
	}
}

func modelRounds(t *testing.T, mu *sync.Mutex, all map[string]int) {
	for round := range 4 {
		t.Run(fmt.Sprintf("%d agents", round+2), func(t *testing.T) {
			t.Parallel()
			dirs := []string{}
			for range round + 2 {
				dirs = append(dirs, t.TempDir())
			}
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, rand.New(rand.NewPCG(*modelSeed, uint64(round))))
				mem := membus.NewWorld(bus.Remote, time.Now)
				mem.SetMain("main")
				defer w.close()
				looker := mem.Open("looker-host-000000")
				w.faults = mem.Set
				w.read = func() *bus.Docs {
					if _, err := looker.Refresh(t.Context()); err != nil {
						w.failf("look: %v", err)
					}
					docs, err := looker.Load(t.Context(), nil)
					if err != nil {
						w.failf("look: %v", err)
					}
					return docs
				}
				for i, dir := range dirs {
					a := &actor{id: fmt.Sprintf("agent%d-host-%06d", i, i)}
					a.reopen = func() *Engine { return w.bare(a, dir, mem.Open(a.id)) }
					a.Engine = a.reopen()
					w.agents = append(w.agents, a)
					w.stubs[a.id] = mem.Commit(a.id, "stub of "+a.id)
				}
				w.play(*modelSteps / 4)
				mu.Lock()
				defer mu.Unlock()
				for what, n := range w.done {
					all[what] += n
				}
			})
		})
	}
}

func (w *world) close() {
	for _, a := range w.agents {
		if err := a.ledger.Close(); err != nil {
			w.Error(err)
		}
	}
}

// bare is an engine without a worktree: documents are all it sees.
func (w *world) bare(a *actor, dir string, b bus.Bus) *Engine {
	w.Helper()
	if a.Engine != nil {
		if err := a.ledger.Close(); err != nil {
			w.Fatal(err)
		}
	}
	l, err := ledger.Open(w.Context(), dir, ledger.Options{})
	if err != nil {
		w.Fatal(err)
	}
	settings, _ := config.Parse(nil)
	settings.AutoClaim = w.rng.IntN(2) == 0
	return &Engine{mu: newMutex(), budget: verbBudget, built: map[string]bool{}, cache: symbols.NewCache(symbols.DefaultLimits, 0),
		fetched: map[string]string{}, bases: map[[2]string]string{}, docs: &bus.Docs{}, bus: b, ledger: l, blind: true, settings: settings,
		remote: config.Remote{Name: "origin"}, who: identity{Agent: a.id, Client: "test"}, agent: model.Agent{ID: a.id, Client: "test"}}
}

// TestModelOverRefs is the same over real refs: a clone for each agent, and git between
// them.
func TestModelOverRefs(t *testing.T) {
	t.Parallel()
	names := []string{"claude", "codex", "cursor"}
	repos := machines(t, names...)
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, rand.New(rand.NewPCG(*modelSeed, 99)))
		looker := repos["claude"]
		w.pause = 70 * time.Second
		defer w.close()
		for i, name := range names {
			a := &actor{id: fmt.Sprintf("%s-host-%06d", name, i)}
			a.reopen = func() *Engine {
				if a.Engine != nil {
					if err := a.ledger.Close(); err != nil {
						w.Fatal(err)
					}
				}
				e, err := Open(w.Context(), Options{Dir: repos[name].Dir, Client: "test", Agent: a.id})
				if err != nil {
					w.Fatal(err)
				}
				e.blind = true
				return e
			}
			a.Engine = a.reopen()
			w.agents = append(w.agents, a)
			w.stubs[a.id] = strings.TrimSpace(repos[name].Git("rev-parse", "HEAD"))
		}
		w.read = func() *bus.Docs { return w.remoteClaims(looker) }
		w.play(*modelRealSteps)
		t.Log(w.done)
	})
}

// remoteClaims reads the claims straight off the remote.
func (w *world) remoteClaims(repo *gittest.Repo) *bus.Docs {
	w.Helper()
	remote := strings.TrimPrefix(repo.Git("config", "remote.origin.url"), "file://")
	docs := &bus.Docs{}
	for _, line := range strings.Split(strings.TrimSpace(repo.Git("--git-dir", remote, "for-each-ref", "--format=%(objectname) %(refname)", bus.Namespace+"claims/")), "\n") {
		oid, ref, ok := strings.Cut(line, " ")
		if !ok {
			continue
		}
		name, _ := bus.ParseRef(ref)
		claim, _, err := wire.DecodeClaim([]byte(repo.Git("--git-dir", remote, "cat-file", "blob", oid+":claim.json")), name.Key)
		if err != nil {
			w.Fatal(err)
		}
		docs.Claims = append(docs.Claims, bus.Doc[model.Claim]{Ref: ref, OID: oid, Value: claim})
	}
	return docs
}
