// Package gittest builds git repositories for tests and checks what git was asked.
//
// It owns fixtures (repositories from small builders or txtar archives, with fixed
// authors and dates), the sealed environment they run in, and the checker that reads
// git's own event trace. It promises that nothing it starts reads the user's or the
// system's configuration. It never runs outside tests.
//
// Group: doors, for tests.
package gittest
