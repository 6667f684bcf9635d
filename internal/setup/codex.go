package setup

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"gitlet/internal/guide"
	"gitlet/internal/tomledit"
)

// codex reads servers from .codex/config.toml, where it trusts the project, and guidance
// from AGENTS.md.
var codex = Client{
	Name: "codex", Title: "Codex",
	inRepo: []string{".codex"}, inHome: []string{".codex"}, programs: []string{"codex"},
	files: func(built func(string) bool) []file {
		return []file{
			{path: ".codex/config.toml", what: "the MCP server gitlet", add: addTable, remove: removeTable},
			{path: "AGENTS.md", what: "a section on working with gitlet", add: addSection(guide.Section(built)), remove: removeSection, whole: true},
		}
	},
}

const tomlServers = "mcp_servers"

var (
	tomlEntry   = []tomledit.Pair{{Key: "command", Value: `"` + Program + `"`}, {Key: "args", Value: `["mcp"]`}}
	tomlSnippet = []string{"[" + tomlServers + "." + serverName + "]", `command = "` + Program + `"`, `args = ["mcp"]`}
)

// addTable puts the server's table into Codex's configuration.
func addTable(t text) (text, string, error) {
	if t.missing {
		return with([]byte(strings.Join(tomlSnippet, "\n") + "\n")), "", nil
	}
	if bytes.IndexByte(t.data, 0) >= 0 {
		return t, "", alone("save it as UTF-8, then run gitlet init again", tomlSnippet, "it is no text in UTF-8")
	}
	doc, err := tomledit.Parse(t.data)
	if err != nil {
		return t, "", alone("mend it, then run gitlet init again", tomlSnippet, "it is no TOML: %v", err)
	}
	if list, table := doc[tomlServers].(map[string]any); table {
		if had, there := list[serverName]; there {
			told, err := judgeTable(had)
			return t, told, err
		}
		for name, entry := range list {
			if runs([]string{"mcp"}, tableCommand(entry)...) {
				return t, fmt.Sprintf("the table %q runs gitlet already: kept", name), nil
			}
		}
	}
	after, err := tomledit.Add(t.data, tomlServers, serverName, tomlEntry)
	if errors.Is(err, tomledit.ErrNotATable) {
		return t, "", alone("make it a table or take it out, then run gitlet init again", tomlSnippet, "%q is no table", tomlServers)
	}
	if err != nil {
		return t, "", alone("put it in by hand", tomlSnippet, "it cannot be put in: %v", err)
	}
	return with(after), "", nil
}

func judgeTable(had any) (string, error) {
	command := tableCommand(had)
	if runs([]string{"mcp"}, command...) {
		if command[0] != Program {
			return fmt.Sprintf("the table %q runs %q: kept", serverName, command[0]), nil
		}
		return "", nil
	}
	return "", alone("take it out or rename it, then run gitlet init again", tomlSnippet, "the table %q runs something else, not gitlet mcp", serverName)
}

func tableCommand(entry any) []string {
	m, _ := entry.(map[string]any)
	if m == nil {
		return nil
	}
	var out []string
	if c, ok := m["command"].(string); ok {
		out = append(out, c)
	}
	if args, ok := m["args"].([]any); ok {
		for _, a := range args {
			if s, ok := a.(string); ok {
				out = append(out, s)
			}
		}
	}
	return out
}

// removeTable takes the server's table out.
func removeTable(t text) (text, string, error) {
	if was, ok := undone(t, addTable, text{missing: true}); ok {
		return was, "", nil
	}
	doc, err := tomledit.Parse(t.data)
	if err != nil {
		return t, "", alone("mend it, then run gitlet init --remove again", nil, "it is no TOML: %v", err)
	}
	had := tomledit.Get(doc, tomlServers, serverName)
	if had == nil {
		return t, "", nil
	}
	if !runs([]string{"mcp"}, tableCommand(had)...) {
		return t, fmt.Sprintf("the table %q does not run gitlet: kept", serverName), nil
	}
	after, err := tomledit.Remove(t.data, tomlServers, serverName)
	if err != nil {
		return t, "", alone("take it out by hand", nil, "it cannot be taken out: %v", err)
	}
	return with(after), "", nil
}
