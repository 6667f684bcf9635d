package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gitlet/internal/git/gittest"
)

func TestApply(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := gittest.New(t)
	one := r.CommitFiles("one", "-- a.go --\n1\n")
	two := r.CommitFiles("two", "-- a.go --\n2\n")
	w := open(t, r.Dir)
	for _, s := range []struct {
		changes []RefChange
		want    error
	}{
		{[]RefChange{Create("refs/gitlet/a", one), Create("refs/gitlet/b", one)}, nil},
		{[]RefChange{Create("refs/gitlet/a", two)}, ErrRefMoved},
		{[]RefChange{Set("refs/gitlet/c", one), Update("refs/gitlet/b", two, two)}, ErrRefMoved},
		{[]RefChange{Update("refs/gitlet/b", two, one), Delete("refs/gitlet/a", one)}, nil},
		{[]RefChange{Delete("refs/gitlet/b", one)}, ErrRefMoved},
		{[]RefChange{Delete("refs/gitlet/none", "")}, nil},
		{[]RefChange{Delete("refs/gitlet/none", one)}, ErrRefMoved},
		{[]RefChange{Create("refs/gitlet/b/c", one)}, ErrRefName},
		{[]RefChange{Create("refs/gitlet/..", one)}, ErrRefName},
		{[]RefChange{Create("refs/gitlet/x\x00y", one)}, ErrRefName},
	} {
		if err := w.Apply(ctx, s.changes...); !errors.Is(err, s.want) {
			t.Errorf("%+v: %v, want %v", s.changes, err, s.want)
		}
	}
	refs, err := w.Refs(ctx, "refs/gitlet")
	if err != nil || fmt.Sprint(refs) != "map[refs/gitlet/b:"+two+"]" {
		t.Errorf("%v %v", refs, err)
	}
	r.Write(".git/refs/gitlet/locked.lock", "")
	soon := time.Now().Add(time.Minute) // an old one is one that a killed git left
	if err := os.Chtimes(r.Path(".git/refs/gitlet/locked.lock"), soon, soon); err != nil {
		t.Fatal(err)
	}
	if err := w.Apply(ctx, Create("refs/gitlet/locked", one)); !errors.Is(err, ErrRefLocked) {
		t.Errorf("locked: %v", err)
	}
	if _, err := os.Stat(r.Path(".git/logs/refs/gitlet")); err == nil {
		t.Error("own refs must have no reflog")
	}
}

func TestHeadAndResolve(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := gittest.New(t)
	w := open(t, r.Dir)
	if h, err := w.Head(ctx); err != nil || !h.Unborn() || h.Branch != "main" {
		t.Errorf("unborn: %+v %v", h, err)
	}
	c := r.CommitFiles("one", "-- a.go --\n1\n")
	if h, err := w.Head(ctx); err != nil || h.OID != c || h.Branch != "main" {
		t.Errorf("branch: %+v %v", h, err)
	}
	r.Git("checkout", "-q", "--detach")
	if h, err := w.Head(ctx); err != nil || h.OID != c || !h.Detached() {
		t.Errorf("detached: %+v %v", h, err)
	}
	got, err := w.Resolve(ctx, "HEAD", "nothing", c+"^{tree}", c+"^1", "-x")
	if err != nil || !slices.Equal(got, []string{c, "", r.Git("rev-parse", c+"^{tree}"), "", ""}) {
		t.Errorf("%q %v", got, err)
	}
	if _, err := w.ResolveOne(ctx, "nothing"); !errors.Is(err, ErrNotFound) {
		t.Errorf("%v", err)
	}
	if got, err := w.Resolve(ctx, "a\nb", "", "HEAD", "a\x00"); err != nil || !slices.Equal(got, []string{"", "", c, ""}) {
		t.Errorf("%q %v", got, err)
	}
}

func TestAncestry(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	remote := gittest.New(t)
	one := remote.CommitFiles("one", "-- a.go --\n1\n")
	remote.Git("checkout", "-q", "-b", "side")
	side := remote.CommitFiles("side", "-- b.go --\n1\n")
	remote.Git("checkout", "-q", "main")
	two := remote.CommitFiles("two", "-- a.go --\n2\n")
	w := open(t, remote.Dir)
	if mb, err := w.MergeBase(ctx, side, two); err != nil || mb != one {
		t.Errorf("%s %v", mb, err)
	}
	if ok, err := w.IsAncestor(ctx, one, two); err != nil || !ok {
		t.Errorf("%v %v", ok, err)
	}
	if ok, err := w.IsAncestor(ctx, side, two); err != nil || ok {
		t.Errorf("%v %v", ok, err)
	}
	if _, err := w.IsAncestor(ctx, "nothing", two); err == nil {
		t.Error("an unknown name is an error, not a no")
	}
	shallow := remote.Clone("--depth", "1", "--no-single-branch")
	ws := open(t, shallow.Dir)
	if _, err := ws.MergeBase(ctx, "origin/side", "origin/main"); !errors.Is(err, ErrNoMergeBase) {
		t.Errorf("shallow: %v", err)
	}
	for _, predict := range []func() (*Merge, error){
		func() (*Merge, error) { return ws.PredictMerge(ctx, side, two) },
		func() (*Merge, error) { return ws.MergeTree(ctx, side, two) },
	} {
		m, err := predict()
		if want := ErrCannotTell; ws.Version.MergeTree() && !errors.Is(err, want) || !ws.Version.MergeTree() && !tooOld(err) {
			t.Errorf("shallow: %+v %v", m, err)
		}
	}
}

func tooOld(err error) bool {
	var old *TooOldError
	return errors.As(err, &old) && old.Need == mergeTreeVersion
}

func TestCatFile(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := gittest.New(t)
	big := strings.Repeat("x", 100000)
	r.CommitFiles("one", "-- a.go --\n1\n-- big --\n"+big+"\n-- empty --\n")
	r.Write("odd\nname", "odd\n")
	r.Write("a b missing", "spaces\n")
	r.Commit("odd")
	w := open(t, r.Dir)
	cat := w.NewCatFile(ctx)
	defer cat.Close()
	for _, c := range []struct {
		name  string
		limit int64
		want  string
		found bool
	}{
		{"HEAD:a.go", 0, "1\n", true}, {"HEAD:big", 1000, "", true}, {"HEAD:empty", 10, "", true}, {"HEAD:none", 0, "", false},
		{"HEAD:odd\nname", 0, "odd\n", true}, {"HEAD:no\nname", 0, "", false}, {"HEAD:a b missing", 0, "spaces\n", true},
		{"", 0, "", false}, {"a\x00b", 0, "", false}, {strings.Repeat("1", 40), 0, "", false}, {"-x\ny", 0, "", false}, {"HEAD:a.go", 2, "1\n", true},
	} {
		o, err := cat.Read(c.name, c.limit)
		if err != nil || o.Found != c.found || string(o.Data) != c.want {
			t.Errorf("%q: %+v %v", c.name, o, err)
		}
	}
	if o, err := cat.Read("HEAD", 0); err != nil || o.Type != "commit" {
		t.Errorf("%+v %v", o, err)
	}
	cat.Close()
	if _, err := cat.Read("HEAD:a.go", 0); err == nil {
		t.Error("a closed reader read")
	}
	short, cancel := context.WithCancel(ctx)
	cut := w.NewCatFile(short)
	defer cut.Close()
	if _, err := cut.Read("HEAD:a.go", 0); err != nil {
		t.Fatal(err)
	}
	cancel()
	deadline := time.Now().Add(10 * time.Second)
	for {
		_, err := cut.Read("HEAD:a.go", 0)
		if errors.Is(err, context.Canceled) {
			break
		}
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("after cancel: %v", err)
		}
	}
}

func TestPartialClone(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	remote := gittest.New(t)
	remote.Git("config", "uploadpack.allowFilter", "true")
	remote.Git("config", "uploadpack.allowAnySHA1InWant", "true")
	one := remote.CommitFiles("one", "-- a.go --\nfunc f7() {}\n-- b.go --\nb\n")
	remote.Git("mv", "b.go", "c.go")
	remote.Write("c.go", "b\nand more\n")
	two := remote.Commit("two")
	r := remote.Clone("--filter=blob:none", "--no-checkout")
	w := open(t, r.Dir)
	count := func() string { return r.Git("count-objects", "-v") }
	before := count()
	cat := w.NewCatFile(ctx)
	defer cat.Close()
	for _, name := range []string{two + ":a.go", two, two + ":c.go", two + ":none"} {
		o, err := cat.Read(name, 0)
		if err != nil || o.Found != (name == two) {
			t.Errorf("%s: %+v %v", name, o, err)
		}
	}
	oids, err := w.Resolve(ctx, two+"^{tree}", two+":a.go", "nothing")
	if err != nil || oids[0] == "" || oids[2] != "" {
		t.Errorf("%q %v", oids, err)
	}
	if d, err := w.DiffTrees(ctx, one, two); err != nil || len(d) != 2 {
		t.Errorf("%+v %v", d, err)
	}
	if _, err := w.Grep(ctx, two, []string{"f7"}); err != nil && !errors.Is(err, ErrPartial) {
		t.Errorf("grep: %v", err)
	}
	if after := count(); after != before {
		t.Errorf("objects were fetched in the background:\n%s\n%s", before, after)
	}
	if conf, err := w.Config(ctx); err != nil || !conf.Partial() {
		t.Errorf("not seen as partial: %v", err)
	}
	if got, err := w.Foreground().Grep(ctx, two, []string{"f7"}); err != nil || !slices.Equal(got, []string{"a.go"}) {
		t.Errorf("foreground grep: %q %v", got, err)
	}
}

func TestCommitIdentity(t *testing.T) {
	// Not parallel: the identity comes from the environment of this process.
	gittest.Seal(t)
	r := gittest.New(t)
	r.CommitFiles("base", "-- a.go --\na\n")
	ctx := context.Background()
	who := func() string {
		t.Helper()
		w := open(t, r.Dir)
		oid, err := w.CommitTree(ctx, w.EmptyTree(), nil, "gitlet: state")
		if err != nil {
			t.Fatal(err)
		}
		if again, err := w.CommitTree(ctx, w.EmptyTree(), []string{oid}, "x"); err != nil || again == oid {
			t.Errorf("again: %v", err)
		}
		const format = "--format=%an <%ae> %cn <%ce>"
		by := r.Git("log", "-1", format, oid)
		file, err := w.CommitFile(ctx, "x", nil, nil, "x")
		if got := r.Git("log", "-1", format, file); err != nil || got != by {
			t.Errorf("a file is committed by %q, a tree by %q: %v", got, by, err)
		}
		return by
	}
	if got := who(); got != "Fixture <fixture@example.com> Fixture <fixture@example.com>" {
		t.Errorf("environment: %s", got)
	}
	for _, v := range []string{"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"} {
		if err := os.Unsetenv(v); err != nil { // Seal puts it back
			t.Fatal(err)
		}
	}
	if got := who(); got != "gitlet <gitlet@localhost> gitlet <gitlet@localhost>" {
		t.Errorf("nobody: %s", got)
	}
	r.Git("config", "user.name", "Me")
	r.Git("config", "user.email", "me@x")
	r.Git("config", "commit.gpgSign", "true")
	r.Git("config", "gpg.program", "/bin/false")
	if got := who(); got != "Me <me@x> Me <me@x>" {
		t.Errorf("configuration: %s", got)
	}
}

func TestScratchMergesIgnoreAttributesAndLeaveNothing(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, format := range []string{"sha1", "sha256"} {
		r := gittest.New(t, "--object-format="+format)
		r.CommitFiles("base", "-- list.txt --\none\n-- .gitattributes --\n*.txt merge=union\n-- z.txt --\nz\n")
		r.Git("checkout", "-q", "-b", "other")
		other := r.CommitFiles("other", "-- list.txt --\none\ntwo\n")
		r.Git("checkout", "-q", "main")
		mine := r.CommitFiles("mine", "-- list.txt --\none\nthree\n")
		clean := r.CommitFiles("clean", "-- list.txt --\none\n-- z.txt --\nzz\n")
		r.Git("config", "merge.default", "boom")
		r.Git("config", "merge.boom.driver", "touch "+r.Path("../driver-ran")+"; false")
		w := open(t, r.Dir)
		if !w.Version.MergeTree() {
			if _, err := w.PredictMerge(ctx, mine, other); !tooOld(err) {
				t.Errorf("git %s: %v", w.Version, err)
			}
			continue
		}
		objects := r.Git("count-objects", "-v")
		m, err := w.PredictMerge(ctx, mine, other)
		if err != nil || !slices.Equal(m.Files(), []string{"list.txt"}) || m.Conflicts[0].Stages[2].OID != r.Git("rev-parse", mine+":list.txt") {
			t.Errorf("%s, as a forge: %+v %v", format, m, err)
		}
		if m, err := w.PredictMerge(ctx, clean, other); err != nil || !m.Clean() {
			t.Errorf("%s, clean: %+v %v", format, m, err)
		}
		s, err := w.NewScratch()
		if err != nil {
			t.Fatal(err)
		}
		m, err = s.MergeTree(ctx, clean, other)
		if err != nil {
			t.Fatal(err)
		}
		cat := s.NewCatFile(ctx)
		if o, err := cat.Read(m.Tree+":z.txt", 0); err != nil || string(o.Data) != "zz\n" {
			t.Errorf("the merged tree can be read while the scratch lives: %+v %v", o, err)
		}
		cat.Close()
		// From a base of its own, one that neither has, and with trees for commits.
		if m, err := s.MergeFrom(ctx, r.Git("rev-parse", mine+"^{tree}"), mine, other); err != nil || !m.Clean() {
			t.Errorf("%s, where only one side differs from the base: %+v %v", format, m, err)
		}
		if m, err := s.MergeFrom(ctx, clean, mine, m.Tree); err != nil || !slices.Equal(m.Files(), []string{"list.txt"}) {
			t.Errorf("%s, from a base of its own: %+v %v", format, m, err)
		}
		if _, err := s.MergeFrom(ctx, strings.Repeat("1", len(clean)), mine, other); err == nil {
			t.Errorf("%s: a base that is not here merges", format)
		}
		s.Close()
		if after := r.Git("count-objects", "-v"); after != objects {
			t.Errorf("objects landed in the repository:\n%s\n%s", objects, after)
		}
		if left, err := filepath.Glob(r.Path(".git/gitlet/*")); err != nil || len(left) > 0 {
			t.Errorf("left behind %q %v", left, err)
		}
		// In the repository itself the union driver of the checked-out attributes holds.
		if m, err := w.MergeTree(ctx, mine, other); err != nil || !m.Clean() {
			t.Errorf("%s, as update: %+v %v", format, m, err)
		}
		if _, err := os.Stat(r.Path("../driver-ran")); err == nil {
			t.Error("a configured driver ran")
		}
		if _, err := w.PredictMerge(ctx, "nothing", other); !errors.Is(err, ErrCannotTell) {
			t.Errorf("%v", err)
		}
	}
}

func TestSwitchNew(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := gittest.New(t)
	base := r.CommitFiles("base", "-- a.go --\na\n")
	r.CommitFiles("two", "-- a.go --\ntwo\n")
	w := open(t, r.Dir)
	r.Write("new.go", "n\n")
	if err := w.SwitchNew(ctx, "gitlet/x", ""); err != nil || r.Git("branch", "--show-current") != "gitlet/x" || r.Read("new.go") != "n\n" {
		t.Errorf("%v", err)
	}
	if err := w.SwitchNew(ctx, "gitlet/x", ""); !errors.Is(err, ErrExists) {
		t.Errorf("exists: %v", err)
	}
	if err := w.SwitchNew(ctx, "gitlet/x/y", ""); !errors.Is(err, ErrRefName) {
		t.Errorf("name clash: %v", err)
	}
	r.Write("a.go", "uncommitted\n")
	var over *OverwriteError
	if err := w.SwitchNew(ctx, "back", base); !errors.As(err, &over) || !slices.Equal(over.Files, []string{"a.go"}) {
		t.Errorf("overwrite: %v", err)
	}
	r.Git("checkout", "-q", "a.go")
	lock := r.Path(".git/index.lock")
	r.Write(".git/index.lock", "")
	var locked *LockedError
	if err := w.SwitchNew(ctx, "locked", base); !errors.As(err, &locked) || locked.Path != lock || !errors.Is(err, ErrIndexLocked) {
		t.Errorf("locked: %v", err)
	}
	if _, err := os.Stat(lock); err != nil {
		t.Error("the lock was removed")
	}
	if ok, err := w.BranchExists(ctx, "locked"); err != nil || ok {
		t.Errorf("a branch was left: %v %v", ok, err)
	}
	time.AfterFunc(200*time.Millisecond, func() { _ = os.Remove(lock) })
	if err := w.SwitchNew(ctx, "unlocked", base); err != nil {
		t.Errorf("a short lock is waited for: %v", err)
	}
	for name, want := range map[string]bool{"a/b": true, "a..b": false, "": false, "-x": false, "@{-1}": false, "x.lock": false, "ü": true} {
		if ok, err := w.ValidBranch(ctx, name); err != nil || ok != want {
			t.Errorf("ValidBranch(%q) = %v %v", name, ok, err)
		}
	}
}

func TestOperation(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for want, start := range map[string][]string{
		"merge": {"merge", "other"}, "cherry-pick": {"cherry-pick", "other"}, "rebase": {"rebase", "other"}, "revert": {"revert", "--no-edit", "HEAD~1"},
	} {
		r := gittest.New(t)
		r.CommitFiles("base", "-- a.go --\nbase\n")
		r.Git("branch", "other")
		r.CommitFiles("mine", "-- a.go --\nmine\n")
		r.CommitFiles("mine", "-- a.go --\nmine too\n")
		r.Git("checkout", "-q", "other")
		r.CommitFiles("other", "-- a.go --\nother\n")
		r.Git("checkout", "-q", "main")
		w := open(t, r.Dir)
		if op, err := w.Operation(ctx); err != nil || op != "" {
			t.Errorf("nothing: %q %v", op, err)
		}
		if _, err := r.TryGit(start...); err == nil {
			t.Fatalf("%q must stop", start)
		}
		if op, err := w.Operation(ctx); err != nil || op != want {
			t.Errorf("%q: %q %v", start, op, err)
		}
	}
}

func TestListings(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := gittest.New(t)
	one := r.CommitFiles("one", "-- sp ace.go --\npackage target\n-- dir/b.go --\nvar target_x int\n-- bin.dat --\ntarget\x00\n")
	r.Write("new\nline.go", "// target\n")
	two := r.Commit("two\n\nGitlet-Item: 12\n")
	w := open(t, r.Dir)
	for _, rev := range []string{"", "HEAD", two} {
		if got, err := w.Grep(ctx, rev, []string{"target"}); err != nil || !slices.Equal(got, []string{"new\nline.go", "sp ace.go"}) {
			t.Errorf("%q: %q %v", rev, got, err)
		}
		if got, err := w.Grep(ctx, rev, []string{"target", "target_x"}, "dir"); err != nil || !slices.Equal(got, []string{"dir/b.go"}) {
			t.Errorf("%q in dir: %q %v", rev, got, err)
		}
		if got, err := w.Grep(ctx, rev, []string{"-e", "absent"}); err != nil || len(got) != 0 {
			t.Errorf("%q nothing: %q %v", rev, got, err)
		}
	}
	if _, err := w.Grep(ctx, "-x", []string{"a"}); err == nil {
		t.Error("an option is no revision")
	}
	tree, err := w.Tree(ctx, two, "new\nline.go", "dir")
	if err != nil || len(tree) != 2 || tree[1].Path != "new\nline.go" {
		t.Errorf("%+v %v", tree, err)
	}
	log, err := w.Log(ctx, LogOptions{Not: []string{one}})
	if err != nil || len(log) != 1 || log[0].OID != two || log[0].Subject != "two" || !slices.Equal(log[0].Trailer("Gitlet-Item"), []string{"12"}) {
		t.Errorf("%+v %v", log, err)
	}
	if log, err := w.Log(ctx, LogOptions{Since: log[0].Time, Paths: []string{"new\nline.go"}}); err != nil || len(log) != 1 {
		t.Errorf("%+v %v", log, err)
	}
	if log, err := w.Log(ctx, LogOptions{Since: log[0].Time.Add(time.Second)}); err != nil || len(log) != 0 {
		t.Errorf("%+v %v", log, err)
	}
	r.Git("update-ref", "refs/gitlet-main/origin", one)
	r.Git("update-ref", "refs/gitlet-main/origin2", two)
	for refs, want := range map[string]int{"refs/gitlet-main/origin": 1, "refs/gitlet-main": 0, "refs/gitlet-main/orig": 2, "refs/none": 2} {
		if got, err := w.RevList(ctx, []string{"HEAD"}, nil, []string{refs}, 0); err != nil || len(got) != want {
			t.Errorf("not %s: %q %v", refs, got, err)
		}
	}
}

func TestHooksDir(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := gittest.New(t)
	r.CommitFiles("base", "-- a.go --\na\n")
	r.Git("worktree", "add", "-q", "../linked", "-b", "linked")
	l := open(t, filepath.Join(r.Dir, "../linked"))
	for _, c := range [][2]string{{"", r.Path(".git/hooks")}, {"/abs/hooks", "/abs/hooks"}, {".husky", filepath.Join(l.Root, ".husky")}} {
		if c[0] != "" {
			r.Git("config", "core.hooksPath", c[0])
		}
		if got, err := l.HooksDir(ctx); err != nil || got != c[1] {
			t.Errorf("%q: %q %v, want %q", c[0], got, err, c[1])
		}
	}
	conf, err := l.Config(ctx)
	if err != nil || !slices.Equal(conf.All("core.hooksPath"), []string{".husky"}) {
		t.Errorf("the package's own overrides show up as settings: %q %v", conf.All("core.hooksPath"), err)
	}
}
