package bustest

import (
	"fmt"
	"strings"
	"sync"

	"gitlet/internal/bus"
	"gitlet/internal/model"
	"gitlet/internal/wire"
)

// problems: every kind of bad document costs itself alone.
func (s *suite) problems() {
	a, b := s.Open(0), s.Open(1)
	s.must(b.UpdateState(s.ctx, s.Agent(1), withItem(itemA, "good")))
	const peer, key = "other-peer-00000", "0123456789abcdef"
	bad := map[string]struct{ file, doc, why string }{
		bus.StateRef(peer + "1"):                          {"state.json", `{"format":1,"agent":{"id":"` + peer + `1"},"items":5}`, "items"},
		bus.StateRef(peer + "2"):                          {"state.json", `{"format":7,"agent":"later"}`, "newer"},
		bus.StateRef(peer + "3"):                          {"state.json", `{"format":1,"agent":{"id":"someone-else-000"},"items":[]}`, "match"},
		bus.StateRef(peer + "4"):                          {"state.json", `not json`, "JSON"},
		bus.StateRef(peer + "5"):                          {"state.json", `{"format":1,"x":"` + strings.Repeat("x", 2*wire.MaxRead) + `"}`, "limit"},
		bus.OutboxRef(peer + "6"):                         {"outbox.json", `{"format":1,"agent":"` + peer + `6","needs":[{"id":"x"}]}`, "bad id"},
		bus.ClaimRef(key):                                 {"claim.json", `{"format":1,"key":"fedcba9876543210"}`, "match"},
		bus.Namespace + "claims/not-a-key":                {"claim.json", `{}`, "ref's name"},
		bus.Namespace + "agents/UPPER/state":              {"state.json", `{}`, "ref's name"},
		bus.Namespace + "agents/" + peer + "8/something":  {"x.json", `{}`, ""},
		bus.Namespace + "agents/" + peer + "8/deep/state": {"state.json", `{}`, ""},
	}
	for ref, x := range bad {
		s.Put(ref, x.file, []byte(x.doc))
	}
	entry := `{"format":1,"agent":{"id":"` + peer + `9"},"items":[{"id":"` + itemA + `","intent":"partly","status":"active",` +
		`"footprint":{"files":[{"path":"../x","status":"A"},{"path":"ok","status":"A"}]}}]}`
	s.Put(bus.StateRef(peer+"9"), "state.json", []byte(entry))
	d := s.refresh(a)
	s.wantIntents(d, s.Agent(1)+": good", peer+"9: partly")
	found := map[string]bus.Problem{}
	for _, p := range d.Problems {
		found[p.Ref] = p
	}
	for ref, x := range bad {
		p, ok := found[ref]
		if ok != (x.why != "") || !strings.Contains(p.Why, x.why) || len(p.Why) > 300 {
			s.Errorf("%s: problem %+v, want %q", ref, p, x.why)
		}
		if p.Newer != (x.why == "newer") {
			s.Errorf("%s: newer is %v", ref, p.Newer)
		}
	}
	if p := found[bus.StateRef(peer+"9")]; !strings.Contains(p.Why, "files[0]") {
		s.Errorf("bad entry: %+v", p)
	}
	if len(d.Problems) != 10 {
		s.Errorf("%d problems: %v", len(d.Problems), d.Problems)
	}
	// And the own write still works.
	s.must(a.UpdateState(s.ctx, s.Agent(0), withItem(itemA, "mine")))
}

// concurrent: writers of one agent in two processes, two goroutines each, lose nothing.
func (s *suite) concurrent() {
	const each = 4
	agent := s.Agent(0)
	var wg sync.WaitGroup
	for p := range 2 {
		b := s.Open(0)
		for g := range 2 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for i := range each {
					id := fmt.Sprintf("%02x%02x%08x", p, g, i)
					err := b.UpdateOutbox(s.ctx, agent, func(o *model.Outbox) error {
						o.Messages = append(o.Messages, model.Message{ID: id, Thread: "t-aaaaaaaaaaaa", Kind: "note", From: agent})
						return nil
					})
					if err != nil {
						s.Error(err)
					}
					// Readers meanwhile see whole documents.
					if d, err := b.Load(s.ctx, nil); err != nil || len(d.Problems) > 0 {
						s.Error(err, d)
					}
				}
			}()
		}
	}
	wg.Wait()
	d := s.refresh(s.Open(1))
	if len(d.Outboxes) != 1 || len(d.Outboxes[0].Value.Messages) != 4*each {
		s.Fatalf("%d outboxes, %v", len(d.Outboxes), d.Outboxes)
	}
}

func (s *suite) retire() {
	a, b := s.Open(0), s.Open(1)
	s.must(a.Retire(s.ctx, s.Agent(0))) // nothing there: nothing to do
	s.must(a.UpdateState(s.ctx, s.Agent(0), withItem(itemA, "mine")))
	s.must(a.UpdateOutbox(s.ctx, s.Agent(0), func(*model.Outbox) error { return nil }))
	s.must(b.UpdateState(s.ctx, s.Agent(1), withItem(itemA, "theirs")))
	s.must(a.Retire(s.ctx, s.Agent(0)))
	if st, err := a.State(s.ctx, s.Agent(0)); st != nil || err != nil {
		s.Fatalf("state after retiring: %+v %v", st, err)
	}
	if s.Value(bus.StateRef(s.Agent(0))) != "" || s.Value(bus.OutboxRef(s.Agent(0))) != "" {
		s.Fatal("refs are left on the remote")
	}
	for _, x := range []bus.Bus{a, b} {
		d := s.refresh(x)
		s.wantIntents(d, s.Agent(1)+": theirs")
		if len(d.Outboxes) != 0 {
			s.Fatalf("outboxes: %+v", d.Outboxes)
		}
	}
	s.must(a.UpdateState(s.ctx, s.Agent(0), withItem(itemA, "back")))
	s.wantIntents(s.refresh(b), s.Agent(0)+": back", s.Agent(1)+": theirs")
}

func (s *suite) snapshots() {
	a, b := s.Open(0), s.Open(1)
	agent := s.Agent(0)
	key := agent + "/" + itemA
	one, two := s.Commit(0, "one"), s.Commit(0, "two")
	s.must(a.UpdateState(s.ctx, agent, withItem(itemA, "mine")))
	s.must(a.PublishSnapshot(s.ctx, agent, itemA, one, false))
	s.must(a.PublishSnapshot(s.ctx, agent, itemA, one, false)) // again: nothing new
	if got := s.load(a).Snapshots[key]; got != one || s.Value(bus.SnapshotRef(agent, itemA)) != one {
		s.Fatalf("own snapshot %q, want %q", got, one)
	}
	s.refresh(b)
	for _, want := range []string{one, two} {
		if want == two {
			s.must(a.PublishSnapshot(s.ctx, agent, itemA, two, false))
		}
		if ok, err := b.FetchSnapshot(s.ctx, agent, itemA, want); !ok || err != nil {
			s.Fatalf("fetch %q: %v %v", want, ok, err)
		}
		if got := s.load(b).Snapshots[key]; got != want {
			s.Fatalf("the peer has %q, want %q", got, want)
		}
	}
	missing := strings.Repeat("1", len(one))
	if ok, err := b.FetchSnapshot(s.ctx, agent, itemA, missing); ok || err != nil {
		s.Fatalf("a commit the remote does not have: %v %v", ok, err)
	}
	if ok, err := b.FetchSnapshot(s.ctx, agent, itemB, missing); ok || err != nil {
		s.Fatalf("an item without a snapshot: %v %v", ok, err)
	}
	s.must(a.DropSnapshot(s.ctx, agent, itemA))
	s.must(a.DropSnapshot(s.ctx, agent, itemA)) // again: nothing there
	if got := s.load(a).Snapshots; len(got) != 0 || s.Value(bus.SnapshotRef(agent, itemA)) != "" {
		s.Fatalf("after dropping: %v", got)
	}
}

// snapshotsOfNoItem: a snapshot counts only while its agent's state names the item.
func (s *suite) snapshotsOfNoItem() {
	a, b := s.Open(0), s.Open(1)
	agent := s.Agent(0)
	key, snap := agent+"/"+itemA, s.Commit(0, "snap")
	s.must(a.PublishSnapshot(s.ctx, agent, itemA, snap, false))
	if got := s.load(a).Snapshots[key]; got != snap {
		s.Fatalf("the own snapshot is %q before the item is announced", got)
	}
	s.must(a.UpdateState(s.ctx, agent, withItem(itemA, "mine")))
	s.refresh(b)
	if ok, err := b.FetchSnapshot(s.ctx, agent, itemA, snap); !ok || err != nil {
		s.Fatalf("%v %v", ok, err)
	}
	if got := s.load(b).Snapshots[key]; got != snap {
		s.Fatalf("the peer has %q, want %q", got, snap)
	}
	s.must(a.UpdateState(s.ctx, agent, func(st *model.State) error { st.Items = nil; return nil }))
	if d := s.refresh(b); len(d.Snapshots) != 0 {
		s.Fatalf("the item is gone, its snapshot is not: %v", d.Snapshots)
	}
}
