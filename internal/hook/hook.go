package hook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"gitlet/internal/bug"
	"gitlet/internal/engine"
	"gitlet/internal/render"
	"gitlet/internal/verb"
)

// internalVar is set in every git that gitlet starts to change the user's branches.
const internalVar = "GITLET_INTERNAL"

// Call is one run of a hook.
type Call struct {
	Event string   // "prepare-commit-msg", "post-commit", "pre-push"
	Args  []string // what git gave the hook
	Dir   string   // where git started it
	Agent string   // who it speaks for, "" for the worktree's own
	Table []verb.Spec
	In    io.Reader
	Out   io.Writer
}

// events are the hooks that do something.
var events = map[string]func(context.Context, Call, *engine.Call, io.Writer) error{
	"prepare-commit-msg": prepareCommitMsg,
	"post-commit":        postCommit,
	"pre-push":           prePush,
}

// Git runs one of git's hooks and returns when it is done or its time is over. What goes
// wrong is kept for doctor and told to nobody: the host goes on.
func Git(ctx context.Context, h Call) {
	run, known := events[h.Event]
	if !known || os.Getenv(internalVar) == "1" {
		return
	}
	inTime(ctx, h.Event, h.Out, func(ctx context.Context, out io.Writer) error { return h.run(ctx, run, out) })
}

// inTime does what a hook does and prints what it has to say when it is through, or nothing
// when its time is over first. What goes wrong is the hook's own: the host has its work.
func inTime(ctx context.Context, event string, to io.Writer, do func(context.Context, io.Writer) error) {
	// Part of the time is for ending what was started: a git that hangs must not outlive this.
	limit := engine.HookTime()
	ctx, cancel := context.WithTimeout(ctx, limit-limit/5)
	defer cancel()
	done := make(chan []byte, 1)
	go func() {
		var out bytes.Buffer
		defer func() {
			if p := recover(); p != nil {
				bug.Reportf("panic in hook %s: %v\n%s", event, p, debug.Stack())
			}
			done <- out.Bytes()
		}()
		_ = do(ctx, &out)
	}()
	select {
	case out := <-done:
		_, _ = to.Write(out) // nobody may be reading
	case <-ctx.Done():
		rest, end := context.WithTimeout(context.WithoutCancel(ctx), limit/5)
		defer end()
		select {
		case <-done:
		case <-rest.Done():
		}
	}
}

func (h Call) run(ctx context.Context, do func(context.Context, Call, *engine.Call, io.Writer) error, out io.Writer) error {
	e, err := engine.Open(ctx, engine.Options{Dir: h.Dir, Client: "cli", Agent: h.Agent, Table: h.Table, Hook: true})
	if err != nil {
		return err
	}
	err = e.Local(ctx, func(ctx context.Context, c *engine.Call) error { return do(ctx, h, c, out) })
	return errors.Join(err, e.Close())
}

// path is a file that git named, seen from where it started the hook.
func (h Call) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(h.Dir, name)
}

// replaying reports whether git is about to copy or has just copied a commit that was
// made before, instead of making a new one.
func replaying(ctx context.Context, c *engine.Call, made bool) (bool, error) {
	for _, word := range []string{"rebase", "cherry-pick", "revert", "am"} {
		if action := os.Getenv("GIT_REFLOG_ACTION"); action == word || strings.HasPrefix(action, word+" ") {
			return true, nil
		}
	}
	op, err := c.Operation(ctx)
	if err != nil || slices.Contains([]string{"rebase", "cherry-pick", "revert", "am"}, op) {
		return err == nil, err
	}
	if !made {
		return false, nil
	}
	why, err := c.LastMove(ctx)
	// "commit", "commit (amend)" and the like are made by a person or an agent.
	return why != "" && (!strings.HasPrefix(why, "commit") || strings.HasPrefix(why, "commit (cherry-pick)")), err
}

// listed writes a line and what belongs to it, a few lines of it.
func listed(out io.Writer, head string, details []string) {
	const few = 5
	fmt.Fprintf(out, "gitlet: %s\n", render.Fold(head))
	for i, d := range details {
		if i == few {
			fmt.Fprintf(out, "  and %d more\n", len(details)-few)
			break
		}
		fmt.Fprintf(out, "  %s\n", render.Fold(d))
	}
}
