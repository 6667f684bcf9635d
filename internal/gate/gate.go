package gate

import (
	"context"
	"errors"
	"fmt"

	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/symbols"
)

// Finding is what one check has to say. Refuses says that the work must not be handed in
// as it is; otherwise it is a warning.
type Finding struct {
	Check   string
	Refuses bool
	Summary string
	Details []string
	Options []model.Option
}

// maxListed bounds how many files or lines one finding lists.
const maxListed = 20

// Input is what the checks look at.
type Input struct {
	WT    *git.Worktree
	Cache *symbols.Cache // may be nil
	// Head is the commit to hand in, Main the commit of main it goes to, Base the commit of
	// main that the task was begun on or last brought up to; "" where not known.
	Head, Main, Base string
	// MainName and RemoteName are spelled in commands; RemoteName is "" without a remote.
	MainName, RemoteName string
	Agent, Item          string
	Needs                []model.Need  // the item's
	Claims               []model.Claim // everybody's
	// Notes are the item's notes that stand: neither resolved nor dismissed.
	Notes []model.Note
}

// mainRef is how a command names main.
func (in Input) mainRef() string {
	if in.RemoteName == "" {
		return in.MainName
	}
	return in.RemoteName + "/" + in.MainName
}

// Run makes the checks of the commit, in order, up to the first that refuses. With all
// set, it goes on after one. An error says that a check could not be made.
func Run(ctx context.Context, in Input, all bool) ([]Finding, error) {
	var out []Finding
	for _, check := range []func(context.Context, Input) ([]Finding, error){
		checkMerge, Markers, checkPins, checkContracts, checkCallers, checkNotes,
	} {
		found, err := check(ctx, in)
		out = append(out, found...)
		if err != nil {
			return out, err
		}
		for _, f := range found {
			if f.Refuses && !all {
				return out, nil
			}
		}
	}
	return out, nil
}

// Refusal is the first finding that refuses, nil when none does.
func Refusal(found []Finding) *Finding {
	for i := range found {
		if found[i].Refuses {
			return &found[i]
		}
	}
	return nil
}

// some lists the first few and counts the rest.
func some(list []string) []string {
	if n := len(list) - maxListed; n > 0 {
		return append(append([]string{}, list[:maxListed]...), fmt.Sprintf("and %d more", n))
	}
	return list
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// cannotTell reports that git gave no answer, which is no fault.
func cannotTell(err error) bool {
	var old *git.TooOldError
	return errors.Is(err, git.ErrCannotTell) || errors.Is(err, git.ErrNoMergeBase) || errors.As(err, &old)
}
