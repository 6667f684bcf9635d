package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Change is one file that differs between two trees.
type Change struct {
	// Status is A, M, D, T (type changed), R or C.
	Status           byte
	Score            int    // similarity in percent, for R and C
	OldMode, NewMode string // "000000" where there is no file
	OldOID, NewOID   string // all zeros where there is no file
	OldPath, Path    string // OldPath equals Path except for R and C
}

// Gitlink reports that either side is a submodule's commit.
func (c Change) Gitlink() bool { return c.OldMode == ModeGitlink || c.NewMode == ModeGitlink }

// DiffTrees lists what changed from one commit or tree to another, with renames, in
// path order. "" stands for the empty tree.
func (r *Repo) DiffTrees(ctx context.Context, from, to string) ([]Change, error) {
	if from == "" {
		from = r.EmptyTree()
	}
	if to == "" {
		to = r.EmptyTree()
	}
	out, err := r.diffTrees(ctx, "-M50%", from, to)
	if errors.Is(err, ErrPartial) {
		out, err = r.diffTrees(ctx, "-M100%", from, to) // equal files need no content
	}
	if err != nil {
		return nil, err
	}
	return parseRaw(out.Stdout)
}

func (r *Repo) diffTrees(ctx context.Context, renames, from, to string) (output, error) {
	// A fixed limit on rename candidates makes every machine see the same renames.
	return r.run(ctx, call{step: "diff", class: localRead, args: []string{"diff-tree", "-r", "-z", "--raw", renames,
		"-l1000", "--no-abbrev", "--no-ext-diff", "--ignore-submodules=none", from, to, "--"}})
}

// parseRaw reads ":<mode> <mode> <oid> <oid> <status>[score] NUL <path> NUL [<path> NUL]".
func parseRaw(b []byte) ([]Change, error) {
	f := fields(b)
	var out []Change
	for i := 0; i < len(f); {
		c, n, err := parseRawAt(f, i)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
		i += n
	}
	return out, nil
}

// parseRawAt reads the record that starts at f[i] and says how many fields it takes.
func parseRawAt(f []string, i int) (Change, int, error) {
	bad := func() (Change, int, error) {
		return Change{}, 0, fmt.Errorf("diff: %q is no change", f[i])
	}
	p := strings.Split(f[i], " ")
	if len(p) != 5 || len(p[0]) != 7 || p[0][0] != ':' || p[4] == "" || i+1 >= len(f) {
		return bad()
	}
	c := Change{OldMode: p[0][1:], NewMode: p[1], OldOID: p[2], NewOID: p[3], Status: p[4][0],
		OldPath: f[i+1], Path: f[i+1]}
	if !isMode(c.OldMode) || !isMode(c.NewMode) || !isOID(c.OldOID) || !isOID(c.NewOID) || c.Path == "" {
		return bad()
	}
	switch c.Status {
	case 'A', 'M', 'D', 'T', 'U', 'X':
		return c, 2, nil
	case 'R', 'C':
		score, err := strconv.Atoi(p[4][1:])
		if err != nil || i+2 >= len(f) || f[i+2] == "" {
			return bad()
		}
		c.Score, c.Path = score, f[i+2]
		return c, 3, nil
	}
	return bad()
}

// fields splits NUL-terminated fields.
func fields(b []byte) []string {
	if len(b) == 0 {
		return nil
	}
	return strings.Split(string(bytes.TrimSuffix(b, []byte{0})), "\x00")
}

// CommitChange is a file a commit changed against all its parents.
type CommitChange struct {
	Commit, Path, Mode, OID string // Mode "000000" where the commit removed it
}

// CommitChanges lists what each commit changed itself: against its parent, for a
// merge only what equals no parent, for a root commit everything.
func (r *Repo) CommitChanges(ctx context.Context, commits []string) ([]CommitChange, error) {
	if len(commits) == 0 {
		return nil, nil
	}
	out, err := r.run(ctx, call{step: "list changes", class: localRead, timeout: timeouts[localWrite],
		stdin: []byte(strings.Join(commits, "\n") + "\n"),
		args: []string{"diff-tree", "--stdin", "-r", "-z", "-c", "--root", "--raw", "--no-abbrev", "--no-renames",
			"--no-ext-diff", "--ignore-submodules=none"}})
	if err != nil {
		return nil, err
	}
	return parseCommitChanges(out.Stdout)
}

// parseCommitChanges reads "<commit> NUL" followed by raw records: one colon, mode and
// object id for each parent, the new mode and id after them, then the path.
func parseCommitChanges(b []byte) ([]CommitChange, error) {
	var out []CommitChange
	commit := ""
	f := fields(b)
	for i := 0; i < len(f); i++ {
		if isOID(f[i]) {
			commit = f[i]
			continue
		}
		meta := strings.TrimLeft(f[i], ":")
		n := len(f[i]) - len(meta)
		p := strings.Split(meta, " ")
		if n == 0 || commit == "" || len(p) != 2*n+3 || i+1 >= len(f) || f[i+1] == "" || !isMode(p[n]) || !isOID(p[2*n+1]) {
			return nil, fmt.Errorf("list changes: %q is no change", f[i])
		}
		out = append(out, CommitChange{Commit: commit, Path: f[i+1], Mode: p[n], OID: p[2*n+1]})
		i++
	}
	return out, nil
}
