// Package journal writes down a step of several parts before it begins, so that after a
// kill the next call finishes or undoes it.
//
// It owns the journal's file in a folder and the lock beside it. It promises that one
// process at a time is in the step or resumes it, that a journal is there whole or not at
// all, and that looking whether there is one costs one look at a file. It never decides
// what to do with one.
//
// Group: doors.
package journal
