// Package proof checks that an automatic merge of a file kept what both sides meant: it
// is readable, no definition was lost or doubled, and no conflict marker is left in it.
//
// It takes the texts and says what is wrong. It reads nothing itself, and it does not
// judge whether a merge compiles or does the right thing.
package proof
