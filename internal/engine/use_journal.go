package engine

import (
	"context"
	"errors"

	"gitlet/internal/git"
	"gitlet/internal/journal"
	"gitlet/internal/model"
)

// The branch moves in one step, see land.Pick, and after that the contract is pinned. What
// is to be pinned is written down before the branch moves, so that the next call does it
// where a process was killed in between.

type useJournal struct {
	Claim model.Claim `json:"claim"`
	Item  string      `json:"item"`
	Head  string      `json:"head"` // the branch's head once the contract is in
}

func (e *Engine) uses() journal.Journal { return journal.Journal{Dir: e.wt.OwnDir(), Name: "use"} }

// dropUse removes the journal. One that stays pins once more what is pinned.
func (e *Engine) dropUse() {
	if err := e.uses().End(); err != nil {
		e.warnings.add("%v", err)
	}
}

// resumeUse pins what a call that was killed brought into the branch. It costs one look
// at a file.
func (e *Engine) resumeUse(ctx context.Context) {
	if e.second {
		return
	}
	var j useJournal
	found, unlock, err := e.uses().Left(&j)
	if err != nil || !found {
		return // a journal that cannot be read is gone, and says nothing to go by
	}
	defer unlock()
	if j.Claim.Contract == nil {
		e.dropUse()
		return
	}
	head, err := e.wt.Head(ctx)
	if err != nil {
		return
	}
	on, err := e.wt.IsAncestor(ctx, j.Head, head.OID)
	switch {
	case errors.Is(err, git.ErrNotFound):
	case err != nil:
		return
	case on:
		c := &Call{Engine: e, Now: e.now()}
		if err := c.pinResumed(ctx, j); err != nil {
			e.warnings.add("%s is on your branch and could not be pinned yet: %v", j.Claim.Name(), err)
			return
		}
		e.warnings.add("a use was cut short; %s is on your branch and pinned now. How it was before that use, kept until the next: gitlet restore auto-pre-use", j.Claim.Name())
	}
	e.dropUse()
}

// pinResumed pins for an item that is still open.
func (c *Call) pinResumed(ctx context.Context, j useJournal) error {
	st, err := c.State(ctx)
	if err != nil {
		return err
	}
	if it := st.Item(j.Item); it == nil || !it.Status.Open() {
		return nil
	}
	commit := j.Head
	if s, err := c.wt.Log(ctx, git.LogOptions{From: []string{j.Head}, Max: 1}); err != nil {
		return err
	} else if len(s) != 1 || !isStubOf(s[0], j.Claim) {
		commit = ""
	}
	return c.changeOutbox(ctx, func(o *model.Outbox) error { return pin(o, j.Claim, j.Item, commit, c.Now) })
}

// isStubOf reports whether a commit is the picked stub of a contract.
func isStubOf(commit git.Commit, cl model.Claim) bool {
	for _, v := range commit.Trailer("Gitlet-Stub") {
		if v == cl.Key+"@"+cl.Contract.SigHash {
			return true
		}
	}
	return false
}
