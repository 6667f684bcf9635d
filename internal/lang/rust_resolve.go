package lang

import (
	"path"
	"strings"

	"gitlet/internal/model"
)

// rustPrelude are the names every module knows, as far as code calls or names them.
var rustPrelude = lazily(`Some None Ok Err Option Result Box Vec String ToString ToOwned Clone Copy Send Sync Sized Drop
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
	return p.final(at, r.Name, ok).named(r.Name)
}

// final is the target for a name found at a place, where the module there may only
// pass it on.
func (p *rustResolver) final(at rustAt, name string, ok bool) rustTarget {
	if ok && !at.outside && at.container == "" && at.module != p.own {
		at, name = p.through(at.module, name, 0)
		ok = !at.outside
	}
	return rustTarget{at.target(ok), name}
}

type rustTarget struct {
	Target
	name string
}

// named records the name where it is not the one the file uses.
func (t rustTarget) named(used string) Target {
	if t.Resolved && t.name != used {
		t.Name = t.name
	}
	return t.Target
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
	// left bounds the modules and paths one reference may lead through, all in all.
	left *int
}

// maxSteps bounds how far one reference is followed, in modules and paths.
const maxSteps = 200

// spend takes one step; false when none is left.
func spend(left *int) bool { *left--; return *left >= 0 }

func newRustResolver(file string, f *Facts, at int, repo Repo) *rustResolver {
	mods := rustModules(file)
	left := maxSteps
	p := &rustResolver{file: file, f: f, at: at, repo: repo, own: mods[len(mods)-1], left: &left}
	p.root = p.crateRoot()
	for i := range f.Imports {
		if m := &f.Imports[i]; m.Kind == rustInline && at >= m.Scope[0] && at < m.Scope[1] {
			p.inline = qualify(p.inline, m.Local)
		}
	}
	return p
}

// crateRoot is the module that crate:: means: the nearest src directory above the
// file, or a program's own below src/bin; for tests, examples and the like the nearest directory with a main.rs or
// lib.rs, or the file itself.
func (p *rustResolver) crateRoot() string {
	for dir := path.Dir(p.file); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if path.Base(dir) == "src" || path.Base(path.Dir(dir)) == "bin" && p.find(dir, "/main.rs") {
			return dir
		}
	}
	for dir := path.Dir(p.file); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if p.find(dir, "/main.rs", "/lib.rs") {
			return dir
		}
	}
	return p.own
}

// plain resolves a name without a path.
func (p *rustResolver) plain(name string) Target {
	if i := rustImportOf(p.f.Imports, name, p.at); i != nil && i.Kind == "member" {
		if i.Module == "" { // use name; brings in a crate or a sibling
			return Target{Drop: true}
		}
		at, ok := p.walk(strings.Split(i.Module, "::"), 1)
		return p.final(at, i.Name, ok).named(name)
	}
	if p.defines(name, p.inline) {
		return Target{Resolved: true, Module: p.own, Container: p.inline}
	}
	if rustPrelude()[name] {
		return Target{Drop: true}
	}
	at, state := p.glob(name)
	switch state {
	case globFound, globLikely:
		return p.final(at, name, true).named(name)
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

// mentions reports whether a module's text defines the name or passes it on by name.
func (p *rustResolver) mentions(module, name string) bool {
	e := p.exports(module)
	if e == nil {
		return false
	}
	if e.defines[name] {
		return true
	}
	for _, u := range e.uses {
		if u.local == name {
			return true
		}
	}
	at, _ := p.through(module, name, 0)
	return at.module != module
}

// walk follows the segments of a path; depth bounds imports that lead to imports.
func (p *rustResolver) walk(segs []string, depth int) (rustAt, bool) {
	if !spend(p.left) {
		return rustAt{}, false
	}
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
		case at.container != "":
			at.container = qualify(at.container, seg)
		case !capitalised(seg) && p.exists(path.Join(at.module, seg)):
			at.module = path.Join(at.module, seg)
		default:
			at = p.step(at, seg, depth)
			if at.outside {
				return at, false
			}
		}
	}
	return at, true
}

// step enters what a module holds under a name that is no file: a type, an inline
// module, or something it passes on from elsewhere.
func (p *rustResolver) step(at rustAt, seg string, depth int) rustAt {
	if at.module == p.own && len(p.f.Imports) > 0 {
		if i := rustImportOf(p.f.Imports, seg, p.at); i != nil && i.Kind == "member" && i.Module != "" && depth < 8 && !p.definesAny(seg, "") {
			if to, ok := p.walk(append(strings.Split(i.Module, "::"), i.Name), depth+1); ok {
				return to
			}
		}
		if capitalised(seg) || p.hasInline(seg) {
			return rustAt{module: at.module, container: seg}
		}
		return rustAt{module: path.Join(at.module, seg)}
	}
	e := p.exports(at.module)
	if e == nil {
		if capitalised(seg) {
			return rustAt{module: at.module, container: seg}
		}
		return rustAt{module: path.Join(at.module, seg)}
	}
	for _, u := range e.uses {
		if u.local == seg && len(u.path) == 0 && depth < 8 { // a crate, or a module beside, under this name
			if to, ok := p.within(at.module).walk([]string{u.name}, depth+1); ok || to.outside {
				return to
			}
		}
	}
	to, name := p.through(at.module, seg, depth)
	switch {
	case to.outside:
		return to
	case to.container != "" || capitalised(name):
		to.container = qualify(to.container, name)
	case p.exists(path.Join(to.module, name)):
		to.module = path.Join(to.module, name)
	case e.inline[seg], to.module != at.module:
		to.container = name
	default:
		to.module = path.Join(to.module, name)
	}
	return to
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
	for around := p.inline; ; around = containerOf(around) {
		if in := qualify(around, first); p.hasInline(in) {
			own.container = in
			return own, rest, true
		}
		if around == "" {
			break
		}
	}
	if i := rustImportOf(p.f.Imports, first, p.at); i != nil && i.Kind == "module" {
		return rustAt{module: p.child(first)}, rest, true
	}
	if rustPrelude()[first] || rustStd[first] {
		return rustAt{outside: true}, nil, false
	}
	if e := p.exports(p.own); len(p.f.Imports) == 0 && e != nil && (e.defines[first] && capitalised(first) || e.inline[first]) {
		own.container = first // another module, known by its text alone
		return own, rest, true
	}
	if m := p.child(first); !capitalised(first) && p.exists(m) {
		return rustAt{module: m}, rest, true
	}
	if capitalised(first) {
		g, state := p.globAt(first, depth)
		if state < globLikely {
			return rustAt{outside: state == globNone && rustPrelude()[first]}, nil, false
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

// hasInline reports whether the file has the inline module, its name joined with ".".
func (p *rustResolver) hasInline(name string) bool {
	full := "self::" + strings.ReplaceAll(name, ".", "::")
	for i := range p.f.Imports {
		if m := &p.f.Imports[i]; m.Kind == rustInline && m.Module == full {
			return true
		}
	}
	return false
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
