package main

import (
	"os"
	"strings"
	"testing"

	"gitlet/internal/git/gittest"
)

func TestMain(m *testing.M) { os.Exit(gittest.Main(m)) }

// TestKinds: a branch that git brings up to date, one on which it stops, and one that it
// merges into something neither side meant.
func TestKinds(t *testing.T) {
	repo := gittest.New(t)
	const middle = "func A() {}\n\nfunc B() {}\n\nfunc C() {}\n\nfunc D() {}\n"
	repo.Write("a.go", "package a\n\n"+middle)
	repo.Write("one.txt", "1\n2\n3\n4\n5\n6\n7\n")
	base := repo.Commit("Base")
	branch := func(name, file, mine, main string) {
		repo.Git("checkout", "-q", "-B", name, base)
		repo.Write(file, mine)
		repo.Commit(name)
		repo.Git("checkout", "-q", "main")
		repo.Write(file, main)
		repo.Commit("Beside " + name)
		repo.Git("merge", "-q", "--no-ff", "-s", "ours", "-m", "Merge "+name, name)
	}
	branch("clean", "one.txt", "one\n2\n3\n4\n5\n6\n7\n", "1\n2\n3\n4\n5\n6\nseven\n")
	branch("stops", "one.txt", "mine\n2\n3\n4\n5\n6\n7\n", "main's\n2\n3\n4\n5\n6\nseven\n")
	branch("doubled", "a.go", "package a\n\nfunc Help() int { return 1 }\n\n"+middle, "package a\n\n"+middle+"\nfunc Help() string { return \"\" }\n")
	var out strings.Builder
	same, err := run(t.Context(), options{n: 10, rev: "HEAD", dirs: []string{repo.Dir}}, &out)
	if err != nil || !same {
		t.Fatalf("%v %v\n%s", same, err, out.String())
	}
	for _, want := range []string{"3 of 3 branch points (0 not whole here)", "the same trees      1\n", "update refuses         1\n", "the proof refuses                 1\n", "Help is there 2 times"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}
