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

// adoption makes use of what the remote turned out to hold, and returns the own
// ref's value after that.
type adoption func(theirs string) (local string, err error)

// share brings the remote's refs to the local values, "" meaning removed: one push
// for all, each ref with its own lease on what the remote accepted last, so that one
// that fails holds no other back. Those whose lease is not met are tried once more
// with a lease on what the remote holds.
//
// A lost answer needs nothing special: the next push finds the lease unmet, reads
// the remote's ref, and goes on from there.
func (b *Bus) share(ctx context.Context, owned []ownRef, adopt adoption) error {
	if len(owned) == 0 {
		return nil
	}
	stale, errs, err := b.push(ctx, owned)
	if err != nil {
		return err
	}
	if len(stale) == 0 {
		return errors.Join(errs...)
	}
	remote, err := b.remoteValues(ctx, stale)
	if err != nil {
		return errors.Join(append(errs, err)...)
	}
	var again, settled []ownRef
	moved := map[string]bool{}
	for _, u := range stale {
		o := u.ownRef
		moved[o.ref] = o.pushed != remote[o.ref]
		o.pushed = remote[o.ref]
		if adopt != nil && o.pushed != "" {
			if o.local, err = adopt(o.pushed); err != nil {
				return errors.Join(append(errs, b.netError(ctx, err))...)
			}
		}
		if o.pushed == o.local {
			settled = append(settled, o)
		} else {
			again = append(again, o)
		}
	}
	if err := b.accepted(ctx, settled); err != nil {
		return errors.Join(append(errs, err)...)
	}
	lost, more, err := b.push(ctx, again)
	errs = append(errs, more...)
	if err != nil {
		errs = append(errs, err)
	}
	for _, u := range lost {
		if moved[u.ref] {
			errs = append(errs, fmt.Errorf("push %q: %w", b.onRemote(u.ref), bus.ErrCollision))
		} else {
			// It stood where we thought all along: the remote will not take it, whoever
			// else writes (a ref named like a folder of ours is in the way).
			errs = append(errs, u.why)
		}
	}
	return errors.Join(errs...)
}

// unmet is a ref whose lease was not met, and the remote's words.
type unmet struct {
	ownRef
	why *bus.Refused
}

// push makes one push. It returns the refs whose lease was not met, an error for
// each ref that was declined or failed, and the error of the push as a whole.
func (b *Bus) push(ctx context.Context, owned []ownRef) (stale []unmet, errs []error, err error) {
	if len(owned) == 0 {
		return nil, nil, nil
	}
	specs := make([]git.RefPush, len(owned))
	for i, o := range owned {
		specs[i] = git.RefPush{OID: o.local, Ref: b.onRemote(o.ref), Lease: git.MustNotExist}
		if o.pushed != "" {
			specs[i].Lease = git.Expect(o.pushed)
		}
	}
	res, err := b.remote.PushMeta(ctx, specs...)
	if err != nil {
		return nil, nil, b.netError(ctx, err)
	}
	var done, declined []ownRef
	for i, o := range owned {
		switch r := res.Ref(specs[i].Ref); r.Status {
		case git.PushAccepted, git.PushUpToDate:
			done = append(done, o)
		case git.PushStale, git.PushRaced, git.PushNonFastForward:
			stale = append(stale, unmet{o, &bus.Refused{Ref: o.ref, Text: remoteText(r, res.Remote)}})
		case git.PushRefused:
			declined = append(declined, o)
			errs = append(errs, &bus.Refused{Ref: o.ref, Text: remoteText(r, res.Remote)})
		case git.PushFailed, git.PushUnknown:
			errs = append(errs, pushFailure(r))
		}
	}
	if err := b.accepted(ctx, done); err != nil {
		errs = append(errs, err)
	}
	if err := b.declined(ctx, declined); err != nil {
		errs = append(errs, err)
	}
	return stale, errs, nil
}

// pushFailure types an outcome that is neither a yes nor a no. A remote that went
// away before it reported is an outage.
func pushFailure(r git.RefResult) error {
	err := fmt.Errorf("push %q: %s", r.Ref, strings.TrimSpace(r.Summary+" "+r.Reason))
	if r.Status == git.PushUnknown || r.Summary == "[remote failure]" {
		return &kindError{bus.ErrOffline, err}
	}
	return err
}

// remoteText is what a remote said when it declined: its own lines, at most eight,
// and git's reason.
func remoteText(r git.RefResult, said []string) string {
	const most = 8
	if len(said) > most {
		said = said[:most]
	}
	text := strings.Join(said, "\n")
	if r.Reason != "" {
		text = strings.TrimSpace(text + "\n(" + r.Reason + ")")
	}
	if text == "" {
		text = r.Summary
	}
	return text
}

// accepted notes what the remote holds now, and moves the tracking refs there so
// that the next load sees it without a fetch. Failing only because another process
// holds a lock on them is no failure: the next push finds the value up to date.
func (b *Bus) accepted(ctx context.Context, owned []ownRef) error {
	var changes []git.RefChange
	for _, o := range owned {
		names := []string{b.pushed(o.ref)}
		if n, _ := bus.ParseRef(o.ref); n.Kind != bus.Snapshot {
			names = append(names, b.tracking(o.ref))
		}
		for _, name := range names {
			if o.local == "" {
				changes = append(changes, git.Delete(name, ""))
			} else {
				changes = append(changes, git.Set(name, o.local))
			}
		}
		if o.held != "" {
			changes = append(changes, git.Delete(b.held(o.ref), ""))
		}
	}
	if err := b.repo.Apply(ctx, changes...); err != nil && !errors.Is(err, git.ErrRefLocked) {
		return err
	}
	return nil
}

// declined notes values that Flush must not send again. A snapshot goes back to the
// one accepted last: nobody else will ever see the declined one.
func (b *Bus) declined(ctx context.Context, owned []ownRef) error {
	var changes []git.RefChange
	for _, o := range owned {
		n, _ := bus.ParseRef(o.ref)
		switch {
		case n.Kind == bus.Snapshot && o.local != "" && o.pushed == "":
			changes = append(changes, git.Delete(o.ref, o.local))
		case n.Kind == bus.Snapshot && o.local != "":
			changes = append(changes, git.Update(o.ref, o.pushed, o.local))
		case o.local != "":
			changes = append(changes, git.Set(b.held(o.ref), o.local))
		default: // the removal of the value accepted last
			changes = append(changes, git.Set(b.held(o.ref), o.pushed))
		}
	}
	return b.repo.Apply(ctx, changes...)
}

// remoteValues asks the remote where the refs are.
func (b *Bus) remoteValues(ctx context.Context, owned []unmet) (map[string]string, error) {
	names := make([]string, len(owned))
	for i, o := range owned {
		names[i] = b.onRemote(o.ref)
	}
	found, err := b.remote.LsRemote(ctx, names...)
	if err != nil {
		return nil, b.netError(ctx, err)
	}
	out := map[string]string{}
	for i, o := range owned {
		out[o.ref] = found[names[i]]
	}
	return out, nil
}

// waiting reports that the remote has not heard of the local value and may be told.
func (o ownRef) waiting() bool {
	value := o.local
	if value == "" {
		value = o.pushed
	}
	return o.local != o.pushed && o.held != value
}

// Flush costs one for-each-ref when nothing waits. Otherwise documents go out in one
// push, then each snapshot in one of its own.
func (b *Bus) Flush(ctx context.Context) error {
	if err := ctx.Err(); err != nil || b.mode == bus.Local || b.agent == "" {
		return err
	}
	lock, err := b.lock(ctx, b.agent)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	docs := []string{bus.StateRef(b.agent), bus.OutboxRef(b.agent)}
	mine := bus.Namespace + "wip/" + b.agent
	found, err := b.repo.Refs(ctx, docs[0], docs[1], b.pushed(docs[0]), b.pushed(docs[1]), b.held(docs[0]), b.held(docs[1]),
		mine, b.pushed(mine), b.held(mine))
	if err != nil {
		return err
	}
	at := func(ref string) ownRef {
		return ownRef{ref: ref, local: found[ref], pushed: found[b.pushed(ref)], held: found[b.held(ref)]}
	}
	var batch []ownRef
	for _, ref := range docs {
		if o := at(ref); o.waiting() {
			batch = append(batch, o)
		}
	}
	errs := []error{b.share(ctx, batch, nil)}
	for _, item := range b.items(found) {
		if ctx.Err() != nil || errors.Is(errs[len(errs)-1], bus.ErrOffline) {
			break // each further one would only wait again
		}
		if o := at(bus.SnapshotRef(b.agent, item)); o.waiting() {
			errs = append(errs, b.share(ctx, []ownRef{o}, nil))
		}
	}
	return errors.Join(errs...)
}

// items lists the agent's items that have a snapshot here or there, in order.
func (b *Bus) items(found map[string]string) []string {
	set := map[string]bool{}
	for name := range found {
		i := strings.LastIndexByte(name, '/')
		item := name[i+1:]
		if ref := bus.SnapshotRef(b.agent, item); id.ValidItem(item) && (name == ref || name == b.pushed(ref)) {
			set[item] = true
		}
	}
	return sorted(set)
}
