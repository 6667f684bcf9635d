package verbs

import (
	"context"
	"fmt"

	"gitlet/internal/engine"
	"gitlet/internal/model"
	"gitlet/internal/notes"
	"gitlet/internal/verb"
)

// taskHere is the task that something is claimed, needed, published or used for: the one
// that was submitted from this branch, for a fix after a review, or the active one. It
// refuses where there is none, with why and what to do after start, and where the note
// that is answered is about a submitted task whose branch is another one.
func taskHere(ctx context.Context, c *engine.Call, note, why, then string) (*model.Item, *verb.Result, error) {
	st, err := c.State(ctx)
	if err != nil {
		return nil, nil, err
	}
	it := st.SubmittedOn(c.Head().Branch)
	if it == nil {
		it = st.Active()
	}
	if about, err := itemOf(ctx, c, st, note); err != nil {
		return nil, nil, err
	} else if about != nil && about.Status == model.ItemSubmitted && (it == nil || it.ID != about.ID) {
		return nil, verb.Refuse(fmt.Sprintf("%s is about %s, which you submitted from %s", note, said(about.Intent), about.Branch), goTo(*about)), nil
	}
	if it != nil {
		return it, nil, nil
	}
	r := verb.Refuse(why, model.Option{Verb: "start", Args: map[string]any{"intent": verb.Blank}, Why: then})
	const most = 3
	for _, x := range st.Items {
		if x.Status == model.ItemSubmitted && x.Branch != "" && len(r.Options) <= most {
			r.Options = append(r.Options, goTo(x))
		}
	}
	return nil, r, nil
}

// statedTask is taskHere for what only a task with a name has.
func statedTask(ctx context.Context, c *engine.Call, note, why, then string) (*model.Item, *verb.Result, error) {
	it, refusal, err := taskHere(ctx, c, note, why, then)
	if it != nil && it.Provisional {
		return nil, verb.Refuse(why, model.Option{Verb: "start", Args: map[string]any{"intent": verb.Blank}, Why: then}), nil
	}
	return it, refusal, err
}

func goTo(it model.Item) model.Option {
	return model.Option{Argv: []string{"git", "switch", it.Branch}, Why: fmt.Sprintf("go to its branch, then call it again, for %s", said(it.Intent))}
}

// itemOf is the open task of mine that a note is about, nil where that is not known.
func itemOf(ctx context.Context, c *engine.Call, st *model.State, note string) (*model.Item, error) {
	if note == "" {
		return nil, nil
	}
	stored, err := c.Notes(ctx)
	if err != nil {
		return nil, err
	}
	match := notes.Find(stored, note)
	if len(match) != 1 {
		return nil, nil
	}
	if it := st.Item(match[0].Item); it != nil && it.Status.Open() {
		return it, nil
	}
	return nil, nil
}
