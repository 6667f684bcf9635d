// Package flock holds locks between processes: advisory locks of the operating
// system on files.
//
// It owns taking and letting go of them. It promises that a lock dies with its
// holder, however that ends, so there are no stale locks and no pid files. It never
// writes into the file it locks and never deletes it: deleting would let two holders
// in, one on each file.
//
// Group: doors.
package flock
