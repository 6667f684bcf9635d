package cli

import (
	"context"

	"gitlet/internal/verb"
)

type symbolsArgs struct {
	Paths []string `arg:"paths" positional:"true" chars:"path" value:"PATH" help:"files or folders; default: every file"`
	Rev   string   `arg:"rev" help:"read this commit instead of the work tree"`
}

// inspectSymbols prints what gitlet reads of files.
func (inv *invocation) inspectSymbols() (command, bool) {
	spec := verb.Spec{
		Name: "inspect symbols", CLIOnly: true, Built: true, Args: &symbolsArgs{},
		Summary: "Print the symbols and references gitlet reads",
		When:    "To see what gitlet reads of your code, or to report a mistake in it: one JSON object per file with its language, symbols and references. Works in any repository, writes nothing.",
		Example: "gitlet inspect symbols src/config.ts",
	}
	return command{spec: spec, stream: true, run: func(ctx context.Context, args any) *verb.Result {
		a := args.(*symbolsArgs)
		return verb.FromError(inv.app.Symbols(ctx, inv.place(), a.Rev, a.Paths, inv.std.Out))
	}}, inv.app.Symbols != nil
}

type footprintArgs struct {
	Base string `arg:"base" positional:"true" help:"the older commit; default: the merge base with main"`
	Head string `arg:"head" positional:"true" help:"the newer commit; default: the work tree"`
}

// inspectFootprint prints what changed between two versions, symbol by symbol.
func (inv *invocation) inspectFootprint() (command, bool) {
	spec := verb.Spec{
		Name: "inspect footprint", CLIOnly: true, Built: true, Args: &footprintArgs{},
		Summary: "Print what changed, symbol by symbol",
		When:    "To see what gitlet makes of a change: one JSON object with the changed files, the symbols in them and how each changed. Works in any repository, writes nothing.",
		Example: "gitlet inspect footprint main HEAD",
	}
	return command{spec: spec, stream: true, run: func(ctx context.Context, args any) *verb.Result {
		a := args.(*footprintArgs)
		return verb.FromError(inv.app.Footprint(ctx, inv.place(), a.Base, a.Head, inv.std.Out))
	}}, inv.app.Footprint != nil
}
