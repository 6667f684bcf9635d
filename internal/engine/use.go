package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gitlet/internal/git"
	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/snapshot"
)

// Why a stub cannot be picked now; nothing was changed.
type (
	// OperationError: a git operation is in progress.
	OperationError = snapshot.OperationError
	// StagedError: files are staged, and git picks only onto an index that matches HEAD.
	StagedError struct{ Files []string }
	// DirtyError: files that the stub touches have uncommitted changes; Untracked are
	// those git does not know.
	DirtyError struct{ Files, Untracked []string }
	// StubGoneError: the stub's commit is not in this clone.
	StubGoneError struct{ Commit string }
	// PickError: the stub could not be brought in, and everything was put back as it was.
	PickError struct {
		Step  string // "pick", "take back", "check"
		Files []string
		Why   string
		// Signing is set when the user's commit signing is to blame.
		Signing bool
	}
)

func (e *StagedError) Error() string {
	return fmt.Sprintf("files are staged: %s", strings.Join(e.Files, ", "))
}
func (e *DirtyError) Error() string {
	return fmt.Sprintf("uncommitted changes in %s", strings.Join(append(e.Files, e.Untracked...), ", "))
}
func (e *StubGoneError) Error() string {
	return fmt.Sprintf("the stub %s is not in this clone", e.Commit)
}
func (e *PickError) Error() string { return e.Step + ": " + e.Why }

// Used is what bringing a contract in did.
type Used struct {
	Commit   string // the commit of the picked stub; "" when its content was there already
	Reverted string // the commit that took the former one back, "" for none
	Already  bool   // the very stub is pinned already
}

// pinTime bounds writing down what was brought in, which must not be lost.
const pinTime = 30 * time.Second

// Use brings the stub of a contract into the current branch and pins the contract for the
// item. Once it begins, it runs to its end whatever becomes of ctx. Where it fails, HEAD,
// index and files are as before. Errors: those above, and of snapshot.Save.
func (c *Call) Use(ctx context.Context, cl model.Claim, item string) (*Used, error) {
	k := cl.Contract
	was, err := c.ownNeed(ctx, cl.Key, item)
	if err != nil {
		return nil, err
	}
	if was != nil && was.PinnedStub == k.StubCommit && was.PinnedSigHash == k.SigHash {
		return &Used{Already: true, Commit: was.PinnedCommit}, nil
	}
	changes, err := c.stubChanges(ctx, k.StubCommit)
	if err != nil {
		return nil, err
	}
	old, err := c.formerPick(ctx, was, k.StubCommit)
	if err != nil {
		return nil, err
	}
	if old != "" {
		more, err := c.wt.DiffTrees(ctx, old+"^1", old)
		if err != nil {
			return nil, err
		}
		changes = append(changes, more...)
	}
	if err := c.clearFor(ctx, changes); err != nil {
		return nil, err
	}
	saved, err := c.AutoCheckpoint(ctx, "use")
	if err != nil {
		return nil, err
	}
	ctx = context.WithoutCancel(ctx)
	out, err := c.pick(ctx, cl, old)
	if err != nil {
		if rerr := c.putBack(ctx, saved); rerr != nil {
			return nil, errors.Join(err, rerr)
		}
		return nil, err
	}
	pctx, cancel := context.WithTimeout(ctx, pinTime)
	defer cancel()
	err = c.changeOutbox(pctx, func(o *model.Outbox) error { return pin(o, cl, item, out.Commit, c.Now) })
	if err != nil {
		return nil, errors.Join(fmt.Errorf("pin the contract: %w", err), c.putBack(ctx, saved))
	}
	return out, nil
}

// pin notes in the outbox what was brought in, with the need where there was none.
func pin(o *model.Outbox, cl model.Claim, item, commit string, now time.Time) error {
	for i := range o.Needs {
		if n := &o.Needs[i]; n.Key == cl.Key && n.Item == item {
			n.PinnedSigHash, n.PinnedStub, n.PinnedCommit = cl.Contract.SigHash, cl.Contract.StubCommit, commit
			return nil
		}
	}
	o.Needs = append(o.Needs, model.Need{ID: id.NewMessage(), Key: cl.Key, Name: cl.Name(), Item: item, CreatedAt: now,
		PinnedSigHash: cl.Contract.SigHash, PinnedStub: cl.Contract.StubCommit, PinnedCommit: commit})
	return nil
}

func (c *Call) ownNeed(ctx context.Context, key, item string) (*model.Need, error) {
	o, err := c.bus.Outbox(ctx, c.who.Agent)
	if err != nil || o == nil {
		return nil, err
	}
	for i := range o.Needs {
		if o.Needs[i].Key == key && o.Needs[i].Item == item {
			return &o.Needs[i], nil
		}
	}
	return nil, nil
}

// stubChanges are the files the stub touches.
func (c *Call) stubChanges(ctx context.Context, stub string) ([]git.Change, error) {
	if stub == "" {
		return nil, &StubGoneError{Commit: "(none)"}
	}
	oids, err := c.wt.Resolve(ctx, stub+"^{commit}", stub+"^1")
	if err != nil {
		return nil, err
	}
	if oids[0] == "" || oids[1] == "" {
		return nil, &StubGoneError{Commit: stub}
	}
	return c.wt.DiffTrees(ctx, oids[1], oids[0])
}

// formerPick is the commit of the stub pinned before, where it is still part of the branch
// and has to be taken back for the new one.
func (c *Call) formerPick(ctx context.Context, was *model.Need, stub string) (string, error) {
	if was == nil || was.PinnedCommit == "" || was.PinnedStub == stub || c.head.OID == "" {
		return "", nil
	}
	on, err := c.wt.IsAncestor(ctx, was.PinnedCommit, c.head.OID)
	if errors.Is(err, git.ErrNotFound) || err == nil && !on {
		return "", nil
	}
	return was.PinnedCommit, err
}

// clearFor makes sure that nothing uncommitted is in the way.
func (c *Call) clearFor(ctx context.Context, changes []git.Change) error {
	op, err := c.wt.Operation(ctx)
	if err != nil {
		return err
	}
	if op != "" {
		return &OperationError{Operation: op}
	}
	st, err := c.wt.Status(ctx, git.UntrackedAll)
	if err != nil {
		return err
	}
	touched := map[string]bool{}
	for _, ch := range changes {
		touched[ch.Path], touched[ch.OldPath] = true, true
	}
	var staged StagedError
	var dirty DirtyError
	for _, e := range st.Entries {
		switch {
		case e.Unmerged:
			return snapshot.ErrConflicted
		case e.Index != '.' || e.IndexMode == "000000":
			staged.Files = append(staged.Files, e.Path)
		case touched[e.Path]:
			dirty.Files = append(dirty.Files, e.Path)
		}
	}
	for _, p := range st.Untracked {
		if touched[p] {
			dirty.Untracked = append(dirty.Untracked, p)
		}
	}
	switch {
	case len(staged.Files) > 0:
		return &staged
	case len(dirty.Files)+len(dirty.Untracked) > 0:
		return &dirty
	}
	return nil
}

// pick takes the former stub back and brings the new one in.
func (c *Call) pick(ctx context.Context, cl model.Claim, old string) (*Used, error) {
	wt := c.wt.Foreground()
	out := &Used{}
	var err error
	if old != "" {
		if out.Reverted, err = wt.Revert(ctx, old); err != nil {
			return nil, pickError("take back", err)
		}
	}
	if out.Commit, err = wt.CherryPick(ctx, cl.Contract.StubCommit); err != nil {
		return nil, pickError("pick", err)
	}
	head, err := wt.Head(ctx)
	if err != nil {
		return nil, err
	}
	// Git's own clean merge can still be wrong: what counts is what the file says now.
	cat := c.wt.NewCatFile(ctx)
	defer cat.Close()
	if cl.Symbol != nil {
		for _, s := range c.factsAt(cat, head.OID, cl.Symbol.Path).Symbols {
			if s.Qualified == cl.Symbol.Qualified && s.SigHash == cl.Contract.SigHash {
				return out, nil
			}
		}
		return nil, &PickError{Step: "check", Files: []string{cl.Symbol.Path},
			Why: fmt.Sprintf("git merged it without a conflict, but %s does not say %s then", cl.Symbol.Path, cl.Contract.Signature)}
	}
	return out, nil
}

func pickError(step string, err error) error {
	var conflict *git.ConflictError
	var failed *git.Error
	switch {
	case errors.Is(err, git.ErrIndexLocked): // says nothing of the stub
	case errors.As(err, &conflict):
		return &PickError{Step: step, Files: conflict.Files, Why: "it conflicts"}
	case errors.As(err, &failed):
		return &PickError{Step: step, Why: failed.Error(), Signing: errors.Is(err, git.ErrSigning)}
	}
	return err
}

// putBack restores the state before, to the byte.
func (c *Call) putBack(ctx context.Context, saved *snapshot.Saved) error {
	now, err := c.wt.Head(ctx)
	if err == nil && now == saved.Head {
		if st, serr := c.wt.Status(ctx, git.UntrackedAll); serr == nil && saved.SameStatus(st) {
			return nil
		}
	}
	_, err = snapshot.Restore(ctx, c.wt.Foreground(), saved.Commit, snapshot.RestoreOptions{Agent: c.who.Agent, Now: c.Now, Why: "gitlet: undo use"})
	if err != nil {
		return fmt.Errorf("put everything back: %w; it is kept as checkpoint %s", err, saved.Slug)
	}
	return nil
}
