// Package watch shows in a terminal what all agents are doing, and keeps it up to date.
//
// It owns how that page looks and when it is drawn anew. It promises lines of the given
// width, that it says how old what it shows is, and plain text where there is no terminal.
// It never counts a note as told: whoever watches is not the agent.
//
// Group: faces.
package watch
