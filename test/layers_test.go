// Package test holds what concerns the project as a whole: who may import whom,
// how large a file may grow, and the end-to-end scenarios.
package test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"sort"
	"strings"
	"testing"
)

// layers lists, for each package, the project packages it may import. A package
// without a line fails the test, so adding one is a decision somebody sees.
var layers = map[string]string{
	// Words: the standard library only.
	"id": "pattern", "guide": "pattern", "bug": "", "glob": "", "trailer": "",
	"pattern":       "",
	"migration":     "glob pattern",
	"model":         "id",
	"verb":          "model id",
	"verb/verbtest": "verb model",
	// Doors, one per outside thing.
	"proc":          "bug",
	"forge":         "proc pattern",
	"flock":         "bug",
	"atomicfile":    "",
	"journal":       "atomicfile flock",
	"git":           "proc bug pattern atomicfile",
	"git/gittest":   "git proc",
	"config":        "git",
	"wire":          "model id",
	"wire/wiretest": "",
	"ledger":        "model bug flock",
	// Reading code.
	"lang":          "model pattern",
	"lang/langtest": "lang symbols model",
	"symbols":       "lang model bug",
	"footprint":     "symbols lang model id pattern",
	// Deciding.
	"similar": "model pattern",
	"view":    "model id migration",
	"thread":  "view model id",
	"rules":   "view thread similar footprint lang model id migration",
	"notes":   "model id",
	// Reading conflicts as git's rerere does, from texts alone.
	"rerere": "",
	// Doing.
	"replay": "git rerere model",
	// Which tasks would collide.
	"plan":        "glob lang",
	"bus":         "wire model id",
	"bus/gitbus":  "bus git flock atomicfile wire model id",
	"bus/membus":  "bus wire model id",
	"bus/bustest": "bus wire model id",
	"snapshot":    "git journal lang config model id glob migration",
	"sources":     "git footprint symbols lang",
	"gate":        "git land sources symbols lang model pattern",
	// Stubs are built from bytes alone: the engine reads and stores them.
	"contract": "symbols lang model pattern",
	// Whether a merge kept what both sides meant, from texts alone.
	"proof": "footprint symbols pattern",
	// Merging files whose lines conflict, from texts alone.
	"merge": "proof symbols lang pattern",
	// What git runs to merge one file.
	"mergedriver": "merge git atomicfile config glob proc proof tomledit pattern",
	// It changes branches and work trees, so it has git and the checkpoints; what it may
	// leave out of a branch is decided above it.
	"land": "git snapshot proof replay rerere sources footprint symbols lang model",
	// Merging many branches onto one and finding the one that breaks the check; it runs no
	// check itself and moves no branch.
	"combine": "git land proof replay symbols",
	// The engine and its verbs.
	"engine": "gate forge land merge combine replay contract migration id model verb bug proc flock atomicfile journal git config wire ledger lang symbols footprint similar view thread rules notes bus bus/gitbus snapshot sources pattern",
	"verbs":  "gate forge trailer land combine proof replay plan engine verb bus snapshot view thread notes similar config git footprint symbols lang model id",
	// Faces.
	"render":    "verb model pattern",
	"doctor":    "setup forge inspect git config ledger bus bus/gitbus render model bug verb",
	"inspect":   "engine git config snapshot sources footprint symbols lang verb model",
	"demo":      "proc verb render model",
	"mcpserver": "verb render guide model",
	"cli":       "verb render model",
	// The one place that knows everything: it wires the faces to the engine.
	// Edits of files as texts.
	"jsonc": "", "tomledit": "",
	"setup": "guide jsonc tomledit git atomicfile glob lang verb model pattern",
	"hook":  "engine atomicfile trailer render verb model bug",
	"watch": "verbs verb render model",
	"app":   "model render watch proc setup cli hook mergedriver mcpserver doctor inspect demo engine verbs verb git bug",
}

// owners names the packages that may import each outside thing directly, and why
// nobody else may.
var owners = []struct{ path, who, why string }{
	{"os/exec", "proc", "how a child process is started, bounded and ended is decided in one place"},
	{"database/sql", "ledger", "the ledger is the only thing that speaks SQL"},
	{"github.com/mattn/go-sqlite3", "ledger", "the ledger is the only thing that speaks SQL"},
	{"github.com/tree-sitter/", "lang symbols", "grammars belong to their language, parsing to symbols"},
	{"github.com/modelcontextprotocol/", "mcpserver", "the protocol ends at the server"},
	{"github.com/spf13/", "cli", "verbs know nothing of flags"},
	{"github.com/rogpeppe/go-internal", "", "test only"},
	{"github.com/pelletier/", "tomledit", "TOML is read and edited in one place"},
	{"net", "", "gitlet has no network of its own: git is the only road"},
	{"net/http", "", "gitlet has no network of its own: git is the only road"},
}

type pkg struct {
	ImportPath string
	Imports    []string
}

func listPackages(t *testing.T) []pkg {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "gitlet/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []pkg
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p pkg
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("decode go list: %v", err)
		}
		all = append(all, p)
	}
}

func TestImportsFollowTheTable(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range listPackages(t) {
		name, internal := strings.CutPrefix(p.ImportPath, "gitlet/internal/")
		if internal {
			seen[name] = true
			allowed, ok := layers[name]
			if !ok {
				t.Errorf("internal/%s has no line in the import table (test/layers_test.go)", name)
				continue
			}
			checkProject(t, name, allowed, p.Imports)
		}
		checkOutside(t, p, name)
	}
	for name := range layers {
		if !seen[name] {
			t.Errorf("the import table names internal/%s, which does not exist", name)
		}
	}
}

func checkProject(t *testing.T, name, allowed string, imports []string) {
	ok := map[string]bool{}
	for _, a := range strings.Fields(allowed) {
		ok[a] = true
	}
	var bad []string
	for _, i := range imports {
		if dep, internal := strings.CutPrefix(i, "gitlet/internal/"); internal && !ok[dep] {
			bad = append(bad, dep)
		}
	}
	sort.Strings(bad)
	if len(bad) > 0 {
		t.Errorf("internal/%s imports %s; the table allows %q", name, strings.Join(bad, ", "), allowed)
	}
}

func checkOutside(t *testing.T, p pkg, name string) {
	if strings.HasPrefix(p.ImportPath, "gitlet/test") || strings.HasPrefix(p.ImportPath, "gitlet/tools") || strings.HasSuffix(name, "test") {
		return
	}
	for _, i := range p.Imports {
		for _, o := range owners {
			match := i == o.path || strings.HasSuffix(o.path, "/") && strings.HasPrefix(i, o.path)
			if match && !contains(o.who, name) {
				t.Errorf("%s imports %s: %s (owner: %q)", p.ImportPath, i, o.why, o.who)
			}
		}
	}
}

func contains(list, name string) bool {
	for _, x := range strings.Fields(list) {
		if x == name {
			return true
		}
	}
	return false
}

// TestRulesReachNoDoor pins what follows from the table: the deciding packages run
// on plain values, and render reaches only words.
func TestRulesReachNoDoor(t *testing.T) {
	doors := []string{"proc", "git", "ledger", "bus", "flock", "config", "wire"}
	for _, start := range []string{"rules", "footprint", "notes", "view", "similar", "render"} {
		reach := map[string]bool{}
		var walk func(string)
		walk = func(n string) {
			for _, d := range strings.Fields(layers[n]) {
				if !reach[d] {
					reach[d] = true
					walk(d)
				}
			}
		}
		walk(start)
		for _, d := range doors {
			if reach[d] {
				t.Errorf("internal/%s may reach the door internal/%s", start, d)
			}
		}
	}
}
