// Package proof checks that an automatic merge of a file kept what both sides meant: it
// is readable, no definition or field was lost or doubled, and no conflict marker is left in
// it. The fields are those that are part of a type's signature: Rust's private ones are not.
//
// It owns what counts as a proof. It promises the same answer for the same texts, and to
// say what is wrong. It never reads or writes anything itself, and never judges whether a
// merge compiles or does the right thing.
//
// Group: deciding.
package proof
