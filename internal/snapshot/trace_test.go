package snapshot

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gitlet/internal/git/gittest"
)

// TestProcesses counts the git processes of each kind of snapshot and holds them to
// the rules: no one takes the user's index, and none runs in the foreground.
func TestProcesses(t *testing.T) {
	// Not parallel: it sets variables of this process.
	ctx := context.Background()
	r := gittest.New(t)
	r.CommitFiles("base", project)
	wt := open(t, r.Dir)
	if _, err := wt.Config(ctx); err != nil { // as every verb and tick has done before
		t.Fatal(err)
	}
	wt = wt.Foreground() // must not matter
	p := source()
	p.Now = time.Now().Add(time.Minute)
	var last *Result
	for _, step := range []struct {
		name string
		do   func()
		want int
	}{
		{"clean", func() {}, 1},
		{"first edit", func() { r.Write("main.go", "package main // edited\n") }, 5},
		{"nothing new", func() { p.Prev = &Prev{Commit: last.Commit, Fingerprint: last.Fingerprint} }, 1},
		{"nothing new, by another process", func() { p.Prev = &Prev{Commit: last.Commit} }, 4},
		{"a deleted file more", func() { r.Remove("gone.go") }, 6},
	} {
		step.do()
		file := filepath.Join(t.TempDir(), "trace")
		for _, kv := range gittest.TraceEnv(file) {
			name, value, _ := strings.Cut(kv, "=")
			t.Setenv(name, value)
		}
		got, err := Take(ctx, wt, p)
		if err != nil {
			t.Fatal(err)
		}
		last = got
		gittest.CheckTrace(t, file)
		procs := gittest.Started(t, file)
		if len(procs) != step.want {
			t.Errorf("%s: %d git processes, want %d", step.name, len(procs), step.want)
		}
		for _, p := range procs {
			if p.Params["GIT_NO_LAZY_FETCH"] != "1" {
				t.Errorf("%s: %q runs in the foreground", step.name, p.Argv)
			}
		}
	}
}
