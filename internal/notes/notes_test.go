package notes

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"gitlet/internal/id"
	"gitlet/internal/model"
)

var t0 = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func note(id, version string) model.Note {
	return model.Note{ID: id, Kind: "callee_changed", Severity: model.Warn, Title: "title of " + id, Version: version}
}

// A scene drives one reader's notes through time.
type scene struct {
	t      *testing.T
	now    time.Time
	stored []Stored
}

func newScene(t *testing.T) *scene { return &scene{t: t, now: t0} }

func (s *scene) produce(ns ...model.Note) {
	s.t.Helper()
	s.now = s.now.Add(time.Second)
	s.stored = Reconcile(s.stored, ns, s.now)
	if again := Reconcile(s.stored, ns, s.now); !reflect.DeepEqual(again, s.stored) {
		s.t.Errorf("reconciling twice changes something:\n%+v\n%+v", s.stored, again)
	}
}

// result asserts what the next result says, notes as id@version.
func (s *scene) result(wantNotes, wantResolved []string) {
	s.t.Helper()
	show, more, resolved, out := Deliver(s.stored, 3)
	s.stored = out
	if got := labels(show); !slices.Equal(got, wantNotes) || more != 0 {
		s.t.Errorf("result shows %v and %d more, want %v", got, more, wantNotes)
	}
	if !slices.Equal(resolved, wantResolved) {
		s.t.Errorf("result announces %v, want %v", resolved, wantResolved)
	}
}

func (s *scene) hook(want ...string) {
	s.t.Helper()
	show, _, out := DeliverHook(s.stored, 3, model.Info)
	s.stored = out
	if got := labels(show); !slices.Equal(got, want) {
		s.t.Errorf("hook shows %v, want %v", got, want)
	}
}

func (s *scene) state(id string, want model.NoteState) {
	s.t.Helper()
	for _, n := range s.stored {
		if n.ID == id {
			if n.State != want {
				s.t.Errorf("%s is %s, want %s", id, n.State, want)
			}
			return
		}
	}
	if want != "" {
		s.t.Errorf("%s is not stored, want it %s", id, want)
	}
}

func (s *scene) dismiss(id string) {
	s.t.Helper()
	out, _, err := Dismiss(s.stored, id, NotNeeded, "known")
	if err != nil {
		s.t.Fatal(err)
	}
	s.stored = out
}

func (s *scene) act(id string) {
	s.t.Helper()
	out, _, err := Resolve(s.stored, id)
	if err != nil {
		s.t.Fatal(err)
	}
	s.stored = out
}

func labels(ns []model.Note) []string {
	var out []string
	for _, n := range ns {
		out = append(out, n.ID+"@"+n.Version)
	}
	return out
}

func TestFiftyEditsAreOneNote(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for i := range 50 {
		n := note("n1", "a")
		n.Title = fmt.Sprintf("edit %d", i)
		n.Evidence = []string{fmt.Sprint(i)}
		s.produce(n)
		if i == 0 {
			s.result([]string{"n1@a"}, nil)
		} else {
			s.result(nil, nil)
		}
	}
	if got := s.stored[0].Title; got != "edit 49" {
		t.Errorf("the open note says %q, want the newest content", got)
	}
	if !s.stored[0].SinceAt.Equal(t0.Add(time.Second)) {
		t.Errorf("since is %v, want the first time", s.stored[0].SinceAt)
	}
}

func TestLifecycle(t *testing.T) {
	t.Parallel()
	a, b := note("n1", "a"), note("n1", "b")
	one, two := []string{"n1@a"}, []string{"n1@b"}
	resolved := []string{"title of n1"}
	tests := []struct {
		name string
		play func(*scene)
	}{
		{"shown, gone, announced once", func(s *scene) {
			s.produce(a)
			s.state("n1", model.NoteNew)
			s.result(one, nil)
			s.state("n1", model.NoteOpen)
			s.produce()
			s.state("n1", model.NoteResolved)
			s.result(nil, resolved)
			s.produce()
			s.result(nil, nil)
		}},
		{"never shown, gone: silence", func(s *scene) {
			s.produce(a)
			s.produce()
			s.state("n1", "")
			s.result(nil, nil)
		}},
		{"back after it was announced: new", func(s *scene) {
			s.produce(a)
			s.result(one, nil)
			s.produce()
			s.result(nil, resolved)
			s.produce(a)
			s.state("n1", model.NoteNew)
			s.result(one, nil)
		}},
		{"back before anyone heard it was gone: nothing to say", func(s *scene) {
			s.produce(a)
			s.result(one, nil)
			s.produce()
			s.produce(a)
			s.state("n1", model.NoteOpen)
			s.result(nil, nil)
		}},
		{"back, changed, before anyone heard it was gone: the change only", func(s *scene) {
			s.produce(a)
			s.result(one, nil)
			s.produce()
			s.produce(b)
			s.result(two, nil)
		}},
		{"a material change is told", func(s *scene) {
			s.produce(a)
			s.result(one, nil)
			s.produce(b)
			s.state("n1", model.NoteNew)
			s.result(two, nil)
			s.produce(a)
			s.result(one, nil)
		}},
		{"a change taken back before it was told is none", func(s *scene) {
			s.produce(a)
			s.result(one, nil)
			s.produce(b)
			s.produce(a)
			s.state("n1", model.NoteOpen)
			s.result(nil, nil)
		}},
		{"changed and gone: the reader still hears that it is over", func(s *scene) {
			s.produce(a)
			s.result(one, nil)
			s.produce(b)
			s.produce()
			s.result(nil, resolved)
		}},
		{"dismissed stays away, also when its cause comes and goes", func(s *scene) {
			s.produce(a)
			s.result(one, nil)
			s.dismiss("n1")
			s.state("n1", model.NoteDismissed)
			s.produce(a)
			s.result(nil, nil)
			s.produce()
			s.result(nil, nil)
			s.produce(a)
			s.state("n1", model.NoteDismissed)
			s.result(nil, nil)
		}},
		{"dismissed, then changed: new", func(s *scene) {
			s.produce(a)
			s.result(one, nil)
			s.dismiss("n1")
			s.produce(b)
			s.state("n1", model.NoteNew)
			s.result(two, nil)
			s.produce()
			s.result(nil, resolved)
		}},
		{"dismissed, changed and changed back untold: still dismissed", func(s *scene) {
			s.produce(a)
			s.result(one, nil)
			s.dismiss("n1")
			s.produce(b)
			s.produce(a)
			s.state("n1", model.NoteDismissed)
			s.produce()
			s.result(nil, nil)
		}},
		{"dismissed without having been shown", func(s *scene) {
			s.produce(a)
			s.dismiss("n1")
			s.produce(a)
			s.result(nil, nil)
			s.produce(b)
			s.result(two, nil)
		}},
		{"what was dismissed is what was read, not what came since", func(s *scene) {
			s.produce(a)
			s.result(one, nil)
			s.produce(b)
			s.dismiss("n1")
			s.state("n1", model.NoteNew)
			s.result(two, nil)
			s.dismiss("n1")
			s.state("n1", model.NoteDismissed)
		}},
		{"acted on: announced, and away until it changes", func(s *scene) {
			s.produce(a)
			s.result(one, nil)
			s.act("n1")
			s.state("n1", model.NoteResolved)
			s.result(nil, resolved)
			s.produce(a)
			s.result(nil, nil)
			s.produce()
			s.result(nil, nil)
			s.produce(a)
			s.result(nil, nil)
			s.produce(b)
			s.result(two, nil)
		}},
		{"acted on and changed at once: told as new, not as resolved", func(s *scene) {
			s.produce(a)
			s.result(one, nil)
			s.act("n1")
			s.produce(b)
			s.result(two, nil)
		}},
		{"a hook's note appears once in a result", func(s *scene) {
			s.produce(a)
			s.hook("n1@a")
			s.state("n1", model.NoteOpen)
			s.hook()
			s.result(one, nil)
			s.hook()
			s.result(nil, nil)
		}},
		{"a result's note is not for hooks", func(s *scene) {
			s.produce(a)
			s.result(one, nil)
			s.hook()
		}},
		{"shown by a hook only, then gone: announced", func(s *scene) {
			s.produce(a)
			s.hook("n1@a")
			s.produce()
			s.hook()
			s.result(nil, resolved)
		}},
		{"one version in a result, another by a hook, then the first again", func(s *scene) {
			s.produce(a)
			s.result(one, nil)
			s.produce(b)
			s.hook("n1@b")
			s.produce(a)
			s.result(one, nil)
			s.result(nil, nil)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.play(newScene(t)) })
	}
}

func TestDeliverOrderAndBound(t *testing.T) {
	t.Parallel()
	at := func(id string, sev model.Severity) model.Note {
		n := note(id, "v")
		n.Severity = sev
		return n
	}
	s := newScene(t)
	s.produce(at("n5", model.Warn))
	s.produce(at("n5", model.Warn), at("n1", model.Info), at("n2", model.Warn))
	s.produce(at("n5", model.Warn), at("n1", model.Info), at("n2", model.Warn), at("n4", model.Act), at("n3", model.Act))

	show, more, _, out := Deliver(s.stored, 3)
	if got, want := labels(show), []string{"n3@v", "n4@v", "n5@v"}; !slices.Equal(got, want) || more != 2 {
		t.Errorf("first result shows %v and %d more, want %v and 2", got, more, want)
	}
	if open, act := Count(out); open != 5 || act != 2 {
		t.Errorf("counts are %d open, %d act; want 5 and 2", open, act)
	}
	show, more, _, out = Deliver(out, 3)
	if got, want := labels(show), []string{"n2@v", "n1@v"}; !slices.Equal(got, want) || more != 0 {
		t.Errorf("second result shows %v and %d more, want %v and 0", got, more, want)
	}
	all, _, out := All(out)
	if got, want := labels(all), []string{"n3@v", "n4@v", "n5@v", "n2@v", "n1@v"}; !slices.Equal(got, want) {
		t.Errorf("status shows %v, want %v", got, want)
	}
	for _, n := range all {
		if n.State != model.NoteOpen {
			t.Errorf("status says %s is %s after it was shown", n.ID, n.State)
		}
	}
	if show, more, _, _ := Deliver(out, 3); len(show)+more > 0 {
		t.Errorf("a result repeats %v and %d more after status", labels(show), more)
	}
	if show, more, _, _ := Deliver(s.stored, 0); len(show) != 0 || more != 5 {
		t.Errorf("with no room: shows %d and %d more, want 0 and 5", len(show), more)
	}
}

func TestStatusMarksAndSaysNew(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.produce(note("n1", "a"))
	s.hook("n1@a")
	s.produce(note("n1", "a"), note("n2", "a"))
	all, resolved, out := All(s.stored)
	if len(all) != 2 || all[0].State != model.NoteNew || all[1].State != model.NoteNew || len(resolved) != 0 {
		t.Errorf("first status: %+v, resolved %v", all, resolved)
	}
	s.stored = out
	s.hook()
	s.result(nil, nil)
	s.produce()
	_, resolved, _ = All(s.stored)
	if want := []string{"title of n1", "title of n2"}; !slices.Equal(resolved, want) {
		t.Errorf("status announces %v, want %v", resolved, want)
	}
}

func TestHookTakesOnlyStrongEnough(t *testing.T) {
	t.Parallel()
	act := note("n2", "a")
	act.Severity = model.Act
	stored := Reconcile(nil, []model.Note{note("n1", "a"), act, note("n3", "a")}, t0)
	show, more, out := DeliverHook(stored, 5, model.Act)
	if got := labels(show); !slices.Equal(got, []string{"n2@a"}) || more != 0 {
		t.Errorf("hook shows %v and %d more, want only the act note", got, more)
	}
	show, more, _ = DeliverHook(out, 1, model.Info)
	if got := labels(show); !slices.Equal(got, []string{"n1@a"}) || more != 1 {
		t.Errorf("hook shows %v and %d more, want n1 and one more", got, more)
	}
}

func TestProducedTwiceIsOneNote(t *testing.T) {
	t.Parallel()
	weak, strong := note("n1", "a"), note("n1", "b")
	strong.Severity = model.Act
	for _, order := range [][]model.Note{{weak, strong}, {strong, weak}} {
		stored := Reconcile(nil, order, t0)
		if len(stored) != 1 || stored[0].Severity != model.Act {
			t.Errorf("stored %+v, want the act note alone", stored)
		}
	}
	// A rule that forgot id and version still reaches its reader, once.
	bare := model.Note{Kind: "untitled", Subject: "branch", Item: "8c1f0e2a9b3d", Severity: model.Act}
	s := newScene(t)
	s.produce(bare)
	show, _, _, out := Deliver(s.stored, 3)
	if len(show) != 1 || show[0].ID == "" {
		t.Fatalf("shows %+v, want one note with an id", show)
	}
	s.stored = out
	s.produce(bare)
	s.result(nil, nil)
}

func TestDismissAnswers(t *testing.T) {
	t.Parallel()
	stored := Reconcile(nil, []model.Note{note("n-aaaa00000000", "a"), note("n-aaab00000000", "a")}, t0)
	if _, _, err := Dismiss(stored, "n-bbbb", NotNeeded, ""); !errors.Is(err, ErrUnknown) {
		t.Errorf("dismissing an unknown note: %v, want ErrUnknown", err)
	}
	if _, _, err := Resolve(stored, ""); !errors.Is(err, ErrUnknown) {
		t.Errorf("resolving nothing: %v, want ErrUnknown", err)
	}
	if _, _, err := Dismiss(stored, "n-aaaa00000000", "whatever", ""); err == nil {
		t.Error("dismissing as something else is accepted")
	}
	out, was, err := Dismiss(stored, "n-aaaa00000000", FalseAlarm, "it is a comment")
	if err != nil || was.State != model.NoteNew {
		t.Fatalf("dismiss: was %+v, %v", was, err)
	}
	if stored[0].State != model.NoteNew {
		t.Error("dismiss changed its argument")
	}
	if n := out[0]; n.State != model.NoteDismissed || n.ClosedAs != FalseAlarm || n.Reason != "it is a comment" {
		t.Errorf("dismissed note is %+v", n)
	}
	twice, was, err := Dismiss(out, "n-aaaa00000000", NotNeeded, "again")
	if err != nil || was.State != model.NoteDismissed || !reflect.DeepEqual(twice, out) {
		t.Errorf("dismissing twice: was %s, %v", was.State, err)
	}
	for ref, want := range map[string]int{"n-aaaa": 1, "n-aaa": 0, "n-aaaa00000000": 1, "n-aaab": 1, "n-zzzz": 0} {
		if got := len(Find(out, ref)); got != want {
			t.Errorf("Find(%q) gives %d notes, want %d", ref, got, want)
		}
	}
}

func TestOldOnesAreForgotten(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.produce(note("n1", "a"), note("n2", "a"), note("n3", "a"))
	s.result([]string{"n1@a", "n2@a", "n3@a"}, nil)
	s.dismiss("n1")
	s.produce(note("n2", "a"))
	s.result(nil, []string{"title of n3"})
	s.produce()
	s.now = s.now.Add(Keep - time.Minute)
	s.produce()
	s.state("n1", model.NoteDismissed)
	s.now = s.now.Add(2 * time.Minute)
	s.produce()
	s.state("n1", "")
	s.state("n3", "")
	s.result(nil, []string{"title of n2"}) // not said yet, so not forgotten
	s.produce()
	s.state("n2", "")
	// A clock that jumps back forgets nothing and breaks nothing.
	s.produce(note("n4", "a"))
	s.now = s.now.Add(-24 * time.Hour)
	s.produce(note("n4", "a"))
	s.result([]string{"n4@a"}, nil)
}

func TestANoteThatAnotherReplacesIsNotCalledResolved(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	note := func(kind, subject, other string) model.Note {
		return model.Note{ID: id.Note(kind, subject, "mine"), Kind: kind, Subject: subject, Item: "mine", Title: kind,
			Version: "v", Severity: model.Info, Others: []model.Other{{Item: other}}}
	}
	for _, c := range []struct {
		name     string
		next     []model.Note
		resolved int
	}{
		{"nothing follows", nil, 1},
		{"the same file, other words", []model.Note{note("predicted_conflict", "README.md", "theirs")}, 0},
		{"another file", []model.Note{note("predicted_conflict", "a.go", "theirs")}, 1},
		{"the same file, another item", []model.Note{note("predicted_conflict", "README.md", "hers")}, 1},
		{"too wide to list", []model.Note{note("broad", "theirs", "theirs")}, 0},
	} {
		stored := Reconcile(nil, []model.Note{note("file_overlap", "README.md", "theirs")}, now)
		_, _, _, stored = Deliver(stored, 3)
		stored = Reconcile(stored, c.next, now.Add(time.Minute))
		if _, _, resolved, _ := Deliver(stored, 3); len(resolved) != c.resolved {
			t.Errorf("%s: resolved %q, want %d", c.name, resolved, c.resolved)
		}
	}
}

// What the answer itself makes of a note is no news; what comes later is.
func TestAnAnswerThatChangesTheVersionStaysAnAnswer(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	stored := Reconcile(nil, []model.Note{note("n-1", "before")}, now)
	_, _, _, stored = Deliver(stored, 3)
	stored, _, err := Resolve(stored, "n-1")
	if err != nil {
		t.Fatal(err)
	}
	next := []model.Note{note("n-1", "after")}
	stored = Reconcile(Answer(stored, next, "n-1"), next, now)
	if stored[0].State != model.NoteResolved || !stored[0].Announce {
		t.Errorf("after the answer: %+v", stored[0])
	}
	if stored = Reconcile(Answer(stored, next, ""), next, now); stored[0].State != model.NoteResolved {
		t.Errorf("in the next call: %+v", stored[0])
	}
	later := []model.Note{note("n-1", "later")}
	if stored = Reconcile(stored, later, now); stored[0].State != model.NoteNew {
		t.Errorf("when others changed it: %+v", stored[0])
	}
}
