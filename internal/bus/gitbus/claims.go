package gitbus

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/flock"
	"gitlet/internal/git"
	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/wire"
)

// claim is one change of one claim, and what became of it.
type claim struct {
	ref  string
	seen string      // the value it must be at, "" when nobody may hold it
	to   string      // the new value, "" to release it
	doc  model.Claim // what stands in the new value
	data []byte      // doc as it is stored

	held *bus.Held
	err  error
}

// claimTries is how often a claim is tried for which the remote's answers contradict
// each other: it says that somebody was faster, and shows the claim where we saw it.
const claimTries = 3

// newClaim prepares a change to doc. Its values are unique, which is what makes "the
// claim is at my value" mean that it is mine.
func (b *Bus) newClaim(ctx context.Context, seen *bus.Held, doc model.Claim) (*claim, error) {
	doc = bus.Unique(doc)
	data, _, err := wire.EncodeClaim(doc)
	if err != nil {
		return nil, fmt.Errorf("claim: %w", err)
	}
	// What is returned is what everybody will read.
	if doc, _, err = wire.DecodeClaim(data, doc.Key); err != nil {
		return nil, fmt.Errorf("claim: %w", err)
	}
	if stub := stub(doc); stub != "" {
		if ok, err := b.has(ctx, stub); err != nil || !ok {
			return nil, errors.Join(fmt.Errorf("claim %q: no commit %q here", doc.Key, stub), err)
		}
	}
	c := &claim{ref: bus.ClaimRef(doc.Key), doc: doc, data: data}
	if seen != nil {
		if c.seen = bus.Token(seen); seen.Claim.Key != doc.Key || !id.ValidOID(c.seen) {
			return nil, fmt.Errorf("claim %q: seen is of %q", doc.Key, seen.Claim.Key)
		}
	}
	return c, nil
}

func stub(c model.Claim) string {
	if c.Contract == nil {
		return ""
	}
	return c.Contract.StubCommit
}

// file is the claim's commit: its only parent is the stub, so that whoever fetches the
// claim has the stub's objects.
func (c *claim) file() git.FileCommit {
	f := git.FileCommit{Name: bus.ClaimDoc.FileName(), Data: c.data, Message: "gitlet: claim"}
	if s := stub(c.doc); s != "" {
		f.Parents = []string{s}
	}
	return f
}

// Claim costs one process to write the commit, one push and one update-ref; a lost one
// a fetch, a for-each-ref and a cat-file instead of the last. In local mode it is the
// commit and an update-ref.
func (b *Bus) Claim(ctx context.Context, doc model.Claim) (*bus.Held, error) {
	c, err := b.newClaim(ctx, nil, doc)
	return b.change(ctx, c, err)
}

// UpdateClaim costs what Claim does.
func (b *Bus) UpdateClaim(ctx context.Context, seen *bus.Held, to model.Claim) (*bus.Held, error) {
	if seen == nil {
		return nil, fmt.Errorf("update claim %q: nothing was seen", to.Key)
	}
	c, err := b.newClaim(ctx, seen, to)
	return b.change(ctx, c, err)
}

// ReleaseClaim costs a push and an update-ref; in local mode the update-ref.
func (b *Bus) ReleaseClaim(ctx context.Context, seen *bus.Held) error {
	if seen == nil || !id.ValidKey(seen.Claim.Key) || !id.ValidOID(bus.Token(seen)) {
		return errors.New("release claim: nothing was seen")
	}
	_, err := b.change(ctx, &claim{ref: bus.ClaimRef(seen.Claim.Key), seen: bus.Token(seen)}, nil)
	if lost := (*bus.Lost)(nil); errors.As(err, &lost) && lost.Holder == nil && lost.Problem == nil {
		return nil // it is gone already
	}
	return err
}

// renewals prepares the changes of a batch. One that cannot be made fails alone.
func (b *Bus) renewals(ctx context.Context, all []bus.Renewal) ([]*claim, error) {
	var out []*claim
	keys := map[string]bool{}
	for _, r := range all {
		var c *claim
		err := fmt.Errorf("renew claim %q: nothing was seen", r.To.Key)
		switch {
		case keys[r.To.Key]:
			err = fmt.Errorf("renew claim %q: it is twice in the batch", r.To.Key)
		case r.Seen != nil:
			c, err = b.newClaim(ctx, r.Seen, r.To)
		}
		if keys[r.To.Key] = true; err != nil {
			c = &claim{err: err}
		}
		out = append(out, c)
	}
	return out, ctx.Err()
}

// change makes one change of one claim.
func (b *Bus) change(ctx context.Context, c *claim, err error) (*bus.Held, error) {
	if err := errors.Join(err, ctx.Err()); err != nil {
		return nil, err
	}
	b.takeListed() // what is written now is not in it
	if b.mode == bus.Remote {
		if err := b.writable(); err != nil {
			return nil, err
		}
	}
	if c.data != nil {
		oids, err := b.repo.CommitFiles(ctx, c.file())
		if err != nil {
			return nil, err
		}
		c.to = oids[0]
	}
	b.share(ctx, nil, []*claim{c})
	return c.held, c.err
}

// settle finds out what became of claims. Anything but a plain yes is judged by looking
// at the claim itself: the words of hosts for a lost race differ, a yes may have been
// lost on its way, and a no may be about something else.
func (b *Bus) settle(ctx context.Context, claims []*claim, answers []answer) {
	for try := 1; len(claims) > 0; try++ {
		var won, doubtful []*claim
		why := map[*claim]answer{}
		for i, c := range claims {
			why[c] = answers[i]
			switch {
			case answers[i].kind == taken:
				won = append(won, c)
			case ctx.Err() != nil || errors.Is(answers[i].err, bus.ErrDenied):
				c.err = answers[i].err
			default:
				doubtful = append(doubtful, c)
			}
		}
		b.granted(ctx, won)
		now, err := b.look(ctx, doubtful)
		var again []*claim
		for _, c := range doubtful {
			a := why[c]
			switch {
			case err != nil && a.kind == unanswered:
				c.err = a.err
			case err != nil:
				c.err = err
			case now[c.ref] == c.to:
				c.held = c.value()
			case now[c.ref] != c.seen:
				b.lost(ctx, c, now[c.ref])
			case a.kind == leaseUnmet && try < claimTries:
				again = append(again, c)
			default:
				c.err = a.err
			}
		}
		claims = again
		if len(claims) == 0 {
			return
		}
		pause(ctx, try)
		targets := make([]target, len(claims))
		for i, c := range claims {
			targets[i] = target{ref: c.ref, to: c.to, lease: c.seen}
		}
		if answers, err = b.send(ctx, targets); err != nil {
			answers = make([]answer, len(claims))
			for i := range answers {
				answers[i] = answer{unanswered, err}
			}
		}
	}
}

// pause lets others finish what they are doing with the same ref.
func pause(ctx context.Context, try int) {
	wait := time.NewTimer(time.Duration(try) * (20 + rand.N[time.Duration](30)) * time.Millisecond)
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-ctx.Done():
	}
}

// value is what a claim that was granted is held at; nil for one that was released.
func (c *claim) value() *bus.Held {
	if c.to == "" {
		return nil
	}
	return bus.NewHeld(c.doc, c.to)
}

// granted notes that the remote has the claims where we put them, so that the next load
// sees it. A poll that began before would put the old values back; it is waited for, but
// not for long.
func (b *Bus) granted(ctx context.Context, claims []*claim) {
	if len(claims) == 0 {
		return
	}
	short, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if lock, err := flock.Acquire(short, filepath.Join(b.locks, "fetch.lock")); err == nil {
		defer lock.Unlock()
	}
	var changes []git.RefChange
	for _, c := range claims {
		c.held = c.value()
		if c.to == "" {
			changes = append(changes, git.Delete(b.tracking(c.ref), ""))
		} else {
			changes = append(changes, git.Set(b.tracking(c.ref), c.to))
		}
	}
	if err := b.repo.Apply(ctx, changes...); err != nil {
		// The remote has spoken, so this is no failure; but what was fetched before must
		// not be reused.
		_ = os.Remove(b.recordFile())
	}
}

// look returns where the claims are now, "" for those that nobody holds: one exact
// fetch for one, one fetch of all claims for more.
func (b *Bus) look(ctx context.Context, claims []*claim) (map[string]string, error) {
	if len(claims) == 0 {
		return nil, nil
	}
	var err error
	names := make([]string, len(claims))
	for i, c := range claims {
		names[i] = c.ref
		if b.mode == bus.Remote {
			names[i] = b.tracking(c.ref)
		}
	}
	switch {
	case b.mode == bus.Local:
	case len(claims) == 1:
		_, err = b.fetchOne(ctx, claims[0].ref)
	default:
		err = b.fetchClaims(ctx)
	}
	if err != nil {
		return nil, err
	}
	found, err := b.repo.Refs(ctx, names...)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for i, c := range claims {
		out[c.ref] = found[names[i]]
	}
	return out, nil
}

// lost says who has the claim, which is at now. That may be the very item that asks: an
// earlier answer was lost, or another process of the agent was faster.
func (b *Bus) lost(ctx context.Context, c *claim, now string) {
	key := strings.TrimPrefix(c.ref, bus.ClaimRef(""))
	lost := &bus.Lost{Key: key}
	c.err = lost
	if now == "" {
		return
	}
	cat := b.repo.NewCatFile(ctx)
	defer cat.Close()
	data, why, err := readFile(cat, now, bus.ClaimDoc.FileName())
	if err != nil {
		c.err = fmt.Errorf("read claim %q: %w", key, err)
		return
	}
	problem := &bus.Problem{Ref: c.ref, OID: now, Why: why}
	if why == "" {
		doc, _, err := wire.DecodeClaim(data, key)
		if err == nil {
			lost.Holder = bus.NewHeld(doc, now)
			if c.seen == "" && doc.Owner == c.doc.Owner && doc.Item == c.doc.Item {
				c.held, c.err = lost.Holder, nil
			}
			return
		}
		var newer *wire.NewerFormat
		problem.Why, problem.Newer = err.Error(), errors.As(err, &newer)
	}
	lost.Problem = problem
}

// applyClaims is local mode: git's own check of a ref's old value picks the winner.
// Each claim is a transaction of its own, so that one that is lost costs no other.
func (b *Bus) applyClaims(ctx context.Context, claims []*claim) {
	for _, c := range claims {
		if c.err != nil {
			continue
		}
		change := git.Delete(c.ref, c.seen)
		if c.to != "" {
			change = move(c.ref, c.to, c.seen)
		}
		var err error
		for try := range 2 * claimTries {
			if err = b.repo.Apply(ctx, change); !errors.Is(err, git.ErrRefLocked) {
				break
			}
			pause(ctx, try)
		}
		if err == nil {
			c.held = c.value()
			continue
		}
		now, look := b.look(ctx, []*claim{c})
		switch {
		case look != nil || now[c.ref] == c.seen:
			c.err = err
		case now[c.ref] == c.to:
			c.held = c.value()
		default:
			b.lost(ctx, c, now[c.ref])
		}
	}
}
