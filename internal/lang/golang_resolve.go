package lang

import (
	"path"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"
)

// resolveGo says what a reference in the file at p points to.
func resolveGo(p string, f *Facts, r RawRef, repo Repo) Target {
	if r.Value {
		return Target{}
	}
	own := Target{Resolved: true, Module: path.Dir(p)}
	q, rest, _ := strings.Cut(r.Qualifier, ".")
	if q == "" {
		if dir, ok := goDot(p, f, r.Name, repo); ok {
			own.Module = dir
		}
		return own
	}
	if q == "C" {
		return Target{Drop: true}
	}
	if im := goImport(f, q); im != nil {
		dir, ok := goDirectory(p, im.Module, repo)
		if !ok {
			return Target{Drop: true}
		}
		return Target{Resolved: true, Module: dir, Container: rest}
	}
	// A type of the package makes a method expression; anything else is a variable,
	// and one in another file is told from a type by its first letter.
	known := false
	for _, s := range f.Symbols {
		if s.Container == "" && s.Name == q {
			if s.Kind.TypeLike() {
				own.Container = q
				return own
			}
			known = true
		}
	}
	if known || rest != "" || !goExported(q) {
		return Target{}
	}
	own.Container = q
	return own
}

// goDot is the directory of the only package whose names the file uses without a
// qualifier, for an exported name that the file does not define itself.
func goDot(p string, f *Facts, name string, repo Repo) (dir string, ok bool) {
	if !goExported(name) {
		return "", false
	}
	for _, im := range f.Imports {
		if im.Kind == "glob" {
			if d, in := goDirectory(p, im.Module, repo); in {
				if ok && d != dir {
					return "", false
				}
				dir, ok = d, true
			}
		}
	}
	return dir, ok && !definesTop(f, name)
}

// goImport finds the import that a qualifier names. The name of a package without
// an alias is only guessed from its path, so a guess that is no identifier also
// matches by its parts: "go-isatty" is isatty, "my-pkg" may be mypkg.
func goImport(f *Facts, q string) *Import {
	for i := range f.Imports {
		if im := &f.Imports[i]; im.Kind == "module" && im.Local == q {
			return im
		}
	}
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Kind != "module" || !strings.ContainsAny(im.Local, "-.") {
			continue
		}
		parts := strings.FieldsFunc(im.Local, func(r rune) bool { return r == '-' || r == '.' })
		if strings.Join(parts, "") == q || strings.Join(parts, "_") == q {
			return im
		}
		for _, part := range parts {
			if part == q {
				return im
			}
		}
	}
	return nil
}

// goDirectory turns an import path into a directory of the repository: the modules
// are the go.mod nearest above the file, those of the nearest go.work, and what
// both replace by directories. ok is false when the package is in none of them.
func goDirectory(p, spec string, repo Repo) (dir string, ok bool) {
	modules := map[string]string{}
	found := false
	if d, data, has := nearest(p, "go.mod", repo); has {
		found = true
		goModules(d, data, modules)
	}
	if d, data, has := nearest(p, "go.work", repo); has {
		found = true
		w := parsedWork(data)
		for _, use := range w.use {
			sub, inside := joinDir(d, use)
			if !inside {
				continue
			}
			if mod, has := repo.ReadFile(path.Join(sub, "go.mod")); has {
				if name := parsedMod(mod).module; name != "" {
					modules[name] = sub
				}
			}
		}
		addReplaced(d, w.replace, modules)
	}
	best, root := "", ""
	for name, d := range modules {
		if (spec == name || strings.HasPrefix(spec, name+"/")) && len(name) > len(best) {
			best, root = name, d
		}
	}
	if best != "" {
		return path.Join(root, strings.TrimPrefix(spec, best)), true
	}
	first, _, _ := strings.Cut(spec, "/")
	return spec, !found && strings.Contains(first, ".") && path.Clean(spec) == spec && !strings.HasPrefix(spec, ".")
}

func goModules(dir string, data []byte, into map[string]string) {
	m := parsedMod(data)
	addReplaced(dir, m.replace, into)
	if m.module != "" {
		into[m.module] = dir
	}
}

func addReplaced(dir string, replace map[string]string, into map[string]string) {
	for name, to := range replace {
		if d, inside := joinDir(dir, to); inside {
			into[name] = d
		}
	}
}

// nearest finds the file name in p's directory or the closest one above it.
func nearest(p, name string, repo Repo) (dir string, data []byte, ok bool) {
	for dir = path.Dir(p); ; dir = path.Dir(dir) {
		if data, ok = repo.ReadFile(path.Join(dir, name)); ok {
			return dir, data, true
		}
		if dir == "." || dir == "/" {
			return "", nil, false
		}
	}
}

// joinDir resolves a relative directory; ok is false when it leaves the repository.
func joinDir(dir, to string) (string, bool) {
	if path.IsAbs(to) || strings.Contains(to, ":") {
		return "", false
	}
	d := path.Join(dir, to)
	return d, d != ".." && !strings.HasPrefix(d, "../")
}

// goMod is what matters of a go.mod or go.work file.
type goMod struct {
	module  string
	use     []string
	replace map[string]string // module path -> directory as written
}

// parsed keeps the module files read last, by their content: every reference of a
// file asks for the same one.
var parsed struct {
	sync.Mutex
	mod, work map[string]goMod
}

func parsedMod(data []byte) goMod {
	return remember(&parsed.mod, data, func() (m goMod) {
		f, err := modfile.ParseLax("go.mod", data, nil)
		if err != nil {
			return m
		}
		if f.Module != nil {
			m.module = f.Module.Mod.Path
		}
		m.replace = localReplaces(modfile.Parse("go.mod", data, nil))
		return m
	})
}

func parsedWork(data []byte) goMod {
	return remember(&parsed.work, data, func() (m goMod) {
		w, err := modfile.ParseWork("go.work", data, nil)
		if err != nil {
			return m
		}
		for _, u := range w.Use {
			m.use = append(m.use, u.Path)
		}
		m.replace = directories(w.Replace)
		return m
	})
}

// localReplaces needs the strict parser, since the lax one ignores replace lines.
func localReplaces(f *modfile.File, err error) map[string]string {
	if err != nil {
		return nil
	}
	return directories(f.Replace)
}

func directories(list []*modfile.Replace) map[string]string {
	out := map[string]string{}
	for _, r := range list {
		if modfile.IsDirectoryPath(r.New.Path) && r.New.Version == "" {
			out[r.Old.Path] = r.New.Path
		}
	}
	return out
}

// maxParsed bounds the module files kept.
const maxParsed = 64

func remember(in *map[string]goMod, data []byte, parse func() goMod) goMod {
	parsed.Lock()
	defer parsed.Unlock()
	if m, ok := (*in)[string(data)]; ok {
		return m
	}
	if *in == nil || len(*in) >= maxParsed {
		*in = map[string]goMod{}
	}
	m := parse()
	(*in)[string(data)] = m
	return m
}
