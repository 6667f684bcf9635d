package test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gitlet/internal/git/gittest"
)

var (
	landKills    = flag.Int("landkills", 3, "how many calls TestKilledUpdates kills")
	landKillSeed = flag.Uint64("landkillseed", 1, "what TestKilledUpdates chooses by")
)

// TestKilledUpdates ends update, use, restore and submit with SIGKILL at random moments while
// main goes on. Branch, index and files are then as before the call or as after it, with
// nothing of them lost, and the same call made again finishes.
func TestKilledUpdates(t *testing.T) {
	rng := rand.New(rand.NewPCG(*landKillSeed, 0))
	seed := gittest.New(t)
	seed.CommitFiles("Base", "-- main.txt --\n0\n-- a.txt --\none\n\n\n\n\n\n\nlast\n-- lib.go --\n"+published(-1))
	remote := gittest.Bare(t)
	seed.Git("push", "-q", remote.Dir, "main")
	at := func() *victim {
		v := &victim{T: t, rng: rng, took: time.Second, remote: remote, repo: remote.Clone()}
		v.repo.Git("config", "gitlet.pollInterval", "0s")
		v.repo.Git("config", "gitlet.snapshotInterval", "0s")
		v.env = gittest.Env(filepath.Join(v.repo.Dir, ".."))
		return v
	}
	// One hands its work in again and again, and so is no more at a task that could use what
	// the owner publishes: that is another's part.
	submitter, user, owner := at(), at(), at()
	owner.must("start", "Owns an interface")
	for _, v := range []*victim{submitter, user} {
		v.must("start", "A task", "--branch", "task")
		v.repo.Write("mine.txt", "mine\n")
		v.repo.Commit("Mine")
	}
	ended := 0
	for i := range *landKills {
		main := fmt.Sprintf("%d\n", i+1)
		seed.Write("main.txt", main)
		seed.Commit("Main goes on")
		seed.Git("push", "-q", remote.Dir, "main")
		args := [][]string{{"update"}, {"update"}, {"restore", "auto-pre-update"}, {"submit"}, {"use", "lib.go:Load"}}[rng.IntN(5)]
		switch i {
		case 0:
			args = []string{"update"} // the others need one
		case 1:
			args = []string{"use", "lib.go:Load"}
		}
		dirty := fmt.Sprintf("one\n\n\n\n\n\n\nlast %d\n", i)
		v, submits, uses := submitter, args[0] == "submit", args[0] == "use"
		if uses {
			v = user
		}
		if submits {
			v.must("update")
			v.repo.Git("checkout", "-q", "--", "a.txt")
			v.repo.Write("mine.txt", fmt.Sprintf("mine %d\n", i))
			v.repo.Commit(fmt.Sprintf("Mine %d", i))
		} else {
			v.repo.Write("a.txt", dirty)
			v.repo.Write("new.txt", dirty)
		}
		switch {
		case args[0] == "restore":
			v.must("update")
		case uses:
			owner.repo.Write("lib.go", published(i))
			owner.must("publish", args[1])
		}
		mine := v.repo.Read("mine.txt")
		when := fmt.Sprintf("kill %d, %q", i, args)
		if !v.kill(args, rng.IntN(2) == 0) {
			ended++
		}
		v.must("status")
		v.whole(when, mine, dirty, submits)
		again := args
		if args[0] == "restore" {
			again = []string{"update"}
		}
		v.must(again...)
		v.whole(when+", and again", mine, dirty, submits)
		switch now := v.repo.Read("main.txt"); {
		case uses:
			v.used(when, i)
		case now != main:
			t.Errorf("%s: main.txt is %q, not %q", when, now, main)
		case submits && remote.Git("rev-parse", "refs/heads/task") != v.repo.Git("rev-parse", "HEAD"):
			t.Errorf("%s: the branch is not on the remote", when)
		}
		if t.Failed() {
			return
		}
		if !submits {
			v.repo.Git("checkout", "-q", "--", "a.txt")
		}
	}
	t.Logf("%d calls, of which %d ended before they were killed", *landKills, ended)
}

// published is the file of the interface that is used, as its owner has it in a round.
func published(round int) string {
	if round < 0 {
		return "package a\n\nfunc Load(p string) error { return nil }\n"
	}
	return fmt.Sprintf("package a\n\nfunc Load(p string, n%d [%d]int) error { return nil }\n", round, round)
}

// used checks that the branch has what was published, once, and takes it out again.
func (v *victim) used(when string, round int) {
	v.Helper()
	if got := v.repo.Show("HEAD", "lib.go"); got != published(round) || v.repo.Read("lib.go") != got {
		v.Errorf("%s: HEAD has %q", when, got)
	}
	if n := strings.Count(v.repo.Git("log", "--format=%s", "origin/main..HEAD"), "gitlet stub: "); n != 1 {
		v.Errorf("%s: the stub is there %d times", when, n)
	}
	v.must("restore", "auto-pre-use")
	v.must("release", "lib.go:Load")
}

// whole checks that nothing of the user's is lost or in between.
func (v *victim) whole(when, mine, dirty string, submits bool) {
	v.Helper()
	if got := v.repo.Read("mine.txt"); got != mine {
		v.Errorf("%s: mine.txt is %q, not %q", when, got, mine)
	}
	status := v.repo.Git("status", "--porcelain")
	if !submits {
		if got := v.repo.Read("a.txt"); got != dirty {
			v.Errorf("%s: the uncommitted change is lost: %q", when, got)
		}
		if got := v.repo.Read("new.txt"); got != dirty {
			v.Errorf("%s: the new file is lost: %q", when, got)
		}
		for line := range strings.Lines(status) {
			if f := strings.Fields(line); f[len(f)-1] != "a.txt" && f[len(f)-1] != "new.txt" {
				v.Errorf("%s: in between: %q", when, status)
				break
			}
		}
	}
	if branch := v.repo.Git("symbolic-ref", "--short", "HEAD"); branch != "task" {
		v.Errorf("%s: on %s", when, branch)
	}
	if out := v.repo.Git("fsck", "--connectivity-only", "--no-dangling"); out != "" {
		v.Errorf("%s: fsck: %s", when, out)
	}
	for _, lock := range locksIn(v.T, filepath.Join(v.repo.Dir, ".git")) {
		v.Errorf("%s: %s is left", when, lock)
	}
}
