// Package similar measures how alike two pieces of work are: by what their authors
// say they do (intents), and by what they change (footprints).
//
// It owns the two signals of duplicate work and their thresholds. It promises that
// scores depend on the arguments alone, that they are the same whatever the order of
// the others, and that a score is symmetric between two intents seen in the same set.
// It never decides what to tell anyone, and never reads the clock or a door.
//
// Group: deciding.
package similar
