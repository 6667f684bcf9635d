package gitbus

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/git"
	"gitlet/internal/git/gittest"
	"gitlet/internal/model"
	"gitlet/internal/wire"
)

const item = "aaaaaaaaaaaa"

func withItem(intent string) func(*model.State) error {
	return func(s *model.State) error {
		s.Items = []model.Item{{ID: item, Intent: intent, Status: model.ItemActive}}
		return nil
	}
}

// see refreshes and loads.
func (w *world) see(b bus.Bus) *bus.Docs {
	w.t.Helper()
	w.Advance(2 * bus.ReuseWithin)
	if _, err := b.Refresh(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	d, err := b.Load(w.t.Context(), nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return d
}

// TestHostileObjects: refs of documents that lead to anything but a small file in a
// commit's tree. Each is one Problem, and good documents beside them are read.
func TestHostileObjects(t *testing.T) {
	t.Parallel()
	w := newRemoteWorld(t)
	a, b := w.Open(0), w.Open(1)
	if err := b.UpdateState(t.Context(), agents[1], withItem("good")); err != nil {
		t.Fatal(err)
	}
	good := `{"format":1,"agent":{"id":"peer"},"items":[]}`
	blob, err := w.outsider.WriteBlob(t.Context(), []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	tree := func(mode, kind, oid, name string) string {
		oid, err := w.outsider.WriteTree(t.Context(), []git.TreeEntry{{Mode: mode, Type: kind, OID: oid, Path: name}})
		if err != nil {
			t.Fatal(err)
		}
		return oid
	}
	commit := func(tree string) string {
		oid, err := w.outsider.CommitTree(t.Context(), tree, nil, "x")
		if err != nil {
			t.Fatal(err)
		}
		return oid
	}
	plain := tree(git.ModeFile, "blob", blob, "state.json")
	cases := map[string]struct{ oid, why string }{
		"other-file": {commit(tree(git.ModeFile, "blob", blob, "other.json")), "holds no file"},
		"folder":     {commit(tree(git.ModeTree, "tree", plain, "state.json")), "holds no file"},
		"submodule":  {commit(tree(git.ModeGitlink, "commit", commit(plain), "state.json")), "holds no file"},
		"blob":       {blob, "holds no file"},
		"empty":      {commit(w.outsider.EmptyTree()), "holds no file"},
		"large":      {w.commitFile("state.json", []byte(strings.Repeat(" ", 2*wire.MaxRead))), "over the limit"},
		"spoofed":    {commit(plain), "does not match"},
	}
	for name, c := range cases {
		w.put(bus.StateRef("bad-"+name), c.oid)
	}
	d := w.see(a)
	if len(d.States) != 1 || d.States[0].Value.Items[0].Intent != "good" {
		t.Errorf("states: %+v", d.States)
	}
	for _, p := range d.Problems {
		name := strings.TrimSuffix(strings.TrimPrefix(p.Ref, bus.Namespace+"agents/bad-"), "/state")
		if c := cases[name]; c.why == "" || !strings.Contains(p.Why, c.why) || p.OID != c.oid {
			t.Errorf("problem %+v, want %q", p, c.why)
		}
		delete(cases, name)
	}
	if len(cases) > 0 {
		t.Errorf("no problem for %v (have %v)", cases, d.Problems)
	}
}

// TestHostPolicies: what large hosts do to refs outside heads and tags. All of it is
// a refusal, with the host's words; none is an outage or a lost race.
func TestHostPolicies(t *testing.T) {
	t.Parallel()
	const onlyHeads = `while read old new ref; do case "$ref" in refs/heads/*|refs/tags/*) ;; *) bad=1; esac; done
test -z "$bad" || { echo "only heads and tags are accepted here" >&2; exit 1; }
`
	for name, c := range map[string]struct {
		prepare   func(*world)
		namespace string
		text      string // "" when it works
	}{
		"hook":              {func(w *world) { w.install("pre-receive", onlyHeads) }, "", "only heads and tags"},
		"hidden":            {func(w *world) { w.remote.Git("config", "transfer.hideRefs", "refs/gitlet") }, "", "hidden ref"},
		"another namespace": {func(w *world) { w.install("pre-receive", onlyHeads) }, "refs/heads/gitlet.state/", ""},
		"nothing unusual":   {func(*world) {}, "", ""},
		"a ref in the way": {func(w *world) {
			w.put("refs/gitlet/agents", w.Value("refs/heads/main"))
			w.put("refs/gitlet/claims", w.Value("refs/heads/main"))
		}, "", "cannot lock ref"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newRemoteWorld(t)
			w.options.Namespace = c.namespace
			c.prepare(w)
			a := w.Open(0)
			err := a.UpdateState(t.Context(), agents[0], withItem("one"))
			var refused *bus.Refused
			switch {
			case c.text == "":
				if err != nil {
					t.Fatal(err)
				}
				if d := w.see(w.Open(1)); len(d.States) != 1 || d.States[0].Ref != bus.StateRef(agents[0]) {
					t.Errorf("the peer sees %+v", d.States)
				}
			case !errors.As(err, &refused) || !strings.Contains(refused.Text, c.text) || errors.Is(err, bus.ErrOffline):
				t.Errorf("%v, want a refusal with %q", err, c.text)
			}
			if st, err := a.State(t.Context(), agents[0]); err != nil || st == nil || st.Items[0].Intent != "one" {
				t.Errorf("the local write: %+v, %v", st, err)
			}
			if err := a.Flush(t.Context()); errors.Is(err, bus.ErrOffline) {
				t.Error(err)
			}
			refused = nil
			switch h, err := a.Claim(t.Context(), claimOn(someKey, agents[0])); {
			case c.text == "":
				if err != nil || h == nil {
					t.Errorf("claim: %+v %v", h, err)
				}
			case h != nil || !errors.As(err, &refused) || !strings.Contains(refused.Text, c.text):
				t.Errorf("claim: %+v %v", h, err)
			}
		})
	}
}

const someKey = "00000000000000aa"

func claimOn(key, agent string) model.Claim {
	return model.Claim{Key: key, Resource: "a migration", Owner: agent, Item: item, LeaseSeconds: 600}
}

// TestHooksDecline: hooks that look at one ref and turn the whole push away, as
// pre-receive hooks do, and hooks that name paths or a size. What they do not mean
// still arrives, and all they said is kept.
func TestHooksDecline(t *testing.T) {
	t.Parallel()
	w := newRemoteWorld(t)
	a, ctx := w.Open(0), t.Context()
	held, err := a.Claim(ctx, claimOn(someKey, agents[0]))
	if err != nil {
		t.Fatal(err)
	}
	w.install("pre-receive", `while read old new ref; do
	case "$ref" in
	*/claims/*) echo "no claims today" >&2; exit 1;;
	*/wip/*) git diff-tree -r --root --name-only "$new" | sed 's/.*/  too large: &/' >&2; exit 1;;
	esac
done
`)
	got, err := a.Share(ctx, bus.Batch{Agent: agents[0], State: withItem("heard"), Outbox: func(*model.Outbox) error { return nil },
		Renew: []bus.Renewal{{Seen: held, To: held.Claim}}})
	if err = errors.Join(err, got.State, got.Outbox); err != nil {
		t.Errorf("documents beside a claim that is declined: %v", err)
	}
	var refused *bus.Refused
	if !errors.As(got.Renewed[0].Err, &refused) || refused.Ref != bus.ClaimRef(someKey) || !strings.Contains(refused.Text, "no claims today") {
		t.Errorf("renewal: %+v", got.Renewed[0])
	}
	if d := w.see(w.Open(1)); len(d.States) != 1 || len(d.Outboxes) != 1 || bus.Token(d.Held(someKey)) != bus.Token(held) {
		t.Errorf("the peer sees %+v", d)
	}
	m := w.machines[0]
	for i := range 40 {
		m.Write(fmt.Sprintf("assets/file-%02d.bin", i), "x")
	}
	m.Git("add", "-A")
	snap := m.Git("commit-tree", "-m", "snap", m.Git("write-tree"))
	if err := a.PublishSnapshot(ctx, agents[0], item, snap, false); !errors.As(err, &refused) || !strings.Contains(refused.Text, "assets/file-39.bin") {
		t.Errorf("snapshot: %v", err)
	}
	if n := strings.Count(refused.Error(), "\n"); n > 10 {
		t.Errorf("the error has %d lines", n)
	}
}

// TestNotAnOutage: faults of this clone, and a caller out of patience, say nothing
// about the remote.
func TestNotAnOutage(t *testing.T) {
	t.Parallel()
	t.Run("broken clone", func(t *testing.T) {
		t.Parallel()
		w := newRemoteWorld(t)
		a := w.Open(0)
		if err := os.WriteFile(filepath.Join(w.machines[0].Dir, ".git", "HEAD"), []byte("noise"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := a.Refresh(t.Context()); err == nil || errors.Is(err, bus.ErrOffline) {
			t.Errorf("refresh: %v", err)
		}
		if err := a.UpdateState(t.Context(), agents[0], withItem("x")); err == nil || errors.Is(err, bus.ErrOffline) {
			t.Errorf("update: %v", err)
		}
	})
	t.Run("broken worktree entry", func(t *testing.T) {
		t.Parallel()
		w := newRemoteWorld(t)
		a, b := w.Open(0), w.Open(1)
		linked := filepath.Join(t.TempDir(), "linked")
		w.machines[0].Git("worktree", "add", "-q", "--detach", linked)
		entry := filepath.Join(w.machines[0].Dir, ".git", "worktrees", "linked", "HEAD")
		if err := os.WriteFile(entry, []byte(strings.Repeat("1", 40)+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := b.UpdateState(t.Context(), agents[1], withItem("theirs")); err != nil {
			t.Fatal(err)
		}
		w.Advance(time.Minute)
		if _, err := a.Refresh(t.Context()); errors.Is(err, bus.ErrOffline) {
			t.Errorf("refresh: %v", err)
		}
	})
	t.Run("slow remote", func(t *testing.T) {
		t.Parallel()
		w := newRemoteWorld(t)
		w.machines[0].Git("config", "remote.origin.uploadpack", w.script("slow", "sleep 20\n"))
		a := w.Open(0)
		short, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		if _, err := a.Refresh(short); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, bus.ErrOffline) {
			t.Errorf("refresh: %v", err)
		}
		// The lock is free again, and what was known stands.
		w.machines[0].Git("config", "--unset", "remote.origin.uploadpack")
		w.see(a)
	})
}

// TestClones: kinds of clones in which a plain fetch would leave documents out.
func TestClones(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]string{
		"partial":       {"--filter=blob:none"},
		"treeless":      {"--filter=tree:0"},
		"shallow":       {"--depth=1"},
		"single branch": {"--single-branch"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newRemoteWorld(t)
			w.remote.Git("config", "uploadpack.allowFilter", "true")
			w.machines[0] = w.remote.Clone(options...)
			a, b := w.Open(0), w.Open(1)
			if err := b.UpdateState(t.Context(), agents[1], withItem("theirs")); err != nil {
				t.Fatal(err)
			}
			snap := w.machines[1].Git("commit-tree", "-m", "snap", "-p", "HEAD", "HEAD^{tree}")
			if err := b.PublishSnapshot(t.Context(), agents[1], item, snap, false); err != nil {
				t.Fatal(err)
			}
			if d := w.see(a); len(d.States) != 1 || len(d.Problems) > 0 {
				t.Fatalf("%+v", d)
			}
			if ok, err := a.FetchSnapshot(t.Context(), agents[1], item, snap); !ok || err != nil {
				t.Fatalf("%v %v", ok, err)
			}
			if err := a.UpdateState(t.Context(), agents[0], withItem("mine")); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestSHA256: object ids of 64 characters, everywhere.
func TestSHA256(t *testing.T) {
	t.Parallel()
	w := &world{t: t, mode: bus.Remote, now: time.Unix(1e9, 0), control: t.TempDir(), options: Options{Remote: "origin", Main: "main"}}
	w.remote = gittest.Bare(t, "--object-format=sha256")
	w.outsider = w.open(gittest.New(t, "--object-format=sha256"))
	main := w.SetMain("one")
	w.machines = [2]*gittest.Repo{w.remote.Clone(), w.remote.Clone()}
	a, b := w.Open(0), w.Open(1)
	if err := a.UpdateState(t.Context(), agents[0], withItem("mine")); err != nil {
		t.Fatal(err)
	}
	if err := a.PublishSnapshot(t.Context(), agents[0], item, main, false); err != nil {
		t.Fatal(err)
	}
	d := w.see(b)
	if len(d.States) != 1 || len(d.States[0].OID) != 64 || d.Main != main {
		t.Errorf("%+v", d)
	}
	if ok, err := b.FetchSnapshot(t.Context(), agents[0], item, main); !ok || err != nil {
		t.Errorf("%v %v", ok, err)
	}
}

// TestEmptyRemote: no commits at all; agents still meet.
func TestEmptyRemote(t *testing.T) {
	t.Parallel()
	w := &world{t: t, mode: bus.Remote, now: time.Unix(1e9, 0), control: t.TempDir(), options: Options{Remote: "origin", Main: "main"}}
	w.remote = gittest.Bare(t)
	w.machines = [2]*gittest.Repo{w.remote.Clone(), w.remote.Clone()}
	a, b := w.Open(0), w.Open(1)
	if err := a.UpdateState(t.Context(), agents[0], withItem("mine")); err != nil {
		t.Fatal(err)
	}
	w.Advance(time.Minute)
	r, err := b.Refresh(t.Context())
	if err != nil || !r.MainMissing {
		t.Fatalf("%+v %v", r, err)
	}
	if d := w.see(b); len(d.States) != 1 || d.Main != "" {
		t.Errorf("%+v", d)
	}
}

// TestMainRenamed: after the user names another main, the copy of the old one is not
// taken for it, not even before the next fetch.
func TestMainRenamed(t *testing.T) {
	t.Parallel()
	w := newRemoteWorld(t)
	if d := w.see(w.Open(0)); d.Main == "" {
		t.Fatal("no main")
	}
	w.options.Main = "trunk"
	b := w.Open(0)
	if d, err := b.Load(t.Context(), nil); err != nil || d.Main != "" {
		t.Errorf("main %q, %v", d.Main, err)
	}
	if d := w.see(b); d.Main != "" {
		t.Errorf("main %q, and the remote has no trunk", d.Main)
	}
	w.remote.Git("branch", "-m", "main", "trunk")
	w.Advance(time.Hour)
	if d := w.see(b); d.Main == "" || d.Main != w.Value("refs/heads/trunk") {
		t.Errorf("main %q", d.Main)
	}
}

// TestOwnDocumentUnreadable: garbage in the own ref does not lock the agent out; a
// newer gitlet's document is not overwritten.
func TestOwnDocumentUnreadable(t *testing.T) {
	t.Parallel()
	w := newLocalWorld(t)
	a := w.Open(0)
	ctx := t.Context()
	w.Put(bus.StateRef(agents[0]), "state.json", []byte("noise"))
	if st, err := a.State(ctx, agents[0]); st != nil || err != nil {
		t.Errorf("%+v %v", st, err)
	}
	if err := a.UpdateState(ctx, agents[0], withItem("again")); err != nil {
		t.Error(err)
	}
	w.Put(bus.StateRef(agents[0]), "state.json", []byte(`{"format":2}`))
	var newer *wire.NewerFormat
	if _, err := a.State(ctx, agents[0]); !errors.As(err, &newer) {
		t.Errorf("state: %v", err)
	}
	if err := a.UpdateState(ctx, agents[0], withItem("over it")); !errors.As(err, &newer) {
		t.Errorf("update: %v", err)
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	w := newLocalWorld(t)
	repo := w.open(w.machines[0])
	for _, bad := range []Options{
		{Main: "-x"}, {Main: "a..b"}, {Agent: "UP"}, {Agent: "../x"}, {Namespace: "heads/"}, {Namespace: "refs/x"}, {Namespace: "refs/../"},
	} {
		if _, err := New(repo, bad); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
	b, err := New(repo, Options{Remote: "https://example.com/a.git"})
	if err != nil || !wire.ValidBranch(b.key) || b.Mode() != bus.Remote {
		t.Errorf("%+v %v", b, err)
	}
}
