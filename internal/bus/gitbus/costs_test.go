package gitbus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/bus/bustest"
	"gitlet/internal/model"
)

// processes runs f and returns the subcommand of each git process it started itself,
// in order, by git's own event trace.
func processes(t *testing.T, f func()) []string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "trace")
	t.Setenv("GIT_TRACE2_EVENT", file)
	f()
	t.Setenv("GIT_TRACE2_EVENT", "")
	data, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var out []string
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e struct{ Event, SID, Name string }
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		if e.Event == "cmd_name" && !strings.Contains(e.SID, "/") {
			out = append(out, e.Name)
		}
	}
	return out
}

// TestCosts pins how many git processes the common calls take, and that nothing but
// gitlet's own refs moves.
func TestCosts(t *testing.T) {
	w := newRemoteWorld(t)
	a, b := w.Open(0), w.Open(1)
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	update := func(x bus.Bus, machine int) {
		t.Helper()
		must(x.UpdateState(ctx, agents[machine], func(s *model.State) error { s.LeaseSeconds++; return nil }))
	}
	theirs := func() string {
		return w.machines[0].Git("for-each-ref", "refs/heads", "refs/remotes", "refs/tags") + w.machines[0].Git("rev-parse", "HEAD")
	}
	before := theirs()
	update(a, 0) // also reads the configuration, once per process
	update(b, 1)
	var docs *bus.Docs
	refresh := func() {
		w.Advance(2 * bus.ReuseWithin)
		_, err := a.Refresh(ctx)
		must(err)
		docs, err = a.Load(ctx, docs)
		must(err)
	}
	refresh()
	for _, c := range []struct {
		what string
		do   func()
		want []string
	}{
		{"an idle refresh and load", refresh, []string{"fetch", "for-each-ref"}},
		{"an idle flush", func() { must(a.Flush(ctx)) }, []string{"for-each-ref"}},
		{"an update", func() { update(a, 0) },
			[]string{"for-each-ref", "unpack-objects", "update-ref", "push", "update-ref"}},
		{"an update that changes nothing", func() {
			must(a.UpdateState(ctx, agents[0], func(*model.State) error { return bus.ErrUnchanged }))
		}, []string{"for-each-ref"}},
		{"a peer's update seen", func() { update(b, 1); refresh() },
			append([]string{"for-each-ref", "unpack-objects", "update-ref", "push", "update-ref"},
				"fetch", "for-each-ref", "cat-file")},
		{"a snapshot", func() { must(a.PublishSnapshot(ctx, agents[0], "aaaaaaaaaaaa", docs.Main, false)) },
			[]string{"for-each-ref", "update-ref", "push", "update-ref"}},
		{"main found missing", func() { w.Set(bustest.Faults{NoMain: true}); refresh() },
			[]string{"fetch", "fetch", "update-ref", "for-each-ref"}},
		{"main still missing", refresh, []string{"fetch", "for-each-ref"}},
		{"main is back", func() { w.Set(bustest.Faults{}); w.Advance(2 * time.Minute); refresh() },
			[]string{"fetch", "for-each-ref"}},
	} {
		if got := processes(t, c.do); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s takes %q, want %q", c.what, got, c.want)
		}
	}
	if docs.Main == "" || theirs() != before {
		t.Errorf("main %q; the user's refs were\n%s\nand are\n%s", docs.Main, before, theirs())
	}
	left, err := filepath.Glob(filepath.Join(w.machines[0].Dir, ".git", "FETCH_HEAD"))
	must(err)
	logs, err := filepath.Glob(filepath.Join(w.machines[0].Dir, ".git", "logs", "refs", "gitlet*"))
	must(err)
	if left = slices.Concat(left, logs); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
