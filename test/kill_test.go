package test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gitlet/internal/git/gittest"
	"gitlet/internal/ledger"
)

var (
	kills    = flag.Int("kills", 20, "how many verbs TestKilledVerbs kills")
	killSeed = flag.Uint64("killseed", 1, "what TestKilledVerbs chooses by")
)

// victim is a clone whose verbs are killed.
type victim struct {
	*testing.T
	repo, remote *gittest.Repo
	rng          *rand.Rand
	env          []string
	took         time.Duration // what a verb takes, on the whole
}

// TestKilledVerbs ends verbs with SIGKILL at random moments, alone or with every git
// they started. After each one the clone, its work tree, its ledger and the remote are
// whole, and the next call goes on as if nothing had been.
func TestKilledVerbs(t *testing.T) {
	v := &victim{T: t, rng: rand.New(rand.NewPCG(*killSeed, 0)), took: 300 * time.Millisecond}
	seed := gittest.New(t)
	seed.CommitFiles("Base", "-- go.mod --\nmodule example.com/m\n-- a.go --\npackage a\n\nfunc Load(p string) error { return nil }\n")
	v.remote = gittest.Bare(t)
	seed.Git("push", "-q", v.remote.Dir, "main")
	v.repo = v.remote.Clone()
	v.repo.Git("config", "gitlet.pollInterval", "0s")
	v.repo.Git("config", "gitlet.snapshotInterval", "0s")
	v.env = gittest.Env(filepath.Join(v.repo.Dir, ".."))
	verbs := [][]string{{"start", "A task"}, {"status"}, {"claim", "a.go:Load"}, {"release", "a.go:Load"}, {"abandon"}, {"claim", "a.go:Load"}, {"start", "Another"}}
	ended := 0
	for i := range *kills {
		args := verbs[v.rng.IntN(len(verbs))]
		v.repo.Write("a.go", fmt.Sprintf("package a\n\nfunc Load(p string, n%d int) error { return nil }\n", i))
		before := v.sight()
		if !v.kill(args, v.rng.IntN(2) == 0) {
			ended++
		}
		v.check(fmt.Sprintf("kill %d, %q", i, args), before)
		if t.Failed() {
			return
		}
	}
	t.Logf("%d verbs, of which %d ended before they were killed", *kills, ended)
	v.must("abandon")
	v.must("start", "The last task")
	v.must("claim", "a.go:Load")
	v.must("release", "a.go:Load")
	v.must("abandon")
	for _, folder := range []string{"claims", "wip"} {
		if left := v.remote.Git("for-each-ref", "refs/gitlet/"+folder); left != "" {
			t.Errorf("left on the remote: %s", left)
		}
	}
}

// kill runs a verb and kills it at a random moment, with its children when all is set.
// It reports false when the verb ended before.
func (v *victim) kill(args []string, all bool) bool {
	v.Helper()
	cmd := exec.Command("gitlet", args...)
	cmd.Dir, cmd.Env = v.repo.Dir, v.env
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		v.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case <-done:
		v.took = (9*v.took + time.Since(begin)) / 10
		return false
	case <-time.After(time.Duration(v.rng.Int64N(int64(v.took)))):
	}
	pids := []int{cmd.Process.Pid}
	if all {
		pids = append(pids, descendants(cmd.Process.Pid)...)
	}
	for _, pid := range pids {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			v.Fatal(err)
		}
	}
	<-done
	if all {
		v.age()
	}
	return true
}

// age lets time pass for the locks that killed gits left on gitlet's own refs: that they
// are left behind shows by their age.
func (v *victim) age() {
	v.Helper()
	long := time.Now().Add(-time.Minute)
	for _, lock := range locksIn(v.T, filepath.Join(v.repo.Dir, ".git", "refs")) {
		if err := os.Chtimes(lock, long, long); err != nil && !errors.Is(err, fs.ErrNotExist) {
			v.Error(err)
		}
	}
}

// descendants lists the processes below one, as the system has them at this moment,
// without those that serve the remote: they are another machine's.
func descendants(of int) []int {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // a fixed, well-formed pattern
	for _, f := range stats {
		data, err := os.ReadFile(f)
		if err != nil {
			continue // it ended
		}
		_, after, _ := strings.Cut(string(data), ") ")
		fields := strings.Fields(after)
		pid, err1 := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		if len(fields) < 2 || err1 != nil {
			continue
		}
		line, err := os.ReadFile(filepath.Join(filepath.Dir(f), "cmdline"))
		if err != nil || strings.Contains(string(line), "receive-pack") || strings.Contains(string(line), "upload-pack") {
			continue
		}
		if parent, err := strconv.Atoi(fields[1]); err == nil {
			children[parent] = append(children[parent], pid)
		}
	}
	var out []int
	for todo := []int{of}; len(todo) > 0; todo = todo[1:] {
		out = append(out, children[todo[0]]...)
		todo = append(todo, children[todo[0]]...)
	}
	return out
}

// sight is what a verb must leave alone, or change only as a whole.
type sight struct{ head, index, files, branches string }

func (v *victim) sight() sight {
	v.Helper()
	return sight{
		head: v.repo.Git("rev-parse", "HEAD"), index: v.repo.Git("ls-files", "--stage"), files: v.repo.Read("a.go"),
		branches: v.repo.Git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/remotes", "refs/stash"),
	}
}

// check validates everything after a kill, and that the next call proceeds.
func (v *victim) check(when string, before sight) {
	v.Helper()
	now := v.sight()
	if now.head != before.head || now.index != before.index || now.files != before.files {
		v.Errorf("%s: HEAD, index or files changed:\n%+v\n%+v", when, before, now)
	}
	had := strings.Split(before.branches, "\n")
	for _, b := range strings.Split(now.branches, "\n") {
		if !slices.Contains(had, b) && (!strings.HasPrefix(b, "refs/heads/gitlet/") || !strings.HasSuffix(b, " "+now.head)) {
			v.Errorf("%s: a ref changed: %q", when, b)
		}
	}
	r := v.must("status", "--json")
	for _, w := range otherWarnings(r.Warnings) {
		v.Errorf("%s: the next call warns: %s", when, w)
	}
	if out := v.repo.Git("fsck", "--connectivity-only", "--no-dangling"); out != "" {
		v.Errorf("%s: fsck: %s", when, out)
	}
	for _, dir := range []string{filepath.Join(v.repo.Dir, ".git"), v.remote.Dir} {
		for _, lock := range locksIn(v.T, dir) {
			v.Errorf("%s: %s is left", when, lock)
		}
	}
	l, err := ledger.Open(v.Context(), filepath.Join(v.repo.Dir, ".git", "gitlet"), ledger.Options{Existing: true})
	if err != nil {
		v.Fatalf("%s: %v", when, err)
	}
	if said := l.Warnings(); len(said) > 0 {
		v.Errorf("%s: the ledger: %q", when, said)
	}
	if err := l.Close(); err != nil {
		v.Error(err)
	}
	checkRemote(v.T, v.remote.Dir)
}

// locksIn lists git's own lock files below a git directory. gitlet's stay where they
// are: what counts is who holds them.
func locksIn(t *testing.T, dir string) (out []string) {
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if d != nil && d.IsDir() && p == filepath.Join(dir, "gitlet") {
			return fs.SkipDir
		}
		if strings.HasSuffix(p, ".lock") {
			out = append(out, p)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return out
}

// envelope is what scenarios in Go read of a result.
type envelope struct {
	Outcome, Summary string
	Warnings         []string
}

// must runs a verb that has to be answered ok, or that there is nothing to do.
func (v *victim) must(args ...string) envelope {
	v.Helper()
	if !slices.Contains(args, "--json") {
		args = append(args, "--json")
	}
	cmd := exec.Command("gitlet", args...)
	cmd.Dir, cmd.Env = v.repo.Dir, v.env
	begin := time.Now()
	out, err := cmd.Output()
	v.took = (9*v.took + time.Since(begin)) / 10
	if err != nil {
		v.Fatalf("gitlet %q: %v\n%s", args, err, out)
	}
	var r envelope
	if err := json.Unmarshal(out, &r); err != nil {
		v.Fatalf("gitlet %q: %v\n%s", args, err, out)
	}
	return r
}
