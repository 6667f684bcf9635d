// Package bug records broken invariants: states that gitlet's own code promises
// cannot happen.
//
// It owns the record. It promises to panic while tests run (Strict is set) and to
// go on in production, where hooks and the background tick swallow errors and this
// is the only trace; doctor lists what was recorded. It never does I/O itself: a
// sink is installed by whoever owns a door.
//
// Group: words (standard library only).
package bug
