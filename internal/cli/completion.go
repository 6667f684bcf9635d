package cli

import (
	"context"

	"gitlet/internal/verb"
)

type completionArgs struct {
	Shell string `arg:"shell" required:"true" enum:"bash,zsh,fish" help:"the shell"`
}

// completion prints the script that completes gitlet's commands in a shell.
func (inv *invocation) completion() (command, bool) {
	spec := verb.Spec{
		Name: "completion", CLIOnly: true, Built: true, Args: &completionArgs{},
		Summary: "Print a shell's completion script",
		When:    "To complete commands and flags in your shell: load the script it prints, for bash with the line below in ~/.bashrc, for zsh as a file named _gitlet in $fpath, for fish as ~/.config/fish/completions/gitlet.fish.",
		Example: `eval "$(gitlet completion bash)"`,
	}
	return command{spec: spec, stream: true, run: func(_ context.Context, args any) *verb.Result {
		root := inv.root()
		var err error
		switch args.(*completionArgs).Shell {
		case "bash":
			err = root.GenBashCompletionV2(inv.std.Out, true)
		case "zsh":
			err = root.GenZshCompletion(inv.std.Out)
		case "fish":
			err = root.GenFishCompletion(inv.std.Out, true)
		}
		return verb.FromError(err)
	}}, true
}
