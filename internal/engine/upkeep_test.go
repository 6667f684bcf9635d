package engine

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/model"
)

func TestReapable(t *testing.T) {
	t.Parallel()
	const key, other = "0123456789abcdef", "fedcba9876543210"
	docs := &bus.Docs{}
	for _, a := range []string{"me", "gone", "back"} {
		docs.States = append(docs.States, bus.Doc[model.State]{Ref: bus.StateRef(a), OID: "s-" + a, Value: model.State{Agent: model.Agent{ID: a}}})
	}
	docs.Outboxes = []bus.Doc[model.Outbox]{
		{Ref: bus.OutboxRef("gone"), OID: "o-gone", Value: model.Outbox{Agent: "gone"}},
		{Ref: bus.OutboxRef("back"), OID: "o-back", Value: model.Outbox{Agent: "back", Needs: []model.Need{{Key: other}}}},
	}
	docs.Problems = []bus.Problem{
		{Ref: bus.StateRef("broken"), OID: "s-broken", Why: "noise"},
		{Ref: bus.StateRef("gone"), OID: "s-gone", Why: "one bad entry"},
		{Ref: bus.OutboxRef("broken"), OID: "o-broken", Why: "noise"},
		{Ref: "refs/gitlet/agents/BAD ID/state", OID: "x"},
	}
	for owner, k := range map[string]string{"gone": key, "back": other} {
		docs.Claims = append(docs.Claims, bus.Doc[model.Claim]{Ref: bus.ClaimRef(k), OID: "c-" + k, Value: model.Claim{Key: k, Owner: owner}})
	}
	agents, claims := reapable(docs, "me", func(ref string) bool { return !strings.Contains(ref, "/back/") })
	want := []bus.Remains{{Agent: "broken", State: "s-broken", Outbox: "o-broken"}, {Agent: "gone", State: "s-gone", Outbox: "o-gone"}}
	slices.SortFunc(agents, func(a, b bus.Remains) int { return strings.Compare(a.Agent, b.Agent) })
	if !slices.Equal(agents, want) {
		t.Errorf("agents %+v, want %+v", agents, want)
	}
	// The claim that somebody needs stays, whoever owned it.
	if len(claims) != 1 || claims[0].Claim.Key != key {
		t.Errorf("claims %+v", claims)
	}
	for i := range 2 * maxReaped {
		name := "more-" + string(rune('a'+i))
		docs.States = append(docs.States, bus.Doc[model.State]{Ref: bus.StateRef(name), Value: model.State{Agent: model.Agent{ID: name}}})
	}
	if agents, _ = reapable(docs, "me", func(string) bool { return true }); len(agents) != maxReaped {
		t.Errorf("%d agents in one round, want %d", len(agents), maxReaped)
	}
}

func TestDropSettled(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 10, 26, 0, 0, 0, 0, time.UTC)
	settled := map[string]time.Time{"old": now.Add(-61 * time.Minute), "fresh": now.Add(-time.Hour)}
	o := model.Outbox{Needs: []model.Need{{ID: "n"}}}
	for _, thread := range []string{"old", "fresh", "open", "old"} {
		o.Messages = append(o.Messages, model.Message{Thread: thread})
		o.Accepts = append(o.Accepts, model.Accept{Thread: thread})
	}
	if !dropSettled(&o, settled, now) || len(o.Messages) != 2 || len(o.Accepts) != 2 || len(o.Needs) != 1 {
		t.Errorf("left %+v", o)
	}
	if dropSettled(&o, settled, now) {
		t.Error("there was nothing more to drop")
	}
}

// TestAgentsGoneForGoodAreReaped: what an agent left is removed once it stood unchanged
// for the whole time, by whoever is there; checkpoints and kept snapshots stay.
func TestAgentsGoneForGoodAreReaped(t *testing.T) {
	repos := machines(t, "claude", "codex")
	for _, r := range repos {
		r.Git("config", "gitlet.reapAfter", "2h")
		r.Git("config", "gitlet.pollInterval", "10m")
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		ha, a := session(t, ctx, repos["claude"], "claude-host-000001")
		hb, _ := session(t, ctx, repos["codex"], "codex-host-000002")
		repos["claude"].Write("lib/lib.go", "package lib\n\nfunc Load(path string, strict bool) error { return nil }\n")
		look(t, a)
		kill(ha)
		head := repos["codex"].Git("rev-parse", "HEAD")
		kept := []string{"refs/gitlet/checkpoints/claude-host-000001/x", "refs/gitlet/kept/claude-host-000001/x"}
		for _, ref := range kept {
			repos["codex"].Git("update-ref", ref, head)
		}
		refs := func() string {
			return repos["codex"].Git("ls-remote", "origin", "refs/gitlet/*/claude-host-000001/*")
		}
		time.Sleep(110 * time.Minute)
		if refs() == "" {
			t.Error("it was reaped too early")
		}
		time.Sleep(100 * time.Minute)
		if got := refs(); got != "" {
			t.Errorf("left on the remote: %s", got)
		}
		for _, ref := range kept {
			if got, err := repos["codex"].TryGit("rev-parse", ref); err != nil || got != head {
				t.Errorf("%s: %s, %v", ref, got, err)
			}
		}
		// The owner comes back, and so does what it says.
		ha2, a2 := session(t, ctx, repos["claude"], "claude-host-000001")
		if items, _, _ := look(t, a2); len(items) != 1 {
			t.Errorf("items after it came back: %+v", items)
		}
		if refs() == "" {
			t.Error("an owner that is back made nothing anew")
		}
		stop()
		for _, h := range []*Host{ha, hb, ha2} {
			if err := h.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestShellOnlyAgentsReapToo: without any session alive, commands do what is due for
// everybody once their answer is out.
func TestShellOnlyAgentsReapToo(t *testing.T) {
	repos := machines(t, "claude", "codex")
	for _, r := range repos {
		r.Git("config", "gitlet.reapAfter", "2h")
		r.Git("config", "gitlet.pollInterval", "10m")
	}
	synctest.Test(t, func(t *testing.T) {
		ha, a := session(t, t.Context(), repos["claude"], "claude-host-000001")
		repos["claude"].Write("lib/lib.go", "package lib\n\nfunc Load(path string, strict bool) error { return nil }\n")
		look(t, a)
		kill(ha)
		refs := func() string {
			return repos["codex"].Git("ls-remote", "origin", "refs/gitlet/*/claude-host-000001/*")
		}
		command := func() {
			e, err := Open(t.Context(), Options{Dir: repos["codex"].Dir, Client: "cli", Agent: "codex-host-000002"})
			if err != nil {
				t.Fatal(err)
			}
			look(t, e)
			e.AfterReply(t.Context())
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		}
		for range 11 {
			command()
			time.Sleep(10 * time.Minute)
		}
		if refs() == "" {
			t.Error("it was reaped too early")
		}
		for range 10 {
			command()
			time.Sleep(10 * time.Minute)
		}
		if got := refs(); got != "" {
			t.Errorf("left on the remote: %s", got)
		}
		if err := ha.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestOutsideBranches: branches of people without gitlet are fetched by ticks, once per
// interval.
func TestOutsideBranches(t *testing.T) {
	repos := machines(t, "claude", "codex")
	synctest.Test(t, func(t *testing.T) {
		h, _ := session(t, t.Context(), repos["claude"], "claude-host-000001")
		push := func(name string) {
			repos["codex"].Git("switch", "-q", "-c", name)
			repos["codex"].Commit(name)
			repos["codex"].Git("push", "-q", "origin", name)
		}
		have := func(name string) bool {
			_, err := repos["claude"].TryGit("rev-parse", "-q", "--verify", "refs/gitlet-heads/origin/"+name)
			return err == nil
		}
		push("one")
		time.Sleep(time.Second)
		push("two")
		time.Sleep(4 * time.Minute)
		if have("two") {
			t.Error("the second branch was fetched before the interval was over")
		}
		time.Sleep(2 * time.Minute)
		if !have("two") || !have("one") {
			t.Errorf("fetched: one %v, two %v", have("one"), have("two"))
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
}
