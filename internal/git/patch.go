package git

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"
)

// PatchKeys names what each commit changes: the lines it removes and adds in each file,
// without the lines around them and without where they stand. Commits with the same key
// make the same change, also where a rebase moved it between other lines. Merges, and
// commits that change nothing, have no key.
func (r *Repo) PatchKeys(ctx context.Context, commits []string) (map[string]string, error) {
	if len(commits) == 0 {
		return map[string]string{}, nil
	}
	out, err := r.run(ctx, call{step: "read patches", class: localRead, timeout: timeouts[localWrite],
		stdin: []byte(strings.Join(commits, "\n") + "\n"),
		config: []string{"diff.algorithm=myers", "diff.indentHeuristic=false", "diff.noprefix=false", "diff.mnemonicPrefix=false",
			"diff.ignoreSubmodules=none", "diff.submodule=short", "core.quotePath=true", "diff.interHunkContext=0"},
		args: []string{"diff-tree", "--stdin", "-r", "--root", "-p", "-U0", "--full-index", "--binary", "--no-renames", "--no-color",
			"--no-ext-diff", "--no-textconv"}})
	if err != nil {
		return nil, err
	}
	return parsePatchKeys(out.Stdout)
}

// parsePatchKeys reads patches, each after a line with its commit's id.
func parsePatchKeys(b []byte) (map[string]string, error) {
	keys := map[string]string{}
	commit, inHunk := "", 0
	var sum hash.Hash
	done := func() {
		if sum != nil {
			keys[commit] = hex.EncodeToString(sum.Sum(nil))
		}
		sum = nil
	}
	for line := range bytes.Lines(b) {
		text := strings.TrimSuffix(string(line), "\n")
		if inHunk > 0 && text != "" && (text[0] == '+' || text[0] == '-') {
			inHunk--
			sum.Write(line)
			continue
		}
		switch {
		case isOID(text):
			done()
			commit, inHunk = text, 0
		case strings.HasPrefix(text, "@@ "):
			n, ok := hunkLines(text)
			if !ok || sum == nil {
				return nil, fmt.Errorf("read patches: %q is no hunk", text)
			}
			inHunk = n
		case strings.HasPrefix(text, "index "): // the whole files' ids say what stands around
		case commit == "":
			return nil, fmt.Errorf("read patches: %q is of no commit", text)
		case text != "" || sum != nil:
			if sum == nil {
				sum = sha256.New()
			}
			sum.Write(line)
		}
	}
	done()
	return keys, nil
}

// hunkLines counts the lines that follow "@@ -a,b +c,d @@" when none are context.
func hunkLines(head string) (int, bool) {
	f := strings.Fields(head)
	if len(f) < 4 {
		return 0, false
	}
	total := 0
	for _, side := range f[1:3] {
		n := 1
		if _, count, ok := strings.Cut(side, ","); ok {
			if _, err := fmt.Sscanf(count, "%d", &n); err != nil {
				return 0, false
			}
		}
		total += n
	}
	return total, true
}
