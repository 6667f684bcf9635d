package bustest

import (
	"time"

	"gitlet/internal/bus"
)

// World is one remote, or one shared repository, with two machines around it, as the
// suite needs it. Each machine is the home of one agent. Methods that cannot do
// their work fail the test.
type World interface {
	// Open returns the bus of a new process on machine 0 or 1.
	Open(machine int) bus.Bus
	// Agent is the id of the agent at home on the machine.
	Agent(machine int) string
	// Commit makes a commit in the machine's clone that can be shared as a snapshot.
	Commit(machine int, text string) string
	// SetMain gives the remote's main branch a new commit and returns it.
	SetMain(text string) string
	// Advance moves the clock that all processes read.
	Advance(d time.Duration)
	// Set replaces what goes wrong. In local mode only NoMain is ever set.
	Set(f Faults)
	// Put writes a document to the remote (file is its name in the commit's tree) as
	// some other program would; Remove deletes a ref there; Value reads one, "" for
	// none. Refs are shared names.
	Put(ref, file string, data []byte)
	Remove(ref string)
	Value(ref string) string
	// Pushes counts the writes that reached the remote, in remote mode.
	Pushes() int
}

// Faults are what goes wrong with the remote from now on.
type Faults struct {
	Offline    bool   // it cannot be reached; nothing is applied
	LoseAnswer bool   // writes are applied, and the connection breaks before the answer
	Vanish     bool   // the same, and from then on it cannot be reached
	Denied     bool   // no permission to write
	Decline    string // it declines refs that start with this, when not empty,
	Text       string // and says this
	Intruder   bool   // before each write of a document somebody else moves the ref
	NoMain     bool   // it has no main branch
}
