// Package wire is the one gate between documents that travel and the values the
// rest of gitlet works with: state.json, outbox.json and claim.json, format 1.
//
// It owns the format number, the size limits, the trimming of documents that are
// too large, and the validation of everything that came from somebody else. It
// promises that a decoded value holds only well-formed ids, object ids, paths,
// branch names and enum values, that its text is valid UTF-8 without control
// characters and of bounded length, and that its lists are never nil. What does
// not pass costs the document, or, inside a footprint, only the entry. Encoding
// goes through the same checks, is deterministic, and leaves its argument alone.
// Unknown fields are ignored. It never does I/O and never reads the clock.
//
// Group: doors (standard library, model and id).
package wire
