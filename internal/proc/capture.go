package proc

import (
	"fmt"
	"sync"
)

// head keeps everything up to max bytes and calls full once when there is more.
type head struct {
	mu   sync.Mutex
	buf  []byte
	max  int
	over bool
	full func()
}

func (h *head) Write(b []byte) (int, error) {
	h.mu.Lock()
	room := h.max - len(h.buf)
	over := len(b) > room && !h.over
	if room > 0 {
		h.buf = append(h.buf, b[:min(room, len(b))]...)
	}
	h.over = h.over || over
	h.mu.Unlock()
	if over {
		h.full()
	}
	return len(b), nil
}

func (h *head) bytes() []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.buf
}

// ends keeps the first and the last max/2 bytes: the beginning of an error output
// says what went wrong, its end says with what result.
type ends struct {
	mu          sync.Mutex
	first, last []byte
	lost        int
	max         int
}

func (e *ends) Write(b []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	n, half := len(b), e.max/2
	if room := half - len(e.first); room > 0 {
		k := min(room, len(b))
		e.first = append(e.first, b[:k]...)
		b = b[k:]
	}
	e.last = append(e.last, b...)
	if extra := len(e.last) - half; extra > 0 {
		e.lost += extra
		e.last = append(e.last[:0], e.last[extra:]...)
	}
	return n, nil
}

func (e *ends) bytes() []byte {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := append([]byte(nil), e.first...)
	if e.lost > 0 {
		out = append(out, fmt.Sprintf("\n[%d bytes left out]\n", e.lost)...)
	}
	return append(out, e.last...)
}
