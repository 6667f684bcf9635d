// Package cli is the command line: one command for each verb of the table, and the
// commands that only a person or a program needs.
//
// It owns parsing, help pages, exit codes and what goes to which stream. It promises
// that stdout carries the result alone, that bad usage becomes a refusal with a way
// out, and that a verb's flags come from its argument struct and from nowhere else.
// It never decides anything: it parses, calls and prints.
//
// Group: faces.
package cli
