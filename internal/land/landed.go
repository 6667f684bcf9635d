package land

import (
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
	// Partly is what the item added and its landing left out, Lost what others had landed
	// and the item's landing took away again.
	Partly, Lost []Loss
}

// Loss is lines of a file that a landing dropped.
type Loss struct {
	Path   string
	Commit git.Commit // the last one of others that changed the file; none for the item's own lines
	Lines  []string   // the first few of them
	Count  int
}

// maxMainLog bounds how much of main is looked through for the way an item came there.
const maxMainLog = 2000

// Landed judges by content whether an item is on main; nil where it is not. A branch
// without a change of its own never lands, a part of its commits is not the item, and a
// commit that only names the item says nothing.
func Landed(ctx context.Context, repo *git.Repo, main string, it Item) (*Landing, error) {
	l, err := newJudge(ctx, repo, main, it)
	if l == nil || err != nil {
		return nil, err
	}
	how, err := l.how(ctx)
	if err != nil || how == "" {
		return nil, err
	}
	out := &Landing{How: how, Commit: l.commit}
	return out, l.verify(ctx, out)
}

// Holds reports whether main has all that an item changes, however it came there: merging
// it would add nothing. Of an item without a change of its own it says no.
func Holds(ctx context.Context, repo *git.Repo, main string, it Item) (bool, error) {
	l, err := newJudge(ctx, repo, main, it)
	if l == nil || err != nil {
		return false, err
	}
	is, err := repo.IsAncestor(ctx, it.Head, main)
	if is || err != nil {
		return is, err
	}
	return l.nothingLeft(ctx)
}

// newJudge reads what the item changes; nil where that is nothing.
func newJudge(ctx context.Context, repo *git.Repo, main string, it Item) (*judge, error) {
	if it.Head == "" || it.Base == "" || main == "" || it.Head == it.Base {
		return nil, nil
	}
	changes, err := repo.DiffTrees(ctx, it.Base, it.Head)
	if err != nil || len(changes) == 0 {
		return nil, err
	}
	return &judge{repo: repo, main: main, it: it, changes: plain(changes)}, nil
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
	log     []git.Commit    // of main since the item's base, newest first
	named   map[string]bool // those that carry the item's line
}

func (l *judge) how(ctx context.Context) (string, error) {
	is, err := l.repo.IsAncestor(ctx, l.it.Head, l.main)
	if err != nil {
		return "", err
	}
	if l.log, err = l.repo.Log(ctx, git.LogOptions{From: []string{l.main}, Not: []string{l.it.Base}, Max: maxMainLog}); err != nil {
		return "", err
	}
	if is {
		return ByMerge, nil
	}
	own, err := l.repo.Log(ctx, git.LogOptions{From: []string{l.it.Head}, Not: []string{l.main, l.it.Base}})
	if err != nil {
		return "", err
	}
	named := l.naming()
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

// naming are main's commits that carry the item's line, the newest first: not those of its
// interface alone, and none that take something back.
func (l *judge) naming() []git.Commit {
	var out []git.Commit
	l.named = map[string]bool{}
	for _, c := range l.log {
		if slices.Contains(c.Trailer("Gitlet-Item"), l.it.ID) && len(c.Trailer(StubTrailer)) == 0 &&
			!strings.HasPrefix(c.Subject, "interface: ") && !strings.Contains(c.Message, "This reverts commit ") {
			out = append(out, c)
			l.named[c.OID] = true
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
	have, err := l.onMain(ctx, l.main)
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

// onMain are the item's files as a commit of main has them.
func (l *judge) onMain(ctx context.Context, rev string) (map[string]git.TreeEntry, error) {
	paths := make([]string, len(l.changes))
	for i, c := range l.changes {
		paths[i] = c.Path
	}
	entries, err := l.repo.Tree(ctx, rev, paths...)
	have := map[string]git.TreeEntry{}
	for _, e := range entries {
		have[e.Path] = e
	}
	return have, err
}

func same(e git.TreeEntry, mode, oid string) bool {
	if none(oid) {
		return e.OID == ""
	}
	return e.OID == oid && e.Mode == mode
}

// none reports that an object id says there is no file.
func none(oid string) bool { return strings.Trim(oid, "0") == "" }

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
