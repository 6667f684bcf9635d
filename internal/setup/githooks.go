package setup

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
)

// GitHooks are the hooks of git's that run gitlet.
var GitHooks = []string{"prepare-commit-msg", "post-commit", "pre-push"}

const hookRemark = "# Written by gitlet init, which takes it away again with --remove."

// hookLine runs gitlet from one of git's hooks.
func hookLine(hook string) string { return guarded("git " + hook + ` "$@"`) }

// hookScript is a whole hook of gitlet's. Git writes the list of refs to pre-push; what
// nobody read is read to its end there.
func hookScript(hook string) string {
	s := "#!/bin/sh\n" + hookRemark + "\n" + hookLine(hook) + "\n"
	if hook == "pre-push" {
		s += "[ -t 0 ] || cat >/dev/null\n"
	}
	return s
}

// hookSnippet is what to put into a hook that does other things too. What pre-push is
// given on its input is kept for them.
func hookSnippet(hook string) []string {
	if hook != "pre-push" {
		return []string{hookLine(hook)}
	}
	return []string{
		`if [ ! -t 0 ] && refs=$(mktemp); then`,
		`  cat >"$refs"`,
		`  command -v gitlet >/dev/null 2>&1 && gitlet hook git pre-push "$@" <"$refs" || true`,
		`  exec <"$refs"; rm -f "$refs"`,
		`fi`,
	}
}

// HookFile is a hook as it is on the disk.
type HookFile struct {
	Name    string
	Found   Found
	Runs    bool // it runs gitlet
	Wholly  bool // init made it, and nobody changed it
	Skipped bool // git does not run it: it is no program
}

// Hooks is where git looks for hooks here, and what is there.
type Hooks struct {
	Dir string
	// By is the tool that keeps hooks here, "" for none: husky, lefthook, pre-commit.
	By string
	// Foreign says why nothing is written there, "" when it may be.
	Foreign string
	Files   []HookFile
}

// FindHooks looks at the hooks of a worktree. Hooks is the directory as git takes it.
func FindHooks(d Disk, root, common, dir string) Hooks {
	h := Hooks{Dir: dir, By: hookTool(d, root, dir)}
	real, err := realPath(dir)
	if err != nil {
		real = dir
	}
	switch {
	case filepath.Clean(dir) == "/dev/null":
		h.Foreign = "hooks are turned off here (core.hooksPath is /dev/null)"
	case !inside(root, real) && !inside(common, real):
		h.Foreign = fmt.Sprintf("core.hooksPath is %q, outside this repository: what is put there runs for others too", dir)
	}
	for _, name := range GitHooks {
		f := HookFile{Name: name, Found: d.Read(filepath.Join(dir, name))}
		if !f.Found.Missing && f.Found.Off == "" {
			f.Runs = runs([]string{"hook", "git", name}, commands(f.Found.Data)...)
			f.Wholly = string(bytes.ReplaceAll(f.Found.Data, []byte("\r\n"), []byte("\n"))) == hookScript(name)
			f.Skipped = f.Found.Mode&0o111 == 0
		}
		h.Files = append(h.Files, f)
	}
	return h
}

// commands are the lines of a script that are no remarks.
func commands(script []byte) []string {
	var out []string
	for line := range strings.Lines(string(script)) {
		if !strings.HasPrefix(strings.TrimSpace(line), "#") {
			out = append(out, line)
		}
	}
	return out
}

func hookTool(d Disk, root, dir string) string {
	there := func(names ...string) bool {
		for _, n := range names {
			if f := d.Read(filepath.Join(root, n)); !f.Missing && f.Off == "" {
				return true
			}
		}
		return false
	}
	rel, err := filepath.Rel(root, dir)
	switch {
	case err == nil && (rel == ".husky" || strings.HasPrefix(filepath.ToSlash(rel), ".husky/")):
		return "husky"
	case there("lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".lefthook.yaml", "lefthook.toml", ".lefthook.toml", "lefthook.json", ".lefthook.json"):
		return "lefthook"
	case there(".pre-commit-config.yaml"):
		return "pre-commit"
	}
	return ""
}

// gitHooks plans the hooks of git's.
func (p *Plan) gitHooks(h Hooks) {
	if h.Foreign != "" {
		p.Advice = append(p.Advice, Problem{Path: h.Dir, What: h.Foreign, ToDo: "nothing is put there; to have gitlet's hooks all the same, put these lines into the hooks of that name yourself",
			Snippet: everyHook()})
		return
	}
	for _, f := range h.Files {
		switch {
		case f.Runs:
			if !strings.Contains(string(f.Found.Data), hookLine(f.Name)) && !f.Wholly {
				p.Kept = append(p.Kept, Kept{filepath.Join(h.Dir, f.Name), "it runs gitlet already: kept"})
			}
		case f.Found.Off != "":
			p.Problems = append(p.Problems, Problem{Path: filepath.Join(h.Dir, f.Name), What: f.Found.Off, ToDo: f.Found.ToDo})
		case h.By == "husky" || h.By == "lefthook" || !f.Found.Missing:
			p.Advice = append(p.Advice, hookAdvice(h, f))
		default:
			found := f.Found
			found.Mode = 0o755
			p.add(filepath.Join(h.Dir, f.Name), "the git hook "+f.Name, found, text{missing: true}, with([]byte(hookScript(f.Name))), false)
		}
	}
}

func everyHook() []string {
	var out []string
	for _, name := range GitHooks {
		out = append(out, "# "+name)
		out = append(out, hookSnippet(name)...)
	}
	return out
}

// hookAdvice says what to put where another tool keeps the hooks, or where there is one.
func hookAdvice(h Hooks, f HookFile) Problem {
	pre := strings.Contains(string(f.Found.Data), "pre-commit")
	switch {
	case h.By == "husky":
		return Problem{Path: ".husky/" + f.Name, What: "husky keeps the hooks here", ToDo: "put this first into that file", Snippet: hookSnippet(f.Name)}
	case h.By == "lefthook":
		s := []string{f.Name + ":", "  commands:", "    gitlet:"}
		args := map[string]string{"prepare-commit-msg": " {1} {2} {3}", "pre-push": " {1} {2}"}[f.Name]
		s = append(s, "      run: "+guarded("git "+f.Name+args))
		if f.Name == "pre-push" {
			s = append(s, "      use_stdin: true # lefthook gives it to one command only: leave this one out if another needs it")
		}
		return Problem{Path: "lefthook.yml", What: "lefthook keeps the hooks here", ToDo: "put this into lefthook's file for " + f.Name, Snippet: s}
	case h.By == "pre-commit" && pre && f.Name == "pre-push":
		return Problem{Path: ".pre-commit-config.yaml", What: "pre-commit keeps this hook, and gives nobody the list of what is pushed", ToDo: "gitlet submit makes the same checks"}
	case h.By == "pre-commit" && pre:
		return Problem{Path: ".pre-commit-config.yaml", What: "pre-commit keeps the hook " + f.Name + " here", ToDo: "put this under repos:", Snippet: []string{
			"- repo: local", "  hooks:", "  - id: gitlet-" + f.Name, "    name: gitlet", "    language: system", "    stages: [" + f.Name + "]",
			"    always_run: true", "    verbose: true", "    entry: sh -c '" + guarded("git "+f.Name+` "$@"`) + "' --"}}
	}
	return Problem{Path: filepath.Join(h.Dir, f.Name), What: "there is a hook already", ToDo: "put this behind its first line, if it is a shell script", Snippet: hookSnippet(f.Name)}
}

// removeGitHooks plans taking the hooks out.
func (p *Plan) removeGitHooks(h Hooks) {
	for _, f := range h.Files {
		path := filepath.Join(h.Dir, f.Name)
		switch {
		case f.Wholly && h.Foreign == "":
			p.add(path, "the git hook "+f.Name, f.Found, with(f.Found.Data), text{missing: true}, false)
		case f.Runs:
			p.Kept = append(p.Kept, Kept{path, "it runs gitlet and was not made by init alone: take gitlet's lines out yourself"})
		}
	}
}
