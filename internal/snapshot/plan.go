package snapshot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"gitlet/internal/git"
)

// racy is how old the newest change must be for a fingerprint to be trusted: file
// times are coarse, up to two seconds on some file systems.
const racy = 2 * time.Second

// plan is what has to happen to a copy of the index.
type plan struct {
	add         []string         // take the work tree's version
	put         []git.IndexEntry // set or remove without looking
	unmerged    map[string]git.StatusEntry
	files       []string
	skipped     []Skip
	fingerprint string
}

// planner sorts one status into a plan.
type planner struct {
	plan
	wt     *git.Worktree
	p      Policy
	nested map[string]bool // folder -> it is, or lies in, a repository of its own
	sum    hash.Hash
	newest time.Time
	links  map[string]bool // paths of real submodules; nil until asked for
	lfs    map[string]bool // paths whose content LFS keeps
	// private are staged paths that their owner keeps from git all the same, and why.
	private map[string]Reason
}

func makePlan(ctx context.Context, wt *git.Worktree, p Policy, st *git.Status) (*plan, error) {
	b := &planner{wt: wt, p: p, nested: map[string]bool{}, sum: sha256.New()}
	b.unmerged = map[string]git.StatusEntry{}
	b.note(st.Head.OID, st.Head.Branch, string(p.Untracked), fmt.Sprint(p.MaxFile), fmt.Sprintf("%q%q%q", p.Include, p.Migrations, p.Exclude))
	var err error
	if b.lfs, err = b.findLFS(ctx, st); err != nil {
		return nil, err
	}
	if b.private, err = b.findPrivate(ctx, st); err != nil {
		return nil, err
	}
	for _, e := range st.Entries {
		if err := b.tracked(ctx, e); err != nil {
			return nil, err
		}
	}
	for _, file := range st.Untracked {
		b.untracked(file)
	}
	slices.Sort(b.files)
	if !p.Now.IsZero() && b.newest.Before(p.Now.Add(-racy)) {
		b.fingerprint = hex.EncodeToString(b.sum.Sum(nil))[:32]
	}
	return &b.plan, nil
}

// tracked plans one file that git knows.
func (b *planner) tracked(ctx context.Context, e git.StatusEntry) error {
	b.note(e.Path, string([]byte{e.Index, e.Tree}), e.HeadOID, e.IndexOID, e.HeadMode, e.IndexMode)
	if e.Submodule || e.IndexMode == git.ModeGitlink {
		return b.gitlink(ctx, e)
	}
	if e.Unmerged {
		b.unmerged[e.Path] = e
	}
	info, err := b.stat(e.Path)
	reason, why := b.refuses(e.Path, info)
	if err != nil {
		reason, why = ReasonFailed, err.Error()
	}
	if reason != "" {
		b.skip(e.Path, reason, why)
		b.put = append(b.put, headEntry(e))
		return nil
	}
	switch {
	case (info == nil || info.IsDir()) && e.Tree == '.' && !e.Unmerged:
		// Not on disk and yet as the index has it: outside a sparse checkout, or hidden
		// by its owner. The copy of the index holds it already.
	case info == nil || info.IsDir():
		b.put = append(b.put, git.IndexEntry{Mode: noMode, Path: e.Path})
	case e.Unmerged || e.Tree != '.':
		b.add = append(b.add, e.Path)
	}
	b.files = append(b.files, e.Path)
	return nil
}

const noMode = "000000"

// headEntry puts HEAD's version of a path back, or nothing where HEAD has none.
func headEntry(e git.StatusEntry) git.IndexEntry {
	return git.IndexEntry{Mode: e.HeadMode, OID: e.HeadOID, Path: e.Path}
}

// gitlink plans a submodule: its commit is recorded as git add would, its files are
// never looked at. A repository that is in the index but is no submodule was caught
// by an "add everything" and stays out.
func (b *planner) gitlink(ctx context.Context, e git.StatusEntry) error {
	if e.HeadMode != git.ModeGitlink && !e.Unmerged {
		if b.links == nil {
			links, err := b.wt.Submodules(ctx)
			if err != nil {
				return err
			}
			b.links = links
		}
		if !b.links[e.Path] {
			b.skip(e.Path, ReasonNested, "a repository of its own, not a submodule")
			b.put = append(b.put, headEntry(e))
			return nil
		}
	}
	switch {
	case e.Unmerged:
		b.put = append(b.put, headEntry(e))
	case e.Tree == 'D':
		b.put = append(b.put, git.IndexEntry{Mode: noMode, Path: e.Path})
	case e.Tree != '.':
		b.add = append(b.add, e.Path)
	}
	b.newest = b.p.Now // where its HEAD stands does not show in any file time here
	b.files = append(b.files, e.Path)
	return nil
}

// untracked plans one file that git does not know.
func (b *planner) untracked(file string) {
	if dir, ok := strings.CutSuffix(file, "/"); ok {
		b.skip(dir, ReasonNested, "a repository or worktree of its own")
		return
	}
	if !b.p.TakesUntracked(file) {
		return
	}
	if b.inNested(path.Dir(file)) {
		b.skip(file, ReasonNested, "lies in a repository or worktree of its own")
		return
	}
	info, err := b.stat(file)
	if err == nil && info == nil {
		return // deleted since git listed it
	}
	reason, why := b.refuses(file, info)
	if err != nil {
		reason, why = ReasonFailed, err.Error()
	}
	if reason != "" {
		b.skip(file, reason, why)
		return
	}
	b.add = append(b.add, file)
	b.files = append(b.files, file)
}

// refuses says why a file's present state must not be taken, "" when it may. That a
// file is gone (info nil) gives nothing away.
func (b *planner) refuses(file string, info fs.FileInfo) (Reason, string) {
	switch {
	case slices.Contains(b.p.Exclude, file):
		return ReasonExcluded, "left out on purpose"
	case b.private[file] == ReasonIgnored:
		return ReasonIgnored, "git ignores it, although it is staged"
	case b.private[file] == ReasonHidden:
		return ReasonHidden, "its edits are hidden from git, although it is staged"
	case info == nil || info.IsDir():
	case Denied(file):
		return ReasonDenied, "its name is on the list of files that may hold secrets"
	case b.p.MaxFile > 0 && info.Mode().IsRegular() && info.Size() > int64(b.p.MaxFile):
		return ReasonTooLarge, fmt.Sprintf("%d bytes, over the limit of %d", info.Size(), b.p.MaxFile)
	case b.lfs[file]:
		return ReasonLFS, "stored with LFS, whose content a snapshot does not upload"
	}
	return "", ""
}

func (b *planner) skip(file string, reason Reason, why string) {
	b.skipped = append(b.skipped, Skip{Path: file, Reason: reason, Why: why})
	b.note(file, string(reason))
}

// stat looks at a file without following links; nil when it is not there, which also
// holds when a folder above it became a file.
func (b *planner) stat(file string) (fs.FileInfo, error) {
	info, err := os.Lstat(filepath.Join(b.wt.Root, filepath.FromSlash(file)))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || b.throughLink(file) {
		b.note(file, "gone")
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look at %q: %w", file, err)
	}
	if t := info.ModTime(); t.After(b.newest) {
		b.newest = t
	}
	var inode uint64
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		inode = uint64(st.Ino)
	}
	b.note(file, info.Mode().String(), fmt.Sprint(info.Size(), info.ModTime().UnixNano(), inode))
	return info, nil
}

// throughLink reports whether a folder on the way to file is a symbolic link: what it
// leads to is not at this path as far as git is concerned.
func (b *planner) throughLink(file string) bool {
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		info, err := os.Lstat(filepath.Join(b.wt.Root, filepath.FromSlash(dir)))
		if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// inNested reports whether a folder below the root is a repository of its own or lies
// in one, also one that git no longer recognizes, such as a worktree whose entry was
// pruned.
func (b *planner) inNested(dir string) bool {
	if dir == "." || dir == "/" {
		return false
	}
	if known, ok := b.nested[dir]; ok {
		return known
	}
	full := filepath.Join(b.wt.Root, filepath.FromSlash(dir))
	is := exists(full, ".git") || exists(full, "HEAD") && exists(full, "objects") && exists(full, "refs") ||
		b.inNested(path.Dir(dir))
	b.nested[dir] = is
	return is
}

func exists(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, name))
	return err == nil
}

// findPrivate finds what was staged and is kept from git all the same: a new file that
// the ignore rules name, and one marked skip-worktree or assume-unchanged. Staged content
// would go along with the copy of the index. It costs two processes where something is
// staged, none otherwise.
func (b *planner) findPrivate(ctx context.Context, st *git.Status) (map[string]Reason, error) {
	var fresh []string
	staged := false
	for _, e := range st.Entries {
		if e.Unmerged || e.Submodule || e.Index == '.' && e.HeadMode != noMode {
			continue
		}
		staged = true
		if e.HeadMode == noMode && !b.throughLink(e.Path) {
			fresh = append(fresh, e.Path)
		}
	}
	if !staged {
		return nil, nil
	}
	out := map[string]Reason{}
	ignored, err := b.wt.Ignored(ctx, fresh)
	if err != nil {
		return nil, err
	}
	for p := range ignored {
		out[p] = ReasonIgnored
	}
	hidden, err := b.wt.Hidden(ctx)
	for p := range hidden {
		out[p] = ReasonHidden
	}
	return out, err
}

// findLFS finds the paths whose content LFS keeps outside git. It costs a process only
// where LFS is set up.
func (b *planner) findLFS(ctx context.Context, st *git.Status) (map[string]bool, error) {
	var paths []string
	for _, e := range st.Entries {
		if !e.Submodule {
			paths = append(paths, e.Path)
		}
	}
	for _, f := range st.Untracked {
		if !strings.HasSuffix(f, "/") && b.p.TakesUntracked(f) {
			paths = append(paths, f)
		}
	}
	if len(paths) == 0 {
		return nil, nil
	}
	conf, err := b.wt.KnownConfig(ctx)
	if err != nil || len(conf.Keys("filter.lfs.")) == 0 {
		return nil, err
	}
	values, err := b.wt.Attribute(ctx, "filter", paths)
	if err != nil {
		return nil, err
	}
	lfs := map[string]bool{}
	for p, v := range values {
		if v == "lfs" {
			lfs[p] = true
		}
	}
	return lfs, nil
}

// note adds facts to the fingerprint.
func (b *planner) note(facts ...string) {
	for _, f := range facts {
		fmt.Fprintf(b.sum, "%d:%s;", len(f), f)
	}
}
