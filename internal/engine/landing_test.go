package engine

import (
	"context"
	"strings"
	"testing"

	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/verb"
)

// TestLandedItemIsClosed: a submitted task whose squash is on main is closed, its claims,
// needs and snapshot are gone, and it is said once; as is that main took it back.
func TestLandedItemIsClosed(t *testing.T) {
	t.Parallel()
	repos := machines(t, "one", "two")
	one, two := repos["one"], repos["two"]
	one.Git("config", "gitlet.pollInterval", "0")
	e := reopen(t, one.Dir)
	defer e.Close()
	task := id.NewItem()
	one.Git("switch", "-q", "-c", "work")
	with(t, e, func(ctx context.Context, c *Call) error {
		_, err := c.Open(ctx, model.Item{ID: task, Intent: "Do it", Branch: "work", Status: model.ItemActive, OpenedAt: c.Now})
		return err
	})
	one.Write("task.txt", "done\n")
	one.Commit("Do it")
	one.Git("push", "-q", "origin", "work")
	with(t, e, func(ctx context.Context, c *Call) error {
		_, err := c.Need(ctx, model.Symbol{Key: strings.Repeat("a", 16), Path: "lib.go", Qualified: "X", Name: "X"}, task, "keep it")
		return err
	})
	with(t, e, func(ctx context.Context, c *Call) error {
		return c.changeState(ctx, func(st *model.State) error {
			st.Item(task).Status = model.ItemSubmitted
			return nil
		})
	})
	look := func() (*verb.Result, *model.Item, int) {
		var it *model.Item
		needs := 0
		r := e.Run(t.Context(), verb.Spec{Name: "look"}, func(ctx context.Context, c *Call) (*verb.Result, error) {
			st, err := c.State(ctx)
			if err != nil {
				return nil, err
			}
			it = st.Item(task)
			box, err := c.bus.Outbox(ctx, c.Agent())
			if box != nil {
				needs = len(box.Needs)
			}
			return &verb.Result{Outcome: verb.OK}, err
		})
		return r, it, needs
	}
	said := func(r *verb.Result, what string) bool { return strings.Contains(strings.Join(r.Warnings, "\n"), what) }

	if r, it, needs := look(); it == nil || it.Status != model.ItemSubmitted || needs != 1 || said(r, "landed") {
		t.Fatalf("before: %+v, %d needs, %q", it, needs, r.Warnings)
	}
	two.Git("fetch", "-q", "origin")
	two.Git("merge", "-q", "--squash", "origin/work")
	two.Commit("Do it (#1)")
	two.Git("push", "-q", "origin", "HEAD:main")
	if r, it, needs := look(); it == nil || it.Status != model.ItemLanded || needs != 0 || !said(r, `your task "Do it" has landed`) {
		t.Fatalf("after it landed: %+v, %d needs, %q", it, needs, r.Warnings)
	}
	if r, _, _ := look(); said(r, "landed") {
		t.Errorf("said twice: %q", r.Warnings)
	}
	if refs := one.Git("for-each-ref", "refs/gitlet/wip"); refs != "" {
		t.Errorf("its snapshot is still there: %s", refs)
	}
	two.Git("revert", "--no-edit", "HEAD")
	two.Git("push", "-q", "origin", "HEAD:main")
	if r, it, _ := look(); it.Status != model.ItemLanded || !said(r, "was taken back on main since") {
		t.Errorf("after the revert: %+v, %q", it, r.Warnings)
	}
}
