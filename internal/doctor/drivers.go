package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gitlet/internal/setup"
)

// checkDrivers names the merge drivers that attributes ask for and this clone lacks: git
// merges such files by lines, and says nothing.
func checkDrivers(ctx context.Context, p *place) []Finding {
	if p.cfg == nil {
		return nil
	}
	used, err := setup.DriversInUse(ctx, p.wt)
	if err != nil {
		return bad(Warn, fmt.Sprintf("which merge drivers the attributes name cannot be found out: %v", err), "see what git says", "git", "check-attr", "merge", "--", ".")
	}
	var out []Finding
	var have []string
	for _, u := range used {
		if _, there := p.cfg.Get("merge." + u.Name + ".driver"); there {
			have = append(have, u.Name)
			continue
		}
		what := fmt.Sprintf("the attributes of %s name the merge driver %q, which this clone lacks: git merges it by lines", u.Example, u.Name)
		if setup.OwnDriver(u.Name) {
			out = append(out, bad(Warn, what, "register gitlet's drivers", "gitlet", "init", "--merge-drivers")...)
		} else {
			out = append(out, bad(Warn, what, "see the project's documents for how to set it up, and the attributes", "git", "check-attr", "-a", "--", u.Example)...)
		}
	}
	own := slices.ContainsFunc(have, setup.OwnDriver)
	switch {
	case own && !p.onPath("gitlet"):
		out = append(out, bad(Warn, "gitlet's merge drivers are registered, and gitlet is not on PATH here: git's own merge has those files", "put it on the PATH that git sees")...)
	case len(out) == 0 && len(have) == 0:
		return ok("none is in use; gitlet's own merge what lines cannot: gitlet init --merge-drivers")
	case len(out) == 0:
		out = append(out, ok("%s", strings.Join(have, ", "))...)
	}
	return out
}
