// Package jsonc edits JSON in place, also JSON with comments and trailing commas.
//
// It owns reading such text into a tree that knows where everything stands, and adding
// and removing one member or element. It promises that every byte it was not asked to
// change stays: comments, order, indentation, trailing commas, line ends, a byte-order
// mark; and that removing what was just added gives back the very same text. It never
// opens a file and knows nothing of what the text means.
//
// Group: words (standard library only).
package jsonc
