package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/git"
	"gitlet/internal/id"
	"gitlet/internal/land"
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
		Step  string // "pick", "take back", "check", or "carry" for the uncommitted work
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
	// Replaced are ignored files of the user's that the stub took the place of.
	Replaced []string
}

// pinTime bounds writing down what was brought in, which must not be lost.
const pinTime = 30 * time.Second

// Use brings the stub of a contract into the current branch and pins the contract for the
// item. Once it begins, it runs to its end whatever becomes of ctx. Where it fails, HEAD,
// index and files are as before. Errors: those above, and of snapshot.Save.
func (c *Call) Use(ctx context.Context, cl model.Claim, item string) (*Used, error) {
	k := cl.Contract
	was, err := c.ownNeed(ctx, cl, item)
	if err != nil {
		return nil, err
	}
	if was != nil && was.PinnedStub == k.StubCommit && was.PinnedSigHash == k.SigHash {
		// A restore, a reset or a revert may have taken it out again.
		if err := c.says(ctx, cl, c.head.OID); err == nil {
			return &Used{Already: true, Commit: was.PinnedCommit}, nil
		}
	}
	changes, err := c.stubChanges(ctx, k.StubCommit)
	if err != nil {
		return nil, err
	}
	old, err := c.formerPick(ctx, was, cl)
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
	unlock, err := c.uses().Lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	done, err := land.Pick(ctx, c.wt.Foreground(), land.Picking{Agent: c.who.Agent, Now: c.Now, Slug: "auto-pre-use",
		Why: "gitlet: use " + cl.Name(), Commit: k.StubCommit, Back: old, Cache: c.cache,
		Check: func(ctx context.Context, head string) error { return c.says(ctx, cl, head) },
		Begin: func(head string) error { return c.uses().Begin(useJournal{Claim: cl, Item: item, Head: head}) },
	})
	if err != nil {
		c.dropUse()
		err = pickError(err)
		if c.mergedByHand(ctx, cl, err) {
			err = c.changeOutbox(ctx, func(o *model.Outbox) error { return pin(o, cl, item, "", c.Now) })
			return &Used{}, err
		}
		return nil, err
	}
	c.prune(ctx, done.Saved.Commit)
	pctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pinTime)
	defer cancel()
	err = c.changeOutbox(pctx, func(o *model.Outbox) error { return pin(o, cl, item, done.Commit, c.Now) })
	if err != nil {
		// The journal stays, so that the next call pins it.
		return nil, fmt.Errorf("pin the contract, which is on your branch: %w", err)
	}
	c.dropUse()
	used := &Used{Commit: done.Commit, Reverted: done.Back}
	if done.Head != done.Saved.Head.OID {
		used.Replaced = done.Saved.Beside()
	}
	return used, nil
}

// mergedByHand reports whether a stub that conflicts is needed no more, since the branch has
// the symbol as it is published: somebody brought it in and resolved what conflicts.
func (c *Call) mergedByHand(ctx context.Context, cl model.Claim, err error) bool {
	var pick *PickError
	return errors.As(err, &pick) && len(pick.Files) > 0 && (pick.Step == "pick" || pick.Step == "take back") &&
		cl.Symbol != nil && c.says(ctx, cl, c.head.OID) == nil
}

// says checks that a commit has the symbol as it is published. Git's own clean merge can
// still be wrong: what counts is what the file says then.
func (c *Call) says(ctx context.Context, cl model.Claim, head string) error {
	if cl.Symbol == nil {
		return nil
	}
	cat := c.wt.NewCatFile(ctx)
	defer cat.Close()
	for _, s := range c.factsAt(cat, head, cl.Symbol.Path).Symbols {
		if s.Qualified == cl.Symbol.Qualified && s.SigHash == cl.Contract.SigHash {
			return nil
		}
	}
	return &PickError{Step: "check", Files: []string{cl.Symbol.Path},
		Why: fmt.Sprintf("git merged it without a conflict, but %s does not say %s then", cl.Symbol.Path, cl.Contract.Signature)}
}

// pin notes in the outbox what was brought in, with the need where there was none.
func pin(o *model.Outbox, cl model.Claim, item, commit string, now time.Time) error {
	// A need on the name from before the owner moved the symbol becomes one on the new.
	if i := needOn(o, cl, item); i >= 0 && o.Needs[i].Key != cl.Key {
		o.Needs[i].Key, o.Needs[i].Name = cl.Key, cl.Name()
	}
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

func (c *Call) ownNeed(ctx context.Context, cl model.Claim, item string) (*model.Need, error) {
	o, err := c.bus.Outbox(ctx, c.who.Agent)
	if err != nil || o == nil {
		return nil, err
	}
	if i := needOn(o, cl, item); i >= 0 {
		return &o.Needs[i], nil
	}
	return nil, nil
}

// needOn is where the item's need on a claimed symbol stands in an outbox, -1 when it has
// none: the one on its key, or on the key it had before its owner moved it.
func needOn(o *model.Outbox, cl model.Claim, item string) int {
	on := func(key string) int {
		return slices.IndexFunc(o.Needs, func(n model.Need) bool { return n.Item == item && n.Key == key })
	}
	if i := on(cl.Key); i >= 0 || cl.MovedFrom == "" {
		return i
	}
	return on(cl.MovedFrom)
}

// ContractOn is the claim with what is published of a symbol, under whichever name its
// owner published it; the claim on the key itself where nothing is, nil where nobody holds it.
func (c *Call) ContractOn(ctx context.Context, key string) (*bus.Held, error) {
	v, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	if cl := v.Contracted(key); cl != nil {
		return c.docs.Held(cl.Key), nil
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
// and has to be taken back for the new one. After somebody rebased by hand it is another
// commit that makes exactly the stub's change.
func (c *Call) formerPick(ctx context.Context, was *model.Need, cl model.Claim) (string, error) {
	if was == nil || was.PinnedCommit == "" || was.PinnedStub == cl.Contract.StubCommit || c.head.OID == "" {
		return "", nil
	}
	on, err := c.wt.IsAncestor(ctx, was.PinnedCommit, c.head.OID)
	switch {
	case err != nil && !errors.Is(err, git.ErrNotFound):
		return "", err
	case err == nil && on:
		return was.PinnedCommit, nil
	}
	return c.rebasedPick(ctx, *was, was.Key, cl.Key)
}

// rebasedPick is the commit of the branch that a picked stub became when somebody moved it
// by hand: it makes exactly the stub's change. "" where there is none.
func (c *Call) rebasedPick(ctx context.Context, was model.Need, keys ...string) (string, error) {
	picked, _, err := c.heldPick(ctx, keys...)
	if err != nil || picked == "" || was.PinnedStub == "" {
		return "", err
	}
	there, err := c.wt.Objects(ctx, was.PinnedStub)
	if err != nil || there[0].Type != "commit" {
		return "", err
	}
	same, err := c.wt.PatchKeys(ctx, []string{picked, was.PinnedStub})
	if err != nil || same[picked] == "" || same[picked] != same[was.PinnedStub] {
		return "", err
	}
	return picked, nil
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
	var paths []string
	for _, ch := range changes {
		paths = append(paths, ch.Path)
		if ch.OldPath != "" {
			paths = append(paths, ch.OldPath)
		}
	}
	// A file in the place of a folder is in the way as well, and so is one below a file's.
	touched := func(p string) bool {
		return slices.ContainsFunc(paths, func(t string) bool {
			return p == t || strings.HasPrefix(t, strings.TrimSuffix(p, "/")+"/") || strings.HasPrefix(p, t+"/")
		})
	}
	var staged StagedError
	var dirty DirtyError
	for _, e := range st.Entries {
		switch {
		case e.Unmerged:
			return snapshot.ErrConflicted
		case e.Index != '.' || e.IndexMode == "000000":
			staged.Files = append(staged.Files, e.Path)
		case touched(e.Path):
			dirty.Files = append(dirty.Files, e.Path)
		}
	}
	for _, p := range st.Untracked {
		if touched(p) {
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

// OwnChange is HEAD where it alone, of what main lacks, changes the files: taking it back
// leaves them as main had them. "" for any other branch, and for a picked stub.
func (c *Call) OwnChange(ctx context.Context, files []string) (string, error) {
	main := c.mainOID(ctx)
	if main == "" || len(files) == 0 {
		return "", nil
	}
	log, err := c.wt.Log(ctx, git.LogOptions{From: []string{c.head.OID}, Not: []string{main}, Paths: files, Max: 2})
	if err != nil || len(log) != 1 || log[0].OID != c.head.OID || len(log[0].Parents) != 1 || len(log[0].Trailer(land.StubTrailer)) > 0 {
		return "", err
	}
	return log[0].OID, nil
}

// pickError says what git could not do.
func pickError(err error) error {
	var pick *land.PickError
	var wrong *land.UnprovenError
	switch {
	case errors.As(err, &pick):
		out := &PickError{Step: "pick", Files: pick.Files, Why: pick.Error(), Signing: pick.Signing}
		switch {
		case pick.Back:
			out.Step = "take back"
		case pick.Work:
			out.Step, out.Why = "carry", pick.Said
		}
		return out
	case errors.As(err, &wrong):
		out := &PickError{Step: "check"}
		var why []string
		for _, p := range wrong.Problems[:min(len(wrong.Problems), 3)] {
			out.Files = append(out.Files, p.Path)
			why = append(why, p.Text)
		}
		out.Why = "git merged it without a conflict, but " + strings.Join(why, "; ")
		return out
	}
	return err
}
