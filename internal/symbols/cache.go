package symbols

import (
	"container/list"
	"errors"
	"sync"

	"gitlet/internal/lang"
)

// Cache keeps the facts of file versions by (blob, language). It remembers a
// version that cannot be read, with the reason, so that a slow file is tried once
// and does not change between parsed and not parsed. It is safe for concurrent
// use; callers must not change the facts they get.
type Cache struct {
	lim Limits
	max int // total weight kept

	mu      sync.Mutex
	entries map[cacheKey]*list.Element // of *cacheEntry
	recent  *list.List                 // most recently used first
	weight  int
}

type cacheKey struct{ blob, lang string }

type cacheEntry struct {
	key    cacheKey
	done   chan struct{} // closed once facts and err are set
	facts  *lang.Facts
	err    error
	weight int
}

// DefaultCacheBytes bounds a cache's facts, in rough bytes of memory.
const DefaultCacheBytes = 64 << 20

// NewCache returns an empty cache that parses within lim and holds about maxBytes
// of facts, DefaultCacheBytes where it is 0.
func NewCache(lim Limits, maxBytes int) *Cache {
	if maxBytes == 0 {
		maxBytes = DefaultCacheBytes
	}
	return &Cache{lim: lim, max: maxBytes, entries: map[cacheKey]*list.Element{}, recent: list.New()}
}

// Get returns the facts of the file version that blob names, read as language l.
// read is called when they are not known yet; its error is returned as it is and
// not remembered. Any other error is one of this package's reasons.
func (c *Cache) Get(blob string, l *lang.Language, read func() ([]byte, error)) (*lang.Facts, error) {
	if blob == "" {
		src, err := read()
		if err != nil {
			return nil, err
		}
		return Extract(l, src, c.lim)
	}
	key := cacheKey{blob, l.Name}
	for {
		e, mine := c.entry(key)
		if mine {
			return c.fill(e, l, read)
		}
		<-e.done
		if !errors.Is(e.err, errNotRead) {
			return e.facts, e.err
		}
	}
}

// Put keeps what was read of the file version that blob names, for Get.
func (c *Cache) Put(blob string, l *lang.Language, facts *lang.Facts, err error) {
	if e, mine := c.entry(cacheKey{blob, l.Name}); mine {
		e.facts, e.err, e.weight = facts, err, factsWeight(facts)
		c.settle(e, true)
	}
}

// errNotRead marks an entry whose reader failed; whoever waited for it tries again.
var errNotRead = errors.New("the file was not read")

// entry returns the entry for key, and whether the caller must fill it.
func (c *Cache) entry(key cacheKey) (*cacheEntry, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el, ok := c.entries[key]; ok {
		c.recent.MoveToFront(el)
		return el.Value.(*cacheEntry), false
	}
	e := &cacheEntry{key: key, done: make(chan struct{}), err: errNotRead}
	c.entries[key] = c.recent.PushFront(e)
	return e, true
}

func (c *Cache) fill(e *cacheEntry, l *lang.Language, read func() ([]byte, error)) (*lang.Facts, error) {
	known := false
	defer func() { c.settle(e, known) }()
	src, err := read()
	if err != nil {
		return nil, err
	}
	facts, err := Extract(l, src, c.lim)
	e.facts, e.err, e.weight = facts, err, factsWeight(facts)
	known = true
	return facts, err
}

// settle wakes whoever waits for e, and makes room.
func (c *Cache) settle(e *cacheEntry, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(e.done)
	if !known {
		c.drop(c.entries[e.key])
		return
	}
	c.weight += e.weight
	for c.weight > c.max && c.recent.Len() > 1 {
		oldest := c.recent.Back()
		for oldest != nil && !settled(oldest.Value.(*cacheEntry)) {
			oldest = oldest.Prev()
		}
		if oldest == nil || oldest.Value.(*cacheEntry) == e {
			return
		}
		c.drop(oldest)
	}
}

func (c *Cache) drop(el *list.Element) {
	e := el.Value.(*cacheEntry)
	c.weight -= e.weight
	c.recent.Remove(el)
	delete(c.entries, e.key)
}

func settled(e *cacheEntry) bool {
	select {
	case <-e.done:
		return true
	default:
		return false
	}
}

// Len is the number of file versions held.
func (c *Cache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.recent.Len()
}

// factsWeight estimates the memory of facts in bytes.
func factsWeight(f *lang.Facts) int {
	w := 256
	if f == nil {
		return w
	}
	w += 8*len(f.Lines.Hashes) + 120*len(f.Refs) + 120*len(f.Imports)
	for i := range f.Symbols {
		s := &f.Symbols[i]
		w += 500 + len(s.Signature) + 80*len(s.Params) + 80*len(s.Members)
	}
	for _, l := range f.Loose {
		w += 64 + 16*len(l.Lines) + 16*len(l.Holds)
	}
	return w
}
