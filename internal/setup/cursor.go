package setup

import (
	"gitlet/internal/guide"
	"gitlet/internal/jsonc"
)

// cursor reads servers from .cursor/mcp.json and rules from .cursor/rules. It starts
// servers wherever it likes, so the entry names the folder.
var cursor = Client{
	Name: "cursor", Title: "Cursor",
	inRepo: []string{".cursor", ".cursorrules"}, inHome: []string{".cursor"}, programs: []string{"cursor", "cursor-agent"},
	files: func(built func(string) bool) []file {
		entry := []jsonc.Pair{{Name: "command", Value: Program}, {Name: "args", Value: []string{"-C", "${workspaceFolder}", "mcp"}}}
		return []file{
			{path: ".cursor/mcp.json", what: "the MCP server gitlet", add: addServer(entry), remove: removeServer(entry)},
			{path: ".cursor/rules/gitlet.mdc", what: "the rule gitlet", add: addFile(guide.Rule(built)), remove: removeFile, whole: true},
		}
	},
}
