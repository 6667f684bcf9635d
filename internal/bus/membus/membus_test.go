package membus

import (
	"sync"
	"testing"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/bus/bustest"
)

// testWorld is a World as the suite wants it.
type testWorld struct {
	*World
	mu  sync.Mutex
	now time.Time
}

var agents = [2]string{"claude-code-one-000001", "codex-two-000002"}

func newTestWorld(mode bus.Mode) *testWorld {
	w := &testWorld{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	w.World = NewWorld(mode, func() time.Time {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.now
	})
	return w
}

func (w *testWorld) Open(machine int) bus.Bus { return w.World.Open(agents[machine]) }
func (w *testWorld) Agent(machine int) string { return agents[machine] }
func (w *testWorld) Commit(machine int, text string) string {
	return w.World.Commit(agents[machine], text)
}
func (w *testWorld) Set(f bustest.Faults)           { w.World.Set(Faults(f)) }
func (w *testWorld) Put(ref, _ string, data []byte) { w.World.Put(ref, data) }
func (w *testWorld) Value(ref string) string        { return w.Remote(ref) }

func (w *testWorld) Advance(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

func TestRemote(t *testing.T) {
	bustest.Run(t, bus.Remote, func(*testing.T) bustest.World { return newTestWorld(bus.Remote) })
}

func TestLocal(t *testing.T) {
	bustest.Run(t, bus.Local, func(*testing.T) bustest.World { return newTestWorld(bus.Local) })
}
