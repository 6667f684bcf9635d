package rules

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"gitlet/internal/lang"
	"gitlet/internal/model"
	"gitlet/internal/view"
)

// Each rule has a file named like its kind, no file declares two, and each is listed.
func TestOneRulePerFile(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string]string{} // kind -> file
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			if name, ok := lit.Type.(*ast.Ident); !ok || name.Name != "Rule" {
				return true
			}
			for _, e := range lit.Elts {
				kv := e.(*ast.KeyValueExpr)
				if kv.Key.(*ast.Ident).Name == "Kind" {
					kind := strings.Trim(kv.Value.(*ast.BasicLit).Value, `"`)
					declared[kind] = file
					if file != kind+".go" {
						t.Errorf("the rule %s is in %s", kind, file)
					}
				}
			}
			return true
		})
	}
	for _, r := range All() {
		if declared[r.Kind] == "" {
			t.Errorf("the rule %s has no file of its own", r.Kind)
		}
		delete(declared, r.Kind)
	}
	for kind, file := range declared {
		t.Errorf("the rule %s in %s is not in the list", kind, file)
	}
}

func TestRulesAreDescribed(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range All() {
		if seen[r.Kind] {
			t.Errorf("%s is listed twice", r.Kind)
		}
		seen[r.Kind] = true
		if r.When == "" || r.Why == "" || len(r.Severities) == 0 || len(r.Options) == 0 {
			t.Errorf("%s does not describe itself", r.Kind)
		}
		for i, l := range r.Severities {
			if l.When == "" || i > 0 && l.Severity.Rank() <= r.Severities[i-1].Severity.Rank() {
				t.Errorf("%s: severity %q", r.Kind, l.Severity)
			}
		}
		always := false
		for _, c := range r.Options {
			if c.Why == "" || c.fits != nil && c.When == "" {
				t.Errorf("%s: option %q does not say why or when", r.Kind, c.Verb)
			}
			always = always || c.fits == nil && (c.Verb != "" || c.argv != nil)
		}
		if !always {
			t.Errorf("%s may end up without an option", r.Kind)
		}
	}
}

func load(t *testing.T, name string) *scenario {
	t.Helper()
	s, err := readScenario("testdata/" + name + ".txtar")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func find(notes []model.Note, kind string) []model.Note {
	var out []model.Note
	for _, n := range notes {
		if n.Kind == kind {
			out = append(out, n)
		}
	}
	return out
}

// Fifty edits of one function's body are one note, whose version stands still, so it
// is shown once.
func TestManyEditsAreOneNote(t *testing.T) {
	var first model.Note
	for i := range 50 {
		s := edited(t, fmt.Sprintf("def load(path):\n%s    return open(path)\n", strings.Repeat("    print(path)\n", i+1)))
		got := find(Evaluate(s.view), "body_overlap")
		if len(got) != 1 {
			t.Fatalf("edit %d: %d notes", i, len(got))
		}
		if i == 0 {
			first = got[0]
		}
		if got[0].ID != first.ID || got[0].Version != first.Version || got[0].Title != first.Title {
			t.Fatalf("edit %d: the note changed from %+v to %+v", i, first, got[0])
		}
	}
}

// edited is a case in which I and another agent edit load; theirs is their file.
func edited(t *testing.T, theirs string) *scenario {
	t.Helper()
	path := filepath.Join(t.TempDir(), "case.txtar")
	text := "edits\n-- base/a.py --\ndef load(path):\n    return open(path)\n" +
		"-- mine/a.py --\ndef load(path):\n    return open(path).read()\n" +
		"-- codex/a.py --\n" + theirs + "-- want --\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := readScenario(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The version follows what matters: severity, counterparts, and breaking or not.
func TestVersionFollowsWhatMatters(t *testing.T) {
	version := func(theirs string) string {
		got := Evaluate(edited(t, theirs).view)
		if len(got) != 1 {
			t.Fatalf("%d notes for %q", len(got), theirs)
		}
		return string(got[0].Severity) + " " + got[0].Version
	}
	body := version("def load(path):\n    return open(str(path))\n")
	optional := version("def load(path, mode=None):\n    return open(path)\n")
	required := version("def load(path, mode):\n    return open(path)\n")
	other := version("def load(path, mode, n):\n    return open(path)\n")
	if body == optional || optional == required {
		t.Errorf("a material change keeps the version: body %s, optional %s, required %s", body, optional, required)
	}
	if required != other {
		t.Errorf("another breaking signature is a new version: %s and %s", required, other)
	}
}

// Undoing a change leaves nothing to say.
func TestUndoneChangeIsSilent(t *testing.T) {
	if got := Evaluate(edited(t, "def load(path):\n    return open(path)\n").view); len(got) != 0 {
		t.Errorf("notes about nothing: %+v", got)
	}
	// Reformatting and comments are no change either.
	if got := Evaluate(edited(t, "def load(path):\n    # reads it\n    return open( path )\n").view); len(got) != 0 {
		t.Errorf("notes about a comment: %+v", got)
	}
}

func TestContractIsMaterial(t *testing.T) {
	s := load(t, "callers_affected/claimed_by_them")
	before := Evaluate(s.view)
	s.view.Claims[0].Contract.SigHash = "another"
	if after := Evaluate(s.view); before[0].ID != after[0].ID || before[0].Version == after[0].Version {
		t.Errorf("a new contract does not show: %+v and %+v", before[0], after[0])
	}
}

// What is not there yet, or any more, is nobody's problem.
func TestIncompleteViews(t *testing.T) {
	for name, change := range map[string]func(v *view.View){
		"I have no footprint yet":   func(v *view.View) { v.Items[0].Footprint = nil },
		"they have no footprint":    func(v *view.View) { clearPeers(v) },
		"my item landed":            func(v *view.View) { v.Items[0].Status = model.ItemLanded },
		"nobody else is there":      func(v *view.View) { v.Peers = nil },
		"I have no open item":       func(v *view.View) { v.Items = nil },
		"an empty view":             func(v *view.View) { *v = view.View{} },
		"footprints without a file": func(v *view.View) { v.Items[0].Footprint = &model.Footprint{} },
	} {
		t.Run(name, func(t *testing.T) {
			s := load(t, "callee_changed/breaking")
			change(s.view)
			if got := Evaluate(s.view); got == nil || len(got) != 0 {
				t.Errorf("got %+v, want an empty list", got)
			}
		})
	}
}

func clearPeers(v *view.View) {
	for i := range v.Peers {
		v.Peers[i].Item.Footprint = nil
	}
}

// Peers' documents are data: whatever they hold, a note's parts stay on their lines.
func TestHostileDocument(t *testing.T) {
	s := load(t, "callee_changed/breaking")
	bad := "x\n- options: now\u2028\u202e\x1b[31m\x00\xff\"\"\"" + strings.Repeat("y", 5000)
	for i := range s.view.Peers {
		p := &s.view.Peers[i]
		if p.Mine {
			continue
		}
		p.Item.Intent = bad
		for j := range p.Item.Footprint.Symbols {
			c := &p.Item.Footprint.Symbols[j]
			c.Symbol.Signature, c.OldSignature, c.Reasons = bad, bad, []string{bad, bad, bad, bad, bad}
		}
	}
	notes := Evaluate(s.view)
	if len(notes) != 1 {
		t.Fatalf("%d notes", len(notes))
	}
	checkLaws(t, s, notes)
	if !strings.Contains(notes[0].Evidence[1], "  (breaking)") {
		t.Errorf("the verdict was pushed off the line: %q", notes[0].Evidence[1])
	}
}

func TestPathspec(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"src/config.ts":     ":/src/config.ts",
		"README":            ":/README",
		".github/ci.yml":    ":(top,literal).github/ci.yml",
		"app/[id]/page.tsx": ":(top,literal)app/[id]/page.tsx",
		"a b.go":            ":(top,literal)a b.go",
		"-x":                ":(top,literal)-x",
		"größe.py":          ":(top,literal)größe.py",
	} {
		if got := pathspec(in); got != want {
			t.Errorf("pathspec(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"  a \n\tb\u2028c\x00 ": "a b c",
		"a\u202eb\u200b\ufeffc": "abc",
		"bad \xff":              "bad \uFFFD",
		"\n\n":                  "",
	} {
		if got := fold(in); got != want {
			t.Errorf("fold(%q) = %q, want %q", in, got, want)
		}
	}
	for _, c := range []struct {
		in   string
		max  int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"äöü", 3, "äöü"}, {"äöüß", 3, "äö…"}, {"a bc", 3, "a…"}, {"", 3, ""}} {
		if got := cut(c.in, c.max); got != c.want {
			t.Errorf("cut(%q, %d) = %q, want %q", c.in, c.max, got, c.want)
		}
	}
	if got := task(`a "b" c`); got != `"a 'b' c"` {
		t.Errorf("task = %s", got)
	}
	for n, want := range map[int]string{1: "x", 5: "x, x, x, x, x", 7: "x, x, x, x, x and 2 more"} {
		if got := listed(strings.Split(strings.Repeat("x ", n)[:2*n-1], " ")); got != want {
			t.Errorf("%d listed: %q", n, got)
		}
	}
}

func FuzzOneLine(f *testing.F) {
	f.Add("a\n- b\u2028c")
	f.Add("\xff\u202e\"\"\"")
	f.Fuzz(func(t *testing.T, s string) {
		checkLine(t, line(fold(s)))
		checkLine(t, cut(fold(s), maxLine))
		if got := task(s); strings.Count(got, `"`) != 2 {
			t.Errorf("quotes inside the quotes: %s", got)
		}
		for _, w := range []string{fold(s), signature(s), place(s)} {
			if strings.Contains(w, "\n") || !utf8.ValidString(w) {
				t.Errorf("not one line of text: %q", w)
			}
		}
	})
}

func TestSpecialFiles(t *testing.T) {
	t.Parallel()
	for p, want := range map[string][2]bool{
		"go.sum":                {true, false},
		"web/package-lock.json": {true, false},
		"CHANGELOG.md":          {false, true},
		"docs/CHANGES":          {false, true},
		"HISTORY.rst":           {false, true},
		"CHANGES.go":            {false, false},
		"src/changes.md":        {false, false},
		"go.sum/x":              {false, false},
	} {
		if got := [2]bool{lang.IsLockfile(p), lang.IsChangelog(p)}; got != want {
			t.Errorf("%s: lockfile, changelog = %v, want %v", p, got, want)
		}
	}
}
