// Package land moves work towards main and tells when it is there: it updates a branch
// onto main, and judges by content whether a task or an interface has landed.
//
// An update is tried where nobody sees it, and proven; only then is it put into place, in
// one step that a killed process leaves either undone or to be finished. A failed one
// changes nothing. Nothing here decides what an agent is told, and nothing talks to the
// remote.
package land
