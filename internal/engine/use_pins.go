package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"gitlet/internal/git"
	"gitlet/internal/land"
	"gitlet/internal/model"
)

// What is pinned and what the branch holds can part: by a restore, or by git in the user's
// hands. Here they are brought together again.

// OnBranch reports whether a commit is part of the branch and was not reverted since.
func (c *Call) OnBranch(ctx context.Context, commit string) (bool, error) {
	on, err := c.wt.IsAncestor(ctx, commit, c.head.OID)
	if errors.Is(err, git.ErrNotFound) || err == nil && !on {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	log, err := c.wt.Log(ctx, git.LogOptions{From: []string{c.head.OID}, Not: []string{commit}})
	return err == nil && !reverted(log, commit), err
}

// reverted reports whether one of the commits says that it takes another back.
func reverted(later []git.Commit, commit string) bool {
	return slices.ContainsFunc(later, func(x git.Commit) bool { return strings.Contains(x.Message, "This reverts commit "+commit) })
}

// heldPick is the branch's own commit that brought in a stub of a symbol, by one of its keys,
// and was not taken back, with the stub's signature hash; "" for none.
func (c *Call) heldPick(ctx context.Context, keys ...string) (commit, sigHash string, err error) {
	if c.head.OID == "" {
		return "", "", nil
	}
	o := git.LogOptions{From: []string{c.head.OID}}
	if main := c.mainOID(ctx); main != "" {
		o.Not = []string{main}
	}
	log, err := c.wt.Log(ctx, o)
	if err != nil {
		return "", "", err
	}
	back := map[string]int{}
	for i, x := range log { // the newest first
		for _, v := range x.Trailer(land.BackTrailer) {
			back[v]++
		}
		for _, v := range x.Trailer(land.StubTrailer) {
			key, hash, ok := strings.Cut(v, "@")
			if !ok || !slices.Contains(keys, key) {
				continue
			}
			if back[v] > 0 {
				back[v]--
			} else if !reverted(log[:i], x.OID) {
				return x.OID, hash, nil
			}
		}
	}
	return "", "", nil
}

// SettlePins brings the pins of the task here in line with its branch, after that was put
// back: what the branch has no more is needed anew, and an earlier version that it has
// again is what is pinned. It returns the names of the former.
func (c *Call) SettlePins(ctx context.Context) (lost []string, err error) {
	it, err := c.ItemHere(ctx)
	if it == nil || err != nil {
		return nil, err
	}
	v, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	head, err := c.wt.Head(ctx)
	if err != nil {
		return nil, err
	}
	is := map[string]model.Need{}
	gone := map[string]bool{}
	for _, n := range v.Needs {
		cl := v.Contracted(n.Key)
		if n.Agent != c.who.Agent || n.Item != it.ID || n.PinnedSigHash == "" || cl == nil || cl.Contract == nil || cl.Contract.SigHash != n.PinnedSigHash ||
			c.says(ctx, *cl, head.OID) == nil {
			continue
		}
		commit, hash, err := c.heldPick(ctx, n.Key, cl.Key)
		if err != nil {
			return nil, err
		}
		now := n.Need
		now.PinnedSigHash, now.PinnedStub, now.PinnedCommit = hash, "", commit
		is[n.ID] = now
		if commit == "" {
			gone[n.Name] = true
		}
	}
	if len(is) == 0 {
		return nil, nil
	}
	err = c.changeOutbox(ctx, func(o *model.Outbox) error {
		for i := range o.Needs {
			if now, ok := is[o.Needs[i].ID]; ok {
				o.Needs[i] = now
			}
		}
		return nil
	})
	return slices.Sorted(maps.Keys(gone)), err
}
