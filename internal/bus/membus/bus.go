package membus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"sort"
	"strings"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/wire"
)

// Bus is one process on one machine of a World.
type Bus struct {
	w     *World
	m     *machine
	print string // what the last refresh saw
}

var _ bus.Bus = (*Bus)(nil)

// Mode is the world's.
func (b *Bus) Mode() bus.Mode { return b.w.mode }

// Refresh copies the remote's refs here.
func (b *Bus) Refresh(ctx context.Context) (bus.Refreshed, error) {
	if err := ctx.Err(); err != nil {
		return bus.Refreshed{}, err
	}
	b.w.mu.Lock()
	defer b.w.mu.Unlock()
	w, m, now := b.w, b.m, b.w.now()
	if w.mode == bus.Local {
		return bus.Refreshed{At: now, Changed: b.moved(w.refs, w.main), MainMissing: w.faults.NoMain || w.main == ""}, nil
	}
	if age := now.Sub(m.fetched); !bus.IsAnew(ctx) && m.fetchedBy != nil && m.fetchedBy != b && age >= 0 && age < bus.ReuseWithin {
		return bus.Refreshed{At: m.fetched, Reused: true, Changed: b.moved(m.tracking, m.main), MainMissing: m.noMain}, nil
	}
	if w.faults.Offline {
		m.away = now
		return bus.Refreshed{}, fmt.Errorf("fetch: %w", bus.ErrOffline)
	}
	m.away = time.Time{}
	seen, main := map[string]string{}, w.main
	for ref, oid := range m.tracking {
		if strings.HasPrefix(ref, bus.Namespace+"wip/") {
			seen[ref] = oid // fetched by name, not by the poll
		}
	}
	for ref, oid := range w.refs {
		if !strings.HasPrefix(ref, bus.Namespace+"wip/") {
			seen[ref] = oid
			if stub := w.stubs[oid]; stub != "" {
				m.commits[stub] = true
			}
		}
	}
	if w.faults.NoMain {
		main = ""
	}
	m.tracking, m.main, m.noMain = seen, main, main == ""
	m.fetched, m.fetchedBy = now, b
	return bus.Refreshed{At: now, Changed: b.moved(seen, main), MainMissing: m.noMain}, nil
}

// moved reports whether the refs differ from what this process saw last.
func (b *Bus) moved(refs map[string]string, main string) bool {
	was := b.print
	b.print = fmt.Sprint(refs, main) // maps print in key order
	return b.print != was
}

// Load decodes what is here.
func (b *Bus) Load(ctx context.Context, prev *bus.Docs) (*bus.Docs, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b.w.mu.Lock()
	defer b.w.mu.Unlock()
	w, m := b.w, b.m
	l := bus.Listing{Refs: map[string]string{}, Own: map[string]bool{m.agent: true}, Main: m.main}
	if w.mode == bus.Local {
		l.Refs, l.Main = w.refs, w.main
		if w.faults.NoMain {
			l.Main = ""
		}
	} else {
		maps.Copy(l.Refs, m.tracking)
		for ref := range l.Refs {
			if n, ok := bus.ParseRef(ref); ok && n.Agent == m.agent {
				delete(l.Refs, ref) // this is its home: the local value is the newer one
			}
		}
		maps.Copy(l.Refs, m.local)
	}
	docs, gone, err := bus.Assemble(prev, l, func(oid, _ string) ([]byte, string, error) {
		return w.objects[oid], "", nil
	})
	for _, ref := range gone {
		delete(m.tracking, ref)
	}
	return docs, err
}

// State returns the agent's own state.
func (b *Bus) State(ctx context.Context, agent string) (*model.State, error) {
	return own(ctx, b, bus.StateRef(agent), agent, wire.DecodeState)
}

// Outbox returns the agent's own outbox.
func (b *Bus) Outbox(ctx context.Context, agent string) (*model.Outbox, error) {
	return own(ctx, b, bus.OutboxRef(agent), agent, wire.DecodeOutbox)
}

// UpdateState changes and shares the agent's own state.
func (b *Bus) UpdateState(ctx context.Context, agent string, change func(*model.State) error) error {
	got, err := b.Share(ctx, bus.Batch{Agent: agent, State: change})
	return cmp.Or(err, got.State)
}

// UpdateOutbox changes and shares the agent's own outbox.
func (b *Bus) UpdateOutbox(ctx context.Context, agent string, change func(*model.Outbox) error) error {
	got, err := b.Share(ctx, bus.Batch{Agent: agent, Outbox: change})
	return cmp.Or(err, got.Outbox)
}

// Share makes one write of the whole batch.
func (b *Bus) Share(ctx context.Context, batch bus.Batch) (bus.Shared, error) {
	var out bus.Shared
	if !id.ValidAgent(batch.Agent) {
		return out, fmt.Errorf("bad agent id %q", batch.Agent)
	}
	unlock, err := b.lock(ctx, batch.Agent)
	if err != nil {
		return out, err
	}
	defer unlock()
	before := b.w.Pushes()
	defer b.w.merge(false)
	if batch.State != nil {
		out.State = update(ctx, b, bus.StateRef(batch.Agent), batch.Agent, wire.DecodeState, stateChange(batch))
	}
	if batch.Outbox != nil && ctx.Err() == nil {
		b.w.merge(b.w.Pushes() > before)
		out.Outbox = update(ctx, b, bus.OutboxRef(batch.Agent), batch.Agent, wire.DecodeOutbox, outboxChange(batch))
	}
	if err := ctx.Err(); err != nil {
		return out, err
	}
	for _, r := range batch.Renew {
		b.w.merge(b.w.Pushes() > before)
		held, err := b.UpdateClaim(ctx, r.Seen, r.To)
		out.Renewed = append(out.Renewed, bus.Renewed{Held: held, Err: err})
	}
	return out, nil
}

func stateChange(batch bus.Batch) func(*model.State) ([]byte, error) {
	return func(s *model.State) ([]byte, error) {
		if s == nil {
			s = &model.State{}
		}
		if err := batch.State(s); err != nil {
			return nil, err
		}
		s.Agent.ID = batch.Agent
		data, _, err := wire.EncodeState(*s)
		return data, err
	}
}

func outboxChange(batch bus.Batch) func(*model.Outbox) ([]byte, error) {
	return func(o *model.Outbox) ([]byte, error) {
		if o == nil {
			o = &model.Outbox{}
		}
		if err := batch.Outbox(o); err != nil {
			return nil, err
		}
		o.Agent = batch.Agent
		data, _, err := wire.EncodeOutbox(*o)
		return data, err
	}
}

// mine is where this machine keeps its own refs.
func (b *Bus) mine() map[string]string {
	if b.w.mode == bus.Local {
		return b.w.refs
	}
	return b.m.local
}

type decoder[T any] func([]byte, string) (T, []wire.Problem, error)

// own reads the local value of ref; nil when there is none, or none that can be read.
func own[T any](ctx context.Context, b *Bus, ref, agent string, decode decoder[T]) (*T, error) {
	if !id.ValidAgent(agent) {
		return nil, fmt.Errorf("bad agent id %q", agent)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b.w.mu.Lock()
	defer b.w.mu.Unlock()
	return read(b.w, b.mine()[ref], agent, decode)
}

func read[T any](w *World, oid, agent string, decode decoder[T]) (*T, error) {
	if oid == "" {
		return nil, nil
	}
	v, _, err := decode(w.objects[oid], agent)
	if newer := (*wire.NewerFormat)(nil); errors.As(err, &newer) {
		return nil, err
	}
	if err != nil {
		return nil, nil
	}
	return &v, nil
}

func update[T any](ctx context.Context, b *Bus, ref, agent string, decode decoder[T], change func(*T) ([]byte, error)) error {
	write := func(oid string) (bool, error) {
		b.w.mu.Lock()
		base, err := read(b.w, oid, agent, decode)
		b.w.mu.Unlock()
		if err != nil {
			return false, err
		}
		fresh := base == nil
		data, err := change(base) // without the world's lock: it may use the bus
		if err != nil {
			return false, err
		}
		if err := ctx.Err(); err != nil {
			return false, err
		}
		b.w.mu.Lock()
		defer b.w.mu.Unlock()
		b.mine()[ref] = b.w.store(data)
		return fresh, nil
	}
	b.w.mu.Lock()
	oid := b.mine()[ref]
	b.w.mu.Unlock()
	fresh, err := write(oid)
	if errors.Is(err, bus.ErrUnchanged) {
		return nil
	}
	if err != nil || b.w.mode == bus.Local {
		return err
	}
	var theirs string
	b.w.mu.Lock()
	if fresh && oid == "" && b.m.pushed[ref] == "" && !b.w.faults.Offline && b.away() == nil {
		theirs = b.w.refs[ref]
	}
	b.w.mu.Unlock()
	if theirs != "" {
		// This clone knows nothing of the agent, and the remote does: go on from there.
		b.w.mu.Lock()
		b.m.pushed[ref] = theirs
		b.w.mu.Unlock()
		if _, err := write(theirs); err != nil && !errors.Is(err, bus.ErrUnchanged) {
			return err
		}
	}
	b.w.mu.Lock()
	defer b.w.mu.Unlock()
	return b.share(ref)
}

// share brings the remote's ref to the local value, unless the remote is known to be
// away. The world is locked.
func (b *Bus) share(ref string) error {
	if err := b.away(); err != nil {
		return err
	}
	return b.shareNow(ref)
}

// away returns a bus.ErrOffline while the remote is known not to answer. The world is locked.
func (b *Bus) away() error {
	if age := b.w.now().Sub(b.m.away); !b.m.away.IsZero() && age >= 0 && age < bus.AwayFor {
		return fmt.Errorf("away since %s: %w", age, bus.ErrOffline)
	}
	return nil
}

// push moves a ref of the remote, and notes whether it answered. The world is locked.
func (b *Bus) push(ref, value, lease string) error {
	err := b.w.push(ref, value, lease)
	b.m.away = time.Time{}
	if errors.Is(err, bus.ErrOffline) {
		b.m.away = b.w.now()
	}
	return err
}

func (b *Bus) shareNow(ref string) error {
	m, value := b.m, b.m.local[ref]
	for adopted := false; ; adopted = true {
		err := b.push(ref, value, m.pushed[ref])
		var refused *bus.Refused
		switch {
		case err == nil:
			delete(m.held, ref)
			set(m.pushed, ref, value)
			set(m.tracking, ref, value)
			return nil
		case errors.Is(err, errStale) && adopted:
			return fmt.Errorf("push %q: %w", ref, bus.ErrCollision)
		case errors.Is(err, errStale):
			set(m.pushed, ref, b.w.refs[ref])
			if m.pushed[ref] == value {
				return nil
			}
			continue
		case errors.As(err, &refused):
			m.held[ref] = value
			if n, _ := bus.ParseRef(ref); n.Kind == bus.Snapshot && value != "" {
				delete(m.held, ref)
				set(m.local, ref, m.pushed[ref])
			}
		}
		return err
	}
}

func set(refs map[string]string, ref, oid string) {
	if oid == "" {
		delete(refs, ref)
		return
	}
	refs[ref] = oid
}

// lock takes the agent's lock on this machine until ctx ends.
func (b *Bus) lock(ctx context.Context, agent string) (func(), error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b.w.mu.Lock()
	l := b.m.locks[agent]
	if l == nil {
		l = make(chan struct{}, 1)
		b.m.locks[agent] = l
	}
	b.w.mu.Unlock()
	select {
	case l <- struct{}{}:
		return func() { <-l }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// PublishSnapshot shares commit as the item's snapshot.
func (b *Bus) PublishSnapshot(ctx context.Context, agent, item, commit string, localOnly bool) error {
	if !id.ValidAgent(agent) || !id.ValidItem(item) || !id.ValidOID(commit) {
		return fmt.Errorf("publish snapshot: bad agent %q, item %q or commit %q", agent, item, commit)
	}
	unlock, err := b.lock(ctx, agent)
	if err != nil {
		return err
	}
	defer unlock()
	b.w.mu.Lock()
	defer b.w.mu.Unlock()
	ref := bus.SnapshotRef(agent, item)
	if !b.m.commits[commit] {
		return fmt.Errorf("publish snapshot: no commit %q here", commit)
	}
	b.mine()[ref] = commit
	if b.w.mode == bus.Local {
		return nil
	}
	if localOnly {
		b.m.held[ref] = commit
		return nil
	}
	return b.share(ref)
}

// DropSnapshot removes the item's snapshot.
func (b *Bus) DropSnapshot(ctx context.Context, agent, item string) error {
	if !id.ValidAgent(agent) || !id.ValidItem(item) {
		return fmt.Errorf("drop snapshot: bad agent %q or item %q", agent, item)
	}
	unlock, err := b.lock(ctx, agent)
	if err != nil {
		return err
	}
	defer unlock()
	b.w.mu.Lock()
	defer b.w.mu.Unlock()
	ref := bus.SnapshotRef(agent, item)
	if b.drop(ref) {
		_ = b.share(ref) // best effort; Flush sends what did not arrive
	}
	return nil
}

// drop removes the local value of ref and reports whether the remote may have one.
// A value whose push had no answer may have arrived, so it counts as pushed.
func (b *Bus) drop(ref string) bool {
	if b.w.mode == bus.Local {
		delete(b.w.refs, ref)
		return false
	}
	value, pushed := b.m.local[ref], b.m.pushed[ref]
	if held, ok := b.m.held[ref]; pushed == "" && !(ok && held == value) {
		set(b.m.pushed, ref, value)
	}
	delete(b.m.local, ref)
	return b.m.pushed[ref] != ""
}

// FetchSnapshot brings a peer's snapshot here.
func (b *Bus) FetchSnapshot(ctx context.Context, agent, item, want string) (bool, error) {
	if !id.ValidAgent(agent) || !id.ValidItem(item) || !id.ValidOID(want) {
		return false, fmt.Errorf("fetch snapshot: bad agent %q, item %q or commit %q", agent, item, want)
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	b.w.mu.Lock()
	defer b.w.mu.Unlock()
	ref := bus.SnapshotRef(agent, item)
	if b.w.mode == bus.Local {
		for _, m := range b.w.machines {
			if m.commits[want] {
				return true, nil
			}
		}
		return false, nil
	}
	if b.m.commits[want] {
		return true, nil
	}
	if b.w.faults.Offline {
		return false, fmt.Errorf("fetch %q: %w", ref, bus.ErrOffline)
	}
	if got := b.w.refs[ref]; got != "" {
		b.m.tracking[ref] = got
		b.m.commits[got] = true
	}
	return b.m.commits[want], nil
}

// FetchSnapshots brings peers' snapshots here.
func (b *Bus) FetchSnapshots(ctx context.Context, want []bus.Wanted) ([]bool, error) {
	here := make([]bool, len(want))
	for i, w := range want {
		ok, err := b.FetchSnapshot(ctx, w.Agent, w.Item, w.Commit)
		if here[i] = ok; err != nil {
			return here, err
		}
	}
	return here, nil
}

// Flush shares what did not reach the remote.
func (b *Bus) Flush(ctx context.Context) error {
	if b.w.mode == bus.Local {
		return ctx.Err()
	}
	unlock, err := b.lock(ctx, b.m.agent)
	if err != nil {
		return err
	}
	defer unlock()
	b.w.mu.Lock()
	defer b.w.mu.Unlock()
	refs := map[string]bool{}
	var removed []string
	for ref := range b.m.local {
		refs[ref] = true
		n, _ := bus.ParseRef(ref)
		doc := ref // what somebody removed is made again, snapshots with their state
		if n.Kind == bus.Snapshot {
			doc = bus.StateRef(n.Agent)
		}
		if b.m.local[doc] != "" && b.m.pushed[doc] != "" && b.m.tracking[doc] == "" && b.m.pushed[ref] != "" {
			removed = append(removed, ref)
		}
	}
	for _, ref := range removed {
		delete(b.m.pushed, ref)
	}
	for ref := range b.m.pushed {
		refs[ref] = true
	}
	order := make([]string, 0, len(refs))
	for ref := range refs {
		order = append(order, ref)
	}
	sort.Strings(order) // agents/ before wip/
	var errs []error
	for _, ref := range order {
		held, isHeld := b.m.held[ref]
		if b.m.local[ref] == b.m.pushed[ref] || isHeld && held == b.m.local[ref] {
			continue
		}
		errs = append(errs, b.shareNow(ref))
	}
	return errors.Join(errs...)
}

// Retire removes the agent's state and outbox.
func (b *Bus) Retire(ctx context.Context, agent string) error {
	if !id.ValidAgent(agent) {
		return fmt.Errorf("bad agent id %q", agent)
	}
	unlock, err := b.lock(ctx, agent)
	if err != nil {
		return err
	}
	defer unlock()
	b.w.mu.Lock()
	defer b.w.mu.Unlock()
	var errs []error
	for _, ref := range []string{bus.StateRef(agent), bus.OutboxRef(agent)} {
		if b.drop(ref) {
			errs = append(errs, b.share(ref))
		}
	}
	return errors.Join(errs...)
}
