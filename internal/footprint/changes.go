package footprint

import (
	"slices"
	"strings"

	"gitlet/internal/lang"
	"gitlet/internal/model"
	"gitlet/internal/pattern"
)

// fileMatch finds out what became of each symbol of one file.
type fileMatch struct {
	lang          *lang.Language
	path, oldPath string
	moved         bool
	read          func() (old, new []byte, ok bool) // the contents of both versions
	text          *textDiff                         // set when the file has syntax errors in its old version
	old, new      []model.Symbol                    // as the cache holds them: without Path and Key, never changed

	partner        []int // for each old symbol its new self, or -1
	removed, added []int
	changes        []model.SymbolChange
	touched        map[int]bool // new symbols whose references count
	was            map[int]int  // for each new symbol that was there before its old self
	doubtful       map[int]bool // new symbols in whose heads an error is new
}

// run finds the changes of what match has paired.
func (m *fileMatch) run() {
	m.dropMisread()
	renamed := m.renames()
	m.was = map[int]int{}
	for j, i := range renamed.from {
		m.was[j] = i
	}
	var out []model.SymbolChange
	for i, j := range m.partner {
		if j >= 0 {
			m.was[j] = i
			if c, ok := m.pair(m.old[i], m.new[j], j); ok {
				out = append(out, c)
			}
		}
	}
	for _, j := range m.added {
		if i, ok := renamed.from[j]; ok {
			out = append(out, m.rename(renamed, i, j))
			continue
		}
		m.touched[j] = true
		out = append(out, m.addition(j))
	}
	slices.SortStableFunc(out, func(a, b model.SymbolChange) int { return a.Symbol.StartByte - b.Symbol.StartByte })
	for _, i := range m.removed {
		if !renamed.gone[i] {
			out = append(out, model.SymbolChange{
				Change: model.ChangeRemoved, Breaking: true, OldSignature: m.old[i].Signature,
				OldSigHash: m.old[i].SigHash, Reasons: []string{"it was removed"}, Symbol: m.old[i].At(m.oldPath),
			})
		}
	}
	m.changes = out
}

// addition is a new symbol. A constructor written for a class that had none is no new
// interface: the class could be built before, without arguments, unless it took its
// constructor from a base, which nothing here tells of.
func (m *fileMatch) addition(j int) model.SymbolChange {
	s := m.new[j].At(m.path)
	added := model.SymbolChange{Change: model.ChangeAdded, Symbol: s}
	if m.lang.Constructor == "" || s.Name != m.lang.Constructor || !s.TypeMember {
		return added
	}
	for i, o := range m.old {
		if o.Qualified != s.Container || m.partner[i] < 0 || hasBase(o) || hasBase(m.new[m.partner[i]]) {
			continue
		}
		before := s
		before.Params, before.Overloads = nil, nil
		diffs := Compare(m.lang, before, s)
		if len(diffs) == 0 {
			return added
		}
		c := model.SymbolChange{Change: model.ChangeSignature, OldSignature: o.Qualified + "()", SigChanged: true, Symbol: s}
		for _, d := range diffs {
			c.Breaking = c.Breaking || d.Breaking
			c.Reasons = append(c.Reasons, d.Text)
		}
		return c
	}
	return added
}

func hasBase(s model.Symbol) bool {
	return slices.ContainsFunc(s.Members, func(x model.Member) bool { return x.Kind == "base" })
}

var ordinal = pattern.New(`#[0-9]+`)

// plainName is a qualified name without the numbers that tell duplicates apart.
func plainName(qualified string) string {
	if !strings.Contains(qualified, "#") {
		return qualified
	}
	return ordinal.ReplaceAllString(qualified, "")
}

// match pairs old and new symbols by qualified name. Duplicates of one name are
// paired by content before order: their numbers shift when one of them goes.
func (m *fileMatch) match() {
	type group struct{ old, new []int }
	groups := map[string]*group{}
	get := func(q string) *group {
		q = plainName(q)
		g := groups[q]
		if g == nil {
			g = &group{}
			groups[q] = g
		}
		return g
	}
	for i, s := range m.old {
		g := get(s.Qualified)
		g.old = append(g.old, i)
	}
	for j, s := range m.new {
		g := get(s.Qualified)
		g.new = append(g.new, j)
	}
	m.partner = make([]int, len(m.old))
	paired := make([]bool, len(m.new))
	for i := range m.partner {
		m.partner[i] = -1
	}
	for _, g := range groups {
		m.matchGroup(g.old, g.new, paired)
	}
	for i, j := range m.partner {
		if j < 0 {
			m.removed = append(m.removed, i)
		}
	}
	for j, ok := range paired {
		if !ok {
			m.added = append(m.added, j)
		}
	}
}

func (m *fileMatch) matchGroup(old, new []int, paired []bool) {
	pass := func(same func(o, n model.Symbol) bool) {
		for _, i := range old {
			if m.partner[i] >= 0 {
				continue
			}
			for _, j := range new {
				if !paired[j] && same(m.old[i], m.new[j]) {
					m.partner[i], paired[j] = j, true
					break
				}
			}
		}
	}
	if len(old) > 1 || len(new) > 1 {
		sameBody := func(o, n model.Symbol) bool { return o.BodyHash == n.BodyHash && o.BodyHash != "" }
		pass(func(o, n model.Symbol) bool {
			return o.Qualified == n.Qualified && o.SigHash == n.SigHash && sameBody(o, n)
		})
		pass(func(o, n model.Symbol) bool { return o.SigHash == n.SigHash && sameBody(o, n) })
		pass(sameBody)
		pass(func(o, n model.Symbol) bool { return o.Qualified == n.Qualified && o.SigHash == n.SigHash })
		pass(func(o, n model.Symbol) bool { return o.SigHash == n.SigHash })
	}
	pass(func(o, n model.Symbol) bool { return true })
}

// dropMisread forgets removals and additions that are none: in a file with syntax
// errors, a definition whose text stands in both versions was only read in one.
func (m *fileMatch) dropMisread() {
	if m.text == nil {
		return
	}
	m.removed = slices.DeleteFunc(m.removed, func(i int) bool {
		start, end := m.head(m.old[i], true)
		_, _, kept := m.text.toNew(start, end)
		return kept
	})
	m.added = slices.DeleteFunc(m.added, func(j int) bool {
		return m.text.wasOld(m.head(m.new[j], false))
	})
}

// doubt notes the definitions whose heads hold an error that is new: what their
// callers see was read with a gap, and may be no change at all.
func (m *fileMatch) doubt(fresh []lang.ErrorRegion) {
	m.doubtful = map[int]bool{}
	for _, e := range fresh {
		if e.Head {
			m.doubtful[e.Symbol] = true
		}
	}
}

// head is the byte range of the first line of a definition.
func (m *fileMatch) head(s model.Symbol, old bool) (start, end int) {
	t := m.text.newText
	if old {
		t = m.text.oldText
	}
	from, to := t.at(s.StartByte), t.at(s.EndByte)
	if from < to && to <= len(t.b) {
		if i := strings.IndexByte(string(t.b[from:to]), '\n'); i >= 0 {
			to = from + i
		}
	}
	// Back in the original's offsets: no line ending lies within.
	return s.StartByte, s.StartByte + to - from
}

// pair compares two versions of one symbol; ok is false when nothing changed.
func (m *fileMatch) pair(old, new model.Symbol, j int) (model.SymbolChange, bool) {
	sig, body := old.SigHash != new.SigHash, old.BodyHash != new.BodyHash
	var diffs []Difference
	if sig {
		// Another number among duplicates is no change of the signature.
		if diffs = Compare(m.lang, old, new); len(diffs) == 0 {
			sig = false
		}
	}
	if m.text != nil && (sig || body) && m.untouched(old, new) {
		sig, body, diffs = false, false, nil
	}
	if sig && m.doubtful[j] {
		sig, body, diffs = false, true, nil
	}
	if sig || body {
		m.touched[j] = true
	}
	if !sig && !body && !m.moved {
		return model.SymbolChange{}, false
	}
	c := model.SymbolChange{Symbol: new.At(m.path)}
	switch {
	case m.moved:
		c.Change, c.OldPath, c.OldKey = model.ChangeMoved, m.oldPath, old.At(m.oldPath).Key
		if old.Qualified != new.Qualified {
			c.OldQualified = old.Qualified
		}
		c.SigChanged, c.BodyChanged = sig, body
		m.setDifferences(&c, old, new, diffs)
		m.moduleChange(&c)
	case sig:
		c.Change = model.ChangeSignature
		m.setDifferences(&c, old, new, diffs)
	default:
		c.Change = model.ChangeBody
	}
	if sig || m.moved {
		c.OldSignature, c.OldSigHash = old.Signature, old.SigHash
	}
	return c, true
}

// untouched reports whether a symbol's whole text stands in both versions: what
// error recovery then reads differently is no change.
func (m *fileMatch) untouched(old, new model.Symbol) bool {
	start, end, ok := m.text.toNew(old.StartByte, old.EndByte)
	return ok && start == m.text.newText.at(new.StartByte) && end == m.text.newText.at(new.EndByte)
}

func (m *fileMatch) setDifferences(c *model.SymbolChange, old, new model.Symbol, diffs []Difference) {
	for _, d := range diffs {
		c.Breaking = c.Breaking || d.Breaking
		c.Reasons = append(c.Reasons, d.Text)
	}
	if c.Breaking && c.Change == model.ChangeSignature {
		if c.Breaks = Narrow(m.lang, old, new); c.Breaks == model.BreaksCalls {
			c.OldParams = old.Params
		}
	}
}

// moduleChange marks a moved symbol as breaking when its users must import it from
// elsewhere.
func (m *fileMatch) moduleChange(c *model.SymbolChange) {
	oldLang := lang.ForPath(m.oldPath)
	if sameModule(oldLang, m.oldPath, m.lang, m.path) {
		return
	}
	c.Breaking = true
	c.Reasons = append([]string{"its module changed from " + moduleText(oldLang, m.oldPath) + " to " + moduleText(m.lang, m.path)}, c.Reasons...)
}

// rename records a removed and an added symbol as one that has another name now.
func (m *fileMatch) rename(r *renamer, i, j int) model.SymbolChange {
	old, new := m.old[i], m.new[j]
	c := model.SymbolChange{
		Change: model.ChangeRenamed, Breaking: true, OldSignature: old.Signature, OldSigHash: old.SigHash,
		OldQualified: old.Qualified, OldKey: old.At(m.oldPath).Key, Symbol: new.At(m.path),
		Reasons: []string{"it was " + old.Qualified}, BodyChanged: old.BodyHash != new.BodyHash,
	}
	if m.moved {
		c.OldPath = m.oldPath
	}
	if diffs := Compare(m.lang, r.renamed(old), new); len(diffs) > 0 {
		c.SigChanged = true
		m.setDifferences(&c, old, new, diffs)
	}
	if c.SigChanged || c.BodyChanged {
		m.touched[j] = true
	}
	return c
}

// stays returns the qualified names, among the old or the new symbols, that the
// other version has too.
func (m *fileMatch) stays(symbols []model.Symbol, old bool) map[string]bool {
	out := map[string]bool{}
	for i, j := range m.partner {
		if j < 0 {
			continue
		}
		if old {
			out[symbols[i].Qualified] = true
		} else {
			out[symbols[j].Qualified] = true
		}
	}
	return out
}
