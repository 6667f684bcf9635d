// Package render turns results, notes and options into text and JSON.
//
// It owns every spelling a reader sees: outcome lines, labelled blocks, and calls in
// tool and shell syntax. It promises that no text in a result can add a line that
// looks like gitlet's own or close a labelled block, that a spelled call gives back
// exactly its arguments when it is run, and that a text stays under 8 KB and counts
// what it leaves out. It never decides what to say.
//
// Group: faces (it may import words only).
package render
