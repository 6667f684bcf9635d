package cli

import (
	"context"
	"os"

	"gitlet/internal/verb"
)

// mcp serves the verbs as tools.
func (inv *invocation) mcp() (command, bool) {
	spec := verb.Spec{
		Name: "mcp", CLIOnly: true, Built: true,
		Summary: "Serve the verbs to an agent over MCP",
		When:    "An agent's client starts this: serves the verbs as MCP tools on stdin and stdout until the client is gone, and watches the work tree meanwhile.",
		Example: "gitlet mcp",
	}
	return command{spec: spec, stream: true, run: func(ctx context.Context, _ any) *verb.Result {
		if inv.std.Out == os.Stdout {
			os.Stdout = os.Stderr // a stray print must not reach the protocol
		}
		return verb.FromError(inv.app.Serve(ctx, inv.place(), inv.std.In, inv.std.Out))
	}}, inv.app.Serve != nil
}
