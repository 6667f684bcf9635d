// Package merge merges three versions of a file where a merge by lines conflicts: source
// by its definitions, imports and members, a changelog by its entries.
//
// It owns what may be merged that way. It promises that what it gives holds everything
// that one side added and the other did not remove, nothing twice that no side had twice,
// and passes the proof; and that it gives nothing where it is in doubt. It knows the
// languages by what their packages say of them. It never reads or writes anything itself:
// texts come in as arguments, and merging lines is left to its caller.
//
// Group: deciding.
package merge
