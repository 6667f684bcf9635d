package lang

import (
	"path"
	"strings"
)

// cargoManifest is the little gitlet reads of a Cargo.toml.
type cargoManifest struct {
	name      string // the package's crate name
	lib       string // the library's, where it differs
	workspace bool
	deps      map[string]cargoDep
	shared    map[string]cargoDep // workspace.dependencies
}

type cargoDep struct {
	path      string // relative to the manifest
	workspace bool   // look it up in the workspace's manifest
}

// cargoCrate returns the directory of the package that the file knows as crate,
// when it is in the repository.
func cargoCrate(file, crate string, repo Repo) (string, bool) {
	if repo == nil {
		return "", false
	}
	inherit := false
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if src, ok := repo.ReadFile(path.Join(dir, "Cargo.toml")); ok {
			m := parseCargo(string(src))
			if !inherit {
				if m.name == crate || m.lib == crate {
					return dir, true
				}
				d, ok := m.deps[crate]
				switch {
				case ok && d.path != "":
					return inRepo(dir, d.path)
				case !ok || !d.workspace:
					if m.name != "" {
						return "", false
					}
				}
				inherit = ok && d.workspace
			}
			if d, ok := m.shared[crate]; ok && inherit {
				return inRepo(dir, d.path)
			}
			if m.workspace {
				return "", false
			}
		}
		if dir == "." || dir == "/" {
			return "", false
		}
	}
}

// inRepo is the directory a manifest's path means; it refuses one that leaves the
// repository, or says nothing.
func inRepo(dir, rel string) (string, bool) {
	to := path.Join(dir, rel)
	return to, rel != "" && to != ".." && !strings.HasPrefix(to, "../")
}

// parseCargo reads names and path dependencies, line by line: enough for manifests
// as cargo and people write them.
func parseCargo(src string) cargoManifest {
	m := cargoManifest{deps: map[string]cargoDep{}, shared: map[string]cargoDep{}}
	section := ""
	for line := range strings.Lines(src) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = strings.Trim(strings.TrimSpace(strings.SplitN(line, "#", 2)[0]), "[]")
			m.workspace = m.workspace || section == "workspace"
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		m.line(section, strings.Trim(strings.TrimSpace(key), `"`), strings.TrimSpace(value))
	}
	return m
}

func (m *cargoManifest) line(section, key, value string) {
	switch {
	case section == "package" && key == "name":
		m.name = crateName(tomlString(value))
		return
	case section == "lib" && key == "name":
		m.lib = crateName(tomlString(value))
		return
	}
	deps, dep := m.deps, ""
	rest := section
	if after, ok := strings.CutPrefix(rest, "workspace."); ok {
		deps, rest = m.shared, after
	} else if strings.HasPrefix(rest, "target.") {
		if i := strings.Index(rest, "]."); i >= 0 {
			rest = rest[i+2:]
		} else if i := strings.LastIndex(rest, "'."); i >= 0 {
			rest = rest[i+2:]
		}
	}
	for _, kind := range []string{"dependencies", "dev-dependencies", "build-dependencies"} {
		if rest == kind {
			name, field, dotted := strings.Cut(key, ".")
			d := deps[crateName(name)]
			if dotted {
				d.set(field, value)
			} else {
				for _, part := range splitTop(strings.Trim(value, "{} "), ',') {
					if k, v, ok := strings.Cut(part, "="); ok {
						d.set(strings.TrimSpace(k), strings.TrimSpace(v))
					}
				}
			}
			deps[crateName(name)] = d
			return
		}
		if after, ok := strings.CutPrefix(rest, kind+"."); ok {
			dep = crateName(strings.Trim(after, `"`))
		}
	}
	if dep != "" {
		d := deps[dep]
		d.set(key, value)
		deps[dep] = d
	}
}

func (d *cargoDep) set(key, value string) {
	switch key {
	case "path":
		d.path = tomlString(value)
	case "workspace":
		d.workspace = strings.HasPrefix(value, "true")
	}
}

// tomlString is the content of a quoted value, up to the closing quote.
func tomlString(v string) string {
	if v == "" || v[0] != '"' && v[0] != '\'' {
		return ""
	}
	s, _, _ := strings.Cut(v[1:], v[:1])
	return s
}

// crateName is how code spells a package's name.
func crateName(s string) string { return strings.ReplaceAll(s, "-", "_") }
