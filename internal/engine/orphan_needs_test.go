package engine

import (
	"context"
	"strings"
	"testing"

	"gitlet/internal/id"
	"gitlet/internal/model"
)

// TestNeedsEndWithTheirTask: a call that was stopped between writing that the task ended and
// dropping its needs leaves needs of nothing. Others do not count them, and the next call
// of their owner drops them; those of an open task stay.
func TestNeedsEndWithTheirTask(t *testing.T) {
	t.Parallel()
	repos := machines(t, "one", "two")
	for _, r := range repos {
		r.Git("config", "gitlet.pollInterval", "0")
	}
	e, other := reopen(t, repos["one"].Dir), reopen(t, repos["two"].Dir)
	defer e.Close()
	defer other.Close()
	ended, open := id.NewItem(), id.NewItem()
	with(t, e, func(ctx context.Context, c *Call) error {
		for i, item := range []string{ended, open} {
			err := c.changeState(ctx, func(st *model.State) error {
				st.Items = append(st.Items, model.Item{ID: item, Intent: "Task", Branch: "b", Status: model.ItemSubmitted, OpenedAt: c.Now})
				return nil
			})
			if err != nil {
				return err
			}
			if _, err := c.Need(ctx, model.Symbol{Key: strings.Repeat("ab"[i:i+1], 16), Path: "lib.go", Qualified: "X", Name: "X"}, item, ""); err != nil {
				return err
			}
		}
		return c.changeState(ctx, func(st *model.State) error {
			st.Item(ended).Status = model.ItemAbandoned
			return nil
		})
	})
	with(t, other, func(ctx context.Context, c *Call) error {
		v, err := c.View(ctx)
		if err == nil && (len(v.Needs) != 1 || v.Needs[0].Item != open) {
			t.Errorf("the other sees %+v", v.Needs)
		}
		return err
	})
	with(t, e, func(ctx context.Context, c *Call) error {
		box, err := c.bus.Outbox(ctx, c.Agent())
		if err == nil && (len(box.Needs) != 1 || box.Needs[0].Item != open) {
			t.Errorf("their owner kept %+v", box.Needs)
		}
		return err
	})
}
