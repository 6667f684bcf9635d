package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/thread"
	"gitlet/internal/view"
)

// talk reads the sections about what agents say to each other.
func (r *reader) talk(v *view.View) error {
	v.Limits = view.Limits{Messages: 3, Timeout: 10 * time.Minute, Publish: 15 * time.Minute}
	v.ClashSince = map[string]time.Time{}
	for i := range v.Claims {
		v.Claims[i].Epoch = 1
	}
	for _, l := range r.lines["contested"] {
		key, err := r.key(l[0])
		if err != nil {
			return err
		}
		minutes, err := strconv.Atoi(l[1])
		if err != nil {
			return err
		}
		v.ClashSince[key] = now.Add(-time.Duration(minutes) * time.Minute)
	}
	for _, l := range r.lines["requirements"] {
		for i := range v.Needs {
			if v.Needs[i].Item == r.items[l[0]].ID && v.Needs[i].Name == l[1] {
				v.Needs[i].Requirement = strings.Join(l[2:], " ")
			}
		}
	}
	var all []string
	for _, it := range r.items {
		all = append(all, it.ID)
	}
	slices.Sort(all)
	proposals := map[string]model.Message{}
	for n, l := range r.lines["messages"] {
		m, err := r.message(v, l, all, n+1)
		if err != nil {
			return err
		}
		v.Messages = append(v.Messages, m)
		proposals[strconv.Itoa(n+1)] = m
	}
	for _, l := range r.lines["accepts"] {
		m, ok := proposals[l[1]]
		if !ok || m.Proposal == nil {
			return fmt.Errorf("message %s carries no proposal", l[1])
		}
		v.Accepts = append(v.Accepts, view.Accept{Agent: r.agent(l[0]), Accept: model.Accept{Thread: m.Thread, Proposal: m.Proposal.ID, At: now}})
	}
	for _, l := range r.lines["agreements"] {
		if err := r.agreement(v, l); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) agent(item string) string {
	if name, _, _ := strings.Cut(item, "+"); name != "mine" {
		return name
	}
	return me
}

// changeOf is what an agent's item, or an item, does to a symbol.
func (r *reader) changeOf(who, key string) *model.SymbolChange {
	if who == me {
		who = "mine"
	}
	if it := r.items[who]; it != nil {
		return it.Footprint.Change(key)
	}
	return nil
}

func (r *reader) message(v *view.View, l []string, all []string, n int) (model.Message, error) {
	m := model.Message{ID: fakeHex(fmt.Sprint("message ", n), 12), From: r.agent(l[0]), Item: r.items[l[0]].ID, Items: all,
		SubjectName: l[1], Seen: []string{}, At: now.Add(time.Duration(n) * time.Second)}
	if kind, ok := strings.CutPrefix(l[1], "note:"); ok {
		m.Kind, m.Subject = kind, l[2]
		m.SubjectName, m.Thread = m.Subject, id.NoteThread(kind, m.Subject, all)
		l = l[1:]
	} else {
		key, err := r.key(l[1])
		if err != nil {
			return m, err
		}
		epoch := 0
		if v.Claim(key) != nil {
			epoch = 1
		}
		m.Kind, m.Subject, m.Thread = thread.Sig, key, thread.SigID(key, epoch)
	}
	words := l[2:]
	if owner, ok := strings.CutPrefix(words[0], "owner="); ok {
		m.Proposal = &model.Proposal{ID: "p-" + fakeHex(fmt.Sprint("proposal ", n), 12), Owner: owner, Signature: "def agreed(x)", Summary: "as we said"}
		r.s.names[m.Proposal.ID] = fmt.Sprintf("<proposal %d>", n)
		words = words[1:]
	}
	r.s.names[m.Thread] = "<thread>"
	m.Text = strings.Join(words, " ")
	return m, nil
}

func (r *reader) agreement(v *view.View, l []string) error {
	a := view.Agreement{Kind: thread.Sig, Name: l[0], Owner: l[1], Signature: strings.Join(l[3:], " "), At: now.Add(-time.Minute)}
	for _, name := range strings.Split(l[2], ",") {
		a.Items = append(a.Items, r.items[name].ID)
	}
	if rest, ok := strings.CutPrefix(l[0], "note:"); ok {
		a.Kind, a.Subject, _ = strings.Cut(rest, ":")
		a.Name, a.Thread = a.Subject, id.NoteThread(a.Kind, a.Subject, a.Items)
	} else {
		key, err := r.key(l[0])
		if err != nil {
			return err
		}
		a.Subject, a.Thread = key, thread.SigID(key, 0)
	}
	if a.Signature != "" {
		a.Proposal, a.SigHashes = "p-"+fakeHex("agreed", 12), []string{fakeHex("agreed", 16)}
	}
	if !strings.Contains(a.Signature, "(") {
		a.SigHashes = nil // words, which read as no definition
	}
	r.s.names[a.Thread], r.s.names[a.Proposal] = "<thread>", "<proposal>"
	delete(r.s.names, "")
	v.Agreements = append(v.Agreements, a)
	return nil
}
