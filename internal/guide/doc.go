// Package guide holds what agents are told about working with gitlet, written once.
//
// It owns guide.md and its filtering: every place that instructs agents takes the
// text from here. It promises to name no verb that is not available: a line that
// mentions one is left out. It never formats for one client.
//
// Group: words (standard library only).
package guide
