package footprint

import (
	"fmt"
	"strings"
	"testing"

	"gitlet/internal/model"
)

const pickedBase = `package a

import "os"

// Load loads.
func Load(p string) ([]byte, error) {
	return os.ReadFile(p)
}

func Between() int {
	return 1
}

func Save(p string, data []byte) error {
	return os.WriteFile(p, data, 0o600)
}
`

// edited is base with pairs of texts replaced, each of which must be there.
func edited(t *testing.T, base string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(base, pairs[i]) {
			t.Fatalf("%q is not in the text", pairs[i])
		}
		base = strings.Replace(base, pairs[i], pairs[i+1], 1)
	}
	return base
}

func change(path, old, new string) Delta {
	d := Delta{Path: path, Status: "M", Old: read(old), New: read(new)}
	if old == "" {
		d.Status, d.Old = "A", nil
	}
	if new == "" {
		d.Status, d.New = "D", nil
	}
	return d
}

// marks is what is marked in a footprint, in short.
func marks(fp model.Footprint) string {
	var out []string
	for _, f := range fp.Files {
		if f.Picked {
			out = append(out, "file "+f.Path)
		}
		for _, h := range f.Hunks {
			if h.Picked {
				out = append(out, fmt.Sprintf("line %d", h.Start))
			}
		}
	}
	for _, c := range fp.Symbols {
		if c.Picked != "" {
			out = append(out, fmt.Sprintf("%s %s", c.Symbol.Qualified, c.Picked))
		}
	}
	return strings.Join(out, ", ")
}

func TestMarkPicked(t *testing.T) {
	t.Parallel()
	strict := []string{"Load(p string)", "Load(p string, strict bool)", `import "os"`, "import \"os\"\nimport \"fmt\"", "return os.ReadFile(p)", `panic(fmt.Sprint(strict))`}
	more := func(pairs ...string) []string { return append(append([]string{}, strict...), pairs...) }
	stub := change("a.go", pickedBase, edited(t, pickedBase, strict...))
	save := change("a.go", pickedBase, edited(t, pickedBase, "data []byte) error", "data []byte, mode os.FileMode) error", "0o600", "mode"))
	const whole = "file a.go, line 4, line 6, Load whole"
	for _, c := range []struct {
		name  string
		mine  []Delta
		stubs []Delta
		want  string
	}{
		{"the stub and no more", []Delta{change("a.go", pickedBase, edited(t, pickedBase, strict...))}, []Delta{stub}, whole},
		{"nothing of it", []Delta{change("a.go", pickedBase, edited(t, pickedBase, "return 1", "return 2"))}, []Delta{stub}, ""},
		{"no stub", []Delta{change("a.go", pickedBase, edited(t, pickedBase, strict...))}, nil, ""},
		{"and something elsewhere", []Delta{change("a.go", pickedBase, edited(t, pickedBase, more("return 1", "return 2")...))}, []Delta{stub},
			"line 4, line 6, Load whole"},
		{"and another file", []Delta{stub, change("b.go", "", "package a\n\nfunc B() {}\n")}, []Delta{stub}, whole},
		{"its inside edited further", []Delta{change("a.go", pickedBase, edited(t, pickedBase, more("panic(fmt.Sprint(strict))", "return nil, nil")...))}, []Delta{stub},
			"line 4, Load signature"},
		{"its signature edited further", []Delta{change("a.go", pickedBase, edited(t, pickedBase, more("strict bool", "strict int")...))}, []Delta{stub},
			"line 4"},
		{"a blank line in it, which is nothing", []Delta{change("a.go", pickedBase, edited(t, pickedBase, more("panic(fmt.Sprint(strict))\n", "panic(fmt.Sprint(strict))\n\n")...))}, []Delta{stub}, whole},
		{"a line right below", []Delta{change("a.go", pickedBase, edited(t, pickedBase, append(strict[:4:4], "return os.ReadFile(p)\n}\n", "panic(fmt.Sprint(strict))\n}\n\nvar mine = 1\n")...))}, []Delta{stub},
			"line 4, line 6, Load whole"},
		{"main went on in between", []Delta{change("a.go", edited(t, pickedBase, "return 1", "return 7"), edited(t, pickedBase, more("return 1", "return 7")...))}, []Delta{stub}, whole},
		{"main went on inside the symbol", []Delta{change("a.go", edited(t, pickedBase, "// Load loads.", "// Load loads it."), edited(t, pickedBase, more("// Load loads.", "// Load loads it.")...))},
			[]Delta{stub}, whole},
		{"two stubs", []Delta{change("a.go", pickedBase, edited(t, pickedBase, more("data []byte) error", "data []byte, mode os.FileMode) error", "0o600", "mode")...))}, []Delta{stub, save},
			"file a.go, line 4, line 6, line 14, Load whole, Save whole"},
		{"a new symbol", []Delta{change("a.go", pickedBase, pickedBase+"\nfunc New() {}\n")}, []Delta{change("a.go", pickedBase, pickedBase+"\nfunc New() {}\n")},
			"file a.go, line 17, New whole"},
		{"a new symbol edited further", []Delta{change("a.go", pickedBase, pickedBase+"\nfunc New() { Between() }\n")}, []Delta{change("a.go", pickedBase, pickedBase+"\nfunc New() {}\n")}, ""},
		{"a new file", []Delta{change("n.go", "", "package a\n\nfunc N() {}\n")}, []Delta{change("n.go", "", "package a\n\nfunc N() {}\n")}, "file n.go, N whole"},
		{"a new file, edited", []Delta{change("n.go", "", "package a\n\nfunc N() {}\n\nfunc M() {}\n")}, []Delta{change("n.go", "", "package a\n\nfunc N() {}\n")}, "N whole"},
		{"a file that is gone", []Delta{change("a.go", pickedBase, "")}, []Delta{change("a.go", pickedBase, "")}, "file a.go, Load whole, Between whole, Save whole"},
		{"a file that is no code", []Delta{change("x.txt", "a\nb\nc\n", "a\nB\nc\n")}, []Delta{change("x.txt", "a\nb\nc\n", "a\nB\nc\n")}, "file x.txt, line 2"},
		{"the symbol is gone instead", []Delta{change("a.go", pickedBase, edited(t, pickedBase, "// Load loads.\nfunc Load(p string) ([]byte, error) {\n\treturn os.ReadFile(p)\n}\n", ""))}, []Delta{stub}, ""},
		{"the same lines elsewhere", []Delta{change("x.txt", "a\nb\nc\nb\n", "a\nB\nc\nb\n")}, []Delta{change("y.txt", "a\nb\nc\n", "a\nB\nc\n")}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			raw := Compute(Input{Deltas: c.mine})
			var stubs []Stub
			for i, d := range c.stubs {
				stubs = append(stubs, Stub{Commit: fmt.Sprint("stub ", i), Deltas: []Delta{d}})
			}
			got := MarkPicked(raw, c.mine, stubs, nil)
			if m := marks(got); m != c.want {
				t.Errorf("marked: %q, want %q", m, c.want)
			}
			if m := marks(raw); m != "" {
				t.Errorf("the footprint itself was marked: %s", m)
			}
			// Without its marks it is as it was computed.
			clean := MarkPicked(got, c.mine, nil, nil)
			if m := marks(clean); m != "" || len(clean.Stubs) != 0 || fmt.Sprintf("%+v", clean) != fmt.Sprintf("%+v", raw) {
				t.Errorf("taken back: %s\n%+v\n%+v", m, clean, raw)
			}
		})
	}
}

// More hunks than a footprint holds are joined, and what is joined of both is the work's own.
func TestMarkPickedJoined(t *testing.T) {
	t.Parallel()
	var base, mine, stub strings.Builder
	for i := range 3 * model.MaxHunks {
		fmt.Fprintf(&base, "line %d\n\n\n\n", i)
		switch {
		case i%2 == 1:
			fmt.Fprintf(&mine, "line %d\n\n\n\n", i)
			fmt.Fprintf(&stub, "line %d\n\n\n\n", i)
		case i < 4:
			fmt.Fprintf(&mine, "stub %d\n\n\n\n", i)
			fmt.Fprintf(&stub, "stub %d\n\n\n\n", i)
		default:
			fmt.Fprintf(&mine, "mine %d\n\n\n\n", i)
			fmt.Fprintf(&stub, "line %d\n\n\n\n", i)
		}
	}
	d := []Delta{change("x.txt", base.String(), mine.String())}
	raw := Compute(Input{Deltas: d})
	got := MarkPicked(raw, d, []Stub{{Commit: "s", Deltas: []Delta{change("x.txt", base.String(), stub.String())}}}, nil)
	if len(got.Files[0].Hunks) != model.MaxHunks || got.Files[0].Picked {
		t.Fatalf("%+v", got.Files[0])
	}
	for i, h := range got.Files[0].Hunks {
		was := raw.Files[0].Hunks[i]
		if h.Start != was.Start || h.Old != was.Old || h.New != was.New {
			t.Errorf("hunk %d is %+v, and was %+v", i, h, was)
		}
		if h.Picked && h.Start > 9 {
			t.Errorf("hunk %+v holds other lines too", h)
		}
	}
}

func read(s string) func() ([]byte, error) {
	return func() ([]byte, error) { return []byte(s), nil }
}
