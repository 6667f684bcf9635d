package snapshot

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"
	"testing"
	"time"

	"gitlet/internal/git/gittest"
)

var tracking = []string{"refs/remotes/origin", "refs/gitlet-main/origin", "refs/gitlet-remote/origin"}

func mustUnpushed(t *testing.T, r *gittest.Repo, p Policy) string {
	t.Helper()
	w := open(t, r.Dir)
	held, err := Unpushed(context.Background(), w.Remote("origin"), r.Git("rev-parse", "HEAD"), tracking, p)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, h := range held {
		out = append(out, fmt.Sprintf("%s:%s", h.Path, h.Reason))
	}
	sort.Strings(out)
	return strings.Join(out, " ")
}

func pushed(t *testing.T) (*gittest.Repo, *gittest.Repo) {
	t.Helper()
	remote := gittest.Bare(t)
	r := remote.Clone()
	r.CommitFiles("base", "-- a.go --\na\n-- .env.example --\nX=\n")
	r.Git("push", "-q", "origin", "HEAD:main")
	r.Git("fetch", "-q")
	return remote, r
}

func TestUnpushed(t *testing.T) {
	t.Parallel()
	_, r := pushed(t)
	p := source()
	p.MaxFile = 2000
	if got := mustUnpushed(t, r, p); got != "" {
		t.Errorf("everything pushed: %q", got)
	}
	r.CommitFiles("fine", "-- b.go --\nb\n")
	if got := mustUnpushed(t, r, p); got != "" {
		t.Errorf("fine commit: %q", got)
	}
	r.CommitFiles("caught", "-- .env.local --\nSECRET\n-- big.txt --\n"+strings.Repeat("0123456789", 300)+"\n")
	r.Remove(".env.local")
	r.Remove("big.txt")
	r.Commit("removed again, but the history has it")
	if got, want := mustUnpushed(t, r, p), ".env.local:denied big.txt:large"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	// A ref of an outside branch copy does not count; the remote-tracking ref does.
	r.Git("update-ref", "refs/gitlet-heads/origin/x", "HEAD")
	if got := mustUnpushed(t, r, p); got == "" {
		t.Error("an outside copy must not count")
	}
	r.Git("update-ref", "refs/gitlet-main/origin", "HEAD")
	if got := mustUnpushed(t, r, p); got != "" {
		t.Errorf("main has it: %q", got)
	}
}

func TestUnpushedInAMerge(t *testing.T) {
	t.Parallel()
	_, r := pushed(t)
	r.Git("checkout", "-q", "-b", "side")
	r.CommitFiles("side", "-- s.go --\ns\n")
	r.Git("checkout", "-q", "-")
	r.CommitFiles("mine", "-- m.go --\nm\n")
	r.Git("merge", "-q", "--no-ff", "--no-commit", "side")
	r.Write("id_rsa", "key\n")
	r.Git("add", "id_rsa")
	r.Git("commit", "-q", "-m", "a merge that adds a key of its own")
	if got := mustUnpushed(t, r, source()); got != "id_rsa:denied" {
		t.Errorf("%q", got)
	}
	// Merging what the remote has is not sending it.
	_, r = pushed(t)
	r.Git("checkout", "-q", "-b", "feature", "HEAD")
	r.CommitFiles("mine", "-- m.go --\nm\n")
	r.Git("checkout", "-q", "main")
	r.CommitFiles("main", "-- .env.example --\nY=\n")
	r.Git("push", "-q", "origin", "HEAD:main")
	r.Git("checkout", "-q", "feature")
	r.Git("merge", "-q", "-m", "merge main", "main")
	if got := mustUnpushed(t, r, source()); got != "" {
		t.Errorf("merged main: %q", got)
	}
}

func TestUnpushedAsksTheRemote(t *testing.T) {
	t.Parallel()
	remote, r := pushed(t)
	r.Git("checkout", "-q", "-b", "feature")
	r.CommitFiles("caught", "-- .env.local --\nSECRET\n")
	r.Git("push", "-q", "origin", "feature")
	r.Git("update-ref", "-d", "refs/remotes/origin/feature") // as in a single-branch clone
	if got := mustUnpushed(t, r, source()); got != "" {
		t.Errorf("the remote has the branch: %q", got)
	}
	remote.Git("update-ref", "-d", "refs/heads/feature")
	if got := mustUnpushed(t, r, source()); got != ".env.local:denied" {
		t.Errorf("the branch was deleted there: %q", got)
	}
	r.Git("remote", "set-url", "origin", remote.Dir+"-gone")
	if got := mustUnpushed(t, r, source()); got != ".env.local:denied" {
		t.Errorf("no answer: %q", got)
	}
	// The caller's time is over: no answer, which is not "held".
	r.Script("../slow.sh", "exec sleep 20\n")
	r.Git("remote", "set-url", "origin", "ssh://example.invalid/x")
	r.Git("config", "core.sshCommand", r.Path("../slow.sh"))
	ctx, cancel := context.WithTimeout(context.Background(), 700*time.Millisecond)
	defer cancel()
	w := open(t, r.Dir)
	_, err := Unpushed(ctx, w.Remote("origin"), r.Git("rev-parse", "HEAD"), tracking, source())
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("err %v, want the context's", err)
	}
}

func TestUnpushedLFSPointer(t *testing.T) {
	t.Parallel()
	_, r := pushed(t)
	r.CommitFiles("pointer", "-- x.bin --\nversion https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")
	if got := mustUnpushed(t, r, source()); got != "" {
		t.Errorf("without LFS it is a text file: %q", got)
	}
	r.Git("config", "filter.lfs.clean", "cat")
	if got := mustUnpushed(t, r, source()); got != "x.bin:lfs" {
		t.Errorf("%q", got)
	}
}

func TestUnpushedWithoutCommits(t *testing.T) {
	t.Parallel()
	r := gittest.Bare(t).Clone()
	w := open(t, r.Dir)
	held, err := Unpushed(context.Background(), w.Remote("origin"), "", tracking, source())
	if err != nil || len(held) > 0 {
		t.Errorf("%v %v", held, err)
	}
}
