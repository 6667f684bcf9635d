package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gitlet/internal/config"
	"gitlet/internal/git"
)

// checkRemote says which remote is shared through, whether it answers, and whether
// main is what the remote says it is. It only lists refs.
func checkRemote(ctx context.Context, p *place) []Finding {
	if p.cfg == nil {
		return nil
	}
	choice, err := config.Choose(ctx, p.settings, p.cfg.RemoteNames(), p.wt)
	if err != nil {
		return bad(Warn, fmt.Sprintf("branches cannot be listed: %v", err), "see what git says", "git", "branch", "-a")
	}
	chosen := choice.Remote
	if chosen.Problem != "" {
		return bad(Warn, chosen.Problem, "until then agents are seen only within this clone")
	}
	if chosen.Name == "" {
		return ok("no remote (%s): agents share through this clone's own refs, in its worktrees", chosen.Why)
	}
	all, head, err := p.wt.Remote(chosen.Name).LsRemoteHead(ctx)
	switch {
	case errors.Is(err, git.ErrDenied):
		return bad(Fail, fmt.Sprintf("remote %q denies access", chosen.Name), "check your credentials", "git", "ls-remote", chosen.Name)
	case err != nil:
		return bad(Fail, fmt.Sprintf("remote %q does not answer: %v", chosen.Name, err), "see what git says", "git", "ls-remote", chosen.Name)
	}
	shared, agents := 0, 0
	for ref := range all {
		if strings.HasPrefix(ref, namespace(p.settings)) {
			shared++
			if strings.HasSuffix(ref, "/state") {
				agents++
			}
		}
	}
	found := ok("remote %q answers (chosen because %s); %s and %s of gitlet's on it", chosen.Name, chosen.Why, counted(agents, "agent"), counted(shared, "ref"))
	return append(found, checkMain(p, chosen.Name, choice.Main, all, strings.TrimPrefix(head, "refs/heads/"))...)
}

// checkMain compares the main that was chosen with what the remote has: all its refs, and
// the branch its HEAD names ("" for none).
func checkMain(p *place, remote string, main config.Main, all map[string]string, head string) []Finding {
	switch {
	case all["refs/heads/"+main.Name] == "" && head != "":
		return bad(Warn, fmt.Sprintf("main is taken to be %q (%s), and the remote has no such branch; its HEAD names %q", main.Name, main.Why, head),
			"say that work lands there, if it does", "git", "config", "gitlet.main", head)
	case all["refs/heads/"+main.Name] == "":
		return bad(Warn, fmt.Sprintf("main is taken to be %q (%s), and the remote has no such branch", main.Name, main.Why),
			"say which branch work lands on", "git", "config", "gitlet.main", "<branch>")
	case head != "" && head != main.Name && p.settings.Main == "":
		return bad(Warn, fmt.Sprintf("main is taken to be %q (%s), but the remote's HEAD names %q", main.Name, main.Why, head),
			"let this clone ask the remote which branch that is", "git", "remote", "set-head", remote, "--auto")
	}
	return ok("main is %q (%s)", main.Name, main.Why)
}
