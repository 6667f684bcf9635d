package engine

import (
	"context"
	"errors"
	"sort"
	"strings"
	"time"

	"gitlet/internal/footprint"
	"gitlet/internal/lang"
	"gitlet/internal/migration"
	"gitlet/internal/model"
	"gitlet/internal/sources"
	"gitlet/internal/view"
)

const (
	// maxMainFiles is how many files of code main may have changed since a base to be
	// compared symbol by symbol.
	maxMainFiles = 300
	// maxMainRefs is how many references of main's changed code are kept: an item's
	// work is bounded for the shared document, main's stays here.
	maxMainRefs = 60000
)

// How long reading main's changes may take in a verb and in the background. What was
// read before time ran out is remembered by the process, so a tick gets there in the end.
const (
	mainInVerb = 3 * time.Second
	mainInTick = 15 * time.Second
)

// mainSince fills in what main did since the base of each item of mine, computed once
// for each pair of base and main, whichever agent of the clone comes first.
func (e *Engine) mainSince(ctx context.Context, v *view.View) {
	main := e.mainOID(ctx)
	v.Since = map[string]view.Since{}
	for _, it := range v.Items {
		if it.Footprint == nil || main == "" {
			continue
		}
		base := it.Footprint.Base
		if _, done := v.Since[base]; done || base == "" || base == main || len(it.Footprint.Files) == 0 {
			continue
		}
		s := view.Since{Base: base, Tip: main}
		fp, err := e.mainFootprint(ctx, base, main)
		switch {
		case err == nil:
		case cut(ctx, err) || errors.Is(err, context.DeadlineExceeded):
			e.warnings.add("what %s changed since your base takes long to read; it is not compared with your work yet", e.main.Name)
		default:
			e.warnings.add("what %s changed since your base could not be read: %v", e.main.Name, err)
		}
		if s.Footprint = fp; fp != nil {
			if n := codeFiles(fp); n > maxMainFiles {
				s.Wide = true
				e.warnings.add("%s changed %d files of code since your base, too many to compare with your work: bring your branch up to date (update)", e.main.Name, n)
			}
		}
		v.Since[base] = s
	}
}

// mainFootprint is what main changed since base; nil without an error where the two
// share no history in this clone, so that nothing can be told.
func (e *Engine) mainFootprint(ctx context.Context, base, main string) (*model.Footprint, error) {
	known, err := e.ledger.Footprint(ctx, clone, base, main, model.FootprintVersion)
	if err == nil && known != nil {
		return known, nil
	}
	limit := mainInVerb
	if e.ticking {
		limit = mainInTick
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if apart, err := e.apart(ctx, base, main); err != nil || apart {
		return nil, err
	}
	return e.readChange(ctx, base, main, maxMainRefs)
}

// apart reports whether base is no ancestor of main: main was rewritten, or the clone is
// too shallow to tell.
func (e *Engine) apart(ctx context.Context, base, main string) (bool, error) {
	b, err := e.mergeBase(ctx, base, main)
	return b != base, err
}

// readChange computes what head changes against base for the clone and keeps it. Of a
// change of more than maxMainFiles files of code only the files are listed.
func (e *Engine) readChange(ctx context.Context, base, head string, refs int) (*model.Footprint, error) {
	changes, err := e.wt.DiffTrees(ctx, base, head)
	if err != nil {
		return nil, err
	}
	code := 0
	for _, c := range changes {
		if lang.ForPath(c.Path) != nil {
			code++
		}
	}
	why := func(string) string { return "" }
	if code > maxMainFiles {
		why = func(string) string { return "too many files changed" }
	}
	cat := e.wt.NewCatFile(ctx)
	defer cat.Close()
	fp := footprint.Compute(footprint.Input{
		Base: base, Head: head, Deltas: sources.Deltas(cat, changes, why, int64(e.settings.MaxSnapshotFile)), Repo: sources.At{Cat: cat, Rev: head},
		MaxRefs: refs, Cache: e.cache,
	})
	if err := ctx.Err(); err != nil {
		return nil, err // reads were cut short, so files may look unreadable
	}
	now := e.now()
	fp.ComputedAt = now.UTC().Format(time.RFC3339)
	if err := e.ledger.PutFootprint(ctx, clone, &fp, now); err != nil {
		e.warnings.add("a footprint could not be kept: %v", err)
	}
	return &fp, nil
}

func codeFiles(f *model.Footprint) int {
	n := 0
	for _, c := range f.Files {
		if c.Lang != "" {
			n++
		}
	}
	return n
}

// addedMigrations lists the files of migrations that a change adds.
func (e *Engine) addedMigrations(f *model.Footprint) (files []string, dirs map[string]bool) {
	dirs = map[string]bool{}
	if f == nil {
		return nil, dirs
	}
	for _, c := range f.Files {
		if c.Status != "A" && c.Status != "R" {
			continue
		}
		if m, ok := migration.Of(c.Path, e.settings.Migrations); ok {
			files = append(files, c.Path)
			dirs[m.Dir] = true
		}
	}
	return files, dirs
}

// sharesChain reports whether both add migrations in one folder whose content says what
// they build on.
func (e *Engine) sharesChain(a, b *model.Footprint) bool {
	mine, dirs := e.addedMigrations(a)
	chained := false
	for _, f := range mine {
		chained = chained || migration.Chains(f)
	}
	if !chained {
		return false
	}
	theirs, _ := e.addedMigrations(b)
	for _, f := range theirs {
		if m, _ := migration.Of(f, e.settings.Migrations); migration.Chains(f) && dirs[m.Dir] {
			return true
		}
	}
	return false
}

// keyMigrations is the ledger key of the clone for main's files in folders of
// migrations: the commit of main and the folders, then the files, NUL between all.
const keyMigrations = "main-migrations"

// migrations fills in what is known about migrations where an item of mine adds one.
func (e *Engine) migrations(ctx context.Context, v *view.View) {
	v.MigrationDirs = e.settings.Migrations
	dirs := map[string]bool{}
	for _, it := range v.Items {
		_, own := e.addedMigrations(it.Footprint)
		for d := range own {
			dirs[d] = true
		}
	}
	if len(dirs) == 0 {
		return
	}
	if err := e.mainMigrations(ctx, v, dirs); err != nil {
		e.warnings.add("the migrations on %s could not be listed: %v", e.main.Name, err)
	}
	if err := e.revisions(ctx, v, dirs); err != nil {
		e.warnings.add("what migrations build on could not be read: %v", err)
	}
}

func (e *Engine) mainMigrations(ctx context.Context, v *view.View, dirs map[string]bool) error {
	main := e.mainOID(ctx)
	if main == "" {
		return nil
	}
	names := make([]string, 0, len(dirs))
	for d := range dirs {
		names = append(names, d)
	}
	sort.Strings(names)
	key := main + "\x00" + strings.Join(names, "\x00") + "\x00\x00"
	if text, ok, err := e.ledger.Get(ctx, clone, keyMigrations); err == nil && ok {
		if rest, same := strings.CutPrefix(text, key); same {
			v.Migrations = strings.FieldsFunc(rest, func(r rune) bool { return r == 0 })
			return nil
		}
	}
	entries, err := e.wt.Tree(ctx, main, names...)
	if err != nil {
		return err
	}
	for _, x := range entries {
		if _, ok := migration.Of(x.Path, e.settings.Migrations); ok {
			v.Migrations = append(v.Migrations, x.Path)
		}
	}
	return e.ledger.Set(ctx, clone, keyMigrations, key+strings.Join(v.Migrations, "\x00"))
}

// revisions reads what added migrations build on: those of mine, of others whose work is
// here and adds some in the same folders, and of main. It costs one process, and that
// only where there is something to compare.
func (e *Engine) revisions(ctx context.Context, v *view.View, dirs map[string]bool) error {
	v.Revisions = map[view.Place]migration.Revision{}
	type file struct {
		at  view.Place
		rev string
	}
	var mine, others []file
	list := func(to *[]file, holder, rev string, f *model.Footprint) {
		added, _ := e.addedMigrations(f)
		for _, p := range added {
			if m, _ := migration.Of(p, e.settings.Migrations); migration.Chains(p) && dirs[m.Dir] && rev != "" {
				*to = append(*to, file{view.Place{Item: holder, Path: p}, rev})
			}
		}
	}
	own := map[string]bool{}
	for _, it := range v.Items {
		own[it.ID] = true
		list(&mine, it.ID, it.Footprint.Head, it.Footprint)
	}
	for i := range v.Peers {
		p := &v.Peers[i]
		if !own[p.Item.ID] && p.HaveTip {
			list(&others, p.Item.ID, p.Item.Tip(), p.Item.Footprint)
		}
	}
	for _, s := range v.Since {
		list(&others, "", s.Tip, s.Footprint)
	}
	if len(mine) == 0 || len(others) == 0 && len(v.Items) < 2 {
		return nil
	}
	cat := e.wt.NewCatFile(ctx)
	defer cat.Close()
	for _, f := range append(mine, others...) {
		data, err := (sources.At{Cat: cat, Rev: f.rev}).Read(f.at.Path)
		if err != nil {
			continue // not here: its number tells, or it is taken to build on the last one
		}
		if r, ok := migration.Read(f.at.Path, data); ok {
			v.Revisions[f.at] = r
		}
	}
	return ctx.Err()
}
