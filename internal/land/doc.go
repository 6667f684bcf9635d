// Package land moves work towards main and tells when it is there: it updates a branch
// onto main, and judges by content whether a task or an interface has landed.
//
// It owns how an update is done and what counts as landed. It promises that an update is
// tried where nobody sees it, and proven; only then is it put into place, in one step that
// a killed process leaves either undone or to be finished, and a failed one changes
// nothing. It never decides what an agent is told, and never talks to the remote.
//
// Group: doing.
package land
