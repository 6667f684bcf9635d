package gitbus

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"gitlet/internal/bus"
)

// TestMayWrite: while nothing may be written, own writes stand here, claims are
// refused, and the remote hears nothing; afterwards all goes out with a flush.
func TestMayWrite(t *testing.T) {
	w := newRemoteWorld(t)
	mark := filepath.Join(t.TempDir(), "asked")
	w.machines[0].Git("config", "remote.origin.receivepack", w.script("receive", "echo x >>'"+mark+"'\nexec git-receive-pack \"$@\"\n"))
	denied := true
	w.options.MayWrite = func() error {
		if denied {
			return bus.ErrDenied
		}
		return nil
	}
	a, ctx := w.Open(0), t.Context()
	if err := a.UpdateState(ctx, agents[0], withItem("x")); !errors.Is(err, bus.ErrDenied) {
		t.Errorf("update: %v", err)
	}
	if st, err := a.State(ctx, agents[0]); err != nil || st == nil || len(st.Items) != 1 {
		t.Errorf("what was written does not stand here: %+v, %v", st, err)
	}
	if err := a.Flush(ctx); !errors.Is(err, bus.ErrDenied) {
		t.Errorf("flush: %v", err)
	}
	if err := a.Reap(ctx, bus.Remains{Agent: agents[1]}); !errors.Is(err, bus.ErrDenied) {
		t.Errorf("reap: %v", err)
	}
	if _, err := a.Refresh(ctx); err != nil {
		t.Errorf("refresh: %v", err)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the remote was asked to take something")
	}
	denied = false
	if err := a.Flush(ctx); err != nil {
		t.Errorf("flush: %v", err)
	}
	if _, err := os.Stat(mark); err != nil {
		t.Error("a flush that may write wrote nothing")
	}
}
