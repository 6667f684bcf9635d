package gitbus

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"gitlet/internal/bus"
	"gitlet/internal/git"
	"gitlet/internal/id"
)

// PublishSnapshot costs one for-each-ref, one update-ref, one push and one
// update-ref. It is never pushed together with anything else.
func (b *Bus) PublishSnapshot(ctx context.Context, agent, item, commit string, localOnly bool) error {
	if !id.ValidItem(item) || !id.ValidOID(commit) {
		return fmt.Errorf("publish snapshot: bad item %q or commit %q", item, commit)
	}
	turn, err := b.lock(ctx, agent)
	if err != nil {
		return err
	}
	defer turn.done()
	local, end := untimed(ctx)
	defer end()
	owned, err := b.owned(local, bus.SnapshotRef(agent, item))
	if err != nil {
		return err
	}
	own := owned[0]
	var changes []git.RefChange
	switch {
	case own.local == "":
		changes = append(changes, git.Create(own.ref, commit))
		if own.pushed == commit {
			// It was removed since, and may or may not have arrived before.
			own.pushed = ""
			changes = append(changes, git.Delete(b.pushed(own.ref), ""))
		}
	case own.local != commit:
		changes = append(changes, git.Update(own.ref, commit, own.local))
	}
	if localOnly && b.mode == bus.Remote && own.held != commit {
		changes = append(changes, git.Set(b.held(own.ref), commit))
	}
	if err := b.repo.Apply(local, changes...); err != nil {
		return err
	}
	own.local = commit
	if b.mode == bus.Local || localOnly || own.pushed == commit {
		return nil
	}
	if err := b.checkPush(ctx, own); err != nil {
		return err
	}
	one := []ownRef{own}
	return joined(b.shareInTurn(ctx, turn, one, nil), one)
}

// checkPush asks whether a snapshot may go to the remote, and marks one that never may.
func (b *Bus) checkPush(ctx context.Context, own ownRef) error {
	if b.mayPush == nil || own.local == "" {
		return nil
	}
	err := b.mayPush(ctx, own.local)
	var withheld *bus.Withheld
	if errors.As(err, &withheld) && own.held != own.local {
		if herr := b.repo.Apply(ctx, git.Set(b.held(own.ref), own.local)); herr != nil {
			return herr
		}
	}
	return err
}

// DropSnapshot costs one for-each-ref and one update-ref, and one push and
// update-ref when the remote may have it.
func (b *Bus) DropSnapshot(ctx context.Context, agent, item string) error {
	if !id.ValidItem(item) {
		return fmt.Errorf("drop snapshot: bad item %q", item)
	}
	turn, err := b.lock(ctx, agent)
	if err != nil {
		return err
	}
	defer turn.done()
	local, end := untimed(ctx)
	defer end()
	owned, err := b.owned(local, bus.SnapshotRef(agent, item))
	if err != nil {
		return err
	}
	there, err := b.drop(local, owned)
	if err != nil {
		return err
	}
	_ = b.shareInTurn(ctx, turn, there, nil) // it is gone here; what the remote did not hear, Flush will tell it
	return nil
}

// FetchSnapshot costs what FetchSnapshots does.
func (b *Bus) FetchSnapshot(ctx context.Context, agent, item, want string) (bool, error) {
	here, err := b.FetchSnapshots(ctx, []bus.Wanted{{Agent: agent, Item: item, Commit: want}})
	return len(here) == 1 && here[0], err
}

// FetchSnapshots costs one process when the clone has all of them under their refs, and
// otherwise one fetch more, which sends no objects that are here already, and one look
// at what came.
func (b *Bus) FetchSnapshots(ctx context.Context, want []bus.Wanted) ([]bool, error) {
	here := make([]bool, len(want))
	var names []string
	for _, w := range want {
		if !id.ValidAgent(w.Agent) || !id.ValidItem(w.Item) || !id.ValidOID(w.Commit) {
			return here, fmt.Errorf("fetch snapshot: bad agent %q, item %q or commit %q", w.Agent, w.Item, w.Commit)
		}
		ref := bus.SnapshotRef(w.Agent, w.Item)
		names = append(names, ref)
		if b.mode == bus.Remote {
			names = append(names, b.tracking(ref))
		}
	}
	if len(want) == 0 {
		return here, nil
	}
	if b.mode == bus.Local {
		return here, b.hasAll(ctx, want, here)
	}
	refs, err := b.repo.Refs(ctx, names...)
	if err != nil {
		return here, err
	}
	missing := map[string]bool{}
	for i, w := range want {
		ref := bus.SnapshotRef(w.Agent, w.Item)
		if here[i] = refs[ref] == w.Commit || refs[b.tracking(ref)] == w.Commit; !here[i] {
			missing[ref] = true
		}
	}
	if len(missing) == 0 {
		return here, nil
	}
	if err := b.fetchMaybe(ctx, sorted(missing)); err != nil {
		return here, err
	}
	return here, b.hasAll(ctx, want, here)
}

// hasAll looks for the wanted commits in this clone.
func (b *Bus) hasAll(ctx context.Context, want []bus.Wanted, here []bool) error {
	names := make([]string, len(want))
	for i, w := range want {
		names[i] = w.Commit
	}
	got, err := b.repo.Objects(ctx, names...)
	for i := range got {
		here[i] = got[i].OID == want[i].Commit && got[i].Type == "commit"
	}
	return err
}

func (b *Bus) has(ctx context.Context, commit string) (bool, error) {
	got, err := b.repo.Objects(ctx, commit)
	return err == nil && got[0].OID == commit && got[0].Type == "commit", err
}

func sorted(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }
