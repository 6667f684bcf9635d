package gate

import (
	"context"
	"errors"
	"fmt"

	"gitlet/internal/git"
	"gitlet/internal/land"
	"gitlet/internal/model"
)

// checkMerge merges the commit into main as the forge will: without the merge attributes
// and drivers of this clone. What comes out is looked at for lines of main that are lost.
func checkMerge(ctx context.Context, in Input) ([]Finding, error) {
	if in.Main == "" {
		return nil, nil
	}
	s, err := in.WT.NewScratch()
	if err != nil {
		return nil, err
	}
	defer s.Close()
	m, err := s.MergeTree(ctx, in.Main, in.Head)
	var old *git.TooOldError
	switch {
	case errors.As(err, &old):
		// Whoever runs the checks says so once; the lines of main can be told all the same
		// where the commit holds all of main.
		return withoutMerge(ctx, in)
	case cannotTell(err):
		return []Finding{{Check: "merge", Summary: fmt.Sprintf("whether this merges into %s cannot be told: %v", in.MainName, err)}}, nil
	case err != nil:
		return nil, err
	}
	if !m.Clean() {
		here, err := in.WT.MergeTree(ctx, in.Main, in.Head)
		if err != nil && !cannotTell(err) {
			return nil, err
		}
		return []Finding{conflict(in, m, here)}, nil
	}
	found, err := checkProof(ctx, in, s.Repo, m.Tree)
	if err != nil || Refusal(found) != nil {
		return found, err
	}
	more, err := checkDropped(ctx, in, s.Repo, m.Tree)
	return append(found, more...), err
}

// checkProof looks at a merge that git made without a conflict, whose tree is in repo.
func checkProof(ctx context.Context, in Input, repo *git.Repo, tree string) ([]Finding, error) {
	base, err := in.WT.MergeBase(ctx, in.Main, in.Head)
	if cannotTell(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	problems, err := land.Proof(ctx, repo, base, in.Head, in.Main, tree, in.Cache)
	if err != nil || len(problems) == 0 {
		return nil, err
	}
	f := Finding{Check: "proof", Refuses: true,
		Summary: fmt.Sprintf("this merges into %s without a conflict, but the result is wrong", in.MainName),
		Options: []model.Option{{Argv: []string{"git", "merge", "--no-commit", in.mainRef()}, Why: "mend what the merge makes of it, commit, then submit again"},
			{Argv: []string{"git", "rebase", "--no-autostash", in.mainRef()}, Why: "or bring your branch on top of it by hand, then submit again"}}}
	for _, p := range problems {
		f.Details = append(f.Details, p.Text)
	}
	f.Details = some(f.Details)
	return []Finding{f}, nil
}

// withoutMerge is for a git that cannot predict a merge: where the commit holds all of
// main, it is itself what the merge gives.
func withoutMerge(ctx context.Context, in Input) ([]Finding, error) {
	holds, err := in.WT.IsAncestor(ctx, in.Main, in.Head)
	if err != nil || !holds {
		return nil, err
	}
	return checkDropped(ctx, in, in.WT.Repo, in.Head)
}

// conflict words a merge that fails on the forge; here is the same merge with the
// attributes of this clone, nil when it could not be told.
func conflict(in Input, forge, here *git.Merge) Finding {
	f := Finding{Check: "merge", Refuses: true,
		Summary: fmt.Sprintf("this conflicts with %s in %s", in.MainName, plural(len(forge.Conflicts), "file")),
		Options: []model.Option{{Verb: "update", Why: "brings your branch up to date, or shows the conflict and changes nothing"},
			{Argv: []string{"git", "rebase", "--no-autostash", in.mainRef()}, Why: "solve it: edit the files, git add them, git rebase --continue, then submit again"},
			{Argv: []string{"git", "rebase", "--abort"}, Why: "gives that up again"}}}
	resolved := map[string]bool{}
	if here != nil {
		for _, p := range forge.Files() {
			resolved[p] = true
		}
		for _, p := range here.Files() {
			resolved[p] = false
		}
	}
	var files []string
	for _, p := range forge.Files() {
		if resolved[p] {
			p += ": it merges here, where a merge attribute or driver applies, but the forge ignores those"
		}
		files = append(files, p)
	}
	f.Details = some(files)
	return f
}
