// Command diffsyms holds gitlet's definitions against another reader of the same
// language, over any number of real files:
//
//	go run ./tools/diffsyms -lang go DIR...
//
// It prints, for each language, which definitions both readers see, which only one
// of them does, and how often they count the same parameters. Files that either
// reader calls broken are counted apart. With -v each difference is a line
// "path:line kind name". docs/differential.md explains what remains, and how to get
// the other readers.
//
// Group: tools. It owns the comparison and the other readers' small programs, promises
// to change nothing on disk, and never judges who is right.
package main
