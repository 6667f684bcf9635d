// Package bus is how agents share documents and snapshots: the interface, its
// promises and its errors. Implementations live below it: gitbus over refs on a git
// remote (or in the shared .git when there is none), membus in memory with faults.
// bustest is the suite that every implementation passes.
//
// It owns the promises in Bus. It never decides what a document means, and no
// object id of a claim crosses it: a held claim is an opaque value (later).
//
// Group: doing.
package bus
