package rules

import (
	"sort"

	"gitlet/internal/migration"
	"gitlet/internal/model"
	"gitlet/internal/view"
)

var migrations = &Rule{
	Kind: "migration",
	When: "Both items, or my item and main since my base, add a migration in the same folder with the same number; or, where migrations name the one they build on (Alembic, Django), both build on the same one.",
	Severities: []Level{
		{model.Act, "always"},
	},
	Why: "Both merge without a conflict. Then one of the two never runs, runs in the wrong order, or the tool refuses to run any.",
	Options: []Choice{
		ask("agree who takes which number"),
		{Verb: "update", Why: "bring main's migration into your branch, then change yours", When: "main has it", fits: onMain},
		readTheirs,
		dismissNote,
	},
	mutual: true,
	find:   findMigration,
	title:  titleMigration,
}

// clash is one way in which two migrations exclude each other.
type clash struct {
	dir    string
	number string // as mine spells it; "" for two that build on the same one
	after  string // the migration both build on; "" for the first
	main   bool   // main has the other
}

func onMain(_ *Input, fs []finding) bool {
	for _, f := range fs {
		if f.clash.main {
			return true
		}
	}
	return false
}

// step is one migration of an item or of main, with the files it is made of.
type step struct {
	migration.Entry
	files    []string
	revision *migration.Revision
}

func (s step) subject() string { return s.Dir + "/" + s.Spelled }

// added are the migrations that a change adds, in the order of their names. holder is
// the item's id, "" for main.
func (in *Input) added(holder string, f *model.Footprint) []step {
	by := map[string]*step{}
	if f == nil {
		return nil
	}
	for _, c := range f.Files {
		if c.Status != "A" && c.Status != "R" {
			continue
		}
		e, ok := migration.Of(c.Path, in.View.MigrationDirs)
		if !ok {
			continue
		}
		if was, ok := migration.Of(c.OldPath, in.View.MigrationDirs); ok && c.OldPath != "" && was.Dir == e.Dir && (was.Number == e.Number || e.Chained) {
			continue // another name for the same one
		}
		key := e.Dir + "/" + e.Number
		if e.Number == "" {
			key = e.Dir + "/" + e.Name
		}
		s := by[key]
		if s == nil {
			s = &step{Entry: e}
			by[key] = s
		}
		s.files = append(s.files, c.Path)
		if r, ok := in.View.Revisions[view.Place{Item: holder, Path: c.Path}]; ok {
			s.revision = &r
		}
	}
	var out []step
	for _, key := range sortedSteps(by) {
		s := by[key]
		sort.Strings(s.files)
		out = append(out, *s)
	}
	return out
}

func sortedSteps(m map[string]*step) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

func findMigration(in *Input, mine model.Item) []finding {
	own := in.added(mine.ID, mine.Footprint)
	if len(own) == 0 {
		return nil
	}
	var all []met
	for i := range in.Peers {
		p := &in.Peers[i]
		for _, c := range meets(own, in.added(p.Item.ID, p.Item.Footprint)) {
			c.peer = p
			all = append(all, c)
		}
	}
	if since := in.View.SinceBase(mine); since.Footprint != nil && !in.pairOnly {
		for _, c := range meets(own, in.added("", since.Footprint)) {
			c.main = true
			all = append(all, c)
		}
	}
	next := in.nextNumbers(own, all)
	var out []finding
	for _, c := range all {
		out = append(out, c.finding(next[c.mine.subject()]))
	}
	return out
}

// met is a clash of two steps.
type met struct {
	clash
	mine, theirs step
	peer         *view.Peer
}

// meets finds the steps of mine that exclude one of theirs. A step that both hold
// under one path is the same one.
func meets(mine, theirs []step) []met {
	held := map[string]bool{}
	for _, t := range theirs {
		held[t.files[0]] = true
	}
	var out []met
	chained := map[string]bool{}
	for _, m := range mine {
		for _, t := range theirs {
			if m.Dir != t.Dir || held[m.files[0]] {
				continue
			}
			if known := m.revision != nil && t.revision != nil; known || m.Chained || t.Chained {
				if chained[m.Dir] {
					continue
				}
				after, both := forks(inDir(mine, m.Dir), inDir(theirs, m.Dir), known)
				if chained[m.Dir] = both; both {
					out = append(out, met{clash: clash{dir: m.Dir, after: after}, mine: m, theirs: t})
				}
				continue
			}
			if m.Number == t.Number {
				out = append(out, met{clash: clash{dir: m.Dir, number: m.Spelled}, mine: m, theirs: t})
			}
		}
	}
	return out
}

func inDir(all []step, dir string) []step {
	var out []step
	for _, s := range all {
		if s.Dir == dir {
			out = append(out, s)
		}
	}
	return out
}

// forks reports whether two sets of new migrations of one folder build on the same one,
// so that the chain has two ends, and names it. What is not known is taken to build on
// the present end, as a new migration does.
func forks(mine, theirs []step, known bool) (after string, both bool) {
	if !known {
		return "", true
	}
	a, b := roots(mine, theirs), roots(theirs, mine)
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return x, true
			}
		}
	}
	return "", false
}

// roots are the migrations that a set builds on and does not hold itself: neither it
// nor the other set, whose members it would be after.
func roots(of, other []step) []string {
	held := map[string]bool{}
	for _, set := range [][]step{of, other} {
		for _, s := range set {
			if s.revision != nil {
				held[s.revision.ID] = true
			}
		}
	}
	var out []string
	for _, s := range of {
		switch {
		case s.revision == nil:
		case len(s.revision.After) == 0:
			out = append(out, "")
		default:
			for _, a := range s.revision.After {
				if !held[a] {
					out = append(out, a)
				}
			}
		}
	}
	sort.Strings(out)
	return out
}

// finding words a clash; next is the free number for mine.
func (c met) finding(next string) finding {
	f := finding{severity: model.Act, breaking: true, clash: &c.clash, subject: c.mine.subject(), peer: c.peer}
	f.shared = []fact{{"yours", listed(placed(c.mine.files))}}
	theirs := fact{"theirs", listed(placed(c.theirs.files))}
	if c.main {
		f.shared = append(f.shared, fact{"on main", theirs.text})
	} else {
		f.other, f.paths = []fact{theirs}, c.theirs.files
	}
	if next != "" {
		f.last = append(f.last, fact{"next free number", next})
	}
	if c.number == "" {
		f.subject = c.dir
		f.last = append(f.last, fact{"", "whoever lands second builds on the other's" + end(c.theirs)})
	}
	return f
}

// end names the migration to build on, where it is known.
func end(s step) string {
	if s.revision == nil {
		return ""
	}
	return ": " + place(s.revision.ID)
}

func placed(files []string) []string {
	out := make([]string, len(files))
	for i, f := range files {
		out[i] = place(f)
	}
	return out
}

// nextNumbers are numbers for those of my migrations that clash, by subject, that nobody
// has: neither main, nor an item, nor another branch, nor a claim on one. They follow
// one another as mine do.
func (in *Input) nextNumbers(own []step, all []met) map[string]string {
	clashing := map[string]bool{}
	for _, c := range all {
		clashing[c.mine.subject()] = true
	}
	out, taken := map[string]string{}, map[string][]string{}
	for _, s := range own {
		if !clashing[s.subject()] || s.Spelled == "" {
			continue
		}
		if taken[s.Dir] == nil {
			taken[s.Dir] = TakenNumbers(in.View, s.Dir)
		}
		next := migration.Next(s.Spelled, taken[s.Dir])
		out[s.subject()] = next
		taken[s.Dir] = append(taken[s.Dir], migration.Comparable(next))
	}
	return out
}

// TakenNumbers lists the numbers of migrations in a folder that are in use: on main, by
// an item in view, on a branch of the remote, or handed out by a claim.
func TakenNumbers(v *view.View, dir string) []string {
	set := map[string]bool{}
	add := func(file string) {
		if e, ok := migration.Of(file, v.MigrationDirs); ok && e.Dir == dir && e.Number != "" {
			set[e.Number] = true
		}
	}
	for _, file := range v.Migrations {
		add(file)
	}
	footprint := func(f *model.Footprint) {
		if f == nil {
			return
		}
		for _, c := range f.Files {
			if c.Status != "D" {
				add(c.Path)
			}
		}
	}
	for _, it := range v.Items {
		footprint(it.Footprint)
	}
	for _, p := range v.Peers {
		footprint(p.Item.Footprint)
	}
	for _, b := range v.Outside {
		for _, file := range b.Files {
			add(file)
		}
	}
	for _, c := range v.Claims {
		if d, n, ok := migration.Handed(c.Resource); ok && d == dir {
			set[n] = true
		}
	}
	return sortedKeys(set)
}

func titleMigration(_ string, fs []finding) string {
	var others []finding
	main := false
	for _, f := range fs {
		if f.peer != nil {
			others = append(others, f)
		}
		main = main || f.clash.main
	}
	c := fs[0].clash
	what := "migration " + place(c.number) + " in " + place(c.dir)
	if c.number == "" {
		what = "a migration in " + place(c.dir) + " after " + place(c.after)
		if c.after == "" {
			what = "a migration in " + place(c.dir)
		}
	}
	switch {
	case main && len(others) == 0:
		if c.number == "" {
			return "main has got " + what + " since you branched off, and so have you"
		}
		return "main has got a " + what + " since you branched off, and you add one too"
	case main:
		return "main and " + peers(others) + " add " + what + ", and so do you"
	case len(others) == 1:
		return peers(others, "you") + " both add " + what
	}
	return peers(others, "you") + " all add " + what
}
