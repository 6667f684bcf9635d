package merge

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gitlet/internal/lang"
)

var rounds = flag.Int("merge.rounds", 400, "how many random merges TestRandomEdits makes for each language")

// world is a file made of blocks that know what they are called.
type world struct {
	ext   string
	def   func(name string, body int) string
	stmt  func(name string, body int) string
	imp   func(name string) string
	head  string
	apart string
	foot  string
}

var worlds = []world{
	{"go", func(n string, b int) string { return fmt.Sprintf("func %s() int {\n\treturn %d\n}\n", n, b) }, nil,
		func(n string) string { return fmt.Sprintf("import %q\n", n) }, "package p\n\n", "\n", ""},
	{"py", func(n string, b int) string {
		return fmt.Sprintf("@deco\ndef %s(x):\n    y = x\n    return %d\n", n, b)
	},
		func(n string, b int) string { return fmt.Sprintf("run(%q, %d)\n", n, b) },
		func(n string) string { return "import " + n + "\n" }, "", "\n\n", ""},
	{"ts", func(n string, b int) string {
		return fmt.Sprintf("export function %s(): number {\n  return %d;\n}\n", n, b)
	},
		func(n string, b int) string { return fmt.Sprintf("run(%q, %d);\n", n, b) },
		func(n string) string { return fmt.Sprintf("import { %s } from %q;\n", n, n) }, "", "\n", ""},
	{"rs", func(n string, b int) string { return fmt.Sprintf("#[inline]\nfn %s() -> u8 {\n    %d\n}\n", n, b) },
		func(n string, b int) string { return fmt.Sprintf("run!(%q, %d);\n", n, b) },
		func(n string) string { return "use " + n + ";\n" }, "", "\n", ""},
	// Members of one class, fields before methods.
	{"py", func(n string, b int) string {
		return fmt.Sprintf("    @deco\n    def %s(self):\n        return %d\n", n, b)
	}, nil,
		func(n string) string { return fmt.Sprintf("    %s = %q\n", n, n) }, "class C:\n", "\n", ""},
	{"ts", func(n string, b int) string { return fmt.Sprintf("  %s(): number {\n    return %d;\n  }\n", n, b) }, nil,
		func(n string) string { return fmt.Sprintf("  %s = %q;\n", n, n) }, "export class C {\n", "\n", "}\n"},
	{"tsx", func(n string, b int) string { return fmt.Sprintf("  %s: { of: %d };\n", n, b) }, nil,
		func(n string) string { return fmt.Sprintf("  %s?: string;\n", n) }, "interface I {\n", "", "}\n"},
	{"rs", func(n string, b int) string {
		return fmt.Sprintf("    pub fn %s(&self) -> u8 {\n        %d\n    }\n", n, b)
	}, nil,
		func(n string) string { return fmt.Sprintf("    const %s: &str = %q;\n", strings.ToUpper(n), n) }, "impl C {\n", "\n", "}\n"},
	{"rs", func(n string, b int) string { return fmt.Sprintf("    %s([u8; %d]),\n", n, b) }, nil,
		func(n string) string { return "    " + n + ",\n" }, "enum E {\n", "", "}\n"},
	{"go", func(n string, b int) string { return fmt.Sprintf("\t// %[1]s is one.\n\t%[1]s [%[2]d]int\n", n, b) }, nil,
		func(n string) string { return "\t" + n + "\n" }, "package p\n\ntype T struct {\n", "", "}\n"},
	{"js", func(n string, b int) string { return fmt.Sprintf("  %s() {\n    return %d;\n  }\n", n, b) }, nil,
		func(n string) string { return fmt.Sprintf("  static %s = %q;\n", n, n) }, "class C extends D {\n", "\n", "}\n"},
}

// piece is one block of such a file: 'i'mport, 'd'efinition or 's'tatement.
type piece struct {
	kind byte
	name string
	body int
}

func (w world) text(list []piece) string { return w.head + w.inner(list) + w.foot }

func (w world) inner(list []piece) string {
	var b strings.Builder
	for i, p := range list {
		if i > 0 && (p.kind != 'i' || list[i-1].kind != 'i') {
			b.WriteString(w.apart)
		}
		switch p.kind {
		case 'i':
			b.WriteString(w.imp(p.name))
		case 's':
			b.WriteString(w.stmt(p.name, p.body))
		default:
			b.WriteString(w.def(p.name, p.body))
		}
	}
	return b.String()
}

// edited makes a few random changes: things go, change, move and come.
func (w world) edited(r *rand.Rand, list []piece, who string) []piece {
	out := slices.Clone(list)
	for n := range 1 + r.IntN(4) {
		i := r.IntN(len(out))
		switch r.IntN(8) {
		case 0:
			if len(out) > 2 {
				out = slices.Delete(out, i, i+1)
			}
		case 1, 2:
			if out[i].kind != 'i' {
				out[i].body += 1 + r.IntN(9)
			}
		case 3:
			p := out[i]
			if p.kind == 'd' {
				out = slices.Delete(out, i, i+1)
				at := r.IntN(len(out) + 1)
				for at < len(out) && out[at].kind == 'i' {
					at++
				}
				out = slices.Insert(out, at, p)
			}
		default:
			p := piece{kind: "ddis"[r.IntN(4)], name: fmt.Sprintf("%s%d", who, n)}
			if p.kind != 'i' {
				p.body = r.IntN(9)
			}
			if p.kind != 's' && r.IntN(5) == 0 {
				p.name = "same" + string(p.kind) // both sides may choose it
			}
			if p.kind == 's' && w.stmt == nil {
				p.kind = 'd' // statements stand in functions only
			}
			if p.kind == 'i' {
				i = 0
			} else {
				for i < len(out) && out[i].kind == 'i' {
					i++
				}
			}
			if !slices.ContainsFunc(out, func(q piece) bool { return q.name == p.name }) {
				out = slices.Insert(out, i, p)
			}
		}
	}
	return out
}

// TestRandomEdits merges files that two sides changed at random, and counts in what comes
// out: each block that one side added stands there once, each that one side took out or
// changed is so, and nothing else moved or changed. It reads the blocks by their texts
// alone, not as the merge does.
func TestRandomEdits(t *testing.T) {
	for _, w := range worlds {
		t.Run(w.ext+" "+strings.TrimSpace(w.head), func(t *testing.T) {
			merged, most := 0, *rounds
			if strings.HasSuffix(strings.TrimSpace(w.head), "{") || w.head == "class C:\n" {
				most /= 4 // there are many of them
			}
			for seed := range most {
				r := rand.New(rand.NewPCG(uint64(seed), 7))
				base := []piece{{'i', "ia", 0}, {'i', "ib", 0}, {'d', "fa", 1}, {'d', "fb", 2}, {'d', "fc", 3}}
				if w.stmt != nil {
					base = slices.Insert(base, 3, piece{'s', "sa", 4})
				}
				ours, theirs := w.edited(r, base, "o"), w.edited(r, base, "t")
				v := Versions{"f." + w.ext, []byte(w.text(base)), []byte(w.text(ours)), []byte(w.text(theirs))}
				got, err := Source(v, byGit)
				if err != nil {
					continue
				}
				merged++
				if wrong := w.judge(base, ours, theirs, string(got)); wrong != "" {
					t.Fatalf("seed %d: %s\nbase:\n%s\nours:\n%s\ntheirs:\n%s\nmerged:\n%s", seed, wrong, v.Base, v.Ours, v.Theirs, got)
				}
			}
			t.Logf("%d of %d merged", merged, most)
			if merged < most/10 {
				t.Errorf("only %d of %d merged: the test shows little", merged, most)
			}
		})
	}
}

// judge says what is wrong with a result.
func (w world) judge(base, ours, theirs []piece, got string) string {
	find := func(list []piece, name string) (piece, bool) {
		i := slices.IndexFunc(list, func(p piece) bool { return p.name == name })
		if i < 0 {
			return piece{}, false
		}
		return list[i], true
	}
	names := map[string]bool{}
	for _, list := range [][]piece{base, ours, theirs} {
		for _, p := range list {
			names[p.name] = true
		}
	}
	rest := strings.TrimSuffix(strings.TrimPrefix(got, w.head), w.foot)
	for name := range names {
		b, inB := find(base, name)
		o, inO := find(ours, name)
		th, inT := find(theirs, name)
		want, there := o, inO
		switch {
		case inB && (!inO || !inT):
			there = false
			if left := o.body + th.body - b.body; inO != inT && left != 0 {
				return name + " was changed by one side and is not a conflict"
			}
		case inB && o.body == b.body, !inO:
			want, there = th, inT
		case inB && th.body != b.body && th.body != o.body, !inB && inT && o != th:
			return name + " was changed by both and is not a conflict"
		}
		if !there {
			continue
		}
		text := w.inner([]piece{want})
		if n := strings.Count("\n"+rest, "\n"+text); n != 1 {
			return fmt.Sprintf("%q stands there %d times", text, n)
		}
		rest = strings.TrimPrefix(strings.Replace("\n"+rest, "\n"+text, "\n", 1), "\n")
	}
	if strings.TrimSpace(rest) != "" {
		return fmt.Sprintf("%q is left over", rest)
	}
	return ""
}

// FuzzSource looks for texts that the merge of source trips over: whatever comes in, it
// ends, and what one side alone changed comes out as that side.
func FuzzSource(f *testing.F) {
	for _, w := range worlds {
		base := w.text([]piece{{'i', "ia", 0}, {'d', "fa", 1}})
		f.Add("f."+w.ext, base, w.text([]piece{{'i', "ia", 0}, {'d', "fa", 1}, {'d', "o", 2}}), w.text([]piece{{'i', "ia", 0}, {'d', "fa", 1}, {'d', "t", 2}}))
	}
	f.Fuzz(func(t *testing.T, path, base, ours, theirs string) {
		if lang.ForPath(path) == nil {
			return
		}
		conflict := func(_, _, _ []byte) ([]byte, bool) { return nil, false }
		_, _ = Source(Versions{path, []byte(base), []byte(ours), []byte(theirs)}, conflict)
		if got, err := Source(Versions{path, []byte(base), []byte(ours), []byte(base)}, conflict); err == nil && string(got) != ours {
			t.Errorf("changed by ours alone:\n%q\nmerged:\n%q", ours, got)
		}
		_, _ = Changelog(Versions{path, []byte(base), []byte(ours), []byte(theirs)}, conflict)
	})
}
