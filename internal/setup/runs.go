package setup

import (
	"path"
	"strings"

	"gitlet/internal/pattern"
)

// Program is what the entries run where nothing else was chosen.
const Program = "gitlet"

var breaks = pattern.New(`[\s"'` + "`" + `;&|()=]+`)

// words are the words of a command, also of those that a shell would take apart.
func words(command ...string) []string {
	var out []string
	for _, c := range command {
		for _, w := range breaks.Split(c, -1) {
			if w != "" {
				out = append(out, w)
			}
		}
	}
	return out
}

// isProgram is whether a word names a gitlet, by whatever path.
func isProgram(word string) bool {
	name := path.Base(strings.ReplaceAll(word, `\`, "/"))
	name, _, _ = strings.Cut(name, "@")
	return strings.TrimSuffix(strings.ToLower(name), ".exe") == Program
}

// runs is whether a command runs a gitlet with these words somewhere after it, in order
// and together.
func runs(want []string, command ...string) bool {
	list := words(command...)
	for i, w := range list {
		if !isProgram(w) {
			continue
		}
		for j := i + 1; j+len(want) <= len(list); j++ {
			same := true
			for k := range want {
				same = same && list[j+k] == want[k]
			}
			if same {
				return true
			}
		}
	}
	return false
}

// guarded is the line that runs a hook of gitlet's where there is a gitlet, and is
// nothing where there is none.
func guarded(args string) string {
	return "command -v gitlet >/dev/null 2>&1 && gitlet hook " + args + " || true"
}
