package rules

import (
	"path"

	"gitlet/internal/model"
)

var sameWorktree = &Rule{
	Kind: "same_worktree",
	When: "Another gitlet session already serves this worktree, so this one only looks.",
	Severities: []Level{
		{model.Act, "always"},
	},
	Why: "Two agents in one worktree overwrite each other's files before anything can be compared.",
	Options: []Choice{
		{Why: "make a worktree of your own, and work there", argv: ownWorktree},
	},
	find: findSameWorktree,
	title: func(string, []finding) string {
		return "another session works in this worktree, so this one only looks"
	},
}

// findSameWorktree speaks of the worktree, not of an item: it is asked once, with none.
func findSameWorktree(in *Input, mine model.Item) []finding {
	if in.View.Second == "" || mine.ID != "" {
		return nil
	}
	return []finding{{subject: in.View.Second, severity: model.Act,
		shared: []fact{{"the worktree", in.View.Second}, {"its agent", in.View.Agent}}}}
}

func ownWorktree(in *Input, _ []finding) []string {
	root := in.View.Second
	return []string{"git", "-C", root, "worktree", "add", "../" + path.Base(root) + "-2"}
}
