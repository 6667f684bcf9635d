package setup

import (
	"errors"
	"strings"
	"testing"
)

// TestOwnPathsStay: an entry or a hook that runs a gitlet by another path keeps it.
func TestOwnPathsStay(t *testing.T) {
	for path, list := range map[string][]string{
		".mcp.json": {
			`{"mcpServers": {"gitlet": {"command": "/home/me/go/bin/gitlet", "args": ["mcp"]}}}`,
			`{"mcpServers": {"gitlet": {"command": "sh", "args": ["-c", "exec ~/bin/gitlet -C . mcp"]}}}`,
			`{"mcpServers": {"mine": {"command": "C:\\go\\bin\\gitlet.exe", "args": ["mcp"]}}}`,
		},
		".codex/config.toml": {
			"model = \"x\" # keep this comment\n[mcp_servers.\"gitlet\"]\ncommand = \"gitlet\"\nargs = [\"mcp\"]\n[mcp_servers.gitlet.env]\nFOO = \"bar\"\n[profiles.a]\nmodel = \"y\"\n",
			"mcp_servers.gitlet.command = '/x/gitlet'\nmcp_servers.gitlet.args = [\n\"mcp\"]\n", "mcp_servers = { gitlet = { command = \"/x/gitlet\", args = [\"mcp\"] } }\n",
			"[mcp_servers]\n'gitlet' = { command = \"gitlet\", args = [\"mcp\"] }\n",
		},
		".claude/settings.json": {
			`{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "/x/gitlet hook claude-code SessionStart"}]}], "UserPromptSubmit": [{"hooks": [{"type": "command", "command": "\"/x y/gitlet\" hook claude-code UserPromptSubmit"}]}], "PostToolUse": [{"hooks": [{"command": "echo a"}, {"command": "command -v gitlet && gitlet hook claude-code PostToolUse || true"}]}]}}`,
		},
	} {
		f := fileOf(t, path)
		for _, s := range list {
			if now, _, err := f.add(with([]byte(s))); err != nil || string(now.data) != s {
				t.Errorf("%s %s became %s, %v", path, s, now.data, err)
			}
		}
	}
}

// TestLeftAlone: what cannot be read, or is somebody else's, stays, with what to do.
func TestLeftAlone(t *testing.T) {
	for path, list := range map[string][]string{
		".mcp.json": {
			`{"mcpServers": {"a": {"comm`, `{"mcpServers": null}`, `{"mcpServers": []}`, `[]`, `"x"`, `{"mcpServers": {"gitlet": {"command": "node", "args": ["x.js"]}}}`,
			`{"mcpServers": {"gitlet": 3}}`, "{'a': 1}", "{a: 1}", "\xff\xfe{\x00}\x00", `{"a": 1} {"b": 2}`, "{\"a\": \x01}", strings.Repeat("[", 5000), "{\"a\": \"\xff\xfe\n\"}", "{,}", "{\"a\" 1}", "/* open", `{"a":1,,}`, `{"a"`, `{"a":`, `{"a":1`,
		},
		".claude/settings.json":    {`{"hooks": []}`, `{"hooks": {"SessionStart": {}}}`, `{"hooks": {"SessionStart": [}}`, `{"hooks": {"PostToolUse": "x"}}`},
		".codex/config.toml":       {"a = ", "[a]\n[a]\n", "mcp_servers = 1\n", "[[mcp_servers]]\nx = 1\n", "[mcp_servers.gitlet]\ncommand = \"node\"\n", "mcp_servers.gitlet = 3\n", "a = 1\na = 2\n", "\x00"},
		"AGENTS.md":                {"<!-- gitlet:end -->\n", "<!-- gitlet:begin 0123456789ab -->\n", "<!-- gitlet:end -->\n<!-- gitlet:begin 0123456789ab -->\n", "a\x00b"},
		".cursor/rules/gitlet.mdc": {"mine\n", ""},
	} {
		f := fileOf(t, path)
		for _, s := range list {
			now, _, err := f.add(with([]byte(s)))
			var off *leftAlone
			if !errors.As(err, &off) || off.toDo == "" || string(now.data) != s {
				t.Errorf("%s %.60q: %v, now %.60q", path, s, err, now.data)
			}
			if now, _, _ := f.remove(with([]byte(s))); string(now.data) != s {
				t.Errorf("%s %.60q: taking out gave %.60q", path, s, now.data)
			}
		}
	}
}

// TestRemoveByHandMade: an entry that was changed since still goes, with nothing else.
func TestRemoveByHandMade(t *testing.T) {
	for _, c := range []struct{ path, was, want string }{
		{".mcp.json", `{"mcpServers": {"gitlet": {"command": "/x/gitlet", "args": ["mcp"], "env": {"A": "1"}}, "b": {}}}`, `{"mcpServers": {"b": {}}}`},
		{".mcp.json", "{\n  \"mcpServers\": {\n    // gitlet's\n    \"gitlet\": {\"command\": \"gitlet\", \"args\": [\"mcp\"]} // here\n  }\n}", "{\n  \"mcpServers\": {\n    // gitlet's\n     // here\n  }\n}"},
		{".codex/config.toml", "a = 1\n[mcp_servers.\"gitlet\"]\ncommand = \"gitlet\"\nargs = [\"mcp\"]\n[mcp_servers.gitlet.env]\nFOO = \"bar\"\n# about b\n[b]\nx = 1\n", "a = 1\n# about b\n[b]\nx = 1\n"},
		{".codex/config.toml", "[mcp_servers]\na = 1\ngitlet.command = \"gitlet\"\ngitlet.args = [\"mcp\"]\nb = 2\n", "[mcp_servers]\na = 1\nb = 2\n"},
		{".codex/config.toml", "mcp_servers = { gitlet = { command = \"gitlet\", args = [\"mcp\"] }, b = { command = \"b\" } }\n", "mcp_servers = { b = { command = \"b\" } }\n"},
		{".claude/settings.json", `{"hooks": {"PostToolUse": [{"hooks": [{"command": "echo a"}, {"command": "gitlet hook claude-code PostToolUse"}]}]}}`, `{"hooks": {"PostToolUse": [{"hooks": [{"command": "echo a"}]}]}}`},
	} {
		now, _, err := fileOf(t, c.path).remove(with([]byte(c.was)))
		if err != nil || string(now.data) != c.want {
			t.Errorf("%s\n%s\nbecame\n%s\nwant\n%s\n%v", c.path, c.was, now.data, c.want, err)
		}
	}
}

// TestTextsOfOursFollowTheGuide: what init wrote is brought up to date; what somebody
// changed in it is kept.
func TestTextsOfOursFollowTheGuide(t *testing.T) {
	old, _, err := addSection("old text")(with([]byte("# Mine\n")))
	if err != nil {
		t.Fatal(err)
	}
	now, told, err := addSection("new text")(old)
	if err != nil || told != "" || !strings.Contains(string(now.data), "new text") || strings.Contains(string(now.data), "old text") || !strings.HasPrefix(string(now.data), "# Mine\n") {
		t.Errorf("%s %q %v", now.data, told, err)
	}
	mine := with([]byte(strings.Replace(string(old.data), "old text", "my text", 1)))
	for _, do := range []edit{addSection("new text"), removeSection} {
		if now, told, err := do(mine); err != nil || told == "" || !now.equal(mine) {
			t.Errorf("%s %q %v", now.data, told, err)
		}
	}
	skill := fileOf(t, ".claude/skills/gitlet/SKILL.md")
	made, _, err := addFile("---\nname: x\n---\nold\n")(text{missing: true})
	if err != nil || !strings.HasPrefix(string(made.data), "---\nname: x\n---\n") {
		t.Fatalf("%s %v", made.data, err)
	}
	if now, told, err := skill.add(made); err != nil || told != "" || now.equal(made) {
		t.Errorf("%s %q %v", now.data, told, err)
	}
	crlf := with([]byte(strings.ReplaceAll(string(made.data), "\n", "\r\n")))
	if now, _, err := addFile("---\nname: x\n---\nold\n")(crlf); err != nil || !now.equal(crlf) {
		t.Errorf("%q %v", now.data, err)
	}
	changed := with(append([]byte(string(made.data)), "more\n"...))
	for _, do := range []edit{skill.add, skill.remove} {
		if now, told, err := do(changed); err != nil || told == "" || !now.equal(changed) {
			t.Errorf("%s %q %v", now.data, told, err)
		}
	}
}
