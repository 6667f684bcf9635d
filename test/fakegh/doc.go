// Package fakegh is the gh of scenarios: a program that keeps pull requests in a file
// beside a bare repository, and can merge, squash and rebase them there as a forge does.
//
// It takes the commands and flags that gitlet and scenarios use, spelled as the real gh
// spells them, and refuses every other one. FAKEGH_REPO is the bare repository; the file
// is <FAKEGH_REPO>.pulls.json; FAKEGH_FORK is the fork that OWNER:BRANCH is a branch of.
// FAKEGH_FAIL makes a command ("pr create") fail with gh's status for that: "signed-out",
// or any other word for the message of an error.
//
// Group: tests.
package fakegh
