package verbs

import (
	"context"
	"fmt"
	"reflect"

	"gitlet/internal/engine"
	"gitlet/internal/notes"
	"gitlet/internal/verb"
)

// Verb is one row of the table: a declaration and the function that carries it
// out. Run is nil for verbs that are declared but not built yet.
type Verb struct {
	verb.Spec
	Run func(ctx context.Context, c *engine.Call, args any) (*verb.Result, error)
}

// Common is embedded in every argument struct: MCP tools take the worktree to work
// in; shells are already in one.
type Common struct {
	Worktree string `arg:"worktree" mcp:"true" help:"absolute path of the git worktree to work in; default: where the server was started"`
}

// table lists every verb in the order people meet them.
var table = []Verb{
	start, status, who, why, claim, publish, need, use, release, discuss, accept, dismiss, update, submit, abandon, checkpoint, restore,
	planVerb, combineVerb, rerereTrain, rerereList, rerereShow, rerereForget,
}

// Table returns the declarations in order, built or not.
func Table() []verb.Spec {
	out := make([]verb.Spec, len(table))
	for i, v := range table {
		out[i] = v.Spec
	}
	return out
}

// Run carries out the named verb with decoded arguments inside the engine's before
// and after.
func Run(ctx context.Context, e *engine.Engine, name string, args any) *verb.Result {
	return within(ctx, e.Run, name, args)
}

// Look is Run for somebody who is not the agent of the worktree: nothing counts as told.
func Look(ctx context.Context, e *engine.Engine, name string, args any) *verb.Result {
	return within(ctx, e.Look, name, args)
}

func within(ctx context.Context, run func(context.Context, verb.Spec, func(context.Context, *engine.Call) (*verb.Result, error)) *verb.Result, name string, args any) *verb.Result {
	for _, v := range table {
		if v.Name == name && v.Built {
			return run(ctx, v.Spec, func(ctx context.Context, c *engine.Call) (*verb.Result, error) {
				return v.Run(ctx, c, args)
			})
		}
	}
	return verb.Refuse(fmt.Sprintf("there is no verb %q", name))
}

// define ties a declaration to its argument struct and function.
func define[A any](spec verb.Spec, run func(context.Context, *engine.Call, *A) (*verb.Result, error)) Verb {
	spec.Args = new(A)
	v := Verb{Spec: spec}
	if run != nil {
		v.Built = true
		v.Run = func(ctx context.Context, c *engine.Call, args any) (*verb.Result, error) {
			a, ok := args.(*A)
			if !ok {
				return nil, fmt.Errorf("arguments of %s: got %T", spec.Name, args)
			}
			note := ""
			if spec.Effects.TakesNote {
				var refusal *verb.Result
				var err error
				if note, refusal, err = theNote(ctx, c, a); refusal != nil || err != nil {
					return refusal, err
				}
			}
			res, err := run(ctx, c, a)
			if err == nil && note != "" && (res.Outcome == verb.OK || res.Outcome == verb.Nothing) {
				if err := c.ResolveNote(ctx, note); err != nil {
					c.Warn("the note could not be closed: %v", err)
				}
			}
			return res, err
		}
	}
	return v
}

// theNote finds the note that a verb's note argument means, "" when none was given.
func theNote(ctx context.Context, c *engine.Call, args any) (string, *verb.Result, error) {
	f := reflect.ValueOf(args).Elem().FieldByName("Note")
	if !f.IsValid() || f.String() == "" {
		return "", nil, nil
	}
	stored, err := c.Notes(ctx)
	if err != nil {
		return "", nil, err
	}
	match := notes.Find(stored, f.String())
	if len(match) == 1 {
		return match[0].ID, nil, nil
	}
	r := verb.Refuse(fmt.Sprintf("there is no note %q (an id is n- and at least 4 letters or digits of it)", f.String()),
		statusOption("list the open notes"))
	if len(match) > 1 {
		r.Summary = fmt.Sprintf("%q is the beginning of several notes' ids", f.String())
		for _, n := range match {
			r.Details = append(r.Details, n.ID+": "+n.Title)
		}
	}
	return "", r, nil
}
