package journal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

type step struct{ To string }

func TestJournal(t *testing.T) {
	t.Parallel()
	j := Journal{Dir: filepath.Join(t.TempDir(), "made", "on demand"), Name: "move"}
	left := func() (string, bool) {
		t.Helper()
		var s step
		found, unlock, err := j.Left(&s)
		if err != nil {
			t.Fatal(err)
		}
		if found {
			unlock()
		}
		return s.To, found
	}
	if _, found := left(); found {
		t.Error("one is left where none began")
	}
	unlock, err := j.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{"one", "two"} {
		if err := j.Begin(step{to}); err != nil {
			t.Fatal(err)
		}
	}
	if _, found := left(); found {
		t.Error("a step that goes on is taken for one that was killed")
	}
	soon, end := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer end()
	if _, err := j.Lock(soon); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("two at once: %v", err)
	}
	unlock() // as the system does for one that was killed
	if to, found := left(); !found || to != "two" {
		t.Errorf("%q %v", to, found)
	}
	for range 2 {
		if err := j.End(); err != nil {
			t.Fatal(err)
		}
	}
	if _, found := left(); found {
		t.Error("it is left after its end")
	}
	if err := os.WriteFile(j.file(), []byte("{noise"), 0o600); err != nil {
		t.Fatal(err)
	}
	if found, _, err := j.Left(&step{}); err == nil || found {
		t.Errorf("noise: %v %v", found, err)
	}
	if _, found := left(); found {
		t.Error("noise stays")
	}
}
