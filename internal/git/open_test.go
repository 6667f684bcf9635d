package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gitlet/internal/git/gittest"
)

func open(t *testing.T, dir string) *Worktree {
	t.Helper()
	w, err := Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestOpen(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		r := gittest.New(t, "--object-format="+format)
		if err := os.MkdirAll(r.Path("dir/new\nline"), 0o777); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(r.Dir, link); err != nil {
			t.Fatal(err)
		}
		for _, dir := range []string{r.Dir, r.Path("dir/new\nline"), link, filepath.Join(link, "dir")} {
			w := open(t, dir)
			if w.Root != r.Dir || w.GitDir != r.Path(".git") || w.CommonDir != w.GitDir || w.ObjectFormat != format {
				t.Errorf("%q: %+v", dir, w)
			}
			if _, err := OpenExact(context.Background(), dir); (err == nil) != (dir == r.Dir || dir == link) {
				t.Errorf("exact %q: %v", dir, err)
			}
		}
		if id, err := open(t, r.Dir).WriteTree(context.Background(), nil); err != nil || id != open(t, r.Dir).EmptyTree() {
			t.Errorf("empty tree of %s: %s %v", format, id, err)
		}
	}
}

func TestOpenLinkedWorktrees(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.CommitFiles("base", "-- a.go --\na\n")
	r.Git("worktree", "add", "-q", "../linked", "-b", "linked")
	w := open(t, filepath.Join(r.Dir, "../linked"))
	if w.CommonDir != r.Path(".git") || w.GitDir != r.Path(".git/worktrees/linked") || !strings.HasSuffix(w.Root, "/linked") {
		t.Errorf("%+v", w)
	}
	// A bare repository with worktrees beside it.
	bare := gittest.Bare(t)
	r.Git("push", "-q", bare.Dir, "main")
	bare.Git("worktree", "add", "-q", "../beside", "main")
	w = open(t, filepath.Join(bare.Dir, "../beside"))
	if w.CommonDir != bare.Dir {
		t.Errorf("%+v", w)
	}
	if st, err := w.Status(context.Background(), UntrackedAll); err != nil || !st.Clean() || st.Head.Branch != "main" {
		t.Errorf("%+v %v", st, err)
	}
	list, err := w.Worktrees(context.Background())
	if err != nil || len(list) != 2 || !list[0].Bare || list[1].Path != w.Root {
		t.Errorf("%+v %v", list, err)
	}
	// core.bare in the shared file with per-worktree configuration on breaks them all.
	bare.Git("config", "extensions.worktreeConfig", "true")
	_, err = Open(context.Background(), w.Root)
	var be *BareError
	if !errors.As(err, &be) || !be.Linked || !strings.Contains(err.Error(), "extensions.worktreeConfig") {
		t.Errorf("%v", err)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	if _, err := Open(ctx, t.TempDir()); !errors.Is(err, ErrNotRepository) {
		t.Errorf("no repository: %v", err)
	}
	if _, err := Open(ctx, filepath.Join(t.TempDir(), "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	var be *BareError
	if _, err := Open(ctx, gittest.Bare(t).Dir); !errors.As(err, &be) || be.Linked {
		t.Errorf("bare: %v", err)
	}
	r := gittest.New(t)
	var ie *InsideGitDirError
	if _, err := Open(ctx, r.Path(".git/refs")); !errors.As(err, &ie) || ie.GitDir != r.Path(".git") {
		t.Errorf("inside the git directory: %v", err)
	}
	if err := os.Mkdir(r.Path("sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	var nt *NotTopError
	if _, err := OpenExact(ctx, r.Path("sub")); !errors.As(err, &nt) || nt.Top != r.Dir {
		t.Errorf("not the top: %v", err)
	}
}

// fakeGit puts a program called git first on PATH.
func fakeGit(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte("#!/bin/sh\n"+script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
}

func TestVersions(t *testing.T) {
	// Not parallel: it changes PATH.
	ctx := context.Background()
	r := gittest.New(t)
	c := r.CommitFiles("base", "-- a.go --\na\n")
	real, err := ReadVersion(ctx)
	if err != nil || real.Less(minVersion) {
		t.Fatalf("%v %v", real, err)
	}
	path := os.Getenv("PATH")
	count := filepath.Join(t.TempDir(), "count")
	fakeGit(t, `case "$*" in *" version") echo x >>`+count+`; echo git version 2.28.1;; *) exec env PATH='`+path+`' git "$@";; esac`)
	var old *TooOldError
	for range 3 {
		if _, err := Open(ctx, r.Dir); !errors.As(err, &old) || old.Have.String() != "2.28.1" || old.Need.String() != "2.29.0" {
			t.Errorf("2.28.1: %v", err)
		}
	}
	if b, err := os.ReadFile(count); err != nil || string(b) != "x\n" {
		t.Errorf("the version was asked %q times, %v", b, err)
	}
	t.Setenv("PATH", path)
	fakeGit(t, `case "$*" in *" version") echo git version 2.30.2;; *) exec env PATH='`+path+`' git "$@";; esac`)
	w := open(t, r.Dir)
	if _, err := w.PredictMerge(ctx, c, c); !errors.As(err, &old) || old.Need != mergeTreeVersion {
		t.Errorf("merge-tree on 2.30.2: %v", err)
	}
	t.Setenv("PATH", path)
	fakeGit(t, "echo something else")
	if _, err := ReadVersion(ctx); err == nil {
		t.Error("a program that is not git was accepted")
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Open(ctx, r.Dir); !errors.Is(err, ErrNoGit) {
		t.Errorf("no git: %v", err)
	}
}

func TestOpenCostsOneProcess(t *testing.T) {
	// Not parallel: it sets variables of this process.
	r := gittest.New(t)
	open(t, r.Dir) // the version is known from here on
	file := trace(t)
	open(t, r.Dir)
	if n := len(gittest.Started(t, file)); n != 1 {
		t.Errorf("%d processes", n)
	}
}
