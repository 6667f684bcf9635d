package combine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gitlet/internal/git"
	"gitlet/internal/land"
	"gitlet/internal/proof"
	"gitlet/internal/replay"
	"gitlet/internal/symbols"
)

// Options say what to merge onto what.
type Options struct {
	Base     string // main's commit
	Branches []Branch
	// Check runs the project's check on a commit; nil for none.
	Check func(ctx context.Context, commit string) (Verdict, error)
	// Ask is for the resolutions that others share; nil where none count.
	Ask   replay.Ask
	Now   time.Time
	Cache *symbols.Cache
	// Tell hears of each merge and each run of the check that begins; may be nil.
	Tell func(done, of int)
}

// Verdict is what the check said of a commit.
type Verdict struct {
	OK     bool
	Output string // the end of what it printed
}

// Merged is a branch that is in.
type Merged struct {
	Branch
	// Commit is the combined commit with it; Already means that what came before it, or
	// main, had all of it.
	Commit   string
	Already  bool
	Replayed []replay.Used
	Merged   []git.DriverMerge // by gitlet's merge drivers
}

// Left is a branch that was left out. One of Files, Problems, Signing, Unrelated or Breaks
// says why.
type Left struct {
	Branch
	Files    []string        // that conflict, with no resolution known
	Problems []proof.Problem // what is wrong with the merge that git or a resolution made
	Replayed []replay.Used   // in that merge
	Merged   []git.DriverMerge
	// Signing is what git said when the merge could not be signed.
	Signing   string
	Unrelated bool // it has no history in common with main here
	// Breaks means that the check fails with it and passes without it, on top of the
	// branches before it; Output is the end of what the check printed.
	Breaks bool
	Output string
	On     []string // those before it, by name
}

// Combined is what came of it.
type Combined struct {
	Head string // the commit that holds all of In; the base when nothing came in
	In   []Merged
	Out  []Left // in the order of the branches
	// Checks counts the runs of the check. The last one for Head passed, unless Checks is 0.
	Checks int
}

// BaseError: the check fails on main itself, so that it says nothing about the branches.
type BaseError struct {
	Output string
	Checks int
}

func (e *BaseError) Error() string { return "the check fails on main itself" }

// run is one on its way.
type run struct {
	wt  *git.Worktree
	o   Options
	out map[int]Left // by index of the branch
	in  []merged
	n   int // runs of the check
	ok  map[string]bool
	say map[string]string
}

type merged struct {
	at int // index of the branch
	Merged
}

// Run merges the branches in the order given, leaves out those that do not go in, and
// where the check fails finds the branch with which it begins to fail, leaves that out, and
// goes on with the others. Errors: *BaseError, those of git, and what Check returns.
func Run(ctx context.Context, wt *git.Worktree, o Options) (*Combined, error) {
	r := &run{wt: wt, o: o, out: map[int]Left{}, ok: map[string]bool{}, say: map[string]string{}}
	if err := r.mergeFrom(ctx, 0); err != nil {
		return nil, err
	}
	for o.Check != nil && r.head(len(r.in)) != o.Base {
		bad, err := r.breaker(ctx)
		if err != nil {
			return nil, err
		}
		if bad < 0 {
			break
		}
		if err := r.leaveOut(ctx, bad); err != nil {
			return nil, err
		}
	}
	c := &Combined{Head: r.head(len(r.in)), Checks: r.n}
	for _, m := range r.in {
		c.In = append(c.In, m.Merged)
	}
	for i := range o.Branches {
		if l, ok := r.out[i]; ok {
			c.Out = append(c.Out, l)
		}
	}
	return c, nil
}

// head is the commit that holds the first n that are in.
func (r *run) head(n int) string {
	if n == 0 {
		return r.o.Base
	}
	return r.in[n-1].Commit
}

// leaveOut names the branch that is in at a place as the one that breaks the check, and
// merges those behind it again, with those that did not go in beside it.
func (r *run) leaveOut(ctx context.Context, place int) error {
	bad := r.in[place]
	l := Left{Branch: bad.Branch, Breaks: true, Output: r.say[bad.Commit], Replayed: bad.Replayed, Merged: bad.Merged.Merged}
	for _, m := range r.in[:place] {
		l.On = append(l.On, m.Name)
	}
	r.in = r.in[:place]
	r.out[bad.at] = l
	return r.mergeFrom(ctx, bad.at+1)
}

// mergeFrom merges the branches from an index on, onto what is in.
func (r *run) mergeFrom(ctx context.Context, from int) error {
	trial, err := r.wt.NewTrial(ctx, r.head(len(r.in)))
	if err != nil {
		return err
	}
	defer trial.Close()
	book, err := replay.Open(ctx, r.wt.Repo, r.o.Now, r.o.Ask)
	if err != nil {
		return err
	}
	book.Begin(trial)
	for i := from; i < len(r.o.Branches); i++ {
		if l, was := r.out[i]; was && l.Breaks {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		r.tell(i)
		delete(r.out, i)
		m, left, err := r.one(ctx, trial, book, r.o.Branches[i])
		if err != nil {
			return err
		}
		if left != nil {
			r.out[i] = *left
			continue
		}
		r.in = append(r.in, merged{at: i, Merged: *m})
	}
	return nil
}

func (r *run) tell(done int) {
	if r.o.Tell != nil {
		r.o.Tell(done, len(r.o.Branches))
	}
}

// one merges a branch onto what is in, in a trial that stands there, and says why not.
func (r *run) one(ctx context.Context, trial *git.Trial, book *replay.Book, b Branch) (*Merged, *Left, error) {
	at := r.head(len(r.in))
	base, err := r.wt.MergeBase(ctx, at, b.Commit)
	if errors.Is(err, git.ErrNoMergeBase) {
		return nil, &Left{Branch: b, Unrelated: true}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if base == b.Commit {
		return &Merged{Branch: b, Commit: at, Already: true}, nil, nil
	}
	used := len(book.Used)
	head, stop, err := trial.Merge(ctx, b.Commit, message(b))
	if err == nil && stop != nil && !stop.Signing && len(stop.Files) > 0 {
		var settled bool
		settled, err = book.Resolve(ctx, trial, stop)
		if err == nil && settled {
			head, stop, err = trial.ContinueMerge(ctx, message(b))
		}
	}
	if err != nil {
		return nil, nil, err
	}
	replayed, byDrivers := append([]replay.Used(nil), book.Used[used:]...), trial.Merged()
	if stop == nil {
		problems, err := land.Proof(ctx, r.wt.Repo, base, at, b.Commit, head, r.o.Cache)
		if err != nil {
			return nil, nil, err
		}
		if len(problems) == 0 {
			return &Merged{Branch: b, Commit: head, Replayed: replayed, Merged: byDrivers}, nil, nil
		}
		return nil, &Left{Branch: b, Problems: problems, Replayed: replayed, Merged: byDrivers}, trial.Reset(ctx, at)
	}
	left := &Left{Branch: b}
	switch {
	case len(stop.Files) > 0:
		for _, f := range stop.Files {
			left.Files = append(left.Files, f.Path)
		}
	case stop.Signing:
		left.Signing = stop.Stderr
	default:
		return nil, nil, fmt.Errorf("merge %q: git stopped: %s", b.Name, stop.Stderr)
	}
	return nil, left, trial.Reset(ctx, at)
}

// message is that of the merge commit.
func message(b Branch) string {
	m := fmt.Sprintf("Merge branch '%s'", b.Name)
	if b.Intent != "" {
		m += fmt.Sprintf("\n\n%q", b.Intent) // quoted: others' words are no trailer
	}
	return m
}
