package engine

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gitlet/internal/git/gittest"
	"gitlet/internal/model"
	"gitlet/internal/verb"
)

const library = `
-- go.mod --
module example.com/m

go 1.24
-- lib/lib.go --
package lib

func Load(path string) error { return nil }
-- app/app.go --
package app
`

// machines makes a remote with the library on main and a clone per name.
func machines(t *testing.T, names ...string) map[string]*gittest.Repo {
	t.Helper()
	seed := gittest.New(t)
	seed.CommitFiles("Base", library)
	remote := gittest.Bare(t)
	seed.Git("push", "-q", remote.Dir, "main")
	remote.Git("symbolic-ref", "HEAD", "refs/heads/main")
	out := map[string]*gittest.Repo{}
	for _, n := range names {
		out[n] = remote.Clone()
	}
	return out
}

func session(t *testing.T, ctx context.Context, repo *gittest.Repo, agent string) (*Host, *Engine) {
	t.Helper()
	h := NewHost(ctx, nil)
	e, err := h.Open(t.Context(), Options{Dir: repo.Dir, Client: "test", Agent: agent})
	if err != nil {
		t.Fatal(err)
	}
	return h, e
}

// kill ends a host's sessions as the end of its process would: nothing is said.
func kill(h *Host) {
	h.stop()
	h.ticks.Wait()
	for _, s := range h.served {
		s.lock.Unlock()
		s.lock = nil
	}
}

// look runs a verb that only looks, and returns what it sees.
func look(t *testing.T, e *Engine) (items []model.Item, peers []string, notes []model.Note) {
	t.Helper()
	r := e.Run(t.Context(), verb.Spec{Name: "look"}, func(ctx context.Context, c *Call) (*verb.Result, error) {
		v, err := c.View(ctx)
		if err != nil {
			return nil, err
		}
		items = v.Items
		for _, p := range v.Peers {
			if !p.Mine {
				peers = append(peers, p.Agent.ID+": "+p.Item.Intent)
			}
		}
		notes, _, err = c.AllNotes(ctx)
		return &verb.Result{Outcome: verb.OK}, err
	})
	if r.Outcome != verb.OK || len(otherWarnings(r)) > 0 {
		t.Fatalf("look: %+v", r)
	}
	return items, peers, notes
}

// TestASilentSessionIsSeen runs two sessions in virtual time over real git. Neither
// calls a verb; each still hears of the other's change within two polls.
func TestASilentSessionIsSeen(t *testing.T) {
	repos := machines(t, "claude", "codex")
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		ha, _ := session(t, ctx, repos["claude"], "claude-host-000001")
		hb, b := session(t, ctx, repos["codex"], "codex-host-000002")
		time.Sleep(time.Minute)

		repos["claude"].Write("lib/lib.go", "package lib\n\nfunc Load(path string, strict bool) error { return nil }\n")
		repos["codex"].Write("app/app.go", "package app\n\nimport \"example.com/m/lib\"\n\nfunc Run() { lib.Load(\"x\") }\n")
		time.Sleep(time.Minute)

		b.mu.Lock()
		stored, err := b.ledger.Notes(t.Context(), "codex-host-000002")
		b.mu.Unlock()
		if err != nil {
			t.Fatal(err)
		}
		kinds := map[string]model.NoteState{}
		for _, n := range stored {
			kinds[n.Kind] = n.State
		}
		if kinds["callee_changed"] != model.NoteNew || kinds["untitled"] != model.NoteNew {
			t.Errorf("without a verb called, the notes are %v", kinds)
		}
		items, peers, _ := look(t, b)
		if len(items) != 1 || !items[0].Provisional || len(peers) != 1 || peers[0] != "claude-host-000001: work on main" {
			t.Errorf("items %+v, peers %v", items, peers)
		}
		stop()
		for _, h := range []*Host{ha, hb} {
			if err := h.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestIdleAgentsStayVisible lets one agent stop without a word: its item stays in the
// rules, marked idle, until it is stale.
func TestIdleAgentsStayVisible(t *testing.T) {
	repos := machines(t, "claude", "codex")
	repos["codex"].Git("config", "gitlet.staleItem", "30m")
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		ha, a := session(t, ctx, repos["claude"], "claude-host-000001")
		hb, b := session(t, ctx, repos["codex"], "codex-host-000002")
		repos["claude"].Write("lib/lib.go", "package lib\n\nfunc Load(path string, strict bool) error { return nil }\n")
		look(t, a)
		// The machine goes away without a word: its session ends as if killed.
		kill(ha)

		idle := func() (found, idle bool) {
			r := b.Run(t.Context(), verb.Spec{Name: "look"}, func(ctx context.Context, c *Call) (*verb.Result, error) {
				v, err := c.View(ctx)
				if err != nil {
					return nil, err
				}
				for _, p := range v.Peers {
					if p.Agent.ID == "claude-host-000001" {
						found, idle = true, p.Idle()
					}
				}
				return &verb.Result{Outcome: verb.OK}, nil
			})
			if r.Outcome != verb.OK {
				t.Fatalf("%+v", r)
			}
			return found, idle
		}
		for _, c := range []struct {
			after       time.Duration
			found, idle bool
		}{
			{5 * time.Minute, true, false},
			{10 * time.Minute, true, true},
			{10 * time.Minute, true, true},
			{10 * time.Minute, false, false},
		} {
			time.Sleep(c.after)
			if found, idle := idle(); found != c.found || idle != c.idle {
				t.Errorf("after another %s: found %v, idle %v; want %v, %v", c.after, found, idle, c.found, c.idle)
			}
		}
		stop()
		if err := hb.Close(); err != nil {
			t.Error(err)
		}
		if err := ha.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestShutdown: a session that ends says so. With work in flight its last heartbeat is
// of that moment; without any its documents leave the remote, and nothing else does.
func TestShutdown(t *testing.T) {
	repos := machines(t, "claude")
	repo := repos["claude"]
	synctest.Test(t, func(t *testing.T) {
		end := func(play func(*Engine)) {
			t.Helper()
			h, e := session(t, t.Context(), repo, "claude-host-000001")
			play(e)
			time.Sleep(90 * time.Second)
			if err := h.Close(); err != nil {
				t.Error(err)
			}
		}
		kept := "refs/gitlet/checkpoints/claude-host-000001/x"
		repo.Git("update-ref", kept, "HEAD")
		repo.Write("lib/lib.go", "package lib\n\nfunc Load(path string, strict bool) error { return nil }\n")
		end(func(e *Engine) { look(t, e) })
		repo.Git("fetch", "-q", "origin", "refs/gitlet/agents/claude-host-000001/state:refs/seen")
		if got, want := repo.Show("refs/seen", "state.json"), time.Now().UTC().Format("2006-01-02T15:04:05"); !strings.Contains(got, `"heartbeat":"`+want) {
			t.Errorf("no heartbeat of %s: %s", want, got)
		}
		repo.Git("checkout", "-q", "--", ".")
		end(func(e *Engine) { look(t, e) })
		if left := repo.Git("ls-remote", "origin", "refs/gitlet/*"); left != "" {
			t.Errorf("left on the remote: %s", left)
		}
		if repo.Git("rev-parse", kept) != repo.Git("rev-parse", "HEAD") {
			t.Error("a checkpoint was touched")
		}
	})
}
