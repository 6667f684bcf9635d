package rules

import (
	"fmt"
	"strings"
)

// Markdown is docs/notes.md: every kind of note, as its rule declares it. Options that
// name a verb which is not built are left out, as they are from notes.
func Markdown(built func(verb string) bool) []byte {
	var b strings.Builder
	b.WriteString(`# Notes

<!-- Generated from internal/rules by "go generate ./internal/rules". Do not edit. -->

A note tells one agent about one problem, with everyone it concerns. It appears when a
rule below applies, changes in place while it does, and resolves itself when it no longer
does. "act" asks for a step now, "warn" for care, "info" for nothing.

When every counterpart is idle (its agent stopped without submitting), the severity drops
by one level and the note says since when.

What a stub brought into a branch with "use" is its owner's change until it lands, in every
rule; what its user changes further there is the user's.

`)
	for _, r := range All() {
		fmt.Fprintf(&b, "- [%s](#%s)\n", r.Kind, r.Kind)
	}
	for _, r := range All() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n%s\n\n", r.Kind, r.When, r.Why)
		b.WriteString("| Severity | When |\n| --- | --- |\n")
		for _, l := range r.Severities {
			fmt.Fprintf(&b, "| %s | %s |\n", l.Severity, l.When)
		}
		b.WriteString("\n| Option | What it does | Offered when |\n| --- | --- | --- |\n")
		for _, c := range r.Options {
			verb, when := "`"+c.Verb+"`", c.When
			switch {
			case c.argv != nil:
				verb = "`git`"
			case c.Verb == "":
				verb = "`git diff`"
			case !built(c.Verb):
				continue
			}
			if when == "" {
				when = "always"
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", verb, c.Why, when)
		}
	}
	return []byte(b.String())
}
