package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

	"gitlet/internal/git"
	"gitlet/internal/ledger"
	"gitlet/internal/model"
)

// maxOwn bounds how many commits of a branch are compared.
const maxOwn = 500

// Finished is a task of this agent that was submitted or ended and whose branch this
// still is: the next task gets a branch of its own.
type Finished struct {
	Item string
	// Later are commits made on the branch after the task ended, oldest first, that are
	// none of its own: a new branch from main would leave them behind.
	Later []git.Commit
}

// FinishedBranch finds the task of mine that the branch here belongs to, though it was
// submitted or ended; nil where the branch is ordinary. One that was made anew under the
// name is, and so is one that goes on from a main that has the task's last commit.
func (e *Engine) FinishedBranch(ctx context.Context, st *model.State, head git.Head) (*Finished, error) {
	if head.Branch == "" || head.Branch == e.main.Name {
		return nil, nil
	}
	if it := st.SubmittedOn(head.Branch); it != nil {
		return &Finished{Item: it.ID}, nil
	}
	closed, err := e.ledger.Closed(ctx, e.who.Agent)
	if err != nil {
		return nil, err
	}
	for _, it := range closed {
		if it.Branch != head.Branch || it.Head == "" {
			continue
		}
		f, err := e.stillOf(ctx, it, head)
		if f != nil || err != nil && !errors.Is(err, git.ErrNotFound) {
			return f, err
		}
	}
	return nil, nil
}

// stillOf judges whether the branch is still that of a task that ended.
func (e *Engine) stillOf(ctx context.Context, it ledger.ClosedItem, head git.Head) (*Finished, error) {
	if it.Head == head.OID {
		return &Finished{Item: it.ID}, nil
	}
	main := e.mainOID(ctx)
	not := []string{}
	if main != "" {
		if on, err := e.wt.IsAncestor(ctx, head.OID, main); err != nil {
			return nil, err
		} else if on {
			return e.carriedOn(ctx, it)
		}
		landed, err := e.wt.IsAncestor(ctx, it.Head, main)
		if err != nil || landed {
			return nil, err
		}
		not = append(not, main)
	}
	here, err := e.wt.Log(ctx, git.LogOptions{From: []string{head.OID}, Not: not, Max: maxOwn})
	if err != nil {
		return nil, err
	}
	own, err := e.wt.Log(ctx, git.LogOptions{From: []string{it.Head}, Not: not, Max: maxOwn})
	if err != nil {
		return nil, err
	}
	isOwn, later, err := e.compare(ctx, own, here)
	if err != nil {
		return nil, err
	}
	if !isOwn {
		if isOwn, err = e.rewritten(ctx, it.Head, head.Branch, main); err != nil || !isOwn {
			return nil, err
		}
	}
	return &Finished{Item: it.ID, Later: later}, nil
}

// carriedOn judges a branch that main has all of: it is still the task's where it was only
// brought up to date since, as update, a rebase, a pull or a merge does it.
func (e *Engine) carriedOn(ctx context.Context, it ledger.ClosedItem) (*Finished, error) {
	log, err := e.wt.Reflog(ctx, "refs/heads/"+it.Branch, maxOwn)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(log, func(r git.ReflogEntry) bool { return r.OID == it.Head })
	if at < 0 {
		return nil, nil
	}
	main := e.mainOID(ctx)
	for _, r := range log[:at] {
		if slices.ContainsFunc(broughtUp, func(why string) bool { return strings.HasPrefix(r.Why, why) }) {
			continue
		}
		if on, err := e.wt.IsAncestor(ctx, r.OID, main); err != nil || on {
			return nil, err // put there, or made anew
		}
	}
	return &Finished{Item: it.ID}, nil
}

// broughtUp is how the log of a branch begins to say that it got what main has.
var broughtUp = []string{"gitlet: update ", "rebase", "pull", "merge "}

// compare finds the task's commits, which main lacks, among those of the branch: as they
// are, or the same change in a copy. The rest of the branch, without merges, came later.
func (e *Engine) compare(ctx context.Context, own, here []git.Commit) (any bool, later []git.Commit, err error) {
	var oids []string
	mine := map[string]bool{}
	for _, c := range own {
		mine[c.OID] = true
		oids = append(oids, c.OID)
	}
	for _, c := range here {
		if !mine[c.OID] {
			oids = append(oids, c.OID)
		}
	}
	keys, err := e.wt.PatchKeys(ctx, oids)
	if err != nil {
		return false, nil, err
	}
	for _, c := range own {
		if k := keys[c.OID]; k != "" {
			mine[k] = true
		}
	}
	for _, c := range here {
		switch k := keys[c.OID]; {
		case mine[c.OID] || k != "" && mine[k]:
			any = true
		case len(c.Parents) < 2:
			later = append(later, c)
		}
	}
	slices.Reverse(later)
	return any, later, nil
}

// rewritten reports whether the branch was changed in place since it was at the task's
// last commit: its log has that commit, and was at nothing main has since.
func (e *Engine) rewritten(ctx context.Context, last, branch, main string) (bool, error) {
	log, err := e.wt.Reflog(ctx, "refs/heads/"+branch, maxOwn)
	if err != nil {
		return false, err
	}
	at := slices.IndexFunc(log, func(r git.ReflogEntry) bool { return r.OID == last })
	if at < 0 || main == "" {
		return at >= 0, nil
	}
	seen := map[string]bool{}
	for _, r := range log[:at] {
		if seen[r.OID] {
			continue
		}
		seen[r.OID] = true
		landed, err := e.wt.IsAncestor(ctx, r.OID, main)
		if err != nil || landed {
			return false, err
		}
	}
	return true, nil
}
