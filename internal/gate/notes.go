package gate

import (
	"context"
	"fmt"

	"gitlet/internal/model"
)

// checkNotes warns about the notes that ask for a step and stand. Those that another
// check speaks of are left to it.
func checkNotes(_ context.Context, in Input) ([]Finding, error) {
	var titles []string
	for _, n := range in.Notes {
		if n.Item == in.Item && n.Severity == model.Act && n.Kind != "stale" && n.Kind != "new_callers" {
			titles = append(titles, n.ID+": "+n.Title)
		}
	}
	if len(titles) == 0 {
		return nil, nil
	}
	return []Finding{{Check: "notes", Summary: fmt.Sprintf("%s still open", isAre(len(titles), "note that asks for a step")), Details: some(titles)}}, nil
}
