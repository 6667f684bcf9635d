package git

import (
	"errors"
	"fmt"
	"strings"
)

// Kinds of failure that callers tell apart with errors.Is. They arrive inside an
// *Error, which says the step and what git wrote.
var (
	ErrNotRepository = errors.New("not a git repository")
	ErrNoGit         = errors.New("git is not installed or not on PATH")
	ErrDubious       = errors.New("repository is owned by someone else (safe.directory)")

	// ErrNetwork: the remote could not be reached, or did not answer within git's own
	// time. A call cut by the caller's context has that context's error instead.
	ErrNetwork = errors.New("remote unreachable")
	// ErrDenied: the remote was reached and lets this user not read or not write.
	ErrDenied = errors.New("remote denies access")
	// ErrNoRemoteRef: a ref named in a fetch does not exist on the remote.
	ErrNoRemoteRef = errors.New("remote has no such ref")
	// ErrNoRemote: no remote of that name is configured in this clone.
	ErrNoRemote = errors.New("no such remote is configured")

	ErrTimeout  = errors.New("git did not finish in time")
	ErrNotFound = errors.New("no such object or ref")

	// ErrPartial: the answer needs objects that this partial clone does not have, and a
	// background call fetches none.
	ErrPartial = errors.New("objects are missing from this partial clone")

	// ErrRefMoved: a ref is not at the value it was expected at (or exists, or does not).
	ErrRefMoved = errors.New("ref is not at the expected value")
	// ErrRefLocked: another process holds the ref's lock.
	ErrRefLocked = errors.New("ref is locked by another process")
	// ErrRefName: the name is not allowed, or cannot stand beside an existing one.
	ErrRefName = errors.New("ref name cannot be used")
	// ErrExists: a branch or ref of that name is there already.
	ErrExists = errors.New("already exists")

	// ErrNoMergeBase: unrelated histories, or a clone too shallow to tell.
	ErrNoMergeBase = errors.New("no common ancestor in this clone")
	// ErrCannotTell: git gave no answer about a merge; it is neither clean nor a conflict.
	ErrCannotTell = errors.New("the merge cannot be predicted")

	// ErrIndexLocked: the index lock stayed taken; see *LockedError for its path.
	ErrIndexLocked = errors.New("index is locked")
	// ErrOverwrite: uncommitted changes stand in the way; see *OverwriteError.
	ErrOverwrite = errors.New("uncommitted changes would be overwritten")
)

// Error is a git call that did not do what was asked.
type Error struct {
	Step   string // the git subcommand or what it was for: "fetch", "read config"
	Exit   int    // -1 when it did not end by itself
	Stderr string // bounded, as git wrote it
	Err    error  // the kind, a context's error, or the plain cause
}

func (e *Error) Error() string {
	msg := "git " + e.Step
	if e.Err != nil {
		msg += ": " + e.Err.Error()
	}
	if line := lastLines(e.Stderr, 3); line != "" {
		msg += fmt.Sprintf(": %q", line)
	}
	return msg
}

// Unwrap returns the kind.
func (e *Error) Unwrap() error { return e.Err }

// UnwritableError is a repository that this user cannot write to now, and why in words.
// Path is the file git names, "" when it names none.
type UnwritableError struct{ Why, Path string }

func (e *UnwritableError) Error() string { return "the repository cannot be written: " + e.Why }

// TooOldError is a git that lacks what was asked for.
type TooOldError struct {
	Have, Need Version
	For        string // what needs it
}

func (e *TooOldError) Error() string {
	return fmt.Sprintf("git %s is too old for %s: %s or newer is needed", e.Have, e.For, e.Need)
}

// BareError is a repository without a work tree where one was needed.
type BareError struct {
	Dir, GitDir string
	// Linked: Dir is a linked worktree, and the clone's shared configuration says
	// core.bare=true while per-worktree configuration is on, which makes git take
	// every worktree for bare.
	Linked bool
}

func (e *BareError) Error() string {
	if e.Linked {
		return fmt.Sprintf("%q is a worktree that git takes for bare: the clone's shared config has core.bare=true "+
			"together with extensions.worktreeConfig; move core.bare to the bare repository's config.worktree", e.Dir)
	}
	return fmt.Sprintf("%q is a bare repository: a work tree is needed", e.Dir)
}

// InsideGitDirError is a directory inside a repository's git directory.
type InsideGitDirError struct{ Dir, GitDir string }

func (e *InsideGitDirError) Error() string {
	return fmt.Sprintf("%q lies inside the git directory %q, not in a work tree", e.Dir, e.GitDir)
}

// ElsewhereError is a repository whose work tree lies somewhere else (core.worktree), where
// nothing leads back to the repository: git works there only when it is told each time.
type ElsewhereError struct{ Dir, GitDir, Root string }

func (e *ElsewhereError) Error() string {
	return fmt.Sprintf("core.worktree of %q names %q, where no .git leads back to it", e.GitDir, e.Root)
}

// NotTopError is a directory that merely lies inside another checkout.
type NotTopError struct{ Dir, Top string }

func (e *NotTopError) Error() string {
	return fmt.Sprintf("%q is not the top of a work tree; git reports %q", e.Dir, e.Top)
}

// LockedError names the lock file that stayed taken. It is an ErrIndexLocked.
type LockedError struct{ Path string }

func (e *LockedError) Error() string {
	return fmt.Sprintf("another git process holds %q", e.Path)
}

// Is makes it an ErrIndexLocked.
func (e *LockedError) Is(target error) bool { return target == ErrIndexLocked }

// OverwriteError lists the files whose uncommitted changes stand in the way. It is
// an ErrOverwrite.
type OverwriteError struct{ Files []string }

func (e *OverwriteError) Error() string {
	return fmt.Sprintf("uncommitted changes in %q would be overwritten", e.Files)
}

// Is makes it an ErrOverwrite.
func (e *OverwriteError) Is(target error) bool { return target == ErrOverwrite }

// lastLines returns the last n lines of s that say something, joined by "; ".
func lastLines(s string, n int) string {
	var lines []string
	for l := range strings.Lines(s) {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "hint:") {
			lines = append(lines, l)
		}
	}
	if len(lines) > n {
		lines = lines[len(lines)-n:]
	}
	return strings.Join(lines, "; ")
}
