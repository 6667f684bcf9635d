package doctor

import (
	"context"

	"gitlet/internal/config"
	"gitlet/internal/forge"
)

// checkForge says how submit opens pull requests.
func checkForge(_ context.Context, p *place) []Finding {
	if p.cfg == nil {
		return nil
	}
	remote := config.ChooseRemote(p.settings, config.Refs{Remotes: p.cfg.RemoteNames()}).Name
	for _, r := range p.cfg.Remotes() {
		if r.Name != remote {
			continue
		}
		repo, known := forge.ParseRemote(r.URL)
		switch {
		case !known:
			return ok("the host of %q is none that gitlet knows: submit pushes, and pull requests are opened by hand", remote)
		case p.onPath("gh"):
			return ok("submit opens pull requests of %s with gh where it is signed in, else it prints the link", repo.Slug())
		}
		return ok("gh is not installed: submit prints the link that opens a pull request of %s", repo.Slug())
	}
	return nil
}
