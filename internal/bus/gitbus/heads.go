package gitbus

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/flock"
	"gitlet/internal/git"
	"gitlet/internal/wire"
)

// Heads bounds one round of FetchHeads: at most Max branches are fetched, and branches
// whose last commit is older than Since are left out.
type Heads struct {
	Max   int
	Since time.Time
}

// HeadsFetched is what came of a round: the commits of the branches that are recent
// and in this clone, how many were fetched for that, and how many are left for later.
type HeadsFetched struct {
	Heads       map[string]string // by branch name, "feature/x"
	Fetched     int
	Outstanding int
}

// headsFolder is where copies of the remote's other branches are kept. A copy can
// outlive its branch, so it says nothing about what the remote has.
func (b *Bus) headsFolder() string { return "refs/gitlet-heads/" + b.key + "/" }

// FetchHeads looks at the remote's branches other than main and gitlet's own: one
// listing, however many there are, one fetch when some moved to commits that this clone
// does not have, and a few local processes. It does nothing in local mode. A branch
// found to be too old after all is kept, so that it is not fetched again.
func (b *Bus) FetchHeads(ctx context.Context, o Heads) (HeadsFetched, error) {
	out := HeadsFetched{Heads: map[string]string{}}
	if b.mode == bus.Local {
		return out, nil
	}
	there, err := b.remote.Heads(ctx)
	if err != nil {
		return out, b.netError(ctx, err)
	}
	b.reached()
	here, err := b.repo.Refs(ctx, strings.TrimSuffix(b.headsFolder(), "/"))
	if err != nil {
		return out, err
	}
	names := b.branches(there)
	moved, err := b.movedHeads(ctx, names, there, here)
	if err != nil {
		return out, err
	}
	if out.Outstanding = len(moved); len(moved) > o.Max {
		moved = moved[:o.Max]
	}
	if err := b.fetchHeads(ctx, moved, there, here); err != nil {
		return out, err
	}
	out.Fetched, out.Outstanding = len(moved), out.Outstanding-len(moved)
	return out, b.recent(ctx, names, there, o.Since, out.Heads)
}

// branches are the names that count, in order.
func (b *Bus) branches(there map[string]string) []string {
	var names []string
	for ref := range there {
		name := strings.TrimPrefix(ref, "refs/heads/")
		if ref == b.branch() || strings.HasPrefix(ref, b.namespace) || strings.HasPrefix(name, "gitlet.state/") || !wire.ValidBranch(name) {
			continue
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// movedHeads are the branches at commits that are not in this clone: those that were
// fetched before come first, because they are being worked on.
func (b *Bus) movedHeads(ctx context.Context, names []string, there, here map[string]string) ([]string, error) {
	var ask, oids []string
	for _, n := range names {
		if oid := there["refs/heads/"+n]; here[b.headsFolder()+n] != oid {
			ask, oids = append(ask, n), append(oids, oid)
		}
	}
	if len(ask) == 0 {
		return nil, nil
	}
	objs, err := b.repo.Objects(ctx, oids...)
	if err != nil {
		return nil, err
	}
	var known, fresh []string
	for i, n := range ask {
		switch {
		case objs[i].Type == "commit":
		case here[b.headsFolder()+n] != "":
			known = append(known, n)
		default:
			fresh = append(fresh, n)
		}
	}
	return append(known, fresh...), nil
}

// fetchHeads brings the branches here under gitlet's own names. A branch that vanished
// since the listing is left out.
func (b *Bus) fetchHeads(ctx context.Context, names []string, there, here map[string]string) error {
	if len(names) == 0 {
		return nil
	}
	lock, err := flock.Acquire(ctx, filepath.Join(b.locks, "fetch.lock"))
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if err := b.clearTheWay(ctx, names, there, here); err != nil {
		return err
	}
	for {
		specs := make([]string, len(names))
		for i, n := range names {
			specs[i] = "+refs/heads/" + n + ":" + b.headsFolder() + n
		}
		err := b.remote.Fetch(ctx, git.FetchOptions{}, specs...)
		var gone *git.NoRemoteRefError
		if !errors.As(err, &gone) {
			return b.netError(ctx, err)
		}
		left := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return "refs/heads/"+n == gone.Ref })
		if len(left) == len(names) || len(left) == 0 {
			return nil
		}
		names = left
	}
}

// clearTheWay deletes copies of branches that are gone where a new branch's name needs
// their place: "a" cannot stand beside "a/b".
func (b *Bus) clearTheWay(ctx context.Context, names []string, there, here map[string]string) error {
	var drop []git.RefChange
	for ref, oid := range here {
		old := strings.TrimPrefix(ref, b.headsFolder())
		if there["refs/heads/"+old] != "" {
			continue
		}
		if slices.ContainsFunc(names, func(n string) bool {
			return strings.HasPrefix(n, old+"/") || strings.HasPrefix(old, n+"/")
		}) {
			drop = append(drop, git.Delete(ref, oid))
		}
	}
	return b.repo.Apply(ctx, drop...)
}

// recent fills in the branches whose commit is here and not older than since.
func (b *Bus) recent(ctx context.Context, names []string, there map[string]string, since time.Time, out map[string]string) error {
	cat := b.repo.NewCatFile(ctx)
	defer cat.Close()
	for _, n := range names {
		oid := there["refs/heads/"+n]
		obj, err := cat.Read(oid, maxCommit)
		if err != nil {
			return err
		}
		if at, ok := git.CommitterTime(obj.Data); obj.Type == "commit" && ok && !at.Before(since) {
			out[n] = oid
		}
	}
	return nil
}

// maxCommit is the most of a commit that is read for its date, which stands near its
// beginning; one that is larger counts as old.
const maxCommit = 1 << 20
