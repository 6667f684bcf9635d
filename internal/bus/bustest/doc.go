// Package bustest is the one suite that every implementation of bus.Bus passes.
//
// It owns the meaning of the promises in bus.Bus as tests: an implementation brings
// a World, which is how the suite makes machines, moves the clock and breaks the
// remote, and calls Run. It promises to test each write both ways it can fail: not
// applied, and applied with the answer lost. It never looks inside an implementation.
//
// Group: doing (tests).
package bustest
