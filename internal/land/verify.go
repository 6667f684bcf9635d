package land

import (
	"bytes"
	"context"
	"slices"

	"gitlet/internal/git"
)

// What a landing did is looked at file by file, right where it happened: main before it
// and after it, against what the item has and what it began with.

// verify finds what of the item main does not hold, and what of others went missing when
// it landed.
func (l *judge) verify(ctx context.Context, out *Landing) error {
	have, err := l.onMain(ctx, l.main)
	if err != nil {
		return err
	}
	for _, c := range l.changes {
		if same(have[c.Path], c.OldMode, c.OldOID) {
			out.Missing = append(out.Missing, c.Path)
		}
	}
	t := l.tree()
	arrivals, err := l.arrivals(ctx, out, t)
	if err != nil {
		return err
	}
	cat := l.repo.NewCatFile(ctx)
	defer cat.Close()
	at := map[string]map[string]git.TreeEntry{} // by commit, then by path
	for _, a := range arrivals {
		for _, rev := range []string{a.before, a.after} {
			if at[rev] == nil {
				if at[rev], err = l.onMain(ctx, rev); err != nil {
					return err
				}
			}
		}
		if err := l.compare(cat, a, at[a.before][a.change.Path], at[a.after][a.change.Path], out); err != nil {
			return err
		}
	}
	return nil
}

// arrival is where a file of the item came to main: the commits of main around it, and the
// last of others' commits that main had brought to the file by then, nil for none.
type arrival struct {
	change        git.Change
	before, after string
	others        *git.Commit
}

// arrivals finds for each file that the item changes or adds where it came to main: the
// merge that brought the branch, the commits that carry the item's line, or the one that
// made the file what the branch has. A file of which that cannot be told is left out.
func (l *judge) arrivals(ctx context.Context, out *Landing, t *lineage) ([]arrival, error) {
	oids := make([]string, len(l.log))
	for i, c := range l.log {
		oids[i] = c.OID
	}
	changes, err := l.repo.CommitChanges(ctx, oids)
	if err != nil {
		return nil, err
	}
	history := map[string][]git.CommitChange{} // newest first
	for _, c := range changes {
		history[c.Path] = append(history[c.Path], c)
	}
	merge := ""
	if out.How == ByMerge {
		if len(l.log) > 0 {
			merge = t.merged(l.log[0].OID, l.it.Head)
		}
		if merge == "" {
			return nil, nil // main went on from the branch itself
		}
		out.Commit = merge
	}
	var all []arrival
	for _, c := range l.changes {
		if c.Status != 'M' && c.Status != 'A' || c.Gitlink() {
			continue
		}
		a := arrival{change: c}
		first, last := l.brought(history[c.Path], c, merge)
		if a.before, a.after = t.parent(first), last; a.before == "" {
			continue
		}
		had := t.reach(a.before)
		for _, h := range history[c.Path] {
			if had[h.Commit] {
				other := t.byID[h.Commit]
				a.others = &other
				break
			}
		}
		if out.Commit == "" {
			out.Commit = a.after
		}
		all = append(all, a)
	}
	return all, nil
}

// brought are the first and the last commit of main that brought the item's change of a
// file, "" where that cannot be told.
func (l *judge) brought(history []git.CommitChange, c git.Change, merge string) (first, last string) {
	if merge != "" {
		return merge, merge
	}
	for _, h := range history {
		if l.named[h.Commit] {
			if last == "" {
				last = h.Commit
			}
			first = h.Commit
		}
	}
	if first != "" {
		return first, last
	}
	for _, h := range history {
		if h.OID == c.NewOID {
			first = h.Commit // the oldest counts
		}
	}
	return first, first
}

// maxCompared is how large a file may be whose lines are compared, in bytes.
const maxCompared = 1 << 20

// compare tells which lines the landing dropped. A file into which somebody wrote lines
// that neither side had was put together by hand, and says nothing.
func (l *judge) compare(cat *git.CatFile, a arrival, before, after git.TreeEntry, out *Landing) error {
	if after.OID == "" || after.OID == a.change.NewOID && before.OID == a.change.OldOID {
		return nil
	}
	var texts [4][]byte
	for i, oid := range []string{a.change.OldOID, a.change.NewOID, before.OID, after.OID} {
		if none(oid) {
			continue
		}
		o, err := cat.Read(oid, maxCompared)
		if err != nil {
			return err
		}
		if !o.Found || o.Size > maxCompared || bytes.IndexByte(o.Data, 0) >= 0 {
			return nil // lines say nothing about it
		}
		texts[i] = o.Data
	}
	base, mine, theirs, result := texts[0], texts[1], texts[2], texts[3]
	if len(gone(slices.Concat(base, []byte("\n"), mine, []byte("\n"), theirs), result, nil)) > 0 {
		return nil
	}
	if lines := gone(base, mine, result); len(lines) > 0 && !slices.Contains(out.Missing, a.change.Path) {
		out.Partly = append(out.Partly, loss(a.change.Path, lines))
	}
	if lines := gone(base, theirs, result); len(lines) > 0 && a.others != nil {
		lost := loss(a.change.Path, lines)
		lost.Commit = *a.others
		out.Lost = append(out.Lost, lost)
	}
	return nil
}

func loss(path string, lines []string) Loss {
	const few = 5
	return Loss{Path: path, Count: len(lines), Lines: lines[:min(len(lines), few)]}
}

// gone are the lines that a side added to a file and that are not in the result.
func gone(base, side, result []byte) []string {
	count := map[string]int{}
	for l := range bytes.Lines(result) {
		count[string(bytes.TrimSpace(l))]++
	}
	for l := range bytes.Lines(base) {
		count[string(bytes.TrimSpace(l))]++ // it was there before
	}
	var out []string
	for l := range bytes.Lines(side) {
		t := string(bytes.TrimSpace(l))
		if count[t]--; count[t] < 0 && t != "" {
			out = append(out, t)
		}
	}
	return out
}

// lineage is how the commits of main since the item's base hang together.
type lineage struct {
	byID map[string]git.Commit
}

func (l *judge) tree() *lineage {
	t := &lineage{byID: map[string]git.Commit{}}
	for _, c := range l.log {
		t.byID[c.OID] = c
	}
	return t
}

// parent is the first parent of a commit, "" for none.
func (t *lineage) parent(oid string) string {
	if p := t.byID[oid].Parents; len(p) > 0 {
		return p[0]
	}
	return ""
}

// reach are the commits that a commit has in its history, itself included.
func (t *lineage) reach(oid string) map[string]bool {
	seen := map[string]bool{}
	for todo := []string{oid}; len(todo) > 0; todo = todo[1:] {
		if c, ok := t.byID[todo[0]]; ok && !seen[c.OID] {
			seen[c.OID] = true
			todo = append(todo, c.Parents...)
		}
	}
	return seen
}

// merged is the commit of main's own line whose merge brought head, "" where main's line
// goes through head itself or is not all here.
func (t *lineage) merged(main, head string) string {
	own := map[string]bool{}
	var line []string
	for oid := main; oid != ""; oid = t.parent(oid) {
		if oid == head {
			return ""
		}
		line, own[oid] = append(line, oid), true
	}
	// From the oldest on: what a commit has besides what its first parent has.
	seen := map[string]bool{}
	for _, oid := range slices.Backward(line) {
		for todo := []string{oid}; len(todo) > 0; todo = todo[1:] {
			at := todo[0]
			if at == head {
				return oid
			}
			if seen[at] || own[at] && at != oid {
				continue
			}
			seen[at] = true
			todo = append(todo, t.byID[at].Parents...)
		}
	}
	return ""
}

// TakenBack reports whether main has every file of a landed item as it was before it.
func TakenBack(ctx context.Context, repo *git.Repo, main string, it Item) (bool, error) {
	l, err := newJudge(ctx, repo, main, it)
	if l == nil || err != nil {
		return false, err
	}
	have, err := l.onMain(ctx, l.main)
	if err != nil {
		return false, err
	}
	for _, c := range l.changes {
		if !same(have[c.Path], c.OldMode, c.OldOID) {
			return false, nil
		}
	}
	return true, nil
}
