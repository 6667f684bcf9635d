// Package langtest holds what every language must pass: the laws of reading code,
// and the golden cases of each language's folder.
//
// It owns the text form of facts and the edits the laws make. It promises that a
// language without cases fails. It never knows one language from another: what the
// laws need of a language comes from its cases.
//
// Group: reading code (tests only).
package langtest
