package langtest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"gitlet/internal/lang"
	"gitlet/internal/symbols"
)

var update = flag.Bool("update", false, "rewrite the expectations of golden cases")

// Case is one file of a language's folder. Its parts are named by their stems:
//
//	in.<ext>       the source
//	want           its facts, as Format writes them
//	same.<ext>     a version that must read the same in every symbol and reference
//	samesig.<ext>  a version whose bodies may differ, and nothing callers see
//	after.<ext>    a later version, and
//	changes        what Changes says of it
type Case struct {
	Name    string
	archive *txtar.Archive
	path    string
}

// Cases reads a folder's cases; it fails the test when there are none.
func Cases(t testing.TB, dir string) []Case {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatalf("no cases in %s", dir)
	}
	var out []Case
	for _, p := range paths {
		a, err := txtar.ParseFile(p)
		if err != nil {
			t.Fatalf("read %s: %v", p, err)
		}
		c := Case{Name: strings.TrimSuffix(filepath.Base(p), ".txtar"), archive: a, path: p}
		if _, ok := c.part("in"); !ok {
			t.Fatalf("%s has no part in.<ext>", p)
		}
		out = append(out, c)
	}
	return out
}

// part returns the part whose name, up to its first dot, is stem.
func (c Case) part(stem string) ([]byte, bool) {
	for _, f := range c.archive.Files {
		if name, _, _ := strings.Cut(f.Name, "."); name == stem {
			return f.Data, true
		}
	}
	return nil, false
}

// Source is the case's source.
func (c Case) Source() []byte {
	src, _ := c.part("in")
	return src
}

// Golden checks one case; with -update it rewrites the case's expectations.
func Golden(t *testing.T, l *lang.Language, c Case) {
	t.Helper()
	before := Read(t, l, c.Source())
	c.expect(t, "want", Format(before))
	if src, ok := c.part("same"); ok {
		Same(t, "same", before, Read(t, l, src), true)
	}
	if src, ok := c.part("samesig"); ok {
		Same(t, "samesig", before, Read(t, l, src), false)
	}
	if src, ok := c.part("after"); ok {
		c.expect(t, "changes", Changes(before, Read(t, l, src)))
	}
}

func (c Case) expect(t *testing.T, stem, got string) {
	t.Helper()
	if want, _ := c.part(stem); got == string(want) {
		return
	} else if !*update {
		t.Errorf("%s of %s (run go test -update to accept):\ngot:\n%s\nwant:\n%s", stem, c.Name, got, want)
		return
	}
	written := false
	for i := range c.archive.Files {
		if c.archive.Files[i].Name == stem {
			c.archive.Files[i].Data, written = []byte(got), true
		}
	}
	if !written {
		c.archive.Files = append(c.archive.Files, txtar.File{Name: stem, Data: []byte(got)})
	}
	if err := os.WriteFile(c.path, txtar.Format(c.archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Read extracts facts, failing the test when the source cannot be parsed.
func Read(t *testing.T, l *lang.Language, src []byte) *lang.Facts {
	t.Helper()
	f, err := symbols.Extract(l, src, symbols.DefaultLimits)
	if err != nil {
		t.Fatalf("extract: %v\n%s", err, src)
	}
	return f
}

// Changes lists what differs between two versions, by qualified name: added,
// removed, signature (callers see it), body (only the body differs).
func Changes(before, after *lang.Facts) string {
	var b strings.Builder
	old := map[string]int{}
	for i, s := range before.Symbols {
		old[s.Qualified] = i
	}
	kept := map[string]bool{}
	for _, s := range after.Symbols {
		i, ok := old[s.Qualified]
		if !ok {
			fmt.Fprintf(&b, "added %s: %s\n", s.Qualified, s.Signature)
			continue
		}
		kept[s.Qualified] = true
		was := before.Symbols[i]
		switch {
		case was.SigHash != s.SigHash:
			fmt.Fprintf(&b, "signature %s: %s\n", s.Qualified, s.Signature)
		case was.BodyHash != s.BodyHash:
			fmt.Fprintf(&b, "body %s\n", s.Qualified)
		}
	}
	for _, s := range before.Symbols {
		if !kept[s.Qualified] {
			fmt.Fprintf(&b, "removed %s\n", s.Qualified)
		}
	}
	return b.String()
}
