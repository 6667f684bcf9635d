// Package git is typed git: every git process of the program is started here.
//
// It owns the command line of each call and the reading of what git answers. One
// constructor (run.go) decides the policy of every process: locale, prompts, locks,
// inherited variables, signing, hooks, deadlines, captured error output. No command
// line leaves the package, and output is read in machine formats with NUL separators.
//
// Three types keep apart what a caller may do. A Repo is the shared part of a clone:
// objects, refs, configuration. A Worktree adds the root, the index and HEAD. A
// Remote is the only road to the network.
//
// Handles are quiet unless asked otherwise: Open returns a background handle, whose
// calls take no optional locks, ask nobody for a password and fetch no missing
// objects. Foreground returns a handle for work that a person or an agent waits for;
// it may use the user's askpass program and fetch missing objects of a partial clone.
// The default is the side that cannot hurt when forgotten.
//
// It promises typed errors (errors.go) and that the end of a caller's context is
// told apart from a network that does not answer. It never touches the user's index,
// HEAD, branches or remote-tracking refs except in the methods that say so.
//
// Group: doors.
package git
