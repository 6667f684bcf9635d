package bus

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sort"

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
}

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
	for _, ref := range names {
		if err := b.document(ref); err != nil {
			return nil, nil, err
		}
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

// document adds what ref holds, unless it is a snapshot or unknown.
func (b *builder) document(ref string) error {
	oid := b.l.Refs[ref]
	name, ok := ParseRef(ref)
	if !ok {
		b.docs.Problems = append(b.docs.Problems, Problem{Ref: ref, OID: oid, Why: "bad id in the ref's name"})
		return nil
	}
	file := name.Kind.FileName()
	if file == "" {
		return nil
	}
	e := b.old[place{ref, oid}]
	if e == nil {
		data, why, err := b.read(oid, file)
		if err != nil {
			return fmt.Errorf("read %q: %w", ref, err)
		}
		if why != "" {
			e = &entry{problems: []Problem{{Ref: ref, OID: oid, Why: why}}}
		} else {
			e = decode(ref, oid, name, data)
		}
	}
	if e.add != nil {
		e.add(b.docs)
	}
	b.docs.Problems = append(b.docs.Problems, e.problems...)
	return nil
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
