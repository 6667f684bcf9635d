package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"gitlet/internal/git"
)

// TestWhereItCannotBeWritten: what is said is the smallest folder that is known to be the
// trouble: gitlet's own only while the git directory around it can be written.
func TestWhereItCannotBeWritten(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	gitDir := filepath.Join(top, ".git")
	own := filepath.Join(gitDir, "gitlet")
	linked := filepath.Join(gitDir, "worktrees", "x")
	for _, d := range []string{own, filepath.Join(linked, "gitlet")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	in := func(path string, why error) error {
		return fmt.Errorf("write it: %w", &fs.PathError{Op: "open", Path: path, Err: why})
	}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"its folder is read-only":        {in(filepath.Join(own, "ledger.db"), syscall.EROFS), own},
		"the folder itself":              {in(own, syscall.EACCES), own},
		"deep below it":                  {in(filepath.Join(own, "locks", "a", "b"), syscall.EACCES), own},
		"a linked worktree's":            {in(filepath.Join(linked, "gitlet", "agent"), syscall.EROFS), filepath.Join(linked, "gitlet")},
		"one disk, which is full":        {in(filepath.Join(own, "ledger.db"), syscall.ENOSPC), ""},
		"an object":                      {in(filepath.Join(gitDir, "objects", "ab"), syscall.EROFS), ""},
		"a name that only begins alike":  {in(filepath.Join(gitDir, "gitlet-x"), syscall.EROFS), ""},
		"a folder of that name, not its": {in(filepath.Join(top, "gitlet", "a"), syscall.EROFS), ""},
		"git, for its copy of the index": {&git.UnwritableError{Why: "it is read-only", Path: filepath.Join(own, "snap-1.index.lock")}, own},
		"git, for anything else":         {&git.UnwritableError{Why: "it is read-only"}, ""},
		"no path":                        {syscall.EROFS, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := ownFolder(errors.Join(errors.New("first"), c.err), gitDir, linked)
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
