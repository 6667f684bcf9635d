package footprint

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"gitlet/internal/lang"
	"gitlet/internal/model"
)

// When a function is the same one under another name though its inside changed too. Told
// wrongly, users of one function are sent to another, so both bounds are such that what
// is left open stays a removal and an addition.
const (
	// likeWords is how much of the words of both must be common, in order, in thousandths,
	// where there are at least manyWords of them.
	likeWords = 750
	manyWords = 8
	// likeBrief is enough where nothing else of the kind came or went beside them, the names
	// share a word, and callers see no more than parameters that were added or taken away at
	// the end.
	likeBrief = 550
	// clear is by how much a pair must be more alike than any other that one of the two could be in.
	clear = 150
	// maxPairs bounds the functions of one type or file that are compared with each other.
	maxPairs = 64
	// maxFunction is the size of a function up to which it is compared, in bytes.
	maxFunction = 64 << 10
)

// rewritten lists the functions of one container that are left, went and came in one
// file, and certainly are one: their insides are much alike, and no other's is nearly as
// much.
func (r *renamer) rewritten() []candidate {
	type group struct{ old, new []int }
	type place struct {
		kind      model.SymbolKind
		container string
	}
	groups := map[place]*group{}
	get := func(s model.Symbol, container string) *group {
		if s.Kind != model.KindFunction && s.Kind != model.KindMethod {
			return nil
		}
		p := place{s.Kind, container}
		if groups[p] == nil {
			groups[p] = &group{}
		}
		return groups[p]
	}
	for _, i := range r.m.removed {
		container := plainName(r.m.old[i].Container)
		if to, ok := r.names[container]; ok {
			container = to
		}
		if g := get(r.m.old[i], container); g != nil && !r.gone[i] {
			g.old = append(g.old, i)
		}
	}
	for _, j := range r.m.added {
		if g := get(r.m.new[j], plainName(r.m.new[j].Container)); g != nil {
			if _, taken := r.from[j]; !taken {
				g.new = append(g.new, j)
			}
		}
	}
	var all []candidate
	var words *wordReader
	for _, g := range groups {
		if len(g.old) == 0 || len(g.new) == 0 || len(g.old)*len(g.new) > maxPairs {
			continue
		}
		if words == nil {
			if words = r.m.words(); words == nil {
				return nil
			}
		}
		all = append(all, r.certain(words, g.old, g.new)...)
	}
	return all
}

// certain are the pairs of a group that are alike enough, and more than all others.
func (r *renamer) certain(words *wordReader, olds, news []int) []candidate {
	like, common := make([][]int, len(olds)), make([][]int, len(olds))
	for a, i := range olds {
		like[a], common[a] = make([]int, len(news)), make([]int, len(news))
		for b, j := range news {
			like[a][b], common[a][b] = words.alike(r.m.old[i], r.m.new[j])
		}
	}
	rival := func(a, b int) int {
		most := 0
		for x := range olds {
			for y := range news {
				if (x == a) != (y == b) {
					most = max(most, like[x][y])
				}
			}
		}
		return most
	}
	var out []candidate
	for a, i := range olds {
		for b, j := range news {
			old, new := r.m.old[i], r.m.new[j]
			enough := like[a][b] >= likeWords && common[a][b] >= manyWords ||
				like[a][b] >= likeBrief && len(olds) == 1 && len(news) == 1 && shareWord(old.Name, new.Name) && r.prolongs(old, new)
			if enough && like[a][b] >= rival(a, b)+clear {
				out = append(out, r.candidate(i, j, like[a][b]))
			}
		}
	}
	return out
}

// prolongs reports whether two signatures are alike but for parameters at the end.
func (r *renamer) prolongs(old, new model.Symbol) bool {
	old = r.renamed(old)
	if !lang.SameType(old.Results, new.Results) || len(old.TypeParams) != len(new.TypeParams) || len(old.Overloads)+len(new.Overloads) > 0 {
		return false
	}
	for k := range min(len(old.Params), len(new.Params)) {
		if a, b := old.Params[k], new.Params[k]; a.Name != b.Name || !lang.SameType(a.Type, b.Type) {
			return false
		}
	}
	return true
}

// shareWord reports whether two names have a word of three letters or more in common:
// parseConfig and load_config.
func shareWord(a, b string) bool {
	const least = 3
	had := map[string]bool{}
	for _, w := range nameWords(a) {
		had[w] = len(w) >= least
	}
	for _, w := range nameWords(b) {
		if had[w] {
			return true
		}
	}
	return false
}

// nameWords are the words of a name, in lower case: at capitals and at what is no letter.
func nameWords(name string) []string {
	var out []string
	start, upper := 0, false
	end := func(i int) {
		if i > start {
			out = append(out, strings.ToLower(name[start:i]))
		}
		start = i
	}
	for i, c := range name {
		switch {
		case !unicode.IsLetter(c):
			end(i)
			start = i + utf8.RuneLen(c)
			upper = false
			continue
		case unicode.IsUpper(c) && !upper:
			end(i)
		}
		upper = unicode.IsUpper(c)
	}
	end(len(name))
	return out
}

// wordReader compares functions of the two versions of a file by their words.
type wordReader struct{ old, new []byte }

// words reads both versions; nil where one cannot be read.
func (m *fileMatch) words() *wordReader {
	if m.read == nil || m.text != nil {
		return nil // with errors in it, what is whose inside is not certain
	}
	old, new, ok := m.read()
	if !ok {
		return nil
	}
	return &wordReader{old, new}
}

// alike is how much of the words of two functions is common, in order, in thousandths, and
// how many words that are. Their own names do not count.
func (w *wordReader) alike(old, new model.Symbol) (like, common int) {
	if old.EndByte > len(w.old) || new.EndByte > len(w.new) {
		return 0, 0
	}
	a, b := w.old[old.StartByte:old.EndByte], w.new[new.StartByte:new.EndByte]
	if len(a) > maxFunction || len(b) > maxFunction {
		return 0, 0
	}
	ids := map[string]int{old.Name: -1, new.Name: -1}
	number := func(src []byte) (all []int) {
		at := cut(src, nextWord)
		for k := range len(at) - 1 {
			word := string(src[at[k]:at[k+1]])
			if c, _ := utf8.DecodeRuneInString(word); c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
				continue
			}
			id, ok := ids[word]
			if !ok {
				id = len(ids)
				ids[word] = id
			}
			if id >= 0 {
				all = append(all, id)
			}
		}
		return all
	}
	ia, ib := number(a), number(b)
	matchSeq(ia, ib, 0, 0, func(_, _, n int) { common += n })
	if len(ia)+len(ib) == 0 {
		return 0, 0
	}
	return 2000 * common / (len(ia) + len(ib)), common
}
