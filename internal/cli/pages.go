package cli

import (
	"fmt"
	"strings"
)

// Page is what a command says of itself.
type Page struct {
	Name, Summary string // Name is "" for the program as a whole
	Text          string
}

// Pages are the help pages of the program and of every command that it lists.
func Pages(app App) []Page {
	inv := &invocation{app: app}
	all := inv.commands()
	out := []Page{{Summary: "tells each agent what the others are changing", Text: rootHelp(all)}}
	for _, c := range all {
		if !c.spec.Hidden {
			out = append(out, Page{c.spec.Name, c.spec.Summary, commandHelp(c.spec)})
		}
	}
	return out
}

// Markdown is docs/commands.md, made from the declarations.
func Markdown(app App) string {
	var b strings.Builder
	b.WriteString("# Commands\n\n<!-- Generated from the commands' declarations by \"go generate ./tools/genman\". Do not edit. -->\n")
	for _, p := range Pages(app) {
		title := strings.TrimSpace("gitlet " + p.Name)
		fmt.Fprintf(&b, "\n## %s\n\n```text\n%s```\n", title, p.Text)
	}
	return b.String()
}
