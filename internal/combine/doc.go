// Package combine merges many branches one after the other where nobody sees it, and finds
// out which of them breaks the project's own check.
//
// It owns the order of the merges, what is left out and why, and the search for the branch
// that breaks the check. It promises that every merge that is kept was proven, that a
// branch is named only after the check passed without it and failed with it, and that
// nothing is left behind, whatever ends it: no branch, no worktree, no file of the user's
// touched. It never pushes and never moves a branch: that is for its caller.
//
// Group: doing.
package combine
