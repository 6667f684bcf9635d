package app

import (
	"context"
	"errors"
	"io"

	"gitlet/internal/bug"
	"gitlet/internal/cli"
	"gitlet/internal/engine"
	"gitlet/internal/mcpserver"
	"gitlet/internal/verb"
	"gitlet/internal/verbs"
)

// serve runs the MCP server for one client. The worktree it is started in is watched
// from the moment the client says hello, whether or not it ever calls a tool.
func serve(ctx context.Context, dir string, in io.ReadCloser, out io.WriteCloser) error {
	host := engine.NewHost(ctx, nil)
	err := mcpserver.ServeIO(ctx, in, out, mcpserver.Deps{
		Version: cli.OwnVersion(),
		Table:   verbs.Table(),
		Open: func(ctx context.Context, seat mcpserver.Seat) (verb.Runner, error) {
			at, exact := dir, false
			if seat.Worktree != "" {
				at, exact = seat.Worktree, seat.Asked
			}
			client := seat.Client
			if client == "" {
				client = "mcp"
			}
			e, err := host.Open(ctx, options(at, client, exact))
			if err != nil {
				return nil, err
			}
			return runner{e}, nil
		},
		Broke: func(what string) { bug.Reportf("%s", what) },
	})
	return errors.Join(err, host.Close())
}
