package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gitlet/internal/bus"
	"gitlet/internal/config"
	"gitlet/internal/git"
)

// checkRefs tries what gitlet does with refs of its own on the remote, with one that is
// gone again afterwards: make it, move it to an unrelated commit, delete it.
func checkRefs(ctx context.Context, p *place) []Finding {
	if p.cfg == nil {
		return nil
	}
	remote := config.ChooseRemote(p.settings, config.Refs{Remotes: p.cfg.RemoteNames()}).Name
	if remote == "" {
		return nil
	}
	var commits [2]string
	for i := range commits {
		var err error
		commits[i], err = p.wt.CommitFile(ctx, "probe", fmt.Appendf(nil, "probe %d of %s\n", i, p.wt.Root), nil, "gitlet: probe")
		if err != nil {
			return bad(Fail, fmt.Sprintf("no object can be written: %v", err), "look at the disk and the permissions", "ls", "-ld", p.wt.CommonDir)
		}
	}
	ref := namespace(p.settings) + "probe/" + commits[0][:12]
	steps := []struct {
		what string
		push git.RefPush
	}{
		{"make", git.RefPush{OID: commits[0], Ref: ref, Lease: git.MustNotExist}},
		{"move", git.RefPush{OID: commits[1], Ref: ref, Lease: git.Expect(commits[0])}},
		{"delete", git.RefPush{Ref: ref, Lease: git.Expect(commits[1])}},
	}
	for _, s := range steps {
		out, err := p.wt.Remote(remote).PushMeta(ctx, s.push)
		switch {
		case errors.Is(err, git.ErrNetwork):
			return nil // the check of the remote says it
		case errors.Is(err, git.ErrDenied):
			return bad(Fail, fmt.Sprintf("remote %q gives no permission to write: others cannot see this work, and nothing can be claimed", remote),
				"ask for write access, or work as an observer; where everybody pushes to another remote, choose that one",
				"git", "config", "gitlet.remote", "<name>")
		case err != nil:
			return bad(Fail, fmt.Sprintf("refs cannot be pushed to %q: %v", remote, err), "see what git says", "git", "push", remote, "--dry-run")
		}
		if r := out.Ref(ref); r.Status != git.PushAccepted {
			return refusedRef(remote, s.what, r, out.Remote, p.settings)
		}
	}
	return ok("refs below %s can be made, moved and deleted on %q", namespace(p.settings), remote)
}

// namespace is the folder of refs on the remote that gitlet uses.
func namespace(s config.Settings) string {
	if n := s.Refs.Namespace(); n != "" {
		return n
	}
	return bus.Namespace
}

func refusedRef(remote, step string, r git.RefResult, said []string, s config.Settings) []Finding {
	what := fmt.Sprintf("remote %q does not let gitlet %s refs below %s: %s %s", remote, step, namespace(s), r.Summary, r.Reason)
	if len(said) > 0 {
		what += "; it says: " + strings.Join(said[:min(len(said), 3)], " ")
	}
	if s.Refs == config.RefsHeads {
		return bad(Fail, what, "others cannot see this work, and nothing can be claimed; ask who runs the remote")
	}
	return bad(Fail, what, "keep them among the branches instead, where such hosts allow them (branch-triggered CI may then run on them)",
		"git", "config", "gitlet.refs", "heads")
}
