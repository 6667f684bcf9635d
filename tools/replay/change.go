package main

import (
	"context"
	"errors"
	"fmt"
	"sort"

	"gitlet/internal/footprint"
	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/sources"
	"gitlet/internal/symbols"
	"gitlet/internal/view"
)

// errUntold is returned for a pull request that cannot be put on the wanted base.
var errUntold = errors.New("cannot be replayed")

// change is what a pull request changes, on a base.
type change struct {
	landing
	base, head string
	print      *model.Footprint
}

// replayer turns landings into items.
type replayer struct {
	h      *history
	all    []landing
	cat    *git.CatFile
	cache  *symbols.Cache
	origin map[string]change // by landing commit, on the branch's own base
	prints map[[2]string]*model.Footprint
	files  map[string]map[string]bool // by landing commit, for near pairs
}

func newReplayer(ctx context.Context, h *history) *replayer {
	return &replayer{h: h, cat: h.wt.NewCatFile(ctx), cache: symbols.NewCache(symbols.DefaultLimits, 0),
		origin: map[string]change{}, prints: map[[2]string]*model.Footprint{}}
}

// own is the pull request on its own base.
func (r *replayer) own(ctx context.Context, l landing) (change, error) {
	if c, ok := r.origin[l.commit]; ok {
		if c.base == "" {
			return c, errUntold
		}
		return c, nil
	}
	c, err := r.find(ctx, l)
	if err != nil {
		c.base = ""
	}
	r.origin[l.commit] = c
	return c, err
}

func (r *replayer) find(ctx context.Context, l landing) (change, error) {
	c := change{landing: l}
	if l.branch != "" {
		base, err := r.h.wt.MergeBase(ctx, l.parent, l.branch)
		if errors.Is(err, git.ErrNoMergeBase) {
			return c, errUntold
		}
		if err != nil {
			return c, err
		}
		c.base = base
		c.head, err = r.commit(ctx, l.branch, base)
		return c, err
	}
	// A squash: the branch began where main stood at the author's date.
	out, err := runGit(ctx, r.h.dir, "rev-list", "--first-parent", "--max-count=1", fmt.Sprintf("--before=%d", l.started.Unix()), l.parent)
	if err != nil {
		return c, err
	}
	if c.base = firstLine(out); c.base == "" {
		return c, errUntold
	}
	c.head, err = r.transplant(ctx, l.parent, l.commit, c.base)
	return c, err
}

func firstLine(b []byte) string {
	for i, ch := range b {
		if ch == '\n' {
			return string(b[:i])
		}
	}
	return string(b)
}

// commit is rev's tree as one commit on base.
func (r *replayer) commit(ctx context.Context, rev, base string) (string, error) {
	tree, err := r.h.wt.ResolveOne(ctx, rev+"^{tree}")
	if err != nil {
		return "", err
	}
	return r.commitTree(ctx, tree, base)
}

// commitTree writes a commit whose id follows from its content, so that a run with
// the same seed says the same.
func (r *replayer) commitTree(ctx context.Context, tree, parent string) (string, error) {
	out, err := runGit(ctx, r.h.dir, "commit-tree", "-p", parent, "-m", "replay", tree)
	return firstLine(out), err
}

// transplant puts the change from old to rev onto base, as a rebase would; one that
// conflicts there cannot be replayed.
func (r *replayer) transplant(ctx context.Context, old, rev, base string) (string, error) {
	if old == base {
		return r.commit(ctx, rev, base)
	}
	// Two commits on old make it the merge base.
	ours, err := r.commit(ctx, base, old)
	if err != nil {
		return "", err
	}
	theirs, err := r.commit(ctx, rev, old)
	if err != nil {
		return "", err
	}
	m, err := r.h.wt.MergeTree(ctx, ours, theirs)
	switch {
	case errors.Is(err, git.ErrCannotTell):
		return "", errUntold
	case err != nil:
		return "", err
	case !m.Clean():
		return "", errUntold
	}
	return r.commitTree(ctx, m.Tree, base)
}

// on is the pull request on another base.
func (r *replayer) on(ctx context.Context, c change, base string) (change, error) {
	if base == c.base {
		return c, nil
	}
	var err error
	c.head, err = r.transplant(ctx, c.base, c.head, base)
	c.base = base
	return c, err
}

// meet reports whether the two changed a common file when they landed.
func (r *replayer) meet(p pair) bool {
	for f := range r.files[p.first.commit] {
		if r.files[p.second.commit][f] {
			return true
		}
	}
	return false
}

// together puts both on the older base.
func (r *replayer) together(ctx context.Context, p pair) (a, b change, err error) {
	if a, err = r.own(ctx, p.first); err != nil {
		return a, b, err
	}
	if b, err = r.own(ctx, p.second); err != nil {
		return a, b, err
	}
	base := a.base
	if b.base != base {
		base, err = r.h.wt.MergeBase(ctx, a.base, b.base)
		if errors.Is(err, git.ErrNoMergeBase) {
			return a, b, errUntold
		}
		if err != nil {
			return a, b, err
		}
	}
	if a, err = r.on(ctx, a, base); err == nil {
		b, err = r.on(ctx, b, base)
	}
	return a, b, err
}

// footprint computes what head changes against base.
func (r *replayer) footprint(ctx context.Context, base, head string) (*model.Footprint, error) {
	key := [2]string{base, head}
	if fp := r.prints[key]; fp != nil {
		return fp, nil
	}
	changes, err := r.h.wt.DiffTrees(ctx, base, head)
	if err != nil {
		return nil, err
	}
	fp := footprint.Compute(footprint.Input{Base: base, Head: head, Deltas: sources.Deltas(r.cat, changes, nil, 0),
		Repo: sources.At{Cat: r.cat, Rev: head}, Cache: r.cache})
	r.prints[key] = &fp
	return &fp, ctx.Err()
}

// predict asks git about merging the two.
func (r *replayer) predict(ctx context.Context, a, b change) (view.Prediction, error) {
	m, err := r.h.wt.MergeTree(ctx, a.head, b.head)
	if errors.Is(err, git.ErrCannotTell) {
		return view.Prediction{}, nil
	}
	if err != nil {
		return view.Prediction{}, err
	}
	files := m.Files()
	sort.Strings(files)
	return view.Prediction{Known: true, Files: files}, nil
}
