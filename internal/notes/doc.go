// Package notes is the life of a note on this machine: produced, shown, resolved,
// dismissed, and when it is told again.
//
// It owns the lifecycle and the order of notes. It promises that a note is shown
// again on a channel only when its material facts changed or after its resolution
// was announced, that a resolution is announced once and only for a note that had
// been shown, and that no note the rules produce is lost. Its functions take and
// return slices and change neither their arguments nor anything else. It never
// decides what is a problem (package rules) and never stores anything (package ledger).
//
// Group: deciding.
package notes
