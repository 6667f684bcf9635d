package git

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"gitlet/internal/pattern"
)

// WriteBlob stores data, as it is, and returns its object id.
func (r *Repo) WriteBlob(ctx context.Context, data []byte) (string, error) {
	out, err := r.run(ctx, call{step: "write blob", class: localWrite, stdin: notNil(data),
		args: []string{"hash-object", "-w", "--stdin", "--no-filters"}})
	return trimLine(out.Stdout), err
}

func notNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// WriteTree stores a tree of the entries, whose paths are plain names, and returns
// its object id.
func (r *Repo) WriteTree(ctx context.Context, entries []TreeEntry) (string, error) {
	in := []byte{}
	for _, e := range entries {
		if e.Path == "" || strings.ContainsAny(e.Path, "/\x00") {
			return "", &Error{Step: "write tree", Exit: -1, Err: fmt.Errorf("%q is no plain name", e.Path)}
		}
		in = fmt.Appendf(in, "%s %s %s\t%s\x00", e.Mode, e.Type, e.OID, e.Path)
	}
	out, err := r.run(ctx, call{step: "write tree", class: localWrite, stdin: in, args: []string{"mktree", "-z"}})
	return trimLine(out.Stdout), err
}

// The identity used where git has none of its own.
const fallbackName, fallbackEmail = "gitlet", "gitlet@localhost"

// CommitTree stores an unsigned commit and returns its object id. Its author and
// committer are who git's environment and configuration name; only where they name
// nobody it is gitlet <gitlet@localhost>.
func (r *Repo) CommitTree(ctx context.Context, tree string, parents []string, message string) (string, error) {
	args := []string{"commit-tree", tree}
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	c := call{step: "commit", class: localWrite, stdin: []byte(message), args: args,
		config: []string{"commit.gpgSign=false", "i18n.commitEncoding=UTF-8"}}
	if os.Getenv("EMAIL") == "" {
		// A name and address guessed from the login and the host are nobody's choice.
		c.config = append(c.config, "user.useConfigOnly=true")
	}
	r.shared.mu.Lock()
	nobody := r.shared.noIdent
	r.shared.mu.Unlock()
	if !nobody {
		out, err := r.run(ctx, c)
		if err == nil || !noIdentity.MatchString(out.Stderr) {
			return trimLine(out.Stdout), err
		}
		r.shared.mu.Lock()
		r.shared.noIdent = true
		r.shared.mu.Unlock()
	}
	for _, v := range [][2]string{{"GIT_AUTHOR_NAME", fallbackName}, {"GIT_AUTHOR_EMAIL", fallbackEmail},
		{"GIT_COMMITTER_NAME", fallbackName}, {"GIT_COMMITTER_EMAIL", fallbackEmail}} {
		if os.Getenv(v[0]) == "" {
			c.env = append(c.env, v[0]+"="+v[1])
		}
	}
	out, err := r.run(ctx, c)
	return trimLine(out.Stdout), err
}

var noIdentity = pattern.New(`(?m)^fatal: (no (email|name) was given and auto-detection is disabled|` +
	`unable to auto-detect (email address|name)|empty ident name)|Please tell me who you are`)

// File modes as git writes them.
const (
	ModeFile    = "100644"
	ModeExec    = "100755"
	ModeLink    = "120000"
	ModeGitlink = "160000"
	ModeTree    = "040000"
)

// TreeEntry is one entry of a tree. Path is the full path from the tree listed.
type TreeEntry struct {
	Mode, Type, OID, Path string
}

// Gitlink reports that the entry is a submodule's commit.
func (e TreeEntry) Gitlink() bool { return e.Mode == ModeGitlink }

// Tree lists every file of a commit or tree, submodules as gitlinks. With paths,
// only those files and what lies below those folders.
func (r *Repo) Tree(ctx context.Context, treeish string, paths ...string) ([]TreeEntry, error) {
	args := append([]string{"ls-tree", "-r", "-z", "--full-tree", treeish, "--"}, paths...)
	out, err := r.run(ctx, call{step: "list tree", class: localRead, args: args,
		env: []string{"GIT_LITERAL_PATHSPECS=1"}})
	if err != nil {
		return nil, err
	}
	return parseTree(out.Stdout)
}

// parseTree reads "<mode> SP <type> SP <oid> TAB <path> NUL" records.
func parseTree(b []byte) ([]TreeEntry, error) {
	var out []TreeEntry
	for rec := range bytes.SplitSeq(b, []byte{0}) {
		if len(rec) == 0 {
			continue
		}
		meta, path, ok := strings.Cut(string(rec), "\t")
		f := strings.Split(meta, " ")
		if !ok || path == "" || len(f) != 3 || !isMode(f[0]) || !isOID(f[2]) {
			return nil, fmt.Errorf("list tree: %q is no entry", rec)
		}
		out = append(out, TreeEntry{Mode: f[0], Type: f[1], OID: f[2], Path: path})
	}
	return out, nil
}

func isMode(s string) bool {
	if len(s) != 6 {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '7' {
			return false
		}
	}
	return true
}
