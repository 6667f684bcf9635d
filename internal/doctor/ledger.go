package doctor

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"gitlet/internal/ledger"
)

// checkLedger opens the ledger, if there is one, and lists what was recorded about
// gitlet itself.
func checkLedger(ctx context.Context, p *place) []Finding {
	if p.wt == nil {
		return nil
	}
	dir := filepath.Join(p.wt.CommonDir, "gitlet")
	l, err := ledger.Open(ctx, dir, ledger.Options{Existing: true})
	if errors.Is(err, ledger.ErrNone) {
		return ok("gitlet's own notes of this clone: none yet, the first command makes them")
	}
	if err != nil {
		return bad(Fail, fmt.Sprintf("it cannot be opened: %v", err), "look at its folder", "ls", "-l", dir)
	}
	defer l.Close()
	var out []Finding
	for _, w := range l.Warnings() {
		out = append(out, bad(Warn, w, "nothing is lost that others were told", "ls", "-l", dir)...)
	}
	bugs, err := l.Bugs(ctx)
	if err != nil {
		return append(out, bad(Warn, fmt.Sprintf("recorded faults cannot be read: %v", err), "look at its folder", "ls", "-l", dir)...)
	}
	for _, b := range bugs[:min(len(bugs), 5)] {
		out = append(out, bad(Warn, fmt.Sprintf("gitlet broke its own rule %d times at %s: %s", b.Count, b.Where, b.What), "report it with these words")...)
	}
	if len(out) == 0 {
		return ok("%s is in order", filepath.Join(dir, ledger.FileName))
	}
	return out
}
