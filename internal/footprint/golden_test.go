package footprint

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"gitlet/internal/lang"
	"gitlet/internal/model"
)

var update = flag.Bool("update", false, "rewrite the wanted parts of the golden cases")

// tree is a set of files; it answers as a repository.
type tree map[string]string

func (t tree) ReadFile(path string) ([]byte, bool) {
	s, ok := t[path]
	return []byte(s), ok
}

func content(s string) func() ([]byte, error) {
	return func() ([]byte, error) { return []byte(s), nil }
}

// deltas compares two trees; renames maps new paths to old ones.
func deltas(old, new tree, renames map[string]string) []Delta {
	var out []Delta
	from := map[string]bool{}
	for path, was := range renames {
		from[was] = true
		out = append(out, Delta{Path: path, OldPath: was, Status: "R", Old: content(old[was]), New: content(new[path])})
	}
	for path, b := range new {
		a, ok := old[path]
		switch {
		case renames[path] != "":
		case !ok:
			out = append(out, Delta{Path: path, Status: "A", New: content(b)})
		case a != b:
			out = append(out, Delta{Path: path, Status: "M", Old: content(a), New: content(b)})
		}
	}
	for path, a := range old {
		if _, ok := new[path]; !ok && !from[path] {
			out = append(out, Delta{Path: path, Status: "D", Old: content(a)})
		}
	}
	return out
}

// goldenCase is one txtar file: a sentence, "rename OLD NEW" lines, a line "matches"
// where the changes that each reference means are wanted too, files under old/ and
// new/ (or both/), and what is wanted. In file contents "\r" and "\ufeff"
// at the end or start of a line, written so, stand for the characters.
type goldenCase struct {
	old, new tree
	renames  map[string]string
	matches  bool
	want     string
	archive  *txtar.Archive
}

func readCase(t *testing.T, path string) goldenCase {
	t.Helper()
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c := goldenCase{old: tree{}, new: tree{}, renames: map[string]string{}, archive: a}
	for line := range strings.Lines(string(a.Comment)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "rename" {
			c.renames[f[2]] = f[1]
		} else if len(f) == 1 && f[0] == "matches" {
			c.matches = true
		}
	}
	unescape := strings.NewReplacer(`\r`+"\n", "\r\n", `\ufeff`, "\ufeff")
	for _, f := range a.Files {
		side, name, _ := strings.Cut(f.Name, "/")
		text := unescape.Replace(string(f.Data))
		switch side {
		case "old":
			c.old[name] = text
		case "new":
			c.new[name] = text
		case "both":
			c.old[name], c.new[name] = text, text
		case "want":
			c.want = string(f.Data)
		default:
			t.Fatalf("%s: %q is neither under old/, new/ nor both/", path, f.Name)
		}
	}
	return c
}

// show writes a footprint as the golden cases have it.
func show(fp model.Footprint) string {
	var b strings.Builder
	for _, f := range fp.Files {
		fmt.Fprintf(&b, "file %s %s", f.Status, f.Path)
		if f.OldPath != "" {
			fmt.Fprintf(&b, " from %s", f.OldPath)
		}
		if f.Outside {
			b.WriteString(" outside")
		}
		if !f.Parsed {
			fmt.Fprintf(&b, " whole: %s", f.Reason)
		}
		for _, h := range f.Hunks {
			if f.Parsed && !f.Outside {
				break // its symbols say it all
			}
			fmt.Fprintf(&b, " @%d-%d+%d", h.Start, h.Old, h.New)
			if h.Outside {
				b.WriteByte('o')
			}
		}
		b.WriteByte('\n')
	}
	for _, c := range fp.Symbols {
		breaking := "compatible"
		if c.Breaking {
			breaking = "BREAKING"
		}
		fmt.Fprintf(&b, "%s %s %s: %s\n", c.Change, breaking, c.Symbol.Canonical(), c.Symbol.Signature)
		if c.OldQualified != "" || c.OldPath != "" {
			fmt.Fprintf(&b, "  was %s:%s sig=%v body=%v\n", c.OldPath, c.OldQualified, c.SigChanged, c.BodyChanged)
		}
		for _, r := range c.Reasons {
			fmt.Fprintf(&b, "  - %s\n", r)
		}
	}
	for _, r := range fp.Refs {
		fmt.Fprintf(&b, "ref %s:%d %s %s", r.Path, r.Line, r.Kind, r.Name)
		if r.Resolved {
			fmt.Fprintf(&b, " module=%q", r.Module)
		} else {
			b.WriteString(" unresolved")
		}
		if r.Container != "" {
			fmt.Fprintf(&b, " container=%s", r.Container)
		}
		if r.DefaultExport {
			b.WriteString(" default")
		}
		if r.Qualified {
			b.WriteString(" qualified")
		}
		if r.In != "" {
			fmt.Fprintf(&b, " in=%s", r.In)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// showMatches lists the changes that each reference of the footprint means.
func showMatches(fp model.Footprint) string {
	var b strings.Builder
	unique := UniqueMethods(&fp)
	for _, r := range fp.Refs {
		var hits []string
		for _, c := range fp.Symbols {
			best := None
			for _, s := range Targets(c) {
				best = max(best, Match(r, fp.Version, s, unique))
			}
			if best != None && c.Symbol.Qualified != r.In {
				hits = append(hits, fmt.Sprintf("%s (%s)", c.Symbol.Canonical(), best))
			}
		}
		if len(hits) > 0 {
			fmt.Fprintf(&b, "match %s:%d %s %s: %s\n", r.Path, r.Line, r.Kind, r.Name, strings.Join(hits, ", "))
		}
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	for _, l := range lang.All() {
		files, err := filepath.Glob(filepath.Join("testdata", l.Name, "*.txtar"))
		if err != nil {
			t.Fatal(err)
		}
		if len(files) == 0 {
			t.Errorf("%s has no cases in testdata/%s", l.Name, l.Name)
		}
		for _, path := range files {
			t.Run(l.Name+"/"+strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
				t.Parallel()
				runCase(t, path)
			})
		}
	}
	dirs, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		if d.Name() != "fuzz" && lang.ByName(d.Name()) == nil {
			t.Errorf("testdata/%s belongs to no language", d.Name())
		}
	}
}

func runCase(t *testing.T, path string) {
	c := readCase(t, path)
	in := Input{Base: "b", Head: "h", Deltas: deltas(c.old, c.new, c.renames), Repo: c.new}
	fp := Compute(in)
	checkFootprint(t, fp)
	got := show(fp)
	slices.Reverse(in.Deltas)
	if again := show(Compute(in)); again != got {
		t.Errorf("the order of the deltas matters:\n%s\nthen\n%s", got, again)
	}
	same := Compute(Input{Deltas: deltas(c.new, c.new, nil)})
	for path, src := range c.new {
		same = Compute(Input{Deltas: []Delta{{Path: path, Status: "M", Old: content(src), New: content(src)}}})
		if len(same.Symbols)+len(same.Refs) > 0 || same.Files[0].Outside {
			t.Errorf("%s compared with itself changed:\n%s", path, show(same))
		}
	}
	if c.matches {
		got += showMatches(fp)
	}
	if *update {
		i := slices.IndexFunc(c.archive.Files, func(f txtar.File) bool { return f.Name == "want" })
		if i < 0 {
			c.archive.Files = append(c.archive.Files, txtar.File{Name: "want"})
			i = len(c.archive.Files) - 1
		}
		c.archive.Files[i].Data = []byte(got)
		if err := os.WriteFile(path, txtar.Format(c.archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != c.want {
		t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
	}
}

// checkFootprint holds what is true of every footprint.
func checkFootprint(t *testing.T, fp model.Footprint) {
	t.Helper()
	seen := map[string]bool{}
	for _, c := range fp.Symbols {
		if c.Symbol.Key == "" || c.Symbol.Path == "" {
			t.Errorf("%s %s has no key or path", c.Change, c.Symbol.Qualified)
		}
		k := string(c.Change) + c.Symbol.Key
		if seen[k] {
			t.Errorf("%s %s is there twice", c.Change, c.Symbol.Canonical())
		}
		seen[k] = true
		if c.Breaking && len(c.Reasons) == 0 {
			t.Errorf("%s %s breaks without a reason", c.Change, c.Symbol.Canonical())
		}
		if f := fp.File(c.Symbol.Path); f == nil || !f.Parsed {
			t.Errorf("%s %s lies in no parsed file of the footprint", c.Change, c.Symbol.Canonical())
		}
	}
	for _, r := range fp.Refs {
		if fp.File(r.Path) == nil || r.Line < 1 {
			t.Errorf("reference %+v lies in no changed file", r)
		}
	}
}
