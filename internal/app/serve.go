package app

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"

	"gitlet/internal/bug"
	"gitlet/internal/cli"
	"gitlet/internal/engine"
	"gitlet/internal/mcpserver"
	"gitlet/internal/model"
	"gitlet/internal/render"
	"gitlet/internal/verb"
	"gitlet/internal/verbs"
)

// isHome is whether this process was merely started in dir, and it belongs to a repository
// that is somebody's home folder: clients start servers there when they know no better.
func isHome(dir string) bool {
	here, err := os.Getwd()
	if err != nil || here != dir {
		return false // it was named with -C
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return false
	}
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	return engine.Top(dir) == home
}

// serve runs the MCP server for one client. The worktree it is started in is watched
// from the moment the client says hello, whether or not it ever calls a tool.
func serve(ctx context.Context, dir string, in io.ReadCloser, out io.WriteCloser) error {
	var changed atomic.Pointer[func()]
	host := engine.NewHost(ctx, func() {
		if tell := changed.Load(); tell != nil {
			(*tell)()
		}
	})
	at := func(ctx context.Context, seat mcpserver.Seat) (*engine.Engine, error) {
		place, exact := dir, false
		if seat.Worktree != "" {
			place, exact = seat.Worktree, seat.Asked
		}
		if seat.Worktree == "" && isHome(dir) {
			return nil, &verb.Refusal{Result: verb.Refuse("the server was started in your home folder, whose repository is not watched only because of that",
				model.Option{Argv: []string{"gitlet", "init"}, Why: "set gitlet up in the repository you work in"})}
		}
		client := seat.Client
		if client == "" {
			client = "mcp"
		}
		return host.Open(ctx, options(place, client, exact))
	}
	err := mcpserver.ServeIO(ctx, in, out, mcpserver.Deps{
		Version: cli.OwnVersion(),
		Table:   verbs.Table(),
		Open: func(ctx context.Context, seat mcpserver.Seat) (verb.Runner, error) {
			e, err := at(ctx, seat)
			if err != nil {
				return nil, err
			}
			return runner{e}, nil
		},
		Status: func(ctx context.Context, seat mcpserver.Seat) string {
			e, err := at(ctx, seat)
			r := verb.FromError(err)
			if err == nil {
				r = verbs.Look(ctx, e, "status", &verbs.StatusArgs{})
			}
			return render.Printer{Face: verb.MCP, Table: verbs.Table()}.Text(r)
		},
		OnChange: func(tell func()) { changed.Store(&tell) },
		Broke:    func(what string) { bug.Reportf("%s", what) },
	})
	return errors.Join(err, host.Close())
}
