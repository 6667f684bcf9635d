package cli

import (
	"context"
	"fmt"
	"runtime/debug"

	"gitlet/internal/verb"
)

type mergeDriverArgs struct {
	Kind string   `arg:"kind" required:"true" value:"KIND" help:"source, lockfile or changelog"`
	Args []string `arg:"args" positional:"true" chars:"path" value:"ARG" help:"what git gave the driver: %O %A %B %L %P %S %X %Y"`
}

// mergeDriver is what git calls to merge one file.
func (inv *invocation) mergeDriver() (command, bool) {
	spec := verb.Spec{
		Name: "merge-driver", CLIOnly: true, Hidden: true, Built: true, Args: &mergeDriverArgs{},
		Summary: "Run by git to merge one file: by definitions, by entries, or by making it again",
		When:    "Git calls this where attributes name a driver that gitlet init --merge-drivers entered. What it is not certain of it leaves as git's own merge does. Exit status 0 is a merge, 1 a conflict.",
		Example: "gitlet merge-driver source %O %A %B %L %P %S %X %Y",
	}
	return command{spec: spec, run: func(ctx context.Context, args any) *verb.Result {
		a := args.(*mergeDriverArgs)
		inv.code = inv.app.MergeDriver(ctx, inv.place(), append([]string{a.Kind}, a.Args...), inv.std.Err)
		return nil
	}}, inv.app.MergeDriver != nil
}

// runMergeDriver runs it without reading the command line as the other commands do: a
// label may look like an option, and git waits. It reports whether it was that.
func runMergeDriver(ctx context.Context, app App, args []string, std Streams) (code int, was bool) {
	if len(args) < 6 || args[0] != "merge-driver" || app.MergeDriver == nil {
		return 0, false
	}
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(std.Err, "gitlet: panic: %v\n%s", p, debug.Stack())
			code, was = exitFault, true
		}
	}()
	return app.MergeDriver(ctx, ".", args[1:], std.Err), true
}
