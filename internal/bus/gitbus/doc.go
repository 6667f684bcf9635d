// Package gitbus is the bus over git refs: on a remote, or in the shared .git when
// there is none.
//
// It owns these refs of a clone, and no other:
//
//	refs/gitlet/agents/<agent>/state|outbox   own documents as last written here
//	refs/gitlet/wip/<agent>/<item>            own snapshots
//	refs/gitlet-remote/<remote>/…             the remote's refs as last fetched
//	refs/gitlet-main/<remote>                 the remote's main, away from the user's own copy
//	refs/gitlet-pushed/<remote>/…             what the remote last accepted of our own refs:
//	                                          each push leases exactly this
//	refs/gitlet-held/<remote>/…               own values that Flush must not send: declined
//	                                          ones, and snapshots that stay on this machine
//
// On the remote the first two stand under the same names (or another namespace, for
// hosts that decline refs/gitlet), with claims beside them. In local mode they are
// shared as they are, and the last four do not exist.
//
// Documents are commits without parents whose tree is one file, with fixed messages.
// It promises what package bus promises; a fetch that fails because of this clone is
// not an outage. Stopped at any point it leaves an own ref at its old or its new
// value; what the remote has not heard goes out with the next Flush, and what it
// heard without our knowing is found out by the next push. It never touches the
// user's branches, index, HEAD or remote-tracking refs, and decides nothing about
// what documents mean.
//
// Group: doing.
package gitbus
