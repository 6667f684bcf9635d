package bug

import (
	"fmt"
	"runtime"
	"sync"
)

// Strict makes Report panic; the shared test main sets it.
var Strict bool

// Record is one broken invariant and how often it was met in this process.
type Record struct {
	Where string // file:line of the report
	What  string
	Count int
}

var (
	mu      sync.Mutex
	records = map[string]*Record{}
	sink    func(Record)
)

// SetSink installs f to receive each place once per process; nil removes it.
func SetSink(f func(Record)) {
	mu.Lock()
	defer mu.Unlock()
	sink = f
}

// Reportf records a broken invariant at the caller's place.
func Reportf(format string, args ...any) {
	what := fmt.Sprintf(format, args...)
	if Strict {
		panic("broken invariant: " + what)
	}
	where := "unknown"
	if _, file, line, ok := runtime.Caller(1); ok {
		where = fmt.Sprintf("%s:%d", base(file), line)
	}
	mu.Lock()
	r, seen := records[where]
	if !seen {
		r = &Record{Where: where, What: what}
		records[where] = r
	}
	r.Count++
	f, copied := sink, *r
	mu.Unlock()
	if f != nil && !seen {
		f(copied)
	}
}

// All returns what this process recorded.
func All() []Record {
	mu.Lock()
	defer mu.Unlock()
	out := make([]Record, 0, len(records))
	for _, r := range records {
		out = append(out, *r)
	}
	return out
}

func base(file string) string {
	slash := 0
	for i := len(file) - 1; i >= 0; i-- {
		if file[i] == '/' {
			if slash++; slash == 2 {
				return file[i+1:]
			}
		}
	}
	return file
}
