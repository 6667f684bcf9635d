package cli

import (
	"context"
	"os"
	"strconv"
	"time"

	"gitlet/internal/verb"
)

type watchArgs struct {
	Every int  `arg:"every" min:"1" max:"3600" value:"SECONDS" help:"how often to look; default: 5"`
	Once  bool `arg:"once" help:"print one page and end"`
}

// WatchOptions say how watch prints.
type WatchOptions struct {
	Every    time.Duration
	Once     bool
	Terminal bool
	Width    int
}

// watch shows all agents until it is ended.
func (inv *invocation) watch() (command, bool) {
	spec := verb.Spec{
		Name: "watch", CLIOnly: true, Built: true, Args: &watchArgs{},
		Summary: "Show all agents' work in the terminal, kept up to date",
		When:    "For people who look on: everybody's tasks, what overlaps, and this worktree's open notes, drawn anew every few seconds until Ctrl-C. It changes nothing, and no note counts as told. Where the output is no terminal, a page is printed when something changed.",
		Example: "gitlet watch --every 10",
	}
	return command{spec: spec, stream: true, run: func(ctx context.Context, args any) *verb.Result {
		a := args.(*watchArgs)
		o := WatchOptions{Every: 5 * time.Second, Once: a.Once, Width: 80}
		if a.Every > 0 {
			o.Every = time.Duration(a.Every) * time.Second
		}
		if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
			o.Width = n
		}
		if f, ok := inv.std.Out.(*os.File); ok {
			if info, err := f.Stat(); err == nil {
				o.Terminal = info.Mode()&os.ModeCharDevice != 0
			}
		}
		return verb.FromError(inv.app.Watch(ctx, inv.place(), o, inv.std.Out))
	}}, inv.app.Watch != nil
}
