package engine

import (
	"context"
	"errors"

	"gitlet/internal/bus"
	"gitlet/internal/config"
	"gitlet/internal/git"
	"gitlet/internal/ledger"
	"gitlet/internal/model"
)

// What verbs may ask of the engine beside the view and the notes.

// Agent is this worktree's agent id.
func (e *Engine) Agent() string { return e.who.Agent }

// Root is the worktree's top directory.
func (e *Engine) Root() string { return e.wt.Root }

// Head is where HEAD stood when the work was last read.
func (e *Engine) Head() git.Head { return e.head }

// LeftOut is a file of the work that no snapshot takes, and why.
type LeftOut struct{ Path, Why string }

// LeftOut lists the files that others do not get to see, as last read.
func (e *Engine) LeftOut() []LeftOut { return e.leftOut }

// Main is main's name.
func (e *Engine) Main() string { return e.main.Name }

// Settings are the clone's settings.
func (e *Engine) Settings() config.Settings { return e.settings }

// Warn adds a warning to the result.
func (e *Engine) Warn(format string, args ...any) { e.warnings.add(format, args...) }

// State is this agent's own state; an empty one when it has none. It is for looking:
// what changes it reads it again, under the agent's lock.
func (e *Engine) State(ctx context.Context) (*model.State, error) {
	if e.own != nil {
		own := *e.own
		own.Items = append([]model.Item(nil), e.own.Items...)
		return &own, nil
	}
	st, err := e.bus.State(ctx, e.who.Agent)
	if err != nil {
		return nil, err
	}
	if st == nil {
		st = &model.State{}
	}
	return st, nil
}

// ErrTaken: another call of this agent opened a task meanwhile.
var ErrTaken = errors.New("another call opened a task meanwhile")

// Open writes a new or adopted active item into this agent's state and shares it.
// That others could not be told yet is a warning, not an error. undo puts the state
// back as it was, for a caller that cannot go on. Errors: ErrTaken; any other says
// that nothing was written.
func (c *Call) Open(ctx context.Context, it model.Item) (undo func(context.Context) error, err error) {
	var was *model.Item
	err = c.changeState(ctx, func(st *model.State) error {
		was = nil
		active := st.Active()
		switch {
		case active == nil:
			st.Items = append(st.Items, it)
			return nil
		case !active.Provisional:
			return ErrTaken
		}
		// Work that a background step found meanwhile belongs to the task too.
		old := *active
		was = &old
		it.ID, it.Footprint, it.OpenedAt = old.ID, old.Footprint, old.OpenedAt
		*active = it
		return nil
	})
	return func(ctx context.Context) error {
		return c.changeState(ctx, func(st *model.State) error {
			if was == nil {
				remove(st, it.ID)
			} else if now := st.Item(it.ID); now != nil {
				*now = *was
			}
			return nil
		})
	}, err
}

// Close ends an item: it leaves its snapshot's ref and is remembered by its branch.
func (c *Call) Close(ctx context.Context, item string, status model.ItemStatus, reason string) error {
	closed, err := c.end(ctx, item, status, reason)
	if err != nil || closed.ID == "" {
		return err
	}
	shared, _ := c.lastShared(ctx, item)
	head := c.head.OID
	if closed.Branch != "" && closed.Branch != c.head.Branch {
		head = c.branchTip(ctx, closed)
	}
	if pushed := c.forgetPushed(ctx, item); pushed != "" {
		shared = pushed
	}
	if closed.Provisional {
		err = c.ledger.Set(ctx, c.who.Agent, keyLetGo, closed.Snapshot)
	} else {
		err = c.RememberClosed(ctx, ledger.ClosedItem{ID: item, Intent: closed.Intent, Branch: closed.Branch,
			Head: head, LastPushed: shared, Status: status, ClosedAt: c.Now})
	}
	if err != nil {
		c.warnings.add("that the task ended could not be noted: %v", err)
	}
	pctx, cancel := c.publishing(ctx)
	defer cancel()
	if err := c.bus.DropSnapshot(pctx, c.who.Agent, item); err != nil {
		c.publishProblem(pctx, "the removal of its snapshot", err)
	}
	return nil
}

// end says in the shared documents that an item ended, and lets go of what it held. It
// returns the item as it was, a zero one when it was not open.
func (c *Call) end(ctx context.Context, item string, status model.ItemStatus, reason string) (closed model.Item, err error) {
	last, err := c.lastWords(ctx, item, status, reason)
	if err != nil {
		return closed, err
	}
	err = c.changeState(ctx, func(st *model.State) error {
		closed = model.Item{}
		it := st.Item(item)
		if it == nil || !it.Status.Open() {
			return bus.ErrUnchanged
		}
		closed = *it
		if it.Provisional {
			remove(st, item)
			return nil
		}
		it.Status, it.UpdatedAt = status, c.Now
		it.Snapshot, it.Footprint = "", nil
		return nil
	})
	if err == nil && closed.ID != "" {
		c.releaseItem(ctx, item, last)
	}
	return closed, err
}

// changeState writes this agent's state. An error means nothing was written; what
// the remote made of it becomes a warning.
func (c *Call) changeState(ctx context.Context, change func(*model.State) error) error {
	c.own = nil
	pctx, cancel := c.publishing(ctx)
	defer cancel()
	var inner error
	var own model.State
	err := c.bus.UpdateState(pctx, c.who.Agent, func(st *model.State) error {
		if inner = change(st); inner != nil {
			return inner
		}
		st.Agent, st.Heartbeat = c.agent, c.Now
		st.LeaseSeconds = int(c.settings.Lease.Seconds())
		own = *st
		return nil
	})
	switch {
	case errors.Is(inner, bus.ErrUnchanged):
		return nil
	case inner != nil:
		return inner
	case err != nil && !c.stands(ctx, err):
		return err
	}
	c.own = &own
	if err != nil {
		c.publishProblem(pctx, "your state", err)
	}
	return nil
}

// stands reports whether a state whose write ended in err is in place here all the
// same, so that only the others do not have it yet.
func (c *Call) stands(ctx context.Context, err error) bool {
	var refused *bus.Refused
	if errors.Is(err, bus.ErrOffline) || errors.Is(err, bus.ErrDenied) || errors.Is(err, bus.ErrCollision) || errors.As(err, &refused) {
		return true
	}
	// It was cut short, or something broke: what is written says it.
	rctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.budget.publish)
	defer cancel()
	st, rerr := c.bus.State(rctx, c.who.Agent)
	return rerr == nil && st != nil && st.Heartbeat.Equal(c.Now)
}

// Operation names the git operation in progress here, "" for none.
func (c *Call) Operation(ctx context.Context) (string, error) { return c.wt.Operation(ctx) }

// ValidBranch reports whether git allows the name for a branch.
func (c *Call) ValidBranch(ctx context.Context, name string) (bool, error) {
	return c.wt.ValidBranch(ctx, name)
}

// BranchExists reports whether there is a local branch of that name.
func (c *Call) BranchExists(ctx context.Context, name string) (bool, error) {
	return c.wt.BranchExists(ctx, name)
}

// BranchTaken reports whether a local branch has that name or lies below it, so that none
// can be made there.
func (c *Call) BranchTaken(ctx context.Context, name string) (bool, error) {
	refs, err := c.wt.Refs(ctx, "refs/heads/"+name)
	return len(refs) > 0, err
}

// HeadNow reads where HEAD is at this moment.
func (c *Call) HeadNow(ctx context.Context) (git.Head, error) {
	return c.wt.Head(context.WithoutCancel(ctx))
}

// SwitchNew makes a branch at from ("" is HEAD) and switches to it, carrying
// uncommitted changes along.
func (c *Call) SwitchNew(ctx context.Context, name, from string) error {
	return c.wt.Foreground().SwitchNew(ctx, name, from)
}

// Log lists commits, newest first.
func (c *Call) Log(ctx context.Context, o git.LogOptions) ([]git.Commit, error) {
	return c.wt.Log(ctx, o)
}
