package gate

import (
	"fmt"

	"gitlet/internal/git"
	"gitlet/internal/lang"
	"gitlet/internal/model"
)

// WorkTree checks that everything is committed: op is the git operation in progress, ""
// for none. Files that git does not track are no refusal, since nobody but their owner
// knows whether they belong to the work; those that hold code are named.
func WorkTree(st *git.Status, op string) []Finding {
	var out []Finding
	if op != "" {
		return []Finding{{Check: "worktree", Refuses: true, Summary: fmt.Sprintf("a %s is in progress here; finish it or take it back first", op),
			Options: []model.Option{{Argv: []string{"git", "status"}, Why: "see how to finish it or take it back"}}}}
	}
	var changed []string
	special := false // what git restore does not take away
	for _, e := range st.Entries {
		what := ""
		switch {
		case e.Unmerged:
			what = " (conflict)"
		case e.Submodule:
			what = " (submodule)"
		case e.Index == 'D' || e.Tree == 'D':
			what = " (deleted)"
		}
		special = special || e.Unmerged || e.Submodule
		changed = append(changed, e.Path+what)
	}
	if len(changed) > 0 {
		options := []model.Option{{Argv: []string{"git", "commit", "-a", "-m", "Work so far"}, Why: "commit them, then submit again"}}
		if !special {
			options = append(options, model.Option{Verb: "checkpoint", Args: map[string]any{"name": "aside"},
				Why: "not of this task: park them, take them away with git restore -SW :/ and submit; gitlet restore aside brings them back"})
		}
		return []Finding{{Check: "worktree", Refuses: true,
			Summary: fmt.Sprintf("%s not committed: commit with git first", isAre(len(changed), "changed file")),
			Details: some(changed),
			Options: options}}
	}
	var code []string
	for _, p := range st.Untracked {
		if lang.ForPath(p) != nil {
			code = append(code, p)
		}
	}
	if len(code) > 0 {
		out = append(out, Finding{Check: "worktree", Summary: "files that git does not track are not part of this: add and commit them if they belong to it",
			Details: some(code)})
	}
	return out
}

func isAre(n int, what string) string {
	if n == 1 {
		return "1 " + what + " is"
	}
	return fmt.Sprintf("%d %ss are", n, what)
}
