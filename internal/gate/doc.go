// Package gate holds the checks that work passes before it is handed in, one file for
// each. submit runs all of them; the hook that git runs before a push runs those that need
// nothing but the clone. It owns what may be handed in, and the words of each refusal.
//
// It promises to contact nobody and to change nothing, that every refusal names what is in
// the way and offers a step that works, and that what cannot be told is a warning and
// never a refusal. What a check decides, it decides from plain values; reading them from
// git is kept apart. It never fetches, pushes or fixes anything.
//
// Group: doing.
package gate
