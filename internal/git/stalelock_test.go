package git

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gitlet/internal/git/gittest"
)

// TestStaleLocks: a lock that a killed git left on one of gitlet's own refs is removed
// once it is old; a fresh one, and one on anybody else's ref, is not.
func TestStaleLocks(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	oid := repo.Commit("one")
	remote := gittest.Bare(t)
	repo.Git("push", "-q", remote.Dir, "main:refs/gitlet/agents/x/state")
	w, err := Open(t.Context(), repo.Dir)
	if err != nil {
		t.Fatal(err)
	}
	lock := func(ref string, age time.Duration) string {
		p := filepath.Join(repo.Dir, ".git", filepath.FromSlash(ref)+".lock")
		at := time.Now().Add(-age)
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o755), os.WriteFile(p, nil, 0o600), os.Chtimes(p, at, at)); err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, c := range []struct {
		ref    string
		age    time.Duration
		broken bool
	}{
		{"refs/gitlet/agents/a/state", time.Minute, true},
		{"refs/gitlet-remote/origin/agents/a/state", time.Minute, true},
		{"refs/gitlet/agents/b/state", 0, true},             // it was waited for before
		{"refs/gitlet/agents/c/state", -time.Minute, false}, // taken again in the meantime
		{"refs/heads/gitlet/x", time.Minute, false},
		{"refs/heads/x", time.Minute, false},
	} {
		p := lock(c.ref, c.age)
		err := w.Apply(t.Context(), Set(c.ref, oid), Set("refs/gitlet/other", oid))
		if (err == nil) != c.broken || err != nil && !errors.Is(err, ErrRefLocked) {
			t.Errorf("%s, %s old: %v", c.ref, c.age, err)
		}
		if _, err := os.Lstat(p); errors.Is(err, os.ErrNotExist) != c.broken {
			t.Errorf("%s, %s old: the lock: %v", c.ref, c.age, err)
		}
	}
	lock("refs/gitlet-remote/x/state", time.Minute)
	if err := w.Remote("file://"+remote.Dir).Fetch(t.Context(), FetchOptions{}, "+refs/gitlet/agents/x/state:refs/gitlet-remote/x/state"); err != nil {
		t.Errorf("fetch: %v", err)
	}
	if got := repo.Git("rev-parse", "refs/gitlet-remote/x/state"); got != oid {
		t.Errorf("fetched %q", got)
	}
}
