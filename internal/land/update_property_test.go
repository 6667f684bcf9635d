package land

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gitlet/internal/git"
	"gitlet/internal/git/gittest"
	"gitlet/internal/snapshot"
	"gitlet/internal/symbols"
)

var (
	updateRounds = flag.Int("updaterounds", 4, "how many random branches TestUpdateEqualsRebase brings up to date")
	updateSeed   = flag.Uint64("updateseed", 1, "where the random branches begin")
)

// field is a random repository whose branch "work" and main went apart.
type field struct {
	*gittest.Repo
	t   *testing.T
	rng *rand.Rand
	log []string
	new int // files made so far
}

func (f *field) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatalf("%v\nafter:\n%s", err, strings.Join(f.log, "\n"))
	}
}

func (f *field) pick(list []string) string { return list[f.rng.IntN(len(list))] }

// text makes a file of numbered lines, in one language or none.
func (f *field) text(name string) string {
	var b strings.Builder
	if strings.HasSuffix(name, ".go") {
		b.WriteString("package p\n\n")
		for i := range 6 {
			fmt.Fprintf(&b, "func F%d() int { return %d }\n\n", i, i)
		}
		return b.String()
	}
	for i := range 12 {
		fmt.Fprintf(&b, "%s %d\n", filepath.Base(name), i)
	}
	return b.String()
}

var fieldNames = []string{"a.txt", "b.txt", "c.go", "dir/d.txt", "dir/sub/ü nï.txt", "sp ace.md", "dir/run.sh", `"quoted".txt`, "new\nline.txt"}

// newField makes the repository, with both branches and the work tree on "work".
func newField(t *testing.T, seed uint64) *field {
	var options []string
	rng := rand.New(rand.NewPCG(seed, 11))
	if rng.IntN(8) == 0 {
		options = append(options, "--object-format=sha256")
	}
	f := &field{Repo: gittest.New(t, options...), t: t, rng: rng}
	f.Write(".gitignore", "build/\n*.log\n")
	f.Write("dir/.gitignore", "*.tmp\n")
	if rng.IntN(4) == 0 {
		f.Write(".gitattributes", f.pick([]string{"* text=auto\n", "*.txt text eol=crlf\n"}))
	}
	for _, n := range fieldNames {
		f.Write(n, f.text(n))
	}
	f.Write("bin.dat", "\x00\x01binary\xff")
	f.must(os.Symlink("a.txt", f.Path("link")))
	f.link(1)
	f.Commit("Base")
	f.Git("branch", "work")
	for range 1 + rng.IntN(3) {
		f.change("main")
	}
	f.Git("checkout", "-q", "work")
	for range 1 + rng.IntN(4) {
		f.change("work")
	}
	if rng.IntN(3) == 0 { // something of the branch is on main already
		f.Git("checkout", "-q", "main")
		if out, err := f.TryGit("cherry-pick", "--allow-empty", "work"); err != nil {
			f.log = append(f.log, "no pick: "+out)
			f.Git("cherry-pick", "--abort")
		}
		f.Git("checkout", "-q", "work")
	}
	for range rng.IntN(5) {
		f.dirty()
	}
	return f
}

// link lets the submodule "mod" stand at a commit that is nowhere.
func (f *field) link(n int) {
	oid := strings.Repeat(fmt.Sprint(n), len(f.Git("hash-object", "-t", "tree", os.DevNull)))
	f.must(os.MkdirAll(f.Path("mod"), 0o777))
	f.Git("update-index", "--add", "--cacheinfo", "160000,"+oid+",mod")
}

// change commits one to three edits.
func (f *field) change(branch string) {
	for range 1 + f.rng.IntN(3) {
		f.edit(branch)
	}
	if f.rng.IntN(12) == 0 {
		f.link(1 + f.rng.IntN(3))
	}
	f.Commit(fmt.Sprintf("%s %d", branch, len(f.log)))
}

// file is a random regular file that git knows and that is there, "" for none.
func (f *field) file() string {
	var all []string
	for p := range strings.SplitSeq(strings.TrimSuffix(f.Git("ls-files", "-z"), "\x00"), "\x00") {
		if fi, err := os.Lstat(f.Path(p)); err == nil && fi.Mode().IsRegular() && !strings.HasSuffix(p, ".gitignore") && p != ".gitattributes" {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return f.pick(all)
}

// edit does one thing to the work tree.
func (f *field) edit(who string) {
	name, op := f.file(), f.rng.IntN(16)
	f.log = append(f.log, fmt.Sprintf("%s: edit %d %q", who, op, name))
	if name == "" {
		return
	}
	full := f.Path(name)
	lines := strings.SplitAfter(f.Read(name), "\n")
	at := f.rng.IntN(len(lines))
	switch op {
	case 0, 1, 2, 3, 4, 5:
		lines[at] = fmt.Sprintf("%s %s changed %d\n", filepath.Base(name), who, f.rng.IntN(3))
	case 6, 7:
		lines = slices.Insert(lines, at, fmt.Sprintf("%s added %d\n", who, f.rng.IntN(9)))
	case 8:
		lines = slices.Delete(lines, at, at+1)
	case 9:
		f.new++
		f.Write(fmt.Sprintf("%s/new%d.txt", f.pick([]string{"dir", "e", "a.txt.d"}), f.new), f.text(who))
		return
	case 10:
		f.must(os.Remove(full))
		return
	case 11:
		f.new++
		to := f.Path(fmt.Sprintf("dir/moved%d-%s", f.new, filepath.Base(name)))
		f.must(os.MkdirAll(filepath.Dir(to), 0o777))
		f.must(os.Rename(full, to))
		return
	case 12:
		f.Write("bin.dat", fmt.Sprintf("\x00\x01%s%d\xff", who, f.rng.IntN(3)))
		return
	case 13:
		fi, err := os.Stat(full)
		f.must(err)
		f.must(os.Chmod(full, fi.Mode().Perm()^0o111))
		return
	case 14:
		f.must(os.RemoveAll(f.Path("link")))
		f.must(os.Symlink(f.pick([]string{"b.txt", "nowhere", "dir"}), f.Path("link")))
		return
	case 15:
		for i := range lines {
			lines[i] = strings.ReplaceAll(strings.ReplaceAll(lines[i], "\r\n", "\n"), "\n", "\r\n")
		}
	}
	f.must(os.WriteFile(full, []byte(strings.Join(lines, "")), 0o666))
}

// dirty leaves something uncommitted.
func (f *field) dirty() {
	op := f.rng.IntN(8)
	f.log = append(f.log, fmt.Sprintf("dirty %d", op))
	switch op {
	case 0, 1, 2:
		f.edit("dirty")
	case 3:
		f.edit("dirty")
		f.Git("add", "-A")
	case 4:
		f.edit("staged")
		f.Git("add", "-A")
		f.edit("dirty")
	case 5:
		f.new++
		f.Write(fmt.Sprintf("untracked%d.txt", f.new), f.text("untracked"))
	case 6:
		f.new++
		f.Write("meant.txt", f.text("meant"))
		_, _ = f.TryGit("add", "-N", "meant.txt") // it may be known by then
	case 7:
		f.Write("build/out.txt", "built\n")
	}
}

// treeOf is the tree of the work tree, everything that is not ignored included.
func (f *field) treeOf() string {
	index := filepath.Join(f.t.TempDir(), "index")
	run := func(args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir = f.Dir
		cmd.Env = append(gittest.Env(filepath.Dir(f.Dir)), "GIT_INDEX_FILE="+index)
		out, err := cmd.Output()
		f.must(err)
		return strings.TrimSpace(string(out))
	}
	data, err := os.ReadFile(f.Path(".git/index"))
	f.must(err)
	f.must(os.WriteFile(index, data, 0o666))
	run("-c", "core.safecrlf=false", "add", "-A")
	return run("write-tree")
}

// expected is what plain git makes of the branch and of what is uncommitted.
type expected struct {
	stopped, clash              string // why the rebase, or carrying the rest along, did not go
	tree, commits, staged, work string
	wasTree, wasStaged, wasWork string
}

const commitsOf = "--format=%T %an %ae %at %B"

// plain rebases in a copy, and picks what is uncommitted on top.
func (f *field) plain() expected {
	x := expected{wasStaged: f.Git("write-tree"), wasWork: f.treeOf(), wasTree: f.Git("rev-parse", "HEAD^{tree}")}
	dir := filepath.Join(f.t.TempDir(), "repo")
	f.must(exec.Command("cp", "-a", f.Dir, dir).Run())
	c := gittest.At(f.t, dir)
	parent := c.Git("rev-parse", "HEAD")
	var picks []string
	commit := func(tree string) {
		parent = c.Git("commit-tree", "-p", parent, "-m", "uncommitted", tree)
		picks = append(picks, parent)
	}
	if x.wasStaged != x.wasTree {
		commit(x.wasStaged)
	}
	if x.wasWork != x.wasStaged {
		commit(x.wasWork)
	}
	c.Git("reset", "-q", "--hard")
	c.Git("clean", "-qffd")
	if out, err := c.TryGit("-c", "rerere.enabled=false", "rebase", "-q", "--no-autostash", "main"); err != nil {
		x.stopped = out
		return x
	}
	x.tree = c.Git("rev-parse", "HEAD^{tree}")
	x.commits = c.Git("log", commitsOf, "main..HEAD")
	x.staged, x.work = x.tree, x.tree
	for i, p := range picks {
		if out, err := c.TryGit("-c", "rerere.enabled=false", "cherry-pick", "--allow-empty", "--keep-redundant-commits", p); err != nil {
			x.clash = out
			return x
		}
		x.work = c.Git("rev-parse", "HEAD^{tree}")
		if i == 0 && x.wasStaged != x.wasTree {
			x.staged = x.work
		}
	}
	return x
}

// scene is all that a refused update leaves as it was.
type scene struct {
	git   []string
	files map[string]string // mode, content
	times map[string]time.Time
}

func (f *field) scene() scene {
	s := scene{files: map[string]string{}, times: map[string]time.Time{}}
	for _, args := range [][]string{{"status", "--porcelain=v2", "-z", "--ignored"}, {"ls-files", "-s", "-z"}, {"for-each-ref", "refs/heads", "refs/stash"},
		{"reflog", "-3"}, {"symbolic-ref", "HEAD"}, {"worktree", "list"}} {
		s.git = append(s.git, f.Git(append([]string{"--no-optional-locks"}, args...)...))
	}
	f.must(filepath.WalkDir(f.Dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(f.Dir, p)
		if rel == ".git" {
			return filepath.SkipDir
		}
		info, err := d.Info()
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.Readlink(p)
		if info.Mode().IsRegular() {
			var data []byte
			data, err = os.ReadFile(p)
			text = string(data)
		}
		s.files[rel], s.times[rel] = fmt.Sprintf("%s %q", info.Mode(), text), info.ModTime()
		return err
	}))
	return s
}

// TestUpdateEqualsRebase brings random branches with uncommitted work up to date. Where
// plain git can rebase the branch and pick the rest on top, update gives the same commits,
// index and files, unless the proof finds the merge wrong; where git stops, it refuses. A
// refused update leaves no trace, and one that is done touches no file that stays the same.
func TestUpdateEqualsRebase(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	tally := map[string]int{}
	t.Run("rounds", func(t *testing.T) {
		for i := range *updateRounds {
			seed := *updateSeed + uint64(i)
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				what := updateRound(t, newField(t, seed))
				mu.Lock()
				defer mu.Unlock()
				tally[what]++
			})
		}
	})
	t.Log(tally)
}

func updateRound(t *testing.T, f *field) string {
	want := f.plain()
	before := f.scene()
	wt, err := git.Open(context.Background(), f.Dir)
	f.must(err)
	onto := f.Git("rev-parse", "main")
	done, err := Update(context.Background(), wt, Options{Agent: "a-b-000001", Now: time.Now(), Onto: onto, Name: "main", Cache: symbols.NewCache(symbols.DefaultLimits, 0)})
	fail := func(format string, args ...any) {
		t.Errorf(format, args...)
		t.Fatalf("plain git: %q %q\nupdate: %v\nafter:\n%s", want.stopped, want.clash, err, strings.Join(f.log, "\n"))
	}
	after := f.scene()
	if err != nil {
		for i := range before.git {
			if before.git[i] != after.git[i] {
				fail("a refused update changed\n%q to\n%q", before.git[i], after.git[i])
			}
		}
		for p := range before.files {
			if before.files[p] != after.files[p] || !before.times[p].Equal(after.times[p]) {
				fail("a refused update changed %q of %s to %q of %s", before.files[p], before.times[p], after.files[p], after.times[p])
			}
		}
		if len(before.files) != len(after.files) {
			fail("a refused update left %d files of %d", len(after.files), len(before.files))
		}
		var conflict *ConflictError
		var unproven *UnprovenError
		var differs *DiffersError
		var inWay *snapshot.InTheWayError
		switch {
		case errors.As(err, &conflict) && want.stopped+want.clash != "":
			return "both stop"
		case errors.As(err, &unproven):
			return "unproven"
		case errors.As(err, &differs) && want.stopped == "":
			return "a merge differs"
		case errors.As(err, &inWay):
			return "an ignored file is in the way"
		}
		fail("refused without need")
	}
	if want.stopped+want.clash != "" {
		fail("done where git stops")
	}
	if got := f.Git("rev-parse", "HEAD^{tree}"); got != want.tree {
		fail("the tree is %s, want %s: %s", got, want.tree, f.Git("diff", "--stat", want.tree, got))
	}
	if got := f.Git("log", commitsOf, "main..HEAD"); got != want.commits {
		fail("the commits are\n%s\nwant\n%s", got, want.commits)
	}
	if got := f.Git("write-tree"); got != want.staged {
		fail("the index is %s, want %s", got, want.staged)
	}
	if got := f.treeOf(); got != want.work {
		fail("the work tree is %s, want %s", got, want.work)
	}
	for p, text := range before.files {
		if after.files[p] == text && !before.times[p].Equal(after.times[p]) {
			fail("%q was written again with what it had", p)
		}
	}
	if out := f.Git("stash", "list") + f.Git("for-each-ref", "refs/heads/main"); !strings.Contains(out, onto) || strings.Contains(out, "stash@") {
		fail("something else moved: %q", out)
	}
	if (want.wasStaged != want.wasTree || want.wasWork != want.wasStaged) != (done.Carried > 0) {
		fail("%d files are said to be carried along", done.Carried)
	}
	if done.Carried > 0 {
		return "same, with uncommitted work"
	}
	return "same"
}
