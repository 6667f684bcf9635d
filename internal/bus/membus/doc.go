// Package membus is a bus in memory: several machines around one remote, with
// switches for what goes wrong. Tests of the engine run on it.
//
// It owns the World and its faults. It promises what package bus promises, and
// passes the same suite as the real implementation; documents go through wire both
// ways, so what it hands out is what a peer would have read. It never starts a
// process and never touches a disk.
//
// Group: doing.
package membus
