package git

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// Attribute returns the value of one attribute for each path: "set", "unset",
// "unspecified" or its text.
func (w *Worktree) Attribute(ctx context.Context, name string, paths []string) (map[string]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	out, err := w.run(ctx, call{step: "read attributes", class: localRead, stdin: []byte(strings.Join(paths, "\x00") + "\x00"),
		args: []string{"check-attr", "-z", "--stdin", name}})
	if err != nil {
		return nil, err
	}
	return parseAttributes(out.Stdout)
}

// parseAttributes reads "<path> NUL <attribute> NUL <value> NUL".
func parseAttributes(b []byte) (map[string]string, error) {
	f := fields(b)
	if len(f)%3 != 0 {
		return nil, fmt.Errorf("read attributes: %d fields are no whole number of answers", len(f))
	}
	m := make(map[string]string, len(f)/3)
	for i := 0; i < len(f); i += 3 {
		m[f[i]] = f[i+2]
	}
	return m, nil
}

// Hidden returns the tracked paths whose edits the user hid from git, with
// skip-worktree or assume-unchanged.
func (w *Worktree) Hidden(ctx context.Context) (map[string]bool, error) {
	out, err := w.run(ctx, call{step: "list hidden files", class: localRead, timeout: timeouts[localWrite],
		config: []string{"sparse.expectFilesOutsideOfPatterns=true"}, args: []string{"ls-files", "-v", "-z"}})
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, rec := range fields(out.Stdout) {
		tag, path, ok := strings.Cut(rec, " ")
		if !ok || len(tag) != 1 {
			return nil, fmt.Errorf("list hidden files: %q is no entry", rec)
		}
		if tag == "S" || tag == strings.ToLower(tag) && tag != strings.ToUpper(tag) {
			found[path] = true
		}
	}
	return found, nil
}

// Submodules returns the paths that the work tree's .gitmodules names.
func (w *Worktree) Submodules(ctx context.Context) (map[string]bool, error) {
	paths := map[string]bool{}
	if missing(filepath.Join(w.Root, ".gitmodules")) {
		return paths, nil
	}
	out, err := w.run(ctx, call{step: "read submodules", class: localRead, okExit: []int{1},
		args: []string{"config", "-z", "--file", ".gitmodules", "--get-regexp", `^submodule\..*\.path$`}})
	if err != nil {
		return nil, err
	}
	for _, rec := range fields(out.Stdout) {
		if _, path, ok := strings.Cut(rec, "\n"); ok {
			paths[path] = true
		}
	}
	return paths, nil
}
