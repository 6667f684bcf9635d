// Package model holds gitlet's nouns: symbol, reference, footprint, work item,
// agent state, claim, need, message, note, option and the result envelope's parts.
//
// It owns their shapes and JSON names. It promises that every type is a plain
// value: copying it is safe, and nothing in it reaches a door. Documents that
// travel between machines are these values inside the envelopes of package wire,
// which also validates what peers wrote. It never does I/O, never reads the clock.
//
// Group: words (standard library and id only).
package model
