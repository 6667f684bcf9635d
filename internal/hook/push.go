package hook

import (
	"bufio"
	"context"
	"io"
	"strings"

	"gitlet/internal/engine"
)

// prePush says what submit would find in the commits that go to branches of tasks of
// this worktree. It goes by main as last fetched, and holds nothing up.
func prePush(ctx context.Context, h Call, c *engine.Call, out io.Writer) error {
	lines := bufio.NewScanner(h.In)
	for lines.Scan() {
		// "<local ref> <commit> <remote ref> <commit there>"
		f := strings.Fields(lines.Text())
		if len(f) != 4 || strings.Trim(f[1], "0") == "" {
			continue // nothing that is understood, or a deletion
		}
		branch, ok := strings.CutPrefix(f[2], "refs/heads/")
		if !ok {
			continue
		}
		it, err := c.ItemOn(ctx, strings.TrimPrefix(f[0], "refs/heads/"), branch)
		if err != nil {
			return err
		}
		if it == nil {
			continue
		}
		found, err := c.EveryFinding(ctx, *it, f[1])
		for _, x := range found {
			listed(out, x.Summary, x.Details)
		}
		if err != nil {
			return err
		}
		if len(found) > 0 {
			listed(out, "that is what gitlet submit checks before it pushes and opens the pull request", nil)
		}
	}
	return lines.Err()
}
