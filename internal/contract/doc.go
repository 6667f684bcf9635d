// Package contract builds the stub of an interface: main's version of a file with one
// definition as an agent's work has it, and nothing else changed.
//
// It owns where a definition begins and ends with its comments, decorators and
// attributes, where a new one goes, and which imports come along. It promises that the
// stub reads as well as main did, that the signature in it is the very one asked for, and
// that every other definition is as it was; otherwise there is no stub but an error that
// says why. It is pure: bytes come in and go out; it never reads a file or runs git.
//
// Group: deciding.
package contract
