// Package id makes, validates and matches every identifier gitlet uses.
//
// It owns the formats: agent ids, work item ids, symbol keys, and note, thread,
// proposal and message ids. It promises that an id which passes its validator is
// safe as a ref component, a file name and a git argument. It never does I/O and
// never reads the clock; randomness comes from crypto/rand.
//
// Group: words (standard library only).
package id
