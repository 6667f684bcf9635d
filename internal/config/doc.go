// Package config is gitlet's settings: what each is called, what it takes, what it
// means and what it is when nobody sets it.
//
// It owns the list of keys (each declared once, in keys.go), the reading of their
// values, the choice of the remote and of main, and docs/settings.md, which is made
// from the list. It promises that Parse always returns usable settings: a value it
// cannot use is named together with what would be right, and the default stands in.
// It never runs git or reads a file; callers hand it the values git config gave.
//
// Group: doors (the values come from one; the package itself is pure).
package config

//go:generate go run gitlet/tools/gensettings -o ../../docs/settings.md
