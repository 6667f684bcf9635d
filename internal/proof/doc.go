// Package proof checks that an automatic merge of a file kept what both sides meant: it
// is readable, no definition was lost or doubled, and no conflict marker is left in it.
//
// It owns what counts as a proof. It promises the same answer for the same texts, and to
// say what is wrong. It never reads or writes anything itself, and never judges whether a
// merge compiles or does the right thing.
//
// Group: deciding.
package proof
