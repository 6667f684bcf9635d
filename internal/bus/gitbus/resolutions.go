package gitbus

import (
	"context"
	"errors"
	"fmt"

	"gitlet/internal/bus"
	"gitlet/internal/git"
	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/wire"
)

// Shared resolutions of conflicts are asked for one by one, when a conflict is there, and
// are kept nowhere in the clone. In local mode there are none: git's own are shared by all
// worktrees already.

// OfferResolutions puts resolutions on the remote, in one push, each where there is none of
// its conflict yet. It returns the value of each that was put there, "" for one that
// somebody was faster with or that the remote declined.
func (b *Bus) OfferResolutions(ctx context.Context, all []model.Resolution) ([]string, error) {
	put := make([]string, len(all))
	if b.mode == bus.Local || len(all) == 0 {
		return put, nil
	}
	if err := b.writable(); err != nil {
		return put, err
	}
	files := make([]git.FileCommit, len(all))
	for i, r := range all {
		data, _, err := wire.EncodeResolution(r)
		if err != nil {
			return put, fmt.Errorf("share resolution %q: %w", r.Conflict, err)
		}
		files[i] = git.FileCommit{Name: bus.ResolutionDoc.FileName(), Data: data, Message: "gitlet: resolution"}
	}
	oids, err := b.repo.CommitFiles(ctx, files...)
	if err != nil {
		return put, err
	}
	targets := make([]target, len(all))
	for i, oid := range oids {
		targets[i] = target{ref: bus.ResolutionRef(all[i].Conflict), to: oid}
	}
	answers, err := b.send(ctx, targets)
	if err != nil {
		return put, err
	}
	for i, a := range answers {
		switch a.kind {
		case taken:
			put[i] = oids[i]
		case unanswered:
			err = errors.Join(err, a.err)
		case leaseUnmet, refused:
		}
	}
	return put, err
}

// FindResolutions asks the remote for the resolutions of conflicts. It costs one listing,
// and where there is any, one fetch and one look at what came. values are what the refs
// were at, by conflict. One that cannot be used is a Problem.
func (b *Bus) FindResolutions(ctx context.Context, conflicts []string) (found []model.Resolution, values map[string]string, problems []bus.Problem, err error) {
	if b.mode == bus.Local || len(conflicts) == 0 {
		return nil, nil, nil, nil
	}
	names := make([]string, len(conflicts))
	for i, c := range conflicts {
		if !id.ValidOID(c) {
			return nil, nil, nil, fmt.Errorf("find resolution: %q is no id of a conflict", c)
		}
		names[i] = b.onRemote(bus.ResolutionRef(c))
	}
	there, err := b.remote.LsRemote(ctx, names...)
	if err != nil {
		return nil, nil, nil, b.netError(ctx, err)
	}
	b.reached()
	var refs []string
	var ids []string
	for i, n := range names {
		if there[n] != "" {
			refs, ids = append(refs, n), append(ids, conflicts[i])
		}
	}
	if len(refs) == 0 {
		return nil, nil, nil, nil
	}
	err = b.remote.Fetch(ctx, git.FetchOptions{Whole: true}, refs...)
	if errors.Is(err, git.ErrNoRemoteRef) {
		return nil, nil, nil, nil // taken back at this moment; the next call sees what is left
	}
	if err != nil {
		return nil, nil, nil, b.netError(ctx, err)
	}
	cat := b.repo.NewCatFile(ctx)
	defer cat.Close()
	values = map[string]string{}
	for i, c := range ids {
		oid := there[refs[i]]
		data, why, err := readFile(cat, oid, bus.ResolutionDoc.FileName())
		if err != nil {
			return nil, nil, nil, err
		}
		var r model.Resolution
		if why == "" {
			if r, _, err = wire.DecodeResolution(data, c); err != nil {
				why = err.Error()
			}
		}
		values[c] = oid
		if why != "" {
			var newer *wire.NewerFormat
			problems = append(problems, bus.Problem{Ref: bus.ResolutionRef(c), OID: oid, Why: why, Newer: errors.As(err, &newer)})
			continue
		}
		found = append(found, r)
	}
	return found, values, problems, nil
}

// RevokeResolution takes back a resolution that stands at exactly the value seen. One that
// is gone, or that is somebody else's by now, is left as it is.
func (b *Bus) RevokeResolution(ctx context.Context, conflict, seen string) error {
	if b.mode == bus.Local || !id.ValidOID(conflict) || !id.ValidOID(seen) {
		return nil
	}
	if err := b.permitted(); err != nil {
		return err
	}
	answers, err := b.send(ctx, []target{{ref: bus.ResolutionRef(conflict), lease: seen}})
	if err != nil {
		return err
	}
	if a := answers[0]; a.kind == refused || a.kind == unanswered {
		return a.err
	}
	return nil
}
