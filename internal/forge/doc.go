// Package forge is the door to the places where pull requests live.
//
// It owns two roads. For GitHub there is gh, the user's own program, when it is
// installed and signed in. For every other forge, and when gh is not there, it spells
// the address of the page on which a person opens the pull request. It promises that no
// name or password out of a remote's address is in anything it returns, that a branch or
// a title is never taken for an option, and that what gh says beside its answer is not
// taken for the answer. It never pushes, merges or closes anything.
//
// Group: doors.
package forge
