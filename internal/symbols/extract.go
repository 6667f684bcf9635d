package symbols

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"gitlet/internal/bug"
	"gitlet/internal/lang"
)

// ErrConflict is returned for a file that holds unresolved conflict markers: what
// it defines is not decided yet.
var ErrConflict = errors.New("unresolved conflict markers")

// Extract parses src and returns what it says: definitions, references, imports
// and where its errors are. It fails only with one of this package's errors, each
// of which means that the file is tracked as a whole, without its symbols. A panic
// while extracting is recorded as a bug and comes back as ErrInternal.
func Extract(l *lang.Language, src []byte, lim Limits) (*lang.Facts, error) {
	// Facts hold no nodes, so the next file can have this one's memory.
	buf := nodeBuffers.Get().(*[]lang.RawNode)
	defer func() {
		if cap(*buf) <= maxPooledNodes {
			nodeBuffers.Put(buf)
		}
	}()
	t, err := parse(l, src, lim, func(n int) []lang.RawNode {
		if cap(*buf) < n {
			*buf = make([]lang.RawNode, n+n/4)
		}
		return (*buf)[:n]
	})
	if err != nil {
		return nil, err
	}
	return Facts(l, t)
}

// Facts reads a tree that Parse returned. It fails as Extract does.
func Facts(l *lang.Language, t *lang.Tree) (*lang.Facts, error) {
	f, err := read(l, t)
	switch {
	case err != nil:
		return nil, err
	case f.Markers:
		return nil, ErrConflict
	}
	return f, nil
}

// maxPooledNodes is enough for a source file of a megabyte.
const maxPooledNodes = 1 << 18

var nodeBuffers = sync.Pool{New: func() any { return new([]lang.RawNode) }}

// read runs the language's extraction over a tree.
func read(l *lang.Language, t *lang.Tree) (f *lang.Facts, err error) {
	defer func() {
		switch r := recover(); r.(type) {
		case nil:
		case lang.Exhausted:
			f, err = nil, ErrTooSlow
		default:
			f, err = nil, ErrInternal
			bug.Reportf("extract %s: %v\n%s", l.Name, r, firstLines(debug.Stack(), 30))
		}
	}()
	f = l.Extract(t)
	if f == nil {
		return nil, fmt.Errorf("%w: no facts", ErrInternal)
	}
	f.HasErrors = t.HasError(t.Root())
	f.Errors = lang.ErrorRegions(t, f.Symbols)
	lang.Complete(t, f)
	return f, nil
}

func firstLines(b []byte, n int) []byte {
	for i, c := range b {
		if c == '\n' {
			if n--; n == 0 {
				return b[:i]
			}
		}
	}
	return b
}
