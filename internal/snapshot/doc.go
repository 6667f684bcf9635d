// Package snapshot turns a work tree into a commit without touching the user's index,
// HEAD, branches or files, and says what of it may leave the machine.
//
// It owns the policy: which untracked files go along, which files never do, and which
// commits a snapshot would carry to the remote. It promises that a path that cannot
// be taken costs only itself and is named, that equal work gives the equal commit, and
// that a snapshot during which HEAD moved is thrown away. It never enters submodules,
// nested repositories or other worktrees, and never shows an edit that the user hid
// from git with skip-worktree or assume-unchanged.
//
// Group: doing.
package snapshot
