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

// share brings the remote's refs to the local values, "" meaning removed, and the
// claims to theirs: one push for all, each ref with its own lease, so that one that
// fails holds no other back. What became of the claims they say themselves; the errors
// returned are those of the own refs, by ref.
//
// While the remote is known to be away, or must not be written to, nothing is tried.
func (b *Bus) share(ctx context.Context, owned []ownRef, claims []*claim) map[string]error {
	if b.mode == bus.Local {
		b.applyClaims(ctx, claims)
		return nil
	}
	if err := b.writable(); err != nil {
		return failAll(owned, claims, err)
	}
	return b.shareNow(ctx, owned, claims)
}

// failAll gives everything the same error.
func failAll(owned []ownRef, claims []*claim, err error) map[string]error {
	errs := map[string]error{}
	for _, o := range owned {
		errs[o.ref] = err
	}
	for _, c := range claims {
		if c.err == nil {
			c.err = err
		}
	}
	return errs
}

// shareNow is share that always tries. Own refs are leased at what the remote accepted
// last; those whose lease is not met are tried once more with a lease on what the
// remote holds. A lost answer needs nothing special: the next push finds the lease
// unmet, reads the remote's ref, and goes on from there. Claims are another matter, see
// settle.
func (b *Bus) shareNow(ctx context.Context, owned []ownRef, claims []*claim) map[string]error {
	var pending []*claim
	for _, c := range claims {
		if c.err == nil {
			pending = append(pending, c)
		}
	}
	targets := make([]target, 0, len(owned)+len(pending))
	for _, o := range owned {
		targets = append(targets, target{ref: o.ref, to: o.local, lease: o.pushed})
	}
	for _, c := range pending {
		targets = append(targets, target{ref: c.ref, to: c.to, lease: c.seen})
	}
	answers, err := b.send(ctx, targets)
	if err != nil {
		answers = make([]answer, len(targets))
		for i := range answers {
			answers[i] = answer{kind: unanswered, err: err}
		}
	}
	errs, stale := b.note(ctx, owned, answers)
	b.settle(ctx, pending, answers[len(owned):])
	if len(stale) > 0 {
		b.again(ctx, stale, errs)
	}
	return errs
}

// again is the second and last try for own refs that were not where we thought.
func (b *Bus) again(ctx context.Context, stale []unmet, errs map[string]error) {
	remote, err := b.remoteValues(ctx, stale)
	if err != nil {
		for _, u := range stale {
			errs[u.ref] = err
		}
		return
	}
	var once []ownRef
	var targets []target
	moved, why := map[string]bool{}, map[string]error{}
	for _, u := range stale {
		o := u.ownRef
		moved[o.ref], why[o.ref] = o.pushed != remote[o.ref], u.why
		o.pushed = remote[o.ref]
		if o.adopt != nil && o.pushed != "" {
			if o.local, err = b.adopt(ctx, o, o.pushed); err != nil {
				errs[o.ref] = err
				continue
			}
		}
		if o.pushed == o.local {
			if err := b.accepted(ctx, []ownRef{o}); err != nil {
				errs[o.ref] = err
			}
			continue
		}
		once = append(once, o)
		targets = append(targets, target{ref: o.ref, to: o.local, lease: o.pushed})
	}
	answers, err := b.send(ctx, targets)
	if err != nil {
		for _, o := range once {
			errs[o.ref] = err
		}
		return
	}
	more, lost := b.note(ctx, once, answers)
	for ref, err := range more {
		errs[ref] = err
	}
	for _, u := range lost {
		if moved[u.ref] {
			errs[u.ref] = fmt.Errorf("push %q: %w", b.onRemote(u.ref), bus.ErrCollision)
		} else {
			// It stood where we thought all along: the remote will not take it, whoever
			// else writes (a ref named like a folder of ours is in the way).
			errs[u.ref] = why[u.ref]
		}
	}
}

// note writes down what the remote said about own refs. It returns an error for each
// that did not arrive, and those whose lease was not met.
func (b *Bus) note(ctx context.Context, owned []ownRef, answers []answer) (errs map[string]error, stale []unmet) {
	errs = map[string]error{}
	var done, declined []ownRef
	for i, o := range owned {
		switch a := answers[i]; a.kind {
		case taken:
			done = append(done, o)
		case leaseUnmet:
			stale = append(stale, unmet{o, a.err})
		case refused:
			declined = append(declined, o)
			errs[o.ref] = a.err
		case unanswered:
			errs[o.ref] = a.err
		}
	}
	if err := b.accepted(ctx, done); err != nil {
		for _, o := range done {
			errs[o.ref] = err
		}
	}
	if err := b.declined(ctx, declined); err != nil {
		for _, o := range declined {
			errs[o.ref] = errors.Join(errs[o.ref], err)
		}
	}
	return errs, stale
}

// joined makes one error of those of the refs, in their order.
func joined(errs map[string]error, owned []ownRef) error {
	var out []error
	for _, o := range owned {
		out = append(out, errs[o.ref])
	}
	return errors.Join(out...)
}

// unmet is an own ref whose lease was not met, and the remote's words.
type unmet struct {
	ownRef
	why error
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
	err := b.repo.Apply(ctx, changes...)
	if !errors.Is(err, git.ErrRefMoved) {
		return err
	}
	// One of them has changed here meanwhile; the new value has an answer of its own.
	var errs []error
	for _, c := range changes {
		if err := b.repo.Apply(ctx, c); !errors.Is(err, git.ErrRefMoved) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
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
// push, then each snapshot in one of its own. A document that the last poll did not find
// where this clone had put it was removed by somebody else, and so were the snapshots
// when it is the state: all of them are made again.
func (b *Bus) Flush(ctx context.Context) error {
	if err := ctx.Err(); err != nil || b.mode == bus.Local || b.agent == "" {
		return err
	}
	if err := b.permitted(); err != nil {
		return err
	}
	turn := &turn{path: b.lockPath(b.agent)}
	defer turn.done()
	soon, end := context.WithTimeout(ctx, flushWait)
	defer end()
	if err := turn.take(soon); err != nil {
		if ctx.Err() == nil && soon.Err() != nil {
			return nil // another process of the agent is sending; what it leaves, the next Flush sends
		}
		return err
	}
	b.takeListed() // what is written now is not in it
	docs := []string{bus.StateRef(b.agent), bus.OutboxRef(b.agent)}
	mine := bus.Namespace + "wip/" + b.agent
	found, err := b.repo.Refs(ctx, docs[0], docs[1], b.pushed(docs[0]), b.pushed(docs[1]), b.held(docs[0]), b.held(docs[1]),
		b.tracking(docs[0]), b.tracking(docs[1]), mine, b.pushed(mine), b.held(mine))
	if err != nil {
		return err
	}
	at := func(ref string) ownRef {
		return ownRef{ref: ref, local: found[ref], pushed: found[b.pushed(ref)], held: found[b.held(ref)]}
	}
	removed := func(ref string) bool {
		return found[ref] != "" && found[b.pushed(ref)] != "" && found[b.tracking(ref)] == ""
	}
	var batch []ownRef
	for _, ref := range docs {
		o := at(ref)
		if removed(ref) {
			o.pushed = ""
		}
		if o.waiting() {
			batch = append(batch, o)
		}
	}
	errs := []error{joined(b.shareNow(ctx, batch, nil), batch)}
	for _, item := range b.items(found) {
		if ctx.Err() != nil || errors.Is(errs[len(errs)-1], bus.ErrOffline) {
			break // each further one would only wait again
		}
		o := at(bus.SnapshotRef(b.agent, item))
		if o.local != "" && removed(docs[0]) {
			o.pushed = ""
		}
		if o.waiting() {
			if err := b.checkPush(ctx, o); err != nil {
				errs = append(errs, err)
				continue
			}
			one := []ownRef{o}
			errs = append(errs, joined(b.shareNow(ctx, one, nil), one))
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
