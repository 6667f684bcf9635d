package land

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"gitlet/internal/bug"
	"gitlet/internal/git"
	"gitlet/internal/git/gittest"
)

func TestMain(m *testing.M) {
	bug.Strict = true
	os.Exit(gittest.Main(m))
}

const task = "8c1f0e2a9b3d"

func trailer(subject string) string { return subject + "\n\nGitlet-Item: " + task + "\n" }

// newItem makes a repository whose branch "work" has two commits on top of main, in two
// files, and comes back on main.
func newItem(t *testing.T) (r *gittest.Repo, it Item) {
	r = gittest.New(t)
	base := r.CommitFiles("base", "-- a.go --\npackage a\n\nfunc A() {}\n\nfunc Z() {}\n-- b.go --\npackage a\n-- other.txt --\none\n")
	r.Git("switch", "-q", "-c", "work")
	r.CommitFiles(trailer("first"), "-- a.go --\npackage a\n\nfunc A() { println(1) }\n\nfunc Z() {}\n")
	head := r.CommitFiles(trailer("second"), "-- b.go --\npackage a\n\nfunc B() {}\n")
	r.Git("switch", "-q", "main")
	return r, Item{ID: task, Base: strings.TrimSpace(base), Head: strings.TrimSpace(head)}
}

func judgeIt(t *testing.T, r *gittest.Repo, it Item) *Landing {
	t.Helper()
	w, err := git.Open(context.Background(), r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	l, err := Landed(context.Background(), w.Repo, "main", it)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// elsewhere moves main on, so that no landing is a fast-forward.
func elsewhere(r *gittest.Repo, n int) {
	r.CommitFiles("elsewhere", fmt.Sprintf("-- other.txt --\n%d\n", n))
}

func TestLandedByContent(t *testing.T) {
	for _, c := range []struct {
		name string
		land func(r *gittest.Repo)
		how  string // "" for not landed
	}{
		{"nothing done", func(*gittest.Repo) {}, ""},
		{"merged", func(r *gittest.Repo) { r.Git("merge", "-q", "--no-ff", "-m", "Merge", "work") }, ByMerge},
		{"squashed", func(r *gittest.Repo) {
			r.Git("merge", "-q", "--squash", "work")
			r.Commit("All of it (#1)")
		}, ByContent},
		{"rebased", func(r *gittest.Repo) { r.Git("cherry-pick", "main..work") }, ByContent},
		{"rebased, and main went on in the same lines", func(r *gittest.Repo) {
			r.Git("cherry-pick", "main..work")
			r.CommitFiles("more", "-- a.go --\npackage a\n\nfunc A() { println(3) }\n\nfunc Z() {}\n-- b.go --\npackage a\n\nfunc B() { println(4) }\n")
		}, ByPatches},
		{"amended, then squashed", func(r *gittest.Repo) {
			r.CommitFiles(trailer("All of it (#1)"), "-- a.go --\npackage a\n\nfunc A() { println(2) }\n\nfunc Z() {}\n-- b.go --\npackage a\n\nfunc B() { println() }\n")
		}, BySquash},
		{"amended, then rebased", func(r *gittest.Repo) {
			r.CommitFiles(trailer("first"), "-- a.go --\npackage a\n\nfunc A() { println(2) }\n\nfunc Z() {}\n")
			r.CommitFiles(trailer("second"), "-- b.go --\npackage a\n\nfunc B() { println() }\n")
		}, ByPatches},
		{"one of two commits picked", func(r *gittest.Repo) { r.Git("cherry-pick", "work~1") }, ""},
		{"one of two commits picked, amended", func(r *gittest.Repo) {
			r.CommitFiles(trailer("first"), "-- a.go --\npackage a\n\nfunc A() { println(2) }\n\nfunc Z() {}\n")
		}, ""},
		{"a commit that only names it", func(r *gittest.Repo) { r.Git("commit", "-q", "--allow-empty", "-m", trailer("about it")) }, ""},
		{"its interface alone", func(r *gittest.Repo) {
			r.CommitFiles(trailer("interface: a.go:A"), "-- a.go --\npackage a\n\nfunc A(int) {}\n\nfunc Z() {}\n-- b.go --\npackage a\n\nvar x int\n")
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, it := newItem(t)
			elsewhere(r, 2)
			c.land(r)
			elsewhere(r, 3)
			l := judgeIt(t, r, it)
			got := ""
			if l != nil {
				got = l.How
				if len(l.Missing)+len(l.Partly)+len(l.Lost) > 0 {
					t.Errorf("reported as incomplete: %+v", l)
				}
			}
			if got != c.how {
				t.Errorf("landed %q, want %q", got, c.how)
			}
		})
	}
}

func TestNeverLandsWithoutAChange(t *testing.T) {
	r, it := newItem(t)
	it.Head = it.Base
	elsewhere(r, 2)
	if l := judgeIt(t, r, it); l != nil {
		t.Errorf("a branch at its base has landed: %+v", l)
	}
	it.Base = strings.TrimSpace(r.Git("rev-parse", "main"))
	r.Git("switch", "-q", "-c", "empty")
	r.Git("commit", "-q", "--allow-empty", "-m", trailer("nothing"))
	it.Head = strings.TrimSpace(r.Git("rev-parse", "HEAD"))
	r.Git("switch", "-q", "main")
	r.Git("merge", "-q", "--no-ff", "-m", "Merge", "empty")
	if l := judgeIt(t, r, it); l != nil {
		t.Errorf("a branch without a change has landed: %+v", l)
	}
}

func TestForgeIsBelieved(t *testing.T) {
	r, it := newItem(t)
	it.Merged = true
	l := judgeIt(t, r, it)
	if l == nil || l.How != ByForge || !slices.Equal(l.Missing, []string{"a.go", "b.go"}) {
		t.Errorf("got %+v", l)
	}
}

func TestLandedAndTakenBack(t *testing.T) {
	r, it := newItem(t)
	r.Git("merge", "-q", "--squash", "work")
	r.Commit("All of it (#1)")
	w, err := git.Open(context.Background(), r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []bool{false, true} {
		got, err := TakenBack(context.Background(), w.Repo, "main", it)
		if err != nil || got != want {
			t.Errorf("taken back: %t, %v; want %t", got, err, want)
		}
		r.Git("revert", "--no-edit", "HEAD")
	}
}

// What landed is compared with the item and with what others had landed by then, whichever
// way it came.
func TestLandingIsVerified(t *testing.T) {
	const (
		theirs = "package a\n\nfunc A() {}\n\nfunc Z() {}\n\nfunc Theirs() {}\n"
		clash  = "package a\n\nfunc A() { println(2) }\n\nfunc Z() {}\n"
	)
	for _, c := range []struct {
		name   string
		theirs string // main's a.go by then
		land   func(r *gittest.Repo)
		how    string
		// want are "missing PATH", "partly PATH: LINE" and "lost PATH: LINE".
		want []string
	}{
		{"merged", theirs, func(r *gittest.Repo) { r.Git("merge", "-q", "--no-ff", "-m", "Merge", "work") }, ByMerge, nil},
		{"a squash from an old base", theirs, func(r *gittest.Repo) {
			r.Git("checkout", "-q", "work", "--", "a.go", "b.go")
			r.Commit("All of it (#1)")
		}, ByContent, []string{"lost a.go: func Theirs() {}"}},
		{"a merge that takes the item's side", clash, func(r *gittest.Repo) {
			r.Git("merge", "-q", "--no-ff", "-X", "theirs", "-m", "Merge", "work")
		}, ByMerge, []string{"lost a.go: func A() { println(2) }"}},
		{"a merge that takes main's side", clash, func(r *gittest.Repo) {
			r.Git("merge", "-q", "--no-ff", "-X", "ours", "-m", "Merge", "work")
		}, ByMerge, []string{"partly a.go: func A() { println(1) }"}},
		{"a merge of nothing", theirs, func(r *gittest.Repo) {
			r.Git("merge", "-q", "--no-ff", "-s", "ours", "-m", "Merge", "work")
		}, ByMerge, []string{"missing b.go", "partly a.go: func A() { println(1) }"}},
		{"a merge by hand", clash, func(r *gittest.Repo) {
			r.Git("merge", "-q", "--no-ff", "--no-commit", "-X", "ours", "work")
			r.CommitFiles("Merge", "-- a.go --\npackage a\n\nfunc A() { println(1, 2) }\n\nfunc Z() {}\n")
		}, ByMerge, nil},
		{"a squash of a part of each file", theirs, func(r *gittest.Repo) {
			r.CommitFiles(trailer("All of it (#1)"), "-- a.go --\n"+theirs+"\n-- b.go --\npackage a\n\nfunc B() {}\n")
		}, BySquash, []string{"partly a.go: func A() { println(1) }"}},
		{"commit by commit, one on an old state", theirs, func(r *gittest.Repo) {
			r.CommitFiles(trailer("first"), "-- a.go --\npackage a\n\nfunc A() { println(1) }\n\nfunc Z() {}\n")
			r.CommitFiles(trailer("second"), "-- b.go --\npackage a\n\nfunc B() {}\n")
		}, ByContent, []string{"lost a.go: func Theirs() {}"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, it := newItem(t)
			r.CommitFiles("Theirs", "-- a.go --\n"+c.theirs)
			c.land(r)
			elsewhere(r, 3)
			l := judgeIt(t, r, it)
			if l == nil || l.How != c.how {
				t.Fatalf("got %+v, want it %s", l, c.how)
			}
			var got []string
			for _, p := range l.Missing {
				got = append(got, "missing "+p)
			}
			for _, x := range l.Partly {
				got = append(got, "partly "+x.Path+": "+strings.Join(x.Lines, "|"))
			}
			for _, x := range l.Lost {
				got = append(got, "lost "+x.Path+": "+strings.Join(x.Lines, "|"))
				if x.Commit.Subject != "Theirs" {
					t.Errorf("%s was brought by %q", x.Path, x.Commit.Subject)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}

// A branch that main went on from is whole by that alone.
func TestFastForward(t *testing.T) {
	r, it := newItem(t)
	r.Git("merge", "-q", "--ff-only", "work")
	r.CommitFiles("more", "-- a.go --\npackage a\n")
	if l := judgeIt(t, r, it); l == nil || l.How != ByMerge || len(l.Missing)+len(l.Partly)+len(l.Lost) > 0 {
		t.Errorf("got %+v", l)
	}
}
