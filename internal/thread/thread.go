package thread

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"

	"gitlet/internal/model"
	"gitlet/internal/view"
)

// Sig is the kind of threads about a contested signature; every other kind is that of
// the note the thread is about.
const Sig = "sig"

// State says where a thread stands.
type State string

// The states of a thread.
const (
	// Open: nothing is decided.
	Open State = "open"
	// Agreed: every participant accepted Decided.
	Agreed State = "agreed"
	// Bound: no agreement within the bound. Owner is the claim's holder, or "" while
	// nobody holds it: then whoever claims it first.
	Bound State = "decided without agreement"
	// Over: nothing is contested any more; what was said can still be read. Decided and
	// Owner stay when that is because an agreement was carried out.
	Over State = "over"
)

// Party is one agent that takes part.
type Party struct {
	Agent string
	// Items are its items that take part, in order; the first is the one that owns.
	Items []string
	// Holder: it holds the claim. Ceded: each of its items recorded a need, so it leaves
	// the symbol to the others.
	Holder, Ceded bool
	// Sent counts its messages.
	Sent int
}

// Proposal is an offer with what became of it.
type Proposal struct {
	model.Proposal
	From string
	// Thread is the id it was made in.
	Thread string
	// Accepted are the agents that accept it, its author included, in order.
	Accepted []string
	// Replaced: its author made a later one.
	Replaced bool
}

// Thread is one conversation.
type Thread struct {
	ID string
	// Also are other ids it was known by, before somebody claimed the symbol.
	Also []string
	// Kind is Sig or a note's kind, Subject the symbol's key or the note's subject, Name
	// how people spell it.
	Kind, Subject, Name string
	Epoch               int
	Parties             []Party         // by agent
	Messages            []model.Message // in causal order
	Proposals           []Proposal      // in the order they were made

	State State
	// Decided is the accepted proposal when State is Agreed, and in the talk about a note
	// also while a later one waits; Owner is who the outcome makes the owner.
	Decided *Proposal
	Owner   string
	// Limit is how many messages each side has, Deadline when time is up; zero for
	// threads without a bound.
	Limit    int
	Deadline time.Time
}

// Derive returns every thread in the view, by id.
func Derive(v *view.View) []Thread {
	by := group(v)
	return derive(v, by, nil)
}

// Concerning returns, of the same threads, those that the agent may have a part in and
// those in which anybody has spoken. What the others contest in silence costs the most and
// is none of its business.
func Concerning(v *view.View, agent string) []Thread {
	by := group(v)
	return derive(v, by, concerns(v, agent, by))
}

func derive(v *view.View, by map[string][]model.Message, wanted map[string]bool) []Thread {
	out := sigThreads(v, by, wanted)
	out = append(out, noteThreads(v, by)...)
	sort.Slice(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out
}

// Party returns the agent's part, or nil.
func (t *Thread) Party(agent string) *Party {
	for i := range t.Parties {
		if t.Parties[i].Agent == agent {
			return &t.Parties[i]
		}
	}
	return nil
}

// Items are the items of all parties, in order.
func (t *Thread) Items() []string {
	var out []string
	for _, p := range t.Parties {
		out = append(out, p.Items...)
	}
	sort.Strings(out)
	return out
}

// Called is the name as it stands in a sentence. Whoever spoke first chose it, so one that
// could pass for words of the sentence is quoted.
func (t *Thread) Called() string {
	if strings.ContainsFunc(t.Name, unicode.IsSpace) {
		return strconv.Quote(t.Name)
	}
	return t.Name
}

// Has reports whether an item takes part.
func (t *Thread) Has(item string) bool {
	for _, p := range t.Parties {
		for _, i := range p.Items {
			if i == item {
				return true
			}
		}
	}
	return false
}

// Goes reports whether the thread is known by this id.
func (t *Thread) Goes(id string) bool {
	if t.ID == id {
		return true
	}
	for _, a := range t.Also {
		if a == id {
			return true
		}
	}
	return false
}

// Settled reports whether it is decided and not over.
func (t *Thread) Settled() bool { return t.State == Agreed || t.State == Bound }

// Left is how many messages the agent may still send; -1 is any number.
func (t *Thread) Left(agent string) int {
	p := t.Party(agent)
	if t.Limit == 0 || p == nil {
		return -1
	}
	return max(0, t.Limit-p.Sent)
}

// Latest is the last message of the agent, nil when it said nothing.
func (t *Thread) Latest(agent string) *model.Message {
	for i := len(t.Messages) - 1; i >= 0; i-- {
		if t.Messages[i].From == agent {
			return &t.Messages[i]
		}
	}
	return nil
}

// Proposal returns the proposal with this id, or nil.
func (t *Thread) Proposal(id string) *Proposal {
	for i := range t.Proposals {
		if t.Proposals[i].ID == id {
			return &t.Proposals[i]
		}
	}
	return nil
}

// Missing are the agents that have not accepted a proposal and would have to.
func (t *Thread) Missing(p *Proposal) []string {
	var out []string
	for _, q := range t.Parties {
		if !q.Ceded && !has(p.Accepted, q.Agent) {
			out = append(out, q.Agent)
		}
	}
	return out
}

// Standing are the proposals that somebody has yet to accept and still can, in the order
// they were made; none once the thread is decided. In the talk about a note, what was made
// before the one that holds is history.
func (t *Thread) Standing() []Proposal {
	if t.State != Open {
		return nil
	}
	var out []Proposal
	for _, p := range t.Proposals {
		switch {
		case t.Decided != nil && p.ID == t.Decided.ID:
			out = nil
		case !p.Replaced && t.canOwn(p.Owner) && len(t.Missing(&p)) > 0:
			out = append(out, p)
		}
	}
	return out
}

// WaitsFor are the standing proposals that wait for this agent.
func (t *Thread) WaitsFor(agent string) []Proposal {
	return slices.DeleteFunc(t.Standing(), func(p Proposal) bool { return !slices.Contains(t.Missing(&p), agent) })
}

func (t *Thread) canOwn(agent string) bool {
	p := t.Party(agent)
	return p != nil && !p.Ceded
}

// Unseen are the messages of others that the agent has not answered: none of its own
// messages says it saw them, and it accepted nothing that was proposed after them. In a
// thread with a bound, only what is within it counts.
func (t *Thread) Unseen(agent string) []model.Message {
	seen := map[string]bool{}
	upTo := -1
	for i, m := range t.Messages {
		if m.From == agent {
			for _, s := range m.Seen {
				seen[s] = true
			}
			continue
		}
		if m.Proposal == nil {
			continue
		}
		if p := t.Proposal(m.Proposal.ID); p != nil && has(p.Accepted, agent) {
			upTo = i
		}
	}
	sent := map[string]int{}
	var out []model.Message
	for i, m := range t.Messages {
		sent[m.From]++
		if m.From == agent || seen[m.ID] || i <= upTo || t.Limit > 0 && sent[m.From] > t.Limit {
			continue
		}
		out = append(out, m)
	}
	return out
}

// decide finds the proposal that every party which still contests the subject accepted;
// of several the one made first. An offer that nobody else accepted is no agreement,
// though the others left the subject to its author.
func (t *Thread) decide() *Proposal {
	for i := range t.Proposals {
		p := &t.Proposals[i]
		if !p.Replaced && t.canOwn(p.Owner) && len(t.Missing(p)) == 0 && t.takenUp(p) {
			return p
		}
	}
	return nil
}

// takenUp reports whether a party other than its author accepted an offer.
func (t *Thread) takenUp(p *Proposal) bool {
	return slices.ContainsFunc(p.Accepted, func(agent string) bool { return agent != p.From && t.Party(agent) != nil })
}

func has(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
