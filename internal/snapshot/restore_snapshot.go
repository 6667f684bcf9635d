package snapshot

import (
	"context"
	"fmt"
	"io/fs"

	"gitlet/internal/git"
)

// A snapshot can be restored too. It holds the work tree as git would add it, without
// many untracked files, and nothing of the index or HEAD. So only the files it has are
// written and those that its work had removed go; all else stays.

// snapshotTarget reads a snapshot as something to restore.
func snapshotTarget(ctx context.Context, wt *git.Worktree, commit string) (*stored, error) {
	oids, err := wt.Resolve(ctx, commit+"^{commit}", commit+"^1")
	if err != nil {
		return nil, err
	}
	if oids[0] == "" {
		return nil, fmt.Errorf("%w: %q is no commit here", ErrNotACheckpoint, commit)
	}
	changes, err := wt.DiffTrees(ctx, oids[1], oids[0])
	if err != nil {
		return nil, err
	}
	s := &stored{snapshot: true, deleted: map[string]bool{}}
	s.Commit = oids[0]
	for _, c := range changes {
		if c.Status == 'D' || c.Status == 'R' {
			s.deleted[c.OldPath] = true
		}
	}
	return s, nil
}

// fit takes over from the present state what a snapshot says nothing about.
func (s *stored) fit(from *stored) {
	if !s.snapshot {
		return
	}
	s.Checkpoint.Head = from.Checkpoint.Head
	s.index, s.IndexAt, s.absent, s.smudged = from.index, from.IndexAt, from.absent, map[string]bool{}
	s.perms = map[string]fs.FileMode{}
}
