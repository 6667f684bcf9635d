package contract

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"gitlet/internal/lang"
	"gitlet/internal/model"
	"gitlet/internal/symbols"
)

// Input is what a stub is built from. Main is nil where main does not have the file.
type Input struct {
	Lang   *lang.Language
	Path   string
	Main   []byte
	Mine   []byte
	Symbol model.Symbol // as my work has it
	// Old is what main calls it: its qualified name before I renamed it, else the same.
	Old string
	// Added are names of definitions that only my work has, Changed of top-level ones that
	// have another signature there.
	Added, Changed []string
}

// Stub is main's version of the file with the one definition.
type Stub struct {
	Data []byte
	// Symbol is the definition as read back from Data.
	Symbol model.Symbol
	// Warnings say why it may not build on its own.
	Warnings []string
}

// NoStubError says why there can be no stub.
type NoStubError struct{ Why string }

func (e *NoStubError) Error() string { return "no stub can be built: " + e.Why }

func noStub(format string, args ...any) error { return &NoStubError{fmt.Sprintf(format, args...)} }

type parsed struct {
	*lang.Tree
	facts *lang.Facts
}

func parse(l *lang.Language, src []byte) (*parsed, error) {
	t, err := symbols.Parse(l, src, symbols.DefaultLimits)
	if err != nil {
		return nil, err
	}
	f, err := symbols.Extract(l, src, symbols.DefaultLimits)
	if err != nil {
		return nil, err
	}
	return &parsed{t, f}, nil
}

func (p *parsed) symbol(qualified string) *model.Symbol {
	for i := range p.facts.Symbols {
		if p.facts.Symbols[i].Qualified == qualified {
			return &p.facts.Symbols[i]
		}
	}
	return nil
}

// Build makes the stub. Errors: *NoStubError.
func Build(in Input) (*Stub, error) {
	ends := in.Main
	if ends == nil {
		ends = in.Mine // a new file has mine
	}
	crlf := bytes.Contains(ends, []byte("\r\n"))
	mine, err := parse(in.Lang, toLF(in.Mine))
	if err != nil {
		return nil, noStub("your %s cannot be read: %v", in.Path, err)
	}
	sym := mine.symbol(in.Symbol.Qualified)
	if sym == nil || sym.SigHash != in.Symbol.SigHash {
		return nil, noStub("%s is not in your %s as it was a moment ago", in.Symbol.Qualified, in.Path)
	}
	if in.Old == "" {
		in.Old = sym.Qualified
	}
	src := toLF(in.Main)
	if in.Main == nil {
		src = preamble(mine)
	}
	main, err := parse(in.Lang, src)
	if err != nil {
		return nil, noStub("main's %s cannot be read: %v", in.Path, err)
	}
	b := &builder{in: in, mine: mine, main: main, sym: *sym}
	out, err := b.build()
	if err != nil {
		return nil, err
	}
	s, err := b.check(out)
	if err != nil {
		return nil, err
	}
	if crlf {
		s.Data = bytes.ReplaceAll(s.Data, []byte("\n"), []byte("\r\n"))
		back, err := parse(in.Lang, s.Data)
		if err != nil || back.symbol(sym.Qualified) == nil {
			return nil, noStub("it does not read the same with main's line ends")
		}
		s.Symbol = *back.symbol(sym.Qualified)
	}
	s.Symbol = s.Symbol.At(in.Path)
	return s, nil
}

func toLF(src []byte) []byte { return bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n")) }

type builder struct {
	in         Input
	mine, main *parsed
	sym        model.Symbol
	target     model.Symbol // what is put in: sym, or the outermost new container of it
	text       string
	taken      [2]int // where text comes from in mine
	warnings   []string
}

// edit replaces a part of main.
type edit struct {
	from, to int
	text     string
}

// build makes the edits and applies them.
func (b *builder) build() ([]byte, error) {
	b.target = b.sym
	var put edit
	var err error
	if old := b.main.symbol(b.in.Old); old != nil && old.Container == b.sym.Container {
		put = b.replaced(*old)
	} else if put, err = b.inserted(); err != nil {
		return nil, err
	}
	out := apply(b.main.Src, append(b.imports(put), put))
	if len(b.main.Src) == 0 {
		out = bytes.TrimLeft(out, "\n") // a new file begins with it
	}
	return out, nil
}

// apply makes the edits, which do not overlap.
func apply(src []byte, edits []edit) []byte {
	out := append([]byte(nil), src...)
	for len(edits) > 0 {
		last := 0
		for i := range edits {
			if edits[i].from >= edits[last].from {
				last = i
			}
		}
		e := edits[last]
		out = append(out[:e.from:e.from], append([]byte(e.text), out[e.to:]...)...)
		edits = append(edits[:last:last], edits[last+1:]...)
	}
	return out
}

// replaced puts my text where main has the definition. Where only one side has it in a
// statement of its own, only the definition itself is exchanged.
func (b *builder) replaced(old model.Symbol) edit {
	was, now := unitOf(b.main, old), unitOf(b.mine, b.sym)
	from, to, start, end := was.start, was.to, now.start, now.to
	if was.shared || now.shared {
		from, to, start, end = was.specFrom, was.specTo, now.specFrom, now.specTo
	}
	b.take(start, end, indent(b.mine.Src, start), indent(b.main.Src, from))
	return edit{from, to, b.text}
}

// take takes the text of a part of my file along, from one indentation to another.
func (b *builder) take(start, end int, from, to string) {
	b.text, b.taken = reindent(string(b.mine.Src[start:end]), from, to), [2]int{start, end}
}

// inserted puts a new definition next to its neighbours.
func (b *builder) inserted() (edit, error) {
	b.outermost()
	u := unitOf(b.mine, b.target)
	if u.shared {
		if kind := b.mine.Kind(u.parent); !listed(b.mine, u) && kind != "var_spec_list" {
			u = u.statement(b.mine)
			b.warnings = append(b.warnings, "the statement it stands in defines other things too, which come along")
		}
	}
	home, err := b.home(u)
	if err != nil {
		return edit{}, err
	}
	ind := indent(b.mine.Src, u.start)
	comma := b.mine.HasToken(u.parent, ",") || home.comma
	if home.anchor != nil {
		to := indent(b.main.Src, home.anchor.start)
		b.take(u.start, u.to, ind, to)
		if home.before {
			text := b.text
			if comma {
				text += ","
			}
			return edit{home.anchor.start, home.anchor.start, text + b.gap(b.mine.Src[u.to:], false) + to}, nil
		}
		at, has := b.afterAnchor(home.anchor.to)
		text := b.gap(b.mine.Src[:u.start], true) + to + b.text
		if comma {
			text += ","
			if !has {
				text = "," + text
			}
		}
		return edit{at, at, text}, nil
	}
	if home.parent == b.main.Root() {
		b.take(u.start, u.to, ind, "")
		lead := "\n"
		if n := len(b.main.Src); n > 0 && b.main.Src[n-1] != '\n' {
			lead = "\n\n"
		}
		return edit{len(b.main.Src), len(b.main.Src), lead + home.head + b.text + home.tail + "\n"}, nil
	}
	return b.intoBody(u, home.parent, ind, comma), nil
}

// listed reports whether a unit is one of a list in brackets, which can grow by one.
func listed(p *parsed, u unit) bool { return p.HasToken(u.parent, "(") }

// gap is the line ends between a definition and its neighbour in my file.
func (b *builder) gap(src []byte, before bool) string {
	n := 0
	for i := range src {
		c := src[i]
		if before {
			c = src[len(src)-1-i]
		}
		if c == '\n' {
			n++
		} else if c != ' ' && c != '\t' && c != ',' && c != ';' {
			break
		}
	}
	return strings.Repeat("\n", min(max(n, 1), 3))
}

// afterAnchor finds the end of what belongs to the definition that ends at a place: its
// separator and the comment on its line.
func (b *builder) afterAnchor(at int) (end int, comma bool) {
	src := b.main.Src
	for at < len(src) && (src[at] == ',' || src[at] == ';') {
		comma = comma || src[at] == ','
		at++
	}
	line := bytes.IndexByte(src[at:], '\n')
	if line < 0 {
		line = len(src) - at
	}
	rest := strings.TrimSpace(string(src[at : at+line]))
	if rest == "" || strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "#") || strings.HasPrefix(rest, "/*") && strings.HasSuffix(rest, "*/") {
		return at + line, comma
	}
	return at, comma
}

// outermost makes the target the outermost definition around the symbol that main lacks.
func (b *builder) outermost() {
	for _, s := range b.mine.facts.Symbols {
		if s.Kind.TypeLike() && s.StartByte <= b.target.StartByte && s.EndByte >= b.target.EndByte && s.Qualified != b.target.Qualified &&
			b.main.symbol(s.Qualified) == nil {
			b.target = s
		}
	}
}

// home is where a new definition goes.
type home struct {
	parent     lang.Node // in main
	anchor     *unit     // the neighbour in main; nil when there is none
	before     bool      // it goes before the neighbour
	comma      bool
	head, tail string // what has to be put around it
}

// home finds the same place in main: the same container, next to the same neighbour.
func (b *builder) home(u unit) (home, error) {
	h := home{parent: b.main.Root()}
	if u.parent != b.mine.Root() && wrappers[b.mine.Kind(u.parent)] {
		group, head := b.group(u)
		if group == lang.None {
			h.head = head
			return h, nil
		}
		h.parent = group
	} else if u.parent != b.mine.Root() {
		body, head, err := b.body(u.parent)
		if err != nil {
			return h, err
		}
		if body == lang.None {
			h.head, h.tail = head, "\n}"
			return h, nil
		}
		h.parent = body
	}
	var prev, next *unit
	for _, s := range b.mine.facts.Symbols {
		n := unitOf(b.mine, s).statement(b.mine)
		if n.parent != u.parent || s.Qualified == b.target.Qualified {
			if m := unitOf(b.mine, s); m.parent == u.parent && s.Qualified != b.target.Qualified {
				n = m
			} else {
				continue
			}
		}
		there := b.main.symbol(s.Qualified)
		if there == nil {
			continue
		}
		t := unitOf(b.main, *there)
		if t.parent != h.parent {
			t = t.statement(b.main)
		}
		if t.parent != h.parent {
			continue
		}
		if n.to <= u.start {
			prev = &t
		} else if n.from >= u.to && next == nil {
			next = &t
		}
	}
	if h.anchor = prev; prev == nil && next != nil {
		h.anchor, h.before = next, true
	}
	return h, nil
}

// group finds in main the statement in brackets that holds one of the neighbours a
// definition has in such a statement of mine. Where there is none, head is the word with
// which it makes a statement of its own.
func (b *builder) group(u unit) (in lang.Node, head string) {
	for _, s := range b.mine.facts.Symbols {
		there := b.main.symbol(s.Qualified)
		if there == nil || s.Qualified == b.target.Qualified || unitOf(b.mine, s).parent != u.parent {
			continue
		}
		if t := unitOf(b.main, *there); t.shared && b.main.Kind(t.parent) == b.mine.Kind(u.parent) {
			return t.parent, ""
		}
	}
	top := u.parent
	for b.mine.Parent(top) != b.mine.Root() {
		top = b.mine.Parent(top)
	}
	word, _, _ := strings.Cut(b.mine.Text(top), "(")
	return lang.None, strings.TrimSpace(word) + " "
}

// body finds in main the block that a block of mine is: in the container of the same name,
// or under the same heading. Where there is none, head is the heading to make it with.
func (b *builder) body(mine lang.Node) (body lang.Node, head string, err error) {
	top := mine
	for b.mine.Parent(top) != b.mine.Root() {
		top = b.mine.Parent(top)
	}
	if c := b.main.symbol(b.target.Container); c != nil && b.target.Container != "" {
		if in := b.mine.symbol(b.target.Container); in != nil && in.StartByte <= b.target.StartByte && in.EndByte >= b.target.EndByte {
			for n := b.main.Root(); int(n) < len(b.main.Nodes); n++ {
				if b.main.Start(n) >= c.StartByte && b.main.End(n) <= c.EndByte && b.main.Kind(n) == b.mine.Kind(mine) {
					return n, "", nil
				}
			}
		}
	}
	heading := strings.Join(strings.Fields(string(b.mine.Src[b.mine.Start(top):b.mine.Start(mine)])), " ")
	for n := b.main.FirstChild(b.main.Root()); n != lang.None; n = b.main.NextSibling(n) {
		if b.main.Kind(n) != b.mine.Kind(top) {
			continue
		}
		for m := n; m < b.main.Next(n); m++ {
			if b.main.Kind(m) == b.mine.Kind(mine) && strings.Join(strings.Fields(string(b.main.Src[b.main.Start(n):b.main.Start(m)])), " ") == heading {
				return m, "", nil
			}
		}
	}
	if b.mine.Kind(top) == "impl_item" && b.mine.Parent(mine) == top {
		return lang.None, string(b.mine.Src[b.mine.Start(top):b.mine.Start(mine)]) + "{\n    ", nil
	}
	return lang.None, "", noStub("main has no %s to put %s into", b.target.Container, b.target.Qualified)
}

// intoBody puts text at the end of a block without neighbours that both sides have.
func (b *builder) intoBody(u unit, body lang.Node, ind string, comma bool) edit {
	src := b.main.Src
	outer := indent(src, b.main.Start(b.main.Parent(body)))
	to := outer + strings.TrimPrefix(ind, indent(b.mine.Src, b.mine.Start(b.mine.Parent(u.parent))))
	b.take(u.start, u.to, ind, to)
	text := b.text
	if comma {
		text += ","
	}
	end := b.main.End(body)
	closing := lang.None
	for c := range b.main.Children(body) {
		if b.main.Is(c, "}", ")") {
			closing = c
		}
	}
	if closing == lang.None { // a block by indentation
		end = len(strings.TrimRight(string(src[:end]), " \t\n"))
		return edit{end, end, "\n\n" + to + text}
	}
	end = b.main.Start(closing)
	before := len(strings.TrimRight(string(src[:end]), " \t\n"))
	sep := "\n"
	if before > b.main.Start(body)+1 {
		sep = "\n\n"
	}
	return edit{before, end, sep + to + text + "\n" + outer}
}

// check reads the result back: it reads as well as main did, has the very signature, and
// nothing else changed.
func (b *builder) check(out []byte) (*Stub, error) {
	got, err := parse(b.in.Lang, out)
	if err != nil {
		return nil, noStub("the result cannot be read: %v", err)
	}
	// The grammars have gaps: an error that my text has in my file too is none of the stub's.
	allowed := len(b.main.facts.Errors)
	for _, e := range b.mine.facts.Errors {
		if u := unitOf(b.mine, b.target); e.Start >= u.start && e.End <= u.to {
			allowed++
		}
	}
	if len(got.facts.Errors) > allowed {
		return nil, noStub("the result has syntax errors that main does not have; publish a commit of yours with commit=")
	}
	s := got.symbol(b.sym.Qualified)
	if s == nil {
		return nil, noStub("%s is not found in the result; publish a commit of yours with commit=", b.sym.Qualified)
	}
	if s.SigHash != b.sym.SigHash && s.Signature == b.sym.Signature && b.sym.Container != "" {
		return nil, noStub("%s reads the same there and means something else, since your work changes %s around it too; publish %s, or a commit of yours with commit=", b.sym.Qualified, b.sym.Container, b.sym.Container)
	}
	if s.SigHash != b.sym.SigHash {
		return nil, noStub("the result says %q instead of %q; publish a commit of yours with commit=", s.Signature, b.sym.Signature)
	}
	within := func(name string) bool {
		return name == b.target.Qualified || name == b.in.Old || strings.HasPrefix(name, b.target.Qualified+".") || strings.HasPrefix(b.target.Qualified, name+".") ||
			strings.HasPrefix(name, b.in.Old+".")
	}
	for _, was := range b.main.facts.Symbols {
		now := got.symbol(was.Qualified)
		if within(was.Qualified) {
			continue
		}
		if now == nil || now.SigHash != was.SigHash || now.BodyHash != was.BodyHash {
			return nil, noStub("it would change %s too; publish a commit of yours with commit=", was.Qualified)
		}
	}
	for _, now := range got.facts.Symbols {
		if !within(now.Qualified) && b.main.symbol(now.Qualified) == nil && !b.comesAlong(now) {
			return nil, noStub("it would add %s too; publish a commit of yours with commit=", now.Qualified)
		}
	}
	return &Stub{Data: out, Symbol: *s, Warnings: append(b.warnings, b.missing(got)...)}, nil
}

// comesAlong reports whether a new symbol lies in the text that was put in.
func (b *builder) comesAlong(s model.Symbol) bool {
	return strings.Contains(b.text, strings.TrimSpace(s.Name)) && len(b.warnings) > 0
}

// preamble is what a new file begins with: the package clause, where there is one.
func preamble(mine *parsed) []byte {
	for c := range mine.Children(mine.Root()) {
		if mine.Kind(c) == "package_clause" {
			return []byte(mine.Text(c) + "\n")
		}
	}
	return []byte{}
}

// ErrNoLanguage: the file is in no language that is read.
var ErrNoLanguage = errors.New("not in a supported language")
