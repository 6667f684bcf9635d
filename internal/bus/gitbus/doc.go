// Package gitbus is the bus over git refs: on a remote, or in the shared .git when
// there is none.
//
// It owns these refs of a clone, and no other:
//
//	refs/gitlet/agents/<agent>/state|outbox   own documents as last written here
//	refs/gitlet/wip/<agent>/<item>            own snapshots
//	refs/gitlet-remote/<remote>/…             the remote's refs as last fetched
//	refs/gitlet-main/<remote>                 the remote's main, away from the user's own copy
//	refs/gitlet-heads/<remote>/…              other branches as last fetched; one may be gone by now
//	refs/gitlet-pushed/<remote>/…             what the remote last accepted of our own refs:
//	                                          each push leases exactly this
//	refs/gitlet-held/<remote>/…               own values that Flush must not send: declined
//	                                          ones, and snapshots that stay on this machine
//
// On the remote the first two stand under the same names (or another namespace, for
// hosts that decline refs/gitlet), with claims beside them:
//
//	refs/gitlet/claims/<key>                  created only where there is none, changed and
//	                                          removed only at the exact value seen
//	refs/gitlet/rerere/<conflict>             resolutions that agents share, the same way; they
//	                                          are read when asked for, and kept nowhere here
//
// In local mode all three are shared as they are, and the last five do not exist. With a
// remote a claim has no ref of its own here, only the tracking ref.
//
// Documents are commits without parents whose tree is one file, with fixed messages; a
// claim with a contract has the stub commit as its only parent. No two values of a claim
// are equal, so a claim that stands at the commit made here is held. Whatever a remote
// answers but a plain yes, the claim is fetched and looked at.
//
// Beside its locks it keeps two small files: when the clone last fetched, and that the
// remote did not answer just now. Refs are left loose: git before 2.42 has no way to pack
// some refs and not the user's.
//
// It promises what package bus promises; a fetch that fails because of this clone is
// not an outage. Stopped at any point it leaves an own ref at its old or its new
// value; what the remote has not heard goes out with the next Flush, and what it
// heard without our knowing is found out by the next push. It never touches the
// user's branches, index, HEAD or remote-tracking refs, and decides nothing about
// what documents mean.
//
// Group: doing.
package gitbus
