// Package engine serves one worktree: it opens the doors, brings shared state here,
// reads the work tree, runs the rules and publishes what changed. Verbs run inside
// it, and a background tick does the same work when nobody calls.
//
// It owns the order of those steps, their time budgets, and the agent's identity.
// It promises that a verb never waits long on the network, that the user's index,
// branches and HEAD are written by no background step, and that a step that cannot
// be done becomes a warning while the others go on. It never decides what a note
// says (rules) or how a result looks (render).
//
// Group: the engine and its verbs.
package engine
