package similar

import (
	"sort"

	"gitlet/internal/model"
)

// A footprint signal by files needs this share of the changed files in common, and at
// least this many in common: two small tasks often meet in one file.
const (
	MinJaccard = 0.5
	MinFiles   = 2
)

// Likeness says what two footprints have in common.
type Likeness struct {
	// Files are the paths both change, sorted; Jaccard is their share of all paths
	// that either changes, Of the number of those.
	Files   []string
	Jaccard float64
	Of      int
	// NewFiles are the paths both add; NewNames the qualified names both add in one
	// language family, wherever they stand. Both sorted.
	NewFiles []string
	NewNames []string
}

// Signal reports whether the footprints look like the same task.
func (l Likeness) Signal() bool {
	return l.ManyFiles() || l.Named()
}

// Named reports whether both add something by the same name: a file or a definition.
func (l Likeness) Named() bool { return len(l.NewFiles) > 0 || len(l.NewNames) > 0 }

// ManyFiles reports whether the footprints change mostly the same files.
func (l Likeness) ManyFiles() bool { return l.Jaccard >= MinJaccard && len(l.Files) >= MinFiles }

// Reading says what the changes of one repository mean.
type Reading struct {
	// Family maps a language's name to the family whose names mean the same thing.
	Family func(lang string) string
	// Common reports files that say nothing about a task because nearly every change
	// touches them.
	Common func(path string) bool
	// Boilerplate reports definitions that the framework of their file asks for.
	Boilerplate func(s model.Symbol) bool
}

// Footprints compares what two items change. Either footprint may be nil.
func Footprints(a, b *model.Footprint, r Reading) Likeness {
	var l Likeness
	if a == nil || b == nil {
		return l
	}
	fa, fb := statuses(a, r.Common), statuses(b, r.Common)
	l.Of = len(fb)
	for p, sa := range fa {
		sb, both := fb[p]
		if !both {
			l.Of++
			continue
		}
		l.Files = append(l.Files, p)
		if sa == "A" && sb == "A" {
			l.NewFiles = append(l.NewFiles, p)
		}
	}
	if l.Of > 0 {
		l.Jaccard = float64(len(l.Files)) / float64(l.Of)
	}
	na, nb := addedNames(a, r), addedNames(b, r)
	seen := map[string]bool{}
	for n := range na {
		if nb[n] && !seen[n.name] {
			seen[n.name] = true
			l.NewNames = append(l.NewNames, n.name)
		}
	}
	sort.Strings(l.Files)
	sort.Strings(l.NewFiles)
	sort.Strings(l.NewNames)
	return l
}

func statuses(f *model.Footprint, common func(string) bool) map[string]string {
	m := map[string]string{}
	for _, c := range f.Files {
		if !common(c.Path) {
			m[c.Path] = c.Status
		}
	}
	return m
}

type familyName struct{ family, name string }

// entryPoints are names that a language, a test runner or a framework gives, and that any
// two tasks may add, each in a file of its own.
var entryPoints = lazySet(`
main init run setup teardown setUp tearDown setUpClass tearDownClass TestMain up down upgrade downgrade change
handler handle default Default Meta meta Props Page Layout Loading Error metadata generateMetadata generateStaticParams
loader action GET POST PUT PATCH DELETE HEAD OPTIONS middleware config register activate deactivate`)

func addedNames(f *model.Footprint, r Reading) map[familyName]bool {
	m := map[familyName]bool{}
	for _, c := range f.Symbols {
		if c.Change == model.ChangeAdded && !entryPoints()[c.Symbol.Qualified] && !r.Boilerplate(c.Symbol) {
			m[familyName{r.Family(c.Symbol.Lang), c.Symbol.Qualified}] = true
		}
	}
	return m
}
