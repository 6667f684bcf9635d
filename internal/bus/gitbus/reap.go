package gitbus

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gitlet/internal/bus"
	"gitlet/internal/git"
	"gitlet/internal/id"
)

// Reap costs one for-each-ref, one ls-remote, one push for the state and one for the
// rest, and one update-ref; in local mode the first and the last.
func (b *Bus) Reap(ctx context.Context, left bus.Remains) error {
	for _, oid := range []string{left.State, left.Outbox} {
		if oid != "" && !id.ValidOID(oid) {
			return fmt.Errorf("reap: bad value %q", oid)
		}
	}
	if left.Agent == b.agent {
		return fmt.Errorf("reap %q: it is this agent", left.Agent)
	}
	lock, err := b.lock(ctx, left.Agent)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	state, outbox, wip := bus.StateRef(left.Agent), bus.OutboxRef(left.Agent), bus.Namespace+"wip/"+left.Agent
	names := []string{state, outbox, wip}
	if b.mode == bus.Remote {
		for _, of := range []func(string) string{b.tracking, b.pushed, b.held} {
			names = append(names, of(state), of(outbox), of(wip))
		}
	}
	here, err := b.repo.Refs(ctx, names...)
	if err != nil {
		return err
	}
	seen := map[string]string{state: left.State, outbox: left.Outbox}
	home := here[state]+here[outbox] != ""
	if home {
		// It lived in this clone: the documents judged are the ones here.
		if here[state] != left.State || here[outbox] != left.Outbox {
			return fmt.Errorf("reap %q: %w", left.Agent, bus.ErrMoved)
		}
		seen[state], seen[outbox] = here[b.pushed(state)], here[b.pushed(outbox)]
	}
	if b.mode == bus.Remote {
		if err := b.reapRemote(ctx, left.Agent, seen); err != nil {
			return err
		}
	}
	var changes []git.RefChange
	for name, oid := range here {
		if !strings.HasPrefix(name, bus.Namespace) {
			oid = "" // only a note about the remote
		}
		changes = append(changes, git.Delete(name, oid))
	}
	err = b.repo.Apply(ctx, changes...)
	if errors.Is(err, git.ErrRefMoved) {
		return fmt.Errorf("reap %q: %w", left.Agent, bus.ErrMoved)
	}
	return err
}

// reapRemote removes the agent's refs on the remote. Their values are listed first and
// the state is removed before all else: when the owner comes back meanwhile, either the
// state has moved and nothing is touched, or what it makes anew has other values.
func (b *Bus) reapRemote(ctx context.Context, agent string, seen map[string]string) error {
	if err := b.writable(); err != nil {
		return err
	}
	state, outbox := bus.StateRef(agent), bus.OutboxRef(agent)
	there, err := b.remote.LsRemote(ctx, b.onRemote(state), b.onRemote(outbox), b.onRemote(bus.SnapshotRef(agent, "*")))
	if err != nil {
		return b.netError(ctx, err)
	}
	b.reached()
	var first, rest []target
	for _, ref := range []string{state, outbox} {
		now := there[b.onRemote(ref)]
		delete(there, b.onRemote(ref))
		switch {
		case now == "":
		case now != seen[ref]:
			return fmt.Errorf("reap %q: %w", agent, bus.ErrMoved)
		case ref == state:
			first = append(first, target{ref: ref, lease: now})
		default:
			rest = append(rest, target{ref: ref, lease: now})
		}
	}
	for name, oid := range there {
		ref := bus.Namespace + strings.TrimPrefix(name, b.namespace)
		if n, ok := bus.ParseRef(ref); ok && n.Kind == bus.Snapshot && n.Agent == agent {
			rest = append(rest, target{ref: ref, lease: oid})
		}
	}
	for _, batch := range [][]target{first, rest} {
		answers, err := b.send(ctx, batch)
		if err != nil {
			return err
		}
		var errs []error
		for i, a := range answers {
			switch a.kind {
			case taken:
			case leaseUnmet:
				errs = append(errs, fmt.Errorf("reap %q: %w", b.onRemote(batch[i].ref), bus.ErrMoved))
			case refused, unanswered:
				errs = append(errs, a.err)
			}
		}
		if err := errors.Join(errs...); err != nil {
			return err
		}
	}
	return nil
}
