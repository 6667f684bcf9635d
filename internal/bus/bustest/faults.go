package bustest

import (
	"errors"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/model"
)

// claimWrites is every way to change a claim, as one table: from a claim held on keyA
// it does one of them, and says how the claim stands when it worked and when it did not.
func (s *suite) claimWrites(a bus.Bus, agent string) []struct {
	name string
	do   func(h *bus.Held) (*bus.Held, error)
	held bool // a claim is there before
	left bool // and afterwards, when it worked
} {
	return []struct {
		name string
		do   func(h *bus.Held) (*bus.Held, error)
		held bool
		left bool
	}{
		{"claim", func(*bus.Held) (*bus.Held, error) {
			return a.Claim(s.ctx, claimOf(keyA, agent, itemA, time.Time{}))
		}, false, true},
		{"update", func(h *bus.Held) (*bus.Held, error) { return a.UpdateClaim(s.ctx, h, later(h)) }, true, true},
		{"renew", func(h *bus.Held) (*bus.Held, error) {
			got, err := a.Share(s.ctx, bus.Batch{Agent: agent, Renew: []bus.Renewal{{Seen: h, To: later(h)}}})
			if err != nil {
				return nil, err
			}
			return got.Renewed[0].Held, got.Renewed[0].Err
		}, true, true},
		{"release", func(h *bus.Held) (*bus.Held, error) { return nil, a.ReleaseClaim(s.ctx, h) }, true, false},
	}
}

// claimFaults: each change of a claim fails once "not applied" and once "applied, answer
// lost". What the bus says is what is true on the remote, and nothing stands anywhere
// else meanwhile.
func (s *suite) claimFaults() {
	a, b, mine := s.Open(0), s.Open(1), s.Agent(0)
	for _, w := range s.claimWrites(a, mine) {
		s.Set(Faults{})
		_, err := a.Refresh(s.ctx)
		s.must(err)
		var before *bus.Held
		if w.held {
			before = s.claim(a, keyA, mine)
		}
		s.Set(Faults{Offline: true})
		s.Advance(2 * bus.AwayFor)
		h, err := w.do(before)
		s.want(err, bus.ErrOffline)
		if got := s.load(a).Held(keyA); h != nil || bus.Token(got) != bus.Token(before) {
			s.Fatalf("%s while offline: %+v, seen as %+v", w.name, h, got)
		}
		s.Set(Faults{})
		s.wantHeld(keyA, before, a, b)
		s.must(a.Flush(s.ctx))
		s.wantHeld(keyA, before, b) // and it never goes out by itself

		s.Set(Faults{LoseAnswer: true})
		h, err = w.do(before)
		if s.must(err); (h != nil) != w.left {
			s.Fatalf("%s with its answer lost: %+v", w.name, h)
		}
		s.Set(Faults{})
		s.wantHeld(keyA, h, a, b)
		if h != nil {
			s.must(a.ReleaseClaim(s.ctx, h))
		}
	}
}

// vanished: the change arrived, and the remote is gone before it can be asked. Later
// the same call finds the truth.
func (s *suite) vanished() {
	a, b, mine, theirs := s.Open(0), s.Open(1), s.Agent(0), s.Agent(1)
	for _, w := range s.claimWrites(a, mine) {
		var before *bus.Held
		if w.held {
			before = s.claim(a, keyA, mine)
		}
		s.Set(Faults{Vanish: true})
		h, err := w.do(before)
		if s.want(err, bus.ErrOffline); h != nil {
			s.Fatalf("%s: held without the remote's word: %+v", w.name, h)
		}
		s.Set(Faults{})
		s.Advance(2 * bus.AwayFor)
		h, err = w.do(before)
		switch w.name {
		case "claim":
			s.must(err)
			s.wantHeld(keyA, h, a, b)
		case "release":
			s.must(err)
			s.wantHeld(keyA, nil, a, b)
		default: // the value that was seen is not there any more: it names its holder, oneself
			h = s.wantLost(err, keyA, mine).Holder
			if h.Claim.Epoch != before.Claim.Epoch+1 {
				s.Fatalf("%s: %+v", w.name, h)
			}
			h, err = a.UpdateClaim(s.ctx, h, later(h))
			s.must(err)
		}
		if _, err := b.Claim(s.ctx, claimOf(keyA, theirs, itemA, time.Time{})); w.left {
			s.wantLost(err, keyA, mine)
			s.must(a.ReleaseClaim(s.ctx, h))
		} else {
			s.must(err)
			s.wantHeld(keyA, s.load(b).Held(keyA), a)
		}
	}
}

// shareFaults: the same for a whole batch.
func (s *suite) shareFaults() {
	a, b, mine := s.Open(0), s.Open(1), s.Agent(0)
	held := s.claim(a, keyA, mine)
	batch := func(intent string) bus.Batch {
		return bus.Batch{Agent: mine, State: withItem(itemA, intent), Outbox: func(o *model.Outbox) error { return nil },
			Renew: []bus.Renewal{{Seen: held, To: later(held)}}}
	}
	s.Set(Faults{Offline: true})
	got, err := a.Share(s.ctx, batch("written offline"))
	s.must(err)
	for _, e := range []error{got.State, got.Outbox, got.Renewed[0].Err} {
		s.want(e, bus.ErrOffline)
	}
	s.Set(Faults{})
	s.must(a.Flush(s.ctx))
	s.agree(a, b, mine)
	s.wantHeld(keyA, held, a, b)
	s.wantIntents(s.load(b), mine+": written offline")

	s.Set(Faults{LoseAnswer: true})
	got, err = a.Share(s.ctx, batch("written, answer lost"))
	s.must(err)
	s.want(got.State, bus.ErrOffline)
	s.Set(Faults{})
	s.must(a.Flush(s.ctx))
	s.agree(a, b, mine)
	s.wantIntents(s.load(b), mine+": written, answer lost")
	// The renewal arrived or did not; what was said is what is.
	if r := got.Renewed[0]; r.Err != nil {
		s.want(r.Err, bus.ErrOffline)
	} else {
		held = r.Held
	}
	s.wantHeld(keyA, held, a, b)

	// Claims declined, documents not.
	s.Set(Faults{Decline: bus.Namespace + "claims/", Text: "no claims here"})
	got, err = a.Share(s.ctx, batch("still heard"))
	s.must(errors.Join(err, got.State, got.Outbox))
	s.wantRefused(got.Renewed[0].Err, bus.ClaimRef(keyA), "no claims here")
	s.wantIntents(s.refresh(b), mine+": still heard")
	s.Set(Faults{Denied: true})
	got, err = a.Share(s.ctx, batch("not heard"))
	s.must(err)
	s.want(got.State, bus.ErrDenied)
	s.want(got.Renewed[0].Err, bus.ErrDenied)
	s.Set(Faults{})
	s.wantHeld(keyA, held, a, b)
}

// declinedClaims: a remote that will not have it. The claim is not held, and not lost
// to anybody either, unless somebody has it.
func (s *suite) declinedClaims() {
	a, b, mine, theirs := s.Open(0), s.Open(1), s.Agent(0), s.Agent(1)
	held := s.claim(b, keyB, theirs)
	for _, f := range []Faults{{Decline: bus.Namespace + "claims/", Text: "only heads and tags"}, {Denied: true}} {
		s.Set(f)
		h, err := a.Claim(s.ctx, claimOf(keyA, mine, itemA, time.Time{}))
		if f.Denied {
			s.want(err, bus.ErrDenied)
		} else {
			s.wantRefused(err, bus.ClaimRef(keyA), f.Text)
			_, err := a.Claim(s.ctx, claimOf(keyB, mine, itemA, time.Time{}))
			s.wantLost(err, keyB, theirs)
			s.wantRefused(b.ReleaseClaim(s.ctx, held), bus.ClaimRef(keyB), f.Text)
		}
		if h != nil || s.Value(bus.ClaimRef(keyA)) != "" {
			s.Fatalf("%+v is held", h)
		}
		s.wantHeld(keyA, nil, a, b)
		s.wantHeld(keyB, held, a, b)
	}
}

// away: a remote that did not answer is not asked again by writes for a while, in any
// process of the clone.
func (s *suite) away() {
	a, second, b, mine := s.Open(0), s.Open(0), s.Open(1), s.Agent(0)
	held := s.claim(a, keyA, mine)
	s.Set(Faults{Offline: true})
	s.want(a.UpdateState(s.ctx, mine, withItem(itemA, "offline")), bus.ErrOffline)
	s.Set(Faults{}) // it is back, and nobody here knows yet
	pushes := s.Pushes()
	for _, p := range []bus.Bus{a, second} {
		s.want(p.UpdateState(s.ctx, mine, withItem(itemB, "also")), bus.ErrOffline)
		s.want(p.PublishSnapshot(s.ctx, mine, itemA, s.Commit(0, "snap"), false), bus.ErrOffline)
		_, err := p.Claim(s.ctx, claimOf(keyB, mine, itemA, time.Time{}))
		s.want(err, bus.ErrOffline)
		_, err = p.UpdateClaim(s.ctx, held, later(held))
		s.want(err, bus.ErrOffline)
		s.want(p.ReleaseClaim(s.ctx, held), bus.ErrOffline)
		s.want(p.Reap(s.ctx, bus.Remains{Agent: s.Agent(1)}), bus.ErrOffline)
	}
	if s.Pushes() != pushes {
		s.Fatalf("%d pushes to a remote known to be away", s.Pushes()-pushes)
	}
	s.wantIntents(s.load(a), mine+": offline", mine+": also")
	s.must(b.UpdateState(s.ctx, s.Agent(1), withItem(itemA, "theirs"))) // another clone is not concerned
	// A fetch that works ends it; so does the time.
	_, err := a.Refresh(s.ctx)
	s.must(err)
	s.claim(second, keyB, mine)
	s.must(a.Flush(s.ctx))
	s.agree(a, b, mine)
	s.Set(Faults{Offline: true})
	s.Advance(2 * bus.ReuseWithin)
	_, err = a.Refresh(s.ctx)
	s.want(err, bus.ErrOffline)
	s.Set(Faults{})
	s.want(second.UpdateState(s.ctx, mine, withItem(itemA, "waits")), bus.ErrOffline)
	s.Advance(bus.AwayFor)
	s.must(second.UpdateState(s.ctx, mine, withItem(itemA, "goes")))
}

// reapFaults: nothing of the dead agent is half gone for good.
func (s *suite) reapFaults() {
	a, b, theirs := s.Open(0), s.Open(1), s.Agent(1)
	s.must(b.UpdateState(s.ctx, theirs, withItem(itemA, "theirs")))
	s.must(b.PublishSnapshot(s.ctx, theirs, itemA, s.Commit(1, "snap"), false))
	judged := bus.Remains{Agent: theirs, State: s.refresh(a).States[0].OID}
	s.Set(Faults{Offline: true})
	s.want(a.Reap(s.ctx, judged), bus.ErrOffline)
	s.Set(Faults{Decline: bus.Namespace, Text: "nothing is ever deleted"})
	s.Advance(bus.AwayFor)
	s.wantRefused(a.Reap(s.ctx, judged), bus.StateRef(theirs), "nothing is ever deleted")
	s.Set(Faults{LoseAnswer: true})
	s.want(a.Reap(s.ctx, judged), bus.ErrOffline)
	s.Set(Faults{})
	s.Advance(bus.AwayFor)
	s.must(a.Reap(s.ctx, judged))
	if s.Value(bus.StateRef(theirs)) != "" || s.Value(bus.SnapshotRef(theirs, itemA)) != "" {
		s.Fatal("refs are left")
	}
	s.wantIntents(s.refresh(a))
}
