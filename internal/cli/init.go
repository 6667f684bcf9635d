package cli

import (
	"context"

	"gitlet/internal/verb"
)

// InitArgs are the arguments of init.
type InitArgs struct {
	Clients      []string `arg:"clients" positional:"true" value:"CLIENT" help:"claude-code, codex or cursor; default: those found here"`
	GitHooks     bool     `arg:"git-hooks" help:"also set up git's hooks, for agents that only use a shell"`
	GitConfig    string   `arg:"git-config" enum:"default,full,none" help:"git's settings for this clone: default remembers resolved conflicts and shows their base; full also stages remembered ones and stashes before rebases; none"`
	MergeDrivers bool     `arg:"merge-drivers" help:"also register gitlet's merge drivers in this clone: source, changelogs and lock files; go.sum keeps both sides' lines"`
	DryRun       bool     `arg:"dry-run" help:"print what would be done, and do nothing"`
	Remove       bool     `arg:"remove" help:"take out what init put in"`
}

// init sets up the agents' clients.
func (inv *invocation) init() (command, bool) {
	spec := verb.Spec{
		Name: "init", CLIOnly: true, Built: true, Args: &InitArgs{},
		Summary: "Set up the agents' clients, and git's hooks",
		When:    "Once in a repository: enters gitlet into the files of Claude Code, Codex and Cursor, with the guidance their agents read. Edits in place, keeps what is there, and changes nothing the second time.",
		Example: "gitlet init claude-code --git-hooks --dry-run",
	}
	return command{spec: spec, run: func(ctx context.Context, args any) *verb.Result {
		return inv.app.Init(ctx, inv.place(), *args.(*InitArgs))
	}}, inv.app.Init != nil
}
