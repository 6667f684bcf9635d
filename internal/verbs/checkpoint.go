package verbs

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"
	"unicode"

	"gitlet/internal/engine"
	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/snapshot"
	"gitlet/internal/verb"
)

// CheckpointArgs are the arguments of checkpoint.
type CheckpointArgs struct {
	Common
	Name string `arg:"name" positional:"true" chars:"text" help:"what to call it; default: the time"`
}

var checkpoint = define(verb.Spec{
	Name:    "checkpoint",
	Summary: "Park your branch, index and every uncommitted file",
	When:    "Before a risky step: keeps branch, index and all uncommitted files, untracked ones too, without changing any. restore brings them back.",
	Example: "gitlet checkpoint 'before the rewrite'",
}, runCheckpoint)

// CheckpointData is the data of checkpoint, and one entry of restore's list.
type CheckpointData struct {
	Name   string    `json:"name"`
	Slug   string    `json:"slug"`
	Commit string    `json:"commit"`
	Ref    string    `json:"ref"`
	At     time.Time `json:"at"`
	Branch string    `json:"branch"`
	Head   string    `json:"head"`
	Files  int       `json:"files"`
}

func checkpointData(c snapshot.Checkpoint) CheckpointData {
	return CheckpointData{Name: c.Name, Slug: c.Slug, Commit: c.Commit, Ref: c.Ref, At: c.At.UTC(), Branch: c.Head.Branch, Head: c.Head.OID, Files: c.Files}
}

func runCheckpoint(ctx context.Context, c *engine.Call, a *CheckpointArgs) (*verb.Result, error) {
	name, slug := strings.TrimSpace(a.Name), snapshot.Slug(a.Name)
	if stamp := c.Now.UTC().Format("20060102-150405"); name == "" {
		name, slug = stamp, stamp
	} else if slug == "" && strings.ContainsFunc(name, unicode.IsLetter) {
		slug = stamp // of letters that a ref's name has not: it goes by its name
	}
	if slug == "" || strings.HasPrefix(slug, "auto-pre-") {
		return verb.Refuse(fmt.Sprintf("a checkpoint cannot be called %q: names hold a letter or digit, and auto-pre- is gitlet's own", a.Name),
			model.Option{Verb: "checkpoint", Args: map[string]any{}, Why: "call it by the time"}), nil
	}
	s, moved, err := c.Checkpoint(ctx, name, slug)
	if r := parkRefusal(err, "checkpoint"); r != nil {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	r := &verb.Result{Outcome: verb.OK, Summary: fmt.Sprintf("Checkpoint %s holds %s.", s.Slug, holds(s.Checkpoint)), Data: checkpointData(s.Checkpoint),
		Options: []model.Option{{Verb: "restore", Args: map[string]any{"name": s.Slug}, Why: "come back to it"}}}
	if moved != "" {
		r.Details = append(r.Details, fmt.Sprintf("the earlier checkpoint of that name is %s now", moved))
	}
	for _, n := range s.Nested {
		r.Details = append(r.Details, fmt.Sprintf("%q is a repository of its own and is not in it", n))
	}
	return r, nil
}

// holds words what a checkpoint has.
func holds(c snapshot.Checkpoint) string {
	where := "a detached HEAD"
	if c.Head.Branch != "" {
		where = "branch " + c.Head.Branch
	}
	switch c.Files {
	case 0:
		return where + " with a clean work tree"
	case 1:
		return where + " and 1 uncommitted file"
	}
	return fmt.Sprintf("%s and %d uncommitted files", where, c.Files)
}

// parkRefusal words why a checkpoint could not be taken or restored, when nothing was
// changed and somebody can mend it; nil for any other error. what is the verb.
func parkRefusal(err error, what string) *verb.Result {
	var (
		op      *snapshot.OperationError
		special *snapshot.SpecialError
		inWay   *snapshot.InTheWayError
		hidden  *snapshot.HiddenError
		busy    *snapshot.BranchBusyError
		locked  *git.LockedError
		failed  *git.Error
	)
	again := statusOption("see that nothing else is at work here, then call it again")
	switch {
	case err == nil:
	case errors.As(err, &op):
		return verb.Refuse(fmt.Sprintf("a %s is in progress; %s waits until it is over", op.Operation, what), endOperation(op.Operation)...)
	case errors.Is(err, snapshot.ErrConflicted):
		return verb.Refuse("the index holds unresolved conflicts", model.Option{Argv: []string{"git", "status"}, Why: "see which files; resolve them, git add them, and call it again"})
	case errors.As(err, &special):
		return verb.Refuse(special.Error(), model.Option{Argv: []string{"rm", special.Path}, Why: "remove it, then call it again"})
	case errors.As(err, &hidden):
		r := verb.Refuse(hidden.Error() + "; nothing was changed")
		show := func(mark string) { // git heeds one mark in a command
			r.Options = append(r.Options, model.Option{Argv: []string{"git", "update-index", mark, "--", hidden.Path}, Why: "let git see it, then call it again"})
		}
		if hidden.Skip {
			show("--no-skip-worktree")
		}
		if hidden.Assume {
			show("--no-assume-unchanged")
		}
		return r
	case errors.As(err, &inWay) && inWay.Path == inWay.For:
		return verb.Refuse(fmt.Sprintf("%q is ignored and would be overwritten, and no checkpoint would hold it", inWay.Path),
			model.Option{Argv: []string{"mv", inWay.Path, inWay.Path + ".aside"}, Why: "move it away, then call it again"})
	case errors.As(err, &inWay):
		aside := inWay.Path
		if strings.HasPrefix(aside, inWay.For+"/") {
			aside = inWay.For // a folder stands where a file has to go; there may be more in it
		}
		return verb.Refuse(fmt.Sprintf("%q is in the way of %q, and no checkpoint would hold it", inWay.Path, inWay.For),
			// Within the tree it would be a file made later, which a restore takes away.
			model.Option{Argv: []string{"mv", aside, "../" + path.Base(aside) + ".aside"}, Why: "move it out of the tree, then call it again"})
	case errors.As(err, &busy):
		return verb.Refuse(fmt.Sprintf("branch %s is checked out in %s", busy.Branch, busy.Worktree),
			model.Option{Argv: []string{"git", "-C", busy.Worktree, "switch", "--detach"}, Why: "let go of the branch there, then call it again"})
	case errors.Is(err, snapshot.ErrMoved):
		return verb.Refuse("files or the index kept changing meanwhile", again)
	case errors.As(err, &locked):
		return verb.Refuse(fmt.Sprintf("another git process holds %q", locked.Path), again)
	case errors.As(err, &failed) && failed.Exit > 0:
		r := verb.Refuse(fmt.Sprintf("nothing was changed: %s could not be done", what), model.Option{Argv: []string{"gitlet", "doctor"}, Why: "check the repository"})
		r.Details = []string{failed.Error()}
		return r
	}
	return nil
}

// endOperation are the ways to end a git operation.
func endOperation(op string) []model.Option {
	if op == "bisect" {
		return []model.Option{{Argv: []string{"git", "bisect", "reset"}, Why: "end the bisect"}}
	}
	return []model.Option{
		{Argv: []string{"git", op, "--continue"}, Why: "go on with it"},
		{Argv: []string{"git", op, "--abort"}, Why: "give it up"},
	}
}
