// Command replay measures what gitlet would have said about pull requests that were
// open at the same time.
//
// It reads the history of one repository, ordinary or bare, without writing to it:
// merge commits, and squashed pull requests whose branch point can be told (the author's
// date is the branch's, not the merge's). Pairs whose lifetimes overlapped are put on
// the older one's base and shown to the rules as two items, each once as mine and once
// as the other's. Of everybody else who was at work then, the task is in view, since
// which words are common depends on it.
//
//	replay -pairs 100 path/to/repository
//	replay -near -pairs 100 -sample 20 -seed 7 path/to/repository
//
// The report counts act, warn and info notes per item by kind. -sample prints notes
// drawn by the seed, each with the two diffs, for a reader to judge.
package main
