package gitbus

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"gitlet/internal/bus"
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

// UpdateState costs, in git processes: one for-each-ref, at most one cat-file, one to
// write the commit, one update-ref, one push, and one update-ref to note what was
// accepted; without a remote the last two fall away. A lost race adds one ls-remote
// and one push.
func (b *Bus) UpdateState(ctx context.Context, agent string, change func(*model.State) error) error {
	got, err := b.Share(ctx, bus.Batch{Agent: agent, State: change})
	return cmp.Or(err, got.State)
}

// UpdateOutbox is UpdateState for the agent's outbox.
func (b *Bus) UpdateOutbox(ctx context.Context, agent string, change func(*model.Outbox) error) error {
	got, err := b.Share(ctx, bus.Batch{Agent: agent, Outbox: change})
	return cmp.Or(err, got.Outbox)
}

// ownRef is an own ref and what is known of it: its value here, what the remote
// accepted last, and the value that is not to be sent.
type ownRef struct {
	ref, local, pushed, held string
	// adopt is the edit that made local, where the clone held nothing of the agent
	// before: should the remote hold something, it is made again on that.
	adopt *edit
}

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

// edit is a change of one own document, whatever its kind.
type edit struct {
	ref, file, message string
	// make returns the new content, given the value of the ref that holds the old one.
	make func(ctx context.Context, base string) ([]byte, error)
}

func (c codec[T]) edit(b *Bus, agent string, change func(*T) error) edit {
	return edit{ref: c.ref(agent), file: c.file, message: c.message, make: func(ctx context.Context, base string) ([]byte, error) {
		v, err := document(ctx, b, c, agent, base)
		if err != nil {
			return nil, err
		}
		if v == nil {
			v = new(T)
		}
		if err := change(v); err != nil {
			return nil, err
		}
		c.sign(v, agent)
		data, _, err := c.encode(*v)
		return data, err
	}}
}

// Share costs what UpdateState does, however much is in the batch. The commit point of
// documents is the update of the local refs: ended before it nothing happened, after it
// they stand here and are sent now or by a later Flush. Claims stand nowhere until the
// remote has them.
func (b *Bus) Share(ctx context.Context, batch bus.Batch) (bus.Shared, error) {
	var out bus.Shared
	claims, err := b.renewals(ctx, batch.Renew)
	if err != nil {
		return out, err
	}
	own, err := b.lock(ctx, batch.Agent)
	if err != nil {
		return out, err
	}
	defer own.done()
	var edits []edit
	if batch.State != nil {
		edits = append(edits, stateCodec.edit(b, batch.Agent, batch.State))
	}
	if batch.Outbox != nil {
		edits = append(edits, outboxCodec.edit(b, batch.Agent, batch.Outbox))
	}
	local, end := untimed(ctx)
	written, errs, err := b.write(local, edits, claims)
	end()
	if err != nil {
		return out, err
	}
	for ref, err := range b.shareInTurn(ctx, own, written, claims) {
		errs[ref] = err
	}
	out.State, out.Outbox = errs[bus.StateRef(batch.Agent)], errs[bus.OutboxRef(batch.Agent)]
	for _, c := range claims {
		out.Renewed = append(out.Renewed, bus.Renewed{Held: c.held, Err: c.err})
	}
	return out, nil
}

// write makes the edits and moves the own refs to them; it also writes the commits of
// the claims. It returns the refs that have a new value, and the errors of edits that
// could not be made. An edit that changes nothing is left out.
func (b *Bus) write(ctx context.Context, edits []edit, claims []*claim) (written []ownRef, errs map[string]error, err error) {
	errs = map[string]error{}
	var owned []ownRef
	if len(edits) > 0 {
		refs := make([]string, len(edits))
		for i, e := range edits {
			refs[i] = e.ref
		}
		if owned, err = b.owned(ctx, refs...); err != nil {
			return nil, nil, err
		}
	}
	var files []git.FileCommit
	var fresh []cached
	for i, e := range edits {
		data, err := e.make(ctx, owned[i].local)
		if cut := ctx.Err(); cut != nil {
			return nil, nil, cut
		}
		if err != nil {
			if !errors.Is(err, bus.ErrUnchanged) {
				errs[e.ref] = err
			}
			continue
		}
		files = append(files, git.FileCommit{Name: e.file, Data: data, Message: e.message})
		fresh = append(fresh, cached{data: data})
		o := owned[i]
		if o.local == "" && o.pushed == "" {
			o.adopt = &edits[i]
		}
		written = append(written, o)
	}
	for _, c := range claims {
		if c.err == nil {
			files = append(files, c.file())
		}
	}
	oids, err := b.repo.CommitFiles(ctx, files...)
	if err != nil {
		return nil, nil, err
	}
	var changes []git.RefChange
	for i := range written {
		o := &written[i]
		changes = append(changes, move(o.ref, oids[i], o.local))
		o.local, fresh[i].oid = oids[i], oids[i]
	}
	next := len(written)
	for _, c := range claims {
		if c.err == nil {
			c.to = oids[next]
			next++
		}
	}
	if err := b.apply(ctx, changes...); err != nil {
		return nil, nil, err
	}
	for i, o := range written {
		b.remember(o.ref, fresh[i])
	}
	return written, errs, nil
}

// move is the change of an own ref from old, "" for none, to oid.
func move(ref, oid, old string) git.RefChange {
	if old == "" {
		return git.Create(ref, oid)
	}
	return git.Update(ref, oid, old)
}

// apply changes own refs. The agent's lock is held, so a ref that is elsewhere was
// moved by something that does not know the lock.
func (b *Bus) apply(ctx context.Context, changes ...git.RefChange) error {
	err := b.repo.Apply(ctx, changes...)
	if errors.Is(err, git.ErrRefMoved) {
		return &kindError{bus.ErrCollision, err}
	}
	return err
}

// adopt is for a clone that held nothing of the agent while the remote does: the
// change is made again, on the remote's document, which would be lost otherwise. It
// returns the own ref's new value: o.local when theirs is of no use.
func (b *Bus) adopt(ctx context.Context, o ownRef, theirs string) (string, error) {
	if ok, err := b.fetchOne(ctx, o.ref); err != nil || !ok {
		return o.local, err
	}
	e := o.adopt
	data, err := e.make(ctx, theirs)
	if errors.Is(err, bus.ErrUnchanged) {
		return theirs, b.apply(ctx, move(o.ref, theirs, o.local))
	}
	if err != nil {
		return o.local, err
	}
	oid, err := b.repo.CommitFile(ctx, e.file, data, nil, e.message)
	if err != nil {
		return o.local, err
	}
	if err := b.apply(ctx, move(o.ref, oid, o.local)); err != nil {
		return o.local, err
	}
	b.remember(o.ref, cached{oid, data})
	return oid, nil
}

// Retire removes the agent's state and outbox: one for-each-ref, one update-ref, and
// one push and update-ref when the remote may have them.
func (b *Bus) Retire(ctx context.Context, agent string) error {
	own, err := b.lock(ctx, agent)
	if err != nil {
		return err
	}
	defer own.done()
	local, end := untimed(ctx)
	defer end()
	owned, err := b.owned(local, bus.StateRef(agent), bus.OutboxRef(agent))
	if err != nil {
		return err
	}
	there, err := b.drop(local, owned)
	if err != nil {
		return err
	}
	return joined(b.shareInTurn(ctx, own, there, nil), there)
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
