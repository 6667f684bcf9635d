package footprint

import (
	"slices"

	"gitlet/internal/lang"
	"gitlet/internal/model"
	"gitlet/internal/symbols"
)

// Stub is a published stub that a change may hold: what its commit changes against its
// parent.
type Stub struct {
	Commit string
	Deltas []Delta
}

// MarkPicked returns the footprint with what is in it only because stubs were picked
// marked, and nothing else marked. deltas are those it was computed from; without a cache
// every version is read anew.
//
// What counts is the content, not the history: a symbol is the stub's where it came out as
// the stub has it, and so are lines where the very lines of the stub stand in place of the
// very lines it replaced. Whatever is changed further there counts as the work's own; of a
// symbol with the stub's signature that is its inside.
func MarkPicked(fp model.Footprint, deltas []Delta, stubs []Stub, cache *symbols.Cache) model.Footprint {
	fp.Stubs = nil
	for _, s := range stubs {
		fp.Stubs = append(fp.Stubs, s.Commit)
	}
	fp.Files, fp.Symbols = slices.Clone(fp.Files), slices.Clone(fp.Symbols)
	if cache == nil {
		cache = symbols.NewCache(symbols.DefaultLimits, 1)
	}
	c := computer{cache: cache, repo: newMemoRepo(nil)}
	from := readStubs(&c, stubs)
	for i := range fp.Symbols {
		fp.Symbols[i].Picked = from.symbol(fp.Symbols[i])
	}
	byPath := map[string]Delta{}
	for _, d := range prepare(deltas) {
		byPath[d.Path] = d
	}
	for i := range fp.Files {
		f := &fp.Files[i]
		f.Picked, f.Hunks = false, slices.Clone(f.Hunks)
		for j := range f.Hunks {
			f.Hunks[j].Picked = false
		}
		if d, ok := byPath[f.Path]; ok && len(from.files[f.Path]) > 0 {
			c.markFile(f, d, from, fp.Symbols)
		}
	}
	return fp
}

// stubFile is what one stub does to one file.
type stubFile struct {
	delta   Delta
	patches []patch
}

// patch is one stretch of lines replaced by others, as hashes of the lines.
type patch struct{ old, new []uint64 }

type fromStubs struct {
	files   map[string][]stubFile // by path
	changes []model.SymbolChange
}

func readStubs(c *computer, stubs []Stub) fromStubs {
	out := fromStubs{files: map[string][]stubFile{}}
	for _, s := range stubs {
		var files []*file
		for _, d := range prepare(s.Deltas) {
			f := c.file(d)
			v, _ := c.versions(f, d)
			sf := stubFile{delta: d}
			for _, p := range v.patches() {
				sf.patches = append(sf.patches, p.patch)
			}
			out.files[d.Path] = append(out.files[d.Path], sf)
			files = append(files, f)
		}
		joinModules(files)
		for _, f := range files {
			out.changes = append(out.changes, f.changes...)
		}
	}
	return out
}

// symbol says what of a change is the stubs'.
func (s fromStubs) symbol(c model.SymbolChange) model.Picked {
	out := model.Picked("")
	for _, is := range s.changes {
		away := is.OriginKey() != is.Symbol.Key
		switch {
		case away && c.Change == model.ChangeRemoved && c.Symbol.Key == is.OriginKey(),
			away && c.Change == model.ChangeAdded && is.SameResult(c) && is.Symbol.BodyHash == c.Symbol.BodyHash:
			// Beside what else changed it reads as one that goes and one that comes.
			return model.PickedWhole
		case is.OriginKey() != c.OriginKey() || !is.SameResult(c):
		case is.Change == model.ChangeRemoved || is.Symbol.BodyHash == c.Symbol.BodyHash:
			return model.PickedWhole
		case is.Change == model.ChangeSignature && c.Change == model.ChangeSignature:
			out = model.PickedSignature
		}
	}
	return out
}

func (s fromStubs) changesKey(key string) bool {
	return slices.ContainsFunc(s.changes, func(c model.SymbolChange) bool { return c.OriginKey() == key })
}

// spot is a patch with the index of its hunk.
type spot struct {
	patch
	hunk int
}

func (v versions) patches() []spot {
	var out []spot
	shift := 0
	for i, h := range v.hunks {
		start := h.Start + shift
		out = append(out, spot{patch{v.old.Hashes[h.Start-1 : h.Start-1+h.Old], v.new.Hashes[start-1 : start-1+h.New]}, i})
		shift += h.New - h.Old
	}
	return out
}

// markFile marks what of a file's change is that of stubs. Its symbols may be found to be
// the stubs' by their lines: where main changed the rest of one in between, no text is
// that of the stub any more.
func (c *computer) markFile(change *model.FileChange, d Delta, from fromStubs, all []model.SymbolChange) {
	stubs := from.files[d.Path]
	f := c.file(d)
	v, ok := c.versions(f, d)
	if !ok || len(v.hunks) == 0 {
		change.Picked = slices.ContainsFunc(stubs, func(s stubFile) bool { return sameOutcome(s.delta, d) })
		return
	}
	for _, s := range stubs {
		v.mark(s.patches)
	}
	for i := range all {
		sym := &all[i]
		if sym.Symbol.Path != d.Path || sym.Change == model.ChangeRemoved || !from.changesKey(sym.OriginKey()) {
			continue
		}
		touching := v.touching(sym.Symbol)
		if len(touching) > 0 && !slices.ContainsFunc(touching, func(h *model.Hunk) bool { return !h.Picked }) {
			sym.Picked = model.PickedWhole
		}
	}
	v.markInside(all, d.Path)
	change.Picked = d.OldMode == d.NewMode && !slices.ContainsFunc(v.hunks, func(h model.Hunk) bool { return !h.Picked })
	if len(change.Hunks) > 0 {
		change.Hunks = joinHunks(v.hunks, model.MaxHunks)
	}
}

// mark marks the hunks that are patches of one stub, in order.
func (v versions) mark(patches []patch) {
	next := 0
	for _, at := range v.patches() {
		for i := next; i < len(patches); i++ {
			if slices.Equal(at.old, patches[i].old) && slices.Equal(at.new, patches[i].new) {
				v.hunks[at.hunk].Picked = true
				next = i + 1
				break
			}
		}
	}
}

// touching are the hunks in the lines of a symbol of the new version.
func (v versions) touching(s model.Symbol) []*model.Hunk {
	var out []*model.Hunk
	shift := 0
	for i := range v.hunks {
		h := &v.hunks[i]
		first, last := h.Start+shift, h.Start+shift+max(h.New, 1)-1
		if h.New == 0 {
			first-- // it stands between two lines
		}
		if first <= s.EndLine && last >= s.StartLine {
			out = append(out, h)
		}
		shift += h.New - h.Old
	}
	return out
}

// markInside marks hunks whose new lines all lie in symbols that are wholly the stubs':
// two stubs side by side make one stretch, that is neither's.
func (v versions) markInside(all []model.SymbolChange, path string) {
	picked := map[int]bool{}
	for _, c := range all {
		if c.Picked != model.PickedWhole || c.Symbol.Path != path || c.Change == model.ChangeRemoved {
			continue
		}
		for l := c.Symbol.StartLine; l <= c.Symbol.EndLine; l++ {
			picked[l] = true
		}
	}
	shift := 0
	for i := range v.hunks {
		h := &v.hunks[i]
		all := h.New > 0 && !h.Outside
		for l := h.Start + shift; all && l < h.Start+shift+h.New; l++ {
			all = picked[l]
		}
		h.Picked = h.Picked || all
		shift += h.New - h.Old
	}
}

// sameOutcome reports whether two changes of one path leave the same file.
func sameOutcome(a, b Delta) bool {
	if a.Status != b.Status || a.OldPath != b.OldPath || a.NewMode != b.NewMode {
		return false
	}
	if a.Status == "D" {
		return true
	}
	if a.NewBlob != "" && b.NewBlob != "" {
		return a.NewBlob == b.NewBlob
	}
	x, err := readOnce(a.New)()
	if err != nil {
		return false
	}
	y, err := readOnce(b.New)()
	return err == nil && lang.LinesOf(x).Sum == lang.LinesOf(y).Sum
}
