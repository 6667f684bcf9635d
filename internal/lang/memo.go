package lang

import (
	"hash/maphash"
	"sync"
)

// memo keeps what was computed from a file's bytes, since resolving asks for the same
// few files again and again. It forgets everything when it is full.
type memo[T any] struct {
	mu   sync.Mutex
	seed maphash.Seed
	max  int
	of   map[memoKey]T
}

type memoKey struct {
	hash uint64
	size int
}

func newMemo[T any](max int) *memo[T] {
	return &memo[T]{seed: maphash.MakeSeed(), max: max, of: map[memoKey]T{}}
}

// get returns compute(data), computed once for equal data.
func (m *memo[T]) get(data []byte, compute func([]byte) T) T {
	k := memoKey{maphash.Bytes(m.seed, data), len(data)}
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.of[k]
	if !ok {
		v = compute(data)
		if len(m.of) >= m.max {
			clear(m.of)
		}
		m.of[k] = v
	}
	return v
}
