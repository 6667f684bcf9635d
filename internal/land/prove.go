package land

import (
	"context"
	"errors"
	"slices"

	"gitlet/internal/git"
	"gitlet/internal/proof"
	"gitlet/internal/snapshot"
	"gitlet/internal/sources"
	"gitlet/internal/symbols"
)

// prove checks what the rebase made of the files that both sides changed, committed and
// uncommitted, and that the branch holds what a merge would give.
func (u *updating) prove(ctx context.Context, head string, to snapshot.Work) error {
	cat := u.wt.NewCatFile(ctx)
	defer cat.Close()
	p := prover{wt: u.wt, cat: cat, cache: u.o.Cache}
	problems, err := p.merge(ctx, u.out.Base, u.out.From.OID, u.o.Onto, head)
	if err != nil {
		return err
	}
	if u.out.Carried > 0 {
		more, err := p.merge(ctx, u.out.Base, u.work.Tree, u.o.Onto, to.Tree)
		if err != nil {
			return err
		}
		for _, x := range more {
			if !slices.Contains(problems, x) {
				problems = append(problems, x)
			}
		}
	}
	if len(problems) > 0 {
		return &UnprovenError{Problems: problems}
	}
	if len(u.out.Stubs) > 0 {
		return nil // a merge would bring them
	}
	return u.asPredicted(ctx, head)
}

// asPredicted compares the new head with a merge of the old one, where git can merge
// without a work tree and that merge is clean.
func (u *updating) asPredicted(ctx context.Context, head string) error {
	if !u.wt.Version.MergeTree() {
		return nil
	}
	m, err := u.wt.MergeTree(ctx, u.o.Onto, u.out.From.OID)
	if errors.Is(err, git.ErrCannotTell) || err == nil && !m.Clean() {
		return nil
	}
	if err != nil {
		return err
	}
	changes, err := u.wt.DiffTrees(ctx, m.Tree, head)
	if err != nil || len(changes) == 0 {
		return err
	}
	e := &DiffersError{}
	for _, c := range changes {
		e.Files = append(e.Files, c.Path)
	}
	return e
}

type prover struct {
	wt    *git.Worktree
	cat   *git.CatFile
	cache *symbols.Cache
}

// merge checks every file that both sides changed since base.
func (p *prover) merge(ctx context.Context, base, ours, theirs, result string) ([]proof.Problem, error) {
	mine, err := p.wt.DiffTrees(ctx, base, ours)
	if err != nil {
		return nil, err
	}
	other, err := p.wt.DiffTrees(ctx, base, theirs)
	if err != nil {
		return nil, err
	}
	byOld := map[string]git.Change{}
	for _, c := range other {
		byOld[c.OldPath] = c
	}
	var out []proof.Problem
	for _, a := range mine {
		b, both := byOld[a.OldPath]
		if !both || a.Gitlink() || b.Gitlink() || a.Status == 'D' || b.Status == 'D' {
			continue
		}
		at := a.Path // a rename on either side wins
		if a.Path == a.OldPath {
			at = b.Path
		}
		m := proof.Merge{Base: p.side(base, a.OldPath), Ours: p.side(ours, a.Path), Theirs: p.side(theirs, b.Path), Result: p.side(result, at)}
		out = append(out, proof.Check(m, p.cache)...)
	}
	return out, ctx.Err()
}

func (p *prover) side(rev, path string) proof.Side {
	data, err := sources.Object(p.cat, rev+":"+path)
	return proof.Side{Path: path, Text: data, Absent: err != nil}
}
