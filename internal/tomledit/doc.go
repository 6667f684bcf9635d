// Package tomledit edits TOML in place.
//
// It owns finding where a table stands in a text, in whichever of TOML's forms it is
// written, and adding and removing one. It promises that every byte it was not asked to
// change stays, and that what it returns is TOML that holds what the text held but for
// that table. It never opens a file and knows nothing of what the text means.
//
// Group: words (a TOML reader besides the standard library).
package tomledit
