package gitbus

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"gitlet/internal/bus"
	"gitlet/internal/flock"
	"gitlet/internal/git"
	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/wire"
)

// codec is what makes one kind of own document.
type codec[T any] struct {
	ref     func(agent string) string
	file    string
	message string
	decode  func([]byte, string) (T, []wire.Problem, error)
	encode  func(T) ([]byte, []wire.Problem, error)
	sign    func(*T, string) // writes the agent's id into it
}

var stateCodec = codec[model.State]{
	ref: bus.StateRef, file: bus.StateDoc.FileName(), message: "gitlet: state",
	decode: wire.DecodeState, encode: wire.EncodeState,
	sign: func(s *model.State, agent string) { s.Agent.ID = agent },
}

var outboxCodec = codec[model.Outbox]{
	ref: bus.OutboxRef, file: bus.OutboxDoc.FileName(), message: "gitlet: outbox",
	decode: wire.DecodeOutbox, encode: wire.EncodeOutbox,
	sign: func(o *model.Outbox, agent string) { o.Agent = agent },
}

// State reads the agent's own state: one for-each-ref, and one cat-file when the
// document is not the one this process read or wrote last.
func (b *Bus) State(ctx context.Context, agent string) (*model.State, error) {
	return read(ctx, b, stateCodec, agent)
}

// Outbox is State for the agent's outbox.
func (b *Bus) Outbox(ctx context.Context, agent string) (*model.Outbox, error) {
	return read(ctx, b, outboxCodec, agent)
}

// UpdateState costs, in git processes: one for-each-ref, at most one cat-file, three
// to write the commit, one update-ref, one push, and one update-ref to note what was
// accepted; without a remote the last two fall away. A lost race adds one ls-remote
// and one push.
func (b *Bus) UpdateState(ctx context.Context, agent string, change func(*model.State) error) error {
	return update(ctx, b, stateCodec, agent, change)
}

// UpdateOutbox is UpdateState for the agent's outbox.
func (b *Bus) UpdateOutbox(ctx context.Context, agent string, change func(*model.Outbox) error) error {
	return update(ctx, b, outboxCodec, agent, change)
}

// lock takes the agent's lock, which every change of its own refs is made under.
func (b *Bus) lock(ctx context.Context, agent string) (*flock.Lock, error) {
	b.takeListed() // what is written now is not in it
	if !id.ValidAgent(agent) {
		return nil, fmt.Errorf("%q is no agent id", agent)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return flock.Acquire(ctx, filepath.Join(b.locks, "agents", agent+".lock"))
}

// ownRef is an own ref and what is known of it: its value here, what the remote
// accepted last, and the value that is not to be sent.
type ownRef struct{ ref, local, pushed, held string }

// owned looks the refs up in one process.
func (b *Bus) owned(ctx context.Context, refs ...string) ([]ownRef, error) {
	var names []string
	for _, r := range refs {
		names = append(names, r)
		if b.mode == bus.Remote {
			names = append(names, b.pushed(r), b.held(r))
		}
	}
	found, err := b.repo.Refs(ctx, names...)
	if err != nil {
		return nil, err
	}
	out := make([]ownRef, len(refs))
	for i, r := range refs {
		out[i] = ownRef{ref: r, local: found[r]}
		if b.mode == bus.Remote {
			out[i].pushed, out[i].held = found[b.pushed(r)], found[b.held(r)]
		}
	}
	return out, nil
}

func read[T any](ctx context.Context, b *Bus, c codec[T], agent string) (*T, error) {
	if !id.ValidAgent(agent) {
		return nil, fmt.Errorf("%q is no agent id", agent)
	}
	own, err := b.owned(ctx, c.ref(agent))
	if err != nil {
		return nil, err
	}
	return document(ctx, b, c, agent, own[0].local)
}

// document reads and decodes the own document at oid; nil when there is none, or one
// that cannot be used: the next write replaces it. One that a newer gitlet wrote is
// an error instead, because replacing it would lose what is in it.
func document[T any](ctx context.Context, b *Bus, c codec[T], agent, oid string) (*T, error) {
	if oid == "" {
		return nil, nil
	}
	ref := c.ref(agent)
	b.mu.Lock()
	had := b.cache[ref]
	b.mu.Unlock()
	if had.oid != oid {
		cat := b.repo.NewCatFile(ctx)
		defer cat.Close()
		data, why, err := readFile(cat, oid, c.file)
		if err != nil {
			return nil, err
		}
		if why != "" {
			return nil, nil
		}
		had = cached{oid, data}
		b.remember(ref, had)
	}
	v, _, err := c.decode(had.data, agent)
	var newer *wire.NewerFormat
	switch {
	case errors.As(err, &newer):
		return nil, fmt.Errorf("own document %q: %w", ref, err)
	case err != nil:
		return nil, nil
	}
	return &v, nil
}

func (b *Bus) remember(ref string, c cached) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cache[ref] = c
}

// update is the read-change-write of one own document. The commit point is the
// update of the local ref: ended before it nothing happened, after it the value
// stands here and is sent now or by a later Flush.
func update[T any](ctx context.Context, b *Bus, c codec[T], agent string, change func(*T) error) error {
	lock, err := b.lock(ctx, agent)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	owned, err := b.owned(ctx, c.ref(agent))
	if err != nil {
		return err
	}
	own := owned[0]
	local, err := write(ctx, b, c, agent, own.local, own.local, change)
	if errors.Is(err, bus.ErrUnchanged) {
		return nil
	}
	if err != nil || b.mode == bus.Local {
		return err
	}
	fresh := own.local == "" && own.pushed == ""
	own.local = local
	var adopt adoption
	if fresh {
		adopt = func(theirs string) (string, error) {
			return adoptDocument(ctx, b, c, agent, local, theirs, change)
		}
	}
	return b.share(ctx, []ownRef{own}, adopt)
}

// write changes the document at base and stores the result in the own ref, which is
// at old. It returns the new value.
func write[T any](ctx context.Context, b *Bus, c codec[T], agent, base, old string, change func(*T) error) (string, error) {
	v, err := document(ctx, b, c, agent, base)
	if err != nil {
		return "", err
	}
	if v == nil {
		v = new(T)
	}
	if err := change(v); err != nil {
		return "", err
	}
	c.sign(v, agent)
	data, _, err := c.encode(*v)
	if err != nil {
		return "", err
	}
	oid, err := b.repo.CommitFile(ctx, c.file, data, nil, c.message)
	if err != nil {
		return "", err
	}
	if err := b.setOwn(ctx, c.ref(agent), oid, old); err != nil {
		return "", err
	}
	b.remember(c.ref(agent), cached{oid, data})
	return oid, nil
}

// setOwn moves an own ref from old to oid. The agent's lock is held, so a ref that
// is elsewhere was moved by something that does not know the lock.
func (b *Bus) setOwn(ctx context.Context, ref, oid, old string) error {
	change := git.Update(ref, oid, old)
	if old == "" {
		change = git.Create(ref, oid)
	}
	err := b.repo.Apply(ctx, change)
	if errors.Is(err, git.ErrRefMoved) {
		return &kindError{bus.ErrCollision, err}
	}
	return err
}

// adoptDocument is for a clone that held nothing of the agent while the remote does:
// the change is made again, on the remote's document, which would be lost otherwise.
// It returns the own ref's new value: local when theirs is of no use.
func adoptDocument[T any](ctx context.Context, b *Bus, c codec[T], agent, local, theirs string, change func(*T) error) (string, error) {
	ref := c.ref(agent)
	if ok, err := b.fetchOne(ctx, ref); err != nil || !ok {
		return local, err
	}
	v, err := document(ctx, b, c, agent, theirs)
	if err != nil || v == nil {
		return local, err
	}
	oid, err := write(ctx, b, c, agent, theirs, local, change)
	if errors.Is(err, bus.ErrUnchanged) {
		return theirs, b.setOwn(ctx, ref, theirs, local)
	}
	return oid, err
}

// Retire removes the agent's state and outbox: one for-each-ref, one update-ref, and
// one push and update-ref when the remote may have them.
func (b *Bus) Retire(ctx context.Context, agent string) error {
	lock, err := b.lock(ctx, agent)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	owned, err := b.owned(ctx, bus.StateRef(agent), bus.OutboxRef(agent))
	if err != nil {
		return err
	}
	there, err := b.drop(ctx, owned)
	if err != nil {
		return err
	}
	return b.share(ctx, there, nil)
}

// drop removes own refs here, and returns those the remote is to remove too. A value
// whose push had no answer may have arrived, so it counts as accepted; ended after
// this, the next Flush removes it there.
func (b *Bus) drop(ctx context.Context, owned []ownRef) (there []ownRef, err error) {
	var changes []git.RefChange
	for _, o := range owned {
		if o.local != "" {
			changes = append(changes, git.Delete(o.ref, o.local))
		}
		if b.mode == bus.Local {
			continue
		}
		if o.pushed == "" && o.local != "" && o.held != o.local {
			o.pushed = o.local
			changes = append(changes, git.Set(b.pushed(o.ref), o.pushed))
		}
		if o.held != "" {
			changes = append(changes, git.Delete(b.held(o.ref), ""))
		}
		if o.local = ""; o.pushed != "" {
			there = append(there, o)
		}
	}
	return there, b.repo.Apply(ctx, changes...)
}
