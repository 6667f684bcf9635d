package engine

import (
	"context"
	"slices"
	"time"

	"gitlet/internal/gate"
	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/notes"
)

// What runs inside git's own hooks: it goes by what this clone knows, nothing is asked of
// the remote, and what is written stands here until a verb or a session sends it.

// HookTime is how long a hook may hold up the git that runs it.
func HookTime() time.Duration { return verbBudget.hook }

// Local runs do over what is known here.
func (e *Engine) Local(ctx context.Context, do func(context.Context, *Call) error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.local, e.slow, e.own = true, true, nil
	defer func() { e.local, e.slow = false, false }()
	e.warnings.reset()
	if err := e.load(ctx); err != nil {
		return err
	}
	return do(ctx, &Call{Engine: e, Now: e.now()})
}

// ReadWork reads the work tree and brings this agent's state in line with it.
func (c *Call) ReadWork(ctx context.Context) {
	c.lastCall = c.Now
	c.ownWork(ctx, c.Now)
}

// DeliverHook picks the new notes for a hook to show that are at least as strong as
// least; the next result shows them once more.
func (c *Call) DeliverHook(ctx context.Context, max int, least model.Severity) (show []model.Note, more int, err error) {
	if _, err := c.reconcile(ctx); err != nil {
		return nil, 0, err
	}
	err = c.updateNotes(ctx, func(s []notes.Stored) []notes.Stored {
		var out []notes.Stored
		show, more, out = notes.DeliverHook(s, max, least)
		return out
	})
	return show, more, err
}

// LastMove says what HEAD was last moved for, "" where that is not kept.
func (c *Call) LastMove(ctx context.Context) (string, error) {
	log, err := c.wt.Reflog(ctx, "HEAD", 1)
	if err != nil || len(log) == 0 {
		return "", err
	}
	return log[0].Why, nil
}

// GitSetting is a setting of git's, "" where it is not set.
func (c *Call) GitSetting(ctx context.Context, key string) (string, error) {
	conf, err := c.wt.KnownConfig(ctx)
	if err != nil {
		return "", err
	}
	v, _ := conf.Get(key)
	return v, nil
}

// ItemHere is the task that commits made here belong to: the one that was submitted from
// this branch, or the active one. nil for none.
func (c *Call) ItemHere(ctx context.Context) (*model.Item, error) {
	st, err := c.State(ctx)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(st.Items, func(it model.Item) bool { return it.Status == model.ItemSubmitted }) {
		return st.Active(), nil // most often: the branch does not matter
	}
	head, err := c.wt.Head(ctx)
	if err != nil {
		return nil, err
	}
	if it := st.SubmittedOn(head.Branch); it != nil {
		return it, nil
	}
	return st.Active(), nil
}

// AsItStands is an item with the footprint of its work now: what is in the work tree, or,
// once it was submitted, what is committed here. What others see of that follows when it
// is submitted again.
func (c *Call) AsItStands(ctx context.Context, it model.Item) (*model.Item, error) {
	if it.Status == model.ItemSubmitted {
		head, err := c.wt.Head(ctx)
		if err != nil {
			return nil, err
		}
		base, err := c.base(ctx, head.OID)
		if err != nil {
			return nil, err
		}
		it.Footprint, err = c.footprint(ctx, base, head.OID, it.ID)
		return &it, err
	}
	it.Footprint = c.whole(ctx, it.Footprint)
	return &it, nil
}

// ItemOn is the open task of this agent on one of the branches, nil for none.
func (c *Call) ItemOn(ctx context.Context, branches ...string) (*model.Item, error) {
	st, err := c.State(ctx)
	if err != nil {
		return nil, err
	}
	for _, b := range branches {
		for i := range st.Items {
			if it := &st.Items[i]; it.Status.Open() && it.Branch == b && b != c.main.Name {
				return it, nil
			}
		}
	}
	return nil, nil
}

// CommittedMarkers says whether the commit at HEAD brought conflict markers.
func (c *Call) CommittedMarkers(ctx context.Context) ([]gate.Finding, error) {
	log, err := c.wt.Log(ctx, git.LogOptions{Max: 1})
	if err != nil || len(log) == 0 {
		return nil, err
	}
	in := gate.Input{WT: c.wt, Head: log[0].OID}
	if len(log[0].Parents) > 0 {
		in.Main = log[0].Parents[0]
	}
	return gate.Markers(ctx, in)
}
