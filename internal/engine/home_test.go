package engine

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/verb"
)

func TestChooseHome(t *testing.T) {
	t.Parallel()
	at := func(agent, dir string, inode uint64) home {
		return home{identity: identity{Agent: agent, Dir: dir, Inode: inode}}
	}
	for name, c := range map[string]struct {
		homes  []home
		others string // whom another worktree's file names
		live   string // who has a session
		want   string
	}{
		"nobody":                            {},
		"the one that lived here":           {homes: []home{at("a", "/r/.git", 7), at("b", "/r/.git/worktrees/b", 8)}, want: "a"},
		"a copy of its clone":               {homes: []home{at("a", "/original/.git", 7)}},
		"a copy whose inode fits":           {homes: []home{at("a", "/original/.git", 5)}},
		"with its session still running":    {homes: []home{at("a", "/r/.git", 7)}, live: "a", want: "a"},
		"restored to the same place":        {homes: []home{at("a", "/r/.git", 4)}, want: "a"},
		"the place is another's now":        {homes: []home{at("a", "/r/.git", 4)}, live: "a"},
		"another worktree is it":            {homes: []home{at("a", "/r/.git", 7)}, others: "a"},
		"two that lived here, one exactly":  {homes: []home{at("a", "/r/.git", 4), at("b", "/r/.git", 7)}, want: "b"},
		"two that lived here, neither more": {homes: []home{at("a", "/r/.git", 4), at("b", "/r/.git", 3)}},
		"two exactly":                       {homes: []home{at("a", "/r/.git", 7), at("b", "/r/.git", 7)}},
		"two exactly, one lives elsewhere":  {homes: []home{at("a", "/r/.git", 7), at("b", "/r/.git", 7)}, others: "b", want: "a"},
	} {
		all := map[string]home{}
		for _, h := range c.homes {
			all[h.Agent] = h
		}
		got := chooseHome(all, "/r/.git", 7, map[string]bool{c.others: true}, func(agent string) bool { return agent == c.live })
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestLocalStateDeleted: whatever is deleted of gitlet's files, a worktree is who it was
// with the work it had, and knows the branches of the items it finished.
func TestLocalStateDeleted(t *testing.T) {
	t.Parallel()
	for what, remove := range map[string][]string{
		"the ledger":   {"gitlet/ledger.db", "gitlet/ledger.db-wal", "gitlet/ledger.db-shm"},
		"the identity": {"gitlet/agent"},
		"everything":   {"gitlet"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			repos := machines(t, "one")
			main := repos["one"]
			linked := main.Path("../linked")
			main.Git("worktree", "add", "-q", "-b", "beside", linked)
			dirs := map[string]string{"main": main.Dir, "linked": linked}
			was, task := map[string]string{}, map[string]string{}
			for name, dir := range dirs {
				e := reopen(t, dir)
				was[name], task[name] = e.Agent(), id.NewItem()
				done := id.NewItem()
				with(t, e, func(ctx context.Context, c *Call) error {
					_, err := c.Open(ctx, model.Item{ID: done, Intent: "Done", Branch: "done-" + name, Status: model.ItemActive, OpenedAt: c.Now})
					return err
				})
				with(t, e, func(ctx context.Context, c *Call) error { return c.Close(ctx, done, model.ItemAbandoned, "") })
				with(t, e, func(ctx context.Context, c *Call) error {
					_, err := c.Open(ctx, model.Item{ID: task[name], Intent: "Open", Status: model.ItemActive, OpenedAt: c.Now})
					return err
				})
				if err := e.Close(); err != nil {
					t.Fatal(err)
				}
			}
			for _, file := range remove {
				for _, gitDir := range []string{".git", ".git/worktrees/linked"} {
					if err := os.RemoveAll(filepath.Join(main.Dir, gitDir, file)); err != nil {
						t.Fatal(err)
					}
				}
			}
			for name, dir := range dirs {
				e := reopen(t, dir)
				defer e.Close()
				if e.Agent() != was[name] {
					t.Errorf("%s was %q and is %q", name, was[name], e.Agent())
					continue
				}
				with(t, e, func(ctx context.Context, c *Call) error {
					st, err := c.State(ctx)
					if err == nil && (st.Active() == nil || st.Active().ID != task[name]) {
						t.Errorf("%s works on %+v", name, st.Active())
					}
					closed, cerr := c.ledger.Closed(ctx, c.Agent())
					if cerr != nil || len(closed) != 1 || closed[0].Intent != "Done" || closed[0].Head == "" || closed[0].Status != model.ItemAbandoned {
						t.Errorf("%s finished %+v, %v", name, closed, cerr)
					}
					return err
				})
			}
		})
	}
}

// TestCopiedCloneIsNobody: a copy without gitlet's folder is not its original.
func TestCopiedCloneIsNobody(t *testing.T) {
	t.Parallel()
	repos := machines(t, "one")
	e := reopen(t, repos["one"].Dir)
	defer e.Close()
	copied := repos["one"].Path("../copied")
	if err := os.CopyFS(copied, os.DirFS(repos["one"].Dir)); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(copied, ".git", "gitlet")); err != nil {
		t.Fatal(err)
	}
	other := reopen(t, copied)
	defer other.Close()
	if other.Agent() == e.Agent() {
		t.Errorf("both are %q", e.Agent())
	}
}

func reopen(t *testing.T, dir string) *Engine {
	t.Helper()
	e, err := Open(t.Context(), Options{Dir: dir, Client: "cli"})
	if err != nil {
		t.Fatal(err)
	}
	e.budget = tickBudget // the machine may be busy
	return e
}

func with(t *testing.T, e *Engine, do func(context.Context, *Call) error) {
	t.Helper()
	r := e.Run(t.Context(), verb.Spec{Name: "look"}, func(ctx context.Context, c *Call) (*verb.Result, error) {
		return &verb.Result{Outcome: verb.OK}, do(ctx, c)
	})
	if r.Outcome != verb.OK {
		t.Fatalf("%+v", r)
	}
	if len(r.Warnings) > 0 {
		t.Logf("warnings %q", r.Warnings)
	}
}

func nothing(context.Context, *Call) error { return nil }
