package gate

import (
	"context"

	"gitlet/internal/lang"
	"gitlet/internal/model"
)

// unchecked are the languages in which no compiler finds a call that fits no more.
var unchecked = map[string]bool{"python": true, "javascript": true}

// checkCallers looks at the notes that say that main and this work do not fit together
// although they merge: mine calls what main changed, or main calls what mine changes.
// Where a compiler will say so too, it is a warning.
func checkCallers(_ context.Context, in Input) ([]Finding, error) {
	stop := Finding{Check: "callers", Refuses: true, Summary: "this does not fit what is on " + in.MainName + " now, and no compiler will say so"}
	var out []Finding
	for _, n := range in.Notes {
		if n.Item != in.Item || n.Kind != "stale" && n.Kind != "new_callers" {
			continue
		}
		if l := lang.ForPath(lang.PathIn(n.Subject)); l == nil || !unchecked[l.Name] {
			out = append(out, Finding{Check: "callers", Summary: n.Title})
			continue
		}
		if len(stop.Details) < maxListed {
			stop.Details = append(stop.Details, n.Title)
			stop.Options = append(stop.Options, model.Option{Verb: "dismiss", Args: map[string]any{"note": n.ID, "as": "not_needed"},
				Why: "you looked, and it is fine as it is"})
		}
	}
	if len(stop.Details) > 0 {
		stop.Options = append([]model.Option{{Verb: "update", Why: "bring main into your branch, adapt, then submit again"}}, stop.Options...)
		out = append(out, stop)
	}
	return out, nil
}
