package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

	"gitlet/internal/footprint"
	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/sources"
	"gitlet/internal/view"
)

// pinsOf are the needs of an item of this agent that are pinned to a stub, in the order of
// the stubs. Where the item owns the symbol by now, what it picked is its own.
func (e *Engine) pinsOf(item string) []model.Need {
	var out []model.Need
	for _, d := range e.docs.Outboxes {
		if d.Value.Agent != e.who.Agent {
			continue
		}
		for _, n := range d.Value.Needs {
			held := e.docs.Held(n.Key)
			own := held != nil && held.Claim.Owner == e.who.Agent && held.Claim.Item == item
			if n.Item == item && item != "" && n.PinnedStub != "" && !own {
				out = append(out, n)
			}
		}
	}
	slices.SortFunc(out, func(a, b model.Need) int { return strings.Compare(a.PinnedStub, b.PinnedStub) })
	return slices.CompactFunc(out, func(a, b model.Need) bool { return a.PinnedStub == b.PinnedStub })
}

// markPicked marks in a footprint what the stubs of pins brought. A stub that is gone from
// the clone stands in the branch as the commit that was picked.
func (e *Engine) markPicked(ctx context.Context, wt *git.Worktree, cat *git.CatFile, fp model.Footprint, deltas []footprint.Delta, pins []model.Need) (model.Footprint, error) {
	if len(pins) == 0 && len(fp.Stubs) == 0 {
		return fp, nil
	}
	var names []string
	for _, n := range pins {
		picked := n.PinnedCommit
		if picked == "" {
			picked = n.PinnedStub
		}
		names = append(names, n.PinnedStub+"^1", n.PinnedStub+"^{commit}", picked+"^1", picked+"^{commit}")
	}
	oids, err := wt.Resolve(ctx, names...)
	if err != nil {
		return fp, err
	}
	var stubs []footprint.Stub
	for i, n := range pins {
		s := footprint.Stub{Commit: n.PinnedStub}
		for _, at := range [][]string{oids[4*i : 4*i+2], oids[4*i+2 : 4*i+4]} {
			if at[0] == "" || at[1] == "" {
				continue
			}
			changes, err := wt.DiffTrees(ctx, at[0], at[1])
			if err != nil {
				return fp, err
			}
			s.Deltas = sources.Deltas(cat, changes, withheld, int64(e.settings.MaxSnapshotFile))
			break
		}
		stubs = append(stubs, s)
	}
	return footprint.MarkPicked(fp, deltas, stubs, e.cache), nil
}

// mergePicked predicts the merge of two items of which one or both picked published stubs,
// as it will be once the interfaces have landed and the stubs are gone. A stub that both
// hold is where both start from, so that only what they made of it can conflict; one that
// a single side picked is taken out of it first. Where a stub fits in no such way, that
// side's own work is on top of it, and it stays.
func mergePicked(ctx context.Context, repo *git.Scratch, tips git.MergePair, stubs view.Stubs) (*git.Merge, error) {
	base, err := repo.MergeBase(ctx, tips.Ours, tips.Theirs)
	if errors.Is(err, git.ErrNoMergeBase) {
		return nil, git.ErrCannotTell
	}
	if err != nil {
		return nil, err
	}
	was := [3]string{base, tips.Ours, tips.Theirs}
	now := was
	for i, list := range [][]string{stubs.Common, stubs.Mine, stubs.Other} {
		for _, stub := range list {
			oids, err := repo.Resolve(ctx, stub+"^1^{tree}", stub+"^{tree}")
			if err != nil {
				return nil, err
			}
			from, to := oids[0], oids[1]
			if from == "" || to == "" {
				continue // not in this clone: it is told of as if it was theirs
			}
			if i > 0 {
				from, to = to, from
			}
			m, err := repo.MergeFrom(ctx, from, now[i], to)
			if err != nil && !errors.Is(err, git.ErrCannotTell) {
				return nil, err
			}
			if err == nil && m.Clean() {
				now[i] = m.Tree
			}
		}
	}
	if now == was {
		return repo.MergeTree(ctx, tips.Ours, tips.Theirs)
	}
	return repo.MergeFrom(ctx, now[0], now[1], now[2])
}
