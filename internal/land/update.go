package land

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gitlet/internal/git"
	"gitlet/internal/proof"
	"gitlet/internal/replay"
	"gitlet/internal/snapshot"
	"gitlet/internal/symbols"
)

// AutoUpdate is the slug of the checkpoint that an update takes first.
const AutoUpdate = "auto-pre-update"

// Options say what to update onto, and for whom.
type Options struct {
	Agent string
	Now   time.Time
	Onto  string // main's commit
	Name  string // what main is called: "origin/main"
	// Landed are picked stubs whose interface is on main: their commits are left out.
	Landed []LandedStub
	Cache  *symbols.Cache
	// Ask is for the resolutions that others share; nil where none count.
	Ask replay.Ask
}

// Updated is what an update did.
type Updated struct {
	From, To git.Head
	Base     string       // where the branch left main before
	Behind   int          // commits of main that the branch lacked
	Kept     []Moved      // the branch's commits
	Here     []git.Commit // left out: main has the same change already
	Empty    []git.Commit // left out: nothing of them was left to add
	Stubs    []git.Commit // left out: their interface has landed
	Carried  int          // uncommitted files that were carried along
	Before   snapshot.Checkpoint
	Links    []string // submodules that stand at another commit than the tree says
	Left     []string // ignored files that were left alone
	Replaced []string // ignored files that are main's now; Before holds what they were
	Replayed []replay.Used
	Merged   []git.DriverMerge // by gitlet's merge drivers, where git's lines conflict
}

// Moved is a commit before and after.
type Moved struct{ Old, New git.Commit }

// What an update can end in without anything changed, beside the errors of
// snapshot.Save and snapshot.Restore.
var (
	ErrUpToDate = errors.New("the branch has all of main")
	ErrUnborn   = errors.New("there is no commit yet")
)

// MergesError: the commits to move hold a merge, which a rebase would flatten.
type MergesError struct{ Commit string }

func (e *MergesError) Error() string {
	return fmt.Sprintf("commit %s is a merge", git.Short(e.Commit))
}

// SigningError: the user's policy is to sign commits, and that did not work.
type SigningError struct{ Said string }

func (e *SigningError) Error() string { return "signing: " + e.Said }

// StoppedError: the rebase stopped for another reason than a conflict.
type StoppedError struct {
	Commit git.Commit
	Said   string
}

func (e *StoppedError) Error() string {
	return fmt.Sprintf("the rebase stopped at %s: %s", git.Short(e.Commit.OID), e.Said)
}

// UnprovenError: git merged without a conflict, or with recorded resolutions, and the result
// is not what the sides meant.
type UnprovenError struct {
	Problems []proof.Problem
	Replayed []replay.Used
	Merged   []git.DriverMerge
}

func (e *UnprovenError) Error() string {
	return fmt.Sprintf("the merge is wrong in %d places", len(e.Problems))
}

// DiffersError: the rebased branch holds other files than a merge would give.
type DiffersError struct{ Files []string }

func (e *DiffersError) Error() string {
	return fmt.Sprintf("the rebase gives other content than a merge in %q", e.Files)
}

// updating is one update on its way.
type updating struct {
	wt   *git.Worktree
	o    Options
	out  *Updated
	work snapshot.Work

	saved *snapshot.Saved
	also  []string     // files that main brings
	ahead []git.Commit // what the branch has and main lacks, oldest first
	trial *git.Trial
	book  *replay.Book
}

// Update moves the branch and the uncommitted work onto main. Where it returns an error,
// HEAD, branch, index and every file are as they were. Errors: ErrUpToDate, ErrUnborn,
// *MergesError, *ConflictError, *SigningError, *StoppedError, *UnprovenError,
// *DiffersError.
func Update(ctx context.Context, wt *git.Worktree, o Options) (*Updated, error) {
	const attempts = 3
	var err error
	for range attempts {
		u := &updating{wt: wt, o: o, out: &Updated{}}
		if err = u.run(ctx); err == nil {
			return u.out, nil
		}
		if !errors.Is(err, snapshot.ErrMoved) {
			return nil, err
		}
	}
	return nil, err
}

func (u *updating) run(ctx context.Context) error {
	if err := u.look(ctx); err != nil {
		return err
	}
	// From here on it ends by itself, done or undone, whoever stops waiting.
	ctx = context.WithoutCancel(ctx)
	if err := u.park(ctx); err != nil {
		return err
	}
	var err error
	if u.trial, err = u.wt.NewTrial(ctx, u.out.From.OID); err != nil {
		return err
	}
	defer u.trial.Close()
	if u.book, err = replay.Open(ctx, u.wt.Repo, u.o.Now, u.o.Ask); err != nil {
		return err
	}
	u.book.Begin(u.trial)
	head, err := u.rebase(ctx)
	if err != nil {
		return err
	}
	to, err := u.carry(ctx, head)
	if err != nil {
		return err
	}
	u.out.Merged = u.trial.Merged()
	if err := u.prove(ctx, head, to); err != nil {
		return err
	}
	u.out.To = git.Head{OID: head, Branch: u.out.From.Branch}
	done, err := u.saved.Advance(ctx, u.wt, u.save(), snapshot.Advance{From: u.work, Head: u.out.To, To: to,
		Why: "gitlet: update onto " + u.o.Name})
	if err != nil {
		return err
	}
	u.book.Done()
	u.out.Replayed = u.book.Used
	u.out.Before, u.out.Links, u.out.Left = done.Before, done.Links, done.Left
	return nil
}

// look finds out what there is to do.
func (u *updating) look(ctx context.Context) error {
	op, err := u.wt.Operation(ctx)
	if err != nil {
		return err
	}
	if op != "" {
		return &snapshot.OperationError{Operation: op}
	}
	if u.out.From, err = u.wt.Head(ctx); err != nil {
		return err
	}
	head := u.out.From.OID
	if head == "" {
		return ErrUnborn
	}
	if _, u.out.Behind, err = u.wt.AheadBehind(ctx, head, u.o.Onto); err != nil {
		return err
	}
	if u.out.Behind == 0 {
		return ErrUpToDate
	}
	if u.out.Base, err = u.wt.MergeBase(ctx, head, u.o.Onto); err != nil {
		return err
	}
	merge, err := u.wt.Merges(ctx, u.o.Onto, head)
	if err != nil {
		return err
	}
	if merge != "" {
		return &MergesError{Commit: merge}
	}
	if u.ahead, err = u.wt.Log(ctx, git.LogOptions{From: []string{head}, Not: []string{u.o.Onto}}); err != nil {
		return err
	}
	slices.Reverse(u.ahead)
	return nil
}

func (u *updating) save() snapshot.SaveOptions {
	return snapshot.SaveOptions{Agent: u.o.Agent, Name: AutoUpdate, Slug: AutoUpdate, Now: u.o.Now, Also: u.also}
}

// park takes the checkpoint. Files that main brings and that lie here ignored are in it.
func (u *updating) park(ctx context.Context) error {
	var err error
	if u.also, err = u.brought(ctx); err != nil {
		return err
	}
	if u.saved, err = snapshot.Save(ctx, u.wt, u.save()); err != nil {
		return err
	}
	if u.saved.Head != u.out.From {
		return snapshot.ErrMoved
	}
	u.out.Replaced = u.saved.Beside()
	u.work, err = u.saved.Work(ctx, u.wt)
	return err
}

// brought are the files that main added since the branch left it.
func (u *updating) brought(ctx context.Context) ([]string, error) {
	changes, err := u.wt.DiffTrees(ctx, u.out.Base, u.o.Onto)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, c := range changes {
		if (c.Status == 'A' || c.Status == 'R') && !c.Gitlink() {
			out = append(out, c.Path)
		}
	}
	return out, nil
}

// rebase moves the commits, and says which were left out and why.
func (u *updating) rebase(ctx context.Context) (string, error) {
	head := u.out.From.OID
	picks, err := u.wt.Picks(ctx, u.o.Onto, head)
	if err != nil {
		return "", err
	}
	pick := map[string]bool{}
	for _, p := range picks {
		pick[p] = true
	}
	byID := map[string]git.Commit{}
	for _, c := range u.ahead {
		byID[c.OID] = c
		if !pick[c.OID] {
			u.out.Here = append(u.out.Here, c)
		}
	}
	unwanted, err := unwanted(ctx, u.wt.Repo, u.ahead, u.o.Landed)
	if err != nil {
		return "", err
	}
	var steps []git.Step
	var moved []git.Commit
	for _, p := range picks {
		c, drop := byID[p], unwanted[p]
		if drop {
			u.out.Stubs = append(u.out.Stubs, c)
		} else {
			moved = append(moved, c)
		}
		steps = append(steps, git.Step{Commit: p, Drop: drop})
	}
	at, stop, err := u.trial.Rebase(ctx, u.o.Onto, u.o.Onto, steps)
	for err == nil && stop != nil && !stop.Signing {
		// A commit stops the rebase once; what is settled does not come up again.
		var settled bool
		if settled, err = u.book.Resolve(ctx, u.trial, stop); err != nil || !settled {
			break
		}
		at, stop, err = u.trial.ContinueRebase(ctx)
	}
	if err != nil {
		return "", err
	}
	if stop != nil {
		return "", u.stopped(ctx, stop, byID[stop.Commit])
	}
	now, err := u.wt.Log(ctx, git.LogOptions{From: []string{at}, Not: []string{u.o.Onto}})
	if err != nil {
		return "", err
	}
	slices.Reverse(now)
	u.out.Kept, u.out.Empty = pair(moved, now)
	return at, nil
}

// pair finds the commits again after a rebase, which keeps their order; those it left out
// are the rest.
func pair(old, now []git.Commit) (kept []Moved, gone []git.Commit) {
	for _, c := range old {
		if len(now) > 0 && now[0].Subject == c.Subject && now[0].AuthorEmail == c.AuthorEmail {
			kept = append(kept, Moved{Old: c, New: now[0]})
			now = now[1:]
		} else {
			gone = append(gone, c)
		}
	}
	return kept, gone
}

func (u *updating) stopped(ctx context.Context, s *git.Stop, c git.Commit) error {
	switch {
	case len(s.Files) > 0:
		return u.conflict(ctx, s, c, false)
	case s.Signing:
		return &SigningError{Said: s.Stderr}
	}
	return &StoppedError{Commit: c, Said: s.Stderr}
}

// carry replays the uncommitted work on the new head: what is staged, then the rest.
func (u *updating) carry(ctx context.Context, head string) (snapshot.Work, error) {
	trees, err := u.wt.Resolve(ctx, u.out.From.OID+"^{tree}", head+"^{tree}")
	if err != nil {
		return snapshot.Work{}, err
	}
	before, after := trees[0], trees[1]
	to := snapshot.Work{Staged: after, Tree: after}
	var picks []string
	parent := u.out.From.OID
	add := func(tree, message string) error {
		c, err := u.wt.CommitTree(ctx, tree, []string{parent}, message)
		parent = c
		picks = append(picks, c)
		return err
	}
	staged := u.work.Staged != before
	if staged {
		if err := add(u.work.Staged, "gitlet: staged work"); err != nil {
			return to, err
		}
	}
	if u.work.Tree != u.work.Staged {
		if err := add(u.work.Tree, "gitlet: uncommitted work"); err != nil {
			return to, err
		}
	}
	if len(picks) == 0 {
		return to, nil
	}
	u.out.Carried = u.saved.Files
	heads, stop, err := u.trial.Carry(ctx, head, picks, func(ctx context.Context, s *git.Stop) (bool, error) {
		if u.book == nil {
			return false, nil // a pick looks for no recorded resolutions
		}
		s.Commit = "" // one of ours, of no interest to anybody
		return u.book.Resolve(ctx, u.trial, s)
	})
	if err != nil {
		return to, err
	}
	if stop != nil {
		e := &ConflictError{Uncommitted: true}
		var paths []string
		for _, f := range stop.Files {
			e.Files = append(e.Files, ConflictFile{Path: f.Path, How: how(f)})
			paths = append(paths, f.Path)
		}
		if err := u.saved.Hidden(paths); err != nil {
			return to, err
		}
		if u.book == nil {
			return to, e
		}
		return to, u.conflict(ctx, stop, git.Commit{}, true)
	}
	names := make([]string, len(heads))
	for i, h := range heads {
		names[i] = h + "^{tree}"
	}
	if trees, err = u.wt.Resolve(ctx, names...); err != nil {
		return to, err
	}
	if staged {
		to.Staged = trees[0]
	}
	to.Tree = trees[len(trees)-1]
	return to, nil
}
