// Package mergedriver is what git runs to merge one file: the drivers source, lockfile and
// changelog.
//
// It owns how a driver is called and what it leaves behind. It promises that git's own
// merge comes first and stands, with its conflicts, its markers and their labels,
// wherever the other one is not certain; that the file is replaced as a whole, at the end;
// that it asks no remote of git's, opens no ledger and ends within its time. It never
// decides by itself which side of a conflict is right, and runs another program only where
// the user allowed it.
//
// Group: doing.
package mergedriver
