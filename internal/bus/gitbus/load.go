package gitbus

import (
	"context"
	"fmt"
	"strings"

	"gitlet/internal/bus"
	"gitlet/internal/git"
	"gitlet/internal/wire"
)

// Load runs one for-each-ref, or none right after a Refresh, which listed the same
// refs; and only when some document moved one cat-file that reads all that did. Snapshots fetched for items that are gone are deleted, which
// is one more process when there are any.
func (b *Bus) Load(ctx context.Context, prev *bus.Docs) (*bus.Docs, error) {
	refs := b.takeListed()
	if refs == nil {
		var err error
		if refs, err = b.list(ctx); err != nil {
			return nil, err
		}
	}
	cat := b.repo.NewCatFile(ctx)
	defer cat.Close()
	l := b.listing(refs)
	l.Ahead = func(all []bus.Reading) {
		names := make([]string, len(all))
		for i, r := range all {
			names[i] = r.OID + ":" + r.File
		}
		cat.Ahead(names...)
	}
	docs, gone, err := bus.Assemble(prev, l, func(oid, file string) ([]byte, string, error) {
		data, why, err := readFile(cat, oid, file)
		if err == nil && why == "" {
			b.rememberOwn(refs, oid, data)
		}
		return data, why, err
	})
	if err != nil || b.mode == bus.Local {
		return docs, err
	}
	var drop []git.RefChange
	for _, ref := range gone {
		if oid := refs[b.tracking(ref)]; oid != "" {
			drop = append(drop, git.Delete(b.tracking(ref), oid))
		}
	}
	// Another process may be deleting or fetching the same ones: the next load sees to it.
	if err := b.repo.Apply(ctx, drop...); err != nil && ctx.Err() != nil {
		return nil, err
	}
	return docs, nil
}

// takeListed returns what the last Refresh listed, once, and only while this process
// wrote nothing since.
func (b *Bus) takeListed() map[string]string {
	b.mu.Lock()
	defer b.mu.Unlock()
	refs := b.listed
	b.listed = nil
	return refs
}

// rememberOwn keeps an own document that was read anyway for the State or Outbox that
// is asked for next.
func (b *Bus) rememberOwn(refs map[string]string, oid string, data []byte) {
	for _, ref := range []string{bus.StateRef(b.agent), bus.OutboxRef(b.agent)} {
		if b.agent != "" && refs[ref] == oid {
			b.remember(ref, cached{oid, data})
		}
	}
}

// listing sorts the clone's refs into what they mean. Own documents are taken from
// where they were written, which is never behind what a fetch brought back of them.
func (b *Bus) listing(refs map[string]string) bus.Listing {
	l := bus.Listing{Refs: map[string]string{}, Own: map[string]bool{}}
	if b.agent != "" {
		l.Own[b.agent] = true
	}
	if b.mode == bus.Local {
		for name, oid := range refs {
			if strings.HasPrefix(name, bus.Namespace) {
				l.Refs[name] = oid
			}
		}
		l.Main = refs[b.branch()]
		return l
	}
	for name := range refs {
		if n, ok := bus.ParseRef(name); ok && n.Agent != "" && b.home(refs, n.Agent) {
			l.Own[n.Agent] = true
		}
	}
	remote := b.tracking("")
	for name, oid := range refs {
		if rest, ok := strings.CutPrefix(name, remote); ok {
			ref := bus.Namespace + rest
			if n, ok := bus.ParseRef(ref); !ok || !l.Own[n.Agent] {
				l.Refs[ref] = oid
			}
		}
	}
	for name, oid := range refs {
		// Claims are the remote's alone; local ones are left from a time without one.
		if n, ok := bus.ParseRef(name); ok && l.Own[n.Agent] {
			l.Refs[name] = oid
		}
	}
	if last := b.record(); last.Main == b.main || last.At.IsZero() {
		l.Main = refs[b.mainRef()] // else it is a copy of a branch that used to be main
	}
	return l
}

// home reports whether this clone writes an agent's documents. An agent can have refs
// here and live elsewhere: a copied checkout holds its original's, and an id given by
// hand may have moved. Then the remote's value is not the one sent from here, or the
// agent took it away, and what stands here is only what it once was.
func (b *Bus) home(refs map[string]string, agent string) bool {
	ref := bus.StateRef(agent)
	local, theirs, sent := refs[ref], refs[b.tracking(ref)], refs[b.pushed(ref)]
	switch {
	case agent == b.agent || local == "":
		return true
	case theirs == "":
		return sent == ""
	}
	return theirs == sent || theirs == local
}

// readFile reads the one file of a document's commit. Nothing that a peer can push
// makes it fail: what is not a readable file of bearable size is said in why.
func readFile(cat *git.CatFile, oid, file string) (data []byte, why string, err error) {
	o, err := cat.Read(oid+":"+file, wire.MaxRead)
	switch {
	case err != nil:
		return nil, "", err
	case !o.Found || o.Type != "blob":
		return nil, fmt.Sprintf("holds no file %q", file), nil
	case o.Size > wire.MaxRead:
		return nil, fmt.Sprintf("%d bytes, over the limit of %d", o.Size, wire.MaxRead), nil
	}
	return o.Data, "", nil
}
