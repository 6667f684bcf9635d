package doctor

import (
	"context"
	"fmt"

	"gitlet/internal/inspect"
)

// maxDegraded is how many files are named.
const maxDegraded = 5

// checkReading names the changed files that gitlet cannot read as deeply as it should,
// and why: about them only "the same file" can be told.
func checkReading(ctx context.Context, p *place) []Finding {
	if p.cfg == nil {
		return nil
	}
	files, err := inspect.Degraded(ctx, p.dir)
	if err != nil {
		return bad(Warn, fmt.Sprintf("your changes cannot be read: %v", err), "see what gitlet reads", "gitlet", "inspect", "footprint")
	}
	if len(files) == 0 {
		return ok("every changed file in a language gitlet reads is read down to its symbols")
	}
	var out []Finding
	for _, f := range files[:min(len(files), maxDegraded)] {
		out = append(out, bad(Warn, fmt.Sprintf("%s is known by file only, or in part: %s", f.Path, f.Reason), "see what is read of it",
			"gitlet", "inspect", "symbols", f.Path)...)
	}
	if n := len(files) - maxDegraded; n > 0 {
		out = append(out, bad(Warn, fmt.Sprintf("%d more files", n), "see all of them", "gitlet", "inspect", "footprint")...)
	}
	return out
}
