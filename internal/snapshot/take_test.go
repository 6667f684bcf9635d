package snapshot

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gitlet/internal/config"
	"gitlet/internal/git/gittest"
)

const project = `
-- main.go --
package main
-- lib/a.go --
package lib
-- data.bin --
one
-- gone.go --
package gone
`

func TestTakeHoldsTheWorkTree(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	head := r.CommitFiles("base", project)
	r.Write("main.go", "package main // edited\n")
	r.Write("lib/staged.go", "package lib // staged\n")
	r.Git("add", "lib/staged.go")
	r.Write("lib/staged.go", "package lib // and edited after\n")
	r.Write("new.py", "x = 1\n")
	r.Write("notes.txt", "not source\n")
	r.Write(".env", "SECRET=1\n")
	r.Write("cmd/.env.local.go", "SECRET=1\n")
	r.Remove("gone.go")

	w := open(t, r.Dir)
	before := dotGit(t, r.Dir, w.GitDir)
	got := mustTake(t, r.Dir, source())
	compare(t, before, dotGit(t, r.Dir, w.GitDir))

	if want := "data.bin lib/a.go lib/staged.go main.go new.py"; files(r, got.Commit) != want {
		t.Errorf("files %q, want %q", files(r, got.Commit), want)
	}
	if s := r.Show(got.Commit, "lib/staged.go"); s != "package lib // and edited after\n" {
		t.Errorf("staged.go is %q", s)
	}
	if skips(got) != "cmd/.env.local.go:denied" {
		t.Errorf("skipped %q", skips(got))
	}
	if got.Parent != head || r.Git("log", "-1", "--format=%P %s", got.Commit) != head+" gitlet: snapshot" {
		t.Errorf("parent or message: %s", r.Git("log", "-1", "--format=%P %s", got.Commit))
	}
	if want := []string{"gone.go", "lib/staged.go", "main.go", "new.py"}; strings.Join(got.Files, " ") != strings.Join(want, " ") {
		t.Errorf("Files %q, want %q", got.Files, want)
	}
	left, err := filepath.Glob(filepath.Join(w.GitDir, "gitlet", "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %q %v", left, err)
	}
}

func TestTakeCleanAndSame(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	head := r.CommitFiles("base", project)
	p := source()
	if got := mustTake(t, r.Dir, p); !got.Clean || got.Commit != head {
		t.Fatalf("clean: %+v", got)
	}
	r.Write("notes.txt", "not taken\n")
	if got := mustTake(t, r.Dir, p); !got.Clean || got.Commit != head {
		t.Fatalf("only a file that is not taken: %+v", got)
	}
	r.Write("main.go", "package main // edited\n")
	one := mustTake(t, r.Dir, p)
	if one.Clean || one.Same {
		t.Fatalf("edited: %+v", one)
	}
	p.Prev = &Prev{Commit: one.Commit}
	if got := mustTake(t, r.Dir, p); !got.Same || got.Commit != one.Commit {
		t.Errorf("nothing new: %+v", got)
	}
	// Touched but equal: the tree decides.
	r.Write("main.go", "package main\n")
	if got := mustTake(t, r.Dir, p); !got.Clean || got.Commit != head {
		t.Errorf("put back: %+v", got)
	}
	// The same tree on another HEAD is another snapshot.
	r.Write("main.go", "package main // edited\n")
	r.Git("commit", "-q", "--allow-empty", "-m", "empty")
	if got := mustTake(t, r.Dir, p); got.Same || got.Commit == one.Commit {
		t.Errorf("HEAD moved on: %+v", got)
	}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.CommitFiles("base", project)
	r.Write("main.go", "package main // edited\n")
	p := source()
	p.Now = time.Now()
	if got := mustTake(t, r.Dir, p); got.Fingerprint != "" {
		t.Errorf("just edited: fingerprint %q", got.Fingerprint)
	}
	p.Now = time.Now().Add(time.Minute)
	one := mustTake(t, r.Dir, p)
	if one.Fingerprint == "" || one.Same {
		t.Fatalf("settled: %+v", one)
	}
	p.Prev = &Prev{Commit: one.Commit, Fingerprint: one.Fingerprint}
	if got := mustTake(t, r.Dir, p); !got.Same || got.Tree != "" || got.Commit != one.Commit {
		t.Errorf("unchanged must cost no tree: %+v", got)
	}
	r.Write("main.go", "package main // edited again\n")
	if got := mustTake(t, r.Dir, p); got.Same || got.Fingerprint == one.Fingerprint {
		t.Errorf("changed: %+v", got)
	}
}

func TestUntrackedModes(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	head := r.CommitFiles("base", "-- a.go --\npackage a\n")
	r.Git("config", "status.showUntrackedFiles", "no") // must not matter
	r.WriteAll("-- b.go --\npackage b\n-- c.txt --\nc\n-- key.pem --\nk\n-- ignored/d.go --\nd\n")
	r.Write(".git/info/exclude", "ignored/\n")
	for mode, want := range map[config.Untracked]string{
		config.UntrackedSource: "a.go b.go", config.UntrackedAll: "a.go b.go c.txt", config.UntrackedNone: "a.go",
	} {
		p := source()
		p.Untracked = mode
		got := mustTake(t, r.Dir, p)
		if files(r, got.Commit) != want {
			t.Errorf("%s: %q, want %q", mode, files(r, got.Commit), want)
		}
		if mode == config.UntrackedNone && got.Commit != head {
			t.Errorf("none: %+v", got)
		}
	}
}

func TestDeniedAndLargeTrackedFilesKeepHeadsVersion(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.CommitFiles("base", "-- .env --\nold\n-- big.go --\nsmall\n-- a.go --\na\n")
	r.Write(".env", "new secret\n")
	r.Write("big.go", strings.Repeat("x", 200))
	r.Write("staged.pem", "secret\n")
	r.Write("hoped.pem", "secret\n")
	r.Git("add", ".env", "staged.pem", "big.go")
	r.Git("add", "-N", "hoped.pem")
	r.Write("a.go", "b\n")
	p := source()
	p.MaxFile = 100
	got := mustTake(t, r.Dir, p)
	if files(r, got.Commit) != ".env a.go big.go" || r.Show(got.Commit, ".env") != "old\n" || r.Show(got.Commit, "big.go") != "small\n" {
		t.Errorf("files %q .env %q", files(r, got.Commit), r.Show(got.Commit, ".env"))
	}
	if want := ".env:denied big.go:large hoped.pem:denied staged.pem:denied"; skips(got) != want {
		t.Errorf("skipped %q, want %q", skips(got), want)
	}
	// Nothing but skipped files is clean, and a deleted secret gives nothing away.
	r.Git("checkout", "-q", "a.go")
	if got := mustTake(t, r.Dir, p); !got.Clean {
		t.Errorf("only skipped files: %+v", got)
	}
	r.Remove(".env")
	if got := mustTake(t, r.Dir, p); files(r, got.Commit) != "a.go big.go" {
		t.Errorf("deleted .env: %q", files(r, got.Commit))
	}
}

func TestExclude(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.CommitFiles("base", "-- .github/workflows/ci.yml --\nold\n-- a.go --\na\n")
	r.Write(".github/workflows/ci.yml", "new\n")
	r.Write("a.go", "b\n")
	p := source()
	p.Exclude = []string{".github/workflows/ci.yml"}
	got := mustTake(t, r.Dir, p)
	if r.Show(got.Commit, ".github/workflows/ci.yml") != "old\n" || r.Show(got.Commit, "a.go") != "b\n" {
		t.Error("the excluded path must keep HEAD's version and the other the work tree's")
	}
	r.Remove(".github/workflows/ci.yml")
	if got := mustTake(t, r.Dir, p); files(r, got.Commit) != ".github/workflows/ci.yml a.go" {
		t.Errorf("deleted while excluded: %q", files(r, got.Commit))
	}
}

func TestHiddenEditsStayHidden(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"--skip-worktree", "--assume-unchanged"} {
		for _, sparse := range []bool{false, true} {
			r := gittest.New(t)
			r.CommitFiles("base", "-- config.local.json --\n{}\n-- a.go --\na\n-- dir/b.go --\nb\n")
			if sparse {
				r.Git("sparse-checkout", "set", "--no-cone", "/*", "!/dir/")
			}
			r.Git("update-index", flag, "config.local.json")
			r.Write("config.local.json", `{"secret":1}`)
			r.Write("a.go", "edited\n")
			got := mustTake(t, r.Dir, source())
			if s := r.Show(got.Commit, "config.local.json"); s != "{}\n" {
				t.Errorf("%s sparse=%v: the hidden edit is in the snapshot: %q", flag, sparse, s)
			}
			if len(got.Files) != 1 || got.Files[0] != "a.go" {
				t.Errorf("%s sparse=%v: Files %q", flag, sparse, got.Files)
			}
			if files(r, got.Commit) != "a.go config.local.json dir/b.go" {
				t.Errorf("%s sparse=%v: %q", flag, sparse, files(r, got.Commit))
			}
		}
	}
}

func TestNestedRepositoriesStayOut(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.CommitFiles("base", "-- a.go --\na\n")
	sub := gittest.New(t)
	sub.CommitFiles("sub", "-- s.go --\ns\n")
	r.Git("submodule", "--quiet", "add", "file://"+sub.Dir, "real")
	r.Commit("with submodule")
	r.Git("worktree", "add", "-q", ".claude/worktrees/x", "-b", "x")
	r.Git("init", "-q", "empty")
	r.Write("empty/e.go", "package e\n")
	r.Git("init", "-q", "full")
	r.Write("full/f.go", "package f\n")
	r.Git("-C", "full", "add", ".")
	r.Git("-C", "full", "commit", "-q", "-m", "f")
	// A worktree whose entry was pruned: git takes its files for ordinary ones.
	r.Git("worktree", "add", "-q", "pruned", "-b", "y")
	r.Remove(".git/worktrees/pruned")
	r.Git("init", "-q", "--bare", "bare")
	r.Write("bare/hooks/x.go", "package hooks\n")
	// The user's own "add everything" caught one of them.
	r.Git("-c", "advice.addEmbeddedRepo=false", "add", "full")
	r.Write("real/s.go", "edited inside\n")
	r.Write("b.go", "package b\n")

	for _, mode := range []config.Untracked{config.UntrackedSource, config.UntrackedAll} {
		p := source()
		p.Untracked = mode
		got := mustTake(t, r.Dir, p)
		if want := ".gitmodules a.go b.go real"; files(r, got.Commit) != want {
			t.Errorf("%s: %q, want %q", mode, files(r, got.Commit), want)
		}
		for _, s := range got.Skipped {
			if s.Reason != ReasonNested {
				t.Errorf("%s: %+v", mode, s)
			}
		}
		if len(got.Skipped) < 5 {
			t.Errorf("%s: skipped %q", mode, skips(got))
		}
	}
	// The submodule's own commit is recorded when it moves.
	r.Git("-C", "real", "commit", "-q", "-a", "-m", "moved")
	got := mustTake(t, r.Dir, source())
	if want := r.Git("-C", "real", "rev-parse", "HEAD"); r.Git("rev-parse", got.Commit+":real") != want {
		t.Errorf("submodule at %s, want %s", r.Git("rev-parse", got.Commit+":real"), want)
	}
}

func TestOneBadPathCostsOnlyItself(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ attributes, bad string }{
		"required filter without a program": {"*.dat.go filter=gone", "bad.dat.go"},
		"line ends that would not survive":  {"", "crlf.go"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			r.CommitFiles("base", "-- a.go --\na\n-- .gitattributes --\n"+c.attributes+"\n")
			r.Git("config", "filter.gone.clean", "gitlet-no-such-program")
			r.Git("config", "filter.gone.required", "true")
			r.Git("config", "core.autocrlf", "input")
			r.Git("config", "core.safecrlf", "true")
			for _, f := range []string{"b.go", "c.go", "d/e.go", "f g.go"} {
				r.Write(f, "new\n")
			}
			r.Write(c.bad, "one\r\ntwo\r\n")
			got := mustTake(t, r.Dir, source())
			if want := ".gitattributes a.go b.go c.go d/e.go f g.go"; files(r, got.Commit) != want {
				t.Errorf("%q, want %q", files(r, got.Commit), want)
			}
			if skips(got) != c.bad+":failed" || got.Skipped[0].Why == "" {
				t.Errorf("skipped %+v", got.Skipped)
			}
		})
	}
}

// A tree that changes between being listed and being read: what vanished is not in the
// snapshot, what was replaced is read anew, and no path is reported.
func TestFilesThatChangeWhileTheTreeIsRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ change, want string }{
		"an untracked file goes":        {"rm -f new.go", ".gitattributes a.go old.go"},
		"a changed file goes":           {"rm -f old.go", ".gitattributes a.go new.go"},
		"its folder goes":               {"rm -rf sub", ".gitattributes a.go new.go old.go"},
		"a folder takes its place":      {"rm -f new.go; mkdir new.go; echo x >new.go/x.go", ".gitattributes a.go new.go/x.go old.go"},
		"a file takes the folder place": {"rm -rf sub; echo x >sub", ".gitattributes a.go new.go old.go"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			r.CommitFiles("base", "-- a.go --\na\n-- old.go --\nold\n-- .gitattributes --\na.go filter=meddle\n")
			r.Write("new.go", "new\n")
			r.Write("old.go", "edited\n")
			if strings.Contains(c.change, "sub") {
				r.Write("sub/s.go", "s\n")
			}
			// The filter of the first file that is read changes those that follow, once.
			done := filepath.Join(filepath.Dir(r.Dir), "done")
			script := filepath.Join(filepath.Dir(r.Dir), "meddle.sh")
			r.Script(script, "if test -n \"$GIT_INDEX_FILE\" && ! test -e '"+done+"'; then touch '"+done+"'; "+c.change+"; fi\ncat\n")
			r.Git("config", "filter.meddle.clean", script)
			r.Write("a.go", "changed, and longer\n")
			got := mustTake(t, r.Dir, source())
			if _, err := os.Stat(done); err != nil {
				t.Fatal("nothing meddled:", err)
			}
			if files(r, got.Commit) != c.want || len(got.Skipped) > 0 {
				t.Errorf("%q, skipped %+v; want %q", files(r, got.Commit), got.Skipped, c.want)
			}
		})
	}
}

func TestOddNamesAndShapes(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.CommitFiles("base", "-- file --\nf\n-- dir/x --\nx\n-- link --\nl\n-- linked/y --\ny\n-- mode.go --\nm\n")
	odd := []string{"sp ace.go", "tab\t.go", "new\nline.go", "quote\".go", "back\\slash.go", "cr\r.go", "a -> b.go",
		"ünï.go", "bad\xff.go", "-dash.go", ":colon.go", "*star.go"}
	for _, f := range odd {
		r.Write(f, f)
	}
	r.Remove("file")
	r.Write("file/now-dir.go", "d\n")
	r.Remove("dir")
	r.Write("dir", "now a file\n")
	r.Remove("link")
	r.Remove("linked")
	for _, l := range [][2]string{{"nowhere", "link"}, {"file", "linked"}} {
		if err := os.Symlink(l[0], r.Path(l[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(r.Path("mode.go"), 0o755); err != nil {
		t.Fatal(err)
	}
	p := source()
	p.Untracked = config.UntrackedAll
	got := mustTake(t, r.Dir, p)
	if len(got.Skipped) > 0 {
		t.Fatalf("skipped %+v", got.Skipped)
	}
	for _, f := range odd {
		if s := r.Show(got.Commit, f); s != f {
			t.Errorf("%q holds %q", f, s)
		}
	}
	for _, want := range []string{"120000 blob", "100755 blob"} {
		if !strings.Contains(r.Git("ls-tree", got.Commit), want) {
			t.Errorf("no %q in\n%s", want, r.Git("ls-tree", got.Commit))
		}
	}
	if r.Show(got.Commit, "dir") != "now a file\n" || r.Show(got.Commit, "file/now-dir.go") != "d\n" {
		t.Error("file and folder did not change places")
	}
	if _, err := r.TryGit("rev-parse", "-q", "--verify", got.Commit+":linked/y"); err == nil {
		t.Error("a file behind a link is still there")
	}
}

func TestHeads(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	if got := mustTake(t, r.Dir, source()); !got.Clean || got.Commit != "" || !got.Head.Unborn() {
		t.Errorf("empty repository: %+v", got)
	}
	r.Write("a.go", "a\n")
	got := mustTake(t, r.Dir, source())
	if got.Parent != "" || r.Git("log", "--format=%P|", got.Commit) != "|" || files(r, got.Commit) != "a.go" {
		t.Errorf("unborn: %+v", got)
	}
	p := source()
	p.Prev = &Prev{Commit: got.Commit}
	if again := mustTake(t, r.Dir, p); !again.Same || again.Commit != got.Commit {
		t.Errorf("unborn again: %+v", again)
	}
	head := r.Commit("first")
	r.Git("checkout", "-q", "--detach")
	r.Write("b.go", "b\n")
	if got := mustTake(t, r.Dir, source()); got.Parent != head || !got.Head.Detached() {
		t.Errorf("detached: %+v", got)
	}
	r.Git("checkout", "-q", "--orphan", "fresh")
	if got := mustTake(t, r.Dir, source()); got.Parent != "" || files(r, got.Commit) != "a.go b.go" {
		t.Errorf("orphan branch: %+v", got)
	}
}

func TestUnmergedFilesAreTakenAsTheyStand(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.CommitFiles("base", "-- a.go --\nbase\n-- b.go --\nbase\n-- c.pem --\nbase\n")
	r.Git("checkout", "-q", "-b", "other")
	r.CommitFiles("other", "-- a.go --\nother\n-- b.go --\nother\n-- c.pem --\nother\n")
	r.Git("checkout", "-q", "main")
	r.Remove("b.go")
	r.CommitFiles("mine", "-- a.go --\nmine\n-- c.pem --\nmine\n")
	if _, err := r.TryGit("merge", "other"); err == nil {
		t.Fatal("the merge must conflict")
	}
	r.Remove("b.go")
	got := mustTake(t, r.Dir, source())
	if s := r.Show(got.Commit, "a.go"); !strings.Contains(s, "<<<<<<<") {
		t.Errorf("a.go is %q", s)
	}
	if files(r, got.Commit) != "a.go c.pem" || r.Show(got.Commit, "c.pem") != "mine\n" {
		t.Errorf("%q, c.pem %q", files(r, got.Commit), r.Show(got.Commit, "c.pem"))
	}
}

func TestLinkedWorktreesWithUnusualIndexes(t *testing.T) {
	t.Parallel()
	for name, setUp := range map[string][][]string{
		"sparse": {{"sparse-checkout", "set", "--cone", "--sparse-index", "in"}},
		"split":  {{"config", "core.splitIndex", "true"}, {"update-index", "--split-index"}},
		"cached": {{"config", "core.untrackedCache", "true"}, {"status"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			r.CommitFiles("base", "-- in/a.go --\na\n-- out/b.go --\nb\n-- out/deep/c.go --\nc\n")
			r.Git("worktree", "add", "-q", "../linked", "-b", "linked")
			l := gittest.At(t, filepath.Join(r.Dir, "../linked"))
			for _, args := range setUp {
				l.Git(args...)
			}
			l.Write("in/new.go", "n\n")
			l.Write("in/a.go", "edited\n")
			w := open(t, l.Dir)
			before := dotGit(t, l.Dir, w.CommonDir)
			got := mustTake(t, l.Dir, source())
			after := dotGit(t, l.Dir, w.CommonDir)
			for _, m := range []map[string]string{before, after} {
				for p := range m {
					// Reading a split index freshens the shared part's time, as git status
					// does; the worktree's own folder gained gitlet's.
					if strings.Contains(p, "sharedindex.") || p == w.GitDir || strings.HasPrefix(p, filepath.Join(w.GitDir, "gitlet")) {
						delete(m, p)
					}
				}
			}
			compare(t, before, after)
			if want := "in/a.go in/new.go out/b.go out/deep/c.go"; files(l, got.Commit) != want {
				t.Errorf("%q, want %q", files(l, got.Commit), want)
			}
			if s := l.Show(got.Commit, "in/a.go"); s != "edited\n" {
				t.Errorf("in/a.go is %q", s)
			}
		})
	}
}

func TestThrownAwayWhenHeadKeepsMoving(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.CommitFiles("base", "-- a.go --\na\n-- .gitattributes --\n*.go filter=move\n")
	// A filter that commits while the snapshot is being made.
	script := filepath.Join(filepath.Dir(r.Dir), "move.sh")
	r.Script(script, "env -u GIT_INDEX_FILE git -c filter.move.clean=cat -c core.hooksPath=/dev/null commit -q --allow-empty -m moved >/dev/null 2>&1\ncat\n")
	r.Write("b.go", "b\n")
	r.Git("config", "filter.move.clean", script)
	_, err := Take(context.Background(), open(t, r.Dir), source())
	if !errors.Is(err, ErrMoved) {
		t.Errorf("err %v, want ErrMoved", err)
	}
}

func TestRacyEditIsSeen(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.CommitFiles("base", "-- a.go --\naaaa\n")
	// An edit of the same size in the same instant as the index: only the index's own
	// time tells git to look.
	at := time.Now().Add(-time.Hour)
	r.Write("a.go", "bbbb\n")
	for _, f := range []string{"a.go", ".git/index"} {
		if err := os.Chtimes(r.Path(f), at, at); err != nil {
			t.Fatal(err)
		}
	}
	r.Git("add", "a.go")
	for _, f := range []string{"a.go", ".git/index"} {
		if err := os.Chtimes(r.Path(f), at, at); err != nil {
			t.Fatal(err)
		}
	}
	r.Git("update-index", "--refresh")
	if err := os.Chtimes(r.Path(".git/index"), at, at); err != nil {
		t.Fatal(err)
	}
	r.Write("a.go", "cccc\n")
	if err := os.Chtimes(r.Path("a.go"), at, at); err != nil {
		t.Fatal(err)
	}
	r.Write("other.go", "o\n")
	if got := mustTake(t, r.Dir, source()); r.Show(got.Commit, "a.go") != "cccc\n" {
		t.Errorf("a.go is %q", r.Show(got.Commit, "a.go"))
	}
}

func TestLFSFilesKeepHeadsPointer(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"
	r.CommitFiles("base", "-- .gitattributes --\n*.bin filter=lfs\n-- old.bin --\n"+pointer)
	r.Git("config", "filter.lfs.clean", "cat")
	r.Write("old.bin", "content\n")
	r.Write("new.bin", "content\n")
	r.Write("a.go", "a\n")
	p := source()
	p.Untracked = config.UntrackedAll
	got := mustTake(t, r.Dir, p)
	if files(r, got.Commit) != ".gitattributes a.go old.bin" || r.Show(got.Commit, "old.bin") != pointer {
		t.Errorf("%q", files(r, got.Commit))
	}
	if skips(got) != "new.bin:lfs old.bin:lfs" {
		t.Errorf("skipped %q", skips(got))
	}
}

func TestHooksCallerEnvironment(t *testing.T) {
	// Not parallel: it sets variables of this process, as a hook's caller does.
	decoy := gittest.New(t)
	decoy.CommitFiles("decoy", "-- d.go --\nd\n")
	r := gittest.New(t)
	r.CommitFiles("base", "-- a.go --\na\n")
	r.Write("b.go", "b\n")
	before := dotGit(t, decoy.Dir, decoy.Path(".git"))
	t.Setenv("GIT_DIR", decoy.Path(".git"))
	t.Setenv("GIT_WORK_TREE", decoy.Dir)
	t.Setenv("GIT_INDEX_FILE", decoy.Path(".git/index"))
	t.Setenv("GIT_OBJECT_DIRECTORY", decoy.Path(".git/objects"))
	got := mustTake(t, r.Dir, source())
	compare(t, before, dotGit(t, decoy.Dir, decoy.Path(".git")))
	if files(r, got.Commit) != "a.go b.go" {
		t.Errorf("%q", files(r, got.Commit))
	}
}
