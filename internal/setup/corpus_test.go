package setup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"gitlet/internal/jsonc"
	"gitlet/internal/tomledit"
)

func built(string) bool { return true }

// fileOf is the file of a client at a path.
func fileOf(t *testing.T, path string) file {
	t.Helper()
	for _, c := range Clients() {
		for _, f := range c.files(built) {
			if f.path == path {
				return f
			}
		}
	}
	t.Fatalf("no client has %s", path)
	return file{}
}

// corpus are files as people have them, by the client's path.
var corpus = map[string][]string{
	".mcp.json": {
		"", "\n", "\ufeff", "  \n\n", "// nothing yet\n", "// nothing yet", "/* a */ ",
		"{}", "{ }", "{\n}", "{\n}\n", "{\r\n}\r\n", "\t{}", "{ /* none */ }", "{\n  // none yet\n}\n",
		`{"mcpServers":{}}`, `{"mcpServers": { }}`, "{\n  \"mcpServers\": {}\n}\n", "{\n  \"mcpServers\": {\n  }\n}\n",
		"{\n  \"mcpServers\": {\n\n  }\n}", "{\n  \"mcpServers\": {\n    // later\n  }\n}",
		`{"mcpServers": {"a": {"command": "a"}}}`, `{"mcpServers":{"a":{"command":"a"},},}`,
		"{\n  \"mcpServers\": {\n    \"a\": {\n      \"command\": \"a\"\n    }\n  }\n}\n",
		"{\n\t\"mcpServers\": {\n\t\t\"a\": { \"command\": \"a\" }, // the first\n\t\t\"b\": { \"command\": \"b\" } // the last\n\t}\n}\n",
		"\ufeff{\r\n    // my servers\r\n    \"mcpServers\": {\r\n        \"a\": {\"command\": \"a\"}, // trailing\r\n    },\r\n}\r\n",
		"{\n  \"mcpServers\": {\n    \"a\": {}\n    , \"b\": {}\n  }\n}", "{ \"z\": 1, \"a\": [1, 2, {\"x\": null}],\n  \"mcpServers\": { \"b\": {} } }",
		"{\"other\": {\"mcpServers\": {}}}", "{\n    \"a\": \"// no comment\", \"b\": \"/* nor this */\"\n}\n", `{"mcp\u0053ervers": {"a": {"command": "x"}}}`,
		"{\"a\":1e400,\"b\":\"\\ud83d\\ude00\"}", "{\"a\": 1 /* one */ , /* two */ }", "{\"x\": {\"y\": {\"z\": []}}}\n\n\n", "{\n  \"a\": 1,\n  \"a\": 2,\n  \"mcpServers\": {}, \"mcpServers\": {\"k\": {}}\n}",
		"// head\n{\n  \"a\": 1 // one\n  /* end */\n}\n// foot", "{\"a\":\n1}", "{\"a\":1,\n\"b\":2}", "{\n\"a\":1\n}",
	},
	".claude/settings.json": {
		"", "{}", "{\n}\n", `{"hooks": {}}`, "{\n  \"hooks\": {}\n}", `{"hooks": {"SessionStart": []}}`, "{\n  \"hooks\": {\n    \"SessionStart\": [\n    ],\n    \"PostToolUse\": []\n  }\n}\n",
		"{\"permissions\": {\"allow\": [\"Bash(ls:*)\"]},\n \"hooks\": {\"SessionStart\": [{\"matcher\": \"compact\", \"hooks\": [{\"type\": \"command\", \"command\": \"echo keep-me\"}]}],\n           \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"echo other\"}]}]}}",
		"{\n  \"model\": \"x\", // mine\n  \"hooks\": {\n    \"PostToolUse\": [\n      {\n        \"matcher\": \"Edit|Write\",\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"make fmt\" },\n        ],\n      },\n    ],\n  },\n}\n",
		"{\r\n\t\"hooks\": {\r\n\t\t\"UserPromptSubmit\": [ { \"hooks\": [] } ]\r\n\t}\r\n}", "{\"env\":{\"A\":\"1\"}}",
		"{\n  \"hooks\": {\n    \"SessionStart\": [{\"hooks\": []}, {\"hooks\": []}]\n  }\n}",
	},
	".codex/config.toml": {
		"", "\n", "# only a remark", "# only a remark\n", "model = \"x\"", "model = \"x\"\n\n", "model = \"x\" # keep\r\n[profiles.a]\r\nmodel = 'y'\r\n",
		"[mcp_servers.other]\ncommand = \"o\"\nargs = [ # list\n  \"a\", # one\n]\n", "mcp_servers = { a = { command = \"a\" } } # inline\nx = 1\n", "mcp_servers = {}\n", "mcp_servers = { }",
		"mcp_servers.a.command = \"a\"\n", "[mcp_servers]\na = { command = \"a\" }\n", "[mcp_servers]\na.command = \"a\"\n\n[tail]\nx = 1\n# the end\n",
		"s = \"\"\"\n[mcp_servers.gitlet]\n\"\"\"\nt = '''\n# no\n'''\n", "\ufeffa = 1\n", "[[list]]\nx = 1\n[[list]]\nx = 2\n", "[a.\"b.c\".'d']\nx = [[1], [2]]\nd = 2026-01-01T00:00:00Z\n",
		"[projects.\"/home/me/a b\"]\ntrust_level = \"trusted\"\n",
	},
	"AGENTS.md": {
		"", "\n", "# Rules", "# Rules\n", "# Rules\r\n\r\n- one\r\n", "\ufeff# Rules\n", "a\n\n\n", "no line end\nat the end", "<!-- gitlet: not a mark -->\n", "```\ncode\n```",
	},
}

func TestCorpus(t *testing.T) {
	total := 0
	for path, list := range corpus {
		f := fileOf(t, path)
		cases := []text{{missing: true}}
		for _, s := range list {
			cases = append(cases, with([]byte(s)))
		}
		total += len(cases)
		for _, was := range cases {
			checkRoundTrip(t, f, was)
		}
	}
	if total < 30 {
		t.Errorf("the corpus has %d files", total)
	}
}

// checkRoundTrip puts gitlet's things in twice and takes them out: all that was there is
// still there, the second time changes nothing, and in the end every byte is as before.
func checkRoundTrip(t *testing.T, f file, was text) {
	t.Helper()
	once, told, err := f.add(was)
	if err != nil || told != "" || once.equal(was) {
		t.Errorf("%s %q: %v %q, changed %v", f.path, was.data, err, told, !once.equal(was))
		return
	}
	twice, _, err := f.add(once)
	if err != nil || !twice.equal(once) {
		t.Errorf("%s %q: the second time it becomes\n%s\nfrom\n%s\n%v", f.path, was.data, twice.data, once.data, err)
	}
	if err := sameButOurs(f.path, was.data, once.data); err != nil {
		t.Errorf("%s %q: %v\n%s", f.path, was.data, err, once.data)
	}
	if err := subsequence(was.data, once.data); err != nil {
		t.Errorf("%s %q: %v\n%s", f.path, was.data, err, once.data)
	}
	if crlf := bytes.Contains(was.data, []byte("\r\n")); crlf && bytes.Count(once.data, []byte("\n")) != bytes.Count(once.data, []byte("\r\n")) {
		t.Errorf("%s %q: line ends are mixed: %q", f.path, was.data, once.data)
	}
	back, _, err := f.remove(once)
	if err != nil || !back.equal(was) {
		t.Errorf("%s %q (missing %v): taken out it is %q (missing %v), %v\nit was\n%s", f.path, was.data, was.missing, back.data, back.missing, err, once.data)
	}
	if again, told, err := f.remove(was); err != nil || told != "" || !again.equal(was) {
		t.Errorf("%s %q: taking out nothing gives %q %q %v", f.path, was.data, again.data, told, err)
	}
}

// subsequence is whether every byte of a stands in b, in order.
func subsequence(a, b []byte) error {
	i := 0
	for _, c := range b {
		if i < len(a) && a[i] == c {
			i++
		}
	}
	if i < len(a) {
		return fmt.Errorf("byte %d of what was there is gone", i)
	}
	return nil
}

// sameButOurs compares what two versions mean, with gitlet's entry taken out.
func sameButOurs(path string, was, now []byte) error {
	read := func(data []byte) (map[string]any, error) {
		switch path {
		case "AGENTS.md":
			return nil, nil
		case ".codex/config.toml":
			return tomledit.Parse(data)
		}
		d, err := jsonc.Parse(data)
		if err != nil || d.Root == nil {
			return map[string]any{}, err
		}
		return plain(d.Root, data).(map[string]any), nil
	}
	a, err := read(was)
	if err != nil {
		return err
	}
	b, err := read(now)
	if err != nil {
		return err
	}
	for _, m := range []map[string]any{a, b} {
		dropOurs(m)
	}
	if !reflect.DeepEqual(a, b) {
		return fmt.Errorf("it means something else: %v, and was %v", b, a)
	}
	return nil
}

func dropOurs(m map[string]any) {
	for _, key := range []string{"mcpServers", "mcp_servers"} {
		if s, ok := m[key].(map[string]any); ok {
			if delete(s, "gitlet"); len(s) == 0 {
				delete(m, key)
			}
		}
	}
	hooks, ok := m["hooks"].(map[string]any)
	if !ok {
		return
	}
	for event, v := range hooks {
		var kept []any
		for _, g := range v.([]any) {
			if raw, err := json.Marshal(g); err != nil || !strings.Contains(string(raw), "gitlet hook claude-code") {
				kept = append(kept, g)
			}
		}
		if hooks[event] = kept; len(kept) == 0 {
			delete(hooks, event)
		}
	}
	if len(hooks) == 0 {
		delete(m, "hooks")
	}
}

func plain(v *jsonc.Value, data []byte) any {
	switch v.Kind {
	case jsonc.Object:
		out := map[string]any{}
		for _, m := range v.Members {
			out[m.Name] = plain(m.Value, data)
		}
		return out
	case jsonc.Array:
		out := []any{}
		for _, e := range v.Elems {
			out = append(out, plain(e, data))
		}
		return out
	}
	return string(data[v.Start:v.End])
}

// TestRandomJSON does the same with JSON of random shape and layout.
func TestRandomJSON(t *testing.T) {
	for seed := range uint64(700) {
		r := rand.New(rand.NewPCG(seed, 7))
		for _, path := range []string{".mcp.json", ".cursor/mcp.json", ".claude/settings.json"} {
			g := generator{r: r, nl: []string{"\n", "\r\n", ""}[r.IntN(3)], indent: []string{"  ", "\t", "    "}[r.IntN(3)]}
			checkRoundTrip(t, fileOf(t, path), with([]byte(g.object(0, path == ".claude/settings.json", true))))
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
	}
}

type generator struct {
	r          *rand.Rand
	nl, indent string
}

func (g generator) space(depth int) string {
	switch n := g.r.IntN(8); {
	case g.nl != "" && n < 4:
		return g.nl + strings.Repeat(g.indent, depth)
	case g.nl != "" && n == 4:
		return " // remark" + g.nl + strings.Repeat(g.indent, depth)
	case n == 5:
		return " /* r */ "
	case n == 6:
		return " "
	}
	return ""
}

func (g generator) list(open, end string, depth int, items []string) string {
	out := open
	for i, it := range items {
		out += g.space(depth+1) + it
		if i < len(items)-1 || g.r.IntN(4) == 0 {
			out += []string{"", " "}[g.r.IntN(2)] + ","
		}
	}
	return out + g.space(depth) + end
}

func (g generator) object(depth int, hooks, root bool) string {
	var items []string
	for i := range g.r.IntN(4) {
		items = append(items, fmt.Sprintf(`"k%d":%s%s`, i, []string{"", " "}[g.r.IntN(2)], g.value(depth+1)))
	}
	if root && g.r.IntN(3) > 0 {
		if hooks {
			var events []string
			for _, e := range hookEvents {
				if g.r.IntN(2) == 0 {
					var groups []string
					for range g.r.IntN(3) {
						groups = append(groups, `{"hooks": [{"type": "command", "command": "x"}]}`)
					}
					events = append(events, `"`+e+`": `+g.list("[", "]", depth+2, groups))
				}
			}
			items = append(items, `"hooks": `+g.list("{", "}", depth+1, events))
		} else {
			items = append(items, `"mcpServers": `+g.object(depth+1, false, false))
		}
		g.r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	}
	return g.list("{", "}", depth, items)
}

func (g generator) value(depth int) string {
	if depth < 3 && g.r.IntN(4) == 0 {
		return g.object(depth, false, false)
	}
	return []string{"1", `"a // b"`, "null", "[1,2]", `"\u00e4\"\\"`, "true", "[]", "{}"}[g.r.IntN(8)]
}
