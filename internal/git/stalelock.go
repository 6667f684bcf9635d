package git

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// RefLockedError names the lock file of a ref that was taken. It is an ErrRefLocked.
type RefLockedError struct{ Path string }

func (e *RefLockedError) Error() string { return ErrRefLocked.Error() }

// Is makes it an ErrRefLocked.
func (e *RefLockedError) Is(target error) bool { return target == ErrRefLocked }

// lockStale is when a lock on one of gitlet's own refs counts as left by a git that was
// killed: git holds one for an instant, and whoever meets it has waited for longer than this.
const lockStale = 4 * time.Second

// maxBroken bounds how many such locks one fetch removes.
const maxBroken = 8

// breakLock removes the lock that err is about and reports whether that is worth
// another try. Only locks of gitlet's own refs in this clone are ever removed, which no
// program but gitlet's gits takes, and only old ones.
func (r *Repo) breakLock(err error) bool {
	var locked *RefLockedError
	if !errors.As(err, &locked) {
		return false
	}
	path, lerr := filepath.Abs(filepath.Join(r.CommonDir, locked.Path))
	if filepath.IsAbs(locked.Path) {
		path, lerr = filepath.Clean(locked.Path), nil
	}
	if lerr != nil || !strings.HasPrefix(path, filepath.Join(r.CommonDir, "refs", "gitlet")) || !strings.HasSuffix(path, ".lock") {
		return false
	}
	info, lerr := os.Lstat(path)
	if lerr != nil {
		return errors.Is(lerr, os.ErrNotExist) // it is gone meanwhile
	}
	return info.Mode().IsRegular() && time.Since(info.ModTime()) > lockStale && os.Remove(path) == nil
}
