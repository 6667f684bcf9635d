package doctor

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"gitlet/internal/ledger"
)

// manyFalse is how many false alarms of one kind are worth a word.
const manyFalse = 3

// checkNotes says which kinds of notes the agents of this clone dismissed, and why: the
// kinds that are wrong or idle too often show here.
func checkNotes(ctx context.Context, p *place) []Finding {
	if p.wt == nil {
		return nil
	}
	l, err := ledger.Open(ctx, filepath.Join(p.wt.CommonDir, "gitlet"), ledger.Options{Existing: true})
	if err != nil {
		return nil // the check of the ledger says it
	}
	defer l.Close()
	all, err := l.AllDismissals(ctx)
	switch {
	case errors.Is(err, ledger.ErrNewer):
		return nil
	case err != nil:
		return bad(Warn, fmt.Sprintf("what was dismissed cannot be read: %v", err), "look at the check of the ledger")
	case len(all) == 0:
		return ok("none was dismissed yet")
	}
	total, parts := 0, []string{}
	var out []Finding
	for _, d := range all {
		total += d.Count
		how := strings.ReplaceAll(d.As, "_", " ")
		parts = append(parts, fmt.Sprintf("%s %d %s", d.Kind, d.Count, how))
		if d.As == "false_alarm" && d.Count >= manyFalse {
			what := fmt.Sprintf("%s was called a false alarm %d times", d.Kind, d.Count)
			if d.LastReason != "" {
				what += fmt.Sprintf(", last because %q", d.LastReason)
			}
			out = append(out, bad(Warn, what, "report an example, with both changes")...)
		}
	}
	times := "once"
	if total > 1 {
		times = fmt.Sprintf("%d times", total)
	}
	return append(ok("dismissed %s: %s", times, strings.Join(parts, ", ")), out...)
}
