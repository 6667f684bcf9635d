package bustest

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/model"
)

const keyA, keyB, keyC = "00000000000000aa", "00000000000000bb", "00000000000000cc"

// claimOf is a claim on a resource by the agent's item.
func claimOf(key, agent, item string, at time.Time) model.Claim {
	return model.Claim{Key: key, Resource: "migrations/0042", Owner: agent, Item: item, LeaseSeconds: 600, Epoch: 1, UpdatedAt: at}
}

func (s *suite) claim(b bus.Bus, key, agent string) *bus.Held {
	s.Helper()
	h, err := b.Claim(s.ctx, claimOf(key, agent, itemA, time.Time{}))
	if err != nil {
		s.Fatal(err)
	}
	if h == nil || h.Claim.Owner != agent || h.Claim.Key != key {
		s.Fatalf("claimed %+v", h)
	}
	return h
}

// later is the claim with its epoch raised.
func later(h *bus.Held) model.Claim {
	c := h.Claim
	c.Epoch++
	return c
}

// wantLost checks for a *bus.Lost that names the holder, "" for nobody.
func (s *suite) wantLost(err error, key, holder string) *bus.Lost {
	s.Helper()
	var lost *bus.Lost
	if !errors.As(err, &lost) || lost.Key != key {
		s.Fatalf("error %v, want the claim %q lost", err, key)
	}
	got := ""
	if lost.Holder != nil {
		got = lost.Holder.Claim.Owner
	}
	if got != holder {
		s.Fatalf("lost to %q, want %q", got, holder)
	}
	return lost
}

// wantHeld checks that machines see the claim as h has it, nil for nobody.
func (s *suite) wantHeld(key string, h *bus.Held, machines ...bus.Bus) {
	s.Helper()
	for _, b := range machines {
		d := s.refresh(b)
		got := d.Held(key)
		if (got == nil) != (h == nil) || bus.Token(got) != bus.Token(h) {
			s.Fatalf("the claim is seen as %+v, want %+v (problems %v)", got, h, d.Problems)
		}
		if h != nil && got.Claim.Epoch != h.Claim.Epoch {
			s.Fatalf("epoch %d, want %d", got.Claim.Epoch, h.Claim.Epoch)
		}
	}
}

// claims is the life of one: made, refused to others, changed, taken over by its exact
// value alone, released.
func (s *suite) claims() {
	a, b, mine, theirs := s.Open(0), s.Open(1), s.Agent(0), s.Agent(1)
	first := s.claim(a, keyA, mine)
	// Seen at once here, without a refresh, and by others after one.
	if got := s.load(a).Held(keyA); bus.Token(got) != bus.Token(first) {
		s.Fatalf("the own claim is seen as %+v", got)
	}
	s.wantHeld(keyA, first, a, b)
	_, err := b.Claim(s.ctx, claimOf(keyA, theirs, itemA, time.Time{}))
	lost := s.wantLost(err, keyA, mine)
	if bus.Token(lost.Holder) != bus.Token(first) || lost.Error() == "" {
		s.Fatalf("%+v", lost)
	}
	second, err := a.UpdateClaim(s.ctx, first, later(first))
	s.must(err)
	if second.Claim.Epoch != 2 {
		s.Fatalf("%+v", second)
	}
	// What was judged is not what is there any more.
	stolen := later(first)
	stolen.Owner = theirs
	_, err = b.UpdateClaim(s.ctx, first, stolen)
	lost = s.wantLost(err, keyA, mine)
	s.wantLost(b.ReleaseClaim(s.ctx, first), keyA, mine)
	s.wantHeld(keyA, second, a, b)
	// The exact value is: a takeover. The old owner learns it with its next write.
	taken, err := b.UpdateClaim(s.ctx, lost.Holder, stolen)
	s.must(err)
	_, err = a.UpdateClaim(s.ctx, second, later(second))
	s.wantLost(err, keyA, theirs)
	s.wantLost(a.ReleaseClaim(s.ctx, second), keyA, theirs)
	s.wantHeld(keyA, taken, a, b)
	s.must(b.ReleaseClaim(s.ctx, taken))
	s.must(b.ReleaseClaim(s.ctx, taken)) // gone already
	if s.load(b).Held(keyA) != nil || s.Value(bus.ClaimRef(keyA)) != "" {
		s.Fatal("released, and still there")
	}
	_, err = b.UpdateClaim(s.ctx, taken, later(taken))
	s.wantLost(err, keyA, "")
	s.wantHeld(keyA, nil, a, b)
	again := s.claim(a, keyA, mine)
	s.wantHeld(keyA, again, a, b)
}

// claimedAlready: another process of the same agent asks for the same claim.
func (s *suite) claimedAlready() {
	a, second, mine := s.Open(0), s.Open(0), s.Agent(0)
	first := s.claim(a, keyA, mine)
	if got := s.claim(second, keyA, mine); bus.Token(got) != bus.Token(first) {
		s.Fatalf("%+v", got)
	}
	// For another item of the agent it is somebody else's.
	_, err := second.Claim(s.ctx, claimOf(keyA, mine, itemB, time.Time{}))
	s.wantLost(err, keyA, mine)
	// Equal claims are never the same value, whenever they are made.
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	one, err := a.Claim(s.ctx, claimOf(keyB, mine, itemA, at))
	s.must(err)
	two, err := a.UpdateClaim(s.ctx, one, one.Claim)
	s.must(err)
	if bus.Token(one) == bus.Token(two) {
		s.Fatal("two values share a token")
	}
}

// claimRace: many at once, one winner, and everybody else learns who it is.
func (s *suite) claimRace() {
	const contenders = 8
	machines := [2]bus.Bus{s.Open(0), s.Open(1)}
	won, lost := make([]*bus.Held, contenders), make([]*bus.Lost, contenders)
	var wg sync.WaitGroup
	for i := range contenders {
		wg.Add(1)
		go func() {
			defer wg.Done()
			agent := fmt.Sprintf("contender-%d", i)
			h, err := machines[i%2].Claim(s.ctx, claimOf(keyA, agent, itemA, time.Time{}))
			if err != nil && !errors.As(err, &lost[i]) {
				s.Errorf("%s: %v", agent, err)
			}
			won[i] = h
		}()
	}
	wg.Wait()
	winner := -1
	for i, h := range won {
		if h != nil && winner >= 0 {
			s.Errorf("%d and %d won", winner, i)
		} else if h != nil {
			winner = i
		}
	}
	if winner < 0 {
		s.Fatal("nobody won")
	}
	for i, l := range lost {
		if i != winner && (l == nil || l.Holder == nil || bus.Token(l.Holder) != bus.Token(won[winner])) {
			s.Errorf("%d lost to %+v, and %d won", i, l, winner)
		}
	}
	s.wantHeld(keyA, won[winner], machines[0], machines[1])
}

// contract: the stub travels with the claim.
func (s *suite) contract() {
	a, b, mine := s.Open(0), s.Open(1), s.Agent(0)
	stub := s.Commit(0, "a stub")
	held := s.claim(a, keyA, mine)
	c := later(held)
	c.Contract = &model.Contract{Signature: "func F()", StubCommit: stub}
	held, err := a.UpdateClaim(s.ctx, held, c)
	s.must(err)
	s.wantHeld(keyA, held, a, b)
	if got := s.load(b).Held(keyA).Claim.Contract; got == nil || got.StubCommit != stub {
		s.Fatalf("contract %+v", got)
	}
	if ok, err := b.FetchSnapshot(s.ctx, mine, itemB, stub); !ok || err != nil {
		s.Fatalf("the stub is not here: %v %v", ok, err)
	}
	c.Contract.StubCommit = stub[:len(stub)-12] + "000000000000"
	if _, err := a.UpdateClaim(s.ctx, held, c); err == nil {
		s.Fatal("a contract whose stub nobody has was accepted")
	}
	s.wantHeld(keyA, held, a, b)
}

func (s *suite) badClaims() {
	a, mine := s.Open(0), s.Agent(0)
	good := claimOf(keyA, mine, itemA, time.Time{})
	for name, spoil := range map[string]func(*model.Claim){
		"key":         func(c *model.Claim) { c.Key = "../../heads/main" },
		"owner":       func(c *model.Claim) { c.Owner = "--force" },
		"item":        func(c *model.Claim) { c.Item = "" },
		"no resource": func(c *model.Claim) { c.Resource = "" },
		"stub":        func(c *model.Claim) { c.Contract = &model.Contract{StubCommit: "--all"} },
		"epoch":       func(c *model.Claim) { c.Epoch = -1 },
	} {
		c := good
		spoil(&c)
		if h, err := a.Claim(s.ctx, c); err == nil || h != nil {
			s.Errorf("%s: accepted", name)
		}
	}
	held := s.claim(a, keyA, mine)
	other := claimOf(keyB, mine, itemA, time.Time{})
	if _, err := a.UpdateClaim(s.ctx, held, other); err == nil {
		s.Error("a claim became one on another key")
	}
	if _, err := a.UpdateClaim(s.ctx, nil, good); err == nil {
		s.Error("an unseen claim was replaced")
	}
	if a.ReleaseClaim(s.ctx, nil) == nil {
		s.Error("an unseen claim was released")
	}
	got, err := a.Share(s.ctx, bus.Batch{Agent: mine, Renew: []bus.Renewal{
		{Seen: held, To: other}, {To: claimOf(keyC, mine, itemA, time.Time{})}, {Seen: held, To: later(held)}, {Seen: held, To: later(held)}}})
	s.must(err)
	for i, want := range []bool{false, false, true, false} {
		if r := got.Renewed[i]; (r.Err == nil) != want || (r.Held != nil) != want {
			s.Errorf("renewal %d: %+v", i, r)
		}
	}
	if s.Value(bus.ClaimRef(keyB)) != "" {
		s.Error("a claim appeared")
	}
}

// share: documents and renewals in one push, each with its own outcome.
func (s *suite) share() {
	a, b, mine, theirs := s.Open(0), s.Open(1), s.Agent(0), s.Agent(1)
	var held []*bus.Held
	for _, key := range []string{keyA, keyB, keyC} {
		held = append(held, s.claim(a, key, mine))
	}
	stolen := later(held[1])
	stolen.Owner = theirs
	_, err := b.UpdateClaim(s.ctx, held[1], stolen)
	s.must(err)
	s.must(b.ReleaseClaim(s.ctx, held[2]))
	before := s.Pushes()
	batch := bus.Batch{Agent: mine, State: withItem(itemA, "shared"),
		Outbox: func(o *model.Outbox) error {
			o.Accepts = append(o.Accepts, model.Accept{Thread: "t-aaaaaaaaaaaa", Proposal: "p-aaaaaaaaaaaa"})
			return nil
		}}
	for _, h := range held {
		batch.Renew = append(batch.Renew, bus.Renewal{Seen: h, To: later(h)})
	}
	got, err := a.Share(s.ctx, batch)
	s.must(errors.Join(err, got.State, got.Outbox, got.Renewed[0].Err))
	if n := s.Pushes() - before; n > 1 {
		s.Errorf("%d pushes", n)
	}
	s.wantLost(got.Renewed[1].Err, keyB, theirs)
	s.wantLost(got.Renewed[2].Err, keyC, "")
	s.wantHeld(keyA, got.Renewed[0].Held, a, b)
	s.wantIntents(s.load(b), mine+": shared")
	if d := s.load(b); len(d.Outboxes) != 1 || len(d.Claims) != 2 {
		s.Fatalf("%+v", d)
	}
	// A part that fails or says nothing holds no other back.
	batch = bus.Batch{Agent: mine, State: func(*model.State) error { return bus.ErrUnchanged },
		Outbox: func(*model.Outbox) error { return errBoom }, Renew: []bus.Renewal{{Seen: got.Renewed[0].Held, To: later(got.Renewed[0].Held)}}}
	got, err = a.Share(s.ctx, batch)
	s.must(errors.Join(err, got.State, got.Renewed[0].Err))
	s.want(got.Outbox, errBoom)
	s.wantHeld(keyA, got.Renewed[0].Held, a, b)
	// Nothing to say costs nothing.
	before = s.Pushes()
	if got, err = a.Share(s.ctx, bus.Batch{Agent: mine}); err != nil || len(got.Renewed) > 0 || s.Pushes() != before {
		s.Errorf("%+v %v", got, err)
	}
}

var errBoom = errors.New("boom")

// unreadableClaim: somebody put something else at a claim's ref. Nobody holds the
// claim, nobody takes it by accident, and it can be cleaned up.
func (s *suite) unreadableClaim() {
	a, mine := s.Open(0), s.Agent(0)
	s.Put(bus.ClaimRef(keyA), "claim.json", []byte("noise"))
	_, err := a.Claim(s.ctx, claimOf(keyA, mine, itemA, time.Time{}))
	if lost := s.wantLost(err, keyA, ""); lost.Problem == nil || lost.Problem.OID == "" {
		s.Fatalf("%+v", lost)
	}
	d := s.refresh(a)
	if d.Held(keyA) != nil || len(d.Problems) != 1 || d.Problems[0].Held() == nil {
		s.Fatalf("%+v", d)
	}
	s.must(a.ReleaseClaim(s.ctx, d.Problems[0].Held()))
	s.claim(a, keyA, mine)
	if (bus.Problem{Ref: bus.StateRef(mine), OID: "x"}).Held() != nil {
		s.Error("a state document is no claim")
	}
}

// reap: everything of an agent that is gone, only at the values it was judged by.
func (s *suite) reap() {
	a, b, mine, theirs := s.Open(0), s.Open(1), s.Agent(0), s.Agent(1)
	s.must(a.UpdateState(s.ctx, mine, withItem(itemA, "mine")))
	write := func(intent string) bus.Remains {
		s.must(b.UpdateState(s.ctx, theirs, withItem(itemA, intent)))
		s.must(b.UpdateOutbox(s.ctx, theirs, func(*model.Outbox) error { return nil }))
		for _, item := range []string{itemA, itemB} {
			s.must(b.PublishSnapshot(s.ctx, theirs, item, s.Commit(1, intent+item), false))
		}
		d := s.refresh(a)
		left := bus.Remains{Agent: theirs}
		for _, st := range d.States {
			if st.Value.Agent.ID == theirs {
				left.State = st.OID
			}
		}
		left.Outbox = d.Outboxes[0].OID
		return left
	}
	judged := write("theirs")
	s.must(b.UpdateState(s.ctx, theirs, withItem(itemA, "back again")))
	s.want(a.Reap(s.ctx, judged), bus.ErrMoved)
	s.wantIntents(s.refresh(a), mine+": mine", theirs+": back again")
	for _, ref := range []string{bus.OutboxRef(theirs), bus.SnapshotRef(theirs, itemA), bus.SnapshotRef(theirs, itemB)} {
		if s.Value(ref) == "" {
			s.Fatalf("%q was removed all the same", ref)
		}
	}
	judged = write("gone for good")
	s.must(a.Reap(s.ctx, judged))
	s.must(a.Reap(s.ctx, bus.Remains{Agent: theirs})) // nothing left
	for _, ref := range []string{bus.StateRef(theirs), bus.OutboxRef(theirs), bus.SnapshotRef(theirs, itemA), bus.SnapshotRef(theirs, itemB)} {
		if got := s.Value(ref); got != "" {
			s.Errorf("%q is left at %q", ref, got)
		}
	}
	s.wantIntents(s.refresh(a), mine+": mine")
	// The owner wakes up after all.
	s.must(b.UpdateState(s.ctx, theirs, withItem(itemB, "awake")))
	s.must(b.Flush(s.ctx))
	if d := s.refresh(a); len(d.States) != 2 {
		s.Fatalf("%+v", d)
	}
	if a.Reap(s.ctx, bus.Remains{Agent: mine}) == nil || a.Reap(s.ctx, bus.Remains{Agent: "../x"}) == nil {
		s.Error("bad agents are reaped")
	}
}

// remade: an owner whose refs were all removed while it slept makes them again, none of
// which needs a new write.
func (s *suite) remade() {
	a, b, theirs := s.Open(0), s.Open(1), s.Agent(1)
	s.must(b.UpdateState(s.ctx, theirs, withItem(itemA, "asleep")))
	s.must(b.UpdateOutbox(s.ctx, theirs, func(*model.Outbox) error { return nil }))
	snap := s.Commit(1, "snap")
	s.must(b.PublishSnapshot(s.ctx, theirs, itemA, snap, false))
	d := s.refresh(a)
	s.must(a.Reap(s.ctx, bus.Remains{Agent: theirs, State: d.States[0].OID, Outbox: d.Outboxes[0].OID}))
	s.wantIntents(s.refresh(a))
	pushes := s.Pushes()
	s.must(b.Flush(s.ctx)) // it did not look yet
	if s.Pushes() != pushes {
		s.Error("something was sent before it was missed")
	}
	s.wantIntents(s.refresh(b), theirs+": asleep")
	s.must(b.Flush(s.ctx))
	if d = s.refresh(a); len(d.States) != 1 || len(d.Outboxes) != 1 || s.Value(bus.SnapshotRef(theirs, itemA)) != snap {
		s.Fatalf("%d states, %d outboxes, the snapshot at %q", len(d.States), len(d.Outboxes), s.Value(bus.SnapshotRef(theirs, itemA)))
	}
	pushes = s.Pushes()
	s.must(b.Flush(s.ctx))
	if s.Pushes() != pushes {
		s.Error("it was sent again")
	}
}
