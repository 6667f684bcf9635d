package git

import (
	"context"
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
