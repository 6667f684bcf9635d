package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gitlet/internal/git/gittest"
)

func TestEnvironDropsWhatGitCallsLocal(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	local := strings.Fields(r.Git("rev-parse", "--local-env-vars"))
	if len(local) < 10 {
		t.Fatalf("git lists %q", local)
	}
	from := []string{"KEEP=1", "LC_ALL=de", "GIT_ASKPASS=x", "PWD=/elsewhere"}
	for _, name := range local {
		from = append(from, name+"=decoy")
	}
	for _, foreground := range []bool{false, true} {
		env := call{class: localRead, foreground: foreground, dir: "/d"}.environ(from)
		for _, kv := range env {
			if strings.Contains(kv, "decoy") {
				t.Errorf("%s reached git", kv)
			}
		}
		for _, want := range []string{"KEEP=1", "LC_ALL=C", "PWD=/d", "GIT_OPTIONAL_LOCKS=0"} {
			if !slices.Contains(env, want) {
				t.Errorf("no %s in %q", want, env)
			}
		}
		if slices.Contains(env, "GIT_ASKPASS=x") != foreground || slices.Contains(env, "GIT_NO_LAZY_FETCH=1") == foreground {
			t.Errorf("foreground=%v: %q", foreground, env)
		}
	}
	if env := (call{class: treeChange}).environ(nil); slices.Contains(env, "GIT_OPTIONAL_LOCKS=0") {
		t.Error("a change of the work tree may refresh the index")
	}
}

func TestStdinIsEmpty(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.CommitFiles("base", "-- a.go --\na\n")
	w := open(t, r.Dir)
	// hash-object reads standard input to its end: it ends at once.
	out, err := w.run(context.Background(), call{step: "x", class: localRead, args: []string{"hash-object", "--stdin"}})
	if err != nil || trimLine(out.Stdout) != "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391" {
		t.Errorf("%q %v", out.Stdout, err)
	}
}

func TestTimeoutsAreToldApart(t *testing.T) {
	// Not parallel: it shortens the package's timeouts and changes PATH.
	remote := gittest.Bare(t)
	r := remote.Clone()
	r.CommitFiles("base", "-- a.go --\na\n")
	r.Script("../slow", "sleep 30\n")
	r.Git("config", "core.sshCommand", r.Path("../slow"))
	r.Git("remote", "set-url", "origin", "ssh://host.invalid/x")
	w := open(t, r.Dir)
	m := w.Remote("origin")

	// The caller's time says nothing about the remote.
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	start := time.Now()
	err := m.Fetch(ctx, FetchOptions{}, "+refs/gitlet/*:refs/x/*")
	if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrNetwork) {
		t.Errorf("caller's deadline: %v", err)
	}
	ctx, cancel = context.WithCancel(context.Background())
	time.AfterFunc(200*time.Millisecond, cancel)
	if _, err := m.PushMeta(ctx, RefPush{OID: "HEAD", Ref: "refs/gitlet/x"}); !errors.Is(err, context.Canceled) || errors.Is(err, ErrNetwork) {
		t.Errorf("cancelled: %v", err)
	}

	// Git's own time does.
	for c, d := range timeouts {
		defer func() { timeouts[c] = d }()
		timeouts[c] = 300 * time.Millisecond
	}
	if err := m.Fetch(context.Background(), FetchOptions{}, "+refs/gitlet/*:refs/x/*"); !errors.Is(err, ErrNetwork) {
		t.Errorf("fetch timeout: %v", err)
	}
	if _, err := m.PushMeta(context.Background(), RefPush{OID: "HEAD", Ref: "refs/gitlet/x"}); !errors.Is(err, ErrNetwork) {
		t.Errorf("push timeout: %v", err)
	}
	if _, err := m.Heads(context.Background()); !errors.Is(err, ErrNetwork) {
		t.Errorf("ls-remote timeout: %v", err)
	}
	path := os.Getenv("PATH")
	fakeGit(t, `case "$*" in *for-each-ref*) sleep 30;; *) exec env PATH='`+path+`' git "$@";; esac`)
	if _, err := w.Refs(context.Background()); !errors.Is(err, ErrTimeout) || errors.Is(err, ErrNetwork) {
		t.Errorf("local timeout: %v", err)
	}
	if d := time.Since(start); d > 15*time.Second {
		t.Errorf("it took %s: something waited for the child", d)
	}
}

func TestTreeChangeOutlivesItsCaller(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.CommitFiles("base", "-- a.go --\na\n")
	done := r.Path("../done")
	r.Script(".git/hooks/post-checkout", "sleep 0.5; touch "+done+"\n")
	ctx, cancel := context.WithTimeout(context.Background(), 150*time.Millisecond)
	defer cancel()
	if err := open(t, r.Dir).SwitchNew(ctx, "x", ""); err != nil {
		t.Errorf("detached: %v", err)
	}
	if _, err := os.Stat(done); err != nil {
		t.Error("the user's hook did not run to its end")
	}
}

func TestUsersHooksDoNotRunForOwnRefs(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	remote := gittest.Bare(t)
	r := remote.Clone()
	c := r.CommitFiles("base", "-- a.go --\na\n")
	r.Git("push", "-q", "origin", "HEAD:main")
	ran := r.Path("../ran")
	for _, h := range []string{"pre-push", "reference-transaction", "post-index-change"} {
		r.Script(".git/hooks/"+h, "echo "+h+" >>"+ran+"; exit 1\n")
	}
	w := open(t, r.Dir)
	m := w.Remote("origin")
	if err := w.Apply(ctx, Create("refs/gitlet/x", c)); err != nil {
		t.Error(err)
	}
	if res, err := m.PushMeta(ctx, RefPush{OID: c, Ref: "refs/gitlet/x"}); err != nil || res.Refs[0].Status != PushAccepted {
		t.Errorf("%+v %v", res, err)
	}
	if err := m.Fetch(ctx, FetchOptions{}, "+refs/gitlet/*:refs/gitlet-remote/origin/*"); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile(ran); err == nil {
		t.Errorf("hooks ran: %s", b)
	}
	if _, err := m.PushBranch(ctx, RefPush{OID: c, Ref: "refs/heads/new"}); err == nil {
		t.Error("the user's pre-push hook must be able to stop a branch push")
	}
	if b, err := os.ReadFile(ran); err != nil || !strings.Contains(string(b), "pre-push") {
		t.Errorf("pre-push did not run: %q %v", b, err)
	}
}

func TestHostileConfiguration(t *testing.T) {
	// Not parallel: the configuration comes from the home of this process.
	home := gittest.Seal(t)
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(home, ".gitconfig"))
	remote := gittest.Bare(t)
	r := remote.Clone()
	c := r.CommitFiles("base", "-- a.go --\nfunc target() {}\n-- dir/b.go --\npackage b\n")
	r.Git("tag", "v1")
	r.Git("push", "-q", "origin", "HEAD:main")
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(`
[color]
	ui = always
	branch = always
[core]
	pager = false
	quotePath = true
	abbrev = 6
[column]
	ui = always
[grep]
	lineNumber = true
	column = true
	patternType = perl
	fullName = false
[diff]
	noprefix = true
	mnemonicPrefix = true
	renames = false
	external = false
	ignoreSubmodules = all
[log]
	showSignature = true
	follow = true
	decorate = full
	date = relative
	abbrevCommit = true
[status]
	showUntrackedFiles = no
	short = true
	branch = true
	showStash = true
	relativePaths = false
[push]
	followTags = true
	default = nothing
[fetch]
	prune = true
	pruneTags = true
	recurseSubmodules = true
	writeCommitGraph = true
[submodule]
	recurse = true
[commit]
	gpgSign = true
	template = /nonexistent
[tag]
	gpgSign = true
[user]
	useConfigOnly = true
[advice]
	detachedHead = true
[branch]
	autoSetupMerge = always
[format]
	pretty = %h nonsense
[i18n]
	logOutputEncoding = ISO-8859-1
	commitEncoding = ISO-8859-1
[merge]
	renames = false
	conflictStyle = diff3
`), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	w := open(t, r.Dir)
	everything(ctx, t, w, c)
	r.Git("config", "push.gpgSign", "true")
	r.Git("config", "push.pushOption", "nobody-takes-this")
	if res, err := w.Remote("origin").PushMeta(ctx, RefPush{OID: c, Ref: "refs/gitlet/y"}); err != nil || res.Refs[0].Status != PushAccepted {
		t.Errorf("signing and options are the user's: %+v %v", res, err)
	}
	if _, err := w.Remote("origin").PushBranch(ctx, RefPush{OID: c, Ref: "refs/heads/y"}); err == nil || errors.Is(err, ErrNetwork) {
		t.Errorf("a push that cannot be signed: %v", err)
	}
	r.Write("ünï new.go", "x\n")
	st, err := w.Status(ctx, UntrackedAll)
	if err != nil || !slices.Equal(st.Untracked, []string{"ünï new.go"}) {
		t.Errorf("%+v %v", st, err)
	}
	for _, rev := range []string{"", "HEAD"} {
		if got, err := w.Grep(ctx, rev, []string{"target"}); err != nil || !slices.Equal(got, []string{"a.go"}) {
			t.Errorf("grep %q: %q %v", rev, got, err)
		}
	}
	if log, err := w.Log(ctx, LogOptions{Max: 1}); err != nil || len(log) != 1 || log[0].OID != c || log[0].Message != "base\n" {
		t.Errorf("%+v %v", log, err)
	}
	r.Git("mv", "a.go", "moved.go")
	c2 := r.Commit("moved")
	if d, err := w.DiffTrees(ctx, c, c2); err != nil || len(d) != 2 || d[0].Status != 'R' {
		t.Errorf("%+v %v", d, err)
	}
	if tags := remote.Git("tag"); tags != "" {
		t.Errorf("a tag was pushed along: %s", tags)
	}
}
