package footprint

import (
	"slices"
	"sort"

	"gitlet/internal/lang"
	"gitlet/internal/model"
)

// maxPlaces is how many lines of one definition are listed for one name.
const maxPlaces = 5

// memoRepo remembers what it was asked, so that resolving many references of one
// change reads each go.mod once.
type memoRepo struct {
	repo  lang.Repo
	known map[string]memoFile
}

type memoFile struct {
	data []byte
	ok   bool
}

func newMemoRepo(r lang.Repo) *memoRepo { return &memoRepo{repo: r, known: map[string]memoFile{}} }

// ReadFile returns a tracked file's content; ok is false when there is none.
func (r *memoRepo) ReadFile(path string) ([]byte, bool) {
	if f, ok := r.known[path]; ok {
		return f.data, f.ok
	}
	var f memoFile
	if r.repo != nil {
		f.data, f.ok = r.repo.ReadFile(path)
	}
	r.known[path] = f
	return f.data, f.ok
}

// refs lists what the changed code of all files refers to, in file order; cut is
// set when there are too many.
func (c *computer) refs(files []*file) (out []model.Ref, cut bool) {
	out = []model.Ref{}
	seen := map[model.Ref]*placesOf{}
	most := orDefault(c.in.MaxRefs, maxRefs)
	for _, f := range files {
		if f.facts == nil || len(f.touched) == 0 && len(f.loose) == 0 {
			continue
		}
		owners := ownersOf(f.facts)
		before := c.refsBefore(f)
		for i, raw := range f.facts.Refs {
			owner := owners[i]
			if owner >= 0 && !f.touched[owner] || owner < 0 && !f.loose[raw.Line] {
				continue
			}
			in := ""
			if owner >= 0 {
				in = f.symbols[owner].Qualified
			}
			r, ok := resolve(f.lang, f.change.Path, f.facts, raw, in, c.repo)
			if !ok {
				continue
			}
			if k := (madeBy{owner, bare(r)}); before[k] > 0 {
				before[k]--
				r.Kept = true
			}
			// A few lines stand for all of one name in one place.
			k := r
			k.Line, k.Args = 0, ""
			at := seen[k]
			if at == nil {
				at = &placesOf{}
				seen[k] = at
			}
			if at.n >= maxPlaces {
				// What the last one passes then stands for calls that are not listed.
				if !slices.Contains(at.args, r.Args) {
					out[at.last].Args = ""
				}
				continue
			}
			if len(out) > 0 && out[len(out)-1] == r {
				continue
			}
			if len(out) == most {
				return out, true
			}
			at.n, at.last, at.args = at.n+1, len(out), append(at.args, r.Args)
			out = append(out, r)
		}
	}
	return out, false
}

// placesOf are the listed references of one kind: how many, the last one's index, and
// what each passes.
type placesOf struct {
	n, last int
	args    []string
}

// madeBy is a reference and the new symbol (by index, -1 for none) that makes it.
type madeBy struct {
	owner int
	ref   model.Ref
}

// bare is what a reference means, without where it stands.
func bare(r model.Ref) model.Ref {
	r.Path, r.Line, r.In, r.Args = "", 0, "", ""
	return r
}

// refsBefore counts the references that the changed code of a file made in its old
// version, by the symbol it is in now.
func (c *computer) refsBefore(f *file) map[madeBy]int {
	out := map[madeBy]int{}
	if f.old == nil {
		return out
	}
	now := map[int]int{-1: -1}
	for j, i := range f.was {
		if f.touched[j] {
			now[i] = j
		}
	}
	path := f.change.Path
	if f.change.OldPath != "" {
		path = f.change.OldPath
	}
	owners := ownersOf(f.old)
	for i, raw := range f.old.Refs {
		owner, changed := now[owners[i]]
		if !changed || owner < 0 && len(f.loose) == 0 {
			continue
		}
		if r, ok := resolve(f.lang, path, f.old, raw, "", c.repo); ok {
			out[madeBy{owner, bare(r)}]++
		}
	}
	return out
}

// resolve says what a reference points to; ok is false when it leaves the repository.
func resolve(l *lang.Language, path string, f *lang.Facts, raw lang.RawRef, in string, repo lang.Repo) (model.Ref, bool) {
	t := l.Resolve(path, f, raw, repo)
	if t.Drop {
		return model.Ref{}, false
	}
	r := model.Ref{
		Name: raw.Name, Kind: raw.Kind, Lang: l.Name, Path: path, Line: raw.Line,
		Module: t.Module, Resolved: t.Resolved, Container: t.Container,
		Qualified: raw.Qualifier != "" || raw.Value, DefaultExport: t.DefaultExport, In: in, Args: raw.Args, Named: raw.Named,
	}
	if t.Name != "" {
		r.Name = t.Name
	}
	return r, true
}

// ownersOf returns, for each reference, the index of the innermost symbol that
// holds it, or -1 at the top level of the file.
func ownersOf(f *lang.Facts) []int {
	order := make([]int, len(f.Symbols))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool {
		x, y := f.Symbols[order[a]], f.Symbols[order[b]]
		if x.StartByte != y.StartByte {
			return x.StartByte < y.StartByte
		}
		return x.EndByte > y.EndByte
	})
	refs := make([]int, len(f.Refs))
	for i := range refs {
		refs[i] = i
	}
	slices.SortStableFunc(refs, func(a, b int) int { return f.Refs[a].Byte - f.Refs[b].Byte })
	owners := make([]int, len(f.Refs))
	var open []int
	next := 0
	for _, r := range refs {
		at := f.Refs[r].Byte
		for next < len(order) && f.Symbols[order[next]].StartByte <= at {
			open = append(open, order[next])
			next++
		}
		owners[r] = -1
		// Symbols that ended are dropped for good; symbols that overlap without
		// nesting (names that share one declaration) are looked through.
		for len(open) > 0 && f.Symbols[open[len(open)-1]].EndByte <= at {
			open = open[:len(open)-1]
		}
		for k := len(open) - 1; k >= 0; k-- {
			if at < f.Symbols[open[k]].EndByte {
				owners[r] = open[k]
				break
			}
		}
	}
	return owners
}
