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
	var refs config.Refs
	for _, r := range p.cfg.Remotes() {
		refs.Remotes = append(refs.Remotes, r.Name)
	}
	chosen := config.ChooseRemote(p.settings, refs)
	if chosen.Problem != "" {
		return bad(Warn, chosen.Problem, "until then agents are seen only within this clone")
	}
	if chosen.Name == "" {
		return ok("no remote (%s): agents share through this clone's own refs, in its worktrees", chosen.Why)
	}
	all, err := p.wt.Remote(chosen.Name).LsRemote(ctx)
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
	found := ok("remote %q answers (chosen because %s); %d agents and %d refs of gitlet's are on it", chosen.Name, chosen.Why, agents, shared)
	return append(found, checkMain(ctx, p, chosen.Name, refs, all)...)
}

func checkMain(ctx context.Context, p *place, remote string, refs config.Refs, all map[string]string) []Finding {
	refs.RemoteHEAD, refs.Tracking = map[string]string{}, map[string][]string{}
	head, err := p.wt.SymbolicRef(ctx, "refs/remotes/"+remote+"/HEAD")
	if err == nil {
		refs.RemoteHEAD[remote] = head
	}
	have, err := p.wt.Refs(ctx, "refs/heads", "refs/remotes/"+remote)
	if err != nil {
		return bad(Warn, fmt.Sprintf("branches cannot be listed: %v", err), "see what git says", "git", "branch", "-a")
	}
	for ref := range have {
		if b, isLocal := strings.CutPrefix(ref, "refs/heads/"); isLocal {
			refs.Local = append(refs.Local, b)
		} else if b, isTracking := strings.CutPrefix(ref, "refs/remotes/"+remote+"/"); isTracking {
			refs.Tracking[remote] = append(refs.Tracking[remote], b)
		}
	}
	main := config.ChooseMain(p.settings, remote, refs)
	if all["refs/heads/"+main.Name] == "" {
		return bad(Warn, fmt.Sprintf("main is taken to be %q (%s), and the remote has no such branch", main.Name, main.Why),
			"say which branch work lands on", "git", "config", "gitlet.main", "<branch>")
	}
	if tip := all["HEAD"]; tip != "" && tip != all["refs/heads/"+main.Name] && p.settings.Main == "" {
		return bad(Warn, fmt.Sprintf("main is taken to be %q (%s), but the remote's HEAD is at another commit", main.Name, main.Why),
			"let this clone ask the remote which branch that is", "git", "remote", "set-head", remote, "--auto")
	}
	return ok("main is %q (%s)", main.Name, main.Why)
}
