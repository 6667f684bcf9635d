package hook

import (
	"context"
	"fmt"
	"io"

	"gitlet/internal/engine"
	"gitlet/internal/model"
	"gitlet/internal/render"
	"gitlet/internal/verb"
)

// maxShown is how many notes a hook shows in full.
const maxShown = 3

// postCommit says which notes that ask for a step came up since, and that conflict
// markers were committed. Copied commits are no news: whoever copies them tells.
func postCommit(ctx context.Context, h Call, c *engine.Call, out io.Writer) error {
	if copied, err := replaying(ctx, c, true); err != nil || copied {
		return err
	}
	found, err := c.CommittedMarkers(ctx)
	if err != nil {
		return err
	}
	for _, f := range found {
		listed(out, f.Summary, f.Details)
	}
	c.ReadWork(ctx)
	show, more, err := c.DeliverHook(ctx, maxShown, model.Act)
	if err != nil || len(show) == 0 {
		return err
	}
	fmt.Fprintln(out, render.Printer{Face: verb.CLI, Table: h.Table}.Notes(show))
	if more > 0 {
		fmt.Fprintf(out, "gitlet: %d more, see: gitlet status\n", more)
	}
	return nil
}
