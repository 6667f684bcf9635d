package rules

import (
	"fmt"
	"strconv"
	"strings"

	"gitlet/internal/model"
	"gitlet/internal/thread"
	"gitlet/internal/view"
)

var message = &Rule{
	Kind: "message",
	When: "Another agent wrote in a conversation my item takes part in, and I have not answered.",
	Severities: []Level{
		{model.Act, "the conversation is open"},
		{model.Info, "it is decided or over"},
	},
	Why: "A contested interface is decided by a few messages; who does not answer leaves the decision to the others and the clock.",
	Options: []Choice{
		{Verb: "accept", Why: "accept it", When: "it carries a proposal that still stands", lists: acceptCalls},
		{Verb: "discuss", Why: "answer, or propose something else", When: "you may still write", lists: answerCalls},
		dismissNote,
	},
	find:  findMessage,
	title: titleMessage,
}

func findMessage(in *Input, mine model.Item) []finding {
	v := in.View
	var out []finding
	threads := in.threads()
	for i := range threads {
		t := &threads[i]
		if !t.Has(mine.ID) && !addressed(t, mine.ID) {
			continue
		}
		unseen := t.Unseen(v.Agent)
		if len(unseen) == 0 {
			continue
		}
		base := finding{subject: t.ID, symbol: place(t.Name), thread: t, severity: model.Act}
		if t.Kind == thread.Sig {
			base.key, base.subject = t.Subject, t.Name // its id changes with the owner
		}
		if t.State != thread.Open {
			base.severity = model.Info
		}
		by := map[string]*finding{}
		var order []string
		for _, m := range unseen {
			f := by[m.From]
			if f == nil {
				x := base
				x.peer = peerOf(v, m)
				f, order = &x, append(order, m.From)
				by[m.From] = f
			}
			f.version += m.ID
			f.quotes = append(f.quotes, model.Quote{From: m.From, Text: quoted(m)})
			f.carries = append(f.carries, m.ID)
			f.other = append(f.other, offers(t, m)...)
		}
		for _, from := range order {
			f := *by[from]
			f.shared = append(f.shared, standing(in, t)...)
			out = append(out, f)
		}
	}
	return out
}

// threads derives the conversations once per evaluation.
func (in *Input) threads() []thread.Thread {
	if in.derived == nil {
		list := thread.Concerning(in.View, in.View.Agent)
		in.derived = &list
	}
	return *in.derived
}

func addressed(t *thread.Thread, item string) bool {
	for _, m := range t.Messages {
		if contains(m.Items, item) {
			return true
		}
	}
	return false
}

// peerOf is the item a message comes from, nil when it is not in view any more.
func peerOf(v *view.View, m model.Message) *view.Peer {
	if p := v.Peer(m.Item); p != nil && p.Agent.ID == m.From {
		return p
	}
	return nil
}

// quoted is a message with what its proposal says, all of it the other's words.
func quoted(m model.Message) string {
	text := m.Text
	if p := m.Proposal; p != nil && strings.TrimSpace(p.Summary) != "" {
		text += "\nproposal: " + p.Summary
	}
	return text
}

// offers words the proposal a message carries.
func offers(t *thread.Thread, m model.Message) []fact {
	if m.Proposal == nil {
		return nil
	}
	p := t.Proposal(m.Proposal.ID)
	if p == nil {
		return nil
	}
	s := p.ID + ": " + place(p.Owner) + " owns " + asName(place(t.Name))
	if p.Signature != "" {
		s += " as " + strconv.Quote(signature(p.Signature))
	}
	if p.Replaced {
		s += "  (replaced by a later one)"
	}
	return []fact{{"proposal", s}}
}

// standing says how long a contest may still last.
func standing(in *Input, t *thread.Thread) []fact {
	if t.Limit == 0 || t.State != thread.Open {
		return nil
	}
	left := t.Left(in.View.Agent)
	s := fmt.Sprintf("you may write %s", plural(left, "more message", "more messages"))
	switch {
	case t.LastWord(in.View.Agent):
		s = "you may write 1 more message, which ends it"
	case left == 0:
		s = "you have written all you may"
	}
	owner := "whoever claims it first"
	if cl := in.View.Claim(t.Subject); cl != nil {
		owner = place(cl.Owner)
	}
	return []fact{{"decided at the latest", clock(t.Deadline) + ": without agreement " + owner + " owns it; " + s}}
}

func acceptCalls(in *Input, _ string, f finding) []model.Option {
	t := f.thread
	if t.State != thread.Open {
		return nil
	}
	var out []model.Option
	for _, m := range t.Unseen(in.View.Agent) {
		if m.Proposal == nil || f.peer != nil && m.From != f.peer.Agent.ID {
			continue
		}
		p := t.Proposal(m.Proposal.ID)
		if p == nil || p.Replaced || contains(p.Accepted, in.View.Agent) || t.Party(p.Owner) == nil {
			continue
		}
		why := "accept it: " + place(p.Owner) + " owns " + asName(place(t.Name))
		if p.Owner == in.View.Agent {
			why = "accept it: you own " + asName(place(t.Name))
		}
		out = append(out, model.Option{Verb: "accept", Args: map[string]any{"proposal": p.ID}, Why: why})
	}
	return out
}

func answerCalls(in *Input, _ string, f finding) []model.Option {
	t := f.thread
	if t.State != thread.Open || t.Left(in.View.Agent) == 0 {
		return nil
	}
	return []model.Option{{Verb: "discuss", Args: map[string]any{"about": t.ID, "message": "..."}, Why: "answer, or propose something else"}}
}

func titleMessage(_ string, fs []finding) string {
	var from []string
	for _, f := range fs {
		if f.peer != nil {
			from = append(from, who(*f.peer))
		} else {
			from = append(from, place(f.quotes[0].From))
		}
	}
	if n := len(from); n > maxNamed {
		from = append(from[:maxNamed], fmt.Sprintf("%d more", n-maxNamed))
	}
	return joinAnd(from) + " wrote to you about " + asName(fs[0].symbol)
}
