package snapshot

import (
	"context"
	"sort"
	"strings"
	"time"

	"gitlet/internal/git"
)

// Snapshots of an agent's items are kept here for a while, the last distinct ones, so that
// work nobody parked can be restored too. Nothing pushes these refs.

const keptRefs = "refs/gitlet/kept/"

// KeptRef is where a snapshot of an item is kept.
func KeptRef(agent, item, commit string) string {
	return keptRefs + agent + "/" + item + "/" + commit[:min(len(commit), 16)]
}

// KeepSnapshots is how many distinct snapshots of one item are kept.
const KeepSnapshots = 20

// Kept is one snapshot that is kept here.
type Kept struct {
	Item, Commit string
	Parent       string // the commit it was taken on
	At           time.Time
	Files        int
	Ref          string
}

// KeptSnapshots lists an agent's kept snapshots, the newest first.
func KeptSnapshots(ctx context.Context, repo *git.Repo, agent string) ([]Kept, error) {
	refs, err := repo.Refs(ctx, keptRefs+agent)
	if err != nil || len(refs) == 0 {
		return nil, err
	}
	var out []Kept
	var commits []string
	for _, ref := range sortedKeys(refs) {
		item, _, _ := strings.Cut(strings.TrimPrefix(ref, keptRefs+agent+"/"), "/")
		out = append(out, Kept{Item: item, Commit: refs[ref], Ref: ref})
		commits = append(commits, refs[ref])
	}
	files := map[string]int{}
	changes, err := repo.CommitChanges(ctx, commits)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		files[c.Commit]++
	}
	cat := repo.NewCatFile(ctx)
	defer cat.Close()
	for i := range out {
		o, err := cat.Read(out[i].Commit, 1<<20)
		if err != nil {
			return nil, err
		}
		out[i].Files = files[out[i].Commit]
		out[i].Parent, out[i].At = parentAndTime(string(o.Data))
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].At.After(out[j].At) })
	return out, nil
}

// parentAndTime reads the head of a commit.
func parentAndTime(text string) (parent string, at time.Time) {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" {
			break
		}
		if p, ok := strings.CutPrefix(line, "parent "); ok && parent == "" {
			parent = p
		}
		if c, ok := strings.CutPrefix(line, "committer "); ok {
			if f := strings.Fields(c[strings.LastIndexByte(c, '>')+1:]); len(f) == 2 {
				if d, err := time.ParseDuration(f[0] + "s"); err == nil {
					at = time.Unix(int64(d/time.Second), 0)
				}
			}
		}
	}
	return parent, at
}

// PruneKept removes kept snapshots that are too many for their item or too old.
func PruneKept(ctx context.Context, repo *git.Repo, all []Kept, now time.Time) error {
	var drop []git.RefChange
	of := map[string]int{}
	for _, k := range all {
		if of[k.Item]++; of[k.Item] > KeepSnapshots || now.Sub(k.At) > KeepFor {
			drop = append(drop, git.Delete(k.Ref, k.Commit))
		}
	}
	return repo.Apply(ctx, drop...)
}
