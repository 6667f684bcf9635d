package app

import (
	"context"
	"fmt"

	"gitlet/internal/engine"
)

// learnFrom is how many merges init learns from.
const learnFrom = 200

// learn records how main's merges solved their conflicts, and says what is new.
func learn(ctx context.Context, dir string) (string, error) {
	t, main, err := engine.FirstTraining(ctx, dir, learnFrom, progress())
	if err != nil || t == nil || t.Recorded == 0 {
		return "", err
	}
	what := "1 conflict was"
	if t.Recorded > 1 {
		what = fmt.Sprintf("%d conflicts were", t.Recorded)
	}
	said := fmt.Sprintf("learned how %s solved in the newest merges of %s, %d of them", what, main, t.Merges)
	if !t.Whole {
		said += ", as far as ten seconds reach: gitlet rerere train goes on"
	}
	return said + " (undo: gitlet rerere list, gitlet rerere forget ID)", nil
}
