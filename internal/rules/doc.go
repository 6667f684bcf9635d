// Package rules turns a view into notes: what this agent should hear about the others.
//
// It owns the note kinds, one file each: when a kind fires, how severe it is, why it
// matters, what its title, evidence and options say. It promises that the notes depend
// on the view alone and not on the order of anything in it, that one problem is one
// note with all its counterparts, and that nothing another agent wrote can form a line
// of its own. It never keeps state: whether a note is new, shown or resolved is
// decided by package notes. It never reads the clock or a door.
//
// Adding a kind: one file <kind>.go with one Rule value, one line in rules.go, a
// folder testdata/<kind> with a firing and a silent case, then go generate here.
//
// Group: deciding.
package rules

//go:generate go run gitlet/tools/gennotes -o ../../docs/notes.md
