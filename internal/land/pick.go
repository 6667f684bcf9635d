package land

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gitlet/internal/git"
	"gitlet/internal/snapshot"
	"gitlet/internal/symbols"
)

// Picking says which commit comes onto the branch.
type Picking struct {
	Agent string
	Now   time.Time
	Slug  string // of the checkpoint that is taken first
	Why   string // for the reflog
	// Commit is brought in; Back, if any, is a commit of the branch that is taken back first.
	Commit, Back string
	Cache        *symbols.Cache
	// Check looks at the branch's new head, before anything is changed.
	Check func(ctx context.Context, head string) error
	// Begin is told of the new head when all is settled: the next step changes the
	// worktree, and a process that is killed there leaves it to the next one to finish.
	Begin func(head string) error
}

// Picked is what bringing a commit in did.
type Picked struct {
	Saved *snapshot.Saved
	Head  string // the branch's head now
	// Commit is the new commit, "" where its change was there already; Back is the one
	// that took the former commit back, "" for none.
	Commit, Back string
}

// PickError: git could not make the commits, and nothing was changed.
type PickError struct {
	Back    bool // it was the former commit that could not be taken back
	Work    bool // the uncommitted work conflicts with it
	Files   []string
	Signing bool
	Said    string
}

func (e *PickError) Error() string {
	if len(e.Files) > 0 {
		return fmt.Sprintf("it conflicts in %q", e.Files)
	}
	return e.Said
}

// Pick brings one commit onto the branch, with the uncommitted work left as it is. The
// commits are made beside the worktree, so that it is either as before or as after. Where
// it returns an error, all is as it was. Errors beside those of snapshot.Save and Advance:
// ErrUnborn, *PickError, *UnprovenError, and what Check and Begin return.
func Pick(ctx context.Context, wt *git.Worktree, o Picking) (*Picked, error) {
	const attempts = 3
	var err error
	for range attempts {
		var out *Picked
		if out, err = pickOnce(ctx, wt, o); !errors.Is(err, snapshot.ErrMoved) {
			return out, err
		}
	}
	return nil, err
}

func pickOnce(ctx context.Context, wt *git.Worktree, o Picking) (*Picked, error) {
	also, err := o.brings(ctx, wt.Repo)
	if err != nil {
		return nil, err
	}
	save := snapshot.SaveOptions{Agent: o.Agent, Name: o.Slug, Slug: o.Slug, Now: o.Now, Also: also}
	saved, err := snapshot.Save(ctx, wt, save)
	if err != nil {
		return nil, err
	}
	out := &Picked{Saved: saved, Head: saved.Head.OID}
	if out.Head == "" {
		return nil, ErrUnborn
	}
	// From here on it ends by itself, done or undone, whoever stops waiting.
	ctx = context.WithoutCancel(ctx)
	work, err := saved.Work(ctx, wt)
	if err != nil {
		return nil, err
	}
	trial, err := wt.NewTrial(ctx, out.Head)
	if err != nil {
		return nil, err
	}
	defer trial.Close()
	if err := o.make(ctx, wt, trial, out); err != nil {
		return nil, err
	}
	if err := o.proven(ctx, wt, out); err != nil {
		return nil, err
	}
	if out.Head == saved.Head.OID {
		return out, o.Begin(out.Head)
	}
	// The work lies in other files, so it comes along as it is.
	u := &updating{wt: wt, o: Options{Agent: o.Agent, Now: o.Now}, out: &Updated{From: saved.Head}, work: work, saved: saved, trial: trial}
	to, err := u.carry(ctx, out.Head)
	if clash := (*ConflictError)(nil); errors.As(err, &clash) {
		e := &PickError{Work: true, Said: "your uncommitted work does not fit onto it"}
		for _, f := range clash.Files {
			e.Files = append(e.Files, f.Path)
		}
		return nil, e
	}
	if err != nil {
		return nil, err
	}
	if err := o.Begin(out.Head); err != nil {
		return nil, err
	}
	_, err = saved.Advance(ctx, wt, save, snapshot.Advance{From: work, To: to, Why: o.Why,
		Head: git.Head{OID: out.Head, Branch: saved.Head.Branch}})
	return out, err
}

// brings are the files that the commits bring: one that lies there ignored is kept in the
// checkpoint.
func (o Picking) brings(ctx context.Context, repo *git.Repo) ([]string, error) {
	steps := [][2]string{{o.Commit + "^1", o.Commit}}
	if o.Back != "" {
		steps = append(steps, [2]string{o.Back, o.Back + "^1"})
	}
	var out []string
	for _, s := range steps {
		changes, err := repo.DiffTrees(ctx, s[0], s[1])
		if err != nil {
			return nil, err
		}
		for _, c := range changes {
			if (c.Status == 'A' || c.Status == 'R') && !c.Gitlink() {
				out = append(out, c.Path)
			}
		}
	}
	return out, nil
}

// make makes the commits.
func (o Picking) make(ctx context.Context, wt *git.Worktree, trial *git.Trial, out *Picked) error {
	picks := []string{o.Commit}
	if o.Back != "" {
		back, err := reverse(ctx, wt.Repo, o.Back)
		if err != nil {
			return err
		}
		picks = []string{back, o.Commit}
	}
	heads, stop, err := trial.Pick(ctx, out.Head, picks)
	if err != nil {
		return err
	}
	if stop != nil {
		e := &PickError{Back: o.Back != "" && stop.Commit != o.Commit, Signing: stop.Signing, Said: stop.Stderr}
		for _, f := range stop.Files {
			e.Files = append(e.Files, f.Path)
		}
		return e
	}
	if o.Back != "" {
		out.Back, heads = heads[0], heads[1:]
	}
	out.Commit = heads[0]
	for _, made := range []string{out.Back, out.Commit} {
		if made != "" {
			out.Head = made
		}
	}
	return nil
}

// reverse is a commit on top of another that takes it back.
func reverse(ctx context.Context, repo *git.Repo, commit string) (string, error) {
	trees, err := repo.Resolve(ctx, commit+"^1^{tree}")
	if err != nil {
		return "", err
	}
	if trees[0] == "" {
		return "", fmt.Errorf("take %s back: its parent is not here", git.Short(commit))
	}
	log, err := repo.Log(ctx, git.LogOptions{From: []string{commit}, Max: 1})
	if err != nil {
		return "", err
	}
	subject, trailers := git.Short(commit), ""
	if len(log) == 1 {
		subject = log[0].Subject
		for _, v := range log[0].Trailer(StubTrailer) {
			trailers += "\n" + BackTrailer + ": " + v + "\n"
		}
	}
	return repo.CommitTree(ctx, trees[0], []string{commit}, fmt.Sprintf("Revert \"%s\"\n\nThis reverts commit %s.\n%s", subject, commit, trailers))
}

// proven checks what git made of the files that both the branch and a commit changed.
func (o Picking) proven(ctx context.Context, wt *git.Worktree, out *Picked) error {
	type step struct{ base, ours, theirs, result string }
	var steps []step
	ours := out.Saved.Head.OID
	if out.Back != "" {
		steps = append(steps, step{o.Back, ours, o.Back + "^1", out.Back})
		ours = out.Back
	}
	if out.Commit != "" {
		steps = append(steps, step{o.Commit + "^1", ours, o.Commit, out.Commit})
	}
	for _, s := range steps {
		oids, err := wt.Resolve(ctx, s.base+"^{commit}", s.theirs+"^{commit}")
		if err != nil {
			return err
		}
		problems, err := Proof(ctx, wt.Repo, oids[0], s.ours, oids[1], s.result, o.Cache)
		if err != nil {
			return err
		}
		if len(problems) > 0 {
			return &UnprovenError{Problems: problems}
		}
	}
	return o.Check(ctx, out.Head)
}
