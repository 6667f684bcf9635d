package footprint

import (
	"errors"
	"path"
	"slices"
	"strings"

	"gitlet/internal/lang"
	"gitlet/internal/model"
	"gitlet/internal/symbols"
)

// Bounds of one footprint. What they cut off makes it broad.
const (
	maxRefs    = 3000 // references kept
	maxReasons = 8    // reasons kept for one change
	// maxParsed is how many changed files are read for symbols, in path order; the
	// rest are tracked at file level.
	maxParsed = 2000
)

// The sizes from which a footprint is broad, where Input sets none.
const (
	DefaultBroadFiles   = 50
	DefaultBroadSymbols = 200
)

// Delta is one changed file between base and head.
type Delta struct {
	// Path is where the file is (or was, when removed); OldPath where it was before
	// a rename or a copy, "" otherwise.
	Path, OldPath string
	// Status is git's letter: A, M, D, R, C or T, with or without a score.
	Status string
	// OldMode and NewMode are git's modes ("100644"); "" means a regular file.
	OldMode, NewMode string
	// OldBlob and NewBlob name the contents, for the cache; "" is not cached.
	OldBlob, NewBlob string
	// Old and New return the contents. They are called only when needed, one at a time.
	Old, New func() ([]byte, error)
	// Withheld says why nothing of the content may be told; "" when it may.
	Withheld string
}

// Input is what a footprint is computed from.
type Input struct {
	Base, Head string // commit ids, recorded as given
	Deltas     []Delta
	// Repo answers for the repository at head, for resolving references; nil is an
	// empty repository.
	Repo lang.Repo
	// BroadFiles and BroadSymbols: a footprint with more is broad; 0 is the default.
	BroadFiles, BroadSymbols int
	// MaxRefs is how many references are kept; 0 is the default. What it cuts off makes
	// the footprint broad.
	MaxRefs int
	// Cache holds facts by blob. Without one, every version is read with Limits
	// (zero: the default limits).
	Cache  *symbols.Cache
	Limits symbols.Limits
}

// Compute returns the footprint of a change. It depends on the input's contents
// alone, not on the order of the deltas.
func Compute(in Input) model.Footprint {
	fp := model.Footprint{
		Base: in.Base, Head: in.Head, Version: model.FootprintVersion,
		Files: []model.FileChange{}, Symbols: []model.SymbolChange{}, Refs: []model.Ref{},
	}
	c := computer{in: in, cache: in.Cache, repo: newMemoRepo(in.Repo)}
	if c.cache == nil {
		if in.Limits == (symbols.Limits{}) {
			in.Limits = symbols.DefaultLimits
		}
		c.cache = symbols.NewCache(in.Limits, 1)
	}
	var files []*file
	for _, d := range prepare(in.Deltas) {
		f := c.file(d)
		c.hunks(f, d)
		files = append(files, f)
		fp.Files = append(fp.Files, f.change)
	}
	joinModules(files)
	cut := false
	for _, f := range files {
		for i := range f.changes {
			trimReasons(&f.changes[i])
		}
		fp.Symbols = append(fp.Symbols, f.changes...)
	}
	fp.Refs, cut = c.refs(files)
	fp.Broad = cut || c.parsed > maxParsed ||
		len(fp.Files) > orDefault(in.BroadFiles, DefaultBroadFiles) ||
		len(fp.Symbols) > orDefault(in.BroadSymbols, DefaultBroadSymbols)
	return fp
}

func orDefault(n, fallback int) int {
	if n > 0 {
		return n
	}
	return fallback
}

func trimReasons(c *model.SymbolChange) {
	if len(c.Reasons) > maxReasons {
		c.Reasons = c.Reasons[:maxReasons]
	}
}

// prepare puts deltas into one order and one shape: a copy is an addition, and a
// rename between languages that do not know each other is a removal and an addition.
func prepare(deltas []Delta) []Delta {
	out := make([]Delta, 0, len(deltas))
	for _, d := range deltas {
		if d.Status == "" {
			d.Status = "M"
		}
		switch d.Status = d.Status[:1]; d.Status {
		case "C":
			d = Delta{Path: d.Path, Status: "A", NewMode: d.NewMode, NewBlob: d.NewBlob, New: d.New, Withheld: d.Withheld}
		case "R":
			if d.OldPath == "" || d.OldPath == d.Path {
				d.Status, d.OldPath = "M", ""
			} else if family(lang.ForPath(d.OldPath)) != family(lang.ForPath(d.Path)) {
				out = append(out, Delta{Path: d.OldPath, Status: "D", OldMode: d.OldMode, OldBlob: d.OldBlob, Old: d.Old, Withheld: d.Withheld})
				d = Delta{Path: d.Path, Status: "A", NewMode: d.NewMode, NewBlob: d.NewBlob, New: d.New, Withheld: d.Withheld}
			}
		default:
			d.OldPath = ""
		}
		out = append(out, d)
	}
	slices.SortStableFunc(out, func(a, b Delta) int {
		if n := strings.Compare(a.Path, b.Path); n != 0 {
			return n
		}
		if n := strings.Compare(a.OldPath, b.OldPath); n != 0 {
			return n
		}
		return strings.Compare(a.Status, b.Status)
	})
	return out
}

func family(l *lang.Language) string {
	if l == nil {
		return ""
	}
	return l.Family
}

// file is one changed file while a footprint is made.
type file struct {
	change  model.FileChange
	lang    *lang.Language // of the new version, or of the old one when removed
	facts   *lang.Facts    // of the new version; nil when absent or at file level
	symbols []model.Symbol // of the new version, without Path and Key
	changes []model.SymbolChange
	// touched marks the symbols (by index) whose references count.
	touched map[int]bool
	// old is the old version and was the symbol (by index) that one of the new was;
	// they tell which references the changed code made before.
	old *lang.Facts
	was map[int]int
	// loose marks the lines of changed code outside every symbol, looseWas those of the
	// old version.
	loose, looseWas map[int]bool
}

type computer struct {
	in     Input
	cache  *symbols.Cache
	repo   lang.Repo
	parsed int // files read for symbols so far
	// diffed is how many files were compared by lines so far, diffedRead the bytes read for it.
	diffed, diffedRead int
}

// The reasons for tracking a file at file level that are not the parser's.
const (
	reasonLanguage  = "not a language gitlet reads"
	reasonLink      = "a symbolic link"
	reasonSubmodule = "a submodule"
	reasonType      = "it changed between a file and something else"
	reasonContent   = "its content could not be read"
	reasonMany      = "too many files changed"
	reasonNewErrors = "new syntax errors"
	reasonErrors    = "syntax errors that are new or lie in changed text"
	reasonOld       = "its base version: "
)

func (c *computer) file(d Delta) *file {
	f := &file{change: model.FileChange{Path: d.Path, OldPath: d.OldPath, Status: d.Status}}
	f.lang = lang.ForPath(d.Path)
	if f.lang != nil {
		f.change.Lang = f.lang.Name
	}
	if f.change.Reason = d.Withheld; f.change.Reason == "" {
		f.change.Reason = modeReason(d)
	}
	if f.change.Reason == "" && f.lang == nil {
		f.change.Reason = reasonLanguage
	}
	if f.change.Reason != "" {
		return f
	}
	if c.parsed++; c.parsed > maxParsed {
		f.change.Reason = reasonMany
		return f
	}
	var old, new *lang.Facts
	oldLang := f.lang
	if d.OldPath != "" {
		oldLang = lang.ForPath(d.OldPath)
	}
	if d.Status != "A" {
		if old, f.change.Reason = c.facts(d.OldBlob, oldLang, d.Old); old == nil {
			f.change.Reason = reasonOld + f.change.Reason
			return f
		}
	}
	if d.Status != "D" {
		if new, f.change.Reason = c.facts(d.NewBlob, f.lang, d.New); new == nil {
			return f
		}
	}
	c.diff(f, d, old, new)
	return f
}

func modeReason(d Delta) string {
	kind := func(mode string) string {
		switch mode {
		case "120000":
			return reasonLink
		case "160000":
			return reasonSubmodule
		}
		return ""
	}
	old, new := kind(d.OldMode), kind(d.NewMode)
	switch {
	case d.Status == "A":
		return new
	case d.Status == "D":
		return old
	case old != new || d.Status == "T":
		return reasonType
	}
	return new
}

// facts returns what a version says, or the reason why it cannot be told.
func (c *computer) facts(blob string, l *lang.Language, read func() ([]byte, error)) (*lang.Facts, string) {
	f, err := c.cache.Get(blob, l, readOnce(read))
	if err == nil {
		return f, ""
	}
	if errors.Is(err, errNoContent) {
		return nil, reasonContent
	}
	return nil, err.Error()
}

// errNoContent marks a version whose reader failed, told apart from the parser's reasons.
var errNoContent = errors.New("content not read")

func readOnce(read func() ([]byte, error)) func() ([]byte, error) {
	return func() ([]byte, error) {
		if read == nil {
			return nil, errNoContent
		}
		b, err := read()
		if err != nil {
			return nil, errors.Join(errNoContent, err)
		}
		return b, nil
	}
}

// diff compares the two versions of a file that both can be read; nil is an
// absent one.
func (c *computer) diff(f *file, d Delta, old, new *lang.Facts) {
	m := &fileMatch{lang: f.lang, path: d.Path, oldPath: d.Path, touched: map[int]bool{}}
	if d.OldPath != "" {
		m.oldPath, m.moved = d.OldPath, true
	}
	if new != nil && new.HasErrors && (old == nil && !confined(new) || old != nil && !old.HasErrors) {
		f.change.Reason = reasonNewErrors
		return
	}
	if old != nil && new != nil && old.HasErrors {
		m.text = c.textOf(d)
		if m.text == nil {
			f.change.Reason = reasonContent
			return
		}
	}
	if old != nil {
		m.old = old.Symbols
	}
	if new != nil {
		m.new = new.Symbols
	}
	m.read = func() (old, new []byte, ok bool) {
		old, err := readOnce(d.Old)()
		if err == nil {
			new, err = readOnce(d.New)()
		}
		return old, new, err == nil
	}
	m.match()
	if m.text != nil {
		fresh := freshErrors(m.text, old, new)
		if len(fresh) > 0 && (len(m.removed) > 0 || slices.ContainsFunc(fresh, outsideAll)) {
			f.change.Reason = reasonErrors
			return
		}
		m.doubt(fresh)
	}
	m.run()
	f.change.Parsed, f.facts, f.symbols = true, new, m.new
	f.changes, f.touched = m.changes, m.touched
	f.old, f.was = old, m.was
	f.loose = looseLines(old, new, m)
	if f.change.Outside = f.loose != nil; f.change.Outside {
		f.looseWas = looseBefore(old, new, m)
	}
	f.addHeads(new, m.stays(m.new, false))
}

// addHeads counts the lines around symbols that are all new, such as the head of an
// impl block: the symbols' own changes tell of them, but what they refer to (the
// trait) is referred to nowhere else.
func (f *file) addHeads(new *lang.Facts, stays map[string]bool) {
	if new == nil {
		return
	}
	for _, s := range new.Loose {
		if len(s.Holds) == 0 || slices.ContainsFunc(s.Holds, func(q string) bool { return stays[q] }) {
			continue
		}
		if f.loose == nil {
			f.loose = map[int]bool{}
		}
		for _, l := range s.Lines {
			f.loose[l.Line] = true
		}
	}
}

func outsideAll(e lang.ErrorRegion) bool { return e.Symbol < 0 }

// confined reports whether every error of a file lies in the body of a definition,
// so that its names and signatures are read all the same.
func confined(f *lang.Facts) bool {
	return !slices.ContainsFunc(f.Errors, func(e lang.ErrorRegion) bool { return e.Symbol < 0 || e.Head })
}

// textOf compares the contents of both versions; nil when one cannot be read.
func (c *computer) textOf(d Delta) *textDiff {
	old, err := readOnce(d.Old)()
	if err != nil {
		return nil
	}
	new, err := readOnce(d.New)()
	if err != nil {
		return nil
	}
	return diffText(old, new)
}

// freshErrors returns the error regions of the new version that were not there
// before in text that did not change. Without any, error recovery read both alike.
func freshErrors(d *textDiff, old, new *lang.Facts) []lang.ErrorRegion {
	kept := map[[2]int]bool{}
	for _, e := range old.Errors {
		if start, end, ok := d.toNew(e.Start, e.End); ok {
			kept[[2]int{start, end}] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(new.Errors), func(e lang.ErrorRegion) bool {
		return kept[[2]int{d.newText.at(e.Start), d.newText.at(e.End)}]
	})
}

// looseLines returns the lines of the new version that hold changed code outside
// every symbol: empty but not nil when such code only went away, nil when there is
// no change. A statement around symbols counts only when one of them was there
// before and still is; otherwise the symbol's own change tells of it.
func looseLines(old, new *lang.Facts, m *fileMatch) map[int]bool {
	return looseDiff(old, new, m.stays(m.old, true), m.stays(m.new, false))
}

func looseDiff(old, new *lang.Facts, staysOld, staysNew map[string]bool) map[int]bool {
	both := old != nil && new != nil
	plainOld, aroundOld := splitLoose(old, staysOld, both)
	plainNew, aroundNew := splitLoose(new, staysNew, both)
	plainSame := slices.EqualFunc(plainOld, plainNew, func(a, b lang.Loose) bool { return a.Hash == b.Hash })
	if plainSame && sameSet(aroundOld, aroundNew) {
		return nil
	}
	before := append(plainOld, aroundOld...)
	statements := map[uint64]int{}
	lines := map[uint64]int{}
	for _, s := range before {
		statements[s.Hash]++
		for _, l := range s.Lines {
			lines[l.Hash]++
		}
	}
	out := map[int]bool{}
	for _, s := range append(plainNew, aroundNew...) {
		if statements[s.Hash] > 0 {
			statements[s.Hash]--
			continue
		}
		for _, l := range s.Lines {
			if lines[l.Hash] > 0 {
				lines[l.Hash]--
				continue
			}
			out[l.Line] = true
		}
	}
	return out
}

// splitLoose tells statements by themselves from those around symbols that stay.
func splitLoose(f *lang.Facts, stays map[string]bool, clauses bool) (plain, around []lang.Loose) {
	if f == nil {
		return nil, nil
	}
	for _, s := range f.Loose {
		if len(s.Holds) == 0 {
			if clauses || !s.Clause {
				plain = append(plain, s)
			}
			continue
		}
		if slices.ContainsFunc(s.Holds, func(q string) bool { return stays[q] }) {
			around = append(around, s)
		}
	}
	return plain, around
}

func sameSet(a, b []lang.Loose) bool {
	count := map[uint64]int{}
	for _, s := range a {
		count[s.Hash]++
	}
	for _, s := range b {
		count[s.Hash]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// sameModule reports whether files at the two paths stand for one module, so that
// users of what they define see no difference.
func sameModule(a *lang.Language, pathA string, b *lang.Language, pathB string) bool {
	if family(a) != family(b) || a == nil {
		return false
	}
	other := b.Modules(pathB)
	return slices.ContainsFunc(a.Modules(pathA), func(m string) bool { return slices.Contains(other, m) })
}

// moduleText names the module of a path in a reason.
func moduleText(l *lang.Language, p string) string {
	if l != nil {
		if m := l.Modules(p); len(m) > 0 && m[0] != "" {
			return m[0]
		}
	}
	return path.Dir(p)
}
