package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gitlet/internal/model"
	"gitlet/internal/verb"
)

// command is one command of the program: a declaration, and what carries it out. A
// run that wrote its own output returns nil.
type command struct {
	spec verb.Spec
	run  func(ctx context.Context, args any) *verb.Result
	// stream marks commands whose stdout is for programs.
	stream bool
}

// commands lists everything there is: the built verbs, then the other commands.
func (inv *invocation) commands() []command {
	var out []command
	for _, s := range inv.app.Table {
		if s.Built {
			out = append(out, command{spec: s, run: inv.verb(s)})
		}
	}
	for _, add := range []func() (command, bool){
		inv.inspectSymbols, inv.inspectFootprint, inv.init, inv.doctor, inv.watch, inv.demo, inv.mcp, inv.hook, inv.clientHook, inv.mergeDriver, inv.completion, inv.version, inv.help,
	} {
		if c, ok := add(); ok {
			out = append(out, c)
		}
	}
	return out
}

// verb runs one verb of the table in the directory asked for.
func (inv *invocation) verb(spec verb.Spec) func(context.Context, any) *verb.Result {
	return func(ctx context.Context, args any) *verb.Result {
		runner, done, err := inv.app.Open(ctx, inv.place())
		if err != nil {
			return verb.FromError(err)
		}
		if done != nil {
			defer done()
		}
		inv.code = inv.print(runner.Run(ctx, spec, args, verb.CLI), false)
		return nil
	}
}

// root builds the cobra commands from the declarations.
func (inv *invocation) root() *cobra.Command {
	root := &cobra.Command{Use: "gitlet", SilenceErrors: true, SilenceUsage: true, Args: cobra.ArbitraryArgs}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetOut(inv.std.Out)
	root.SetErr(inv.std.Err)
	flags := root.PersistentFlags()
	flags.VarP(&collected{values: &inv.dirs, kind: "dir"}, "dir", "C", "act as if started in this directory")
	flags.BoolVar(&inv.json, "json", inv.json, "print the result as JSON")
	flags.BoolP("help", "h", false, "print help")
	version := root.Flags().Bool("version", false, "print the version")
	if err := root.MarkPersistentFlagDirname("dir"); err != nil {
		panic(err)
	}
	all := inv.commands()
	root.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) > 0:
			inv.code = inv.print(inv.unknownCommand(args[0]), false)
		case *version:
			inv.code = inv.printVersion(cmd.Context())
		case inv.json:
			inv.code = inv.print(noCommand(), false)
		default:
			inv.code = inv.write(rootHelp(all))
		}
		return nil
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if w := firstWord(inv.args); cmd == root && w != "" {
			inv.code = inv.print(inv.unknownCommand(w), false)
			return errPrinted
		}
		return &verb.Refusal{Result: inv.badFlag(cmd, err)}
	})
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { inv.code = inv.write(rootHelp(all)) })
	groups := map[string]*cobra.Command{}
	for _, c := range all {
		parent, name := root, c.spec.Name
		if group, rest, nested := strings.Cut(name, " "); nested {
			if groups[group] == nil {
				groups[group] = inv.group(group, all)
				root.AddCommand(groups[group])
			}
			parent, name = groups[group], rest
		}
		cc := inv.cobra(c, name)
		if c.spec.Name == "help" {
			root.SetHelpCommand(cc)
			continue
		}
		parent.AddCommand(cc)
	}
	return root
}

// errPrinted says that the refusal is already out.
var errPrinted = errors.New("already printed")

// cobra makes the command for one declaration: its positionals and flags are the
// fields of the argument struct.
func (inv *invocation) cobra(c command, name string) *cobra.Command {
	fields := c.spec.Fields()
	raw := map[string]*[]string{}
	cc := &cobra.Command{Use: name, Short: c.spec.Summary, Hidden: c.spec.Hidden, Args: cobra.ArbitraryArgs, DisableFlagsInUseLine: true}
	for _, f := range verb.Flags(fields) {
		values := new([]string)
		raw[f.Name] = values
		cc.Flags().Var(&collected{values: values, kind: f.Value}, f.Name, f.Help)
		if f.Kind == verb.KindBool {
			cc.Flags().Lookup(f.Name).NoOptDefVal = "true"
		}
		if err := cc.RegisterFlagCompletionFunc(f.Name, complete(f)); err != nil {
			panic(err)
		}
	}
	pos := verb.Positionals(fields)
	cc.ValidArgsFunction = func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		switch n := len(pos); {
		case len(args) < n:
			return complete(pos[len(args)])(cmd, args, word)
		case n > 0 && pos[n-1].Kind == verb.KindList:
			return complete(pos[n-1])(cmd, args, word)
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	cc.SetHelpFunc(func(*cobra.Command, []string) { inv.code = inv.write(commandHelp(c.spec)) })
	cc.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		inv.code = inv.print(inv.badFlag(cmd, err), c.stream)
		return errPrinted
	})
	cc.RunE = func(cmd *cobra.Command, args []string) error {
		given := verb.Raw{Args: args, Flags: map[string][]string{}}
		for name, values := range raw {
			given.Flags[name] = *values
		}
		decoded, bad := verb.DecodeCLI(c.spec, given)
		if bad != nil {
			inv.code = inv.print(bad.Result(), c.stream)
			return nil
		}
		if r := c.run(cmd.Context(), decoded); r != nil {
			inv.code = inv.print(r, c.stream)
		}
		return nil
	}
	return cc
}

// group makes a command that only holds others.
func (inv *invocation) group(name string, all []command) *cobra.Command {
	var inside []command
	for _, c := range all {
		if strings.HasPrefix(c.spec.Name, name+" ") {
			inside = append(inside, c)
		}
	}
	cc := &cobra.Command{Use: name, Args: cobra.ArbitraryArgs}
	cc.SetHelpFunc(func(*cobra.Command, []string) { inv.code = inv.write(groupHelp(name, inside)) })
	cc.RunE = func(_ *cobra.Command, args []string) error {
		r := verb.Refuse(fmt.Sprintf("%s needs one of its commands", name))
		if len(args) > 0 {
			r.Summary = fmt.Sprintf("%s has no command %q", name, args[0])
		}
		for _, c := range inside {
			r.Options = append(r.Options, model.Option{Argv: append(append([]string{"gitlet"}, strings.Fields(c.spec.Name)...), "--help"), Why: c.spec.Summary})
		}
		r.BadUsage = true
		inv.code = inv.print(r, true)
		return nil
	}
	return cc
}

// collected is a flag that keeps every value it is given, for the verb to judge.
type collected struct {
	values *[]string
	kind   string
}

func (c *collected) Set(s string) error {
	*c.values = append(*c.values, s)
	return nil
}
func (c *collected) String() string { return "" }
func (c *collected) Type() string   { return c.kind }

// complete offers the values of an enum, files for paths, and nothing for the rest.
func complete(f verb.Field) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		switch {
		case len(f.Enum) > 0:
			return f.Enum, cobra.ShellCompDirectiveNoFileComp
		case f.Chars == verb.CharsPath:
			return nil, cobra.ShellCompDirectiveDefault
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
}

// badFlag refuses a flag that the command does not have, or that lacks its value.
func (inv *invocation) badFlag(cmd *cobra.Command, err error) *verb.Result {
	var names []string
	for _, set := range []*pflag.FlagSet{cmd.Flags(), cmd.InheritedFlags()} {
		set.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	}
	text := err.Error()
	var repaired []string
	var unknown *pflag.NotExistError
	var lacking *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		given := "--" + unknown.GetSpecifiedName()
		if s := unknown.GetSpecifiedShortnames(); s != "" {
			given = "-" + s
		}
		text = fmt.Sprintf("there is no flag %q", given)
		if near := verb.Suggest(strings.TrimLeft(given, "-"), names); near != "" {
			text += fmt.Sprintf(": did you mean --%s?", near)
			repaired = replaceFlag(inv.args, given, "--"+near)
		} else if strings.Contains(given, " ") {
			text += ": put -- before a value that starts with a dash"
		}
	case errors.As(err, &lacking):
		text = fmt.Sprintf("the flag --%s needs a value: %s", lacking.GetFlag().Name, lacking.GetFlag().Usage)
	case errors.As(err, &invalid):
		text = fmt.Sprintf("the flag --%s is %q: give true or false", invalid.GetFlag().Name, invalid.GetValue())
	}
	r := &verb.Result{Outcome: verb.Refused, BadUsage: true, Summary: strings.TrimPrefix(cmd.CommandPath(), "gitlet ") + " was not run: " + text}
	if repaired != nil {
		r.Options = append(r.Options, model.Option{Argv: append([]string{"gitlet"}, repaired...), Why: "the call with that flag"})
	}
	help := append(strings.Fields(cmd.CommandPath()), "--help")
	r.Options = append(r.Options, model.Option{Argv: help, Why: "what it takes"})
	return r
}

// replaceFlag returns args with one flag renamed, or nil when it is not found.
func replaceFlag(args []string, from, to string) []string {
	for i, a := range args {
		name, value, joined := strings.Cut(a, "=")
		if name != from {
			continue
		}
		out := append([]string(nil), args...)
		out[i] = to
		if joined {
			out[i] += "=" + value
		}
		return out
	}
	return nil
}

// unknownCommand refuses a name that is no command, with the nearest ones.
func (inv *invocation) unknownCommand(name string) *verb.Result {
	r := &verb.Result{Outcome: verb.Refused, BadUsage: true, Summary: fmt.Sprintf("there is no command %q", name)}
	if s, ok := verb.Find(inv.app.Table, name); ok && !s.Built {
		r.Summary = fmt.Sprintf("%s is not available in this version of gitlet", s.Name)
	}
	var names []string
	for _, c := range inv.commands() {
		if !c.spec.Hidden {
			word, _, _ := strings.Cut(c.spec.Name, " ")
			names = append(names, word)
		}
	}
	if near := verb.Suggest(name, names); near != "" {
		r.Summary += fmt.Sprintf(": did you mean %s?", near)
		if i := slices.Index(inv.args, name); i >= 0 {
			meant := slices.Clone(inv.args)
			meant[i] = near
			r.Options = append(r.Options, model.Option{Argv: append([]string{"gitlet"}, meant...), Why: "the call with that command"})
		}
		r.Options = append(r.Options, model.Option{Argv: []string{"gitlet", near, "--help"}, Why: "what " + near + " does"})
	}
	r.Options = append(r.Options, model.Option{Argv: []string{"gitlet", "--help"}, Why: "every command"})
	return r
}

func noCommand() *verb.Result {
	r := verb.Refuse("name a command", model.Option{Argv: []string{"gitlet", "--help"}, Why: "every command"})
	r.BadUsage = true
	return r
}
