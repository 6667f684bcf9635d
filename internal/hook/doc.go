// Package hook is what git's hooks and Claude Code's hooks run: it adds the lines by which
// a commit's task is known, says after a commit which notes ask for a step, before a push
// what submit would find, and after an agent's steps which notes are new.
//
// It owns when a hook speaks and when it is silent. It promises that a hook
// never makes its host fail, ends within its time whatever becomes of its work, never asks
// or tells the remote anything, touches neither index nor work tree, and does nothing when
// gitlet itself runs git; and that a client's hooks make nothing where gitlet was never
// used. It never decides what is wrong with a commit.
//
// Group: faces.
package hook
