// Package lang holds everything gitlet knows about each language, one file per
// language: file names, grammar, definitions and containers, unique names,
// structural signatures, what is compatible, the module of a path, and where a
// reference points.
//
// It owns the Language values and the flat syntax tree they read. It promises that
// extraction is a pure function of the bytes. It never touches git, the clock or a
// file: what it needs of the repository comes through the Repo argument. No other
// package switches on a language's name.
//
// Group: reading code.
package lang
