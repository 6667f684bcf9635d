package gitbus

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/git"
	"gitlet/internal/id"
	"gitlet/internal/wire"
)

// Options says which remote, and on whose behalf.
type Options struct {
	// Remote is a configured remote's name or a URL; "" shares through the clone's
	// own refs (local mode).
	Remote string
	// Main is the name of the main branch, "" when it is not known.
	Main string
	// Agent is whose documents Flush sends and whose home this process is; "" for a
	// process that only reads.
	Agent string
	// Namespace replaces refs/gitlet/ on the remote, for hosts that decline it.
	Namespace string
	// Locks is the folder of lock files, shared by all processes of the clone; ""
	// is gitlet in the common git dir.
	Locks string
	// Reuse is how recent another process's fetch must be to be reused; 0 is
	// bus.ReuseWithin, and a negative one means never.
	Reuse time.Duration
	// MayPush is asked right before a snapshot goes to the remote, by whatever call: an
	// error keeps it here, for good when it is a *bus.Withheld. nil lets all go.
	MayPush func(ctx context.Context, commit string) error
	// MayWrite is asked before anything is written to the remote: its error (such as
	// bus.ErrDenied, of an observer) comes back at once, own writes stand here, and no
	// network is used. nil lets all go.
	MayWrite func() error
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// Bus implements bus.Bus for one process.
type Bus struct {
	repo      *git.Repo
	remote    git.Remote
	mode      bus.Mode
	main      string
	agent     string
	namespace string
	locks     string
	reuse     time.Duration
	mayPush   func(ctx context.Context, commit string) error
	mayWrite  func() error
	now       func() time.Time
	self      string // tells this process's fetches from others'
	key       string // the remote's name as part of a ref

	mu     sync.Mutex
	print  string            // the refs at the last Refresh
	listed map[string]string // those refs themselves, until used or written past
	cache  map[string]cached // own documents by ref, as last read or written
}

// cached is one own document at one value of its ref.
type cached struct {
	oid  string
	data []byte
}

var _ bus.Bus = (*Bus)(nil)

// New returns the bus of this process. It starts no process and checks only o.
func New(repo *git.Repo, o Options) (*Bus, error) {
	b := &Bus{
		repo: repo, mode: bus.Remote, main: o.Main, agent: o.Agent, namespace: o.Namespace,
		locks: o.Locks, reuse: o.Reuse, mayPush: o.MayPush, mayWrite: o.MayWrite, now: o.Now, self: id.NewMessage(), cache: map[string]cached{},
	}
	if o.Remote == "" {
		b.mode = bus.Local
	}
	if b.namespace == "" {
		b.namespace = bus.Namespace
	}
	if b.locks == "" {
		b.locks = filepath.Join(repo.CommonDir, "gitlet")
	}
	if b.now == nil {
		b.now = time.Now
	}
	if b.reuse == 0 {
		b.reuse = bus.ReuseWithin
	}
	switch {
	case o.Main != "" && !wire.ValidBranch(o.Main):
		return nil, fmt.Errorf("open bus: %q is no branch name", o.Main)
	case o.Agent != "" && !id.ValidAgent(o.Agent):
		return nil, fmt.Errorf("open bus: %q is no agent id", o.Agent)
	case !strings.HasPrefix(b.namespace, "refs/") || !strings.HasSuffix(b.namespace, "/") ||
		!wire.ValidBranch(strings.TrimSuffix(b.namespace, "/")):
		return nil, fmt.Errorf("open bus: %q is no namespace of refs", o.Namespace)
	}
	b.remote = repo.Remote(o.Remote)
	if b.key = o.Remote; !wire.ValidBranch(b.key) {
		// A URL cannot be part of a ref's name.
		sum := sha256.Sum256([]byte(o.Remote))
		b.key = "url-" + hex.EncodeToString(sum[:])[:12]
	}
	return b, nil
}

// Mode says whether a remote referees.
func (b *Bus) Mode() bus.Mode { return b.mode }

// Fetched names the folders of local refs that hold what the remote is known to have:
// its documents and snapshots, and main.
func (b *Bus) Fetched() []string {
	return []string{strings.TrimSuffix(b.tracking(""), "/"), b.mainRef()}
}

// The local names of a shared ref, and its name on the remote.

func (b *Bus) tracking(ref string) string { return b.beside("refs/gitlet-remote/", ref) }
func (b *Bus) pushed(ref string) string   { return b.beside("refs/gitlet-pushed/", ref) }
func (b *Bus) held(ref string) string     { return b.beside("refs/gitlet-held/", ref) }
func (b *Bus) mainRef() string            { return "refs/gitlet-main/" + b.key }

func (b *Bus) beside(root, ref string) string {
	return root + b.place() + "/" + strings.TrimPrefix(ref, bus.Namespace)
}

// place is the folder for what is known of one namespace of the remote: what was sent
// to another one was not sent to this.
func (b *Bus) place() string {
	if b.namespace == bus.Namespace {
		return b.key
	}
	sum := sha256.Sum256([]byte(b.namespace))
	return b.key + "." + hex.EncodeToString(sum[:])[:8]
}

func (b *Bus) onRemote(ref string) string {
	return b.namespace + strings.TrimPrefix(ref, bus.Namespace)
}

// branch is where main lives: on the remote, or in local mode here.
func (b *Bus) branch() string { return "refs/heads/" + b.main }

// kindError gives an error a kind of package bus and keeps its own words.
type kindError struct{ kind, err error }

func (e *kindError) Error() string   { return e.err.Error() }
func (e *kindError) Unwrap() []error { return []error{e.kind, e.err} }

// netError types what came of talking to the remote. A network failure is believed
// only after this clone proved to be readable: git says "not a git repository" and
// "could not read" about either side.
func (b *Bus) netError(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return err
	case errors.Is(err, git.ErrDenied):
		return &kindError{bus.ErrDenied, err}
	case errors.Is(err, git.ErrNetwork):
		if _, local := b.repo.Refs(ctx, bus.Namespace); local != nil {
			return local
		}
		b.noteAway()
		return &kindError{bus.ErrOffline, err}
	}
	return err
}
