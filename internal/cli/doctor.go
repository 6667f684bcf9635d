package cli

import (
	"context"

	"gitlet/internal/verb"
)

// doctor checks the setup.
func (inv *invocation) doctor() (command, bool) {
	spec := verb.Spec{
		Name: "doctor", CLIOnly: true, Built: true,
		Summary: "Check the setup and say what to do",
		When:    "When something seems off: checks git, the remote and gitlet's own state, and says what to do about each finding. It changes nothing.",
		Example: "gitlet doctor",
	}
	return command{spec: spec, run: func(ctx context.Context, _ any) *verb.Result {
		return inv.app.Doctor(ctx, inv.place())
	}}, inv.app.Doctor != nil
}
