package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"gitlet/internal/git"
)

// Restored is what a restore did.
type Restored struct {
	// Before is the checkpoint of the state that was given up; restoring it is the way back.
	Before Checkpoint
	// Left are files that are not part of the checkpoint and were left alone, since only
	// the ignore rules of one of the two states cover them.
	Left []string
	// Links are submodules that stand at another commit than then.
	Links []string
	// Files is how many files were written or removed.
	Files int
}

// InTheWayError: something that no checkpoint holds stands where a file has to go.
type InTheWayError struct{ Path, For string }

func (e *InTheWayError) Error() string {
	return fmt.Sprintf("%q is in the way of %q and is kept nowhere else", e.Path, e.For)
}

// BranchBusyError: the branch is checked out in another worktree.
type BranchBusyError struct{ Branch, Worktree string }

func (e *BranchBusyError) Error() string {
	return fmt.Sprintf("branch %q is checked out in %q", e.Branch, e.Worktree)
}

// AutoRestore is the slug of the checkpoint that every restore takes first.
const AutoRestore = "auto-pre-restore"

// RestoreOptions say who restores, and when.
type RestoreOptions struct {
	Agent string
	Now   time.Time
	// Why goes into the reflog.
	Why string
}

// Restore puts HEAD, the branch, the index and every file back to what the checkpoint
// commit holds. First it takes a checkpoint of what is there; nothing is removed that this
// does not hold, and ignored files are not touched. Where it returns an error, all is as it
// was; a process that is killed leaves a journal, and Resume finishes.
func Restore(ctx context.Context, wt *git.Worktree, commit string, o RestoreOptions) (*Restored, error) {
	unlock, err := journalOf(wt).Lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	cat := wt.NewCatFile(context.WithoutCancel(ctx))
	defer cat.Close()
	to, err := load(cat, commit)
	if errors.Is(err, ErrNotACheckpoint) {
		to, err = snapshotTarget(ctx, wt, commit)
	}
	if err != nil {
		return nil, err
	}
	if err := branchFree(ctx, wt, to.Checkpoint.Head.Branch); err != nil {
		return nil, err
	}
	files, err := wt.Tree(ctx, commit)
	if err != nil {
		return nil, err
	}
	also := make([]string, 0, len(files))
	for _, f := range files {
		if !f.Gitlink() && !to.absent[f.Path] {
			also = append(also, f.Path)
		}
	}
	for range attempts {
		var saved *Saved
		if saved, err = Save(ctx, wt, SaveOptions{Agent: o.Agent, Name: AutoRestore, Slug: AutoRestore, Now: o.Now, Also: also}); err != nil {
			return nil, err
		}
		var done *Restored
		if done, err = restore(context.WithoutCancel(ctx), wt, cat, to, saved, o); !errors.Is(err, ErrMoved) {
			return done, err
		}
	}
	return nil, err
}

// branchFree makes sure that no other worktree has the branch.
func branchFree(ctx context.Context, wt *git.Worktree, branch string) error {
	if branch == "" {
		return nil
	}
	all, err := wt.Worktrees(ctx)
	if err != nil {
		return err
	}
	for _, w := range all {
		if w.Branch == branch && w.Prunable == "" && !sameDir(w.Path, wt.Root) {
			return &BranchBusyError{Branch: branch, Worktree: w.Path}
		}
	}
	return nil
}

func sameDir(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// restore runs once the state before is safe. From here on nothing stops it but a fault,
// and a fault is undone.
func restore(ctx context.Context, wt *git.Worktree, cat *git.CatFile, to *stored, saved *Saved, o RestoreOptions) (*Restored, error) {
	from, err := load(cat, saved.Commit)
	if err != nil {
		return nil, err
	}
	to.fit(from)
	m, err := planMove(ctx, wt, cat, from, to)
	if err != nil {
		return nil, err
	}
	// The journal comes first, so that a process killed with the lock leaves word of whose
	// it is.
	if err := m.writeJournal(o.Why); err != nil {
		return nil, err
	}
	lock, err := wt.LockIndex(ctx, to.index)
	if err != nil {
		return nil, errors.Join(err, m.dropJournal())
	}
	if err := still(ctx, wt, saved); err != nil {
		return nil, errors.Join(err, lock.Abort(), m.dropJournal())
	}
	done, err := m.forward(ctx, lock, o.Why)
	if err != nil {
		return nil, errors.Join(err, m.back(ctx, lock, o.Why))
	}
	done.Before = saved.Checkpoint
	return done, nil
}

// still reports whether index and HEAD are as the checkpoint found them.
func still(ctx context.Context, wt *git.Worktree, saved *Saved) error {
	stamp, err := wt.IndexStamp()
	if err != nil {
		return err
	}
	head, err := wt.Head(ctx)
	if err != nil {
		return err
	}
	if !stamp.Same(saved.found.stamp) || head != saved.Head {
		return ErrMoved
	}
	return nil
}

// move is the way from one checkpoint to another.
type move struct {
	wt       *git.Worktree
	cat      *git.CatFile
	from, to *stored
	write    map[string]git.TreeEntry // what has to be on disk
	remove   map[string]bool          // what has to go, if no ignore rule covers it
	first    map[string]bool          // what has to go before anything is written
	links    []string                 // submodules that differ
}

// planMove finds what differs, and that nothing stands in the way.
func planMove(ctx context.Context, wt *git.Worktree, cat *git.CatFile, from, to *stored) (*move, error) {
	m := &move{wt: wt, cat: cat, from: from, to: to,
		write: map[string]git.TreeEntry{}, remove: map[string]bool{}, first: map[string]bool{}}
	changes, err := wt.DiffTrees(ctx, from.Commit, to.Commit)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		m.differs(c)
	}
	if to.snapshot {
		for p := range m.remove {
			if !to.deleted[p] {
				delete(m.remove, p)
			}
		}
	}
	for p := range to.absent {
		if delete(m.write, p); !from.absent[p] {
			m.remove[p] = true
		}
	}
	var back []string
	for p := range from.absent {
		if !to.absent[p] {
			back = append(back, p)
		}
	}
	for p := range from.perms {
		if _, odd := to.perms[p]; !odd && !to.snapshot {
			back = append(back, p) // it had the usual mode then
		}
	}
	if err := m.anew(ctx, back); err != nil {
		return nil, err
	}
	return m, m.clearWay()
}

// differs plans one difference between the two trees.
func (m *move) differs(c git.Change) {
	switch {
	case c.NewMode == git.ModeGitlink:
		m.links = append(m.links, c.Path)
	case c.Status != 'D':
		m.write[c.Path] = git.TreeEntry{Mode: c.NewMode, OID: c.NewOID, Path: c.Path}
	}
	goes := c.Status == 'D' || c.Status == 'R' || c.Status == 'T' && c.NewMode == git.ModeGitlink
	if goes && c.OldMode != git.ModeGitlink && !m.from.absent[c.OldPath] {
		m.remove[c.OldPath] = true
	}
}

// anew plans to write files although their content is the same: they were on disk then and
// are not checked out now, or they have an unusual mode now.
func (m *move) anew(ctx context.Context, back []string) error {
	const most = 500
	for len(back) > 0 {
		n := min(most, len(back))
		files, err := m.wt.Tree(ctx, m.to.Commit, back[:n]...)
		if err != nil {
			return err
		}
		for _, f := range files {
			if !f.Gitlink() && !m.to.absent[f.Path] {
				m.write[f.Path] = f
			}
		}
		back = back[n:]
	}
	return nil
}

// clearWay makes sure that whatever stands where a file has to go is a file that the
// checkpoint of the state before holds, and plans that it goes first.
func (m *move) clearWay() error {
	d := disk{m.wt.Root, map[string]bool{}}
	for p := range m.write {
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			info, err := os.Lstat(d.path(dir))
			if err != nil || info.IsDir() {
				continue
			}
			if !m.remove[dir] && m.write[dir].OID == "" {
				return &InTheWayError{Path: dir, For: p}
			}
			m.first[dir] = true
		}
		info, err := os.Lstat(d.path(p))
		if err != nil || !info.IsDir() || !d.folder(path.Dir(p)) {
			continue
		}
		if err := m.emptied(d.path(p), p, p); err != nil {
			return err
		}
	}
	return nil
}

// emptied plans to remove everything in a folder that has to make room for a file.
func (m *move) emptied(full, dir, want string) error {
	entries, err := os.ReadDir(full)
	if err != nil {
		return fmt.Errorf("look into %q: %w", dir, err)
	}
	for _, e := range entries {
		p := dir + "/" + e.Name()
		switch {
		case e.IsDir():
			if err := m.emptied(filepath.Join(full, e.Name()), p, want); err != nil {
				return err
			}
		case m.remove[p]:
			m.first[p] = true
		default:
			return &InTheWayError{Path: p, For: want}
		}
	}
	return nil
}

// forward does it: the branch, the files, the index. It may be run again at any point.
func (m *move) forward(ctx context.Context, lock *git.IndexLock, why string) (*Restored, error) {
	if err := m.moveHead(ctx, why); err != nil {
		return nil, err
	}
	left, err := m.files(ctx)
	if err != nil {
		return nil, err
	}
	if err := lock.Commit(m.to.indexAt()); err != nil {
		return nil, err
	}
	if err := m.dropJournal(); err != nil {
		return nil, err
	}
	out := &Restored{Files: len(m.write) + len(m.remove) - len(left), Links: m.links}
	st, err := m.wt.Status(ctx, git.UntrackedAll)
	if err != nil {
		return nil, err
	}
	out.Left = append(left, m.unknown(st.Untracked)...)
	return out, nil
}

// moveHead moves HEAD and the branch, where they are not there yet.
func (m *move) moveHead(ctx context.Context, why string) error {
	if now, err := m.wt.Head(ctx); err != nil || now == m.to.Checkpoint.Head {
		return err
	}
	return m.wt.MoveHead(ctx, m.to.Checkpoint.Head, why)
}

// unknown are untracked files that neither state knows: the rules that ignored them went.
func (m *move) unknown(untracked []string) []string {
	if m.to.snapshot {
		return nil // it never said that it knows all
	}
	var out []string
	for _, p := range untracked {
		if _, wrote := m.write[p]; wrote || strings.HasSuffix(p, "/") {
			continue
		}
		if _, had := m.to.perms[p]; had {
			continue
		}
		if o, err := m.cat.Read(m.to.Commit+":"+p, 1); err == nil && !o.Found {
			out = append(out, p)
		}
	}
	return out
}

func (s *stored) indexAt() time.Time { return time.Unix(0, s.IndexAt) }

// back undoes what forward began.
func (m *move) back(ctx context.Context, lock *git.IndexLock, why string) error {
	r := &move{wt: m.wt, cat: m.cat, from: m.to, to: m.from, write: map[string]git.TreeEntry{}, remove: map[string]bool{}, first: map[string]bool{}}
	changes, err := m.wt.DiffTrees(ctx, m.to.Commit, m.from.Commit)
	if err != nil {
		return fmt.Errorf("undo the restore: %w", err)
	}
	for _, c := range changes {
		r.differs(c)
	}
	for p := range r.to.absent {
		delete(r.write, p)
	}
	err = errors.Join(r.clearWay(), r.moveHead(ctx, why))
	if err == nil {
		_, err = r.files(ctx)
	}
	// The index was not changed yet: it changes with the last step.
	if is, ierr := m.wt.IndexIs(m.from.index); ierr != nil || !is {
		err = errors.Join(err, ierr)
	}
	err = errors.Join(err, lock.Abort())
	if err != nil {
		return fmt.Errorf("undo the restore: %w", err)
	}
	return m.dropJournal()
}

// files writes and removes files. It returns those it left alone because an ignore rule of
// the state restored covers them.
func (m *move) files(ctx context.Context) (left []string, err error) {
	for p := range m.first {
		if err := m.gone(p); err != nil {
			return nil, err
		}
	}
	var filtered []string
	for _, p := range sortedKeys(m.write) {
		if m.to.throughFilters(p) {
			filtered = append(filtered, p)
		} else if err := m.put(p, m.write[p]); err != nil {
			return nil, err
		}
	}
	if err := m.throughFilters(ctx, filtered); err != nil {
		return nil, err
	}
	for p, perm := range m.to.perms {
		if err := m.setMode(p, perm); err != nil {
			return nil, err
		}
	}
	var rest []string
	for _, p := range sortedKeys(m.remove) {
		if !m.first[p] && m.write[p].OID == "" {
			rest = append(rest, p)
		}
	}
	ignored, err := m.wt.Ignored(ctx, rest)
	if err != nil {
		return nil, err
	}
	for _, p := range rest {
		if ignored[p] && !m.to.absent[p] {
			left = append(left, p)
		} else if err := m.gone(p); err != nil {
			return nil, err
		}
	}
	for _, p := range m.links {
		if err := os.MkdirAll(m.full(p), 0o777); err != nil {
			return nil, fmt.Errorf("make the folder of submodule %q: %w", p, err)
		}
	}
	return left, nil
}

func (m *move) full(p string) string { return filepath.Join(m.wt.Root, filepath.FromSlash(p)) }

// gone removes a file and the folders that become empty.
func (m *move) gone(p string) error {
	if !(disk{m.wt.Root, map[string]bool{}}).folder(path.Dir(p)) {
		return nil
	}
	err := os.Remove(m.full(p))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %q: %w", p, err)
	}
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if os.Remove(m.full(dir)) != nil {
			break // not empty
		}
	}
	return nil
}

// put makes the file at p what the entry says, at once or not at all.
func (m *move) put(p string, e git.TreeEntry) error {
	o, err := m.cat.Read(e.OID, 0)
	if err != nil {
		return err
	}
	if !o.Found {
		return fmt.Errorf("restore %q: its content %s is gone", p, e.OID)
	}
	full := m.full(p)
	if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
		return fmt.Errorf("restore %q: %w", p, err)
	}
	if info, err := os.Lstat(full); err == nil && info.IsDir() {
		// Emptied above; what is left are folders.
		if err := removeFolders(full); err != nil {
			return fmt.Errorf("restore %q: %w", p, err)
		}
	}
	if err := m.replace(full, o.Data, e.Mode); err != nil {
		return fmt.Errorf("restore %q: %w", p, err)
	}
	return nil
}

func (m *move) replace(full string, data []byte, mode string) error {
	temp := filepath.Join(m.wt.OwnDir(), "restoring")
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := write(temp, data, mode); err != nil {
		return err
	}
	err := os.Rename(temp, full)
	if err == nil {
		return nil
	}
	// The git directory may lie on another disk.
	near := filepath.Join(filepath.Dir(full), ".gitlet-restoring")
	if werr := write(near, data, mode); werr != nil {
		return errors.Join(err, werr)
	}
	if rerr := os.Rename(near, full); rerr != nil {
		return errors.Join(rerr, os.Remove(near))
	}
	_ = os.Remove(temp) // the next one replaces it anyway
	return nil
}

func write(file string, data []byte, mode string) error {
	switch mode {
	case git.ModeLink:
		return os.Symlink(string(data), file)
	case git.ModeExec:
		return os.WriteFile(file, data, 0o777)
	}
	return os.WriteFile(file, data, 0o666)
}

func removeFolders(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() {
			if err := removeFolders(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return os.Remove(dir)
}

// setMode gives a file the very mode it had.
func (m *move) setMode(p string, perm fs.FileMode) error {
	info, err := disk{m.wt.Root, map[string]bool{}}.stat(p)
	if err != nil {
		return err
	}
	if info == nil || !info.Mode().IsRegular() || info.Mode().Perm() == perm {
		return nil
	}
	if err := os.Chmod(m.full(p), perm); err != nil {
		return fmt.Errorf("restore the mode of %q: %w", p, err)
	}
	return nil
}

// throughFilters writes files whose content a filter keeps elsewhere.
func (m *move) throughFilters(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	data := m.to.index
	if m.to.snapshot {
		data = nil
	}
	x, err := m.wt.IndexFrom(data)
	if err != nil {
		return err
	}
	defer x.Close()
	if m.to.snapshot {
		if err := x.ReadTree(ctx, m.to.Commit); err != nil {
			return err
		}
	}
	return x.CheckOut(ctx, paths)
}
