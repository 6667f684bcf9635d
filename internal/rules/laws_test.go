package rules

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/view"
)

// checkLaws holds for the notes of every case, whatever it is about.
func checkLaws(t *testing.T, s *scenario, notes []model.Note) {
	t.Helper()
	ids := map[string]bool{}
	for i, n := range notes {
		if ids[n.ID] || !id.ValidNote(n.ID) || n.ID != id.Note(n.Kind, n.Subject, n.Item) {
			t.Errorf("note id %q of %s %s is double or wrong", n.ID, n.Kind, n.Subject)
		}
		ids[n.ID] = true
		if n.Version == "" || n.State != model.NoteNew || n.Since == "" || n.Evidence == nil || n.Others == nil {
			t.Errorf("%s %s lacks a field: %+v", n.Kind, n.Subject, n)
		}
		if len(n.Options) == 0 {
			t.Errorf("%s %s offers no way forward", n.Kind, n.Subject)
		}
		if !declares(n) {
			t.Errorf("%s does not declare the severity %q", n.Kind, n.Severity)
		}
		if i > 0 && notes[i-1].Severity.Rank() > n.Severity.Rank() {
			t.Errorf("%s %s stands behind a less severe note", n.Kind, n.Subject)
		}
		for _, q := range n.Messages {
			if !id.ValidAgent(q.From) || q.Text == "" {
				t.Errorf("%s %s quotes %+v", n.Kind, n.Subject, q)
			}
		}
		for _, x := range append([]string{n.Title, n.Subject}, n.Evidence...) {
			checkLine(t, x)
		}
		for _, o := range n.Others {
			checkLine(t, o.Intent)
			if o.Item == n.Item {
				t.Errorf("%s %s is about the item itself", n.Kind, n.Subject)
			}
		}
	}
	for seed := range uint64(5) {
		shuffled := shuffle(s.view, rand.New(rand.NewPCG(seed, 1)))
		if got := Evaluate(shuffled); !reflect.DeepEqual(got, notes) {
			t.Errorf("the notes depend on the order of the view\n--- got\n%s--- want\n%s", s.render(got), s.render(notes))
		}
	}
}

func declares(n model.Note) bool {
	for _, r := range All() {
		if r.Kind != n.Kind {
			continue
		}
		for _, l := range r.Severities {
			if l.Severity == n.Severity || l.Severity.Lower() == n.Severity {
				return true
			}
		}
	}
	return false
}

func checkLine(t *testing.T, s string) {
	t.Helper()
	if strings.ContainsFunc(s, unicode.IsControl) || strings.ContainsAny(s, "\u2028\u2029\u202e") {
		t.Errorf("not one line: %q", s)
	}
	if len([]rune(s)) > maxLine {
		t.Errorf("a line of %d characters", len([]rune(s)))
	}
}

// shuffle puts everything whose order carries no meaning into another one.
func shuffle(v *view.View, r *rand.Rand) *view.View {
	out := *v
	mix := func(it model.Item) model.Item {
		if it.Footprint == nil {
			return it
		}
		f := *it.Footprint
		f.Files = append([]model.FileChange(nil), f.Files...)
		f.Symbols = append([]model.SymbolChange(nil), f.Symbols...)
		f.Refs = append([]model.Ref(nil), f.Refs...)
		r.Shuffle(len(f.Files), func(i, j int) { f.Files[i], f.Files[j] = f.Files[j], f.Files[i] })
		r.Shuffle(len(f.Symbols), func(i, j int) { f.Symbols[i], f.Symbols[j] = f.Symbols[j], f.Symbols[i] })
		r.Shuffle(len(f.Refs), func(i, j int) { f.Refs[i], f.Refs[j] = f.Refs[j], f.Refs[i] })
		it.Footprint = &f
		return it
	}
	out.Items, out.Peers = nil, nil
	for _, it := range v.Items {
		out.Items = append(out.Items, mix(it))
	}
	for _, p := range v.Peers {
		p.Item = mix(p.Item)
		out.Peers = append(out.Peers, p)
	}
	out.Since = map[string]view.Since{}
	for base, s := range v.Since {
		s.Footprint = mix(model.Item{Footprint: s.Footprint}).Footprint
		out.Since[base] = s
	}
	out.Outside = nil
	for _, b := range v.Outside {
		b.Footprint = mix(model.Item{Footprint: b.Footprint}).Footprint
		out.Outside = append(out.Outside, b)
	}
	r.Shuffle(len(out.Outside), func(i, j int) { out.Outside[i], out.Outside[j] = out.Outside[j], out.Outside[i] })
	out.Migrations = append([]string(nil), v.Migrations...)
	r.Shuffle(len(out.Migrations), func(i, j int) { out.Migrations[i], out.Migrations[j] = out.Migrations[j], out.Migrations[i] })
	out.Needs = append([]view.Need(nil), v.Needs...)
	out.Claims = append([]model.Claim(nil), v.Claims...)
	out.Messages = append([]model.Message(nil), v.Messages...)
	out.Accepts = append([]view.Accept(nil), v.Accepts...)
	r.Shuffle(len(out.Messages), func(i, j int) { out.Messages[i], out.Messages[j] = out.Messages[j], out.Messages[i] })
	r.Shuffle(len(out.Accepts), func(i, j int) { out.Accepts[i], out.Accepts[j] = out.Accepts[j], out.Accepts[i] })
	r.Shuffle(len(out.Items), func(i, j int) { out.Items[i], out.Items[j] = out.Items[j], out.Items[i] })
	r.Shuffle(len(out.Peers), func(i, j int) { out.Peers[i], out.Peers[j] = out.Peers[j], out.Peers[i] })
	r.Shuffle(len(out.Needs), func(i, j int) { out.Needs[i], out.Needs[j] = out.Needs[j], out.Needs[i] })
	r.Shuffle(len(out.Claims), func(i, j int) { out.Claims[i], out.Claims[j] = out.Claims[j], out.Claims[i] })
	return &out
}
