package cli

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"gitlet/internal/verb"
)

// Version is set at link time with -ldflags "-X gitlet/internal/cli.Version=v1.2.3".
var Version string

// version prints gitlet's own version; as JSON also git's and Go's.
func (inv *invocation) version() (command, bool) {
	spec := verb.Spec{
		Name: "version", CLIOnly: true, Built: true,
		Summary: "Print the version",
		When:    "Print the version. With --json, also the versions of git and Go and the platform.",
		Example: "gitlet version --json",
	}
	return command{spec: spec, run: func(ctx context.Context, _ any) *verb.Result {
		inv.code = inv.printVersion(ctx)
		return nil
	}}, true
}

type versionData struct {
	Version  string `json:"version"`
	Git      string `json:"git"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (inv *invocation) printVersion(ctx context.Context) int {
	if !inv.json {
		return inv.write("gitlet " + inv.app.Version + "\n")
	}
	r := &verb.Result{Outcome: verb.OK, Summary: "gitlet " + inv.app.Version}
	data := versionData{Version: inv.app.Version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if inv.app.GitVersion != nil {
		git, err := inv.app.GitVersion(ctx)
		if err != nil {
			r.Warnings = append(r.Warnings, fmt.Sprintf("the version of git is not known: %v", err))
		}
		data.Git = git
	}
	r.Data = data
	return inv.print(r, false)
}

// OwnVersion is the version set at link time, else the module's, else "devel".
func OwnVersion() string {
	if Version != "" {
		return Version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}
