package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// IndexLock is git's own lock on the index, held with the content that is to become the
// index. While it is held no git command changes the index.
type IndexLock struct {
	wt   *Worktree
	none bool // the index is to be no file at all
}

func (w *Worktree) lockPath() string { return w.indexPath() + ".lock" }

// LockIndex takes the lock and writes data, the index to be; nil for none. Errors:
// *LockedError when another process keeps it.
func (w *Worktree) LockIndex(ctx context.Context, data []byte) (*IndexLock, error) {
	for i := 0; ; i++ {
		f, err := os.OpenFile(w.lockPath(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			_, err = f.Write(data)
			err = errors.Join(err, f.Sync(), f.Close())
			l := &IndexLock{wt: w, none: data == nil}
			if err != nil {
				return nil, errors.Join(fmt.Errorf("write the index: %w", err), l.Abort())
			}
			return l, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("lock the index: %w", err)
		}
		if i >= len(lockWaits) {
			return nil, &LockedError{Path: w.lockPath()}
		}
		pause := time.NewTimer(lockWaits[i])
		select {
		case <-ctx.Done():
			pause.Stop()
			return nil, &LockedError{Path: w.lockPath()}
		case <-pause.C:
		}
	}
}

// AdoptIndexLock returns the lock that a killed process of ours left behind with this
// content; nil when there is none, or it is another's.
func (w *Worktree) AdoptIndexLock(data []byte) (*IndexLock, error) {
	have, err := os.ReadFile(w.lockPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the index lock: %w", err)
	}
	// A write that was cut short left the beginning of it.
	if !bytes.HasPrefix(data, have) {
		return nil, nil
	}
	if err := os.Remove(w.lockPath()); err != nil {
		return nil, fmt.Errorf("take over the index lock: %w", err)
	}
	return w.LockIndex(context.Background(), data)
}

// Commit makes the content the index, with this time, and lets go of the lock.
func (l *IndexLock) Commit(at time.Time) error {
	if l.none {
		if err := os.Remove(l.wt.indexPath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove the index: %w", err)
		}
		return l.Abort()
	}
	// The time tells git which files may have changed in the same instant.
	if err := os.Chtimes(l.wt.lockPath(), time.Time{}, at); err != nil {
		return fmt.Errorf("write the index: %w", err)
	}
	if err := os.Rename(l.wt.lockPath(), l.wt.indexPath()); err != nil {
		return fmt.Errorf("write the index: %w", err)
	}
	return nil
}

// Abort lets go of the lock; the index stays as it is.
func (l *IndexLock) Abort() error {
	if err := os.Remove(l.wt.lockPath()); err != nil {
		return fmt.Errorf("let go of the index lock: %w", err)
	}
	return nil
}

// IndexIs reports whether the user's index file holds exactly these bytes; nil is no file.
func (w *Worktree) IndexIs(data []byte) (bool, error) {
	have, err := os.ReadFile(w.indexPath())
	if errors.Is(err, fs.ErrNotExist) {
		return data == nil, nil
	}
	if err != nil {
		return false, fmt.Errorf("read the index: %w", err)
	}
	return data != nil && bytes.Equal(have, data), nil
}

// MoveHead puts HEAD and the branch it is on to where they were: to.Branch at to.OID, or
// detached there. A branch that had no commits loses those it has now. The work tree and
// the index are not looked at. why goes into the reflog. Errors: ErrRefName when the
// branch cannot stand beside another one.
func (w *Worktree) MoveHead(ctx context.Context, to Head, why string) error {
	if to.Branch == "" {
		_, err := w.run(ctx, call{step: "move HEAD", class: localWrite, userHooks: true,
			args: []string{"update-ref", "--no-deref", "-m", why, "HEAD", to.OID}})
		return err
	}
	ref := "refs/heads/" + to.Branch
	args := []string{"update-ref", "-m", why, ref, to.OID}
	if to.OID == "" {
		args = []string{"update-ref", "-m", why, "-d", ref}
	}
	if _, err := w.run(ctx, call{step: "move branch", class: localWrite, userHooks: true, args: args}); err != nil {
		return err
	}
	_, err := w.run(ctx, call{step: "move HEAD", class: localWrite,
		args: []string{"symbolic-ref", "-m", why, "HEAD", ref}})
	return err
}

// OwnDir is the folder in the worktree's git directory where gitlet keeps what concerns
// this worktree alone.
func (w *Worktree) OwnDir() string { return filepath.Join(w.GitDir, "gitlet") }
