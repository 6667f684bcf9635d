// Package ledger is what this clone remembers between calls: who serves which
// worktree, when each ref was first seen at its value, which notes were told, and
// results that are dear to compute. It is a cache in one SQLite file.
//
// It owns the file, its schema and its repair, and is the only package that speaks
// SQL. It promises that it can be deleted, cut short, overwritten or made unwritable
// at any moment, also while it is open: the next call moves what is broken aside and
// starts empty, or goes on in memory, and says so (Warnings). Every write is one
// immediate transaction, so concurrent processes wait for each other and see all of
// it or nothing. It never holds the only copy of anything that others were told: that
// stands in refs.
//
// Group: doors.
package ledger
