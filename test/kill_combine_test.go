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
	combineKills    = flag.Int("combinekills", 4, "how many calls TestKilledCombines kills")
	combineKillSeed = flag.Uint64("combinekillseed", 1, "what TestKilledCombines chooses by")
)

// TestKilledCombines ends combine with SIGKILL at random moments, alone or with the gate
// and every git it started. There is no worktree in the list and no branch then, unless
// the call was through and the branch holds all it should; what is the user's is as before,
// and the same call made again finishes.
func TestKilledCombines(t *testing.T) {
	v := &victim{T: t, rng: rand.New(rand.NewPCG(*combineKillSeed, 0)), took: time.Second}
	seed := gittest.New(t)
	seed.CommitFiles("Base", "-- a.go --\npackage a\n")
	v.remote = gittest.Bare(t)
	seed.Git("push", "-q", v.remote.Dir, "main")
	v.repo = v.remote.Clone()
	v.repo.Git("config", "gitlet.pollInterval", "0s")
	v.repo.Git("config", "gitlet.gate", "sleep 0.05; test ! -e bad.txt")
	v.env = gittest.Env(filepath.Join(v.repo.Dir, ".."))
	args := []string{"combine"}
	for i := range 5 {
		name := fmt.Sprintf("b%d", i)
		v.repo.Git("switch", "-q", "-c", name, "main")
		v.repo.Write(name+".txt", name)
		if i == 3 {
			v.repo.Write("bad.txt", "bad")
		}
		v.repo.Commit("Work " + name)
		args = append(args, name)
	}
	v.repo.Git("switch", "-q", "main")
	v.repo.Write("a.go", "package a\n\n// not committed\n")
	before := v.sight()
	ended := 0
	for i := range *combineKills {
		when := fmt.Sprintf("kill %d", i)
		if !v.kill(args, v.rng.IntN(2) == 0) {
			ended++
		}
		v.throwAway(when)
		v.check(when, before)
		if list := v.repo.Git("worktree", "list", "--porcelain"); strings.Count(list, "worktree ") != 1 {
			t.Errorf("%s: worktrees:\n%s", when, list)
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d calls, of which %d ended before they were killed", *combineKills, ended)
	v.must(args...)
	v.throwAway("at the end")
}

// throwAway removes the branches that combine made, after a look at what they hold.
func (v *victim) throwAway(when string) {
	v.Helper()
	for _, branch := range strings.Fields(v.repo.Git("for-each-ref", "--format=%(refname:short)", "refs/heads/gitlet")) {
		if got := strings.Join(v.repo.Files(branch), " "); got != "a.go b0.txt b1.txt b2.txt b4.txt" {
			v.Errorf("%s: %s holds %s", when, branch, got)
		}
		v.repo.Git("update-ref", "-d", "refs/heads/"+branch)
	}
}
