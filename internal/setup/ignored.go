package setup

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"gitlet/internal/git"
	"gitlet/internal/jsonc"
	"gitlet/internal/tomledit"
)

// Ignored says what is set up for a client and has no effect all the same: switched off
// elsewhere, in a form the client does not read, or naming a program that is not there.
func Ignored(ctx context.Context, wt *git.Worktree, c Client, onPath func(string) bool) []Problem {
	d := diskOf(ctx, wt)
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	var out []Problem
	switch c.Name {
	case claudeCode.Name:
		out = claudeIgnores(d, home)
		out = append(out, programThere(d, ".mcp.json", wt.Root, onPath)...)
	case cursor.Name:
		out = programThere(d, ".cursor/mcp.json", wt.Root, onPath)
	case codex.Name:
		out = codexIgnores(d, home, wt, onPath)
	}
	return out
}

// readJSON is the object in a file, nil where there is none to be read.
func readJSON(d Disk, path string) *jsonc.Doc {
	f := d.Read(path)
	if f.Missing || f.Off != "" {
		return nil
	}
	doc, err := jsonc.Parse(f.Data)
	if err != nil || doc.Root == nil || doc.Root.Kind != jsonc.Object {
		return nil
	}
	return doc
}

func claudeIgnores(d Disk, home string) []Problem {
	var out []Problem
	if doc := readJSON(d, ".mcp.json"); doc != nil && doc.Root.Get(servers).Get(serverName) != nil {
		out = append(out, notPlain(d)...)
	}
	files := []string{".claude/settings.json", ".claude/settings.local.json"}
	if home != "" {
		files = append(files, filepath.Join(home, ".claude", "settings.json"))
	}
	for _, path := range files {
		doc := readJSON(d, path)
		if doc == nil {
			continue
		}
		if off := doc.Root.Get("disableAllHooks"); off != nil && truth(d, path, off) {
			out = append(out, Problem{Path: path, What: "disableAllHooks turns gitlet's hooks off", ToDo: "take it out if they are wanted"})
		}
		for _, name := range doc.Root.Get("disabledMcpjsonServers").Strings() {
			if name == serverName {
				out = append(out, Problem{Path: path, What: "disabledMcpjsonServers turns the server gitlet off", ToDo: "take gitlet out of it"})
			}
		}
		for _, e := range hookEvents {
			groups := doc.Root.Get("hooks").Get(e)
			if groups == nil {
				continue
			}
			for _, g := range groups.Elems {
				if c := g.Get("command"); c != nil && runs(hookWords(e), c.Text) {
					out = append(out, Problem{Path: path, What: "the hook of " + e + " is not in a list called hooks, so Claude Code does not run it", ToDo: "take it out, then run gitlet init claude-code"})
				}
			}
		}
	}
	return out
}

// notPlain says that Claude Code does not read its list of servers as it is written. A
// byte-order mark does not disturb it, remarks and commas at the end do (2.1).
func notPlain(d Disk) []Problem {
	if readJSON(d, ".mcp.json") == nil {
		return nil
	}
	plain, err := jsonc.Parse(bytes.TrimPrefix(d.Read(".mcp.json").Data, []byte("\xef\xbb\xbf")))
	if err != nil || plain.Plain {
		return nil
	}
	return []Problem{{Path: ".mcp.json", What: "it has comments or trailing commas, and Claude Code reads no such file",
		ToDo: "make it plain JSON; claude mcp list shows whether it is read"}}
}

func truth(d Disk, path string, v *jsonc.Value) bool {
	return v.Kind == jsonc.Bool && string(d.Read(path).Data[v.Start:v.End]) == "true"
}

// programThere looks whether what an entry runs is there.
func programThere(d Disk, path, root string, onPath func(string) bool) []Problem {
	doc := readJSON(d, path)
	if doc == nil {
		return nil
	}
	return missingProgram(path, commandOf(doc.Root.Get(servers).Get(serverName)), root, onPath)
}

func missingProgram(path string, command []string, root string, onPath func(string) bool) []Problem {
	switch {
	case len(command) == 0:
		return nil
	case filepath.Base(command[0]) == command[0]:
		if onPath(command[0]) {
			return nil
		}
		return []Problem{{Path: path, What: fmt.Sprintf("it runs %q, which is not on PATH here", command[0]),
			ToDo: "put it on the PATH that the client sees, or write its whole path into the entry (init keeps it)"}}
	}
	program := command[0]
	if !filepath.IsAbs(program) {
		program = filepath.Join(root, program)
	}
	if info, err := os.Stat(program); err != nil || info.Mode()&0o111 == 0 {
		return []Problem{{Path: path, What: fmt.Sprintf("it runs %q, which is no program", command[0]), ToDo: "correct the path in the entry"}}
	}
	return nil
}

func codexIgnores(d Disk, home string, wt *git.Worktree, onPath func(string) bool) []Problem {
	const path = ".codex/config.toml"
	f := d.Read(path)
	doc, err := tomledit.Parse(f.Data)
	if f.Missing || f.Off != "" || err != nil {
		return nil
	}
	entry, there := tomledit.Get(doc, tomlServers, serverName).(map[string]any)
	if !there {
		return nil
	}
	out := missingProgram(path, tableCommand(entry), wt.Root, onPath)
	if on, set := entry["enabled"].(bool); set && !on {
		out = append(out, Problem{Path: path, What: "enabled = false turns the server gitlet off", ToDo: "take it out"})
	}
	if own := os.Getenv("CODEX_HOME"); own != "" {
		home = own
	} else if home != "" {
		home = filepath.Join(home, ".codex")
	}
	if home == "" || trusted(d, filepath.Join(home, "config.toml"), wt) {
		return out
	}
	return append(out, Problem{Path: path, What: "Codex reads it only in projects it trusts, and does not trust this one yet",
		ToDo:    "start codex here once and say yes, or put this into " + filepath.Join(home, "config.toml"),
		Snippet: []string{fmt.Sprintf("[projects.%q]", wt.Root), `trust_level = "trusted"`}})
}

// trusted is whether the user's configuration trusts the worktree or its main one.
func trusted(d Disk, path string, wt *git.Worktree) bool {
	f := d.Read(path)
	if f.Missing || f.Off != "" {
		return false
	}
	doc, err := tomledit.Parse(f.Data)
	if err != nil {
		return false
	}
	for _, root := range []string{wt.Root, filepath.Dir(wt.CommonDir)} {
		if tomledit.Get(doc, "projects", root, "trust_level") == "trusted" {
			return true
		}
	}
	return false
}
