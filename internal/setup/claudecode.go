package setup

import (
	"gitlet/internal/guide"
	"gitlet/internal/jsonc"
)

// claudeCode reads servers from .mcp.json, hooks from .claude/settings.json and skills
// from .claude/skills.
var claudeCode = Client{
	Name: "claude-code", Aliases: []string{"claude", "claudecode"}, Title: "Claude Code",
	inRepo: []string{".mcp.json", ".claude", "CLAUDE.md"}, inHome: []string{".claude", ".claude.json"}, programs: []string{"claude"},
	files: func(built func(string) bool) []file {
		entry := []jsonc.Pair{{Name: "type", Value: "stdio"}, {Name: "command", Value: Program}, {Name: "args", Value: []string{"mcp"}}}
		return []file{
			{path: ".mcp.json", what: "the MCP server gitlet", add: addServer(entry), remove: removeServer(entry)},
			{path: ".claude/settings.json", what: "hooks that show new notes", add: addHooks, remove: removeHooks},
			{path: ".claude/skills/gitlet/SKILL.md", what: "the skill gitlet", add: addFile(guide.Skill(built)), remove: removeFile, whole: true},
		}
	},
}
