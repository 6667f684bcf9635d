package gitbus

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"gitlet/internal/bus"
	"gitlet/internal/flock"
	"gitlet/internal/git"
	"gitlet/internal/id"
)

// Reap costs one fetch of the agent's refs, one for-each-ref, one push for the state and
// one for the rest, and one update-ref; in local mode the second and the last. A fetch
// is the one way to have a host list some refs and not all of the repository's: the
// snapshots that come along are small, as what they build on is mostly here.
func (b *Bus) Reap(ctx context.Context, left bus.Remains) error {
	for _, oid := range []string{left.State, left.Outbox} {
		if oid != "" && !id.ValidOID(oid) {
			return fmt.Errorf("reap: bad value %q", oid)
		}
	}
	if left.Agent == b.agent {
		return fmt.Errorf("reap %q: it is this agent", left.Agent)
	}
	turn, err := b.lock(ctx, left.Agent)
	if err != nil {
		return err
	}
	defer turn.done()
	// Nobody waits for the lock of an agent that is gone.
	if err := turn.takeNow(); errors.Is(err, flock.ErrHeld) {
		return fmt.Errorf("reap %q, which is sending: %w", left.Agent, bus.ErrMoved)
	} else if err != nil {
		return err
	}
	state, outbox, wip := bus.StateRef(left.Agent), bus.OutboxRef(left.Agent), bus.Namespace+"wip/"+left.Agent
	names := []string{state, outbox, wip}
	if b.mode == bus.Remote {
		for _, of := range []func(string) string{b.tracking, b.pushed, b.held} {
			names = append(names, of(state), of(outbox), of(wip))
		}
	}
	if b.mode == bus.Remote {
		if err := b.fetchAgent(ctx, left.Agent); err != nil {
			return err
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
		if err := b.reapRemote(ctx, left.Agent, seen, here); err != nil {
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

// fetchAgent brings everything of an agent into its tracking refs.
func (b *Bus) fetchAgent(ctx context.Context, agent string) error {
	if err := b.writable(); err != nil {
		return err
	}
	lock, err := flock.Acquire(ctx, filepath.Join(b.locks, "fetch.lock"))
	if err != nil {
		return err
	}
	defer lock.Unlock()
	var specs []string
	for _, folder := range []string{"agents/" + agent + "/*", "wip/" + agent + "/*"} {
		specs = append(specs, "+"+b.namespace+folder+":"+b.tracking(folder))
	}
	if err := b.fetchFolders(ctx, specs...); err != nil {
		return b.netError(ctx, err)
	}
	b.reached()
	return nil
}

// reapRemote removes the agent's refs on the remote. Their values were listed before
// (here, among the clone's refs) and the state is removed before all else: when the owner comes back meanwhile, either the
// state has moved and nothing is touched, or what it makes anew has other values.
func (b *Bus) reapRemote(ctx context.Context, agent string, seen, here map[string]string) error {
	state, outbox := bus.StateRef(agent), bus.OutboxRef(agent)
	var first, rest []target
	for _, ref := range []string{state, outbox} {
		now := here[b.tracking(ref)]
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
	for name, oid := range here {
		short, tracked := strings.CutPrefix(name, b.tracking(""))
		if !tracked {
			continue
		}
		ref := bus.Namespace + short
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
