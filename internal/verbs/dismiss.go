package verbs

import (
	"context"
	"fmt"

	"gitlet/internal/engine"
	"gitlet/internal/model"
	"gitlet/internal/notes"
	"gitlet/internal/verb"
)

// DismissArgs are the arguments of dismiss.
type DismissArgs struct {
	Common
	Note   string `arg:"note" required:"true" help:"the note to close (n-..., or at least its first 4 characters after n-)"`
	As     string `arg:"as" required:"true" enum:"not_needed,false_alarm" help:"not_needed: it is right but needs no step; false_alarm: gitlet is wrong"`
	Reason string `arg:"reason" chars:"text" help:"why, for the record"`
}

var dismiss = define(verb.Spec{
	Name:    "dismiss",
	Summary: "Close a note you will not act on",
	When:    "A note needs no step from you, or is wrong: it stays closed until its facts change.",
	Example: "gitlet dismiss n-3f2a not_needed --reason 'only a comment'",
	Effects: verb.Effects{Idempotent: true},
}, runDismiss)

func runDismiss(ctx context.Context, c *engine.Call, a *DismissArgs) (*verb.Result, error) {
	stored, err := c.Notes(ctx)
	if err != nil {
		return nil, err
	}
	match := notes.Find(stored, a.Note)
	if len(match) != 1 {
		return noSuchNote(match, a), nil
	}
	was, err := c.Dismiss(ctx, match[0].ID, a.As, a.Reason)
	if err != nil {
		return nil, err
	}
	if was.State == model.NoteDismissed || was.State == model.NoteResolved {
		return &verb.Result{Outcome: verb.Nothing, Summary: fmt.Sprintf("%s is %s already: %s", was.ID, was.State, was.Title)}, nil
	}
	return &verb.Result{Outcome: verb.OK, Summary: fmt.Sprintf("Dismissed %s: %s", was.ID, was.Title),
		Data: map[string]any{"note": was.ID, "kind": was.Kind, "as": a.As, "reason": a.Reason}}, nil
}

func noSuchNote(match []notes.Stored, a *DismissArgs) *verb.Result {
	if len(match) == 0 {
		return verb.Refuse(fmt.Sprintf("there is no note %q (an id is n- and at least 4 letters or digits of it)", a.Note),
			statusOption("list the open notes"))
	}
	r := verb.Refuse(fmt.Sprintf("%q is the beginning of several notes' ids", a.Note))
	for _, n := range match[:min(len(match), 10)] {
		r.Options = append(r.Options, model.Option{Verb: "dismiss", Args: map[string]any{"note": n.ID, "as": a.As}, Why: n.Title})
	}
	return r
}
