// Command updates measures gitlet's update on the history of real repositories: branches
// that were merged, each as it was, brought up to the main that it was merged into, by
// update and by plain "git rebase". Where git succeeds both must give the same trees,
// and where git stops update must refuse and leave everything as it was. What the proof
// of a merge refuses, although git is content, is counted apart.
//
//	updates -n 200 path/to/repository
//
// It reads the repository, ordinary or bare, without writing to it. Branches that hold
// merges, and those that had all of main, are left out. The exit status is 1 when update
// and git differ in anything but the proof's refusals.
package main
