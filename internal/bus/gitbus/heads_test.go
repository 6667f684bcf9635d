package gitbus

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// branch puts a branch on the remote with a commit of its own, committed at a time.
func (w *world) branchAt(name string, at time.Time) string {
	w.t.Helper()
	tree := w.remote.Git("rev-parse", "main^{tree}")
	date := fmt.Sprintf("%d +0000", at.Unix())
	file := filepath.Join(w.t.TempDir(), "commit")
	text := "tree " + tree + "\nauthor A <a@x> " + date + "\ncommitter A <a@x> " + date + "\n\n" + name + "\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
	oid := w.remote.Git("hash-object", "-t", "commit", "-w", file)
	w.remote.Git("update-ref", "refs/heads/"+name, oid)
	return oid
}

// TestFetchHeads: one listing per round, at most so many branches fetched, recent ones
// reported, main and gitlet's own left out, names that took another's place brought in.
func TestFetchHeads(t *testing.T) {
	w := newRemoteWorld(t)
	a, ctx := w.Open(0).(*Bus), t.Context()
	now := time.Date(2026, 10, 26, 0, 0, 0, 0, time.UTC)
	o := Heads{Max: 2, Since: now.Add(-time.Hour)}
	round := func(heads []string, fetched, outstanding int, want ...string) {
		t.Helper()
		var got HeadsFetched
		var err error
		ran := processes(t, func() { got, err = a.FetchHeads(ctx, o) })
		ran = slices.DeleteFunc(ran, func(p string) bool { return p == "config" }) // read once per process
		if err != nil {
			t.Fatal(err)
		}
		if names := slices.Sorted(maps.Keys(got.Heads)); !slices.Equal(names, heads) || got.Fetched != fetched || got.Outstanding != outstanding {
			t.Errorf("got %v, %d fetched, %d outstanding; want %v, %d, %d", names, got.Fetched, got.Outstanding, heads, fetched, outstanding)
		}
		if !slices.Equal(ran, want) {
			t.Errorf("ran %v, want %v", ran, want)
		}
	}
	old := w.branchAt("old", now.Add(-2*time.Hour))
	w.branchAt("a", now)
	w.branchAt("zz", now)
	w.branchAt("gitlet.state/agents/x/state", now)
	round([]string{"a"}, 2, 1, "ls-remote", "for-each-ref", "cat-file", "fetch", "cat-file")
	round([]string{"a", "zz"}, 1, 0, "ls-remote", "for-each-ref", "cat-file", "fetch", "cat-file")
	round([]string{"a", "zz"}, 0, 0, "ls-remote", "for-each-ref", "cat-file")
	if got := w.machines[0].Git("rev-parse", "refs/gitlet-heads/origin/old"); got != old {
		t.Errorf("the old branch is at %q, so it would be fetched again", got)
	}
	// A branch takes the place of another one, which was deleted; its copy is in the way.
	w.remote.Git("update-ref", "-d", "refs/heads/a")
	w.branchAt("a/b", now)
	o.Max = 50
	round([]string{"a/b", "zz"}, 1, 0, "ls-remote", "for-each-ref", "cat-file", "update-ref", "fetch", "cat-file")
	if logs, err := w.machines[0].TryGit("reflog", "exists", "refs/gitlet-heads/origin/zz"); err == nil {
		t.Errorf("a reflog is kept: %s", logs)
	}
	if got := w.machines[0].Git("for-each-ref", "--format=%(refname)", "refs/remotes"); strings.Contains(got, "zz") {
		t.Errorf("the user's remote-tracking refs moved: %s", got)
	}
	local, err := New(w.open(w.machines[0]), Options{Agent: agents[0]})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := local.FetchHeads(ctx, o); err != nil || len(got.Heads) > 0 {
		t.Errorf("without a remote: %v, %v", got, err)
	}
}

// TestManyBranches: a remote with 10,000 branches that this clone has costs one listing
// a round, and fetches nothing.
func TestManyBranches(t *testing.T) {
	w := newRemoteWorld(t)
	var b strings.Builder
	main := w.Value("refs/heads/main")
	for i := range 10000 {
		fmt.Fprintf(&b, "%s refs/heads/topic/%05d\n", main, i)
	}
	packed := filepath.Join(w.remote.Dir, "packed-refs")
	if err := os.WriteFile(packed, []byte("# pack-refs with: peeled fully-peeled sorted \n"+b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	a := w.Open(0).(*Bus)
	var err error
	ran := processes(t, func() { _, err = a.FetchHeads(t.Context(), Heads{Max: 50, Since: time.Now().Add(-time.Hour)}) })
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(ran, []string{"config", "ls-remote", "for-each-ref", "cat-file", "cat-file"}) {
		t.Errorf("ran %v", ran)
	}
	if n := w.machines[0].Git("for-each-ref", "--count=1", "refs/gitlet-heads"); n != "" {
		t.Errorf("refs were made: %s", n)
	}
}
