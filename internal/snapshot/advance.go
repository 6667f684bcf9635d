package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gitlet/internal/git"
)

// Work is what a checkpoint found, in the form git commits it: through the filters, and
// without what lies in the work tree ignored.
type Work struct {
	Staged string // the tree of the index
	Tree   string // the tree of the work tree
}

// Work stores the trees of the work that was found.
func (s *Saved) Work(ctx context.Context, wt *git.Worktree) (Work, error) {
	x, err := wt.IndexFrom(s.found.index)
	if err != nil {
		return Work{}, err
	}
	defer x.Close()
	var w Work
	if w.Staged, err = x.WriteTree(ctx); err != nil {
		return Work{}, err
	}
	var gone []git.IndexEntry
	for _, p := range s.found.gone {
		gone = append(gone, git.IndexEntry{Mode: noMode, Path: p})
	}
	var add []string
	for _, p := range sortedKeys(s.found.take) {
		if !s.found.beside[p] {
			add = append(add, p)
		}
	}
	if err := x.Put(ctx, gone); err != nil {
		return Work{}, err
	}
	if err := x.Add(ctx, append(add, s.found.links...)); err != nil {
		return Work{}, err
	}
	w.Tree, err = x.WriteTree(ctx)
	return w, err
}

// HiddenError: a file that git was told not to look at would have to change.
type HiddenError struct {
	Path string
	// Skip and Assume are the marks that hide it: skip-worktree, assume-unchanged.
	Skip, Assume bool
}

func (e *HiddenError) Error() string {
	return fmt.Sprintf("%q was hidden from git (skip-worktree or assume-unchanged) and would have to change", e.Path)
}

// Advance is where a worktree is to go with its uncommitted work.
type Advance struct {
	From Work     // what was found
	Head git.Head // where HEAD and the branch go
	To   Work     // what is staged and what lies in the work tree then
	Why  string   // for the reflog
}

// Advance moves the worktree from the state of the checkpoint: HEAD, the branch, the index
// and those files that differ; no other file is touched. Work that was not staged is not
// staged after it. Where it returns an error, all is as it was; a process that is killed
// leaves a journal, and Resume finishes. Errors beside those of Restore: ErrMoved when
// anything changed since the checkpoint, *HiddenError, *InTheWayError.
func (s *Saved) Advance(ctx context.Context, wt *git.Worktree, o SaveOptions, a Advance) (*Restored, error) {
	unlock, err := journalOf(wt).Lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	ctx = context.WithoutCancel(ctx)
	cat := wt.NewCatFile(ctx)
	defer cat.Close()
	commit, err := s.target(ctx, wt, a)
	if err != nil {
		return nil, err
	}
	to, err := load(cat, commit)
	if err != nil {
		return nil, err
	}
	now, err := Save(ctx, wt, o)
	if err != nil {
		return nil, err
	}
	trees, err := wt.Resolve(ctx, s.Commit+"^{tree}", now.Commit+"^{tree}")
	if err != nil {
		return nil, err
	}
	if trees[0] != trees[1] || now.Head != s.Head || !now.found.stamp.Same(s.found.stamp) {
		return nil, ErrMoved
	}
	return restore(ctx, wt, cat, to, now, RestoreOptions{Agent: o.Agent, Now: o.Now, Why: a.Why})
}

// target stores the state to come as a checkpoint of its own.
func (s *Saved) target(ctx context.Context, wt *git.Worktree, a Advance) (string, error) {
	f := &found{head: a.Head, indexAt: s.found.indexAt, absent: map[string]bool{}, smudged: map[string]bool{},
		perms: map[string]fs.FileMode{}, changed: s.found.changed}
	x, err := s.advanceIndex(ctx, wt, a)
	if err != nil {
		return "", err
	}
	defer x.Close()
	if f.index, _, err = x.Bytes(ctx); err != nil {
		return "", err
	}
	if f.listed, err = x.List(ctx); err != nil {
		return "", err
	}
	changes, err := wt.DiffTrees(ctx, a.From.Tree, a.To.Tree)
	if err != nil {
		return "", err
	}
	if err := s.notHidden(changes); err != nil {
		return "", err
	}
	if err := s.notUnkept(wt.Root, changes); err != nil {
		return "", err
	}
	tree, err := s.advanceTree(ctx, wt, f, a, changes)
	if err != nil {
		return "", err
	}
	changed := map[string]string{}
	for _, c := range changes {
		changed[c.OldPath] = ""
		if c.Status != 'D' {
			changed[c.Path] = c.NewMode
		}
	}
	for p, perm := range s.found.perms {
		mode, is := changed[p]
		if !is || mode != "" && !usual(perm) && (mode == git.ModeExec) == (perm&0o100 != 0) {
			f.perms[p] = perm
		}
	}
	d := disk{wt.Root, map[string]bool{}}
	for _, e := range f.listed {
		if info, err := d.stat(e.Path); e.SkipWorktree && err == nil && info == nil {
			f.absent[e.Path] = true
		}
	}
	return f.commit(ctx, wt, Checkpoint{Slug: "update", Name: "update", At: s.At, Head: a.Head}, tree, a.To.Staged)
}

// usual are the modes that git itself gives files.
func usual(perm fs.FileMode) bool {
	return perm == 0o644 || perm == 0o755 || perm == 0o664 || perm == 0o775
}

// advanceIndex makes the index to come out of the one that was found, so that what git
// knows of the files that stay, and which are not checked out, is kept.
func (s *Saved) advanceIndex(ctx context.Context, wt *git.Worktree, a Advance) (*git.Index, error) {
	x, err := wt.IndexFrom(s.found.index)
	if err != nil {
		return nil, err
	}
	err = func() error {
		if err := s.unstage(ctx, wt, x, a); err != nil {
			return err
		}
		if err := x.ReadTreeOver(ctx, s.Head.OID, a.Head.OID); err != nil {
			return err
		}
		staged, err := wt.DiffTrees(ctx, a.Head.OID, a.To.Staged)
		if err != nil {
			return err
		}
		if err := x.Put(ctx, entries(staged)); err != nil {
			return err
		}
		tree, err := x.WriteTree(ctx)
		if err == nil && tree != a.To.Staged {
			err = fmt.Errorf("write the index to come: it holds %s, not %s", tree, a.To.Staged)
		}
		return err
	}()
	if err != nil {
		x.Close()
		return nil, err
	}
	return x, nil
}

// unstage puts what is staged back to HEAD, and takes out the mere intent to add a file
// that is there in the end.
func (s *Saved) unstage(ctx context.Context, wt *git.Worktree, x *git.Index, a Advance) error {
	back, err := wt.DiffTrees(ctx, a.From.Staged, s.Head.OID)
	if err != nil {
		return err
	}
	put := entries(back)
	if len(s.found.intended) > 0 {
		files, err := wt.Tree(ctx, a.Head.OID, s.found.intended...)
		if err != nil {
			return err
		}
		for _, f := range files {
			put = append(put, git.IndexEntry{Mode: noMode, Path: f.Path})
		}
	}
	return x.Put(ctx, put)
}

// entries spells changes for an index; what goes away makes room first.
func entries(changes []git.Change) []git.IndexEntry {
	var gone, put []git.IndexEntry
	for _, c := range changes {
		if c.Status == 'D' || c.Status == 'R' {
			gone = append(gone, git.IndexEntry{Mode: noMode, Path: c.OldPath})
		}
		if c.Status != 'D' {
			put = append(put, git.IndexEntry{Mode: c.NewMode, OID: c.NewOID, Path: c.Path})
		}
	}
	return append(gone, put...)
}

// notUnkept makes sure that no file comes where one lies that is ignored: nothing keeps
// that one. A file that only changes the case of its name meets itself where names are
// looked up without case.
func (s *Saved) notUnkept(root string, changes []git.Change) error {
	d := disk{root, map[string]bool{}}
	for _, c := range changes {
		if c.Status != 'A' && c.Status != 'R' && c.Status != 'C' || c.NewMode == git.ModeGitlink || s.found.take[c.Path] != nil {
			continue
		}
		info, err := d.stat(c.Path)
		if err != nil {
			return err
		}
		if info != nil && !info.IsDir() && !slices.ContainsFunc(changes, func(o git.Change) bool {
			return (o.Status == 'D' || o.Status == 'R') && strings.EqualFold(o.OldPath, c.Path)
		}) {
			return &InTheWayError{Path: c.Path, For: c.Path}
		}
	}
	return nil
}

// notHidden makes sure that no file changes which lies on disk unseen by git.
func (s *Saved) notHidden(changes []git.Change) error {
	var paths []string
	for _, c := range changes {
		paths = append(paths, c.OldPath, c.Path)
	}
	return s.Hidden(paths)
}

// Hidden returns a *HiddenError for the first of the files that lies on disk unseen by git.
func (s *Saved) Hidden(paths []string) error {
	for _, e := range s.found.listed {
		if (e.SkipWorktree || e.AssumeUnchanged) && s.found.take[e.Path] != nil && slices.Contains(paths, e.Path) {
			return &HiddenError{Path: e.Path, Skip: e.SkipWorktree, Assume: e.AssumeUnchanged}
		}
	}
	return nil
}

// advanceTree is the work tree to come as it lies on disk: files that do not change keep
// the bytes they have. Of those that change, what equals the index is left to git to write;
// the others are written aside here, through the filters, and read back.
func (s *Saved) advanceTree(ctx context.Context, wt *git.Worktree, f *found, a Advance, changes []git.Change) (string, error) {
	y, err := wt.IndexFrom(nil)
	if err != nil {
		return "", err
	}
	defer y.Close()
	if err := y.ReadTree(ctx, s.Commit); err != nil {
		return "", err
	}
	put := entries(changes)
	unstaged, err := wt.DiffTrees(ctx, a.To.Staged, a.To.Tree)
	if err != nil {
		return "", err
	}
	loose := map[string]bool{}
	for _, c := range unstaged {
		loose[c.Path] = c.Status != 'D'
	}
	var aside []string
	at := map[string]int{}
	for i, e := range put {
		switch {
		case e.Mode == noMode || e.Mode == git.ModeGitlink:
		case !loose[e.Path]:
			f.smudged[e.Path] = true
		case e.Mode != git.ModeLink:
			aside = append(aside, e.Path)
			at[e.Path] = i
		}
	}
	oids, err := rawOf(ctx, wt, a.To.Tree, aside)
	if err != nil {
		return "", err
	}
	for i, p := range aside {
		put[at[p]].OID = oids[i]
	}
	if err := y.Put(ctx, put); err != nil {
		return "", err
	}
	return y.WriteTree(ctx)
}

// rawOf stores the files of a tree as they would lie on disk.
func rawOf(ctx context.Context, wt *git.Worktree, tree string, paths []string) (oids []string, err error) {
	if len(paths) == 0 {
		return nil, nil
	}
	x, err := wt.IndexFrom(nil)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	if err := x.ReadTree(ctx, tree); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(wt.OwnDir(), "scratch-files-")
	if err != nil {
		return nil, fmt.Errorf("make a scratch folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := x.CheckOutTo(ctx, dir, paths); err != nil {
		return nil, err
	}
	blobs := make([][]byte, len(paths))
	for i, p := range paths {
		if blobs[i], err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(p))); err != nil {
			return nil, fmt.Errorf("read %q: %w", strings.ToValidUTF8(p, "?"), err)
		}
	}
	return wt.StoreBlobs(ctx, blobs)
}
