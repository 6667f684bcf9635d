// Package symbols parses source with tree-sitter and turns it into facts:
// definitions, references and imports.
//
// It owns the parsers, their deadline and size limits, and the cache of facts by
// (blob, language). It promises that no input crashes or hangs it: a file that is
// too big, too deep, not text, minified, or too slow comes back as "not parsed" with
// the reason. Every tree-sitter object is freed before a call returns. It never reads
// files or runs git: bytes come in as arguments.
//
// Group: reading code.
package symbols
