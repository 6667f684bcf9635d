package bustest

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/model"
)

// Factory makes a fresh world for one test.
type Factory func(t *testing.T) World

// Run runs the suite for one implementation in one mode: all of it, or only the named
// tests.
func Run(t *testing.T, mode bus.Mode, make Factory, only ...string) {
	cases := both
	if mode == bus.Remote {
		cases = append(append([]testCase{}, both...), remoteOnly...)
	}
	for _, name := range only {
		if !slices.ContainsFunc(cases, func(c testCase) bool { return c.name == name }) {
			t.Errorf("there is no test %q", name)
		}
	}
	for _, c := range cases {
		if len(only) > 0 && !slices.Contains(only, c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := make(t)
			if got := w.Open(0).Mode(); got != mode {
				t.Fatalf("mode %v, want %v", got, mode)
			}
			c.run(&suite{T: t, World: w, ctx: t.Context()})
		})
	}
}

type testCase struct {
	name string
	run  func(*suite)
}

// both holds for every mode.
var both = []testCase{
	{"RoundTrip", (*suite).roundTrip},
	{"PeersSee", (*suite).peersSee},
	{"Incremental", (*suite).incremental},
	{"Unchanged", (*suite).unchanged},
	{"TooLarge", (*suite).tooLarge},
	{"Problems", (*suite).problems},
	{"Concurrent", (*suite).concurrent},
	{"Cancelled", (*suite).cancelled},
	{"Retire", (*suite).retire},
	{"Snapshots", (*suite).snapshots},
	{"SnapshotsOfNoItem", (*suite).snapshotsOfNoItem},
	{"BadArguments", (*suite).badArguments},
	{"MainMissing", (*suite).mainMissing},
	{"Claims", (*suite).claims},
	{"ClaimedAlready", (*suite).claimedAlready},
	{"ClaimRace", (*suite).claimRace},
	{"Contract", (*suite).contract},
	{"BadClaims", (*suite).badClaims},
	{"Share", (*suite).share},
	{"UnreadableClaim", (*suite).unreadableClaim},
	{"Reap", (*suite).reap},
}

// suite is one test in one world, with the steps the tests share.
type suite struct {
	*testing.T
	World
	ctx context.Context
}

func (s *suite) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *suite) want(err, target error) {
	s.Helper()
	if !errors.Is(err, target) {
		s.Fatalf("error %v, want %v", err, target)
	}
}

// wantRefused checks for a *bus.Refused about ref that carries text.
func (s *suite) wantRefused(err error, ref, text string) {
	s.Helper()
	var r *bus.Refused
	if !errors.As(err, &r) {
		s.Fatalf("error %v, want a refusal", err)
	}
	if r.Ref != ref || !strings.Contains(r.Text, text) {
		s.Fatalf("refused %q with %q, want %q with %q", r.Ref, r.Text, ref, text)
	}
}

const itemA, itemB = "aaaaaaaaaaaa", "bbbbbbbbbbbb"

// withItem adds an item with this intent to the agent's state.
func withItem(id, intent string) func(*model.State) error {
	return func(st *model.State) error {
		st.LeaseSeconds = 600
		if it := st.Item(id); it != nil {
			it.Intent = intent
			return nil
		}
		st.Items = append(st.Items, model.Item{ID: id, Intent: intent, Status: model.ItemActive})
		return nil
	}
}

// refresh makes the shared state of a machine current and loads it: the clock moves
// past the time within which fetches are reused.
func (s *suite) refresh(b bus.Bus) *bus.Docs {
	s.Helper()
	s.Advance(2 * bus.ReuseWithin)
	if _, err := b.Refresh(s.ctx); err != nil {
		s.Fatal(err)
	}
	return s.load(b)
}

func (s *suite) load(b bus.Bus) *bus.Docs {
	s.Helper()
	d, err := b.Load(s.ctx, nil)
	s.must(err)
	return d
}

// intents lists "agent: intent" of every item in docs.
func intents(d *bus.Docs) []string {
	out := []string{}
	for _, st := range d.States {
		for _, it := range st.Value.Items {
			out = append(out, st.Value.Agent.ID+": "+it.Intent)
		}
	}
	return out
}

func (s *suite) wantIntents(d *bus.Docs, want ...string) {
	s.Helper()
	if got := intents(d); !reflect.DeepEqual(got, append([]string{}, want...)) {
		s.Fatalf("intents %q, want %q (problems %v)", got, want, d.Problems)
	}
}

func (s *suite) roundTrip() {
	b, agent := s.Open(0), s.Agent(0)
	st, err := b.State(s.ctx, agent)
	if st != nil || err != nil {
		s.Fatalf("state before any write: %v, %v", st, err)
	}
	s.must(b.UpdateState(s.ctx, agent, withItem(itemA, "one")))
	s.must(b.UpdateState(s.ctx, agent, withItem(itemB, "two")))
	s.must(b.UpdateOutbox(s.ctx, agent, func(o *model.Outbox) error {
		o.Accepts = append(o.Accepts, model.Accept{Thread: "t-aaaaaaaaaaaa", Proposal: "p-aaaaaaaaaaaa"})
		return nil
	}))
	for _, p := range []bus.Bus{b, s.Open(0)} {
		st, err := p.State(s.ctx, agent)
		s.must(err)
		if st == nil || len(st.Items) != 2 || st.Agent.ID != agent || st.Items[1].Intent != "two" {
			s.Fatalf("state: %+v", st)
		}
		o, err := p.Outbox(s.ctx, agent)
		s.must(err)
		if o == nil || len(o.Accepts) != 1 || o.Agent != agent {
			s.Fatalf("outbox: %+v", o)
		}
		// Own documents are seen without a refresh.
		d := s.load(p)
		s.wantIntents(d, agent+": one", agent+": two")
		if len(d.Outboxes) != 1 || d.States[0].Ref != bus.StateRef(agent) || d.States[0].OID == "" {
			s.Fatalf("docs: %+v", d)
		}
	}
}

func (s *suite) peersSee() {
	a, b := s.Open(0), s.Open(1)
	main := s.SetMain("one")
	s.must(a.UpdateState(s.ctx, s.Agent(0), withItem(itemA, "mine")))
	s.must(b.UpdateState(s.ctx, s.Agent(1), withItem(itemA, "theirs")))
	for _, x := range []bus.Bus{a, b} {
		d := s.refresh(x)
		s.wantIntents(d, s.Agent(0)+": mine", s.Agent(1)+": theirs")
		if d.Main != main || len(d.Problems) > 0 {
			s.Fatalf("main %q, want %q; problems %v", d.Main, main, d.Problems)
		}
	}
	s.Advance(2 * bus.ReuseWithin)
	r, err := a.Refresh(s.ctx)
	s.must(err)
	if r.Changed || r.Reused || r.MainMissing {
		s.Fatalf("nothing moved: %+v", r)
	}
	before := s.load(a)
	main = s.SetMain("two")
	s.must(b.UpdateState(s.ctx, s.Agent(1), withItem(itemA, "theirs, later")))
	s.Advance(2 * bus.ReuseWithin)
	r, err = a.Refresh(s.ctx)
	s.must(err)
	after := s.load(a)
	s.wantIntents(after, s.Agent(0)+": mine", s.Agent(1)+": theirs, later")
	if !r.Changed || before.Fingerprint == after.Fingerprint || after.Main != main {
		s.Fatalf("%+v, %+v, main %q want %q", r, after, after.Main, main)
	}
}

func (s *suite) incremental() {
	a, b := s.Open(0), s.Open(1)
	s.must(a.UpdateState(s.ctx, s.Agent(0), withItem(itemA, "mine")))
	s.must(b.UpdateState(s.ctx, s.Agent(1), withItem(itemA, "theirs")))
	s.Put(bus.StateRef("bad-peer-000000"), "state.json", []byte(`{"format":1}`))
	first := s.refresh(a)
	again, err := a.Load(s.ctx, first)
	s.must(err)
	if !reflect.DeepEqual(again, first) {
		s.Fatalf("nothing moved, and\n%+v\nbecame\n%+v", first, again)
	}
	s.must(b.UpdateState(s.ctx, s.Agent(1), withItem(itemB, "more")))
	s.Advance(2 * bus.ReuseWithin)
	_, err = a.Refresh(s.ctx)
	s.must(err)
	step, err := a.Load(s.ctx, first)
	s.must(err)
	whole := s.load(a)
	if !reflect.DeepEqual(step, whole) {
		s.Fatalf("load on top of an earlier one\n%+v\nis not the whole\n%+v", step, whole)
	}
	s.wantIntents(step, s.Agent(0)+": mine", s.Agent(1)+": theirs", s.Agent(1)+": more")
	if len(step.Problems) != 1 {
		s.Fatalf("problems: %v", step.Problems)
	}
	s.Remove(bus.StateRef("bad-peer-000000"))
	if d := s.refresh(a); len(d.Problems) != 0 {
		s.Fatalf("the ref is gone, the problem is not: %v", d.Problems)
	}
}

func (s *suite) unchanged() {
	b, agent := s.Open(0), s.Agent(0)
	s.must(b.UpdateState(s.ctx, agent, func(*model.State) error { return bus.ErrUnchanged }))
	if st, err := b.State(s.ctx, agent); st != nil || err != nil {
		s.Fatalf("unchanged wrote %+v, %v", st, err)
	}
	s.must(b.UpdateState(s.ctx, agent, withItem(itemA, "one")))
	before, pushes := s.Value(bus.StateRef(agent)), s.Pushes()
	s.must(b.UpdateState(s.ctx, agent, func(st *model.State) error { st.Items = nil; return bus.ErrUnchanged }))
	boom := errors.New("boom")
	s.want(b.UpdateState(s.ctx, agent, func(st *model.State) error { st.Items = nil; return boom }), boom)
	s.must(b.UpdateOutbox(s.ctx, agent, func(*model.Outbox) error { return bus.ErrUnchanged }))
	if s.Value(bus.StateRef(agent)) != before || s.Pushes() != pushes || s.Value(bus.OutboxRef(agent)) != "" {
		s.Fatal("something was written")
	}
	s.wantIntents(s.load(b), agent+": one")
}

func (s *suite) tooLarge() {
	b, agent := s.Open(0), s.Agent(0)
	s.must(b.UpdateState(s.ctx, agent, withItem(itemA, "one")))
	before, pushes := s.Value(bus.StateRef(agent)), s.Pushes()
	err := b.UpdateState(s.ctx, agent, func(st *model.State) error {
		long := make([]byte, 8000)
		for i := range long {
			long[i] = 'x'
		}
		for i := range 60 {
			st.Items = append(st.Items, model.Item{ID: itemID(i), Status: model.ItemActive, SnapshotError: string(long)})
		}
		return nil
	})
	s.want(err, bus.ErrTooLarge)
	if s.Value(bus.StateRef(agent)) != before || s.Pushes() != pushes {
		s.Fatal("something was written")
	}
	s.wantIntents(s.load(b), agent+": one")
}

func itemID(i int) string {
	const hex = "0123456789abcdef"
	return "cccccccccc" + string([]byte{hex[i/16%16], hex[i%16]})
}

func (s *suite) cancelled() {
	b, agent := s.Open(0), s.Agent(0)
	s.must(b.UpdateState(s.ctx, agent, withItem(itemA, "one")))
	gone, cancel := context.WithCancel(s.ctx)
	cancel()
	s.want(b.UpdateState(gone, agent, withItem(itemA, "two")), context.Canceled)
	s.want(b.UpdateOutbox(gone, agent, func(o *model.Outbox) error { return nil }), context.Canceled)
	s.want(b.PublishSnapshot(gone, agent, itemA, s.Commit(0, "snap"), false), context.Canceled)
	s.want(b.DropSnapshot(gone, agent, itemA), context.Canceled)
	s.want(b.Retire(gone, agent), context.Canceled)
	s.want(b.Flush(gone), context.Canceled)
	_, err := b.Refresh(gone)
	s.want(err, context.Canceled)
	_, err = b.Share(gone, bus.Batch{Agent: agent, State: withItem(itemA, "two")})
	s.want(err, context.Canceled)
	_, err = b.Claim(gone, claimOf(keyA, agent, itemA, time.Time{}))
	s.want(err, context.Canceled)
	s.want(b.Reap(gone, bus.Remains{Agent: s.Agent(1)}), context.Canceled)
	if s.Value(bus.ClaimRef(keyA)) != "" {
		s.Fatal("a claim of a call that was over")
	}
	_, err = b.Load(gone, nil)
	s.want(err, context.Canceled)
	_, err = b.State(gone, agent)
	s.want(err, context.Canceled)
	s.wantIntents(s.load(b), agent+": one")

	// Cancelled while it runs: before the write nothing stands; nobody waits for a
	// lock longer than the caller does.
	during, cancel := context.WithCancel(s.ctx)
	defer cancel()
	err = b.UpdateState(during, agent, func(st *model.State) error {
		waiting, stop := context.WithTimeout(s.ctx, 50*time.Millisecond)
		defer stop()
		s.want(s.Open(0).UpdateState(waiting, agent, withItem(itemA, "from a second process")), context.DeadlineExceeded)
		cancel()
		return withItem(itemA, "three")(st)
	})
	s.want(err, context.Canceled)
	s.wantIntents(s.load(b), agent+": one")
	s.must(b.UpdateState(s.ctx, agent, withItem(itemA, "four")))
	s.wantIntents(s.refresh(s.Open(1)), agent+": four")
}

func (s *suite) badArguments() {
	b, agent := s.Open(0), s.Agent(0)
	oid := s.Commit(0, "x")
	for _, bad := range []string{"", "../x", "-x", "UP", "a b"} {
		if b.UpdateState(s.ctx, bad, withItem(itemA, "x")) == nil || b.Retire(s.ctx, bad) == nil ||
			b.UpdateOutbox(s.ctx, bad, func(*model.Outbox) error { return nil }) == nil ||
			b.PublishSnapshot(s.ctx, bad, itemA, oid, false) == nil || b.PublishSnapshot(s.ctx, agent, bad, oid, false) == nil ||
			b.PublishSnapshot(s.ctx, agent, itemA, bad, false) == nil || b.DropSnapshot(s.ctx, agent, bad) == nil {
			s.Errorf("%q is accepted", bad)
		}
		if ok, err := b.FetchSnapshot(s.ctx, bad, itemA, oid); ok || err == nil {
			s.Errorf("fetching from %q: %v %v", bad, ok, err)
		}
	}
	err := b.UpdateState(s.ctx, agent, func(st *model.State) error {
		st.Items = append(st.Items, model.Item{ID: itemA, Status: model.ItemActive, Branch: "--force"})
		return nil
	})
	if err == nil || s.Value(bus.StateRef(agent)) != "" {
		s.Errorf("an invalid state was written: %v", err)
	}
}

func (s *suite) mainMissing() {
	a, b := s.Open(0), s.Open(1)
	main := s.SetMain("one")
	if d := s.refresh(a); d.Main != main {
		s.Fatalf("main %q, want %q", d.Main, main)
	}
	s.Set(Faults{NoMain: true})
	s.must(b.UpdateState(s.ctx, s.Agent(1), withItem(itemA, "theirs")))
	for range 3 {
		s.Advance(2 * bus.ReuseWithin)
		r, err := a.Refresh(s.ctx)
		s.must(err)
		d := s.load(a)
		if !r.MainMissing || d.Main != "" {
			s.Fatalf("%+v, main %q", r, d.Main)
		}
		s.wantIntents(d, s.Agent(1)+": theirs")
	}
	s.Set(Faults{})
	main = s.SetMain("two")
	s.Advance(time.Hour)
	if d := s.refresh(a); d.Main != main {
		s.Fatalf("main came back as %q, want %q", d.Main, main)
	}
}
