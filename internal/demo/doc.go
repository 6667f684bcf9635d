// Package demo plays gitlet's main job for a newcomer: a scratch remote, two
// machines, two agents, real git and the real binary.
//
// It owns the script and the sample project. It promises that everything happens in
// one scratch folder which is removed at the end, that the user's git configuration
// is neither read nor written, and that what it prints is what the agents got. It
// never talks to a network.
//
// Group: faces.
package demo
