// Package wiretest holds the gate for documents to its promise, from outside: a checker
// of what came through, and a maker of documents that should not.
//
// It owns its own idea of every id, path and enum, so that a mistake in the gate is not
// made twice. It promises that the same seed makes the same documents. It never imports
// package wire.
//
// Group: doors (tests).
package wiretest
