package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"gitlet/internal/git/gittest"
)

// machine is a clone with one pushed commit.
func machine(t *testing.T, remote *gittest.Repo) (*gittest.Repo, *Worktree, string) {
	t.Helper()
	r := remote.Clone()
	c, err := r.TryGit("rev-parse", "-q", "--verify", "HEAD")
	if err != nil {
		c = r.CommitFiles("base", "-- a.go --\na\n")
		r.Git("push", "-q", "origin", "HEAD:main")
	}
	return r, open(t, r.Dir), c
}

func TestPushLeases(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	_, w, c := machine(t, gittest.Bare(t))
	m := w.Remote("origin")
	n := 0
	commit := func() string {
		n++
		oid, err := w.CommitFile(ctx, "f", fmt.Appendf(nil, "%d", n), nil, "x")
		if err != nil {
			t.Fatal(err)
		}
		return oid
	}
	one, two, three := commit(), commit(), commit()
	for _, step := range []struct {
		push RefPush
		want PushStatus
	}{
		{RefPush{one, "refs/gitlet/claims/a", MustNotExist}, PushAccepted},
		{RefPush{one, "refs/gitlet/claims/a", MustNotExist}, PushUpToDate},
		{RefPush{two, "refs/gitlet/claims/a", MustNotExist}, PushStale},
		{RefPush{two, "refs/gitlet/claims/a", Expect(c)}, PushStale},
		{RefPush{two, "refs/gitlet/claims/a", Expect(one)}, PushAccepted},
		{RefPush{three, "refs/gitlet/claims/a", NoLease}, PushNonFastForward},
		{RefPush{"", "refs/gitlet/claims/a", Expect(one)}, PushStale},
		{RefPush{"", "refs/gitlet/claims/a", Expect(two)}, PushAccepted},
		{RefPush{"", "refs/gitlet/claims/a", Expect(two)}, PushStale},
		{RefPush{one, "refs/gitlet/claims", NoLease}, PushAccepted},
		{RefPush{one, "refs/gitlet/claims/b", NoLease}, PushRaced},
	} {
		res, err := m.PushMeta(ctx, step.push)
		if err == nil && len(res.Refs) == 1 && res.Refs[0].Reason == "refname conflict" {
			res.Refs[0].Status = PushRaced // a server before git 2.50 words a name clash like a race
		}
		if err != nil || len(res.Refs) != 1 || res.Refs[0].Status != step.want {
			t.Errorf("%+v: %+v %v, want %s", step.push, res, err, step.want)
		}
	}
	res, err := m.PushMeta(ctx, RefPush{one, "refs/gitlet/p", MustNotExist}, RefPush{two, "refs/gitlet/claims", MustNotExist}, RefPush{three, "refs/gitlet/q", MustNotExist})
	if err != nil || res.Refs[0].Status != PushAccepted || res.Refs[1].Status != PushStale || res.Ref("refs/gitlet/q").Status != PushAccepted || res.Ref("refs/none").Status != PushUnknown {
		t.Errorf("each ref stands alone: %+v %v", res, err)
	}
	for _, bad := range []string{"main", "refs/a:b", "refs/a\nb", ""} {
		if _, err := m.PushMeta(ctx, RefPush{OID: one, Ref: bad}); !errors.Is(err, ErrRefName) {
			t.Errorf("ref %q: %v", bad, err)
		}
	}
}

func TestPushRefusals(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	remote := gittest.Bare(t)
	_, w, c := machine(t, remote)
	m := w.Remote("origin")
	push := func(ref string) (RefResult, []string) {
		t.Helper()
		res, err := m.PushMeta(ctx, RefPush{OID: c, Ref: ref, Lease: MustNotExist})
		if err != nil {
			t.Fatal(err)
		}
		return res.Refs[0], res.Remote
	}
	remote.Script("hooks/pre-receive", "echo only heads and tags here; exit 1\n")
	if r, said := push("refs/gitlet/a"); r.Status != PushRefused || r.Reason != "pre-receive hook declined" || len(said) != 1 || said[0] != "only heads and tags here" {
		t.Errorf("pre-receive: %+v %q", r, said)
	}
	remote.Remove("hooks/pre-receive")
	remote.Script("hooks/update", `case "$1" in *bad) echo "GH007: Your push would publish a private email address" >&2; exit 1;; esac`+"\n")
	res, err := m.PushMeta(ctx, RefPush{OID: c, Ref: "refs/gitlet/bad"}, RefPush{OID: c, Ref: "refs/gitlet/good"})
	if err != nil || res.Refs[0].Status != PushRefused || res.Refs[1].Status != PushAccepted || !strings.Contains(strings.Join(res.Remote, " "), "GH007") {
		t.Errorf("update hook: %+v %v", res, err)
	}
	remote.Git("config", "transfer.hideRefs", "refs/gitlet")
	if r, _ := push("refs/gitlet/hidden"); r.Status != PushRefused || r.Reason != "deny updating a hidden ref" {
		t.Errorf("hidden: %+v", r)
	}
}

func TestRaceHasOneWinner(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	remote := gittest.Bare(t)
	_, first, _ := machine(t, remote)
	trees := []*Worktree{first}
	for range 3 {
		_, w, _ := machine(t, remote)
		trees = append(trees, w)
	}
	for round := range 4 {
		ref := fmt.Sprintf("refs/gitlet/claims/%d", round)
		status := make([]PushStatus, len(trees))
		var wg sync.WaitGroup
		for i, w := range trees {
			oid, err := w.CommitFile(ctx, "claim.json", fmt.Appendf(nil, "%d %d", round, i), nil, "gitlet: claim")
			if err != nil {
				t.Fatal(err)
			}
			wg.Add(1)
			go func() {
				defer wg.Done()
				res, err := w.Remote("origin").PushMeta(ctx, RefPush{OID: oid, Ref: ref, Lease: MustNotExist})
				if err != nil {
					t.Error(err)
					return
				}
				status[i] = res.Refs[0].Status
			}()
		}
		wg.Wait()
		won := 0
		for _, s := range status {
			switch s {
			case PushAccepted:
				won++
			case PushStale, PushRaced:
			default:
				t.Errorf("round %d: %s", round, s)
			}
		}
		if won != 1 {
			t.Errorf("round %d: %d winners: %v", round, won, status)
		}
	}
}

func TestFetchTouchesOnlyWhatItNames(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	remote := gittest.Bare(t)
	a, wa, c := machine(t, remote)
	b, wb, _ := machine(t, remote)
	a.Git("tag", "v1")
	a.CommitFiles("two", "-- a.go --\ntwo\n")
	a.Git("push", "-q", "origin", "HEAD:main", "v1")
	if _, err := wa.Remote("origin").PushMeta(ctx, RefPush{OID: c, Ref: "refs/gitlet/agents/x/state"}); err != nil {
		t.Fatal(err)
	}
	before := b.Git("for-each-ref", "refs/remotes", "refs/tags", "refs/heads")
	specs := []string{"+refs/gitlet/*:refs/gitlet-remote/origin/*", "+refs/heads/main:refs/gitlet-main/origin"}
	m := wb.Remote("origin")
	if err := m.Fetch(ctx, FetchOptions{Prune: true}, specs...); err != nil {
		t.Fatal(err)
	}
	if after := b.Git("for-each-ref", "refs/remotes", "refs/tags", "refs/heads"); after != before {
		t.Errorf("the user's refs moved:\n%s\n%s", before, after)
	}
	for _, f := range []string{"FETCH_HEAD", "logs/refs/gitlet-main/origin"} {
		if _, err := os.Stat(b.Path(".git/" + f)); err == nil {
			t.Errorf("%s was written", f)
		}
	}
	refs, err := wb.Refs(ctx, "refs/gitlet-remote", "refs/gitlet-main/origin")
	if err != nil || len(refs) != 2 || refs["refs/gitlet-main/origin"] != a.Git("rev-parse", "HEAD") {
		t.Errorf("%v %v", refs, err)
	}
	// What went away there goes away here, and only with pruning.
	remote.Git("update-ref", "-d", "refs/gitlet/agents/x/state")
	for prune, want := range map[bool]int{false: 2, true: 1} {
		if err := m.Fetch(ctx, FetchOptions{Prune: prune}, specs...); err != nil {
			t.Fatal(err)
		}
		refs, err := wb.Refs(ctx, "refs/gitlet-remote", "refs/gitlet-main/origin")
		if err != nil || prune && len(refs) != want {
			t.Errorf("prune=%v: %v %v", prune, refs, err)
		}
	}
	if err := m.FetchTracking(ctx, "main"); err != nil || b.Git("rev-parse", "origin/main") != a.Git("rev-parse", "HEAD") {
		t.Errorf("tracking: %v", err)
	}
}

func TestFetchFailures(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	remote := gittest.Bare(t)
	r, w, _ := machine(t, remote)
	m := w.Remote("origin")
	var missing *NoRemoteRefError
	err := m.Fetch(ctx, FetchOptions{}, "+refs/gitlet/*:refs/x/*", "+refs/heads/trunk:refs/y")
	if !errors.As(err, &missing) || missing.Ref != "refs/heads/trunk" || !errors.Is(err, ErrNoRemoteRef) {
		t.Errorf("missing ref: %v", err)
	}
	if err := w.Remote("orign").Fetch(ctx, FetchOptions{}, "+refs/gitlet/*:refs/x/*"); !errors.Is(err, ErrNoRemote) {
		t.Errorf("mistyped remote: %v", err)
	}
	for _, bad := range []string{"", "-origin", "a\x00b"} {
		if err := w.Remote(bad).Fetch(ctx, FetchOptions{}, "+refs/gitlet/*:refs/x/*"); err == nil || errors.Is(err, ErrNetwork) {
			t.Errorf("remote %q: %v", bad, err)
		}
	}
	// A remote that was added after the configuration was read is found.
	r.Git("remote", "add", "second", "file://"+remote.Dir)
	if err := w.Remote("second").Fetch(ctx, FetchOptions{}, "+refs/gitlet/*:refs/x/*"); err != nil {
		t.Errorf("second: %v", err)
	}
	// A locked ref is a fault of this clone, not of the network.
	r.Write(".git/refs/z/main.lock", "")
	if err := m.Fetch(ctx, FetchOptions{}, "+refs/heads/main:refs/z/main"); err == nil || errors.Is(err, ErrNetwork) {
		t.Errorf("locked: %v", err)
	}
	if err := os.Rename(remote.Dir, remote.Dir+"-away"); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"fetch": m.Fetch(ctx, FetchOptions{}, "+refs/gitlet/*:refs/x/*"),
		"push":  second(m.PushMeta(ctx, RefPush{OID: "HEAD", Ref: "refs/gitlet/x"})),
		"list":  second(m.Heads(ctx)),
	} {
		if !errors.Is(err, ErrNetwork) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestFetchWithABrokenWorktreeIsALocalFault(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	remote := gittest.Bare(t)
	a, _, _ := machine(t, remote)
	b, wb, _ := machine(t, remote)
	b.Git("worktree", "add", "-q", "../linked", "-b", "linked")
	b.Write(".git/worktrees/linked/HEAD", strings.Repeat("12", 20)+"\n")
	a.CommitFiles("two", "-- a.go --\ntwo\n")
	a.Git("push", "-q", "origin", "HEAD:main")
	err := wb.Remote("origin").Fetch(ctx, FetchOptions{}, "+refs/heads/main:refs/gitlet-main/origin")
	if err != nil && errors.Is(err, ErrNetwork) {
		t.Errorf("%v", err)
	}
	if err == nil && b.Git("rev-parse", "refs/gitlet-main/origin") != a.Git("rev-parse", "HEAD") {
		t.Error("the fetch neither failed nor fetched")
	}
}

func TestMirrorRemote(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r, w, c := machine(t, gittest.Bare(t))
	r.Git("config", "remote.origin.mirror", "true")
	r.Git("config", "remote.origin.fetch", "+refs/*:refs/*")
	m := w.Remote("origin")
	if res, err := m.PushMeta(ctx, RefPush{OID: c, Ref: "refs/gitlet/x", Lease: MustNotExist}); err != nil || res.Refs[0].Status != PushAccepted {
		t.Errorf("%+v %v", res, err)
	}
	if err := m.Fetch(ctx, FetchOptions{Prune: true}, "+refs/gitlet/*:refs/gitlet-remote/origin/*"); err != nil {
		t.Error(err)
	}
	if got := r.Git("for-each-ref", "refs/gitlet-remote", "--format=%(refname)"); got != "refs/gitlet-remote/origin/x" {
		t.Errorf("%q", got)
	}
}
