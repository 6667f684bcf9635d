package engine

// mutex is a lock made of a channel. Who waits for it lets virtual time pass in tests,
// where a sync.Mutex would stop it for good while its holder waits for a timer.
type mutex chan struct{}

func newMutex() mutex { return make(mutex, 1) }

// Lock waits until the lock is free, and takes it.
func (m mutex) Lock() { m <- struct{}{} }

// Unlock frees it.
func (m mutex) Unlock() { <-m }
