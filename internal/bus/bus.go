package bus

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gitlet/internal/model"
	"gitlet/internal/wire"
)

// Errors that callers tell apart. From writes of own documents and snapshots, all but
// ErrTooLarge come after the local write stood. From claims they mean that the claim is
// as it was, as far as can be known: nothing about a claim stands until the remote has
// it.
var (
	// ErrOffline: the remote could not be reached. The write is kept locally and
	// goes out with the next Flush.
	ErrOffline = errors.New("remote unreachable")
	// ErrCollision: somebody else writes under this agent id.
	ErrCollision = errors.New("another process writes under this agent id")
	// ErrDenied: the remote gives no permission to write. The caller becomes an observer.
	ErrDenied = errors.New("no permission to write to the remote")
	// ErrMoved: what was to be removed is not at the value it was seen at. Its owner is
	// back, or somebody else was faster.
	ErrMoved = errors.New("not at the value it was seen at")
	// ErrTooLarge: the document is over the limit after trimming; nothing was written.
	ErrTooLarge = wire.ErrTooLarge
)

// Refused is a remote that looked at a write and declined it, by a hook or by
// policy. Text is what the remote said, by lines and at most a few KB (paths it objects
// to may be named anywhere in it); Ref is what it declined.
type Refused struct{ Ref, Text string }

func (r *Refused) Error() string {
	const most = 8
	lines := strings.Split(r.Text, "\n")
	if more := len(lines) - most; more > 0 {
		lines = append(lines[:most], fmt.Sprintf("(%d more lines)", more))
	}
	return fmt.Sprintf("remote declined %q: %s", r.Ref, strings.Join(lines, "\n"))
}

// Withheld is a snapshot that must not leave the machine, and why.
type Withheld struct{ Why string }

func (w *Withheld) Error() string { return "not shared: " + w.Why }

// Mode says who referees.
type Mode int

// Remote mode shares refs through a remote; Local mode through the shared .git.
const (
	Remote Mode = iota
	Local
)

// Doc is one document as last seen, with the ref it came from, by its shared name
// (see StateRef and its like) also where the clone keeps its copy elsewhere. OID tells
// one value from another; of a claim it is good for nothing else (see Docs.Held).
type Doc[T any] struct {
	Ref   string
	OID   string
	Value T
}

// Problem is one document or entry that could not be used, and why. It concerns
// only that document or entry. OID is the value of the ref it was found at. Newer is
// set when a newer gitlet wrote it: then it is this one that should be upgraded, and
// nothing is wrong with the document.
type Problem struct {
	Ref, OID string
	Why      string
	Newer    bool
}

// Docs is everything shared, as of the last refresh. It and what it holds are never
// changed after Load returned them: later results share parts of it.
type Docs struct {
	// Fingerprint changes when anything below does.
	Fingerprint string
	States      []Doc[model.State]  // by agent id
	Outboxes    []Doc[model.Outbox] // by agent id
	Claims      []Doc[model.Claim]  // by key
	// Snapshots maps "<agent>/<item>" to the commit whose snapshot is in this clone.
	Snapshots map[string]string
	// Main is the commit of main as the remote had it, "" when it has none.
	Main     string
	Problems []Problem
}

// Wanted is a peer's snapshot, and the commit it is said to be at.
type Wanted struct{ Agent, Item, Commit string }

// Refreshed is what one refresh did.
type Refreshed struct {
	At      time.Time // when the state now visible was fetched
	Reused  bool      // another process's fetch was recent enough
	Changed bool      // some ref moved since this Bus last refreshed; true the first time
	// MainMissing is set when the remote has no branch of main's name; everything
	// else was refreshed all the same.
	MainMissing bool
}

// Bus shares what agents say. Every method is safe to call from several processes
// and goroutines at once, and gives up when ctx ends with nothing half done: a
// write is either in the local ref (and, once accepted, on the remote) or nowhere.
//
// Who retries: the implementation retries a lost race on an own ref once, by
// adopting the remote's value; it never retries a network error. Callers flush.
//
// A remote that could not be reached is left alone for AwayFor, by every process of the
// clone: writes then stand locally and return ErrOffline at once, and claims are
// refused with it. Refresh and Flush always try, and end that time when they succeed.
//
// Claims are the one thing that is contested. They live on the remote, or in local mode
// in the shared repository, and nowhere else: with a remote none is ever granted,
// changed or released without its word. Whoever holds the exact value seen last may
// replace it, so taking over the claim of somebody who is gone is UpdateClaim with the
// value judged lapsed. A *Lost names who holds it instead. Where a write had no answer,
// the remote is asked what is true; ErrOffline means that it could not be asked either.
type Bus interface {
	Mode() Mode

	// Refresh brings the shared state here, in one fetch. Within ReuseWithin of
	// another process's fetch it reuses that, but not with a context of Anew. It returns ErrOffline (wrapped) when the
	// remote cannot be reached, and ctx's error when the caller's time ran out first,
	// which says nothing about the remote.
	Refresh(ctx context.Context) (Refreshed, error)

	// Load decodes what the last refresh brought, own documents included, from
	// local refs only. prev may be the result of an earlier call: documents whose
	// ref did not move are taken from it. A document that cannot be used becomes a
	// Problem and nothing else is affected.
	Load(ctx context.Context, prev *Docs) (*Docs, error)

	// State returns the agent's own state as last written here; nil when there is none.
	State(ctx context.Context, agent string) (*model.State, error)

	// UpdateState reads the agent's own state (a zero State when there is none),
	// lets change modify it, and writes and shares it, under the agent's file lock.
	// When change returns ErrUnchanged nothing is written, and any other error of
	// change comes back as it is. Errors from sharing (ErrOffline, ErrDenied,
	// ErrCollision, *Refused) come back after the local write stood. Where this clone
	// holds nothing of the agent and the remote does, the remote's document becomes the
	// one to change; change may then run twice, on different values.
	UpdateState(ctx context.Context, agent string, change func(*model.State) error) error

	// Outbox and UpdateOutbox are the same for the agent's outbox.
	Outbox(ctx context.Context, agent string) (*model.Outbox, error)
	UpdateOutbox(ctx context.Context, agent string, change func(*model.Outbox) error) error

	// PublishSnapshot shares commit as the item's snapshot, alone, so that a refusal
	// holds nothing else back. On *Refused the local ref goes back to the snapshot
	// last accepted. With localOnly it only sets the local ref.
	PublishSnapshot(ctx context.Context, agent, item, commit string, localOnly bool) error

	// DropSnapshot removes the item's snapshot here and, best effort, on the remote:
	// what did not arrive goes out with the next Flush.
	DropSnapshot(ctx context.Context, agent, item string) error

	// FetchSnapshot brings a peer's snapshot here by its exact name, and reports
	// whether the wanted commit is in this clone afterwards.
	FetchSnapshot(ctx context.Context, agent, item, want string) (bool, error)

	// FetchSnapshots is FetchSnapshot for many at the cost of one: here tells of each
	// whether its commit is in this clone afterwards. One that the remote does not have
	// holds no other back.
	FetchSnapshots(ctx context.Context, want []Wanted) (here []bool, err error)

	// Flush shares own documents and snapshots whose last write (or removal) did not
	// reach the remote, except values the remote declined and snapshots kept local. It
	// does nothing when all did. Errors of several refs are joined; a *Refused names its ref.
	Flush(ctx context.Context) error

	// Retire removes the agent's state and outbox, locally and on the remote.
	Retire(ctx context.Context, agent string) error

	// Share is UpdateState, UpdateOutbox and UpdateClaim for many at once, at the cost
	// of one push; one part that fails holds no other back. The error is that of the
	// whole: bad arguments, a lock that could not be had, no context left. Then nothing
	// was done.
	Share(ctx context.Context, b Batch) (Shared, error)

	// Claim makes c the claim on its key, which nobody may hold. It returns the claim
	// as it stands now. When c's own item holds the key already (an answer that was
	// lost, another process of the agent) that is the claim as it was. Otherwise the
	// error is *Lost, ErrOffline, ErrDenied or *Refused. A claim with a contract carries
	// its stub commit along, which must be in this clone.
	Claim(ctx context.Context, c model.Claim) (*Held, error)

	// UpdateClaim replaces the claim seen by to, which has the same key. Errors are
	// those of Claim.
	UpdateClaim(ctx context.Context, seen *Held, to model.Claim) (*Held, error)

	// ReleaseClaim removes the claim seen. One that is gone already is no error.
	ReleaseClaim(ctx context.Context, seen *Held) error

	// Reap removes everything of an agent that was judged gone: state, outbox and
	// snapshots, here and on the remote, each only at the value seen. The state goes
	// first. ErrMoved (wrapped) means that the agent is back, and nothing after that was
	// touched.
	Reap(ctx context.Context, left Remains) error
}

// ErrUnchanged is returned by a change function to say that nothing is to be written.
var ErrUnchanged = errors.New("unchanged")

// AwayFor is how long a remote that could not be reached is not tried again by writes.
const AwayFor = 5 * time.Second

type anewKey struct{}

// Anew makes a Refresh ask the remote, however recently another process did.
func Anew(ctx context.Context) context.Context { return context.WithValue(ctx, anewKey{}, true) }

// IsAnew reports whether ctx comes from Anew.
func IsAnew(ctx context.Context) bool { return ctx.Value(anewKey{}) != nil }

// ReuseWithin is how recent another process's fetch must be to be reused.
const ReuseWithin = 5 * time.Second
