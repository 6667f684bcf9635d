package merge

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"gitlet/internal/lang"
	"gitlet/internal/proof"
	"gitlet/internal/symbols"
)

// Versions are the three versions of the file at Path.
type Versions struct {
	Path               string
	Base, Ours, Theirs []byte
}

// maxLines bounds how many stretches of lines are merged for one file.
const maxLines = 12

// Source merges a file of source by its definitions. The error is a *DoubtError where that
// is not certain to be right: the file is then git's to merge.
func Source(v Versions, lines Lines) ([]byte, error) {
	l := lang.ForPath(v.Path)
	if l == nil {
		return nil, doubt("gitlet reads no files like it")
	}
	e, b, o, t, err := evenOut(v)
	if err != nil {
		return nil, err
	}
	r := &reader{lang: l, known: symbols.NewCache(symbols.DefaultLimits, 0)}
	m := &merger{lines: lines, left: maxLines, nameless: []lang.PartKind{lang.PartStatement, lang.PartComment}, together: code}
	switch l.Family {
	case "go": // a package's variables are set in the order they need each other
	case "rust":
		m.reads = macroOrder
	default:
		m.reads = runOrder
	}
	var parts [3][]item
	var tails [3]string
	var errs [3]error
	var all sync.WaitGroup
	for i, text := range []string{b, o, t} {
		all.Go(func() { parts[i], tails[i], errs[i] = r.outline(i, text) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	for _, side := range parts[1:] {
		if it := newlyBroken(parts[0], side); it != nil {
			return nil, doubt("one side changed %s, which cannot be read whole", it.label())
		}
	}
	list, err := m.list(parts[0], parts[1], parts[2], "")
	if err != nil {
		return nil, err
	}
	text := write(list, pick(tails[0], tails[1], tails[2]), false, false)
	lost := make(chan string, 1)
	go func() { lost <- lostWord(b, o, t, text) }() // beside reading the result
	again, _, err := r.outline(3, text)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(flat(again), flat(list)) {
		return nil, doubt("the merged file does not read as it was put together")
	}
	if word := <-lost; word != "" {
		return nil, doubt("%q would be lost or doubled", word)
	}
	if why := importTwice(r.facts[0], r.facts[1], r.facts[2], r.facts[3]); why != "" {
		return nil, doubt("%s", why)
	}
	out := e.back(text)
	if err := proven(v, out, r.known); err != nil {
		return nil, err
	}
	return out, nil
}

// proven says why a result does not pass the proof.
func proven(v Versions, result []byte, known *symbols.Cache) error {
	side := func(i int, text []byte) proof.Side {
		s := proof.Side{Path: v.Path, Text: text}
		if known != nil {
			s.Blob = versionNames[i]
		}
		return s
	}
	if found := proof.Check(proof.Merge{Base: side(0, v.Base), Ours: side(1, v.Ours), Theirs: side(2, v.Theirs), Result: side(3, result)}, known); len(found) > 0 {
		return doubt("it does not pass the proof: %s", found[0].Text)
	}
	return nil
}

// Checked says why the result of another program's merge of source is not to be believed:
// a *DoubtError, or nil.
func Checked(v Versions, result []byte) error {
	e, b, o, t, err := evenOut(v)
	if err != nil {
		return err
	}
	got, text, ok := endsOf(result)
	if !ok || got != e {
		return doubt("its lines do not end as those of the file do")
	}
	if word := lostWord(b, o, t, text); word != "" {
		return doubt("%q would be lost or doubled", word)
	}
	var facts [4]*lang.Facts
	if l := lang.ForPath(v.Path); l != nil {
		for i, version := range []string{b, o, t, text} {
			if tree, err := symbols.Parse(l, []byte(version), symbols.DefaultLimits); err == nil {
				facts[i], _ = symbols.Facts(l, tree)
			}
			if facts[i] == nil {
				return doubt("a version cannot be read")
			}
		}
	}
	if why := importTwice(facts[0], facts[1], facts[2], facts[3]); why != "" {
		return doubt("%s", why)
	}
	return proven(v, result, nil)
}

// newlyBroken is a part that cannot be read whole and is not as it was in base.
func newlyBroken(base, side []item) *item {
	was := map[string]bool{}
	for _, it := range base {
		was[it.text] = was[it.text] || it.broken
	}
	for i := range side {
		if side[i].broken && !was[side[i].text] {
			return &side[i]
		}
	}
	return nil
}

// versionNames are what the versions of a file are known by while it is merged.
var versionNames = [4]string{"base", "ours", "theirs", "result"}

// reader reads each version once, for the merge and for the proof: line ends and a byte
// order mark are no matter to what it defines.
type reader struct {
	lang  *lang.Language
	known *symbols.Cache
	facts [4]*lang.Facts // of each version
}

// outline cuts one version into items.
func (r *reader) outline(version int, text string) (list []item, tail string, err error) {
	defer func() {
		switch p := recover(); p.(type) {
		case nil:
		case lang.Exhausted:
			err = doubt("a version is %v", symbols.ErrTooSlow)
		default:
			panic(p)
		}
	}()
	tree, err := symbols.Parse(r.lang, []byte(text), symbols.DefaultLimits)
	if err != nil {
		return nil, "", doubt("a version is %v", err)
	}
	o, ok := lang.OutlineOf(tree)
	if !ok {
		return nil, "", doubt("a version cannot be read whole")
	}
	facts, err := symbols.Facts(r.lang, tree)
	r.known.Put(versionNames[version], r.lang, facts, err)
	r.facts[version] = facts
	end := len(o.Lines) - 1
	return items(text, o.Lines, o.Parts), text[o.Lines[end-o.Tail]:], nil
}

// ends is how the lines of a file end, which is not merged line by line.
type ends struct {
	mark    bool // it begins with a byte order mark
	crlf    bool
	newline bool // the last line ends
}

const byteOrderMark = "\xef\xbb\xbf"

// evenOut gives the versions plain line ends. They must agree on theirs, and the last line's
// end follows the side that changed it.
func evenOut(v Versions) (e ends, b, o, t string, err error) {
	var all [3]ends
	var texts [3]string
	for i, data := range [][]byte{v.Base, v.Ours, v.Theirs} {
		switch {
		case len(bytes.TrimSpace(data)) == 0:
			// A file that both sides added has no base that says what each meant.
			return e, "", "", "", doubt("one version is empty")
		case !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0:
			return e, "", "", "", doubt("it is no text in UTF-8")
		case proof.HasMarkers(data):
			return e, "", "", "", doubt("one version holds conflict markers")
		}
		var ok bool
		if all[i], texts[i], ok = endsOf(data); !ok {
			return e, "", "", "", doubt("its line ends are mixed")
		}
	}
	e = all[1]
	if all[0].crlf != e.crlf || all[2].crlf != e.crlf || all[0].mark != e.mark || all[2].mark != e.mark {
		return e, "", "", "", doubt("its line ends differ")
	}
	e.newline = pick(all[0].newline, all[1].newline, all[2].newline)
	return e, texts[0], texts[1], texts[2], nil
}

// endsOf reads how the lines of a file end, and gives it plain line ends, the last line
// too; it reports false where they are mixed.
func endsOf(data []byte) (e ends, text string, ok bool) {
	s, mark := strings.CutPrefix(string(data), byteOrderMark)
	returns, lines := strings.Count(s, "\r\n"), strings.Count(s, "\n")
	if strings.Count(s, "\r") != returns || returns != 0 && returns != lines {
		return e, "", false
	}
	e = ends{mark: mark, crlf: returns > 0, newline: strings.HasSuffix(s, "\n")}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if !e.newline {
		s += "\n"
	}
	return e, s, true
}

func (e ends) back(s string) []byte {
	if !e.newline {
		s = strings.TrimSuffix(s, "\n")
	}
	if e.crlf {
		s = strings.ReplaceAll(s, "\n", "\r\n")
	}
	if e.mark {
		s = byteOrderMark + s
	}
	return []byte(s)
}

// lostWord is a word that the result has fewer or more times than the sides account for,
// "" for none: between what they have and what both their changes come to.
func lostWord(b, o, t, result string) string {
	inB, inO, inT, in := wordsOf(b), wordsOf(o), wordsOf(t), wordsOf(result)
	all := map[string]bool{}
	for _, set := range []map[string]int{inO, inT, in} {
		for w := range set {
			all[w] = true
		}
	}
	var bad []string
	for w := range all {
		sum := inO[w] + inT[w] - inB[w]
		if n := in[w]; n < min(sum, inO[w], inT[w]) || n > max(sum, inO[w], inT[w]) {
			bad = append(bad, w)
		} else if inO[w] >= inB[w] && inT[w] >= inB[w] && n < max(inO[w], inT[w]) {
			bad = append(bad, w)
		}
	}
	if len(bad) == 0 {
		return ""
	}
	return slices.Min(bad)
}

// wordsOf counts names and numbers.
func wordsOf(s string) map[string]int {
	out := map[string]int{}
	for len(s) > 0 {
		n := 0
		for n < len(s) && (s[n] == '_' || s[n] == '$' || s[n] >= 0x80 || s[n] >= '0' && s[n] <= '9' || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z') {
			n++
		}
		if n > 0 {
			out[s[:n]]++
		}
		s = s[max(n, 1):]
	}
	return out
}
