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
	problems, err := Proof(ctx, u.wt.Repo, u.out.Base, u.out.From.OID, u.o.Onto, head, u.o.Cache)
	if err != nil {
		return err
	}
	if u.out.Carried > 0 {
		more, err := Proof(ctx, u.wt.Repo, u.out.Base, u.work.Tree, u.o.Onto, to.Tree, u.o.Cache)
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
		return &UnprovenError{Problems: problems, Replayed: u.book.Used, Merged: u.out.Merged}
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

// Proof checks the files that both sides changed since base, in the result of merging
// them. Each is a commit or a tree that repo has.
func Proof(ctx context.Context, repo *git.Repo, base, ours, theirs, result string, cache *symbols.Cache) ([]proof.Problem, error) {
	mine, err := repo.DiffTrees(ctx, base, ours)
	if err != nil {
		return nil, err
	}
	other, err := repo.DiffTrees(ctx, base, theirs)
	if err != nil {
		return nil, err
	}
	byOld := map[string]git.Change{}
	for _, c := range other {
		byOld[c.OldPath] = c
	}
	cat := repo.NewCatFile(ctx)
	defer cat.Close()
	side := func(rev, path string) proof.Side {
		data, err := sources.Object(cat, rev+":"+path)
		return proof.Side{Path: path, Text: data, Absent: err != nil}
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
		out = append(out, proof.Check(proof.Merge{Base: side(base, a.OldPath), Ours: side(ours, a.Path), Theirs: side(theirs, b.Path),
			Result: side(result, at)}, cache)...)
	}
	return out, ctx.Err()
}
