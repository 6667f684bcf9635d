// Package bus is how agents share documents and snapshots: the interface, its
// promises and its errors. Implementations live below it: gitbus over refs on a git
// remote (or in the shared .git when there is none), membus in memory with faults.
// bustest is the suite that every implementation passes.
//
// It owns the promises in Bus. It never decides what a document means, and no object id
// of a claim is ever handed in: who changes a claim hands back what was seen, a *Held.
//
// Group: doing.
package bus
