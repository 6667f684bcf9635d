package membus

import (
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"gitlet/internal/bus"
)

// Faults are what goes wrong from now on, for every machine.
type Faults struct {
	Offline    bool   // the remote cannot be reached; writes are not applied
	LoseAnswer bool   // writes are applied, and the connection breaks before the answer
	Vanish     bool   // the same, and from then on the remote cannot be reached
	Denied     bool   // no permission to write
	Decline    string // the remote declines refs that start with this, when not empty,
	Text       string // and says this
	Intruder   bool   // before each write of a document somebody else moves the ref
	NoMain     bool   // the remote has no main branch
}

// World is a remote, or in local mode one shared repository, and its machines.
type World struct {
	mode bus.Mode
	now  func() time.Time

	mu       sync.Mutex
	faults   Faults
	refs     map[string]string // the remote's, by shared name
	main     string
	objects  map[string][]byte // documents and commits, by id
	stubs    map[string]string // the commits that values of claims carry along
	machines map[string]*machine
	pushes   int  // writes that reached the remote
	merged   bool // further writes belong to the push before
	made     int
}

// machine is one clone, the home of one agent. In local mode only locks are used.
type machine struct {
	agent string
	local map[string]string // own refs as last written here
	// pushed is what the remote was last known to hold of our own refs; held are
	// values that Flush must not send: declined ones, and snapshots kept local.
	pushed, held map[string]string
	tracking     map[string]string // the remote's refs as last fetched
	main         string
	noMain       bool
	commits      map[string]bool // in this clone
	fetched      time.Time
	fetchedBy    *Bus
	away         time.Time // when the remote did not answer; zero when it last did
	locks        map[string]chan struct{}
}

// NewWorld makes an empty world. now is the clock of every process in it.
func NewWorld(mode bus.Mode, now func() time.Time) *World {
	return &World{mode: mode, now: now, refs: map[string]string{}, objects: map[string][]byte{}, stubs: map[string]string{}, machines: map[string]*machine{}}
}

// Open returns the bus of a new process on the machine that is agent's home.
func (w *World) Open(agent string) *Bus {
	w.mu.Lock()
	defer w.mu.Unlock()
	return &Bus{w: w, m: w.machine(agent)}
}

func (w *World) machine(agent string) *machine {
	m := w.machines[agent]
	if m == nil {
		m = &machine{agent: agent, local: map[string]string{}, pushed: map[string]string{}, held: map[string]string{},
			tracking: map[string]string{}, commits: map[string]bool{}, locks: map[string]chan struct{}{}}
		w.machines[agent] = m
	}
	return m
}

// Set replaces the faults.
func (w *World) Set(f Faults) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults = f
}

// Commit makes a commit in the clone of agent's machine.
func (w *World) Commit(agent, text string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	oid := w.store([]byte(text))
	w.machine(agent).commits[oid] = true
	return oid
}

// SetMain gives the remote's main branch a new commit and returns it.
func (w *World) SetMain(text string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.main = w.store([]byte(text))
	return w.main
}

// Put sets a document ref on the remote as some other program would.
func (w *World) Put(ref string, data []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.refs[ref] = w.store(data)
}

// Remove deletes a ref on the remote as some other program would.
func (w *World) Remove(ref string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.refs, ref)
}

// Remote returns the value of a ref on the remote, "" for none.
func (w *World) Remote(ref string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.refs[ref]
}

// Pushes counts the writes that reached the remote, accepted or not.
func (w *World) Pushes() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.pushes
}

// merge says whether the writes that follow belong to the push of the one before.
func (w *World) merge(yes bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.merged = yes
}

// store keeps data under a new id: two documents never share one, as two commits of
// one document do not.
func (w *World) store(data []byte) string {
	w.made++
	sum := sha1.Sum(fmt.Appendf(nil, "%d %s", w.made, data))
	oid := hex.EncodeToString(sum[:])
	w.objects[oid] = data
	return oid
}

// errStale: the remote's ref is not where the writer thought.
var errStale = errors.New("stale info")

// push moves a ref of the remote from lease to value, "" meaning absent.
func (w *World) push(ref, value, lease string) error {
	f := w.faults
	if f.Offline {
		return fmt.Errorf("push %q: %w", ref, bus.ErrOffline)
	}
	if !w.merged {
		w.pushes++
	}
	if f.Intruder && strings.HasPrefix(ref, bus.Namespace+"agents/") {
		w.refs[ref] = w.store([]byte("{}"))
	}
	switch {
	case f.Denied:
		return fmt.Errorf("push %q: %w", ref, bus.ErrDenied)
	case f.Decline != "" && strings.HasPrefix(ref, f.Decline):
		return &bus.Refused{Ref: ref, Text: f.Text}
	case value != "" && w.refs[ref] == value:
		// Git answers "up to date" without looking at the lease.
	case w.refs[ref] != lease:
		return errStale
	case value == "":
		delete(w.refs, ref)
	default:
		w.refs[ref] = value
	}
	w.faults.Offline = f.Vanish
	if f.LoseAnswer || f.Vanish {
		return fmt.Errorf("push %q: %w", ref, bus.ErrOffline)
	}
	return nil
}
