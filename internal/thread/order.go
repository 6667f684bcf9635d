package thread

import (
	"sort"

	"gitlet/internal/model"
	"gitlet/internal/view"
)

// group collects the messages by the thread they name, in causal order.
func group(v *view.View) map[string][]model.Message {
	by := map[string][]model.Message{}
	for _, m := range v.Messages {
		by[m.Thread] = append(by[m.Thread], m)
	}
	for id := range by {
		by[id] = causal(by[id])
	}
	return by
}

// causal orders messages so that each comes after those its author had seen, and after
// the author's own earlier ones. What neither side saw of the other is ordered by time,
// then author, then id. A circle, which only a forged document can hold, is cut at the
// earliest.
func causal(in []model.Message) []model.Message {
	ms := append([]model.Message(nil), in...)
	sort.SliceStable(ms, func(i, j int) bool { return earlier(ms[i], ms[j]) })
	at := map[string][]int{}
	for i, m := range ms {
		at[m.ID] = append(at[m.ID], i)
	}
	after := make([][]int, len(ms)) // who waits for it
	waits := make([]int, len(ms))
	edge := func(first, then int) {
		if first != then {
			after[first] = append(after[first], then)
			waits[then]++
		}
	}
	last := map[string]int{}
	for i, m := range ms {
		for _, s := range m.Seen {
			for _, j := range at[s] {
				edge(j, i)
			}
		}
		if j, ok := last[m.From]; ok {
			edge(j, i)
		}
		last[m.From] = i
	}
	out := make([]model.Message, 0, len(ms))
	done := make([]bool, len(ms))
	for len(out) < len(ms) {
		next := -1
		for i := range ms {
			if !done[i] && (next < 0 || waits[i] == 0) {
				next = i
				if waits[i] == 0 {
					break
				}
			}
		}
		done[next] = true
		out = append(out, ms[next])
		for _, j := range after[next] {
			waits[j]--
		}
	}
	return out
}

func earlier(a, b model.Message) bool {
	if !a.At.Equal(b.At) {
		return a.At.Before(b.At)
	}
	if a.From != b.From {
		return a.From < b.From
	}
	return a.ID < b.ID
}

// proposals lists what was proposed in the messages, with who accepts it. An author
// accepts its own; a later one of the same author replaces it.
func proposals(ms []model.Message, accepts []view.Accept) []Proposal {
	var out []Proposal
	known := map[string]int{}
	for _, m := range ms {
		if m.Proposal == nil {
			continue
		}
		if _, twice := known[m.Proposal.ID]; twice {
			continue // an id belongs to whoever used it first
		}
		for i := range out {
			out[i].Replaced = out[i].Replaced || out[i].From == m.From
		}
		known[m.Proposal.ID] = len(out)
		out = append(out, Proposal{Proposal: *m.Proposal, From: m.From, Thread: m.Thread, Accepted: []string{m.From}})
	}
	for _, a := range accepts {
		i, ok := known[a.Proposal]
		if ok && out[i].Thread == a.Thread && !has(out[i].Accepted, a.Agent) {
			out[i].Accepted = append(out[i].Accepted, a.Agent)
		}
	}
	for i := range out {
		sort.Strings(out[i].Accepted)
	}
	return out
}
