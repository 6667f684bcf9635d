package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"gitlet/internal/git"
)

// Reason says why a path is not in a snapshot as the work tree has it.
type Reason string

// The reasons. In all cases HEAD's version stands in, where there is one.
const (
	ReasonDenied   Reason = "denied"   // its name is on the deny list
	ReasonTooLarge Reason = "large"    // over the size limit
	ReasonNested   Reason = "nested"   // a nested repository or another worktree
	ReasonLFS      Reason = "lfs"      // its content is stored beside git and would have to be uploaded
	ReasonExcluded Reason = "excluded" // the policy says so
	ReasonIgnored  Reason = "ignored"  // staged, and named by the ignore rules
	ReasonHidden   Reason = "hidden"   // staged, and marked skip-worktree or assume-unchanged
	ReasonFailed   Reason = "failed"   // git could not add it
)

// Skip is one path that was left out, and why in words.
type Skip struct {
	Path   string
	Reason Reason
	Why    string
}

// Result is a snapshot.
type Result struct {
	Commit string // HEAD when Clean; "" when clean without any commit yet
	Tree   string // "" when no tree had to be built
	Parent string // HEAD when it was taken, "" on a branch without commits
	Head   git.Head
	Clean  bool     // nothing differs from HEAD that a snapshot takes
	Same   bool     // it is the previous snapshot again
	Files  []string // paths that may differ from HEAD, in order; deletions included
	// Skipped paths would have been taken but for a reason.
	Skipped []Skip
	// Fingerprint stands for the state of the work tree; pass it back in Prev. It is ""
	// when a file changed so recently that its next change might not show.
	Fingerprint string
}

// ErrMoved: HEAD or the index kept changing while the snapshot was made. Nothing was
// kept; the next one will do.
var ErrMoved = errors.New("HEAD or the index moved while the snapshot was made")

// leftover is the age at which a temporary file can only be of a crashed process.
const leftover = time.Hour

// attempts bounds how often a moving repository is tried.
const attempts = 3

// busyFor is how long a git that writes the index is waited for: most are done long
// before. One that takes longer holds it for a hook or an editor, or has a large tree
// to write, and must not keep everybody from seeing the work.
const busyFor = time.Second / 2

// Take makes a snapshot of the work tree. What a snapshot leaves behind when it is
// cut short is unreferenced objects and a copy of the index that Sweep removes.
func Take(ctx context.Context, wt *git.Worktree, p Policy) (*Result, error) {
	wt = wt.Background()
	for n := range attempts {
		settled := wt.WaitIndex(ctx, busyFor)
		r, err := take(ctx, wt, p, settled && n < attempts-1)
		if errors.Is(err, git.ErrIndexChanged) || errors.Is(err, ErrMoved) {
			continue
		}
		return r, err
	}
	return nil, ErrMoved
}

// take makes one attempt. When settled is wanted, a git that wrote the index or began to
// while the tree was read ends it: a switch or a reset may have been caught halfway, with
// some of its files written and others not.
func take(ctx context.Context, wt *git.Worktree, p Policy, settled bool) (*Result, error) {
	stamp, err := wt.IndexStamp()
	if err != nil {
		return nil, err
	}
	untracked := git.UntrackedAll
	if p.Untracked == "none" {
		untracked = git.UntrackedNone
	}
	st, err := wt.Status(ctx, untracked)
	if err != nil {
		return nil, err
	}
	pl, err := makePlan(ctx, wt, p, st)
	if err != nil {
		return nil, err
	}
	r := &Result{Parent: st.Head.OID, Head: st.Head, Files: pl.files, Skipped: pl.skipped, Fingerprint: pl.fingerprint}
	if len(pl.files) == 0 {
		r.Clean, r.Commit = true, st.Head.OID
		return r, nil
	}
	if p.Prev != nil && r.Fingerprint != "" && r.Fingerprint == p.Prev.Fingerprint {
		r.Same, r.Commit = true, p.Prev.Commit
		return r, nil
	}
	if !p.Now.IsZero() {
		if err := wt.Sweep(p.Now.Add(-leftover)); err != nil {
			return nil, fmt.Errorf("remove what an earlier snapshot left: %w", err)
		}
	}
	if err := build(ctx, wt, stamp, pl, r); err != nil {
		return nil, err
	}
	if settled {
		for _, s := range r.Skipped {
			if s.Reason == ReasonFailed && !stillFile(wt, s.Path) {
				return nil, ErrMoved // it was replaced while the tree was read
			}
		}
		now, err := wt.IndexStamp()
		if err != nil {
			return nil, err
		}
		if !now.Same(stamp) || wt.IndexBusy() {
			return nil, ErrMoved
		}
	}
	return r, finish(ctx, wt, p, r)
}

// stillFile reports whether a path is what git lists as a file: a regular file, a link, or
// a folder that is a repository of its own.
func stillFile(wt *git.Worktree, path string) bool {
	full := filepath.Join(wt.Root, filepath.FromSlash(path))
	fi, err := os.Lstat(full)
	if err != nil || !fi.IsDir() {
		return !errors.Is(err, fs.ErrNotExist)
	}
	_, err = os.Lstat(filepath.Join(full, ".git"))
	return err == nil
}

// build makes the tree in a copy of the index.
func build(ctx context.Context, wt *git.Worktree, stamp git.IndexStamp, pl *plan, r *Result) error {
	index, err := wt.CopyIndex(stamp)
	if err != nil {
		return err
	}
	defer index.Close()
	if err := index.Put(ctx, pl.put); err != nil {
		return err
	}
	refused, err := index.AddEach(ctx, pl.add)
	if err != nil {
		return err
	}
	var restore []git.IndexEntry
	for _, ref := range refused {
		r.Skipped = append(r.Skipped, Skip{Path: ref.Path, Reason: ReasonFailed, Why: ref.Why})
		if e, ok := pl.unmerged[ref.Path]; ok {
			restore = append(restore, headEntry(e)) // else no tree can be written
		}
	}
	if err := index.Put(ctx, restore); err != nil {
		return err
	}
	if len(refused) > 0 {
		r.Fingerprint = "" // it may be possible next time
	}
	r.Tree, err = index.WriteTree(ctx)
	return err
}

// finish turns the tree into a commit, unless there is one that says the same.
func finish(ctx context.Context, wt *git.Worktree, p Policy, r *Result) error {
	names := []string{"HEAD^{commit}", "HEAD^{tree}"}
	if p.Prev != nil && p.Prev.Commit != "" {
		names = append(names, p.Prev.Commit+"^{tree}", p.Prev.Commit+"^1")
	}
	oids, err := wt.Resolve(ctx, names...)
	if err != nil {
		return err
	}
	if oids[0] != r.Parent {
		return ErrMoved
	}
	headTree := oids[1]
	if headTree == "" {
		headTree = wt.EmptyTree()
	}
	if r.Tree == headTree {
		r.Clean, r.Commit = true, r.Parent
		return nil
	}
	if len(oids) == 4 && oids[2] == r.Tree && oids[3] == r.Parent {
		r.Same, r.Commit = true, p.Prev.Commit
		return nil
	}
	var parents []string
	if r.Parent != "" {
		parents = []string{r.Parent}
	}
	if r.Commit, err = wt.CommitTree(ctx, r.Tree, parents, Message); err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	return nil
}

// Message is the message of every snapshot commit.
const Message = "gitlet: snapshot"
