package engine

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/git/gittest"
	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/wire"
)

// TestTickCosts pins the git processes of a session's ticks: what stays the same however
// large the tree is and however often nothing happens.
func TestTickCosts(t *testing.T) {
	// Not parallel: it sets variables of this process.
	repos := machines(t, "claude", "codex")
	repo := repos["claude"]
	open := func(name, agent string) *Engine {
		e, err := Open(t.Context(), Options{Dir: repos[name].Dir, Client: "test", Agent: agent})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		})
		e.settings.SnapshotInterval = 0
		return e
	}
	e, peer := open("claude", ownerID), open("codex", otherID)
	tick := func(e *Engine) {
		t.Helper()
		e.pace = pace{} // a busy machine is no large tree
		if _, err := e.Tick(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	e.lastCall, peer.lastCall = time.Now(), time.Now()
	edit := func(text string) { repo.Write("lib/lib.go", "package lib\n\n"+text+"\n") }
	tick(e)
	const share = " for-each-ref unpack-objects update-ref push update-ref for-each-ref"
	for _, c := range []struct {
		what string
		do   func()
		want string
	}{
		{"nothing new", func() {}, "fetch for-each-ref status for-each-ref for-each-ref"},
		{"a first change", func() { edit("func A() {}") },
			"fetch for-each-ref status update-index write-tree cat-file commit-tree diff-tree cat-file" + share +
				" update-ref for-each-ref update-ref rev-list diff-tree cat-file push update-ref"},
		{"a peer's change elsewhere", func() {
			repos["codex"].Write("app/app.go", "package app\n\nfunc B() {}\n")
			tick(peer)
			time.Sleep(3 * time.Second) // so that the edits of both are no news to their file times
			tick(e)
		}, "fetch for-each-ref status for-each-ref for-each-ref"},
	} {
		c.do()
		file := filepath.Join(t.TempDir(), "trace")
		for _, kv := range gittest.TraceEnv(file) {
			name, value, _ := strings.Cut(kv, "=")
			t.Setenv(name, value)
		}
		tick(e)
		t.Setenv("GIT_TRACE2_EVENT", "")
		gittest.CheckTrace(t, file)
		var got []string
		for _, p := range gittest.Started(t, file) {
			got = append(got, p.Command()[0])
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: a tick takes %q, want %q", c.what, s, c.want)
		}
	}
}

// TestCrowdCosts: with 200 items in view, all of which change the file I change, a call
// starts no more git processes than with 20.
func TestCrowdCosts(t *testing.T) {
	// Not parallel: it sets variables of this process.
	cost := func(agents int) (items, processes int, which string) {
		repos := machines(t, "claude", "crowd")
		publishCrowd(t, repos["crowd"], agents)
		e, err := Open(t.Context(), Options{Dir: repos["claude"].Dir, Client: "test", Agent: ownerID})
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		}()
		e.budget.fetch = time.Minute // a busy machine is no slow remote
		e.settings.SnapshotInterval = 0
		e.lastCall = time.Now()
		tick := func() {
			e.pace = pace{}
			if _, err := e.Tick(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		tick()
		repos["claude"].Write("lib/lib.go", "package lib\n\nfunc A() {}\n")
		file := filepath.Join(t.TempDir(), "trace")
		for _, kv := range gittest.TraceEnv(file) {
			name, value, _ := strings.Cut(kv, "=")
			t.Setenv(name, value)
		}
		tick()
		t.Setenv("GIT_TRACE2_EVENT", "")
		var names []string
		for _, p := range gittest.Started(t, file) {
			names = append(names, p.Command()[0])
		}
		v, err := e.buildView(t.Context(), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		return len(v.Peers), len(names), strings.Join(names, " ")
	}
	fewItems, few, fewNames := cost(2)
	manyItems, many, manyNames := cost(20)
	if fewItems < 20 || manyItems < 200 {
		t.Fatalf("%d and %d items in view", fewItems, manyItems)
	}
	if few == 0 || many > few {
		t.Errorf("%d processes with %d items, %d with %d:\n%s\n%s", few, fewItems, many, manyItems, fewNames, manyNames)
	}
}

// publishCrowd shares the states of that many agents with ten items each, which all
// change one file and have snapshots that are not on the remote.
func publishCrowd(t *testing.T, repo *gittest.Repo, agents int) {
	t.Helper()
	base := strings.TrimSpace(repo.Git("rev-parse", "HEAD"))
	push := []string{"push", "-q", "origin"}
	now := time.Now().UTC()
	repo.Git("switch", "-q", "--orphan", "states")
	for a := range agents {
		st := model.State{Agent: model.Agent{ID: fmt.Sprintf("crowd-host-%06x", a+1), Client: "test", Host: "host", User: "x"}, Heartbeat: now, LeaseSeconds: 3600}
		for i := range 10 {
			s := model.Symbol{Lang: "go", Path: "lib/lib.go", Name: "A", Qualified: "A", Kind: model.KindFunction, Exported: true,
				Key: id.SymbolKey("go", "lib/lib.go", "A"), Signature: "func A()", SigHash: strings.Repeat("1", 16), BodyHash: fmt.Sprintf("%016x", a*10+i), StartLine: 3, EndLine: 3}
			st.Items = append(st.Items, model.Item{ID: id.NewItem(), Intent: fmt.Sprintf("Task %d of %d", i, a), Branch: fmt.Sprintf("work-%d-%d", a, i),
				Base: base, Head: base, Snapshot: fmt.Sprintf("%040x", a*10+i+1), Status: model.ItemActive, OpenedAt: now, UpdatedAt: now,
				Footprint: &model.Footprint{Base: base, Head: base, Version: model.FootprintVersion,
					Files:   []model.FileChange{{Path: "lib/lib.go", Status: "M", Lang: "go", Parsed: true}},
					Symbols: []model.SymbolChange{{Change: model.ChangeBody, Symbol: s}}}})
		}
		data, problems, err := wire.EncodeState(st)
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		repo.Write("state.json", string(data))
		push = append(push, repo.Commit("gitlet: state")+":"+bus.StateRef(st.Agent.ID))
	}
	repo.Git(push...)
}
