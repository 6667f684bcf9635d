package thread

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/view"
)

var t0 = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

var load = model.Symbol{Lang: "go", Path: "a.go", Name: "Load", Qualified: "Load", Signature: "func Load()", SigHash: strings.Repeat("0", 16)}.At("a.go")

// scene is a view in the making: agents "a", "b", ... each with one item.
type scene struct {
	view.View
	n int
}

func item(agent string) string { return strings.Repeat(fmt.Sprintf("%x", agent[0]), 6) }

// contested is a scene in which each of the agents gives Load another signature.
func contested(agents ...string) *scene {
	s := &scene{View: view.View{Now: t0, Agent: "a", Limits: view.Limits{Messages: 3, Timeout: 10 * time.Minute},
		ClashSince: map[string]time.Time{load.Key: t0}}}
	for _, a := range agents {
		s.changes(a, model.ChangeSignature, a)
	}
	return s
}

func (s *scene) changes(agent string, kind model.ChangeKind, sig string) {
	c := model.SymbolChange{Change: kind, OldSignature: load.Signature, OldSigHash: load.SigHash, Symbol: load}
	if kind != model.ChangeRemoved {
		c.Symbol.SigHash = fmt.Sprintf("%016x", sig)[:16]
	}
	it := model.Item{ID: item(agent), Status: model.ItemActive, Footprint: &model.Footprint{Symbols: []model.SymbolChange{c}}}
	s.Peers = append(s.Peers, view.Peer{Agent: model.Agent{ID: agent}, Item: it, Mine: agent == "a"})
}

func (s *scene) say(agent, text, owner string, seen ...string) string {
	epoch := 0
	if cl := s.Claim(load.Key); cl != nil {
		epoch = cl.Epoch
	}
	s.n++
	m := model.Message{ID: fmt.Sprintf("%012x", s.n), Thread: SigID(load.Key, epoch), Kind: Sig, Subject: load.Key, SubjectName: "a.go:Load",
		From: agent, Item: item(agent), Text: text, Seen: seen, At: t0.Add(time.Duration(s.n) * time.Second)}
	for _, p := range s.Peers {
		m.Items = append(m.Items, p.Item.ID)
	}
	if owner != "" {
		m.Proposal = &model.Proposal{ID: fmt.Sprintf("p-%012x", s.n), Owner: owner}
	}
	s.Messages = append(s.Messages, m)
	return m.ID
}

func (s *scene) accept(agent, message string) {
	s.Accepts = append(s.Accepts, view.Accept{Agent: agent, Accept: model.Accept{Thread: s.Messages[len(s.Messages)-1].Thread, Proposal: "p-" + message}})
}

func (s *scene) need(agent string) {
	s.Needs = append(s.Needs, view.Need{Agent: agent, Need: model.Need{Key: load.Key, Item: item(agent)}})
}

func (s *scene) hold(agent string, epoch int) {
	s.Claims = []model.Claim{{Key: load.Key, Symbol: &load, Owner: agent, Item: item(agent), Epoch: epoch}}
}

// is is the one thread, in short: its state, the owner, and what each agent has to do.
func (s *scene) is() string {
	all := Derive(&s.View)
	if len(all) == 0 {
		return "none"
	}
	out := string(all[0].State) + " owner=" + all[0].Owner
	for _, p := range all[0].Parties {
		v := s.View
		v.Agent = p.Agent
		for _, st := range Steps(&v, all) {
			out += fmt.Sprintf(" %s:%s%s", p.Agent, strings.ReplaceAll(string(st.Kind), " ", ""), st.To)
		}
	}
	return out
}

func TestWhoOwnsItInTheEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		with func() *scene
		want string
	}{
		{"nobody said anything", func() *scene { return contested("a", "b") }, "open owner="},
		{"one changes it alone", func() *scene { return contested("a") }, "none"},
		{"both to the same", func() *scene {
			s := contested("a")
			s.changes("b", model.ChangeSignature, "a")
			return s
		}, "none"},
		{"one removes what the other changes the body of", func() *scene {
			s := contested()
			s.changes("a", model.ChangeRemoved, "")
			s.changes("b", model.ChangeBody, "0")
			return s
		}, "open owner="},
		{"a very wide change takes no part", func() *scene {
			s := contested("a", "b")
			s.Peers[1].Item.Footprint.Broad = true
			return s
		}, "none"},
		{"two items of one agent", func() *scene {
			s := contested("a", "b")
			s.Peers[1].Agent.ID = "a"
			return s
		}, "none"},
		{"proposed, and not accepted", func() *scene {
			s := contested("a", "b")
			s.say("a", "mine", "a")
			return s
		}, "open owner="},
		{"accepted, nobody holds it", func() *scene {
			s := contested("a", "b")
			s.accept("b", s.say("a", "mine", "a"))
			return s
		}, "agreed owner=a a:claim b:need"},
		{"accepted, the other holds it", func() *scene {
			s := contested("a", "b")
			s.hold("b", 1)
			s.accept("b", s.say("a", "mine", "a"))
			return s
		}, "agreed owner=a b:handovera b:need"},
		{"handed over, the need is not there yet", func() *scene {
			s := contested("a", "b")
			s.hold("b", 1)
			s.accept("b", s.say("a", "mine", "a"))
			s.hold("a", 2)
			return s
		}, "agreed owner=a b:need"},
		{"the need is there, the claim is not", func() *scene {
			s := contested("a", "b")
			s.accept("b", s.say("a", "mine", "a"))
			s.need("b")
			return s
		}, "agreed owner=a a:claim"},
		{"carried out", func() *scene {
			s := contested("a", "b")
			s.accept("b", s.say("a", "mine", "a"))
			s.need("b")
			s.hold("a", 1)
			return s
		}, "over owner=a"},
		{"of three, two accepted", func() *scene {
			s := contested("a", "b", "c")
			s.accept("b", s.say("a", "mine", "a"))
			return s
		}, "open owner="},
		{"of three, all accepted; one is done", func() *scene {
			s := contested("a", "b", "c")
			p := s.say("a", "mine", "a")
			s.accept("b", p)
			s.accept("c", p)
			s.need("c")
			return s
		}, "agreed owner=a a:claim b:need"},
		{"accepted, but replaced by a later offer", func() *scene {
			s := contested("a", "b")
			s.accept("b", s.say("a", "mine", "a"))
			s.say("a", "no, yours", "b")
			return s
		}, "open owner="},
		{"each accepts the other's offer", func() *scene {
			s := contested("a", "b")
			p, q := s.say("a", "mine", "a"), s.say("b", "mine", "b")
			s.accept("b", p)
			s.accept("a", q)
			return s
		}, "agreed owner=a a:claim b:need"},
		{"the offered owner left it to the others", func() *scene {
			s := contested("a", "b", "c")
			p := s.say("a", "take it", "b")
			s.need("b")
			s.accept("c", p)
			return s
		}, "open owner="},
		{"an offer of the time before somebody claimed it", func() *scene {
			s := contested("a", "b")
			p := s.say("a", "mine", "a")
			s.accept("b", p)
			s.hold("b", 1)
			return s
		}, "agreed owner=a b:handovera b:need"},
		{"a third comes after it was carried out", func() *scene {
			s := contested("a", "b")
			s.accept("b", s.say("a", "mine", "a"))
			s.need("b")
			s.hold("a", 1)
			s.changes("c", model.ChangeSignature, "c")
			return s
		}, "open owner="},
		{"everybody said all it may", func() *scene {
			s := contested("a", "b")
			for range 3 {
				s.say("a", "x", "")
				s.say("b", "y", "")
			}
			return s
		}, "decided without agreement owner= a:claim b:claim"},
		{"one said all it may", func() *scene {
			s := contested("a", "b")
			for range 3 {
				s.say("a", "x", "")
			}
			return s
		}, "open owner="},
		{"the last word was an acceptance", func() *scene {
			s := contested("a", "b")
			p := ""
			for range 3 {
				s.say("b", "y", "")
				p = s.say("a", "x", "b")
			}
			s.accept("b", p)
			return s
		}, "agreed owner=b a:need b:claim"},
		{"time is up, somebody holds it", func() *scene {
			s := contested("a", "b")
			s.hold("b", 3)
			s.Now = t0.Add(10 * time.Minute)
			return s
		}, "decided without agreement owner=b a:need"},
		{"time is up, a third holds it", func() *scene {
			s := contested("a", "b")
			s.Peers = append(s.Peers, view.Peer{Agent: model.Agent{ID: "c"}, Item: model.Item{ID: item("c"), Status: model.ItemActive}})
			s.hold("c", 1)
			s.Now = t0.Add(time.Hour)
			return s
		}, "decided without agreement owner=c a:need b:need"},
		{"no time at all", func() *scene {
			s := contested("a", "b")
			s.Limits.Timeout = 0
			return s
		}, "decided without agreement owner= a:claim b:claim"},
		{"left to the one who offered to own it, which accepts no offer", func() *scene {
			s := contested("a", "b")
			s.hold("a", 1)
			s.say("a", "mine", "a")
			s.say("b", "no, mine", "b")
			s.need("b")
			return s
		}, "over owner="},
		{"accepted by one, and left to the owner by the other: the same whoever looks", func() *scene {
			s := contested("a", "b", "c")
			s.hold("a", 1)
			s.accept("b", s.say("a", "mine", "a"))
			s.need("b")
			s.need("c")
			s.Agreements = []view.Agreement{{Thread: SigID(load.Key, 1), Kind: Sig, Subject: load.Key, Owner: "a"}}
			return s
		}, "over owner=a"},
		{"who used the other's contract contests nothing", func() *scene {
			s := contested("a", "b")
			s.need("b")
			s.Needs[0].PinnedSigHash = s.Peers[1].Item.Footprint.Symbols[0].Symbol.SigHash
			s.LeavePicked()
			return s
		}, "none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := c.with()
			if got := s.is(); got != c.want {
				t.Errorf("got  %s\nwant %s\n%+v", got, c.want, Derive(&s.View))
			}
			s.sameForAll(t)
		})
	}
}

// sameForAll: everybody derives the same, whatever order the documents came in.
func (s *scene) sameForAll(t *testing.T) {
	t.Helper()
	want := Derive(&s.View)
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 3))
		v := s.View
		v.Agent = []string{"a", "b", "c"}[seed%3]
		v.Messages, v.Accepts, v.Peers = slices.Clone(v.Messages), slices.Clone(v.Accepts), slices.Clone(v.Peers)
		r.Shuffle(len(v.Messages), func(i, j int) { v.Messages[i], v.Messages[j] = v.Messages[j], v.Messages[i] })
		r.Shuffle(len(v.Accepts), func(i, j int) { v.Accepts[i], v.Accepts[j] = v.Accepts[j], v.Accepts[i] })
		r.Shuffle(len(v.Peers), func(i, j int) { v.Peers[i], v.Peers[j] = v.Peers[j], v.Peers[i] })
		if got := Derive(&v); !reflect.DeepEqual(got, want) {
			t.Errorf("%s derives something else:\n%+v\n%+v", v.Agent, got, want)
		}
	}
}

func TestIdsAreThoseAnyoneCanCompute(t *testing.T) {
	t.Parallel()
	s := contested("a", "b")
	if got, want := Derive(&s.View)[0].ID, id.SigThread(load.Key, "0"); got != want {
		t.Errorf("unclaimed: %s, want %s", got, want)
	}
	s.hold("a", 4)
	if got, want := Derive(&s.View)[0].ID, id.SigThread(load.Key, "4"); got != want {
		t.Errorf("claimed: %s, want %s", got, want)
	}
}

func TestCausalOrder(t *testing.T) {
	t.Parallel()
	m := func(id, from string, at int, seen ...string) model.Message {
		return model.Message{ID: id, From: from, Seen: seen, At: t0.Add(time.Duration(at) * time.Second)}
	}
	for _, c := range []struct {
		name string
		in   []model.Message
		want string
	}{
		{"by time where nobody saw anything", []model.Message{m("2", "b", 2), m("1", "a", 1)}, "1 2"},
		{"an answer comes after its question, whatever the clocks say", []model.Message{m("2", "b", 1, "1"), m("1", "a", 9)}, "1 2"},
		{"own messages keep their order", []model.Message{m("1", "a", 5), m("2", "a", 6), m("3", "b", 1, "2")}, "1 2 3"},
		{"through a third", []model.Message{m("3", "c", 1, "2"), m("2", "b", 2, "1"), m("1", "a", 3)}, "1 2 3"},
		{"a circle is cut at the earliest", []model.Message{m("1", "a", 1, "2"), m("2", "b", 2, "1")}, "1 2"},
		{"what is not there is not waited for", []model.Message{m("1", "a", 1, "9")}, "1"},
		{"one id twice", []model.Message{m("1", "a", 1), m("1", "b", 2, "1"), m("2", "c", 0, "1")}, "1 1 2"},
	} {
		for range 3 {
			got := ""
			for _, x := range causal(c.in) {
				got += " " + x.ID
			}
			if got[1:] != c.want {
				t.Errorf("%s: %s, want %s", c.name, got[1:], c.want)
			}
			slices.Reverse(c.in)
		}
	}
}

func TestUnseen(t *testing.T) {
	t.Parallel()
	s := contested("a", "b", "c")
	unseen := func(agent string) int { all := Derive(&s.View); return len(all[0].Unseen(agent)) }
	p := s.say("b", "mine", "b")
	q := s.say("c", "and?", "")
	if unseen("a") != 2 || unseen("b") != 1 || unseen("c") != 1 {
		t.Errorf("before any answer: %d %d %d", unseen("a"), unseen("b"), unseen("c"))
	}
	s.say("a", "well", "", p, q)
	if unseen("a") != 0 || unseen("b") != 2 {
		t.Errorf("after an answer: %d %d", unseen("a"), unseen("b"))
	}
	s.accept("c", p)
	if got := unseen("c"); got != 1 {
		t.Errorf("who accepted has seen what led to it: %d", got)
	}
	for range 9 {
		s.say("b", "spam", "")
	}
	if got := unseen("a"); got != 2 {
		t.Errorf("beyond the bound nothing counts: %d", got)
	}
}

// TestForgedMessages: nothing that does not belong together makes a thread.
func TestForgedMessages(t *testing.T) {
	t.Parallel()
	s := contested("a", "b")
	s.accept("b", s.say("a", "mine", "a"))
	s.Messages[0].Subject = strings.Repeat("f", 16) // another symbol's
	if got := s.is(); got != "open owner=" {
		t.Errorf("a message about another symbol: %s", got)
	}
	s = contested("a")
	items := []string{item("a"), item("b")}
	s.Messages = []model.Message{{ID: "1", Kind: "duplicate", Subject: "x", Items: items, Thread: id.NoteThread("duplicate", "y", items), From: "b"},
		{ID: "2", Kind: Sig, Subject: load.Key, Items: items, Thread: "t-000000000000", From: "b"}}
	if got := s.is(); got != "none" {
		t.Errorf("ids that follow from nothing: %s", got)
	}
}

func TestNoteThreads(t *testing.T) {
	t.Parallel()
	s := contested()
	for _, a := range []string{"a", "b"} {
		s.Peers = append(s.Peers, view.Peer{Agent: model.Agent{ID: a}, Item: model.Item{ID: item(a), Status: model.ItemActive}})
	}
	items := []string{item("a"), item("b")}
	tid := id.NoteThread("duplicate", "src", items)
	for n := range 9 {
		s.Messages = append(s.Messages, model.Message{ID: fmt.Sprintf("%012x", n), Thread: tid, Kind: "duplicate", Subject: "src", SubjectName: "src", Items: items, From: "a", At: t0})
	}
	s.Now = t0.Add(24 * time.Hour)
	if got := s.is(); got != "open owner=" {
		t.Errorf("no bound: %s", got)
	}
	s.Messages[8].Proposal = &model.Proposal{ID: "p-1", Owner: "b"}
	s.Accepts = []view.Accept{{Agent: "b", Accept: model.Accept{Thread: tid, Proposal: "p-1"}}}
	if got := s.is(); got != "agreed owner=b" {
		t.Errorf("accepted: %s", got)
	}
	// A later offer takes its place once it is accepted, whoever made it.
	s.Messages = append(s.Messages, model.Message{ID: fmt.Sprintf("%012x", 9), Thread: tid, Kind: "duplicate", Subject: "src", SubjectName: "src", Items: items,
		From: "b", At: t0.Add(time.Minute), Proposal: &model.Proposal{ID: "p-2", Owner: "a"}})
	if got := s.is(); got != "open owner=b" {
		t.Errorf("a later offer: %s", got)
	}
	s.Accepts = append(s.Accepts, view.Accept{Agent: "a", Accept: model.Accept{Thread: tid, Proposal: "p-2"}})
	if got := s.is(); got != "agreed owner=a" {
		t.Errorf("the later one accepted: %s", got)
	}
	s.Peers = s.Peers[:1]
	if got := s.is(); got != "over owner=" {
		t.Errorf("with nobody left to talk to: %s", got)
	}
}

// TestConcerning: it leaves out only threads in which the agent has no part and nobody
// has said anything, and tells the others as Derive does.
func TestConcerning(t *testing.T) {
	t.Parallel()
	left := 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := &scene{View: view.View{Now: t0, Agent: "a", Limits: view.Limits{Messages: 3, Timeout: 10 * time.Minute}}}
		symbols := make([]model.Symbol, 4)
		for i := range symbols {
			symbols[i] = load
			symbols[i].Name = fmt.Sprintf("Load%d", i)
			symbols[i].Qualified = symbols[i].Name
			symbols[i] = symbols[i].At("a.go")
		}
		for _, agent := range []string{"a", "b", "c", "d"} {
			fp := &model.Footprint{}
			for _, sym := range symbols {
				kinds := []model.ChangeKind{model.ChangeSignature, model.ChangeSignature, model.ChangeRemoved, model.ChangeAdded, ""}
				c := model.SymbolChange{Change: kinds[r.IntN(len(kinds))], OldSignature: sym.Signature, OldSigHash: sym.SigHash, Symbol: sym}
				if c.Change == "" {
					continue
				}
				c.Symbol.SigHash = fmt.Sprintf("%016d", r.IntN(3))
				fp.Symbols = append(fp.Symbols, c)
			}
			s.Peers = append(s.Peers, view.Peer{Agent: model.Agent{ID: agent}, Mine: agent == "a",
				Item: model.Item{ID: item(agent), Status: model.ItemActive, Footprint: fp}})
		}
		if r.IntN(2) == 0 {
			s.Claims = append(s.Claims, model.Claim{Key: symbols[r.IntN(4)].Key, Owner: string("abcd"[r.IntN(4)]), Epoch: 1})
			s.Claims[0].Item = item(s.Claims[0].Owner)
		}
		if r.IntN(2) == 0 {
			s.say("b", "hello", "c")
		}
		all, some := Derive(&s.View), Concerning(&s.View, "a")
		byID := map[string]Thread{}
		for _, x := range some {
			byID[x.ID] = x
		}
		for _, x := range all {
			got, ok := byID[x.ID]
			switch {
			case ok && !reflect.DeepEqual(got, x):
				t.Errorf("seed %d: %+v, want %+v", seed, got, x)
			case !ok && (x.Party("a") != nil || len(x.Messages) > 0):
				t.Errorf("seed %d: without %+v", seed, x)
			case !ok:
				left++
			}
			delete(byID, x.ID)
		}
		if len(byID) > 0 {
			t.Errorf("seed %d: more than there are: %+v", seed, byID)
		}
	}
	if left == 0 {
		t.Error("nothing was ever left out")
	}
}
