package lang

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gitlet/internal/model"
)

// maxName bounds a name taken from source, in bytes; longer ones end in a hash.
const maxName = 160

// finish completes a language's facts: symbols in source order, text that is valid
// UTF-8, unique qualified names, signature hashes.
func finish(language string, f *Facts) *Facts {
	f.Symbols = slices.DeleteFunc(f.Symbols, func(s model.Symbol) bool { return s.Name == "" })
	bySource := func(a, b model.Symbol) int { return a.StartByte - b.StartByte }
	if !slices.IsSortedFunc(f.Symbols, bySource) {
		slices.SortStableFunc(f.Symbols, bySource)
	}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		s.Lang = language
		cleanSymbol(s)
	}
	uniqueNames(f.Symbols)
	var b sigBytes
	for i := range f.Symbols {
		f.Symbols[i].SigHash = b.hash(&f.Symbols[i])
	}
	// Error recovery makes up nodes without text: what has no name is not there.
	f.Refs = slices.DeleteFunc(f.Refs, func(r RawRef) bool { return r.Name == "" })
	if byByte := func(a, b RawRef) int { return a.Byte - b.Byte }; !slices.IsSortedFunc(f.Refs, byByte) {
		slices.SortStableFunc(f.Refs, byByte)
	}
	for i := range f.Refs {
		f.Refs[i].Name = valid(f.Refs[i].Name)
		f.Refs[i].Qualifier = valid(f.Refs[i].Qualifier)
	}
	return f
}

// uniqueNames gives duplicates of a qualified name #2, #3 and on, in order.
func uniqueNames(symbols []model.Symbol) {
	next := make(map[string]int)
	taken := make(map[string]bool, len(symbols))
	for i := range symbols {
		q := symbols[i].Qualified
		name, n := q, max(next[q], 2)
		for ; taken[name]; n++ {
			name = q + "#" + strconv.Itoa(n)
		}
		next[q] = n
		taken[name] = true
		symbols[i].Qualified = name
	}
}

// sigBytes is the text that a signature's hash covers; it is reused from one to the next.
type sigBytes []byte

// hash hashes the parts of a symbol that its callers depend on, as 16 hex
// characters. The display text, the place in the file and the body do not count;
// whatever a language keeps out of the structured parts does not either.
func (b *sigBytes) hash(s *model.Symbol) string {
	*b = (*b)[:0]
	b.put(string(s.Kind), s.Name, s.Container)
	b.flags(s.Exported, s.TypeMember, s.DefaultExport)
	b.end()
	b.put(s.TypeParams...)
	for _, p := range s.Params {
		b.part("param")
		b.part(p.Name)
		b.part(p.Type)
		b.part(p.Mode)
		b.flags(p.Optional, p.Default, p.Variadic)
		b.end()
	}
	b.put("results", s.Results)
	for _, m := range s.Members {
		b.part("member")
		b.part(m.Name)
		b.part(m.Kind)
		b.part(m.Type)
		b.flags(m.Optional)
		b.end()
	}
	b.put(s.Modifiers...)
	b.put(s.Overloads...)
	return shortHash(*b)
}

// put appends one line of parts.
func (b *sigBytes) put(parts ...string) {
	for _, p := range parts {
		b.part(p)
	}
	b.end()
}

// part appends a part with its length, so that no two lists of parts look alike.
func (b *sigBytes) part(p string) {
	p = orderFree(p)
	*b = strconv.AppendInt(*b, int64(len(p)), 10)
	*b = append(append(*b, ':'), p...)
}

func (b *sigBytes) flags(on ...bool) {
	var buf [3]byte
	for i, v := range on {
		buf[i] = '0'
		if v {
			buf[i] = '1'
		}
	}
	b.part(string(buf[:len(on)]))
}

func (b *sigBytes) end() { *b = append(*b, '\n') }

func cleanSymbol(s *model.Symbol) {
	for _, p := range []*string{&s.Name, &s.Qualified, &s.Signature, &s.Results, &s.Container} {
		*p = valid(*p)
	}
	for _, list := range [][]string{s.TypeParams, s.Modifiers, s.Overloads} {
		for i := range list {
			list[i] = valid(list[i])
		}
	}
	for i := range s.Params {
		p := &s.Params[i]
		p.Name, p.Type = valid(p.Name), valid(p.Type)
	}
	for i := range s.Members {
		m := &s.Members[i]
		m.Name, m.Type = valid(m.Name), valid(m.Type)
	}
}

// valid replaces what is not UTF-8, so that documents stay valid JSON.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// safeName turns source text into a name that survives the input form path:Name
// and one line of output: white space, colons, quotes and control characters become
// "_", and a very long one is cut and ends in a hash of the whole.
func safeName(s string) string {
	s = valid(s)
	clean := strings.Map(func(r rune) rune {
		switch {
		case r == ':' || r == '"' || r == '\'' || r == '`' || r == '\\' || unicode.IsSpace(r) || !unicode.IsPrint(r) && r != utf8.RuneError:
			return '_'
		}
		return r
	}, s)
	if len(clean) > maxName {
		cut := clean[:maxName-17]
		for !utf8.ValidString(cut) {
			cut = cut[:len(cut)-1]
		}
		clean = cut + "~" + shortHash([]byte(s))
	}
	return clean
}

// qualify joins a container's qualified name and a name; either may be empty.
func qualify(container, name string) string {
	if container == "" {
		return name
	}
	if name == "" {
		return container
	}
	return container + "." + name
}

// place sets where a symbol stands: from the start of first to the end of last.
func place(t *Tree, s *model.Symbol, first, last Node) {
	s.StartLine, s.EndLine = t.Line(first), t.EndLine(last)
	s.StartByte, s.EndByte = t.Start(first), t.End(last)
}

// paramText shows one parameter of a language whose callers pass by position:
// "string", "boolean?", "...int", "_" where no type is written.
func paramText(p model.Param) string {
	s := p.Type
	if s == "" {
		s = "_"
	}
	if p.Optional || p.Default {
		s += "?"
	}
	if p.Variadic {
		s = "..." + s
	}
	return s
}

// paramList shows parameters in parentheses.
func paramList(params []model.Param) string {
	parts := make([]string, len(params))
	for i, p := range params {
		parts[i] = paramText(p)
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// renameParams maps type parameters to names that do not depend on how the source
// spells them, "$1", "$2" with the mark between: callers cannot see those names.
func renameParams(into map[string]string, mark string, names []string) {
	for i, n := range names {
		if n != "" && n != "_" {
			into[n] = fmt.Sprintf("$%s%d", mark, i+1)
		}
	}
}
