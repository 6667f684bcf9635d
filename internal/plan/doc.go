// Package plan says, before anything is begun, which of some tasks would get into each
// other's way, or into that of work already going on, and in which waves they could run.
//
// It owns what counts as a collision and how waves are formed. It promises the same
// answer for the same tasks in the same order, and that no two tasks of one wave collide.
// It is advice: it never keeps anybody from anything, and reads nothing itself.
//
// Group: deciding.
package plan
