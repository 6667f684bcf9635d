package lang

import (
	"path"
	"strings"

	"gitlet/internal/model"
)

// rustPrelude are the names every module knows, as far as code calls or names them.
var rustPrelude = wordSet(`Some None Ok Err Option Result Box Vec String ToString ToOwned Clone Copy Send Sync Sized Drop
Fn FnMut FnOnce AsRef AsMut Into From TryFrom TryInto Default Iterator IntoIterator Extend DoubleEndedIterator
ExactSizeIterator FromIterator Eq PartialEq Ord PartialOrd Debug Hash Unpin drop Self
u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char str`)

// rustStd are the crates that come with the compiler.
var rustStd = map[string]bool{"std": true, "core": true, "alloc": true, "proc_macro": true, "test": true}

// rustResolve follows a reference through use declarations and modules.
func rustResolve(file string, f *Facts, r RawRef, repo Repo) Target {
	if r.Value {
		return Target{}
	}
	p := newRustResolver(file, f, r.Byte, repo)
	if r.Qualifier == "" {
		return p.plain(r.Name)
	}
	at, ok := p.walk(strings.Split(r.Qualifier, "::"), 0)
	return at.target(ok)
}

// rustAt is where a path leads: a module, and the type or inline module in it.
type rustAt struct {
	module, container string
	outside           bool // another crate, outside the repository
}

func (a rustAt) target(ok bool) Target {
	switch {
	case a.outside:
		return Target{Drop: true}
	case !ok:
		return Target{}
	}
	return Target{Resolved: true, Module: a.module, Container: a.container}
}

type rustResolver struct {
	file   string
	f      *Facts
	at     int
	repo   Repo
	own    string // the file's module
	root   string // the crate's root module
	inline string // the inline modules around the reference, joined with "."
}

func newRustResolver(file string, f *Facts, at int, repo Repo) *rustResolver {
	mods := rustModules(file)
	p := &rustResolver{file: file, f: f, at: at, repo: repo, own: mods[len(mods)-1]}
	p.root = p.own
	for dir := path.Dir(file); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if path.Base(dir) == "src" {
			p.root = dir
			break
		}
	}
	for i := range f.Imports {
		if m := &f.Imports[i]; m.Kind == rustInline && at >= m.Scope[0] && at < m.Scope[1] {
			p.inline = qualify(p.inline, m.Local)
		}
	}
	return p
}

// plain resolves a name without a path.
func (p *rustResolver) plain(name string) Target {
	if i := rustImportOf(p.f.Imports, name, p.at); i != nil && i.Kind == "member" {
		if i.Module == "" { // use name; brings in a crate or a sibling
			return Target{Drop: true}
		}
		at, ok := p.walk(strings.Split(i.Module, "::"), 1)
		t := at.target(ok)
		if t.Resolved && i.Name != name {
			t.Name = i.Name
		}
		return t
	}
	if p.defines(name, p.inline) {
		return Target{Resolved: true, Module: p.own, Container: p.inline}
	}
	if rustPrelude[name] {
		return Target{Drop: true}
	}
	at, state := p.glob(name)
	switch state {
	case globFound, globLikely:
		return at.target(true)
	case globOutside:
		if !p.defines(name, p.inline) {
			return Target{}
		}
	}
	return Target{Resolved: true, Module: p.own, Container: p.inline}
}

// defines reports whether the file defines the name in the container.
func (p *rustResolver) defines(name, container string) bool {
	for i := range p.f.Symbols {
		if s := &p.f.Symbols[i]; s.Name == name && s.Container == container && !s.TypeMember {
			return true
		}
	}
	return false
}

// What the glob imports in force say about a name.
const (
	globNone    = iota // there are none
	globOutside        // only other crates'
	globLikely         // one module of the repository could bring it
	globFound          // a module of the repository defines it
)

// glob looks for a name among the glob imports, innermost scope first.
func (p *rustResolver) glob(name string) (rustAt, int) {
	var inside []rustAt
	state := globNone
	for k := len(p.f.Imports) - 1; k >= 0; k-- {
		i := &p.f.Imports[k]
		if i.Kind != "glob" || !inScope(i, p.at) {
			continue
		}
		at, ok := p.walk(strings.Split(i.Module, "::"), 1)
		if !ok {
			state = max(state, globOutside)
			continue
		}
		if at.module == p.own && p.defines(name, at.container) || at.module != p.own && p.mentions(at.module, name) {
			return at, globFound
		}
		inside = append(inside, at)
	}
	if len(inside) == 1 {
		return inside[0], globLikely
	}
	return rustAt{}, state
}

// mentions reports whether a module's text seems to define the name.
func (p *rustResolver) mentions(module, name string) bool {
	src, ok := p.read(module)
	if !ok {
		return false
	}
	text := string(src)
	for _, word := range []string{"fn ", "struct ", "enum ", "trait ", "type ", "const ", "static ", "mod ", "union "} {
		for rest := text; ; {
			_, after, found := strings.Cut(rest, word+name)
			if !found {
				break
			}
			if after == "" || !nameByte(after[0]) {
				return true
			}
			rest = after
		}
	}
	return false
}

// walk follows the segments of a path; depth bounds imports that lead to imports.
func (p *rustResolver) walk(segs []string, depth int) (rustAt, bool) {
	at, rest, ok := p.start(segs, depth)
	if !ok || at.outside {
		return at, false
	}
	for _, seg := range rest {
		switch {
		case seg == "self":
		case seg == "super":
			if at.container != "" {
				at.container = containerOf(at.container)
			} else if at.module = path.Dir(at.module); at.module == "." && p.root != "." {
				return rustAt{outside: true}, false
			}
		case at.container != "" || rustTypeName(seg) || capitalised(seg):
			at.container = qualify(at.container, seg)
		case p.exists(path.Join(at.module, seg)):
			at.module = path.Join(at.module, seg)
		case at.module == p.own && p.hasInline(seg), at.module != p.own && p.known(at.module) && p.inlineIn(at.module, seg):
			at.container = seg
		default:
			at.module = path.Join(at.module, seg)
		}
	}
	return at, true
}

func containerOf(c string) string {
	before, _, _ := cutLast(c, ".")
	return before
}

// start resolves the first segment of a path and returns what is left of it.
func (p *rustResolver) start(segs []string, depth int) (at rustAt, rest []string, ok bool) {
	first, rest := segs[0], segs[1:]
	own := rustAt{module: p.own}
	switch {
	case first == "crate":
		return rustAt{module: p.root}, rest, true
	case first == "self":
		return own, rest, true
	case first == "super":
		if p.own == p.root || path.Dir(p.own) == "." && p.root != "." {
			return rustAt{outside: true}, nil, false
		}
		return rustAt{module: path.Dir(p.own)}, rest, true
	case first == "Self":
		own.container = p.enclosingType()
		return own, rest, own.container != ""
	case first == "":
		if len(rest) == 0 {
			return rustAt{}, nil, false
		}
		return p.external(rest[0], rest[1:])
	case depth > 8:
		return rustAt{}, nil, false
	}
	if i := rustImportOf(p.f.Imports, first, p.at); i != nil && i.Kind == "member" && !(i.Module == "" && i.Name == first) {
		full := []string{i.Name}
		if i.Module != "" {
			full = append(strings.Split(i.Module, "::"), i.Name)
		}
		at, ok := p.walk(full, depth+1)
		return at, rest, ok
	}
	if p.definesAny(first, p.inline) {
		own.container = qualify(p.inline, first)
		return own, rest, true
	}
	if p.inline == "" && p.hasInline(first) {
		own.container = first
		return own, rest, true
	}
	if i := rustImportOf(p.f.Imports, first, p.at); i != nil && i.Kind == "module" {
		return rustAt{module: p.child(first)}, rest, true
	}
	if rustPrelude[first] || rustStd[first] {
		return rustAt{outside: true}, nil, false
	}
	if capitalised(first) {
		g, state := p.globAt(first, depth)
		if state < globLikely {
			return rustAt{outside: state == globNone && rustPrelude[first]}, nil, false
		}
		g.container = qualify(g.container, first)
		return g, rest, true
	}
	return p.external(first, rest)
}

// globAt is glob, bounded like walk.
func (p *rustResolver) globAt(name string, depth int) (rustAt, int) {
	if depth > 0 {
		return rustAt{}, globNone
	}
	return p.glob(name)
}

// definesAny reports whether the file holds the name as a type in the container, or
// has members for it there.
func (p *rustResolver) definesAny(name, container string) bool {
	if !capitalised(name) {
		return false
	}
	q := qualify(container, name)
	for i := range p.f.Symbols {
		s := &p.f.Symbols[i]
		if s.Kind.TypeLike() && s.Name == name && s.Container == container && !s.TypeMember {
			return true
		}
		if s.Container == q && s.TypeMember && rustImportOf(p.f.Imports, name, p.at) == nil {
			return true
		}
	}
	return false
}

// enclosingType is the type whose impl or trait holds the reference.
func (p *rustResolver) enclosingType() string {
	best := ""
	for i := range p.f.Symbols {
		s := &p.f.Symbols[i]
		if s.StartByte <= p.at && p.at < s.EndByte {
			if s.TypeMember {
				best = s.Container
			} else if s.Kind == model.KindTrait || s.Kind == model.KindStruct || s.Kind == model.KindEnum {
				best = s.Qualified
			}
		}
	}
	return best
}

// hasInline reports whether the file has the inline module at its top.
func (p *rustResolver) hasInline(name string) bool {
	for i := range p.f.Imports {
		if m := &p.f.Imports[i]; m.Kind == rustInline && m.Module == "self::"+name {
			return true
		}
	}
	return false
}

// inlineIn reports whether another module's text holds the inline module.
func (p *rustResolver) inlineIn(module, name string) bool {
	src, _ := p.read(module)
	return strings.Contains(string(src), "mod "+name+" {")
}

// child is the module of `mod name;` in this file. The root of a crate outside src
// has its modules beside it.
func (p *rustResolver) child(name string) string {
	if beside := path.Join(path.Dir(p.file), name); p.own == p.root && !p.exists(path.Join(p.own, name)) && p.exists(beside) {
		return beside
	}
	return path.Join(p.own, name)
}

// external resolves a crate's name: this package's own library, a package of the
// workspace, or one outside the repository.
func (p *rustResolver) external(crate string, rest []string) (rustAt, []string, bool) {
	if rustStd[crate] {
		return rustAt{outside: true}, nil, false
	}
	if dir, ok := cargoCrate(p.file, crate, p.repo); ok {
		return rustAt{module: path.Join(dir, "src")}, rest, true
	}
	if m := path.Join(p.root, crate); p.exists(m) && p.own != m { // paths from the crate's root, before 2018
		return rustAt{module: m}, rest, true
	}
	return rustAt{outside: true}, nil, false
}

func (p *rustResolver) exists(module string) bool { return p.find(module, ".rs", "/mod.rs") }

func (p *rustResolver) known(module string) bool { _, ok := p.read(module); return ok }

func (p *rustResolver) find(module string, ends ...string) bool {
	for _, end := range ends {
		if p.repo != nil {
			if _, ok := p.repo.ReadFile(module + end); ok {
				return true
			}
		}
	}
	return false
}

func (p *rustResolver) read(module string) ([]byte, bool) {
	if p.repo != nil {
		for _, end := range []string{".rs", "/mod.rs", "/lib.rs", "/main.rs"} {
			if b, ok := p.repo.ReadFile(module + end); ok {
				return b, true
			}
		}
	}
	return nil, false
}

// rustImportOf is importOf without inline modules, which bind nothing inside themselves.
func rustImportOf(imports []Import, local string, at int) *Import {
	var best *Import
	for k := range imports {
		i := &imports[k]
		if i.Local != local || i.Kind == "glob" || i.Kind == rustInline || !inScope(i, at) {
			continue
		}
		if best == nil || i.Scope != [2]int{} && i.Scope[0] >= best.Scope[0] {
			best = i
		}
	}
	return best
}
