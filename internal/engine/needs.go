package engine

import (
	"context"
	"errors"
	"slices"
	"sort"

	"gitlet/internal/bus"
	"gitlet/internal/id"
	"gitlet/internal/model"
)

// Need records that an item of this agent depends on a symbol, and what it asks of it
// ("" for nothing in particular). had is the need as it was before, nil when there was
// none; a requirement that is given replaces the one before. That others could not be
// told yet is a warning, not an error.
func (c *Call) Need(ctx context.Context, sym model.Symbol, item, requirement string) (had *model.Need, err error) {
	err = c.changeOutbox(ctx, func(o *model.Outbox) error {
		had = nil
		for i := range o.Needs {
			n := &o.Needs[i]
			if n.Key != sym.Key || n.Item != item {
				continue
			}
			was := *n
			had = &was
			if requirement == "" || n.Requirement == requirement {
				return bus.ErrUnchanged
			}
			n.Requirement = requirement
			return nil
		}
		o.Needs = append(o.Needs, model.Need{ID: id.NewMessage(), Key: sym.Key, Name: sym.Canonical(), Item: item,
			Requirement: requirement, CreatedAt: c.Now})
		return nil
	})
	return had, err
}

// changeOutbox writes this agent's outbox, drops what is long settled on the way, and
// reads everything again. An error means that nothing was written; what the remote made
// of it becomes a warning.
func (c *Call) changeOutbox(ctx context.Context, change func(*model.Outbox) error) error {
	pctx, cancel := c.publishing(ctx)
	defer cancel()
	var inner error
	var want *model.Outbox
	settled := c.carriedOut(ctx)
	err := c.bus.UpdateOutbox(pctx, c.who.Agent, func(o *model.Outbox) error {
		o.Agent = c.who.Agent
		if inner = change(o); inner != nil {
			return inner
		}
		dropSettled(o, settled, c.Now)
		now := *o
		want = &now
		return nil
	})
	switch {
	case errors.Is(inner, bus.ErrUnchanged):
		return nil
	case inner != nil:
		return inner
	case err != nil && !c.outboxStands(ctx, want, err):
		return err
	}
	if err != nil {
		c.publishProblem(pctx, "what you say to the others", err)
	}
	c.view, c.notes = nil, nil
	return c.load(ctx)
}

// outboxStands is stands for the outbox.
func (c *Call) outboxStands(ctx context.Context, want *model.Outbox, err error) bool {
	var refused *bus.Refused
	if errors.Is(err, bus.ErrOffline) || errors.Is(err, bus.ErrDenied) || errors.Is(err, bus.ErrCollision) || errors.As(err, &refused) {
		return true
	}
	if want == nil {
		return false
	}
	rctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.budget.publish)
	defer cancel()
	is, rerr := c.bus.Outbox(rctx, c.who.Agent)
	return rerr == nil && is != nil && len(is.Needs) == len(want.Needs) && len(is.Messages) == len(want.Messages) &&
		slices.Equal(is.Accepts, want.Accepts) && slices.Equal(is.Needs, want.Needs)
}

// requirements are what others ask of the interface behind a claim, as their needs say
// now: the claim repeats it, so that whoever reads the claim alone knows.
func (e *Engine) requirements(cl model.Claim) []model.Requirement {
	var out []model.Requirement
	for _, d := range e.docs.Outboxes {
		for _, n := range d.Value.Needs {
			if n.Key != cl.Key && (cl.MovedFrom == "" || n.Key != cl.MovedFrom) || n.Requirement == "" || d.Value.Agent == cl.Owner && n.Item == cl.Item {
				continue
			}
			if r := (model.Requirement{From: d.Value.Agent, Text: n.Requirement}); !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].From < out[j].From })
	return out[:min(len(out), maxRequirements)]
}

// maxRequirements bounds what a claim repeats.
const maxRequirements = 64
