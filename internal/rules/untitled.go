package rules

import (
	"strings"

	"gitlet/internal/model"
)

var untitled = &Rule{
	Kind: "untitled",
	When: "My work has no stated task: gitlet opened an item because the files changed.",
	Severities: []Level{
		{model.Act, "always"},
	},
	Why: "Others see that the files change but not what for, so they cannot tell whether it is the work they are about to start.",
	Options: []Choice{
		{Verb: "start", Why: "say in one sentence what you are doing"},
	},
	find:  findUntitled,
	title: titleUntitled,
}

// detached is the subject where no branch is checked out. It is no branch name.
const detached = "(detached HEAD)"

func findUntitled(_ *Input, mine model.Item) []finding {
	if mine.Status != model.ItemActive || !mine.Provisional && strings.TrimSpace(mine.Intent) != "" {
		return nil
	}
	f := finding{subject: mine.Branch, severity: model.Act}
	if f.subject == "" {
		f.subject = detached
	}
	if mine.Footprint != nil {
		var files []string
		for _, c := range mine.Footprint.Files {
			files = append(files, place(c.Path))
		}
		if len(files) > 0 {
			f.shared = []fact{{"changed so far", listed(files)}}
		}
	}
	return []finding{f}
}

func titleUntitled(subject string, fs []finding) string {
	if fs[0].subject == detached {
		return "your work on a detached HEAD has no stated task"
	}
	return "your work on branch " + subject + " has no stated task"
}
