package land

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"gitlet/internal/git"
)

// Item is a task whose branch was handed in.
type Item struct {
	ID   string
	Base string // where its branch left main
	Head string // where its branch is
	// Merged is set when the forge says that its pull request was merged.
	Merged bool
}

// Ways an item's content came to main.
const (
	ByMerge   = "merged"
	ByContent = "all its content is on main"
	ByPatches = "all its commits are on main, rebased"
	BySquash  = "squashed"
	ByForge   = "its pull request was merged"
)

// Landing says that an item is on main.
type Landing struct {
	How    string
	Commit string // the commit of main that brought it, "" where that is not known
	// Missing are files of the item whose change main does not hold: main has them as they
	// were before the item, or without the file it added.
	Missing []string
	// Lost is what others had landed and the item's landing took away again.
	Lost []Loss
}

// Loss is lines of others that a landing dropped from a file.
type Loss struct {
	Path   string
	Commit git.Commit // the last one of others that changed the file
	Lines  []string   // the first few of them
	Count  int
}

// maxMainLog bounds how much of main is looked through for the way an item came there.
const maxMainLog = 2000

// Landed judges by content whether an item is on main; nil where it is not. A branch
// without a change of its own never lands, a part of its commits is not the item, and a
// commit that only names the item says nothing.
func Landed(ctx context.Context, repo *git.Repo, main string, it Item) (*Landing, error) {
	if it.Head == "" || it.Base == "" || main == "" || it.Head == it.Base {
		return nil, nil
	}
	changes, err := repo.DiffTrees(ctx, it.Base, it.Head)
	if err != nil || len(changes) == 0 {
		return nil, err
	}
	l := &judge{repo: repo, main: main, it: it, changes: plain(changes)}
	how, err := l.how(ctx)
	if err != nil || how == "" {
		return nil, err
	}
	out := &Landing{How: how, Commit: l.commit}
	return out, l.verify(ctx, out)
}

// plain spells renames as a file that goes and one that comes.
func plain(changes []git.Change) []git.Change {
	var out []git.Change
	for _, c := range changes {
		if c.Status == 'R' {
			gone := c
			gone.Status, gone.Path, gone.NewMode, gone.NewOID = 'D', c.OldPath, "000000", strings.Repeat("0", len(c.NewOID))
			out = append(out, gone)
			c.Status, c.OldPath, c.OldMode, c.OldOID = 'A', c.Path, "000000", strings.Repeat("0", len(c.NewOID))
		}
		out = append(out, c)
	}
	return out
}

type judge struct {
	repo    *git.Repo
	main    string
	it      Item
	changes []git.Change
	commit  string
	log     []git.Commit
}

func (l *judge) how(ctx context.Context) (string, error) {
	is, err := l.repo.IsAncestor(ctx, l.it.Head, l.main)
	if err != nil {
		return "", err
	}
	if is {
		return ByMerge, nil
	}
	if l.log, err = l.repo.Log(ctx, git.LogOptions{From: []string{l.main}, Not: []string{l.it.Base}, Max: maxMainLog}); err != nil {
		return "", err
	}
	own, err := l.repo.Log(ctx, git.LogOptions{From: []string{l.it.Head}, Not: []string{l.main, l.it.Base}})
	if err != nil {
		return "", err
	}
	named := l.named()
	if len(named) > 0 {
		l.commit = named[0].OID
	}
	if empty, err := l.nothingLeft(ctx); err != nil || empty {
		return ByContent, err
	}
	lacks, err := l.repo.Picks(ctx, l.main, l.it.Head)
	if err != nil {
		return "", err
	}
	if len(own) > 0 && len(lacks) == 0 {
		return ByPatches, nil
	}
	how, err := l.byName(ctx, own, named)
	if how == "" && err == nil && l.it.Merged {
		how = ByForge
	}
	return how, err
}

// named are main's commits that carry the item's line, the newest first: not those of its
// interface alone, and none that take something back.
func (l *judge) named() []git.Commit {
	var out []git.Commit
	for _, c := range l.log {
		if slices.Contains(c.Trailer("Gitlet-Item"), l.it.ID) && len(c.Trailer(StubTrailer)) == 0 &&
			!strings.HasPrefix(c.Subject, "interface: ") && !strings.Contains(c.Message, "This reverts commit ") {
			out = append(out, c)
		}
	}
	return out
}

// nothingLeft reports whether merging the branch would add nothing to main.
func (l *judge) nothingLeft(ctx context.Context) (bool, error) {
	if l.repo.Version.MergeTree() {
		m, err := l.repo.MergeTree(ctx, l.main, l.it.Head)
		if err == nil && m.Clean() {
			trees, err := l.repo.Resolve(ctx, l.main+"^{tree}")
			return err == nil && trees[0] == m.Tree, err
		}
		if err != nil && !errors.Is(err, git.ErrCannotTell) {
			return false, err
		}
	}
	have, err := l.onMain(ctx)
	if err != nil {
		return false, err
	}
	for _, c := range l.changes {
		if !same(have[c.Path], c.NewMode, c.NewOID) {
			return false, nil
		}
	}
	return true, nil
}

// onMain are main's versions of the item's files.
func (l *judge) onMain(ctx context.Context) (map[string]git.TreeEntry, error) {
	paths := make([]string, len(l.changes))
	for i, c := range l.changes {
		paths[i] = c.Path
	}
	entries, err := l.repo.Tree(ctx, l.main, paths...)
	have := map[string]git.TreeEntry{}
	for _, e := range entries {
		have[e.Path] = e
	}
	return have, err
}

func same(e git.TreeEntry, mode, oid string) bool {
	if strings.Trim(oid, "0") == "" {
		return e.OID == ""
	}
	return e.OID == oid && e.Mode == mode
}

// byName judges commits that carry the item's line: each of the branch's commits is there
// under its subject, or one commit that is none of them touches every file of the item.
func (l *judge) byName(ctx context.Context, own, named []git.Commit) (string, error) {
	if len(named) == 0 {
		return "", nil
	}
	oids := make([]string, len(named))
	for i, c := range named {
		oids[i] = c.OID
	}
	changes, err := l.repo.CommitChanges(ctx, oids)
	if err != nil {
		return "", err
	}
	touched := map[string]map[string]bool{}
	for _, c := range changes {
		if touched[c.Commit] == nil {
			touched[c.Commit] = map[string]bool{}
		}
		touched[c.Commit][c.Path] = true
	}
	all, left := map[string]bool{}, len(own)
	pieces := map[string]bool{}
	for _, c := range own {
		for _, n := range named {
			if !pieces[n.OID] && n.Subject == c.Subject && n.AuthorEmail == c.AuthorEmail && len(touched[n.OID]) > 0 {
				pieces[n.OID] = true
				left--
				break
			}
		}
	}
	for _, n := range named {
		for p := range touched[n.OID] {
			all[p] = true
		}
		if len(own) > 1 && !pieces[n.OID] && l.covered(touched[n.OID]) || len(own) == 1 && l.covered(touched[n.OID]) {
			l.commit = n.OID
			return BySquash, nil
		}
	}
	if left == 0 && l.covered(all) {
		return ByPatches, nil
	}
	return "", nil
}

// covered reports whether the files hold all that the item changes.
func (l *judge) covered(files map[string]bool) bool {
	for _, c := range l.changes {
		if !files[c.Path] {
			return false
		}
	}
	return true
}

// verify finds what of the item main does not hold, and what of others went missing when
// it landed.
func (l *judge) verify(ctx context.Context, out *Landing) error {
	have, err := l.onMain(ctx)
	if err != nil {
		return err
	}
	for _, c := range l.changes {
		if same(have[c.Path], c.OldMode, c.OldOID) {
			out.Missing = append(out.Missing, c.Path)
		}
	}
	if out.How == ByMerge {
		return nil // git merged both sides
	}
	return l.lost(ctx, out)
}

// lost looks, file by file, for the commit of main that made the file what the branch has,
// although others had changed it since the branch left main.
func (l *judge) lost(ctx context.Context, out *Landing) error {
	oids := make([]string, len(l.log))
	byID := map[string]git.Commit{}
	for i, c := range l.log {
		oids[i], byID[c.OID] = c.OID, c
	}
	changes, err := l.repo.CommitChanges(ctx, oids)
	if err != nil {
		return err
	}
	history := map[string][]git.CommitChange{} // newest first
	for _, c := range changes {
		history[c.Path] = append(history[c.Path], c)
	}
	cat := l.repo.NewCatFile(ctx)
	defer cat.Close()
	for _, c := range l.changes {
		h := history[c.Path]
		at := -1
		for i := range h {
			if h[i].OID == c.NewOID {
				at = i
			}
		}
		if c.Status != 'M' || at < 0 || at+1 >= len(h) || h[at+1].OID == c.OldOID || h[at+1].OID == c.NewOID {
			continue
		}
		texts := map[string][]byte{}
		for _, oid := range []string{c.OldOID, h[at+1].OID, c.NewOID} {
			o, err := cat.Read(oid, 1<<20)
			if err != nil {
				return err
			}
			texts[oid] = o.Data
		}
		if lines := gone(texts[c.OldOID], texts[h[at+1].OID], texts[c.NewOID]); len(lines) > 0 {
			const few = 5
			out.Lost = append(out.Lost, Loss{Path: c.Path, Commit: byID[h[at+1].Commit], Count: len(lines), Lines: lines[:min(len(lines), few)]})
			if out.Commit == "" {
				out.Commit = h[at].Commit
			}
		}
	}
	return nil
}

// gone are the lines that others added to a file and that are not in the result.
func gone(base, others, result []byte) []string {
	count := map[string]int{}
	for l := range bytes.Lines(result) {
		count[string(bytes.TrimSpace(l))]++
	}
	for l := range bytes.Lines(base) {
		count[string(bytes.TrimSpace(l))]++ // it was there before them
	}
	var out []string
	for l := range bytes.Lines(others) {
		t := string(bytes.TrimSpace(l))
		if count[t]--; count[t] < 0 && t != "" {
			out = append(out, t)
		}
	}
	return out
}

// TakenBack reports whether main has every file of a landed item as it was before it.
func TakenBack(ctx context.Context, repo *git.Repo, main string, it Item) (bool, error) {
	changes, err := repo.DiffTrees(ctx, it.Base, it.Head)
	if err != nil || len(changes) == 0 {
		return false, err
	}
	l := &judge{repo: repo, main: main, it: it, changes: plain(changes)}
	have, err := l.onMain(ctx)
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
