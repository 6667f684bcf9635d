package bustest

import (
	"errors"
	"reflect"

	"gitlet/internal/bus"
	"gitlet/internal/model"
)

// remoteOnly holds where a remote can be away, decline, or race.
var remoteOnly = []testCase{
	{"OfflineThenFlush", (*suite).offlineThenFlush},
	{"LostAnswers", (*suite).lostAnswers},
	{"RefusedSnapshot", (*suite).refusedSnapshot},
	{"RefusedLater", (*suite).refusedLater},
	{"RefusedState", (*suite).refusedState},
	{"RefusedRemoval", (*suite).refusedRemoval},
	{"Denied", (*suite).denied},
	{"Collision", (*suite).collision},
	{"Adopted", (*suite).adopted},
	{"Removed", (*suite).removed},
	{"FreshClone", (*suite).freshClone},
	{"LocalOnly", (*suite).localOnly},
	{"Reuse", (*suite).reuse},
	{"ClaimFaults", (*suite).claimFaults},
	{"Vanished", (*suite).vanished},
	{"ShareFaults", (*suite).shareFaults},
	{"DeclinedClaims", (*suite).declinedClaims},
	{"Away", (*suite).away},
	{"ReapFaults", (*suite).reapFaults},
	{"Remade", (*suite).remade},
}

// writes is every way to write, as one table: each is tested failing both ways.
func (s *suite) writes(b bus.Bus, agent string) []struct {
	name string
	do   func() error
} {
	snap := s.Commit(0, "of the table")
	return []struct {
		name string
		do   func() error
	}{
		{"state", func() error { return b.UpdateState(s.ctx, agent, withItem(itemA, "written")) }},
		{"outbox", func() error {
			return b.UpdateOutbox(s.ctx, agent, func(o *model.Outbox) error {
				o.Accepts = append(o.Accepts, model.Accept{Thread: "t-aaaaaaaaaaaa", Proposal: "p-aaaaaaaaaaaa"})
				return nil
			})
		}},
		{"snapshot", func() error { return b.PublishSnapshot(s.ctx, agent, itemA, snap, false) }},
		{"second state", func() error { return b.UpdateState(s.ctx, agent, withItem(itemB, "also")) }},
		{"drop", func() error { return b.DropSnapshot(s.ctx, agent, itemA) }},
		{"retire", func() error { return b.Retire(s.ctx, agent) }},
	}
}

// agree checks that what the agent's own machine says and what a peer reads from the
// remote are the same, and that nothing waits to be sent.
func (s *suite) agree(a, b bus.Bus, agent string) {
	s.Helper()
	pushes := s.Pushes()
	s.must(a.Flush(s.ctx))
	if s.Pushes() != pushes {
		s.Fatalf("a second flush wrote something")
	}
	mine, theirs := s.refresh(a), s.refresh(b)
	for _, d := range []*bus.Docs{mine, theirs} {
		if len(d.Problems) > 0 {
			s.Fatalf("problems: %v", d.Problems)
		}
	}
	if !reflect.DeepEqual(mine.States, theirs.States) || !reflect.DeepEqual(mine.Outboxes, theirs.Outboxes) {
		s.Fatalf("here\n%+v\nthere\n%+v", mine, theirs)
	}
	if got := s.Value(bus.SnapshotRef(agent, itemA)); got != mine.Snapshots[agent+"/"+itemA] {
		s.Fatalf("snapshot here %q, there %q", mine.Snapshots[agent+"/"+itemA], got)
	}
}

func (s *suite) offlineThenFlush() {
	a, b, agent := s.Open(0), s.Open(1), s.Agent(0)
	s.must(b.UpdateState(s.ctx, s.Agent(1), withItem(itemA, "theirs")))
	s.refresh(a)
	for i, step := range s.writes(a, agent) {
		s.Set(Faults{Offline: true})
		switch err := step.do(); step.name {
		case "drop": // best effort
			s.must(err)
		default:
			s.want(err, bus.ErrOffline)
		}
		s.Advance(2 * bus.ReuseWithin)
		_, err := a.Refresh(s.ctx)
		s.want(err, bus.ErrOffline)
		err = a.Flush(s.ctx)
		s.want(err, bus.ErrOffline)
		if step.name == "state" {
			// The last known state of others is still there, and so is the own write.
			s.wantIntents(s.load(a), agent+": written", s.Agent(1)+": theirs")
		}
		s.Set(Faults{})
		if i == 1 {
			continue // two writes wait at once
		}
		s.must(a.Flush(s.ctx))
		s.agree(a, b, agent)
	}
	s.wantIntents(s.refresh(b), s.Agent(1)+": theirs")
}

// lostAnswers: the remote took the write and the answer did not come back. The next
// write, or the next flush, finds that out by itself.
func (s *suite) lostAnswers() {
	a, b, agent := s.Open(0), s.Open(1), s.Agent(0)
	for i, step := range s.writes(a, agent) {
		s.Advance(bus.AwayFor) // so that it is tried
		s.Set(Faults{LoseAnswer: true})
		switch err := step.do(); step.name {
		case "drop":
			s.must(err)
		default:
			s.want(err, bus.ErrOffline)
		}
		s.Set(Faults{})
		if i%2 == 0 {
			s.must(a.Flush(s.ctx))
			s.agree(a, b, agent)
		}
	}
	s.must(a.Flush(s.ctx))
	s.agree(a, b, agent)
	if d := s.refresh(b); len(d.States)+len(d.Outboxes) != 0 {
		s.Fatalf("left after retiring: %+v", d)
	}
}

func (s *suite) refusedSnapshot() {
	a, agent := s.Open(0), s.Agent(0)
	good, bad := s.Commit(0, "good"), s.Commit(0, "bad")
	ref, key := bus.SnapshotRef(agent, itemA), agent+"/"+itemA
	s.must(a.UpdateState(s.ctx, agent, withItem(itemA, "one")))
	refuse := Faults{Decline: bus.Namespace + "wip/", Text: "no `.github/workflows/ci.yml` without `workflow` scope"}

	s.Set(refuse)
	s.wantRefused(a.PublishSnapshot(s.ctx, agent, itemA, bad, false), ref, refuse.Text)
	if got := s.load(a).Snapshots; len(got) != 0 {
		s.Fatalf("a snapshot that was never accepted stays: %v", got)
	}
	s.must(a.UpdateState(s.ctx, agent, withItem(itemA, "two"))) // nothing else is held back
	s.Set(Faults{})
	s.must(a.PublishSnapshot(s.ctx, agent, itemA, good, false))
	s.Set(refuse)
	s.wantRefused(a.PublishSnapshot(s.ctx, agent, itemA, bad, false), ref, refuse.Text)
	if got := s.load(a).Snapshots[key]; got != good {
		s.Fatalf("the local snapshot is %q, want the accepted %q", got, good)
	}
	pushes := s.Pushes()
	s.must(a.Flush(s.ctx))
	if s.Pushes() != pushes || s.Value(ref) != good {
		s.Fatal("a flush sent the refused snapshot again")
	}
}

// refusedLater: written while the remote was away, refused when it came back.
func (s *suite) refusedLater() {
	a, b, agent := s.Open(0), s.Open(1), s.Agent(0)
	good, bad := s.Commit(0, "good"), s.Commit(0, "bad")
	ref := bus.SnapshotRef(agent, itemA)
	s.must(a.PublishSnapshot(s.ctx, agent, itemA, good, false))
	s.Set(Faults{Offline: true})
	s.want(a.PublishSnapshot(s.ctx, agent, itemA, bad, false), bus.ErrOffline)
	s.want(a.UpdateState(s.ctx, agent, withItem(itemA, "written offline")), bus.ErrOffline) // without asking again
	s.Set(Faults{Decline: bus.Namespace + "wip/", Text: "too big"})
	s.wantRefused(a.Flush(s.ctx), ref, "too big")
	if got := s.load(a).Snapshots[agent+"/"+itemA]; got != good {
		s.Fatalf("the local snapshot is %q, want the accepted %q", got, good)
	}
	s.wantIntents(s.refresh(b), agent+": written offline")
	pushes := s.Pushes()
	s.must(a.Flush(s.ctx))
	if s.Pushes() != pushes {
		s.Fatal("a flush sent the refused snapshot again")
	}
}

func (s *suite) refusedState() {
	a, b, agent := s.Open(0), s.Open(1), s.Agent(0)
	refuse := Faults{Decline: bus.StateRef(agent), Text: "names a secret"}
	s.Set(refuse)
	s.wantRefused(a.UpdateState(s.ctx, agent, withItem(itemA, "one")), bus.StateRef(agent), refuse.Text)
	s.wantIntents(s.load(a), agent+": one") // the local write stands
	s.must(a.UpdateOutbox(s.ctx, agent, func(*model.Outbox) error { return nil }))
	pushes := s.Pushes()
	s.must(a.Flush(s.ctx))
	if s.Pushes() != pushes {
		s.Fatal("a flush sent the declined value again")
	}
	s.wantRefused(a.UpdateState(s.ctx, agent, withItem(itemA, "two")), bus.StateRef(agent), refuse.Text)
	s.Set(Faults{})
	s.must(a.Flush(s.ctx)) // still the declined value
	s.wantIntents(s.refresh(b))
	s.must(a.UpdateState(s.ctx, agent, withItem(itemA, "three")))
	s.wantIntents(s.refresh(b), agent+": three")
	s.agree(a, b, agent)
}

// refusedRemoval: the removal of an own ref that is declined is not sent again.
func (s *suite) refusedRemoval() {
	a, agent := s.Open(0), s.Agent(0)
	s.must(a.UpdateState(s.ctx, agent, withItem(itemA, "one")))
	s.Set(Faults{Decline: bus.Namespace, Text: "nothing is ever deleted"})
	s.wantRefused(a.Retire(s.ctx, agent), bus.StateRef(agent), "nothing is ever deleted")
	if st, err := a.State(s.ctx, agent); st != nil || err != nil {
		s.Fatalf("%+v %v", st, err)
	}
	pushes := s.Pushes()
	s.must(a.Flush(s.ctx))
	if s.Pushes() != pushes {
		s.Fatal("a flush sent the declined removal again")
	}
	s.Set(Faults{})
	s.must(a.UpdateState(s.ctx, agent, withItem(itemB, "back")))
	s.wantIntents(s.refresh(s.Open(1)), agent+": back")
}

func (s *suite) denied() {
	a, agent := s.Open(0), s.Agent(0)
	s.Set(Faults{Denied: true})
	s.want(a.UpdateState(s.ctx, agent, withItem(itemA, "one")), bus.ErrDenied)
	s.want(a.PublishSnapshot(s.ctx, agent, itemA, s.Commit(0, "snap"), false), bus.ErrDenied)
	s.wantIntents(s.refresh(a), agent+": one") // reading still works
	s.Set(Faults{})
	s.must(a.Flush(s.ctx)) // permission came: what stood locally goes out
	s.agree(a, s.Open(1), agent)
}

func (s *suite) collision() {
	a, agent := s.Open(0), s.Agent(0)
	s.must(a.UpdateState(s.ctx, agent, withItem(itemA, "one")))
	s.Set(Faults{Intruder: true})
	err := a.UpdateState(s.ctx, agent, withItem(itemA, "two"))
	s.want(err, bus.ErrCollision)
	if errors.Is(err, bus.ErrOffline) {
		s.Fatalf("a collision is not an outage: %v", err)
	}
	s.wantIntents(s.load(a), agent+": two")
}

// adopted: the remote's ref moved once behind our back. The write goes through on
// the second try and what this clone wrote stands.
func (s *suite) adopted() {
	a, b, agent := s.Open(0), s.Open(1), s.Agent(0)
	s.must(a.UpdateState(s.ctx, agent, withItem(itemA, "one")))
	s.Put(bus.StateRef(agent), "state.json", []byte(`{"format":1,"agent":{"id":"`+agent+`"},"items":[]}`))
	s.must(a.UpdateState(s.ctx, agent, withItem(itemB, "two")))
	s.wantIntents(s.refresh(b), agent+": one", agent+": two")
	s.agree(a, b, agent)
}

// removed: somebody deleted the agent's refs. The owner makes them again.
func (s *suite) removed() {
	a, b, agent := s.Open(0), s.Open(1), s.Agent(0)
	s.must(a.UpdateState(s.ctx, agent, withItem(itemA, "one")))
	s.Remove(bus.StateRef(agent))
	s.wantIntents(s.refresh(b))
	s.wantIntents(s.refresh(a), agent+": one")
	s.must(a.UpdateState(s.ctx, agent, withItem(itemB, "two")))
	s.wantIntents(s.refresh(b), agent+": one", agent+": two")
	s.Remove(bus.StateRef(agent))
	s.must(a.Retire(s.ctx, agent))
	s.agree(a, b, agent)
}

// freshClone: this clone holds nothing of the agent, the remote does.
func (s *suite) freshClone() {
	a, agent := s.Open(0), s.Agent(0)
	s.Put(bus.StateRef(agent), "state.json",
		[]byte(`{"format":1,"agent":{"id":"`+agent+`"},"items":[{"id":"`+itemB+`","intent":"from before","status":"submitted"}]}`))
	if st, err := a.State(s.ctx, agent); st != nil || err != nil {
		s.Fatalf("%+v %v", st, err)
	}
	s.must(a.UpdateState(s.ctx, agent, withItem(itemA, "new")))
	s.wantIntents(s.load(a), agent+": from before", agent+": new")
	s.wantIntents(s.refresh(s.Open(1)), agent+": from before", agent+": new")
}

// localOnly: the user keeps snapshots on this machine.
func (s *suite) localOnly() {
	a, agent := s.Open(0), s.Agent(0)
	snap, ref := s.Commit(0, "private"), bus.SnapshotRef(agent, itemA)
	s.must(a.PublishSnapshot(s.ctx, agent, itemA, snap, true))
	s.must(a.Flush(s.ctx))
	if s.Pushes() != 0 || s.Value(ref) != "" {
		s.Fatal("a snapshot that was to stay local was sent")
	}
	if got := s.load(a).Snapshots[agent+"/"+itemA]; got != snap {
		s.Fatalf("%q", got)
	}
	s.must(a.DropSnapshot(s.ctx, agent, itemA))
	if s.Pushes() != 0 {
		s.Fatal("dropping it asked the remote")
	}
	s.must(a.PublishSnapshot(s.ctx, agent, itemA, snap, true))
	s.must(a.PublishSnapshot(s.ctx, agent, itemA, snap, false))
	if s.Value(ref) != snap {
		s.Fatal("the user changed their mind, and it was not sent")
	}
}

// reuse: a second process takes a fetch that is a moment old, not one that is older.
func (s *suite) reuse() {
	a, second, b := s.Open(0), s.Open(0), s.Open(1)
	s.Advance(2 * bus.ReuseWithin)
	first, err := a.Refresh(s.ctx)
	s.must(err)
	s.must(b.UpdateState(s.ctx, s.Agent(1), withItem(itemA, "meanwhile")))
	s.Advance(bus.ReuseWithin / 2)
	r, err := second.Refresh(s.ctx)
	s.must(err)
	if !r.Reused || !r.At.Equal(first.At) || first.Reused {
		s.Fatalf("first %+v, then %+v", first, r)
	}
	s.wantIntents(s.load(second))
	s.Set(Faults{Offline: true})
	if _, err := second.Refresh(s.ctx); err != nil {
		s.Fatalf("a fetch that is reused needs no remote: %v", err)
	}
	s.Set(Faults{})
	s.Advance(bus.ReuseWithin)
	r, err = second.Refresh(s.ctx)
	s.must(err)
	if r.Reused || !r.Changed {
		s.Fatalf("%+v", r)
	}
	s.wantIntents(s.load(second), s.Agent(1)+": meanwhile")
}
