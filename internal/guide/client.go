package guide

// What the clients' own files say: the same guidance, with what each of them needs
// around it.

// Skill is the body of the skill for Claude Code, with its front matter.
func Skill(built func(verb string) bool) string {
	return `---
name: gitlet
description: Work beside other agents in this repository. Use it before editing code for a new task, before touching a file or function others may be changing, when a gitlet note appears, and when work is ready to be handed in.
---

` + Section(built)
}

// Rule is the body of the rule for Cursor, with its front matter.
func Rule(built func(verb string) bool) string {
	return `---
description: How to work beside other agents in this repository, with gitlet
alwaysApply: true
---

` + Section(built)
}

// Section is the guidance under a heading, for files that agents read as they begin.
func Section(built func(verb string) bool) string {
	return "## Working beside other agents: gitlet\n\n" + Text(built) +
		"\nThe words in backticks are tools of the MCP server gitlet. Without that server they are shell commands of the same name: put gitlet before them, and gitlet --help explains each.\n"
}
