package git

import "strings"

// Step is one line of what a rebase is to do.
type Step struct {
	Commit string
	Drop   bool // named, and left out
}

// todoText spells a todo list. Dropped commits stay in it as drop lines.
func todoText(steps []Step) string {
	var b strings.Builder
	for _, s := range steps {
		if s.Drop {
			b.WriteString("drop ")
		} else {
			b.WriteString("pick ")
		}
		b.WriteString(s.Commit + "\n")
	}
	return b.String()
}

// sequenceEditor is a command that puts a file in the place of git's own todo list: git
// hands it the name of that list, through a shell.
func sequenceEditor(file string) string {
	return "cp -- " + shellQuote(file)
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
