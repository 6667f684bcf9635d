package verbs

import (
	"context"
	"fmt"

	"gitlet/internal/engine"
	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/verb"
)

// AbandonArgs are the arguments of abandon.
type AbandonArgs struct {
	Common
	Reason string `arg:"reason" chars:"text" help:"why, for the record"`
	Item   string `arg:"item" help:"the task to stop, by id as status shows it; default: the active one, else the submitted one of this branch"`
}

var abandon = define(verb.Spec{
	Name:    "abandon",
	Summary: "Stop the current task and tell the others",
	When:    "You stop a task: drops its shared snapshot and tells the others. Your branch and files stay as they are.",
	Example: "gitlet abandon --reason 'done by somebody else'",
	Effects: verb.Effects{Destructive: true, Fresh: true},
}, runAbandon)

func runAbandon(ctx context.Context, c *engine.Call, a *AbandonArgs) (*verb.Result, error) {
	st, err := c.State(ctx)
	if err != nil {
		return nil, err
	}
	it, refusal := abandoned(st, a.Item, c.Head().Branch)
	if refusal != nil {
		return refusal, nil
	}
	if it == nil {
		return &verb.Result{Outcome: verb.Nothing, Summary: "you have no active task"}, nil
	}
	closed := *it
	parked := false
	if closed.Status == model.ItemActive {
		// Nothing in the files changes now; it is for whoever cleans up after it.
		if _, err := c.AutoCheckpoint(ctx, "abandon"); err != nil {
			c.Warn("no checkpoint was taken: %v", err)
		} else {
			parked = true
		}
	}
	if err := c.Close(ctx, closed.ID, model.ItemAbandoned, a.Reason); err != nil {
		return nil, err
	}
	c.Changed(ctx)
	what := fmt.Sprintf("%q", closed.Intent)
	if closed.Provisional {
		what = "the work nobody had named"
	}
	r := &verb.Result{Outcome: verb.OK, Summary: fmt.Sprintf("Abandoned %s.", what),
		Data: map[string]any{"item": closed.ID, "branch": closed.Branch, "reason": a.Reason}}
	if closed.Branch != "" {
		r.Details = append(r.Details, fmt.Sprintf("branch %s and its files are as they were", closed.Branch))
	}
	if parked {
		r.Details = append(r.Details, "all of it is parked too: gitlet restore auto-pre-abandon")
	}
	if closed.PR != "" {
		r.Details = append(r.Details, fmt.Sprintf("its pull request is left as it is: %s", closed.PR))
	}
	return r, nil
}

// abandoned finds the item to stop: the one that is named, or the active one, or the
// submitted one of the branch here.
func abandoned(st *model.State, ref, branch string) (*model.Item, *verb.Result) {
	if ref == "" {
		if it := st.Active(); it != nil {
			return it, nil
		}
		return st.SubmittedOn(branch), nil
	}
	var ids []string
	for _, it := range st.Items {
		if it.Status.Open() {
			ids = append(ids, it.ID)
		}
	}
	match := id.Match(ref, ids)
	if len(match) == 1 {
		return st.Item(match[0]), nil
	}
	summary := fmt.Sprintf("no open task of yours has the id %q", ref)
	if len(match) > 1 {
		summary = fmt.Sprintf("%q is the beginning of several tasks' ids", ref)
	}
	r := verb.Refuse(summary)
	for _, i := range ids {
		r.Options = append(r.Options, model.Option{Verb: "abandon", Args: map[string]any{"item": i}, Why: fmt.Sprintf("stop %q", st.Item(i).Intent)})
	}
	if len(r.Options) == 0 {
		r.Options = append(r.Options, statusOption("see your tasks"))
	}
	return nil, r
}
