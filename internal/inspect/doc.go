// Package inspect prints what gitlet reads of a repository: the symbols and
// references of files, and the footprint of a change.
//
// It owns those two listings. It promises that they need no remote and leave nothing
// behind in the repository, and that one unreadable file is reported in its own
// line and stops nothing. It never talks to others and has no state.
//
// Group: faces.
package inspect
