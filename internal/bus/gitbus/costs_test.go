package gitbus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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

// exchange is what git's own packet trace says of one conversation: how many listings
// and how many packs were asked for, and the bytes both ways.
type exchange struct{ listings, packs, bytes int }

func packets(t *testing.T, f func()) exchange {
	t.Helper()
	file := filepath.Join(t.TempDir(), "packets")
	t.Setenv("GIT_TRACE_PACKET", file)
	f()
	t.Setenv("GIT_TRACE_PACKET", "")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var x exchange
	for line := range strings.Lines(string(data)) {
		// "<time> <place> packet: <whose> fetch> <payload>", in both directions, from our side only
		_, rest, ok := strings.Cut(line, "packet:")
		who, payload, found := strings.Cut(strings.TrimLeft(rest, " "), " ")
		if !ok || !found || who != "fetch>" && who != "fetch<" {
			continue
		}
		payload = strings.TrimSuffix(payload, "\n")
		x.bytes += 4 + len(payload) + 1
		switch payload {
		case "command=ls-refs":
			x.listings++
		case "command=fetch":
			x.packs++
		case "0000", "0001", "0002":
			x.bytes -= len(payload) + 1
		}
	}
	return x
}

// TestIdlePoll pins what a poll costs that finds nothing new, by git's own trace: one
// listing of gitlet's refs and main, and no more bytes than their names need. A
// repository's other refs cost nothing.
func TestIdlePoll(t *testing.T) {
	for name, h := range map[string]host{"file": overFile, "git": overDaemon("2"), "http": overHTTP} {
		t.Run(name, func(t *testing.T) {
			w := newHostWorld(t, h)
			refs := append(w.crowd(20), "refs/heads/main")
			b := w.Open(1)
			for i := range 3 {
				key := fmt.Sprintf("%016x", i)
				if _, err := b.Claim(t.Context(), claimOn(key, agents[1])); err != nil {
					t.Fatal(err)
				}
				refs = append(refs, bus.ClaimRef(key))
			}
			for i := range 10 {
				w.put(fmt.Sprintf("refs/heads/feature/%d", i), w.Value("refs/heads/main"))
				w.put(bus.SnapshotRef(agents[1], fmt.Sprintf("%012x", i)), w.Value("refs/heads/main"))
			}
			a := w.Open(0)
			w.see(a)
			w.Advance(time.Minute)
			var conns int
			if w.front != nil {
				conns = int(w.front.conns.Load())
			}
			var wire int64
			w.requests.Store(0)
			got := packets(t, func() {
				if w.front != nil {
					wire = w.front.sent.Load() + w.front.received.Load()
				}
				if _, err := a.Refresh(t.Context()); err != nil {
					t.Fatal(err)
				}
				if w.front != nil {
					wire = w.front.sent.Load() + w.front.received.Load() - wire
					conns = int(w.front.conns.Load()) - conns
				}
			})
			most := 1 << 10
			for _, ref := range refs {
				most += len(ref) + 60
			}
			if got.listings != 1 || got.packs != 0 || got.bytes > most || conns > 1 {
				t.Errorf("%+v over %d connections, want one listing in one connection and at most %d bytes", got, conns, most)
			}
			if name == "http" {
				if n := w.requests.Load(); n != 2 {
					t.Errorf("%d requests, want 2", n)
				}
			}
			t.Logf("%d refs: %d bytes of packets (at most %d), %d on the wire with all headers", len(refs), got.bytes, most, wire)
		})
	}
}

// TestBatchCost: a heartbeat with state, outbox and renewals is one push.
func TestBatchCost(t *testing.T) {
	w := newRemoteWorld(t)
	a, ctx := w.Open(0), t.Context()
	batch := bus.Batch{Agent: agents[0], State: withItem("here"), Outbox: func(*model.Outbox) error { return nil }}
	for i := range 5 {
		h, err := a.Claim(ctx, claimOn(fmt.Sprintf("%016x", i), agents[0]))
		if err != nil {
			t.Fatal(err)
		}
		batch.Renew = append(batch.Renew, bus.Renewal{Seen: h, To: h.Claim})
	}
	pushes := w.Pushes()
	got := processes(t, func() {
		out, err := a.Share(ctx, batch)
		if err = errors.Join(err, out.State, out.Outbox); err != nil {
			t.Fatal(err)
		}
		for _, r := range out.Renewed {
			if r.Err != nil {
				t.Error(r.Err)
			}
		}
	})
	want := []string{"for-each-ref", "unpack-objects", "update-ref", "push", "update-ref", "update-ref"}
	if !reflect.DeepEqual(got, want) || w.Pushes() != pushes+1 {
		t.Errorf("%q and %d pushes, want %q and one", got, w.Pushes()-pushes, want)
	}
	b := w.Open(1)
	w.see(b)
	for what, c := range map[string]struct {
		do   func() error
		want []string
	}{
		"a claim": {func() error { _, err := a.Claim(ctx, claimOn(someKey, agents[0])); return err },
			[]string{"unpack-objects", "push", "update-ref"}},
		"a claim that is lost": {func() error {
			_, err := b.Claim(ctx, claimOn("0000000000000000", agents[1]))
			if lost := (*bus.Lost)(nil); errors.As(err, &lost) {
				return nil
			}
			return fmt.Errorf("not lost: %w", err)
		}, []string{"unpack-objects", "push", "fetch", "for-each-ref", "cat-file"}},
	} {
		got := processes(t, func() {
			if err := c.do(); err != nil {
				t.Error(err)
			}
		})
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}

// TestReapCost: who reaps asks for gitlet's refs of that agent, whatever else the
// repository holds.
func TestReapCost(t *testing.T) {
	w := newRemoteWorld(t)
	a, b, ctx := w.Open(0), w.Open(1), t.Context()
	for _, err := range []error{
		b.UpdateState(ctx, agents[1], withItem("gone")),
		b.PublishSnapshot(ctx, agents[1], "aaaaaaaaaaaa", w.Commit(1, "snap"), false),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	w.remote.Git("pack-refs", "--all")
	packed := w.remote.Read("packed-refs")
	for i := range 300 {
		packed += fmt.Sprintf("%s refs/heads/branch/%03d\n", w.Value("refs/heads/main"), i)
	}
	w.remote.Write("packed-refs", packed)
	docs := w.see(a)
	left := bus.Remains{Agent: agents[1], State: docs.States[0].OID}
	var got []string
	said := packets(t, func() {
		got = processes(t, func() {
			if err := a.Reap(ctx, left); err != nil {
				t.Fatal(err)
			}
		})
	})
	want := []string{"fetch", "for-each-ref", "push", "push", "update-ref"}
	if !reflect.DeepEqual(got, want) || said.listings != 1 || said.bytes > 4<<10 {
		t.Errorf("%q and %+v, want %q and one listing of few bytes", got, said, want)
	}
}
