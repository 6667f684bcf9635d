package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gitlet/internal/forge"
	"gitlet/internal/git"
	"gitlet/internal/id"
)

// Who works with a fork pulls from one remote and pushes to another. A branch goes where
// the user's own git push would take it; its pull request goes to where main is.

// PushRemote is where the user pushes the branch, as git chooses it: what the branch says,
// what the clone says, else the remote agents share through. It may be an address.
func (c *Call) PushRemote(ctx context.Context, branch string) (string, error) {
	conf, err := c.wt.KnownConfig(ctx)
	if err != nil {
		return "", err
	}
	return pushRemote(conf, branch, c.remote.Name), nil
}

func pushRemote(conf *git.Config, branch, shared string) string {
	for _, key := range []string{"branch." + branch + ".pushRemote", "remote.pushDefault"} {
		if v, ok := conf.Get(key); ok && v != "" && v != "." { // "." is this clone itself
			return v
		}
	}
	return shared
}

// upstreamOf is the remote that a pull request of a branch pushed to a remote goes to: the
// one gh was told, else where main comes from when agents share through the fork, else the
// remote agents share through.
func upstreamOf(conf *git.Config, pushed, shared, main string) string {
	names := conf.RemoteNames()
	for _, name := range names {
		if v, _ := conf.Get("remote." + name + ".gh-resolved"); v == "base" {
			return name
		}
	}
	fork := pushed == shared || slices.Contains(conf.All("remote."+shared+".url"), pushed)
	if from, _ := conf.Get("branch." + main + ".remote"); fork && from != "" {
		for _, name := range names {
			if name == from {
				return name
			}
		}
	}
	return shared
}

// Forges finds out where a pull request of a branch pushed to a remote lives (base) and
// where its branch does (head). known is false when one of them is a path, or cannot be
// read, or they are not of one forge.
func (c *Call) Forges(ctx context.Context, pushed string) (base, head forge.Repo, known bool, err error) {
	conf, err := c.wt.KnownConfig(ctx)
	if err != nil {
		return forge.Repo{}, forge.Repo{}, false, err
	}
	head, known, err = c.forgeOf(ctx, conf, pushed)
	if err != nil || !known {
		return head, head, false, err
	}
	upstream := upstreamOf(conf, pushed, c.remote.Name, c.main.Name)
	if upstream == pushed {
		return head, head, true, nil
	}
	base, known, err = c.forgeOf(ctx, conf, upstream)
	if known && base.Host != head.Host {
		known = false
	}
	return base, head, known, err
}

// forgeOf reads a remote's addresses, or an address.
func (c *Call) forgeOf(ctx context.Context, conf *git.Config, remote string) (repo forge.Repo, known bool, err error) {
	rewritten, err := c.wt.Remote(remote).URL(ctx)
	if err != nil {
		return forge.Repo{}, false, err
	}
	addresses := append(conf.All("remote."+remote+".pushurl"), rewritten)
	// An address may be rewritten to a mirror or a copy of the forge's.
	addresses = append(addresses, conf.All("remote."+remote+".url")...)
	if _, named := conf.Get("remote." + remote + ".url"); !named {
		addresses = append(addresses, remote)
	}
	for _, a := range addresses {
		if r, ok := forge.ParseRemote(a); ok && (!known || repo.Kind == forge.Unknown) {
			if !known || r.Kind != forge.Unknown {
				repo, known = r, true
			}
		}
	}
	return repo, known, nil
}

// inTheWay says which branch of the remote keeps one from being made there: names are
// paths, and none can be a file and a folder. Without such a branch the refusal stays.
func (c *Call) inTheWay(ctx context.Context, r git.Remote, branch string, refused error) error {
	var e *PushError
	if !errors.As(refused, &e) || id.ValidOID(e.Foreign) {
		return refused
	}
	const heads = "refs/heads/"
	patterns := []string{heads + branch + "/*"}
	for i := range branch {
		if branch[i] == '/' {
			patterns = append(patterns, heads+branch[:i])
		}
	}
	there, err := r.LsRemote(ctx, patterns...)
	if err != nil {
		return refused
	}
	for _, ref := range slices.Sorted(maps.Keys(there)) {
		name := strings.TrimPrefix(ref, heads)
		if strings.HasPrefix(branch, name+"/") || strings.HasPrefix(name, branch+"/") {
			return &PushError{Clash: name, Text: fmt.Sprintf("the remote has a branch %q, and %q cannot stand beside it", name, branch)}
		}
	}
	return refused
}
