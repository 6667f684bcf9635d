// Package proc starts child processes; no other package does.
//
// It owns how a child is started, bounded and ended. It promises that a child never
// outlives the call that waits for it by more than the grace period, that its output
// is bounded in memory, and that the three ways a call can be cut are told apart: the
// command's own timeout, the caller's context, and the child's exit status. It never
// looks at what a command means, and never inherits standard input.
//
// Group: doors.
package proc
