package lang

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// modulesECMA gives the path without its extension; an index file also stands for
// its directory, and a declaration file for the module it declares.
func modulesECMA(p string) []string {
	m := strings.TrimSuffix(p, path.Ext(p))
	out := []string{m}
	if bare := strings.TrimSuffix(m, ".d"); bare != m {
		out = append(out, bare)
		m = bare
	}
	if path.Base(m) == "index" {
		out = append(out, path.Dir(m))
	}
	return out
}

// esModule resolves a specifier written in the file at p; ok is false for bare
// specifiers and for what leaves the repository.
func esModule(p, spec string) (string, bool) {
	if spec != "." && spec != ".." && !strings.HasPrefix(spec, "./") && !strings.HasPrefix(spec, "../") {
		return "", false
	}
	spec, _, _ = strings.Cut(spec, "?")
	m := path.Join(path.Dir(p), spec)
	if m == ".." || strings.HasPrefix(m, "../") {
		return "", false
	}
	switch ext := path.Ext(m); ext {
	case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts":
		m = strings.TrimSuffix(m, ext)
	}
	return m, true
}

// resolveECMA says what a reference in the file at p points to.
func resolveECMA(p string, f *Facts, r RawRef, repo Repo) Target {
	if r.Value {
		return Target{}
	}
	own := Target{Resolved: true, Module: modulesECMA(p)[0]}
	root, rest, _ := strings.Cut(r.Qualifier, ".")
	name := root
	if r.Qualifier == "" {
		name = r.Name
	}
	if im := esImport(f, name, r.Byte); im != nil {
		m, ok := esModule(p, im.Module)
		if !ok {
			return Target{Drop: true}
		}
		return imported(m, im, r, rest, newESRoad(repo))
	}
	if r.Qualifier == "" {
		return own
	}
	// A class, namespace or object of the file itself; anything else is a value.
	for _, s := range f.Symbols {
		if s.Qualified == r.Qualifier && s.Kind.TypeLike() || s.Container == r.Qualifier {
			own.Container = r.Qualifier
			return own
		}
	}
	return Target{}
}

// esImport finds the import that gives a name at a place, innermost first.
func esImport(f *Facts, name string, at int) *Import {
	var best *Import
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Local != name || name == "" {
			continue
		}
		if im.Scope == [2]int{} {
			if best == nil {
				best = im
			}
		} else if im.Scope[0] <= at && at < im.Scope[1] {
			best = im
		}
	}
	return best
}

// imported resolves a reference through an import of module m: a name used by itself,
// or one behind it. A name that m only passes on belongs to the module it is from.
func imported(m string, im *Import, r RawRef, rest string, road *esRoad) Target {
	name := im.Name // what m must export for it
	switch im.Kind {
	case "default":
		name = defaultName
	case "module", "commonjs":
		if name, _, _ = strings.Cut(rest, "."); name == "" {
			name = r.Name
		}
		if r.Qualifier == "" {
			name = "" // the module itself
		}
	}
	to := Target{Resolved: true, Module: m}
	if name != "" {
		from, _, ok := road.follow(m, name, 0)
		if !ok {
			return Target{Drop: true}
		}
		if behind := im.Kind == "member" || im.Kind == "default"; behind && r.Qualifier != "" && road.object(from.module, from.name) {
			return Target{Resolved: true, Module: from.module, Container: qualify(from.name, rest)}
		}
		if from != (esFrom{m, name}) {
			return passedOn(from, name, im, r, rest)
		}
	}
	if r.Qualifier == "" {
		return importedName(to, im)
	}
	if im.Kind == "commonjs" && capital(im.Local) {
		if e, _ := road.table(m); e != nil && e.class {
			to.Container = qualify(defaultName, rest)
			return to
		}
	}
	return importedMember(to, im, rest)
}

// defaultName is what a module exports without a name; as a container it stands for
// the class or namespace behind it.
const defaultName = "default"

// passedOn resolves a name that an import takes from a module which has it from
// elsewhere: to is where, and as what.
func passedOn(to esFrom, name string, im *Import, r RawRef, rest string) Target {
	out := Target{Resolved: true, Module: to.module}
	alone := r.Qualifier == "" || im.Kind == "module" || im.Kind == "commonjs"
	if alone && rest == "" {
		if to.name == defaultName {
			out.DefaultExport = true
		} else if to.name != r.Name {
			out.Name = to.name
		}
		return out
	}
	if im.Kind == "module" || im.Kind == "commonjs" {
		_, rest, _ = strings.Cut(rest, ".") // its first part is the name that was followed
	}
	if !capital(name) && !capital(im.Local) && to.name != defaultName {
		return importedMember(out, &Import{Kind: "member", Name: to.name, Local: im.Local}, rest)
	}
	out.Container = qualify(to.name, rest)
	return out
}

// importedName resolves an imported name used by itself.
func importedName(to Target, im *Import) Target {
	switch im.Kind {
	case "member":
		if im.Name != im.Local {
			to.Name = im.Name
		}
	case "default", "commonjs":
		to.DefaultExport = true
	}
	return to
}

// importedMember resolves a name behind an import: a member of a namespace, of a
// class, or of an exported object, whose members count as the module's own.
func importedMember(to Target, im *Import, rest string) Target {
	switch im.Kind {
	case "member":
		if capital(im.Name) {
			to.Container = qualify(im.Name, rest)
			return to
		}
	case "default":
		if capital(im.Local) {
			to.Container = qualify(defaultName, rest)
			return to
		}
	default:
		if rest == "" || capital(rest[strings.LastIndexByte(rest, '.')+1:]) {
			to.Container = rest
			return to
		}
	}
	if rest != "" {
		return Target{}
	}
	return to
}

func capital(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}
