package git

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"gitlet/internal/git/gittest"
)

// trace makes every git process of this test report to a file.
func trace(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "trace")
	for _, kv := range gittest.TraceEnv(file) {
		name, value, _ := strings.Cut(kv, "=")
		t.Setenv(name, value)
	}
	return file
}

// TestEveryProcessKeepsTheRules runs the operations of the package under git's own
// event trace, in an environment as hostile as a hook's can be, and checks the
// command line and environment of every process.
func TestEveryProcessKeepsTheRules(t *testing.T) {
	ctx := context.Background()
	remote, decoy := gittest.Bare(t), gittest.New(t)
	r := remote.Clone()
	base := r.CommitFiles("base", "-- a.go --\npackage a\n-- dir/b.go --\npackage b\n")
	r.Git("push", "-q", "origin", "HEAD:main")
	r.Git("worktree", "add", "-q", "../linked", "-b", "linked")
	for _, dir := range []string{r.Dir, filepath.Join(r.Dir, "dir"), filepath.Join(r.Dir, "../linked")} {
		file := trace(t)
		for name, value := range map[string]string{"GIT_DIR": decoy.Path(".git"), "GIT_INDEX_FILE": decoy.Path(".git/index"),
			"GIT_WORK_TREE": decoy.Dir, "GIT_OBJECT_DIRECTORY": decoy.Path(".git/objects"), "GIT_COMMON_DIR": decoy.Path(".git"),
			"GIT_PREFIX": "x/", "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "user.name", "GIT_CONFIG_VALUE_0": "Decoy",
			"GIT_NAMESPACE": "decoy", "GIT_ASKPASS": "/bin/false", "SSH_ASKPASS": "/bin/false", "GIT_EDITOR": "vi",
			"GIT_SEQUENCE_EDITOR": "vi", "GIT_PAGER": "less", "LC_ALL": "de_DE.UTF-8", "GIT_LITERAL_PATHSPECS": "1"} {
			t.Setenv(name, value)
		}
		for _, foreground := range []bool{false, true} {
			w, err := Open(ctx, dir)
			if err != nil {
				t.Fatal(err)
			}
			if foreground {
				w = w.Foreground()
			}
			everything(ctx, t, w, base)
		}
		gittest.CheckTrace(t, file)
		if n := len(gittest.Started(t, file)); n < 60 {
			t.Errorf("only %d processes", n)
		}
	}
	if out := decoy.Git("for-each-ref") + decoy.Git("status", "--porcelain"); out != "" {
		t.Errorf("the decoy was touched: %s", out)
	}
}

// everything calls each operation once; any order of it may run again.
func everything(ctx context.Context, t *testing.T, w *Worktree, base string) {
	t.Helper()
	must := func(errs ...error) {
		t.Helper()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	conf, err := w.Config(ctx)
	must(err, w.SetConfig(ctx, "gitlet.test", "-x"), w.UnsetConfig(ctx, "gitlet.test"), w.UnsetConfig(ctx, "gitlet.test"))
	if len(conf.Remotes()) != 1 || conf.Partial() {
		t.Errorf("remotes %v", conf.Remotes())
	}
	commit, err := w.CommitFile(ctx, "state.json", []byte("{}"), nil, "gitlet: state")
	must(err)
	must(w.Apply(ctx, Set("refs/gitlet/x", commit)), w.Apply(ctx, Delete("refs/gitlet/x", commit)), w.Apply(ctx))
	m := w.Remote("origin")
	for _, push := range []RefPush{{OID: commit, Ref: "refs/gitlet/x", Lease: MustNotExist}, {Ref: "refs/gitlet/x", Lease: Expect(commit)}} {
		res, err := m.PushMeta(ctx, push)
		must(err)
		if res.Refs[0].Status != PushAccepted {
			t.Errorf("push: %+v", res)
		}
	}
	_, err = m.PushBranch(ctx, RefPush{OID: base, Ref: "refs/heads/main"})
	must(err, m.Fetch(ctx, FetchOptions{Prune: true}, "+refs/gitlet/*:refs/gitlet-remote/origin/*", "+refs/heads/main:refs/gitlet-main/origin"),
		m.FetchTracking(ctx, "main"))
	_, err1 := m.Heads(ctx)
	_, err2 := m.LsRemote(ctx, "refs/gitlet/*")
	_, err3 := m.URL(ctx)
	_, err4 := w.Refs(ctx, "refs/heads")
	_, err5 := w.SymbolicRef(ctx, "HEAD")
	must(err1, err2, err3, err4, err5)
	_, err1 = w.Head(ctx)
	_, err2 = w.MergeBase(ctx, base, "HEAD")
	_, err3 = w.IsAncestor(ctx, base, "HEAD")
	_, err4 = w.Resolve(ctx, "HEAD", "nothing")
	_, err5 = w.Tree(ctx, "HEAD", "dir")
	must(err1, err2, err3, err4, err5)
	cat := w.NewCatFile(ctx)
	defer cat.Close()
	_, err1 = cat.Read("HEAD:a.go", 0)
	_, err2 = cat.Read("HEAD:a\nb", 0)
	_, err3 = w.DiffTrees(ctx, "", base)
	_, err4 = w.Status(ctx, UntrackedAll)
	_, err5 = w.Grep(ctx, "HEAD", []string{"package"})
	must(err1, err2, err3, err4, err5)
	_, err1 = w.Log(ctx, LogOptions{Max: 2})
	_, err2 = w.RevList(ctx, []string{"HEAD"}, nil, []string{"refs/remotes/origin"}, 0)
	_, err3 = w.CommitChanges(ctx, []string{base})
	_, err4 = w.Attribute(ctx, "filter", []string{"a.go"})
	_, err5 = w.Submodules(ctx)
	must(err1, err2, err3, err4, err5)
	if w.Version.MergeTree() {
		_, err1 = w.PredictMerge(ctx, base, "HEAD^{commit}")
		_, err2 = w.MergeTree(ctx, base, "HEAD")
		if !errors.Is(err1, ErrCannotTell) { // a scratch repository knows no HEAD
			t.Errorf("predict: %v", err1)
		}
		_, err1 = w.PredictMerge(ctx, base, base)
		must(err1, err2)
	}
	stamp, err := w.IndexStamp()
	must(err)
	x, err := w.CopyIndex(stamp)
	must(err)
	defer x.Close()
	must(x.Put(ctx, []IndexEntry{{Mode: "000000", Path: "a.go"}}), x.Add(ctx, []string{"a.go"}))
	tree, err := x.WriteTree(ctx)
	must(err)
	if want, err := w.ResolveOne(ctx, base+"^{tree}"); err != nil || tree != want {
		t.Errorf("tree %s, want %s (%v)", tree, want, err)
	}
	name := "new-" + commit[:6] + "-" + filepath.Base(t.TempDir())
	must(w.SwitchNew(ctx, name, ""))
	_, err1 = w.BranchExists(ctx, name)
	_, err2 = w.ValidBranch(ctx, "a..b")
	_, err3 = w.Operation(ctx)
	_, err4 = w.Worktrees(ctx)
	_, err5 = w.HooksDir(ctx)
	must(err1, err2, err3, err4, err5)
}
