// Package footprint says what a change does to code: which symbols it adds,
// removes, changes, moves or renames, which of that breaks callers and why, and
// what the changed code refers to; and it matches references against symbols.
//
// It owns the diff of two versions of a file, the judgement "compatible or
// breaking", and the rules by which a reference reaches a symbol. It promises that
// its answers depend on the two versions alone: the same deltas in any order give
// the same footprint, and the cost grows with the changed files, not with the
// repository. A file it cannot read reliably is tracked at file level, with the
// reason, and says nothing about its symbols. It never runs git, reads a file or
// looks at the clock: contents come through functions the caller passes.
//
// Group: reading code.
package footprint
