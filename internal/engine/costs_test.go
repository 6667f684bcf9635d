package engine

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gitlet/internal/git/gittest"
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
