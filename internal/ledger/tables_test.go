package ledger

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gitlet/internal/bug"
	"gitlet/internal/model"
)

func TestIdentity(t *testing.T) {
	t.Parallel()
	l := open(t, t.TempDir())
	if who, ok, err := l.AgentFor(ctx, "/r/.git"); ok || err != nil {
		t.Fatalf("unknown worktree: %+v, %v, %v", who, ok, err)
	}
	first := Identity{GitDir: "/r/.git", Agent: me, Client: "claude-code", Host: "laptop"}
	for _, step := range []struct{ set, want Identity }{
		{first, first},
		{Identity{GitDir: "/r/.git", Agent: you, Client: "codex", Host: "ci"}, first}, // too late
		{Identity{GitDir: "/r/.git", Agent: me, Client: "cli", Host: "tower"}, Identity{GitDir: "/r/.git", Agent: me, Client: "cli", Host: "tower"}},
		{Identity{GitDir: "/r/.git/worktrees/b", Agent: you, Client: "codex", Host: "ci"}, Identity{GitDir: "/r/.git/worktrees/b", Agent: you, Client: "codex", Host: "ci"}},
	} {
		if got, err := l.SetAgent(ctx, step.set); err != nil || got != step.want {
			t.Errorf("SetAgent(%+v) = %+v, %v; want %+v", step.set, got, err, step.want)
		}
		if got, ok, err := l.AgentFor(ctx, step.set.GitDir); err != nil || !ok || got != step.want {
			t.Errorf("AgentFor(%q) = %+v, %v, %v; want %+v", step.set.GitDir, got, ok, err, step.want)
		}
	}
	other := Identity{GitDir: "/r/.git", Agent: you, Client: "codex", Host: "ci"}
	if err := l.ReplaceAgent(ctx, other); err != nil {
		t.Fatal(err)
	}
	if got, _, _ := l.AgentFor(ctx, "/r/.git"); got != other {
		t.Errorf("after ReplaceAgent: %+v", got)
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	l := open(t, t.TempDir())
	get(t, l, "state.pushed", "")
	set(t, l, "state.pushed", "aa")
	set(t, l, "state.pushed", "bb\x00\n'\"")
	get(t, l, "state.pushed", "bb\x00\n'\"")
	if _, ok, err := l.Get(ctx, you, "state.pushed"); ok || err != nil {
		t.Errorf("another agent sees the value: %v, %v", ok, err)
	}
	for range 2 {
		if err := l.Unset(ctx, me, "state.pushed"); err != nil {
			t.Fatal(err)
		}
		get(t, l, "state.pushed", "")
	}
}

func TestObserve(t *testing.T) {
	t.Parallel()
	l := open(t, t.TempDir())
	const agents, claims = "refs/gitlet-remote/origin/agents/", "refs/gitlet-remote/origin/claims/"
	at := func(s int) time.Time { return t0.Add(time.Duration(s) * time.Second) }
	observe := func(ns string, s int, refs, want map[string]string) {
		t.Helper()
		got, err := l.Observe(ctx, me, ns, refs, at(s))
		if err != nil {
			t.Fatal(err)
		}
		said := map[string]string{}
		for ref, o := range got {
			said[ref] = fmt.Sprintf("%s@%d", o.OID, int(o.FirstSeen.Sub(t0)/time.Second))
		}
		if !reflect.DeepEqual(said, want) {
			t.Errorf("after %ds: %v, want %v", s, said, want)
		}
		stands, last, err := l.Observations(ctx, me, ns)
		if err != nil || !last.Equal(at(s)) || !reflect.DeepEqual(stands, got) {
			t.Errorf("stored: %v, last fetch %v, %v; want %v, %v", stands, last, err, got, at(s))
		}
	}
	type m = map[string]string
	if last, err := l.LastFetch(ctx, me, agents); err != nil || !last.IsZero() {
		t.Errorf("never fetched: %v, %v", last, err)
	}
	observe(agents, 0, m{"a": "1", "b": "1"}, m{"a": "1@0", "b": "1@0"})
	observe(agents, 20, m{"a": "1", "b": "2"}, m{"a": "1@0", "b": "2@20"})
	observe(claims, 25, m{"a": "9"}, m{"a": "9@25"}) // another namespace: no ref of the first is touched
	observe(agents, 40, m{"b": "2", "c": "1"}, m{"b": "2@20", "c": "1@40"})
	observe(agents, 60, m{"a": "1", "b": "2", "c": "1"}, m{"a": "1@60", "b": "2@20", "c": "1@40"}) // it was away: seen anew
	observe(agents, 10, m{"b": "2", "c": "1"}, m{"b": "2@10", "c": "1@10"})                        // the clock was set back
	if err := l.ResetObservations(ctx, you, at(99)); err != nil {
		t.Fatal(err)
	}
	observe(agents, 70, m{"b": "2", "c": "1"}, m{"b": "2@10", "c": "1@10"}) // that was another agent's reset
	if err := l.ResetObservations(ctx, me, at(80)); err != nil {
		t.Fatal(err)
	}
	observe(agents, 90, m{"b": "2", "c": "3"}, m{"b": "2@80", "c": "3@90"})
	observe(claims, 95, m{"a": "9"}, m{"a": "9@80"})
	observe(agents, 100, nil, m{})
	if last, err := l.LastFetch(ctx, me, claims); err != nil || !last.Equal(at(95)) {
		t.Errorf("last fetch of claims: %v, %v", last, err)
	}
}

func TestReset(t *testing.T) {
	t.Parallel()
	const poll, lease = 20 * time.Second, 10 * time.Minute
	s := func(n int) time.Time { return t0.Add(time.Duration(n) * time.Second) }
	tests := []struct {
		name        string
		g           Gaps
		poll, lease time.Duration
		want        bool
	}{
		{"first tick ever", Gaps{}, poll, lease, false},
		{"first tick, first fetch", Gaps{TickStart: s(0), Fetch: s(1)}, poll, lease, false},
		{"an ordinary tick", Gaps{s(0), s(20), s(0), s(21)}, poll, lease, false},
		{"three polls between ticks", Gaps{s(0), s(60), s(40), s(61)}, poll, lease, false},
		{"the machine slept", Gaps{s(0), s(61), s(40), s(62)}, poll, lease, true},
		{"a tick that waited for a long verb is no gap", Gaps{s(180), s(200), s(0), s(200)}, poll, lease, false},
		{"the remote was away for a third of the lease", Gaps{s(180), s(200), s(0), s(200)}, poll, lease, false},
		{"the remote was away for longer", Gaps{s(180), s(201), s(0), s(201)}, poll, lease, true},
		{"a short lease: three polls are longer than a third", Gaps{s(45), s(60), s(0), s(60)}, poll, time.Minute, false},
		{"a short lease, more than three polls", Gaps{s(45), s(61), s(0), s(61)}, poll, time.Minute, true},
		{"the clock was set back between ticks", Gaps{s(100), s(50), s(40), s(50)}, poll, lease, true},
		{"the clock was set back between fetches", Gaps{s(40), s(50), s(100), s(50)}, poll, lease, true},
		{"polling all the time", Gaps{s(0), s(2), s(0), s(2)}, 0, lease, false},
		{"polling all the time, and a sleep", Gaps{s(0), s(16), s(0), s(16)}, 0, lease, true},
	}
	for _, tt := range tests {
		if got := tt.g.Reset(tt.poll, tt.lease); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestNotes(t *testing.T) {
	t.Parallel()
	l := open(t, t.TempDir())
	full := storedNote("n-000000000002")
	full.Evidence = []string{"was: a()", "now: a(b)"}
	full.Options = []model.Option{{Verb: "need", Args: map[string]any{"symbol": "a.go:A"}, Why: "wait"}, {Argv: []string{"git", "status"}, Why: "look"}}
	full.Others = []model.Other{{Agent: you, Item: "8c1f0e2a9b3d", Intent: "Make \"it\" strict"}}
	full.Seen, full.InResult, full.Closed, full.ClosedAs, full.Reason = "a", "a", "a", "not_needed", "because"
	full.Announce, full.GoneAt = true, t0.Add(time.Hour)
	plain := storedNote("n-000000000001")

	put := func(agent string, want ...model.StoredNote) {
		t.Helper()
		err := l.UpdateNotes(ctx, agent, func([]model.StoredNote) ([]model.StoredNote, error) { return want, nil })
		if err != nil {
			t.Fatal(err)
		}
		got, err := l.Notes(ctx, agent)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("notes are\n%+v, %v\nwant\n%+v", got, err, want)
		}
	}
	put(me, plain, full)
	put(you, plain)
	put(me, full)
	full.Title = "another title"
	put(me, plain, full)

	refused := errors.New("refused")
	err := l.UpdateNotes(ctx, me, func(had []model.StoredNote) ([]model.StoredNote, error) {
		if !reflect.DeepEqual(had, []model.StoredNote{plain, full}) {
			t.Errorf("change gets %+v", had)
		}
		return nil, refused
	})
	if !errors.Is(err, refused) || !strings.Contains(err.Error(), "update notes") {
		t.Errorf("error of change comes back as %v", err)
	}
	if got, _ := l.Notes(ctx, me); len(got) != 2 {
		t.Errorf("a refused change left %d notes, want both", len(got))
	}
	put(me)
	if got, _ := l.Notes(ctx, you); len(got) != 1 {
		t.Errorf("another agent's notes: %d, want 1", len(got))
	}
}

// A panic inside change must not keep the ledger locked.
func TestNotesSurvivePanic(t *testing.T) {
	t.Parallel()
	l := open(t, t.TempDir())
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is gone")
			}
		}()
		_ = l.UpdateNotes(ctx, me, func([]model.StoredNote) ([]model.StoredNote, error) { panic("boom") })
	}()
	set(t, l, "k", "v")
	get(t, l, "k", "v")
}

func TestDismissals(t *testing.T) {
	t.Parallel()
	l := open(t, t.TempDir())
	for i, d := range []struct{ agent, kind, as, reason string }{
		{me, "file_overlap", "false_alarm", "generated"},
		{me, "file_overlap", "false_alarm", ""},
		{me, "file_overlap", "not_needed", ""},
		{me, "callee_changed", "false_alarm", "a comment"},
		{you, "callee_changed", "false_alarm", "x"},
	} {
		if err := l.CountDismissal(ctx, d.agent, d.kind, d.as, d.reason, t0.Add(time.Duration(i))); err != nil {
			t.Fatal(err)
		}
	}
	got, err := l.Dismissals(ctx, me)
	want := []Dismissals{
		{"callee_changed", "false_alarm", 1, "a comment", t0.Add(3)},
		{"file_overlap", "false_alarm", 2, "generated", t0.Add(1)},
		{"file_overlap", "not_needed", 1, "", t0.Add(2)},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("dismissals are %+v, %v; want %+v", got, err, want)
	}
	got, err = l.AllDismissals(ctx)
	want[0] = Dismissals{"callee_changed", "false_alarm", 2, "x", t0.Add(4)}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("all dismissals are %+v, %v; want %+v", got, err, want)
	}
}

func TestFootprints(t *testing.T) {
	t.Parallel()
	const most, bytes = 20, 256 << 10
	l := open(t, t.TempDir())
	fp := func(head string, version, kb int) *model.Footprint {
		f := &model.Footprint{Base: "base", Head: head, Version: version, Refs: []model.Ref{{Name: "x", Kind: model.RefCall, Line: 3}}}
		if kb > 0 {
			f.ComputedAt = strings.Repeat("x", kb<<10)
		}
		return f
	}
	has := func(head string, version int, want bool) {
		t.Helper()
		f, err := l.Footprint(ctx, me, "base", head, version)
		if err != nil || (f != nil) != want {
			t.Errorf("footprint %s of version %d: there %v, %v; want %v", head, version, f != nil, err, want)
		}
	}
	put := func(f *model.Footprint, n int) {
		t.Helper()
		if err := l.putFootprint(ctx, me, f, t0.Add(time.Duration(n)*time.Second), most, bytes); err != nil {
			t.Fatal(err)
		}
	}
	has("h", 5, false)
	want := fp("h", 5, 0)
	put(want, 0)
	if got, err := l.Footprint(ctx, me, "base", "h", 5); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("footprint is %+v, %v; want %+v", got, err, want)
	}
	has("h", 4, false)
	put(fp("h", 6, 0), 1)
	has("h", 5, false) // an older algorithm's results go
	has("h", 6, true)

	for i := range most + 10 {
		put(fp(fmt.Sprint("n", i), 6, 0), 10+i)
	}
	has("h", 6, false)
	has("n9", 6, false)
	has("n10", 6, true)
	has(fmt.Sprint("n", most+9), 6, true)

	put(fp("large", 6, bytes>>10), 1000) // over the limit alone: it stays, the others go
	has("large", 6, true)
	has(fmt.Sprint("n", most+9), 6, false)
	if err := l.PutFootprint(ctx, me, fp("small", 6, 0), t0.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	has("large", 6, true) // well within the real limits
	put(fp("last", 6, 0), 4000)
	has("large", 6, false)
	has("small", 6, true)
	has("last", 6, true)
}

func TestPredictions(t *testing.T) {
	t.Parallel()
	l := open(t, t.TempDir())
	check := func(a, b string, want []string, wantKnown bool) {
		t.Helper()
		files, known, err := l.Prediction(ctx, me, a, b)
		if err != nil || known != wantKnown || !reflect.DeepEqual(files, want) {
			t.Errorf("prediction for %s and %s: %q, %v, %v; want %q, %v", a, b, files, known, err, want, wantKnown)
		}
	}
	put := func(a, b string, files []string, n int) {
		t.Helper()
		if err := l.PutPrediction(ctx, me, a, b, files, t0.Add(time.Duration(n)*time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	check("a", "b", nil, false)
	put("b", "a", []string{"src/x.go", "with \"quote\n"}, 0)
	check("a", "b", []string{"src/x.go", "with \"quote\n"}, true)
	check("b", "a", []string{"src/x.go", "with \"quote\n"}, true)
	put("a", "c", nil, 1)
	check("c", "a", []string{}, true) // clean is known too
	put("a", "b", []string{"other"}, 2)
	check("b", "a", []string{"other"}, true)
	if _, known, _ := l.Prediction(ctx, you, "a", "b"); known {
		t.Error("another agent sees the prediction")
	}
	for i := range keepPredictions {
		put("z", fmt.Sprint("n", i), nil, 10+i)
	}
	check("a", "b", nil, false)
	check("z", "n0", []string{}, true)
}

func TestClosedItems(t *testing.T) {
	t.Parallel()
	l := open(t, t.TempDir())
	older := ClosedItem{Agent: me, ID: "000000000001", Intent: "first", Branch: "gitlet/first", Head: "h1", LastPushed: "p1", Status: model.ItemLanded, ClosedAt: t0}
	newer := ClosedItem{Agent: me, ID: "000000000002", Intent: "second", Branch: "gitlet/second", Head: "h2", Status: model.ItemAbandoned, ClosedAt: t0.Add(time.Hour)}
	foreign := ClosedItem{Agent: you, ID: "000000000003", Intent: "theirs", Status: model.ItemLanded, ClosedAt: t0}
	for _, it := range []ClosedItem{older, newer, foreign, older} {
		if err := l.AddClosed(ctx, it.Agent, it); err != nil {
			t.Fatal(err)
		}
	}
	got, err := l.Closed(ctx, me)
	if err != nil || !reflect.DeepEqual(got, []ClosedItem{newer, older}) {
		t.Errorf("closed items are %+v, %v", got, err)
	}
	for id, want := range map[string]*ClosedItem{older.ID: &older, foreign.ID: &foreign, "00000000000f": nil} {
		if got, err := l.ClosedItem(ctx, id); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("item %s is %+v, %v; want %+v", id, got, err, want)
		}
	}
}

func TestBugs(t *testing.T) {
	t.Parallel()
	l := open(t, t.TempDir())
	for i, r := range []bug.Record{{Where: "a/b.go:1", What: "x", Count: 1}, {Where: "c/d.go:2", What: "y", Count: 3}, {Where: "a/b.go:1", What: "z", Count: 2}} {
		if err := l.RecordBug(ctx, me, r, t0.Add(time.Duration(i))); err != nil {
			t.Fatal(err)
		}
	}
	got, err := l.Bugs(ctx)
	want := []Bug{{me, "a/b.go:1", "x", 3, t0, t0.Add(2)}, {me, "c/d.go:2", "y", 3, t0.Add(1), t0.Add(1)}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("bugs are %+v, %v; want %+v", got, err, want)
	}
	for i := range keepBugs + 5 {
		if err := l.RecordBug(ctx, me, bug.Record{Where: fmt.Sprint(i), Count: 1}, t0.Add(time.Hour+time.Duration(i))); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := l.Bugs(ctx); len(got) != keepBugs {
		t.Errorf("%d places are kept, want %d", len(got), keepBugs)
	}
}

func TestExistingMakesNothing(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "gitlet")
	if _, err := Open(ctx, dir, Options{Existing: true}); !errors.Is(err, ErrNone) {
		t.Errorf("opening nothing: %v, want ErrNone", err)
	}
	if all, _ := filepath.Glob(dir + "*"); len(all) > 0 {
		t.Errorf("it left %q behind", all)
	}
	set(t, open(t, dir), "k", "v")
	l, err := Open(ctx, dir, Options{Existing: true, Busy: HookBusy})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	get(t, l, "k", "v")
	if fk, sync, journal := pragmas(t, l); fk != 1 || sync != 1 || journal != "wal" {
		t.Errorf("foreign_keys %d, synchronous %d, journal %q; want 1, 1 (normal), wal", fk, sync, journal)
	}
}

func pragmas(t *testing.T, l *Ledger) (fk, sync int, journal string) {
	t.Helper()
	for pragma, into := range map[string]any{"foreign_keys": &fk, "synchronous": &sync, "journal_mode": &journal} {
		if err := l.h.db.QueryRow("PRAGMA " + pragma).Scan(into); err != nil {
			t.Fatal(err)
		}
	}
	return fk, sync, journal
}

func TestPathsThatNeedEscaping(t *testing.T) {
	t.Parallel()
	names := []string{"with space", "q?mode=memory", "h#ash", "p%20ct", "a&b=c", "quo'te\"", "star[*]", "back\\slash", "ünï"}
	if runtime.GOOS != "darwin" { // whose file system takes only UTF-8
		names = append(names, "raw\xff")
	}
	for _, name := range names {
		dir := filepath.Join(t.TempDir(), name)
		l := open(t, dir)
		healthy(t, l)
		set(t, l, "k", "v")
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		again := open(t, dir)
		healthy(t, again)
		get(t, again, "k", "v")
		if _, err := filepath.Glob(globEscape(file(dir))); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestClosedLedgerSaysSo(t *testing.T) {
	t.Parallel()
	l, err := Open(ctx, t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Set(ctx, me, "k", "v"); !errors.Is(err, errClosed) {
		t.Errorf("writing after Close: %v", err)
	}
	if l.Retry(ctx) {
		t.Error("a closed ledger opened again")
	}
}

// Goroutines over two ledgers of one folder lose nothing.
func TestManyWriters(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ledgers := []*Ledger{open(t, dir), open(t, dir)}
	const workers, each = 6, 20
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(w), 1))
			for i := range each {
				l := ledgers[r.IntN(2)]
				if err := addNote(l, fmt.Sprintf("n-%04d%08d", w, i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	got, err := ledgers[0].Notes(ctx, me)
	if err != nil || len(got) != workers*each {
		t.Errorf("%d notes, %v; want %d", len(got), err, workers*each)
	}
	for _, l := range ledgers {
		healthy(t, l)
	}
}

func addNote(l *Ledger, id string) error {
	return l.UpdateNotes(ctx, me, func(had []model.StoredNote) ([]model.StoredNote, error) {
		return append(had, storedNote(id)), nil
	})
}

// Loops around a ledger can be tested in virtual time.
func TestInVirtualTime(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		l, err := Open(ctx, dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for w := range 4 {
			wg.Go(func() {
				for i := range 10 {
					time.Sleep(20 * time.Second)
					if err := addNote(l, fmt.Sprintf("n-%04d%08d", w, i)); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		if ns, err := l.Notes(ctx, me); err != nil || len(ns) != 40 {
			t.Errorf("%d notes, %v; want 40", len(ns), err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
}
