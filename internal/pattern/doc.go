// Package pattern holds regular expressions that are compiled when they are first used.
//
// It owns that moment. Most runs of the program, and every hook, use few of the many
// patterns there are, and compiling all of them took half of the time before main. It
// promises the answers of package regexp, and is safe for concurrent use. It never decides
// what a pattern means.
//
// Group: words (standard library only).
package pattern
