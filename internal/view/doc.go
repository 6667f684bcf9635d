// Package view is what one agent can see at one moment: its own items, the items
// of others with how alive they are, claims, needs, and predicted conflicts.
//
// It owns the View value and the pure rules for visibility. It
// promises that a View can be built from documents alone and holds no door. It
// never decides what to say: that is package rules.
//
// Group: deciding.
package view
