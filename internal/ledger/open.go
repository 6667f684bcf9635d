package ledger

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// FileName is the ledger's file in gitlet's folder of the common git directory.
const FileName = "ledger.db"

// DefaultBusy is how long to wait for other writers when Options say nothing.
const DefaultBusy = 10 * time.Second

// HookBusy is the same for hooks, which must not hold up their host.
const HookBusy = time.Second

// Errors that callers tell apart.
var (
	// ErrNone: there is no ledger here and Options.Existing forbids making one.
	ErrNone = errors.New("no ledger here")
	// ErrNewer: a newer gitlet wrote the ledger; this one only reads it.
	ErrNewer = errors.New("the ledger was written by a newer gitlet")
	// ErrBusy: another process kept the ledger locked for longer than Options.Busy.
	ErrBusy = errors.New("the ledger is locked by another process")
	// ErrCorrupt: the file is damaged and repairing it did not help.
	ErrCorrupt = errors.New("the ledger is damaged")
)

// Options say how to open a ledger.
type Options struct {
	// Busy is how long to wait for other writers; 0 means DefaultBusy.
	Busy time.Duration
	// Existing makes Open return ErrNone instead of creating a ledger, for callers
	// that must leave no trace where gitlet was never used.
	Existing bool
}

// Ledger is one open ledger. It is safe for use by several goroutines; operations of
// one Ledger run one at a time.
type Ledger struct {
	path string
	busy time.Duration
	turn chan struct{} // held during an operation
	h    *handle       // nil when the last attempt to open was cut short

	closed bool

	mu        sync.Mutex // guards what follows
	recovered string
	unsaid    bool // recovered is not in a warning yet
	degraded  string
	newer     string
}

// Open opens the ledger in dir, which is gitlet's folder in the common git directory
// and is made when missing. A broken file is moved aside and a new one made
// (Recovered); where none can be made the ledger lives in memory (Degraded); one of a
// newer gitlet is only read (Newer). So an error is ErrNone, or ctx's.
func Open(ctx context.Context, dir string, opts Options) (*Ledger, error) {
	l := &Ledger{path: filepath.Join(dir, FileName), busy: opts.Busy, turn: make(chan struct{}, 1)}
	if l.busy <= 0 {
		l.busy = DefaultBusy
	}
	if opts.Existing {
		if _, err := os.Lstat(l.path); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("open ledger: %w", ErrNone)
		}
	}
	if err := l.connect(ctx); err != nil {
		return nil, fmt.Errorf("open ledger: %w", err)
	}
	return l, nil
}

// Close lets go of the file. What was written stays; a ledger in memory is gone.
func (l *Ledger) Close() error {
	l.turn <- struct{}{}
	defer func() { <-l.turn }()
	l.closed = true
	if l.h == nil {
		return nil
	}
	err := l.h.db.Close()
	l.h = nil
	if err != nil {
		return fmt.Errorf("close ledger: %w", err)
	}
	return nil
}

// Recovered says what became of a ledger that was damaged or taken away, "" when all
// was well since Open.
func (l *Ledger) Recovered() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.recovered
}

// Degraded says why the ledger lives in memory only, "" when it does not.
func (l *Ledger) Degraded() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.degraded
}

// Newer says that a newer gitlet wrote the ledger and that nothing is written to it
// here, "" when that is not so.
func (l *Ledger) Newer() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.newer
}

// Warnings is what the next result has to say about the ledger: a recovery once,
// the other two as long as they last.
func (l *Ledger) Warnings() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []string
	if l.unsaid {
		out, l.unsaid = append(out, l.recovered), false
	}
	for _, w := range []string{l.degraded, l.newer} {
		if w != "" {
			out = append(out, w)
		}
	}
	return out
}

// Retry leaves memory for the file again when that has become possible, and reports
// whether it did. The file's state counts then. It does nothing for a ledger that is
// in its file.
func (l *Ledger) Retry(ctx context.Context) bool {
	l.turn <- struct{}{}
	defer func() { <-l.turn }()
	if l.closed || l.Degraded() == "" {
		return false
	}
	h, err := l.fromFile(ctx)
	if err != nil {
		return false
	}
	if err := h.probe(ctx); err != nil {
		h.close()
		return false
	}
	l.swap(h)
	return true
}

// connect opens the file, or a ledger in memory when the file cannot be had. It
// returns an error only when ctx ended.
func (l *Ledger) connect(ctx context.Context) error {
	h, err := l.fromFile(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return l.toMemory(ctx, err)
	}
	l.swap(h)
	return nil
}

// fromFile opens the file as it is, and where that fails makes or mends it.
func (l *Ledger) fromFile(ctx context.Context) (*handle, error) {
	h, err := attach(ctx, l.path, l.busy)
	if err != nil && ctx.Err() == nil {
		h, err = l.rebuild(ctx)
	}
	return h, err
}

// swap makes h the open handle.
func (l *Ledger) swap(h *handle) {
	l.drop()
	l.h = h
	l.sayStanding(h)
}

// drop lets go of what is open.
func (l *Ledger) drop() {
	if l.h != nil {
		l.h.close()
		l.h = nil
	}
}

// sayStanding brings the warnings that last as long as h up to date.
func (l *Ledger) sayStanding(h *handle) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.newer = ""
	if h.version > schemaVersion {
		l.newer = newerText(h.version)
	}
	if h.file != nil {
		l.degraded = ""
	}
}

func newerText(version int) string {
	return fmt.Sprintf("a newer gitlet wrote the local state (schema %d, this one knows %d): it is only read, "+
		"so notes may be told again; use the newer gitlet", version, schemaVersion)
}

func (l *Ledger) sayRecovered(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.recovered, l.unsaid = text, true
}
