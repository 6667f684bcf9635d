package engine

import (
	"context"
	"encoding/json"
	"errors"
	"sort"
	"strings"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/bus/gitbus"
	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/view"
)

// Ledger keys of the clone about branches of the remote: their heads as last fetched, by
// name, and what was found out about them.
const (
	keyHeads = "outside-heads"
	keyScan  = "outside-scan"
)

const (
	// maxOutsideCommits is how much history of all branches together is looked at.
	maxOutsideCommits = 3000
	// maxOutsideRead is how many branches one evaluation reads anew.
	maxOutsideRead = 20
)

// fetchOutside brings the heads of other branches here when that is due.
func (e *Engine) fetchOutside(ctx context.Context) {
	now := e.now()
	if e.second || e.offline() || e.slow || e.remote.Name == "" || e.settings.OutsideMax <= 0 ||
		!e.due(ctx, keyOutsides, e.settings.OutsideInterval, now) {
		return
	}
	fctx, cancel := context.WithTimeout(ctx, e.budget.fetch)
	defer cancel()
	got, err := e.heads(fctx, gitbus.Heads{Max: e.settings.OutsideMax, Since: now.Add(-e.settings.OutsideWindow)})
	switch {
	case errors.Is(err, bus.ErrOffline):
		e.setOffline(ctx, now)
	case err == nil:
		if text, err := json.Marshal(got.Heads); err == nil {
			// What cannot be kept is fetched again.
			_ = e.ledger.Set(ctx, clone, keyHeads, string(text))
		}
	}
}

// scanned is what one look at the branches found, for the commits it was made from.
type scanned struct {
	Key      string
	Branches []scannedBranch
}

type scannedBranch struct {
	Name, Commit string
	// Base is the one commit of main that the branch starts from, "" where there are
	// several, or none.
	Base  string
	Apart bool // it shares no history with main
	Files []string
	// Within are my items whose commits hold the branch's.
	Within []string
}

// outside fills in the branches that are not gitlet items' and change what an item of
// mine is concerned with. It costs two processes when main, a branch or my commits
// moved, and two for each new head that changes a file of mine.
func (e *Engine) outside(ctx context.Context, v *view.View) {
	heads := e.outsideHeads(ctx, v)
	if len(heads) == 0 {
		return
	}
	mine := e.concerns(v)
	if len(mine) == 0 {
		return
	}
	found, err := e.scan(ctx, heads, v.Items)
	if err != nil {
		if !cut(ctx, err) {
			e.warnings.add("the branches of the remote could not be compared with your work: %v", err)
		}
		return
	}
	read := 0
	for _, b := range found {
		if b.Apart || len(b.Within) > 0 {
			continue
		}
		out := view.Branch{Name: b.Name, Commit: b.Commit, Base: b.Base, Files: b.Files}
		if touches(b.Files, mine) && read < maxOutsideRead {
			fresh, err := e.readBranch(ctx, &out)
			if fresh {
				read++
			}
			if err != nil {
				if !cut(ctx, err) {
					e.warnings.add("branch %q could not be compared with your work: %v", b.Name, err)
				}
				continue
			}
		}
		v.Outside = append(v.Outside, out)
	}
}

// outsideHeads are the fetched heads of branches that are no item's and not mine.
func (e *Engine) outsideHeads(ctx context.Context, v *view.View) map[string]string {
	heads := map[string]string{}
	text, ok, err := e.ledger.Get(ctx, clone, keyHeads)
	if err != nil || !ok || json.Unmarshal([]byte(text), &heads) != nil {
		return nil
	}
	delete(heads, e.head.Branch)
	delete(heads, e.main.Name)
	for _, d := range e.docs.States {
		for _, it := range d.Value.Items {
			delete(heads, it.Branch)
		}
	}
	for _, it := range v.Items {
		delete(heads, it.Branch)
	}
	if closed, err := e.ledger.Closed(ctx, e.who.Agent); err == nil {
		for _, it := range closed {
			delete(heads, it.Branch)
		}
	}
	return heads
}

// concerns are the files my items change, and those of symbols they claim or need.
func (e *Engine) concerns(v *view.View) map[string]bool {
	out := map[string]bool{}
	items := map[string]bool{}
	for _, it := range v.Items {
		items[it.ID] = true
		if it.Footprint == nil {
			continue
		}
		for _, f := range it.Footprint.Files {
			out[f.Path] = true
			if f.OldPath != "" {
				out[f.OldPath] = true
			}
		}
	}
	for _, c := range v.Claims {
		if c.Owner == v.Agent && items[c.Item] && c.Symbol != nil {
			out[c.Symbol.Path] = true
		}
	}
	for _, n := range v.Needs {
		if n.Agent == v.Agent && items[n.Item] {
			if file, _, ok := strings.Cut(n.Name, ":"); ok {
				out[file] = true
			}
		}
	}
	return out
}

func touches(files []string, mine map[string]bool) bool {
	for _, f := range files {
		if mine[f] {
			return true
		}
	}
	return false
}

// scan finds out where the branches left main and which files they change.
func (e *Engine) scan(ctx context.Context, heads map[string]string, items []model.Item) ([]scannedBranch, error) {
	main := e.mainOID(ctx)
	if main == "" {
		return nil, nil
	}
	names := make([]string, 0, len(heads))
	for n := range heads {
		names = append(names, n)
	}
	sort.Strings(names)
	key, from := main, []string{}
	for _, n := range names {
		key += "\n" + n + " " + heads[n]
		from = append(from, heads[n])
	}
	for _, it := range items {
		if it.Head != "" {
			key += "\n" + it.ID + " " + it.Head
			from = append(from, it.Head)
		}
	}
	var known scanned
	if text, ok, err := e.ledger.Get(ctx, clone, keyScan+":"+e.who.Agent); err == nil && ok &&
		json.Unmarshal([]byte(text), &known) == nil && known.Key == key {
		return known.Branches, nil
	}
	found, err := e.look(ctx, main, from, names, heads, items)
	if err != nil {
		return nil, err
	}
	if text, err := json.Marshal(scanned{key, found}); err == nil {
		_ = e.ledger.Set(ctx, clone, keyScan+":"+e.who.Agent, string(text)) // or it is looked at again
	}
	return found, nil
}

// look reads the commits that branches have and main has not, and their files.
func (e *Engine) look(ctx context.Context, main string, from, names []string, heads map[string]string, items []model.Item) ([]scannedBranch, error) {
	log, err := e.wt.Log(ctx, git.LogOptions{From: from, Not: []string{main}, Max: maxOutsideCommits})
	if err != nil {
		return nil, err
	}
	h := history{parents: map[string][]string{}, files: map[string][]string{}, whole: len(log) < maxOutsideCommits}
	oids := make([]string, 0, len(log))
	for _, c := range log {
		h.parents[c.OID] = c.Parents
		oids = append(oids, c.OID)
	}
	changes, err := e.wt.CommitChanges(ctx, oids)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		h.files[c.Commit] = append(h.files[c.Commit], c.Path)
	}
	within := map[string][]string{}
	for _, it := range items {
		for oid := range h.reach(it.Head) {
			within[oid] = append(within[oid], it.ID)
		}
	}
	var out []scannedBranch
	for _, n := range names {
		if b := h.branch(n, heads[n]); len(b.Files) > 0 {
			b.Within = within[b.Commit]
			out = append(out, b)
		}
	}
	return out, nil
}

// history is a part of the commits: those that main does not have.
type history struct {
	parents, files map[string][]string
	whole          bool // no commit was left out
}

// reach are the commits of this part that a commit holds, itself included.
func (h history) reach(oid string) map[string]bool {
	seen := map[string]bool{}
	todo := []string{oid}
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, here := h.parents[c]; !here || seen[c] {
			continue
		}
		seen[c] = true
		todo = append(todo, h.parents[c]...)
	}
	return seen
}

// branch sums up one branch.
func (h history) branch(name, commit string) scannedBranch {
	b := scannedBranch{Name: name, Commit: commit}
	files, bases := map[string]bool{}, map[string]bool{}
	for c := range h.reach(commit) {
		for _, f := range h.files[c] {
			files[f] = true
		}
		for _, p := range h.parents[c] {
			if _, here := h.parents[p]; !here {
				bases[p] = true
			}
		}
	}
	b.Apart = h.whole && len(bases) == 0
	if h.whole && len(bases) == 1 {
		for base := range bases {
			b.Base = base
		}
	}
	for f := range files {
		b.Files = append(b.Files, f)
	}
	sort.Strings(b.Files)
	return b
}

// readBranch fills in what the branch changes, symbol by symbol; fresh is set when that
// was not known before.
func (e *Engine) readBranch(ctx context.Context, b *view.Branch) (fresh bool, err error) {
	if b.Base == "" {
		base, err := e.mergeBase(ctx, b.Commit, e.mainOID(ctx))
		if err != nil {
			return true, err
		}
		if b.Base = base; base == "" {
			return true, nil
		}
	}
	known, err := e.ledger.Footprint(ctx, clone, b.Base, b.Commit, model.FootprintVersion)
	if err == nil && known != nil {
		b.Footprint = known
		return false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	b.Footprint, err = e.readChange(ctx, b.Base, b.Commit, 1)
	return true, err
}

// quietClaims fills in which claims are no longer renewed.
func (e *Engine) quietClaims(v *view.View) {
	v.Quiet = map[string]time.Time{}
	for _, c := range v.Claims {
		if c.Owner != v.Agent && e.claimLapsed(c) {
			v.Quiet[c.Key] = e.observed[bus.ClaimRef(c.Key)].FirstSeen
		}
	}
}
