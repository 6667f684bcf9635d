package git

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// MergeCommit is a merge of two parents.
type MergeCommit struct{ OID, Ours, Theirs string }

// MergeCommits lists the newest merges of two parents that a commit has, the newest first;
// merges of more are left out.
func (r *Repo) MergeCommits(ctx context.Context, head string, most int) ([]MergeCommit, error) {
	out, err := r.run(ctx, call{step: "list merges", class: localRead, timeout: timeouts[localWrite],
		args: []string{"rev-list", "--merges", "--max-parents=2", "--parents", "--max-count=" + strconv.Itoa(most), head, "--"}})
	if err != nil {
		return nil, err
	}
	var all []MergeCommit
	for l := range strings.Lines(string(out.Stdout)) {
		f := strings.Fields(l)
		if len(f) != 3 || !isOID(f[0]) || !isOID(f[1]) || !isOID(f[2]) {
			return nil, fmt.Errorf("list merges: %q is no merge", l)
		}
		all = append(all, MergeCommit{f[0], f[1], f[2]})
	}
	return all, nil
}

// MergeAgain merges the parents of merges as they once were, with conflict markers in a
// style, and returns what came out for each; nil where git cannot tell.
func (r *Repo) MergeAgain(ctx context.Context, merges []MergeCommit, style string) ([]*Merge, error) {
	if !r.Version.MergeTree() {
		return nil, &TooOldError{Have: r.Version, Need: mergeTreeVersion, For: "merging without a work tree"}
	}
	out := make([]*Merge, 0, len(merges))
	if r.Version.Less(Version{2, 39, 0}) {
		for _, m := range merges {
			one, err := r.mergeAgain(ctx, m, style)
			if err != nil {
				return nil, err
			}
			out = append(out, one)
		}
		return out, nil
	}
	for len(out) < len(merges) {
		rest := merges[len(out):]
		var in strings.Builder
		for _, m := range rest {
			in.WriteString(m.Ours + " " + m.Theirs + "\n")
		}
		// It ends at the first pair without a common ancestor.
		got, err := r.run(ctx, call{step: "merge-tree", class: localRead, timeout: 10 * timeouts[localWrite], stdin: []byte(in.String()),
			config: []string{"merge.conflictStyle=" + style, "rerere.enabled=false"},
			args:   []string{"merge-tree", "--write-tree", "-z", "--no-messages", "--stdin"}})
		some, perr := parseMergeTrees(got.Stdout)
		if perr != nil {
			return nil, errors.Join(err, perr)
		}
		if len(some) > len(rest) {
			return nil, fmt.Errorf("merge-tree: %d answers for %d merges", len(some), len(rest))
		}
		out = append(out, some...)
		if len(some) == len(rest) {
			break
		}
		if e := (*Error)(nil); !errors.As(err, &e) || e.Exit <= 0 {
			return nil, errors.Join(err, fmt.Errorf("merge-tree: %d answers for %d merges", len(some), len(rest)))
		}
		out = append(out, nil)
	}
	return out, nil
}

func (r *Repo) mergeAgain(ctx context.Context, m MergeCommit, style string) (*Merge, error) {
	got, err := r.run(ctx, call{step: "merge-tree", class: localRead, timeout: timeouts[localWrite], okExit: []int{1},
		config: []string{"merge.conflictStyle=" + style}, args: []string{"merge-tree", "--write-tree", "-z", "--no-messages", m.Ours, m.Theirs}})
	if e := (*Error)(nil); errors.As(err, &e) && e.Exit > 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	one, err := parseMergeTree(got.Stdout, false)
	if err != nil || got.Exit == 0 {
		return one, err
	}
	all, err := parseMergeTrees(append([]byte("0\x00"), append(got.Stdout, 0)...))
	if err != nil || len(all) != 1 {
		return nil, err
	}
	return all[0], nil
}

// parseMergeTrees reads "<clean> NUL <tree> NUL", "<mode> <oid> <stage> TAB <path> NUL" for
// each conflicting file, and an empty field; again for each merge. What is not whole at the
// end is left out.
func parseMergeTrees(b []byte) ([]*Merge, error) {
	var out []*Merge
	f := fields(b)
	for len(f) >= 3 {
		if f[0] != "0" && f[0] != "1" || !isOID(f[1]) {
			return nil, fmt.Errorf("merge-tree: %q is no answer", f[:2])
		}
		m := &Merge{Tree: f[1]}
		f = f[2:]
		at := map[string]int{}
		for len(f) > 0 && f[0] != "" {
			one, err := parseUnmerged([]byte(f[0] + "\x00"))
			if err != nil {
				return nil, err
			}
			p := one[0].Path
			if _, seen := at[p]; !seen {
				at[p] = len(m.Conflicts)
				m.Conflicts = append(m.Conflicts, MergeConflict{Path: p})
			}
			for i, s := range one[0].Stages {
				if s.OID != "" {
					m.Conflicts[at[p]].Stages[i] = s
				}
			}
			f = f[1:]
		}
		if len(f) == 0 {
			break
		}
		f = f[1:]
		out = append(out, m)
	}
	return out, nil
}
