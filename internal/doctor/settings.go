package doctor

import "context"

// checkSettings names values that cannot be used and keys that do not exist.
func checkSettings(_ context.Context, p *place) []Finding {
	if p.cfg == nil {
		return nil
	}
	if len(p.problems) == 0 {
		return ok("every gitlet setting is understood")
	}
	var out []Finding
	for _, problem := range p.problems {
		out = append(out, bad(Warn, problem.String(), "see where it is set", "git", "config", "--show-origin", "--get-all", problem.Key)...)
	}
	return out
}
