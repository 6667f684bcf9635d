// Package verbtest is a table of verbs for tests of the faces.
//
// It owns one small table that holds every kind of argument a verb can have, and a
// runner that answers with what a test gave it. It promises that the table passes
// verb.Check. It never ships: only tests import it.
//
// Group: words.
package verbtest
