package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"time"

	"gitlet/internal/git"
)

// A checkpoint is HEAD, the branch, the index and every file of the work tree that git
// would not ignore, parked as a commit. The commit is one that plain git reads: its tree
// is the work tree, its first parent HEAD, its last one a commit of the index. A parent
// of that one holds what no tree can: the index file itself, and the modes of files. It
// never leaves the machine, so the list of files that may hold secrets does not apply.

// Checkpoint is a stored checkpoint.
type Checkpoint struct {
	Ref, Slug, Commit string
	Name              string    // as it was asked for
	At                time.Time // when it was taken
	Head              git.Head
	Files             int // files that differed from HEAD
}

// SaveOptions say how to take a checkpoint.
type SaveOptions struct {
	Agent, Name string
	// Slug is where it is stored; a checkpoint that stands there is replaced.
	Slug string
	Now  time.Time
	// Also are paths that are taken when they exist, even ignored ones.
	Also []string
}

// Saved is a checkpoint just taken.
type Saved struct {
	Checkpoint
	// Nested are repositories in the tree, which are not taken.
	Nested []string
	found  *found
}

// Errors of Save beside those of git and ErrMoved. In all cases nothing was written but
// unreferenced objects.
var (
	ErrConflicted = errors.New("the index holds unresolved conflicts")
)

// OperationError: a git operation is in progress.
type OperationError struct{ Operation string }

func (e *OperationError) Error() string { return "a " + e.Operation + " is in progress" }

// SpecialError is a file that no checkpoint can hold.
type SpecialError struct{ Path, Why string }

func (e *SpecialError) Error() string { return fmt.Sprintf("%q cannot be kept: %s", e.Path, e.Why) }

// Save takes a checkpoint. Index, work tree, branches and stash stay as they are.
func Save(ctx context.Context, wt *git.Worktree, o SaveOptions) (*Saved, error) {
	for range attempts {
		s, err := save(ctx, wt, o)
		if errors.Is(err, git.ErrIndexChanged) || errors.Is(err, ErrMoved) {
			continue
		}
		return s, err
	}
	return nil, ErrMoved
}

// found is the state of the worktree as a checkpoint finds it.
type found struct {
	stamp   git.IndexStamp
	head    git.Head
	index   []byte // nil for none
	indexAt time.Time
	listed  []git.IndexListing

	take    map[string]fs.FileInfo // files whose bytes on disk go in
	gone    []string               // tracked files that are not on disk
	links   []string               // submodules that moved
	absent  map[string]bool        // tracked and not checked out
	smudged map[string]bool        // stored elsewhere by a filter: written through it
	perms   map[string]fs.FileMode // of files that differ from the index
	nested  []string
	changed int
	status  *git.Status

	beside   map[string]bool // taken only because Also names them
	intended []string        // tracked by the mere intent to add them
}

// Beside are the files that are in the checkpoint only because Also names them, sorted.
func (s *Saved) Beside() []string {
	var out []string
	for p, taken := range s.found.beside {
		if taken {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// SameStatus reports whether git sees the same state as when the checkpoint was taken.
func (s *Saved) SameStatus(now *git.Status) bool {
	return s.found != nil && reflect.DeepEqual(s.found.status, now)
}

func save(ctx context.Context, wt *git.Worktree, o SaveOptions) (*Saved, error) {
	op, err := wt.Operation(ctx)
	if err != nil {
		return nil, err
	}
	if op != "" {
		return nil, &OperationError{op}
	}
	f, copied, err := look(ctx, wt, o.Also)
	if err != nil {
		return nil, err
	}
	defer copied.Close()
	indexTree, err := copied.WriteTree(ctx)
	if err != nil {
		return nil, err
	}
	if err := f.fill(ctx, wt, copied); err != nil {
		return nil, err
	}
	tree, err := copied.WriteTree(ctx)
	if err != nil {
		return nil, err
	}
	c := Checkpoint{Ref: CheckpointRef(o.Agent, o.Slug), Slug: o.Slug, Name: o.Name, At: o.Now, Head: f.head, Files: f.changed}
	if c.Commit, err = f.commit(ctx, wt, c, tree, indexTree); err != nil {
		return nil, err
	}
	// What was read belongs together only where nothing moved meanwhile.
	now, err := wt.IndexStamp()
	if err != nil {
		return nil, err
	}
	head, err := wt.Head(ctx)
	if err != nil {
		return nil, err
	}
	if !now.Same(f.stamp) || head != f.head {
		return nil, ErrMoved
	}
	if err := wt.Apply(ctx, git.Set(c.Ref, c.Commit)); err != nil {
		return nil, err
	}
	return &Saved{Checkpoint: c, Nested: f.nested, found: f}, nil
}

// look reads how the worktree stands; the copy of the index it returns must be closed.
func look(ctx context.Context, wt *git.Worktree, also []string) (f *found, copied *git.Index, err error) {
	f = &found{take: map[string]fs.FileInfo{}, absent: map[string]bool{}, smudged: map[string]bool{}, perms: map[string]fs.FileMode{}, beside: map[string]bool{}}
	if f.stamp, err = wt.IndexStamp(); err != nil {
		return nil, nil, err
	}
	st, err := wt.Status(ctx, git.UntrackedAll)
	if err != nil {
		return nil, nil, err
	}
	f.head, f.status = st.Head, st
	if copied, err = wt.CopyIndex(f.stamp); err != nil {
		return nil, nil, err
	}
	if f.index, f.indexAt, err = copied.Bytes(ctx); err == nil && f.index != nil {
		f.listed, err = copied.List(ctx)
	}
	if err == nil {
		err = f.sort(ctx, wt, st, also)
	}
	if err != nil {
		copied.Close()
		return nil, nil, err
	}
	return f, copied, nil
}

// sort decides about every path.
func (f *found) sort(ctx context.Context, wt *git.Worktree, st *git.Status, also []string) error {
	d := disk{wt.Root, map[string]bool{}}
	for _, e := range st.Entries {
		if e.Unmerged {
			return ErrConflicted
		}
		f.changed++
		if e.Index == '.' && e.Tree == 'A' {
			f.intended = append(f.intended, e.Path)
		}
		switch {
		case e.Submodule || e.IndexMode == git.ModeGitlink:
			if e.Tree == 'D' {
				f.gone = append(f.gone, e.Path)
			} else if e.Tree != '.' {
				f.links = append(f.links, e.Path)
			}
		case e.Tree != '.':
			if err := f.one(d, e.Path, true); err != nil {
				return err
			}
		}
	}
	for _, p := range st.Untracked {
		if dir, ok := strings.CutSuffix(p, "/"); ok {
			f.nested = append(f.nested, dir)
			continue
		}
		f.changed++
		if err := f.one(d, p, false); err != nil {
			return err
		}
	}
	known := map[string]bool{}
	var plain []git.IndexListing
	for _, e := range f.listed {
		known[e.Path] = true
		switch {
		case e.Mode == git.ModeGitlink || f.take[e.Path] != nil:
		case e.SkipWorktree || e.AssumeUnchanged:
			if err := f.hidden(d, e); err != nil {
				return err
			}
		case e.Mode != git.ModeLink:
			plain = append(plain, e)
		}
	}
	for _, p := range also {
		if info, err := d.stat(p); !known[p] && f.take[p] == nil && err == nil && info != nil && !info.IsDir() {
			if err := f.one(d, p, false); err != nil {
				return err
			}
			f.beside[p] = f.take[p] != nil
		}
	}
	return f.converted(ctx, wt, st, plain, d)
}

// one takes a file as it is on disk, or notes that a tracked one is gone.
func (f *found) one(d disk, p string, tracked bool) error {
	info, err := d.stat(p)
	switch {
	case err != nil:
		return err
	case (info == nil || info.IsDir()) && tracked:
		f.gone = append(f.gone, p)
	case info == nil || info.IsDir():
	case !info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0:
		return &SpecialError{Path: p, Why: "it is neither a file nor a link"}
	default:
		f.take[p] = info
		if info.Mode().IsRegular() {
			f.perms[p] = info.Mode().Perm()
		}
	}
	return nil
}

// hidden looks at a file that git was told not to look at.
func (f *found) hidden(d disk, e git.IndexListing) error {
	info, err := d.stat(e.Path)
	if err != nil {
		return err
	}
	if info == nil || info.IsDir() {
		f.absent[e.Path] = true
		return nil
	}
	return f.one(d, e.Path, true)
}

// converted adds files whose bytes on disk may differ from what git stores although git
// sees no difference: line ends, filters, keywords, and rules for them that changed since
// git looked. Where nothing is configured, a file of the blob's size is taken for equal.
func (f *found) converted(ctx context.Context, wt *git.Worktree, st *git.Status, plain []git.IndexListing, d disk) error {
	conf, err := wt.KnownConfig(ctx)
	if err != nil {
		return err
	}
	if len(conf.Keys("filter.lfs.")) > 0 {
		if plain, err = f.filtered(ctx, wt, plain); err != nil {
			return err
		}
	}
	all := converts(conf, wt, f.listed, st.Untracked)
	var blobs []git.ObjectInfo
	if !all {
		oids := make([]string, len(plain))
		for i, e := range plain {
			oids[i] = e.OID
		}
		if blobs, err = wt.Objects(ctx, oids...); err != nil {
			return err
		}
	}
	for i, e := range plain {
		info, err := d.stat(e.Path)
		if err != nil {
			return err
		}
		if info == nil || !info.Mode().IsRegular() {
			continue
		}
		if all || blobs[i].OID != "" && blobs[i].Size != info.Size() {
			f.take[e.Path] = info
		}
		switch perm := info.Mode().Perm(); perm {
		case 0o644, 0o755, 0o664, 0o775: // what git makes of its two modes
		default:
			f.perms[e.Path] = perm
		}
	}
	return nil
}

// filtered leaves out files whose content a filter keeps elsewhere.
func (f *found) filtered(ctx context.Context, wt *git.Worktree, plain []git.IndexListing) ([]git.IndexListing, error) {
	paths := make([]string, len(plain))
	for i, e := range plain {
		paths[i] = e.Path
	}
	attrs, err := wt.Attribute(ctx, "filter", paths)
	if err != nil {
		return nil, err
	}
	kept := plain[:0:0]
	for _, e := range plain {
		if attrs[e.Path] == "lfs" {
			f.smudged[e.Path] = true
		} else {
			kept = append(kept, e)
		}
	}
	return kept, nil
}

// converts reports whether git may change bytes between disk and index here.
func converts(conf *git.Config, wt *git.Worktree, listed []git.IndexListing, untracked []string) bool {
	if v, ok := conf.Get("core.autocrlf"); ok && !strings.EqualFold(v, "false") {
		return true
	}
	attributes := func(p string) bool { return path.Base(p) == ".gitattributes" }
	if slices.ContainsFunc(listed, func(e git.IndexListing) bool { return attributes(e.Path) }) || slices.ContainsFunc(untracked, attributes) {
		return true
	}
	files := []string{filepath.Join(wt.CommonDir, "info", "attributes"), filepath.Join(wt.Root, ".gitattributes"), "/etc/gitattributes"}
	if v, ok := conf.Get("core.attributesFile"); ok {
		if v != "" && v != os.DevNull {
			return true // it may be spelled with ~
		}
	} else if dir, err := os.UserConfigDir(); err == nil {
		files = append(files, filepath.Join(dir, "git", "attributes"))
	}
	return slices.ContainsFunc(files, func(p string) bool { _, err := os.Stat(p); return err == nil })
}

// fill turns the copy of the index into the work tree, and stores what that needs.
func (f *found) fill(ctx context.Context, wt *git.Worktree, x *git.Index) error {
	var files []string
	var targets [][]byte
	var put []git.IndexEntry
	for _, p := range sortedKeys(f.take) {
		if f.take[p].Mode().IsRegular() {
			files = append(files, p)
			continue
		}
		target, err := os.Readlink(filepath.Join(wt.Root, filepath.FromSlash(p)))
		if err != nil {
			return fmt.Errorf("%w: %w", ErrMoved, err)
		}
		targets = append(targets, []byte(target))
		put = append(put, git.IndexEntry{Mode: git.ModeLink, OID: wt.BlobID([]byte(target)), Path: p})
	}
	oids, err := wt.HashFiles(ctx, git.StoreRaw, files)
	if err != nil {
		if slices.ContainsFunc(files, func(p string) bool { return !stillFile(wt, p) }) {
			err = fmt.Errorf("%w: %w", ErrMoved, err)
		}
		return err
	}
	for i, p := range files {
		mode := git.ModeFile
		if f.take[p].Mode().Perm()&0o100 != 0 {
			mode = git.ModeExec
		}
		put = append(put, git.IndexEntry{Mode: mode, OID: oids[i], Path: p})
	}
	if _, err := wt.StoreBlobs(ctx, targets); err != nil {
		return err
	}
	for _, p := range f.gone {
		put = append(put, git.IndexEntry{Mode: noMode, Path: p})
	}
	// What goes away makes room for what comes: a file where a folder was.
	slices.SortStableFunc(put, func(a, b git.IndexEntry) int {
		return boolOrder(a.Mode == noMode, b.Mode == noMode)
	})
	if err := x.Put(ctx, put); err != nil {
		return err
	}
	return x.Add(ctx, f.links)
}

func boolOrder(a, b bool) int {
	switch {
	case a && !b:
		return -1
	case b && !a:
		return 1
	}
	return 0
}

// disk looks at files of the work tree.
type disk struct {
	root  string
	known map[string]bool // folders that are folders, not links
}

// stat looks at a file without following links on the way to it; nil when it is not
// there.
func (d disk) stat(p string) (fs.FileInfo, error) {
	if !d.folder(path.Dir(p)) {
		return nil, nil
	}
	info, err := os.Lstat(d.path(p))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look at %q: %w", p, err)
	}
	return info, nil
}

func (d disk) path(p string) string { return filepath.Join(d.root, filepath.FromSlash(p)) }

// folder reports that dir and all above it are real folders.
func (d disk) folder(dir string) bool {
	if dir == "." {
		return true
	}
	if is, ok := d.known[dir]; ok {
		return is
	}
	is := d.folder(path.Dir(dir))
	if is {
		info, err := os.Lstat(d.path(dir))
		is = err == nil && info.IsDir()
	}
	d.known[dir] = is
	return is
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
