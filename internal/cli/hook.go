package cli

import (
	"context"

	"gitlet/internal/verb"
)

type hookArgs struct {
	Event string   `arg:"event" required:"true" value:"HOOK" help:"prepare-commit-msg, post-commit or pre-push"`
	Args  []string `arg:"args" positional:"true" chars:"path" value:"ARG" help:"what git gave the hook"`
}

// hook is what the hooks that git runs call. Whatever becomes of it, the exit status is 0:
// git would not commit or push otherwise.
func (inv *invocation) hook() (command, bool) {
	spec := verb.Spec{
		Name: "hook git", CLIOnly: true, Hidden: true, Built: true, Args: &hookArgs{},
		Summary: "Run by git's hooks: the task's lines in commit messages, notes, checks",
		When:    "A git hook calls this: prepare-commit-msg adds the lines that name the task, post-commit prints new notes that ask for a step, pre-push prints what submit would find. It contacts nobody and never holds git up.",
		Example: `gitlet hook git post-commit "$@"`,
	}
	return command{spec: spec, run: func(ctx context.Context, args any) *verb.Result {
		a := args.(*hookArgs)
		inv.app.Hook(ctx, inv.place(), a.Event, a.Args, inv.std.In, inv.std.Err)
		return nil
	}}, inv.app.Hook != nil
}
