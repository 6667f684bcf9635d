package engine

import (
	"context"
	"path/filepath"

	"gitlet/internal/model"
	"gitlet/internal/rules"
	"gitlet/internal/verb"
)

// A second server in a worktree only looks: two sessions would speak for one agent.
// It writes no state, no snapshot and no note; the first one does.

func (e *Engine) setSecond(second bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.second = second
}

// refuseSecond is the answer to a verb that would change something.
func (e *Engine) refuseSecond(name string) *verb.Result {
	root := e.wt.Root
	return verb.Refuse(name+" is not possible here: another session works in this worktree, so this one only looks",
		model.Option{Argv: []string{"git", "-C", root, "worktree", "add", "../" + filepath.Base(root) + "-2"},
			Why: "make a worktree of your own, and pass it as worktree"},
		model.Option{Verb: "status", Why: "look at what is going on"})
}

// lookOnly works out the notes without recording anything.
func (c *Call) lookOnly(ctx context.Context) (*told, []model.Note, error) {
	v, err := c.View(ctx)
	if err != nil {
		return nil, nil, err
	}
	all := rules.Evaluate(v)
	t := &told{delivered: true, open: len(all)}
	for i := range all {
		all[i].Options = c.builtOptions(all[i].Options)
		if all[i].Severity == model.Act {
			t.openAct++
		}
		if all[i].Kind == "same_worktree" {
			t.show = append(t.show, all[i])
		}
	}
	return t, all, nil
}
