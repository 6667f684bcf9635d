package cli

import (
	"context"

	"gitlet/internal/verb"
)

type demoArgs struct {
	Keep bool `arg:"keep" help:"leave the scratch folder and say where it is"`
}

// demo plays the main flow in a scratch folder.
func (inv *invocation) demo() (command, bool) {
	spec := verb.Spec{
		Name: "demo", CLIOnly: true, Built: true, Args: &demoArgs{},
		Summary: "See two agents meet in a scratch repository",
		When:    "To see what gitlet does: makes a remote and two clones in a scratch folder, plays two agents that meet at one function, and prints what each of them reads. Nothing of yours is touched.",
		Example: "gitlet demo",
	}
	return command{spec: spec, stream: true, run: func(ctx context.Context, args any) *verb.Result {
		return verb.FromError(inv.app.Demo(ctx, args.(*demoArgs).Keep, inv.std.Out))
	}}, inv.app.Demo != nil
}
