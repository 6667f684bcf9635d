package snapshot

import (
	"context"
	"errors"
	"fmt"

	"gitlet/internal/git"
	"gitlet/internal/journal"
)

// A restore in progress is written down, so that one that was killed is finished by the
// next call. Each file is replaced at once, so at any moment it is either of before or of
// after; a file that is neither was edited since, and then nothing more is done.

type restoring struct {
	From string `json:"from"`
	To   string `json:"to"`
	Why  string `json:"why"`
}

func journalOf(wt *git.Worktree) journal.Journal {
	return journal.Journal{Dir: wt.OwnDir(), Name: "restore"}
}

func (m *move) writeJournal(why string) error {
	return journalOf(m.wt).Begin(restoring{From: m.from.Commit, To: m.to.Commit, Why: why})
}

func (m *move) dropJournal() error { return dropJournal(m.wt) }

func dropJournal(wt *git.Worktree) error { return journalOf(wt).End() }

// Resumed is what became of a restore that was killed.
type Resumed struct {
	Finished bool
	// Before is the commit of the checkpoint taken before the restore.
	Before string
	// Why it was not finished: what changed since.
	Why string
}

// Resume finishes a restore that was killed; nil when there is none. Where the worktree
// changed since, it touches nothing and only gives up. It costs one look at a file.
func Resume(ctx context.Context, wt *git.Worktree) (*Resumed, error) {
	var j restoring
	found, unlock, err := journalOf(wt).Left(&j)
	if err != nil || !found {
		return nil, err
	}
	defer unlock()
	return resume(context.WithoutCancel(ctx), wt, j)
}

func resume(ctx context.Context, wt *git.Worktree, j restoring) (*Resumed, error) {
	out := &Resumed{Before: j.From}
	cat := wt.NewCatFile(ctx)
	defer cat.Close()
	from, errFrom := load(cat, j.From)
	to, errTo := load(cat, j.To)
	if errors.Is(errTo, ErrNotACheckpoint) {
		to, errTo = snapshotTarget(ctx, wt, j.To)
	}
	if err := errors.Join(errFrom, errTo); err != nil {
		out.Why = "its checkpoints are gone"
		return out, dropJournal(wt)
	}
	to.fit(from)
	lock, err := wt.AdoptIndexLock(to.index)
	if err != nil {
		return nil, err
	}
	give := func(why string) (*Resumed, error) {
		out.Why = why
		if lock != nil {
			return out, errors.Join(lock.Abort(), dropJournal(wt))
		}
		return out, dropJournal(wt)
	}
	m, err := planMove(ctx, wt, cat, from, to)
	if inWay := (*InTheWayError)(nil); errors.As(err, &inWay) {
		return give(err.Error())
	}
	if err != nil {
		return nil, err
	}
	why, err := m.changedSince(ctx)
	if err != nil {
		return nil, err
	}
	if why != "" {
		return give(why)
	}
	if lock == nil {
		if lock, err = wt.LockIndex(ctx, to.index); err != nil {
			return nil, err
		}
	}
	if _, err := m.forward(ctx, lock, j.Why); err != nil {
		return nil, err
	}
	out.Finished = true
	return out, nil
}

// changedSince says what is neither as it was before the restore nor as after it; "" when
// nothing is.
func (m *move) changedSince(ctx context.Context) (string, error) {
	head, err := m.wt.Head(ctx)
	if err != nil {
		return "", err
	}
	a, b := m.from.Checkpoint.Head, m.to.Checkpoint.Head
	// The branch moves before HEAD names it.
	if head != a && head != b && head != (git.Head{OID: b.OID, Branch: a.Branch}) && head != (git.Head{OID: "", Branch: b.Branch}) {
		return "HEAD moved since", nil
	}
	for _, s := range []*stored{m.from, m.to} {
		is, err := m.wt.IndexIs(s.index)
		if err != nil {
			return "", err
		}
		if is {
			return m.editedSince(ctx)
		}
	}
	return "the index changed since", nil
}

func (m *move) editedSince(ctx context.Context) (string, error) {
	if p, err := m.edited(ctx, git.HashRaw, func(p string) bool { return !m.to.throughFilters(p) && !m.from.smudged[p] }); p != "" || err != nil {
		return p, err
	}
	return m.edited(ctx, git.HashClean, m.to.throughFilters)
}

// edited names a file among some that is neither of the two states.
func (m *move) edited(ctx context.Context, how git.Hashing, among func(string) bool) (string, error) {
	d := disk{m.wt.Root, map[string]bool{}}
	var regular []string
	for p := range m.write {
		info, err := d.stat(p)
		if err != nil {
			return "", err
		}
		if info != nil && info.Mode().IsRegular() && among(p) {
			regular = append(regular, p)
		}
	}
	oids, err := m.wt.HashFiles(ctx, how, regular)
	if err != nil {
		return "", err
	}
	was := oids
	if how == git.HashClean {
		if was, err = m.wt.HashFiles(ctx, git.HashRaw, regular); err != nil {
			return "", err
		}
	}
	for i, p := range regular {
		if oids[i] == m.write[p].OID {
			continue
		}
		o, err := m.cat.Read(m.from.Commit+":"+p, 0)
		if err != nil {
			return "", err
		}
		if o.OID != was[i] {
			return fmt.Sprintf("%q was edited since", p), nil
		}
	}
	return "", nil
}
