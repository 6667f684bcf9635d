package lang

import (
	"path"
	"strings"

	"gitlet/internal/pattern"
)

// esTable is what another module's text says of its exports, read by patterns: enough
// to follow a name that a module only passes on, or exports under another name.
type esTable struct {
	defines map[string]bool   // declared with export in front
	listed  map[string]esFrom // export { own as name }, with or without from
	imports map[string]esFrom // what its own imports bring in
	stars   []string          // export * from
	class   bool              // module.exports is a class
	objects map[string]bool   // constants that hold an object, and "default"
}

// esFrom is a name in a module; an empty module is the file itself.
type esFrom struct{ module, name string }

var (
	esExportList   = pattern.New(`(?m)^[ \t]*export\s+(?:type\s+)?\{([^}]*)\}(?:\s*from\s*['"]([^'"\n]+)['"])?`)
	esExportStar   = pattern.New(`(?m)^[ \t]*export\s+(?:type\s+)?\*\s*from\s*['"]([^'"\n]+)['"]`)
	esExportName   = pattern.New(`(?m)^[ \t]*export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\s*\*?|class|const\s+enum|const|let|var|interface|type|enum|namespace|module)\s+([\w$]+)`)
	esImportFrom   = pattern.New(`(?m)^[ \t]*import\s+(?:type\s+)?(?:([\w$]+)\s*,?\s*)?(?:\{([^}]*)\})?\s*from\s*['"]([^'"\n]+)['"]`)
	esModuleExport = pattern.New(`(?m)^[ \t]*(?:module\.exports|export)\s*=\s*(class\b|[A-Z][\w$]*\s*(?:;|$))`)
	esObject       = pattern.New(`(?m)^[ \t]*(?:export\s+)?(?:const\s+([\w$]+)\s*(?::[^=\n]+)?=|export\s+default)\s*(?:[\w$.]+\()?\{`)
	esDefaultName  = pattern.New(`(?m)^[ \t]*export\s+default\s+([\w$]+)\s*;?\s*$`)
)

var esTableMemo = newMemo[*esTable](512)

func readESTable(src []byte) *esTable {
	e := &esTable{
		defines: map[string]bool{}, objects: map[string]bool{},
		listed: map[string]esFrom{}, imports: map[string]esFrom{},
	}
	for _, m := range esExportName.FindAllSubmatch(src, -1) {
		e.defines[string(m[1])] = true
	}
	for _, m := range esExportList.FindAllSubmatch(src, -1) {
		for own, as := range esSpecifiers(string(m[1])) {
			e.listed[as] = esFrom{string(m[2]), own}
		}
	}
	for _, m := range esImportFrom.FindAllSubmatch(src, -1) {
		for own, as := range esSpecifiers(string(m[2])) {
			e.imports[as] = esFrom{string(m[3]), own}
		}
		if len(m[1]) > 0 {
			e.imports[string(m[1])] = esFrom{string(m[3]), defaultName}
		}
	}
	for _, m := range esExportStar.FindAllSubmatch(src, -1) {
		e.stars = append(e.stars, string(m[1]))
	}
	for _, m := range esObject.FindAllSubmatch(src, -1) {
		name := string(m[1])
		if name == "" {
			name = defaultName
		}
		e.objects[name] = true
	}
	if m := esDefaultName.FindSubmatch(src); m != nil {
		e.listed[defaultName] = esFrom{"", string(m[1])}
	}
	e.class = esModuleExport.Match(src)
	return e
}

// esSpecifiers yields what stands between the braces of an import or export: each
// name, and the one it goes by after "as".
func esSpecifiers(list string) func(yield func(own, as string) bool) {
	return func(yield func(string, string) bool) {
		for _, part := range strings.Split(list, ",") {
			words := strings.Fields(part)
			if len(words) > 1 && words[0] == "type" && words[1] != "as" {
				words = words[1:]
			}
			switch {
			case len(words) == 1:
				if !yield(words[0], words[0]) {
					return
				}
			case len(words) == 3 && words[1] == "as":
				if !yield(words[0], words[2]) {
					return
				}
			}
		}
	}
}

// esFiles are the endings under which a module's file is looked for.
var esFiles = []string{".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".mjs", ".cts", ".cjs"}

// esRoad follows names through the modules of a repository.
type esRoad struct {
	repo Repo
	left int // files that may still be asked for
}

func newESRoad(repo Repo) *esRoad { return &esRoad{repo, 200} }

// table reads a module; file is where it was found.
func (r *esRoad) table(module string) (e *esTable, file string) {
	if r.repo == nil {
		return nil, ""
	}
	for _, base := range []string{module, path.Join(module, "index")} {
		for _, end := range esFiles {
			if !spend(&r.left) {
				return nil, ""
			}
			if src, ok := r.repo.ReadFile(base + end); ok {
				return esTableMemo.get(src, readESTable), base + end
			}
		}
	}
	return nil, ""
}

// follow finds the module that defines what another exports as name, and the name it
// has there; known is false where the module's text does not tell. ok is false when
// it comes from outside the repository.
func (r *esRoad) follow(module, name string, depth int) (to esFrom, known, ok bool) {
	here := esFrom{module, name}
	e, file := r.table(module)
	if e == nil || depth > 6 {
		return here, false, true
	}
	if e.defines[name] {
		return here, true, true
	}
	from, listed := e.listed[name]
	if listed && from.module == "" {
		in, imported := e.imports[from.name]
		switch {
		case imported:
			from = in
		case name == defaultName && !e.objects[from.name]:
			return here, true, true // the symbol is marked as what the module exports
		default:
			return esFrom{module, from.name}, true, true
		}
	}
	if listed {
		m, inside := esModule(file, from.module)
		if !inside {
			return here, true, false
		}
		to, _, ok = r.follow(m, from.name, depth+1)
		return to, true, ok
	}
	if name == defaultName {
		return here, false, true
	}
	for _, star := range e.stars {
		if m, inside := esModule(file, star); inside {
			if to, known, ok := r.follow(m, name, depth+1); known {
				return to, true, ok
			}
		}
	}
	return here, false, true
}

// object reports whether a module binds name to an object whose functions are
// definitions of their own.
func (r *esRoad) object(module, name string) bool {
	e, _ := r.table(module)
	return e != nil && e.objects[name]
}
