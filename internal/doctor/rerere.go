package doctor

import "context"

// checkRerere says whether what is solved here is remembered. Either is a choice.
func checkRerere(ctx context.Context, p *place) []Finding {
	if p.cfg == nil {
		return nil
	}
	switch on, err := p.wt.Records(ctx); {
	case err != nil:
		return bad(Warn, err.Error(), "see where it is set", "git", "config", "--show-origin", "--get-all", "rerere.enabled")
	case !on:
		return ok("git does not record here how conflicts are solved (rerere.enabled is off): gitlet init turns it on")
	}
	return ok("git records here how conflicts are solved, and update solves them again")
}
