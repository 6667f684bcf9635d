package thread

import (
	"sort"

	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/view"
)

// MaxEpoch is up to which epoch of a claim that is gone a thread's id is believed.
const MaxEpoch = 256

// EpochOf returns the epoch of the symbol's claim that a thread's id belongs to.
func EpochOf(key, id string) (int, bool) {
	for e := range MaxEpoch {
		if SigID(key, e) == id {
			return e, true
		}
	}
	return 0, false
}

// overThread is a thread about a signature that is not contested any more, while one of
// those it concerned is still at work.
func overThread(v *view.View, tid string, ms []model.Message) (Thread, bool) {
	first := ms[0]
	if first.Kind != Sig {
		return Thread{}, false
	}
	epoch, known := EpochOf(first.Subject, tid)
	ms = about(ms, first.Subject)
	t := Thread{ID: tid, Kind: Sig, Subject: first.Subject, Name: first.SubjectName, Epoch: epoch, State: Over}
	t = listed(v, &t, ms)
	return t, known && len(t.Parties) > 0
}

// noteThreads derives the conversations about notes. Their messages say what they are
// about and between which items; an id that does not follow from that is nobody's.
func noteThreads(v *view.View, by map[string][]model.Message) []Thread {
	var out []Thread
	for tid, all := range by {
		var ms []model.Message
		for _, m := range all {
			if m.Kind != Sig && id.NoteThread(m.Kind, m.Subject, m.Items) == tid {
				ms = append(ms, m)
			}
		}
		if len(ms) == 0 {
			continue
		}
		t := Thread{ID: tid, Kind: ms[0].Kind, Subject: ms[0].Subject, Name: ms[0].SubjectName, State: Open}
		t = listed(v, &t, ms)
		switch {
		case len(t.Parties) == 0:
			continue
		case len(t.Parties) == 1:
			t.State = Over
		default:
			t.decideTalk()
		}
		out = append(out, t)
	}
	return out
}

// decideTalk settles the talk about a note. Nothing ends it, so what everyone accepts later
// takes the place of what they accepted before; while a later offer waits for somebody, it
// is open again.
func (t *Thread) decideTalk() {
	t.State = Agreed
	for i := len(t.Proposals) - 1; i >= 0 && t.Decided == nil; i-- {
		switch p := &t.Proposals[i]; {
		case p.Replaced || !t.canOwn(p.Owner):
		case len(t.Missing(p)) == 0:
			t.Decided, t.Owner = p, p.Owner
		default:
			t.State = Open
		}
	}
	if t.Decided == nil {
		t.State = Open
	}
}

// listed fills in the parties that the messages list, as far as they are still in view.
func listed(v *view.View, t *Thread, ms []model.Message) Thread {
	items := map[string]bool{}
	for _, m := range ms {
		for _, it := range m.Items {
			items[it] = true
		}
	}
	by := map[string]*Party{}
	for it := range items {
		peer := v.Peer(it)
		if peer == nil {
			continue
		}
		p := by[peer.Agent.ID]
		if p == nil {
			p = &Party{Agent: peer.Agent.ID}
			by[p.Agent] = p
		}
		p.Items = append(p.Items, it)
	}
	var ps []Party
	for _, p := range by {
		sort.Strings(p.Items)
		ps = append(ps, *p)
	}
	sort.Slice(ps, func(i, j int) bool { return ps[i].Agent < ps[j].Agent })
	fill(v, t, contest{parties: ps}, ms)
	return *t
}
