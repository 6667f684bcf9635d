package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gitlet/internal/bus"
	"gitlet/internal/git"
	"gitlet/internal/id"
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

// keyPins is the ledger key of an agent for what its pins were last held against.
const keyPins = "pins-settled"

// settledPins is what a look at the pins found, so that the next one costs nothing while
// branch and pins stand still.
type settledPins struct {
	At   string       `json:"at"`
	Lost []model.Need `json:"lost,omitempty"` // as they were pinned, for when the branch has them again
}

// SettlePins brings the pins of the task here in line with its branch, however that was
// moved: what the branch does not build on any more is needed anew, an earlier version that
// it has again is what is pinned, and a picked commit that became another one by hand is
// followed. It returns the names of what was lost. On a detached HEAD, as in the middle
// of a rebase, nothing is judged.
func (c *Call) SettlePins(ctx context.Context) (lost []string, err error) {
	head := c.head
	if c.second || head.OID == "" || head.Branch == "" || !c.needsAny() {
		return nil, nil
	}
	it, err := c.ItemHere(ctx)
	if it == nil || err != nil {
		return nil, err
	}
	var known settledPins
	c.recall(ctx, keyPins, &known)
	pins, away := c.pinsToSettle(it.ID, known.Lost)
	at := pinStamp(head.OID, pins, away)
	if len(pins)+len(away) == 0 || at == known.At {
		return nil, nil
	}
	has, err := c.pinnedAt(ctx, head.OID, pins, away)
	if err != nil {
		return nil, err
	}
	had, err := c.pinnedAt(ctx, it.Base, pins, away)
	if err != nil {
		return nil, err
	}
	is := map[string]model.Need{}
	gone := map[string]bool{}
	var still []model.Need
	for _, n := range pins {
		p, _ := land.PinOf(n)
		now, err := c.pinNow(ctx, n, has[p], had[p])
		if err != nil {
			return nil, err
		}
		if now.PinnedSigHash == "" {
			gone[n.Name], still = true, append(still, n)
		}
		if now != n {
			is[n.ID] = now
		}
	}
	for _, n := range away {
		if p, _ := land.PinOf(n); has[p] == n.PinnedSigHash && had[p] != n.PinnedSigHash {
			is[n.ID] = n
		} else {
			still = append(still, n)
		}
	}
	if len(is) > 0 {
		err = c.changeOutbox(ctx, func(o *model.Outbox) error {
			for i := range o.Needs {
				if now, ok := is[o.Needs[i].ID]; ok {
					o.Needs[i].PinnedSigHash, o.Needs[i].PinnedStub, o.Needs[i].PinnedCommit = now.PinnedSigHash, now.PinnedStub, now.PinnedCommit
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		pins, away = c.pinsToSettle(it.ID, still)
		at = pinStamp(head.OID, pins, away)
	}
	c.retain(ctx, keyPins, settledPins{At: at, Lost: still})
	return slices.Sorted(maps.Keys(gone)), nil
}

// settlePins does so around a verb or a tick, and keeps what was lost to be told.
func (c *Call) settlePins(ctx context.Context) {
	lost, err := c.SettlePins(ctx)
	if err != nil {
		if !cut(ctx, err) {
			c.warnings.add("which published signatures your branch holds could not be told: %v", err)
		}
		return
	}
	for _, n := range lost {
		c.gained(ctx, LostPin(n))
	}
	if len(lost) > 0 {
		c.Changed(ctx)
	}
}

// needsAny reports whether this agent needs anything.
func (e *Engine) needsAny() bool {
	return slices.ContainsFunc(e.docs.Outboxes, func(d bus.Doc[model.Outbox]) bool {
		return d.Value.Agent == e.who.Agent && len(d.Value.Needs) > 0
	})
}

// LostPin says that the branch does not hold what was picked any more.
func LostPin(name string) string {
	return fmt.Sprintf("the published signature of %s is not on your branch any more", name)
}

// pinsToSettle are an item's pinned needs on what others own, and those of lost that are
// still needed and not pinned to anything else.
func (c *Call) pinsToSettle(item string, lost []model.Need) (pins, away []model.Need) {
	for _, d := range c.docs.Outboxes {
		if d.Value.Agent != c.who.Agent {
			continue
		}
		for _, n := range d.Value.Needs {
			held := c.docs.Held(n.Key)
			if n.Item != item || held != nil && held.Claim.Owner == c.who.Agent && held.Claim.Item == item {
				continue
			}
			if _, ok := land.PinOf(n); ok {
				pins = append(pins, n)
				continue
			}
			for _, l := range lost {
				if l.ID == n.ID && l.Key == n.Key && n.PinnedSigHash == "" {
					away = append(away, l)
				}
			}
		}
	}
	return pins, away
}

// pinStamp stands for a head and the pins that are held against it.
func pinStamp(head string, lists ...[]model.Need) string {
	facts := []string{head}
	for _, list := range lists {
		for _, n := range list {
			facts = append(facts, n.ID, n.PinnedSigHash, n.PinnedCommit)
		}
		facts = append(facts, "")
	}
	return id.Version(facts...)
}

// pinnedAt is the signature hash that a commit has of each pinned symbol, "" for none.
func (c *Call) pinnedAt(ctx context.Context, rev string, lists ...[]model.Need) (map[land.Pin]string, error) {
	var all []land.Pin
	for _, n := range slices.Concat(lists...) {
		if p, ok := land.PinOf(n); ok {
			all = append(all, p)
		}
	}
	found, err := land.At(ctx, c.wt.Repo, rev, all, c.cache)
	out := map[land.Pin]string{}
	for p, s := range found {
		out[p] = s.SigHash
	}
	return out, err
}

// pinNow is a pinned need as the branch has it, where has is the signature hash there and
// had the one where the branch left main. What the branch says counts; only where its
// author changed the signature further does its history decide.
func (c *Call) pinNow(ctx context.Context, n model.Need, has, had string) (model.Need, error) {
	on := false
	if n.PinnedCommit != "" && has != "" && (has == n.PinnedSigHash || has != had) {
		var err error
		if on, err = c.OnBranch(ctx, n.PinnedCommit); err != nil || on {
			return n, err
		}
	}
	switch {
	case has == n.PinnedSigHash:
		if n.PinnedCommit == "" {
			return n, nil
		}
		var err error
		n.PinnedCommit, err = c.rebasedPick(ctx, n, n.Key)
		return n, err
	case has == had:
		n.PinnedSigHash, n.PinnedStub, n.PinnedCommit = "", "", ""
		return n, nil
	}
	commit, hash, err := c.heldPick(ctx, n.Key)
	n.PinnedCommit, n.PinnedStub = commit, ""
	n.PinnedSigHash = hash
	return n, err
}
