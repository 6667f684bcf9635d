// Package app puts gitlet together: which engine serves which directory, and what
// each command of the command line and each tool of the MCP server runs.
//
// It owns the wiring and nothing else. It promises that both faces reach the same
// verbs over the same engine. It never decides, prints or parses.
//
// Group: faces.
package app
