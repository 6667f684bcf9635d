package footprint

import (
	"fmt"
	"strings"
	"testing"

	"gitlet/internal/model"
)

func TestShareWord(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"parseConfig", "loadConfig", true},
		{"parse_config", "LoadConfig", true},
		{"getURL", "urlOf", true},
		{"parseConfig2", "config", true},
		{"parseIt", "sendIt", false}, // too short to mean anything
		{"parseConfig", "reconfigure", false},
		{"", "x", false},
		{"\xff\xfeab", "ab", false},
		{"größeLesen", "größe_schreiben", true},
	} {
		if got := shareWord(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %v (%q, %q)", c.a, c.b, got, nameWords(c.a), nameWords(c.b))
		}
	}
}

// rewrite returns what a change of one Go file does to its functions, in short.
func rewrite(t *testing.T, old, new string) string {
	t.Helper()
	fp := Compute(Input{Deltas: []Delta{change("a.go", "package a\n\n"+old, "package a\n\n"+new)}})
	var out []string
	for _, c := range fp.Symbols {
		s := string(c.Change) + " " + c.Symbol.Qualified
		if c.Change == model.ChangeRenamed {
			s += " from " + c.OldQualified
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

func TestRewritten(t *testing.T) {
	t.Parallel()
	body := func(name, param, extra string) string {
		return fmt.Sprintf("func %s(p string%s) error {\n\tdata, err := os.ReadFile(p)\n\tif err != nil {\n\t\treturn wrap(err)\n\t}\n%s\treturn decode(data)\n}\n\n", name, param, extra)
	}
	load := body("load", "", "")
	strict := body("loadStrict", ", strict bool", "\tif strict {\n\t\treturn check(data)\n\t}\n")
	for _, c := range []struct{ name, old, new, want string }{
		{"alike", load, strict, "renamed loadStrict from load"},
		{"names that share nothing", load, strings.Replace(strict, "loadStrict", "open", 1), "renamed open from load"},
		{"one more beside it that is not alike", load, strict + "func Save(d []byte) error { return encode(d, 3) }\n", "renamed loadStrict from load, added Save"},
		{"two that are", load, strict + strings.ReplaceAll(strict, "trict", "loppy"), "added loadStrict, added loadSloppy, removed load"},
		{"of two that went, one or the other", load + body("read", "", "\tlog(p)\n"), body("fetch", "", "\tdebug(p)\n"), "added fetch, removed load, removed read"},
		{"the old one is there still", load, load + strict, "added loadStrict"},
		{"of two, each its own", load + "func size(s []int) int {\n\tn := 0\n\tfor _, v := range s {\n\t\tn += cost(v)\n\t}\n\treturn n\n}\n",
			strict + "func total(s []int, from int) int {\n\tn := from\n\tfor _, v := range s {\n\t\tn += cost(v)\n\t}\n\treturn n\n}\n",
			"renamed loadStrict from load, renamed total from size"},
		{"another function", load, "func loadAll(dir string) []string {\n\tvar out []string\n\tfor _, e := range list(dir) {\n\t\tout = append(out, e.Name())\n\t}\n\treturn out\n}\n",
			"added loadAll, removed load"},
		{"a short one with a word and its parameters kept", "func parseConfig(p string) Config { return json(p) }\n", "func loadConfig(p string, n int) Config { return limit(json(p), n) }\n",
			"renamed loadConfig from parseConfig"},
		{"a short one with other parameters", "func parseConfig(p string) Config { return json(p) }\n", "func loadConfig(n int, p string) Config { return limit(json(p), n, deep) }\n",
			"added loadConfig, removed parseConfig"},
		{"short ones that share no word", "func parse(p string) Config { return json(p) }\n", "func limited(p string, n int) Config { return cut(toml(p), n, 3, 4) }\n",
			"added limited, removed parse"},
		{"a variable is no function", "var load = 1\n", "var loadStrict = 1 + 0\n", "added loadStrict, removed load"},
		{"while it is being written", load, strings.Replace(strict, "return decode(data)", "return decode(data", 1), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := rewrite(t, c.old, c.new); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// A file in which nearly everything is replaced is not compared pair by pair without end.
func TestRewrittenIsBounded(t *testing.T) {
	t.Parallel()
	many := func(name string) string {
		var b strings.Builder
		for i := range maxPairs {
			fmt.Fprintf(&b, "func %s%d() { a(); b(); c(); d(); e(); f(); g(); h(%d, %q) }\n", name, i, i, name)
		}
		return b.String()
	}
	if got := rewrite(t, many("old"), many("new")); strings.Contains(got, "renamed") {
		t.Errorf("guessed: %s", got)
	}
}

// What a stub renames counts as picked also where it reads as going and coming, for what
// else came beside it.
func TestMarkPickedRewritten(t *testing.T) {
	t.Parallel()
	const base = "package a\n\nfunc load(p string) error {\n\tdata, err := os.ReadFile(p)\n\tuse(data)\n\treturn err\n}\n"
	stub := strings.NewReplacer("load(p string)", "loadStrict(p string, s bool)", "use(data)", "use(data, s)").Replace(base)
	mine := stub + strings.NewReplacer("package a\n", "", "load(", "loadMine(", "use(data)", "use(data, 1)").Replace(base)
	d := []Delta{change("a.go", base, mine)}
	raw := Compute(Input{Deltas: d})
	got := MarkPicked(raw, d, []Stub{{Commit: "s", Deltas: []Delta{change("a.go", base, stub)}}}, nil)
	for _, c := range got.Symbols {
		if own := c.Symbol.Name == "loadMine"; own == (c.Picked != "") {
			t.Errorf("%s %s is picked: %q", c.Change, c.Symbol.Name, c.Picked)
		}
	}
	if len(got.Symbols) < 2 {
		t.Errorf("%+v", got.Symbols)
	}
}
