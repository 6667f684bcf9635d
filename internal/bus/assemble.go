package bus

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime"
	"sort"
	"sync"

	"gitlet/internal/model"
	"gitlet/internal/wire"
)

// Listing is which refs are where, as an implementation sees them.
type Listing struct {
	// Refs maps shared ref names to their values: documents of all agents, and the
	// snapshots that are in this clone.
	Refs map[string]string
	// Own names the agents whose home is this clone. Their snapshots count also
	// while no state document mentions the item yet.
	Own  map[string]bool
	Main string
	// Ahead, when set, hears what will be read before the first read, in order.
	Ahead func([]Reading)
}

// Reading is one document to be read: a file in the tree of a commit.
type Reading struct{ OID, File string }

// Read returns the file in the tree of commit oid. why says in a few words that it
// cannot be used (missing, too large); err that nothing can be read at all.
type Read func(oid, file string) (data []byte, why string, err error)

// Assemble turns a listing into Docs: documents that did not move since prev are
// taken from it, the others are read and decoded, bad ones become Problems. gone
// lists the snapshots in the listing whose item is in no state document. When
// nothing moved it returns prev.
func Assemble(prev *Docs, l Listing, read Read) (docs *Docs, gone []string, err error) {
	names := make([]string, 0, len(l.Refs))
	for ref := range l.Refs {
		names = append(names, ref)
	}
	sort.Strings(names)
	print := fingerprint(names, l)
	if prev != nil && prev.Fingerprint == print {
		return prev, nil, nil
	}
	b := &builder{l: l, read: read, old: index(prev), docs: &Docs{
		Fingerprint: print, Main: l.Main, Snapshots: map[string]string{},
	}}
	entries, err := b.entries(names)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		if e == nil {
			continue
		}
		if e.add != nil {
			e.add(b.docs)
		}
		b.docs.Problems = append(b.docs.Problems, e.problems...)
	}
	return b.docs, b.snapshots(names), nil
}

func fingerprint(names []string, l Listing) string {
	h := sha256.New()
	for _, ref := range names {
		fmt.Fprintf(h, "%s %s\n", l.Refs[ref], ref)
	}
	fmt.Fprintf(h, "%s\n", l.Main)
	return hex.EncodeToString(h.Sum(nil))[:16]
}

type builder struct {
	l    Listing
	read Read
	old  map[place]*entry
	docs *Docs
}

// place is one value of one ref; entry is what an earlier load made of it.
type place struct{ ref, oid string }

type entry struct {
	add      func(*Docs) // nil when the document could not be used
	problems []Problem
}

// index makes the parts of earlier Docs findable by the value they were read from.
func index(prev *Docs) map[place]*entry {
	old := map[place]*entry{}
	if prev == nil {
		return old
	}
	at := func(ref, oid string) *entry {
		p := place{ref, oid}
		if old[p] == nil {
			old[p] = &entry{}
		}
		return old[p]
	}
	for _, d := range prev.States {
		at(d.Ref, d.OID).add = func(to *Docs) { to.States = append(to.States, d) }
	}
	for _, d := range prev.Outboxes {
		at(d.Ref, d.OID).add = func(to *Docs) { to.Outboxes = append(to.Outboxes, d) }
	}
	for _, d := range prev.Claims {
		at(d.Ref, d.OID).add = func(to *Docs) { to.Claims = append(to.Claims, d) }
	}
	for _, p := range prev.Problems {
		e := at(p.Ref, p.OID)
		e.problems = append(e.problems, p)
	}
	return old
}

// entries returns what each of the refs holds, nil for a snapshot or one of unknown
// purpose. Documents are read one after the other and decoded beside that, on every
// processor.
func (b *builder) entries(names []string) ([]*entry, error) {
	out := make([]*entry, len(names))
	var unread []int
	var readings []Reading
	for i, ref := range names {
		oid := b.l.Refs[ref]
		name, ok := ParseRef(ref)
		if !ok {
			out[i] = &entry{problems: []Problem{{Ref: ref, OID: oid, Why: "bad id in the ref's name"}}}
			continue
		}
		file := name.Kind.FileName()
		if file == "" || name.Kind == ResolutionDoc { // those are asked for one by one
			continue
		}
		if out[i] = b.old[place{ref, oid}]; out[i] == nil {
			unread = append(unread, i)
			readings = append(readings, Reading{oid, file})
		}
	}
	if b.l.Ahead != nil && len(readings) > 0 {
		b.l.Ahead(readings)
	}
	var decoding sync.WaitGroup
	defer decoding.Wait()
	free := make(chan struct{}, 4*runtime.GOMAXPROCS(0)) // a few may wait their turn
	for n, i := range unread {
		ref, oid := names[i], readings[n].OID
		data, why, err := b.read(oid, readings[n].File)
		if err != nil {
			return nil, fmt.Errorf("read %q: %w", ref, err)
		}
		if why != "" {
			out[i] = &entry{problems: []Problem{{Ref: ref, OID: oid, Why: why}}}
			continue
		}
		free <- struct{}{}
		decoding.Go(func() {
			name, _ := ParseRef(ref)
			out[i] = decode(ref, oid, name, data)
			<-free
		})
	}
	return out, nil
}

func decode(ref, oid string, name RefName, data []byte) *entry {
	var (
		e   entry
		ps  []wire.Problem
		err error
	)
	switch name.Kind {
	case StateDoc:
		var v model.State
		v, ps, err = wire.DecodeState(data, name.Agent)
		e.add = func(d *Docs) { d.States = append(d.States, Doc[model.State]{Ref: ref, OID: oid, Value: v}) }
	case OutboxDoc:
		var v model.Outbox
		v, ps, err = wire.DecodeOutbox(data, name.Agent)
		e.add = func(d *Docs) { d.Outboxes = append(d.Outboxes, Doc[model.Outbox]{Ref: ref, OID: oid, Value: v}) }
	case ClaimDoc:
		var v model.Claim
		v, ps, err = wire.DecodeClaim(data, name.Key)
		e.add = func(d *Docs) { d.Claims = append(d.Claims, Doc[model.Claim]{Ref: ref, OID: oid, Value: v}) }
	}
	if err != nil {
		var newer *wire.NewerFormat
		return &entry{problems: []Problem{{Ref: ref, OID: oid, Why: err.Error(), Newer: errors.As(err, &newer)}}}
	}
	for _, p := range ps {
		e.problems = append(e.problems, Problem{Ref: ref, OID: oid, Why: p.String()})
	}
	return &e
}

// snapshots fills Docs.Snapshots and returns the ones of items that nobody's state
// mentions any more.
func (b *builder) snapshots(names []string) (gone []string) {
	said, items := map[string]bool{}, map[string]bool{}
	for _, d := range b.docs.States {
		said[d.Value.Agent.ID] = true
		for _, it := range d.Value.Items {
			items[d.Value.Agent.ID+"/"+it.ID] = true
		}
	}
	for _, ref := range names {
		name, ok := ParseRef(ref)
		if !ok || name.Kind != Snapshot {
			continue
		}
		// A state document that is there and cannot be read says nothing about its items.
		_, there := b.l.Refs[StateRef(name.Agent)]
		switch key := name.Agent + "/" + name.Item; {
		case items[key] || b.l.Own[name.Agent]:
			b.docs.Snapshots[key] = b.l.Refs[ref]
		case said[name.Agent] || !there:
			gone = append(gone, ref)
		}
	}
	return gone
}
