package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"gitlet/internal/bug"
	"gitlet/internal/model"
	"gitlet/internal/verb"
	"gitlet/internal/view"
)

// Call is one run of a verb: what it may look at and change.
type Call struct {
	*Engine
	Spec verb.Spec
	Now  time.Time

	view  *view.View
	notes *told

	answered string // the note that the verb acted on
}

// View is everyone's work as this agent sees it now, read once per call.
func (c *Call) View(ctx context.Context) (*view.View, error) {
	if c.view != nil {
		return c.view, nil
	}
	v, err := c.buildView(ctx, c.Now)
	if err != nil {
		return nil, err
	}
	c.view = v
	return v, nil
}

// Changed tells the engine that the verb changed this agent's work (an item was
// opened or closed, the branch moved), so that it is read and published again.
func (c *Call) Changed(ctx context.Context) {
	c.view, c.notes = nil, nil
	c.ownWork(ctx, c.Now)
}

// Run carries out one verb: refresh, read the work tree, the verb itself, then the
// rules and what is new to tell. It always returns a result; a panic or an error
// becomes a fault that names the step.
func (e *Engine) Run(ctx context.Context, spec verb.Spec, do func(context.Context, *Call) (*verb.Result, error)) *verb.Result {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.run(ctx, spec, do)
}

// Look carries out a verb that only reads for somebody who is not the agent: the work
// tree is not read, and no note counts as told.
func (e *Engine) Look(ctx context.Context, spec verb.Spec, do func(context.Context, *Call) (*verb.Result, error)) *verb.Result {
	e.mu.Lock()
	defer e.mu.Unlock()
	was, last := e.second, e.lastCall
	e.second, e.looking = true, !was
	defer func() { e.second, e.looking, e.lastCall = was, false, last }()
	return e.run(ctx, spec, do)
}

func (e *Engine) run(ctx context.Context, spec verb.Spec, do func(context.Context, *Call) (*verb.Result, error)) (res *verb.Result) {
	defer func() {
		if p := recover(); p != nil {
			res = verb.Broke(fmt.Sprintf("%s: %v", spec.Name, p))
			e.recordPanic(spec.Name, p, debug.Stack())
		}
	}()
	now := e.now()
	e.lastCall = now
	e.warnings.reset()
	e.own = nil
	for _, p := range e.problems {
		e.warnings.add("%s", p)
	}
	if e.observing() {
		e.sayObserving()
	}
	e.refreshForVerb(ctx, now)
	e.resumeRestore(ctx)
	e.resumeUse(ctx)
	e.ownWork(ctx, e.now())
	e.tellLost(ctx)
	if e.own != nil && hasOpen(e.own) {
		e.fetchOutside(ctx) // no session may be there to do it
	}

	c := &Call{Engine: e, Spec: spec, Now: e.now()}
	if e.second && !spec.Effects.ReadOnly {
		res = e.refuseSecond(spec.Name)
		e.finish(ctx, c, res)
		return res
	}
	c.settlePins(ctx)
	c.landings(ctx)
	c.tellLandings(ctx)
	if spec.Effects.ReadOnly {
		c.carryOut(ctx) // so that it shows how things stand after that
	}
	res, err := do(ctx, c)
	if why := unwritable(err); why != "" {
		res = e.refuseUnwritable(spec.Name, err, why)
	} else if err != nil {
		res = verb.FromError(fmt.Errorf("%s: %w", spec.Name, err))
	}
	if !spec.Effects.ReadOnly {
		c.carryOut(ctx)
	}
	e.finish(ctx, c, res)
	return res
}

// finish adds to a result what every result carries.
func (e *Engine) finish(ctx context.Context, c *Call, res *verb.Result) {
	t, err := c.deliverNew(ctx)
	if err != nil {
		e.warnings.add("the notes could not be worked out: %v", err)
		t = &told{}
	}
	if !t.all {
		res.Notes, res.MoreNotes = t.show, t.more
	}
	res.Resolved = t.resolved
	res.Open, res.OpenAct = t.open, t.openAct
	res.Options = e.builtOptions(res.Options)
	res.Details = append(res.Details, e.tellGained(ctx)...)
	if age, ok := e.stateAge(e.now()); ok {
		res.StateAge = age
	}
	if !e.offlineSince.IsZero() {
		res.OfflineSince = e.offlineSince.UTC().Format(time.RFC3339)
	}
	if e.warnings.why == "" || e.ledger.Degraded() == "" { // else one of the two says it
		for _, w := range e.ledger.Warnings() {
			e.warnings.add("%s", w)
		}
	}
	res.Warnings = append(res.Warnings, e.warnings.list()...)
}

// builtOptions leaves out options that name a verb which is not available.
func (e *Engine) builtOptions(options []model.Option) []model.Option {
	out := make([]model.Option, 0, len(options))
	for _, o := range options {
		if o.Verb == "" || e.built[o.Verb] {
			out = append(out, o)
		}
	}
	return out
}

func (e *Engine) recordPanic(where string, p any, stack []byte) {
	defer func() {
		if recover() != nil && bug.Strict {
			panic(p)
		}
	}()
	bug.Reportf("panic in %s: %v\n%s", where, p, stack)
}

// cut reports whether err only says that the caller's time ran out or it went away.
func cut(ctx context.Context, err error) bool {
	return ctx.Err() != nil && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled))
}
