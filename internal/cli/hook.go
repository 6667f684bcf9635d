package cli

import (
	"context"
	"strings"

	"gitlet/internal/verb"
)

type hookArgs struct {
	Event string   `arg:"event" required:"true" value:"HOOK" help:"prepare-commit-msg, post-commit or pre-push"`
	Args  []string `arg:"args" positional:"true" chars:"path" value:"ARG" help:"what git gave the hook"`
}

type clientHookArgs struct {
	Event string `arg:"event" required:"true" value:"EVENT" help:"SessionStart, UserPromptSubmit or PostToolUse"`
}

// clientHook is what the hooks of Claude Code call.
func (inv *invocation) clientHook() (command, bool) {
	spec := verb.Spec{
		Name: "hook claude-code", CLIOnly: true, Hidden: true, Built: true, Args: &clientHookArgs{},
		Summary: "Run by Claude Code's hooks: a short status, and new notes",
		When:    "A hook of Claude Code calls this, with the event as JSON on stdin: it prints what to add to the agent's context, as one JSON object, or nothing. It contacts nobody and never fails.",
		Example: "gitlet hook claude-code PostToolUse",
	}
	return command{spec: spec, stream: true, run: func(ctx context.Context, args any) *verb.Result {
		inv.app.ClientHook(ctx, args.(*clientHookArgs).Event, inv.std.In, inv.std.Out)
		return nil
	}}, inv.app.ClientHook != nil
}

// runClientHook runs such a hook without reading the whole command line as the other
// commands do: it runs after each step of an agent. It reports whether it was one.
func runClientHook(ctx context.Context, app App, args []string, std Streams) bool {
	if len(args) != 3 || args[0] != "hook" || args[1] != "claude-code" || strings.HasPrefix(args[2], "-") || app.ClientHook == nil {
		return false
	}
	app.ClientHook(ctx, args[2], std.In, std.Out)
	return true
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
