package guide

import (
	_ "embed"
	"strings"

	"gitlet/internal/pattern"
)

//go:embed guide.md
var text string

var call = pattern.New("`([a-z]+)`")

// Text is the guidance with the lines left out that mention a verb for which built
// is false. Words in backticks are verbs, except the names of arguments, for which
// built is not asked.
func Text(built func(verb string) bool) string {
	var out []string
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		keep := true
		for _, v := range Calls(line) {
			keep = keep && built(v)
		}
		if keep {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n") + "\n"
}

// Calls lists the verbs that a piece of guidance mentions, in order, each once.
func Calls(s string) []string {
	var out []string
	seen := map[string]bool{"worktree": true} // an argument, not a verb
	for _, m := range call.FindAllStringSubmatch(s, -1) {
		if !seen[m[1]] {
			seen[m[1]] = true
			out = append(out, m[1])
		}
	}
	return out
}
