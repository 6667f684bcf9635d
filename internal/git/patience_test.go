package git

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gitlet/internal/git/gittest"
)

// TestPackingIsWaitedFor holds the locks that git takes while it packs refs, for longer
// than git itself waits for them: changes of gitlet's own refs, and a fetch, wait for
// the end of it.
func TestPackingIsWaitedFor(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	remote := gittest.Bare(t)
	r := remote.Clone()
	oid := r.CommitFiles("base", "-- a --\na\n")
	r.Git("push", "-q", "origin", "HEAD:main")
	wt, err := Open(ctx, r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	r.Git("update-ref", "refs/gitlet/packed", oid)
	r.Git("pack-refs", "--all")
	for _, c := range []struct {
		what, lock string
		do         func() error
	}{
		{"a change", "refs/gitlet/x.lock", func() error { return wt.Apply(ctx, Create("refs/gitlet/x", oid)) }},
		{"a removal", "packed-refs.lock", func() error { return wt.Apply(ctx, Delete("refs/gitlet/packed", oid)) }},
		{"a fetch", "refs/gitlet-main/origin.lock", func() error {
			return wt.Remote("origin").Fetch(ctx, FetchOptions{}, "+refs/heads/main:refs/gitlet-main/origin")
		}},
	} {
		lock := filepath.Join(wt.CommonDir, c.lock)
		if err := os.MkdirAll(filepath.Dir(lock), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(lock, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		gone := make(chan error, 1)
		time.AfterFunc(1500*time.Millisecond, func() { gone <- os.Remove(lock) })
		if err := c.do(); err != nil {
			t.Errorf("%s while %s is held: %v", c.what, c.lock, err)
		}
		if err := <-gone; err != nil {
			t.Error(err)
		}
	}
}
