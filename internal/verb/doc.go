// Package verb says what a verb is: its argument struct, its effects, and the
// result every verb returns.
//
// It owns the Spec, the reading of argument structs (one struct gives the CLI's
// positionals and flags, the MCP schema and the validation), and the Result
// envelope. It promises that a bad argument becomes a message that names it and
// what is right. It never runs a verb: that is the engine.
//
// Group: words (standard library, model and id).
package verb
