package engine

import (
	"context"
	"errors"
	"path/filepath"

	"gitlet/internal/ledger"
	"gitlet/internal/model"
	"gitlet/internal/notes"
	"gitlet/internal/rules"
)

// maxShown is how many new notes a result shows in full.
const maxShown = 3

// told is what a result says about notes.
type told struct {
	show          []model.Note
	more          int
	resolved      []string
	open, openAct int
	delivered     bool
	all           bool
}

// reconcile runs the rules over the view and brings the stored notes in line, once
// per call and view.
func (c *Call) reconcile(ctx context.Context) (*told, error) {
	if c.notes != nil {
		return c.notes, nil
	}
	if c.second {
		t, _, err := c.lookOnly(ctx)
		c.notes = t
		return t, err
	}
	v, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	produced := rules.Evaluate(v)
	for i := range produced {
		produced[i].Options = c.builtOptions(produced[i].Options)
	}
	err = c.updateNotes(ctx, func(s []notes.Stored) []notes.Stored {
		return notes.Reconcile(notes.Answer(s, produced, c.answered), produced, c.Now)
	})
	if err != nil {
		return nil, err
	}
	c.notes = &told{}
	return c.notes, nil
}

// updateNotes changes the stored notes in one transaction. A ledger of a newer
// gitlet is read and not written; the change still counts for this call's answer.
func (e *Engine) updateNotes(ctx context.Context, change func([]notes.Stored) []notes.Stored) error {
	unseen := false
	err := e.ledger.UpdateNotes(ctx, e.who.Agent, func(s []notes.Stored) ([]notes.Stored, error) {
		out := change(s)
		show, _, _ := notes.DeliverHook(out, 1, model.Info)
		unseen = len(show) > 0
		return out, nil
	})
	if errors.Is(err, ledger.ErrNewer) {
		return nil
	}
	if err == nil {
		markUnseen(filepath.Join(e.wt.CommonDir, "gitlet"), e.who.Agent, unseen)
	}
	return err
}

// deliverNew picks what a verb's result says: what is new, at most maxShown in full.
func (c *Call) deliverNew(ctx context.Context) (*told, error) {
	t, err := c.reconcile(ctx)
	if err != nil || t.delivered {
		return t, err
	}
	t.delivered = true
	return t, c.updateNotes(ctx, func(s []notes.Stored) []notes.Stored {
		var out []notes.Stored
		t.show, t.more, t.resolved, out = notes.Deliver(s, maxShown)
		t.open, t.openAct = notes.Count(out)
		return out
	})
}

// AllNotes returns every new and open note, for status, and which of them are new.
// They count as told.
func (c *Call) AllNotes(ctx context.Context) (all []model.Note, fresh map[string]bool, err error) {
	t, err := c.reconcile(ctx)
	if err != nil {
		return nil, nil, err
	}
	t.delivered, t.all = true, true
	if c.second {
		_, all, err = c.lookOnly(ctx)
		fresh = map[string]bool{}
		for _, n := range all {
			fresh[n.ID] = n.Kind == "same_worktree"
		}
		return all, fresh, err
	}
	err = c.updateNotes(ctx, func(s []notes.Stored) []notes.Stored {
		var out []notes.Stored
		all, t.resolved, out = notes.All(s)
		fresh = map[string]bool{}
		for _, n := range all {
			fresh[n.ID] = n.State == model.NoteNew
		}
		t.open, t.openAct = notes.Count(out)
		return out
	})
	return all, fresh, err
}

// Notes returns the stored notes as the rules last left them.
func (c *Call) Notes(ctx context.Context) ([]notes.Stored, error) {
	if _, err := c.reconcile(ctx); err != nil {
		return nil, err
	}
	return c.ledger.Notes(ctx, c.who.Agent)
}

// Dismiss closes a note that is not acted on, and counts why.
func (c *Call) Dismiss(ctx context.Context, note, as, reason string) (was notes.Stored, err error) {
	var inner error
	err = c.updateNotes(ctx, func(s []notes.Stored) []notes.Stored {
		out, before, err := notes.Dismiss(s, note, as, reason)
		if inner = err; err != nil {
			return s
		}
		was = before
		return out
	})
	if err == nil {
		err = inner
	}
	if err != nil || was.State == model.NoteDismissed || was.State == model.NoteResolved {
		return was, err
	}
	return was, c.ledger.CountDismissal(ctx, c.who.Agent, was.Kind, as, reason, c.Now)
}

// ResolveNote closes a note because the agent acted on it. What the rest of this call
// makes of the note is the agent's own doing, and opens it no more.
func (c *Call) ResolveNote(ctx context.Context, note string) error {
	var inner error
	err := c.updateNotes(ctx, func(s []notes.Stored) []notes.Stored {
		out, _, err := notes.Resolve(s, note)
		if inner = err; err != nil {
			return s
		}
		return out
	})
	if err = errors.Join(err, inner); err == nil {
		c.answered = note
	}
	return err
}
