package cli

import (
	"context"
	"fmt"
	"strings"

	"gitlet/internal/verb"
)

const helpWidth = 80

type helpArgs struct {
	Command []string `arg:"command" positional:"true" help:"the command to explain"`
}

// help prints the page of one command, or the list of all.
func (inv *invocation) help() (command, bool) {
	spec := verb.Spec{
		Name: "help", CLIOnly: true, Built: true, Args: &helpArgs{},
		Summary: "Explain a command",
		When:    "Explain a command, or list them all. The same as --help after the command.",
		Example: "gitlet help version",
	}
	return command{spec: spec, run: func(_ context.Context, args any) *verb.Result {
		words := args.(*helpArgs).Command
		all := inv.commands()
		if len(words) == 0 {
			inv.code = inv.write(rootHelp(all))
			return nil
		}
		name := strings.Join(words, " ")
		var inside []command
		for _, c := range all {
			if c.spec.Name == name {
				inv.code = inv.write(commandHelp(c.spec))
				return nil
			}
			if strings.HasPrefix(c.spec.Name, name+" ") {
				inside = append(inside, c)
			}
		}
		if len(inside) > 0 {
			inv.code = inv.write(groupHelp(name, inside))
			return nil
		}
		return inv.unknownCommand(name)
	}}, true
}

// write puts text for people on stdout and returns the exit code.
func (inv *invocation) write(text string) int {
	if _, err := inv.std.Out.Write([]byte(text)); err != nil {
		fmt.Fprintf(inv.std.Err, "gitlet: writing to stdout: %v\n", err)
		return exitFault
	}
	return exitOK
}

func rootHelp(all []command) string {
	var b strings.Builder
	b.WriteString("gitlet tells each agent what the others are changing, while they change it.\n\n")
	b.WriteString("Usage: gitlet COMMAND [ARGUMENTS]\n")
	list := func(title string, want bool) {
		b.WriteString("\n" + title + "\n")
		for _, c := range all {
			if c.spec.CLIOnly == want && !c.spec.Hidden {
				row(&b, c.spec.Name, 19, c.spec.Summary)
			}
		}
	}
	list("Verbs, which are also the tools of the MCP server:", false)
	list("Other commands:", true)
	b.WriteString("\nWith every command:\n")
	row(&b, "-C, --dir DIR", 19, "act as if started in DIR")
	row(&b, "--json", 19, "print the result as JSON, alone on stdout")
	row(&b, "-h, --help", 19, "explain the command")
	b.WriteString("\nExit status: 0 ok or nothing to do, 1 refused, 2 bad usage, 3 something broke.\n")
	return b.String()
}

func groupHelp(name string, inside []command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: gitlet %s COMMAND [ARGUMENTS]\n\n", name)
	for _, c := range inside {
		row(&b, c.spec.Name, 19, c.spec.Summary)
	}
	fmt.Fprintf(&b, "\nRun gitlet %s COMMAND --help to have one explained.\n", name)
	return b.String()
}

// commandHelp is the page of one command, made from its declaration.
func commandHelp(s verb.Spec) string {
	fields := s.Fields()
	var b strings.Builder
	b.WriteString("Usage: gitlet " + usage(s) + "\n\n")
	wrap(&b, s.When, "", "")
	if pos := verb.Positionals(fields); len(pos) > 0 {
		b.WriteString("\nArguments:\n")
		for _, f := range pos {
			row(&b, f.Value, 24, describe(f))
		}
	}
	if flags := verb.Flags(fields); len(flags) > 0 {
		b.WriteString("\nFlags:\n")
		for _, f := range flags {
			row(&b, flagWord(f), 24, describe(f))
		}
	}
	b.WriteString("\nExample:\n  " + s.Example + "\n")
	b.WriteString("\nEvery command also takes -C DIR, --json and --help.\n")
	return b.String()
}

func usage(s verb.Spec) string {
	parts := []string{s.Name}
	fields := s.Fields()
	for _, f := range verb.Positionals(fields) {
		word := f.Value
		if f.Kind == verb.KindList || f.Kind == verb.KindObjects {
			word += "..."
		}
		if !f.Required {
			word = "[" + word + "]"
		}
		parts = append(parts, word)
	}
	for _, f := range verb.Flags(fields) {
		word := "[" + flagWord(f) + "]"
		if f.Kind == verb.KindList || f.Kind == verb.KindObjects {
			word += "..."
		}
		parts = append(parts, word)
	}
	return strings.Join(parts, " ")
}

func flagWord(f verb.Field) string {
	switch f.Kind {
	case verb.KindBool:
		return "--" + f.Name
	case verb.KindObject, verb.KindObjects:
		return "--" + f.Name + " JSON"
	}
	return "--" + f.Name + " " + f.Value
}

// describe is a field's help with what its value may be.
func describe(f verb.Field) string {
	text := f.Help
	switch {
	case len(f.Enum) > 0 && !strings.Contains(text, f.Enum[0]):
		text += ": " + strings.Join(f.Enum, ", ")
	case f.Kind == verb.KindInt && f.Max > 0:
		text += fmt.Sprintf(" (%d to %d)", f.Min, f.Max)
	case f.Kind == verb.KindObject || f.Kind == verb.KindObjects:
		var names []string
		for _, m := range f.Sub {
			names = append(names, m.Name)
		}
		text += "; a JSON object"
		if len(names) > 0 {
			text += " with " + strings.Join(names, ", ")
		}
	}
	if !f.Positional && (f.Kind == verb.KindList || f.Kind == verb.KindObjects) {
		text += "; repeat it for more"
	}
	return text
}

// row prints a name in a column and a wrapped text beside it.
func row(b *strings.Builder, name string, column int, text string) {
	pad := strings.Repeat(" ", column+2)
	head := "  " + name
	if len(name) < column {
		head += strings.Repeat(" ", column-len(name))
	} else {
		b.WriteString(head + "\n")
		head = pad
	}
	wrap(b, text, head, pad)
}

// wrap prints text in lines of helpWidth, the first after head, the others after pad.
func wrap(b *strings.Builder, text, head, pad string) {
	line := head
	empty := true
	for _, w := range strings.Fields(text) {
		if !empty && len(line)+1+len(w) > helpWidth {
			b.WriteString(line + "\n")
			line, empty = pad, true
		}
		if !empty {
			line += " "
		}
		line += w
		empty = false
	}
	b.WriteString(line + "\n")
}
