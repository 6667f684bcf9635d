// Package sources is where code is read from: the files of a commit, the files of a work
// tree, and both sides of what changed between two commits.
//
// It owns the size limit of such reads and the turning of git's list of changes into what
// a footprint is computed from. It promises that a file which is too large, missing or
// not a file is an answer and never an end, and that submodules are not entered. It never
// interprets what it reads and writes nothing.
//
// Group: doing.
package sources
