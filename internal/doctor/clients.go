package doctor

import (
	"context"
	"fmt"
	"strings"

	"gitlet/internal/setup"
)

// checkClients compares each client that is found here with what init would set up, and
// names what is set up and has no effect.
func checkClients(ctx context.Context, p *place) []Finding {
	if p.cfg == nil {
		return nil
	}
	signs := setup.Detected(p.wt.Root, p.onPath)
	var out []Finding
	for _, c := range setup.Clients() {
		sign := signs[c.Name]
		if sign == "" {
			continue
		}
		todo := setup.Pending(ctx, p.wt, c, p.built)
		var missing []string
		fresh := 0
		for _, ch := range todo.Changes {
			missing = append(missing, ch.Path+" ("+ch.What+")")
			if ch.Action == "create" || ch.Before == nil || !strings.Contains(*ch.Before, "gitlet") {
				fresh++
			}
		}
		argv := []string{"gitlet", "init", c.Name}
		for _, x := range todo.Problems {
			out = append(out, bad(Warn, fmt.Sprintf("%s: %s: %s", c.Title, x.Path, x.What), x.ToDo, argv...)...)
		}
		switch {
		case len(missing) > 0 && len(missing) == fresh && len(todo.Problems)+len(todo.Kept) == 0 && fresh == setup.Files(c):
			out = append(out, bad(Warn, fmt.Sprintf("%s is used here (%s) and not set up", c.Title, sign), "set it up", argv...)...)
		case len(missing) > 0:
			out = append(out, bad(Warn, fmt.Sprintf("%s: not as init would set it up: %s", c.Title, strings.Join(missing, ", ")), "bring it up to date", argv...)...)
		case len(todo.Problems) == 0:
			out = append(out, ok("%s is set up", c.Title)...)
		}
		for _, k := range todo.Kept {
			out = append(out, ok("%s: %s: %s", c.Title, k.Path, k.Why)...)
		}
		for _, x := range setup.Ignored(ctx, p.wt, c, p.onPath) {
			todo := x.ToDo
			if len(x.Snippet) > 0 {
				todo += ": " + strings.Join(x.Snippet, " / ")
			}
			out = append(out, bad(Warn, fmt.Sprintf("%s: %s: %s", c.Title, x.Path, x.What), todo)...)
		}
	}
	if len(out) == 0 {
		return ok("none of those that init knows is found here")
	}
	return out
}
