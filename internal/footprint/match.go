package footprint

import (
	"slices"
	"strings"

	"gitlet/internal/lang"
	"gitlet/internal/model"
)

// MatchKind says how surely a reference means a symbol.
type MatchKind int

// The kinds of matches. An unresolved match rests on the name alone.
const (
	None MatchKind = iota
	Unresolved
	Resolved
)

// String names the kind for messages.
func (k MatchKind) String() string {
	switch k {
	case Unresolved:
		return "unresolved"
	case Resolved:
		return "resolved"
	}
	return "none"
}

// Versions of footprints at which the meaning of references changed.
const (
	versionContainers = 2 // references record the container their qualifier named
	versionValues     = 3 // a value's method call never resolves where the source tells it apart
	versionQualified  = 5 // references record whether they are qualified
)

// defaultContainer stands for a class or namespace known only as a module's default
// export, whose name is its own. Footprints of version 4 recorded it for new X(...)
// of a default import X too, which is marked DefaultExport since.
const defaultContainer = "default"

// Version is the version by which a footprint's references are read. One without a
// version comes from an older gitlet, which may already have recorded containers.
func Version(f *model.Footprint) int {
	if f == nil {
		return model.FootprintVersion
	}
	if f.Version > 0 {
		return f.Version
	}
	if slices.ContainsFunc(f.Refs, func(r model.Ref) bool { return r.Container != "" }) {
		return versionContainers
	}
	return 1
}

// Match says whether ref, from a footprint of the given version, means sym.
// uniqueMethod reports whether a method name occurs once among the changed symbols
// of a language family in view; an unresolved reference can mean only such a method.
func Match(ref model.Ref, version int, sym model.Symbol, uniqueMethod func(name, family string) bool) MatchKind {
	from, to := lang.ByName(ref.Lang), lang.ByName(sym.Lang)
	if from == nil || to == nil || from.Family != to.Family {
		return None
	}
	m := matcher{ref: ref, version: version, sym: sym, from: from, to: to, unique: uniqueMethod}
	if !ref.Resolved {
		return m.byName()
	}
	if !m.inModule() || !m.visible() {
		return None
	}
	if ref.Name == sym.Name {
		if k := m.named(); k != None {
			return k
		}
	}
	if m.builds() || m.isDefault() {
		return Resolved
	}
	return None
}

type matcher struct {
	ref      model.Ref
	version  int
	sym      model.Symbol
	from, to *lang.Language
	unique   func(name, family string) bool
}

// byName matches a method by its name alone.
func (m *matcher) byName() MatchKind {
	if m.ref.Kind == model.RefCall && m.ref.Name == m.sym.Name && m.sym.TypeMember &&
		m.unique != nil && m.unique(m.sym.Name, m.to.Family) {
		return Unresolved
	}
	return None
}

func (m *matcher) inModule() bool {
	for _, module := range m.to.Modules(m.sym.Path) {
		if module == m.ref.Module || m.to.SuffixModules && m.ref.Module != "" && strings.HasSuffix(module, "/"+m.ref.Module) {
			return true
		}
	}
	return false
}

// visible applies the rule of languages whose unexported names stay in their module.
func (m *matcher) visible() bool {
	return !m.to.ModulePrivate || m.sym.Exported || sameModule(m.from, m.ref.Path, m.to, m.sym.Path)
}

// named decides a resolved reference of the symbol's name in the symbol's module.
func (m *matcher) named() MatchKind {
	ref, sym := m.ref, m.sym
	switch {
	case m.version < versionContainers:
		// It recorded no container, so it may mean anything of that name there.
		return Resolved
	case m.isDefaultClass():
		// It still means what has the importer's name.
		return when(!sym.TypeMember && sym.Container == "")
	case ref.Container != "":
		return when(reaches(ref.Container, sym.Container))
	case !sym.TypeMember:
		// An item of a namespace or an inline module is reached through it, except
		// from within.
		return when(sym.Container == "" || m.within())
	case m.throughModule():
		return m.byName()
	}
	return None
}

func when(match bool) MatchKind {
	if match {
		return Resolved
	}
	return None
}

// reaches reports whether a qualifier that named container holds what is defined
// in own. A class known only as a module's default export may have any name.
func reaches(container, own string) bool {
	container, own = plainName(container), plainName(own)
	if container == own {
		return true
	}
	rest, ok := strings.CutPrefix(container, defaultContainer)
	if !ok || rest != "" && rest[0] != '.' || own == "" {
		return false
	}
	_, inside, _ := strings.Cut(own, ".")
	return inside == strings.TrimPrefix(rest, ".")
}

// within reports whether the reference stands inside the symbol's container.
func (m *matcher) within() bool {
	in, container := plainName(m.ref.In), plainName(m.sym.Container)
	return sameModule(m.from, m.ref.Path, m.to, m.sym.Path) &&
		(in == container || strings.HasPrefix(in, container+"."))
}

// throughModule reports whether a reference went through a qualifier that was read
// as a module but may be a variable of that name. Where the source tells the two
// apart it cannot be one.
func (m *matcher) throughModule() bool {
	if m.to.ValuesApart && m.version >= versionValues {
		return false
	}
	if m.version >= versionQualified {
		return m.ref.Qualified
	}
	return !slices.Contains(m.from.Modules(m.ref.Path), m.ref.Module)
}

// builds reports whether the reference builds an instance whose constructor sym is.
func (m *matcher) builds() bool {
	if m.to.Constructor == "" || m.sym.Name != m.to.Constructor || !m.sym.TypeMember || m.ref.Kind != m.from.BuiltBy {
		return false
	}
	outer, class := splitQualified(plainName(m.sym.Container))
	switch {
	case m.isDefaultClass():
		return outer == ""
	case m.ref.Name != class:
		return false
	case m.version < versionContainers:
		return true
	}
	return plainName(m.ref.Container) == outer || outer != "" && reaches(m.ref.Container, outer)
}

// isDefault reports whether the reference is the importer's name for a module's
// default export, and sym is that export.
func (m *matcher) isDefault() bool {
	return m.isDefaultClass() && m.sym.DefaultExport && m.sym.Container == ""
}

// isDefaultClass reports whether the reference names a default export itself, not
// something in it.
func (m *matcher) isDefaultClass() bool {
	return m.ref.DefaultExport ||
		m.version < versionQualified && m.ref.Container == defaultContainer && m.ref.Kind == model.RefConstruct
}

// splitQualified splits a qualified name into its container and its last part.
func splitQualified(q string) (container, name string) {
	i := strings.LastIndexByte(q, '.')
	return q[:max(i, 0)], q[i+1:]
}

// Targets returns the symbols that references to a changed symbol may mean: as it
// was, and as it is when its name or place changed.
func Targets(c model.SymbolChange) []model.Symbol {
	if c.OldQualified == "" && c.OldPath == "" {
		return []model.Symbol{c.Symbol}
	}
	old := c.Symbol
	path := old.Path
	if c.OldPath != "" {
		path = c.OldPath
		if l := lang.ForPath(path); l != nil {
			old.Lang = l.Name
		}
	}
	if c.OldQualified != "" && c.OldQualified != old.Qualified {
		old.Qualified = c.OldQualified
		if q := plainName(c.OldQualified); old.Container != "" && strings.HasPrefix(q, plainName(old.Container)+".") {
			old.Name = q[len(plainName(old.Container))+1:]
		} else {
			old.Container, old.Name = splitQualified(q)
		}
		if i := strings.IndexByte(old.Name, '@'); i > 0 {
			old.Name = old.Name[:i]
		}
		// Whoever used the old name could see it.
		old.Exported = true
	}
	old.Signature, old.SigHash = c.OldSignature, c.OldSigHash
	old = old.At(path)
	return []model.Symbol{old, c.Symbol}
}
