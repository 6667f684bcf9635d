package membus

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/wire"
)

// Claim makes a claim nobody may hold.
func (b *Bus) Claim(ctx context.Context, c model.Claim) (*bus.Held, error) {
	return b.changeClaim(ctx, c.Key, "", &c)
}

// UpdateClaim replaces the claim seen.
func (b *Bus) UpdateClaim(ctx context.Context, seen *bus.Held, to model.Claim) (*bus.Held, error) {
	if seen == nil || seen.Claim.Key != to.Key {
		return nil, fmt.Errorf("update claim %q: it was not seen", to.Key)
	}
	return b.changeClaim(ctx, to.Key, bus.Token(seen), &to)
}

// ReleaseClaim removes the claim seen.
func (b *Bus) ReleaseClaim(ctx context.Context, seen *bus.Held) error {
	if seen == nil || !id.ValidKey(seen.Claim.Key) {
		return errors.New("release claim: nothing was seen")
	}
	_, err := b.changeClaim(ctx, seen.Claim.Key, bus.Token(seen), nil)
	if lost := (*bus.Lost)(nil); errors.As(err, &lost) && lost.Holder == nil && lost.Problem == nil {
		return nil
	}
	return err
}

// changeClaim moves the claim on key from the value seen to the document to, nil for none.
func (b *Bus) changeClaim(ctx context.Context, key, seen string, to *model.Claim) (*bus.Held, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var data []byte
	if to != nil {
		var err error
		if data, _, err = wire.EncodeClaim(bus.Unique(*to)); err != nil {
			return nil, err
		}
	}
	b.w.mu.Lock()
	defer b.w.mu.Unlock()
	if to != nil && to.Contract != nil && to.Contract.StubCommit != "" && !b.m.commits[to.Contract.StubCommit] {
		return nil, fmt.Errorf("claim %q: no commit %q here", key, to.Contract.StubCommit)
	}
	ref, value := bus.ClaimRef(key), ""
	if to != nil {
		value = b.w.store(data)
		if to.Contract != nil {
			b.w.stubs[value] = to.Contract.StubCommit
		}
	}
	if b.w.mode == bus.Remote {
		if err := b.away(); err != nil {
			return nil, err
		}
	}
	if err := b.moveClaim(ref, value, seen); err != nil {
		return b.judge(ref, value, seen, to, err)
	}
	set(b.m.tracking, ref, value)
	return b.held(key, value)
}

func (b *Bus) moveClaim(ref, value, seen string) error {
	if b.w.mode == bus.Remote {
		return b.push(ref, value, seen)
	}
	if b.w.refs[ref] != seen {
		return errStale
	}
	set(b.w.refs, ref, value)
	return nil
}

// judge asks the remote how the claim stands after a write that was not plainly accepted.
func (b *Bus) judge(ref, value, seen string, to *model.Claim, why error) (*bus.Held, error) {
	if errors.Is(why, bus.ErrDenied) || b.w.faults.Offline {
		return nil, why
	}
	b.m.away = time.Time{}
	key, now := strings.TrimPrefix(ref, bus.ClaimRef("")), b.w.refs[ref]
	switch now {
	case value:
		set(b.m.tracking, ref, now)
		return b.held(key, now)
	case seen:
		return nil, why
	}
	set(b.m.tracking, ref, now)
	if now == "" {
		return nil, &bus.Lost{Key: key}
	}
	h, err := b.held(key, now)
	if err != nil {
		return nil, &bus.Lost{Key: key, Problem: &bus.Problem{Ref: ref, OID: now, Why: err.Error()}}
	}
	if seen == "" && h.Claim.Owner == to.Owner && h.Claim.Item == to.Item {
		return h, nil
	}
	return nil, &bus.Lost{Key: key, Holder: h}
}

// held reads the claim at value, nil for none.
func (b *Bus) held(key, value string) (*bus.Held, error) {
	if value == "" {
		return nil, nil
	}
	c, _, err := wire.DecodeClaim(b.w.objects[value], key)
	if err != nil {
		return nil, err
	}
	return bus.NewHeld(c, value), nil
}

// Reap removes what is left of an agent.
func (b *Bus) Reap(ctx context.Context, left bus.Remains) error {
	if left.Agent == b.m.agent || !id.ValidAgent(left.Agent) {
		return fmt.Errorf("reap: bad agent %q", left.Agent)
	}
	unlock, err := b.lock(ctx, left.Agent)
	if err != nil {
		return err
	}
	defer unlock()
	b.w.mu.Lock()
	defer b.w.mu.Unlock()
	if err := b.away(); err != nil {
		return err
	}
	if b.w.faults.Offline {
		b.m.away = b.w.now()
		return fmt.Errorf("reap %q: %w", left.Agent, bus.ErrOffline)
	}
	state, outbox := bus.StateRef(left.Agent), bus.OutboxRef(left.Agent)
	for ref, seen := range map[string]string{state: left.State, outbox: left.Outbox} {
		if now := b.w.refs[ref]; now != "" && now != seen {
			return fmt.Errorf("reap %q: %w", ref, bus.ErrMoved)
		}
	}
	refs := []string{state, outbox}
	for ref := range b.w.refs {
		if strings.HasPrefix(ref, bus.SnapshotRef(left.Agent, "")) {
			refs = append(refs, ref)
		}
	}
	for i, ref := range refs {
		now := b.w.refs[ref]
		if b.w.mode == bus.Remote && now != "" {
			b.w.merged = i > 1 // the state alone, then the rest
			err = b.push(ref, "", now)
			b.w.merged = false
		}
		if err != nil {
			return err
		}
		delete(b.w.refs, ref)
		delete(b.m.tracking, ref)
	}
	return nil
}
