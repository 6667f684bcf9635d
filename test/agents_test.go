package test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/engine"
	"gitlet/internal/git/gittest"
	"gitlet/internal/ledger"
	"gitlet/internal/verbs"
	"gitlet/internal/wire"
)

var (
	crowdAgents = flag.Int("agents", 4, "how many agents TestManyAgents runs")
	crowdFor    = flag.Duration("agentsfor", 6*time.Second, "for how long TestManyAgents runs them")
	crowdLease  = flag.Duration("agentslease", 12*time.Second, "the lease of the agents of TestManyAgents")
)

// crowd is many agents in clones of one remote and in worktrees of those clones, each
// with a session that ticks, verbs from a shell, and plain git beside them.
type crowd struct {
	*testing.T
	remote        *gittest.Repo
	clones, trees []*gittest.Repo
	env           []string
	gits, calls   atomic.Int64
	locked, idle  atomic.Int64 // failures over index.lock; words of a lapse
	faults        atomic.Int64
}

// TestManyAgents lets agents work beside each other: nobody meets a lock of the other's
// index, no heartbeat is lost, nobody at work counts as lapsed, a ledger that vanishes
// or rots is nobody else's concern, and nothing is left but what lives.
func TestManyAgents(t *testing.T) {
	c := &crowd{T: t}
	for _, kv := range gittest.Env(t.TempDir()) {
		if name, value, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GIT_") || name == "HOME" {
			t.Setenv(name, value)
		}
	}
	c.env = gittest.Env(os.Getenv("HOME"))
	c.setUp(*crowdAgents)
	host := engine.NewHost(t.Context(), nil)
	for _, r := range c.trees {
		if _, err := host.Open(t.Context(), engine.Options{Dir: r.Dir, Client: "soak", Table: verbs.Table()}); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithTimeout(t.Context(), *crowdFor)
	defer stop()
	var all sync.WaitGroup
	for i := range c.trees {
		all.Go(func() { c.work(ctx, i) })
	}
	beats := c.watchBeats(ctx)
	all.Go(func() { c.rot(ctx) })
	all.Wait()
	longest, lost := beats()
	c.settle()
	if err := host.Close(); err != nil {
		t.Error(err)
	}
	c.left()
	t.Logf("%d agents in %d clones, %s: %d verbs, %d plain git commands; %d met index.lock, %d words of a lapse, %d faults; heartbeats: longest pause %s of a lease of %s, %d lost",
		len(c.trees), len(c.clones), *crowdFor, c.calls.Load(), c.gits.Load(), c.locked.Load(), c.idle.Load(), c.faults.Load(),
		longest.Round(time.Second/10), *crowdLease, lost)
	if c.locked.Load()+c.idle.Load()+c.faults.Load()+int64(lost) > 0 {
		t.Error("none of these may happen")
	}
}

func (c *crowd) setUp(n int) {
	seed := gittest.New(c)
	for i := range n {
		seed.Write(fmt.Sprintf("f%d.go", i), fmt.Sprintf("package a\n\nfunc F%d(p string) error { return nil }\n", i))
	}
	seed.Write("go.mod", "module example.com/m\n")
	seed.Commit("Base")
	c.remote = gittest.Bare(c)
	seed.Git("push", "-q", c.remote.Dir, "main")
	for i := range n {
		if i < max(2, n/5) {
			r := c.remote.Clone()
			for k, v := range map[string]string{"pollInterval": (*crowdLease / 6).String(), "snapshotInterval": "5s", "lease": crowdLease.String()} {
				r.Git("config", "gitlet."+k, v)
			}
			c.clones, c.trees = append(c.clones, r), append(c.trees, r)
			continue
		}
		of := c.clones[i%len(c.clones)]
		dir := filepath.Join(of.Dir, "..", fmt.Sprintf("tree%d", i))
		of.Git("worktree", "add", "-q", "-b", fmt.Sprintf("work/%d", i), dir)
		c.trees = append(c.trees, gittest.At(c, dir))
	}
}

// work is one agent: edits, verbs, commits. A third of them say little, and live by
// their heartbeat.
func (c *crowd) work(ctx context.Context, i int) {
	r, rng := c.trees[i], rand.New(rand.NewPCG(uint64(i), 1))
	quiet := i%3 == 2
	own := fmt.Sprintf("f%d.go", i)
	c.gitlet(r, "start", fmt.Sprintf("Task number %d", i))
	for n := 0; ctx.Err() == nil; n++ {
		if quiet {
			c.gitlet(r, "status")
			pause(ctx, *crowdLease/2)
			continue
		}
		file := own
		if rng.IntN(4) == 0 {
			file = fmt.Sprintf("f%d.go", rng.IntN(len(c.trees)))
		}
		r.Write(file, fmt.Sprintf("package a\n\nfunc F%s(p string, n%d int) error { return nil }\n", strings.TrimSuffix(file[1:], ".go"), n))
		switch rng.IntN(6) {
		case 0:
			c.git(r, "add", "-A")
			c.git(r, "commit", "-q", "--allow-empty", "-m", fmt.Sprintf("Step %d", n))
		case 1:
			c.gitlet(r, "claim", own+":F"+fmt.Sprint(i))
		case 2:
			c.gitlet(r, "release", own+":F"+fmt.Sprint(i))
		case 3:
			c.git(r, "status", "--short")
			c.git(r, "checkout", "-q", "HEAD", "--", "go.mod")
		default:
			c.gitlet(r, "status")
		}
		pause(ctx, time.Duration(500+rng.IntN(2500))*time.Millisecond)
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

func (c *crowd) git(r *gittest.Repo, args ...string) {
	c.gits.Add(1)
	if out, err := r.TryGit(args...); err != nil {
		c.faults.Add(1)
		c.look(out)
		c.Logf("git %q: %v\n%s", args, err, out)
	}
}

// gitlet runs a verb in a shell's way. It may be refused; it may not break.
func (c *crowd) gitlet(r *gittest.Repo, args ...string) {
	c.calls.Add(1)
	cmd := exec.Command("gitlet", args...)
	cmd.Dir, cmd.Env = r.Dir, c.env
	out, err := cmd.CombinedOutput()
	c.look(string(out))
	if code := cmd.ProcessState.ExitCode(); err != nil && code != 1 {
		c.faults.Add(1)
		c.Logf("gitlet %q: %v\n%s", args, err, out)
	}
}

func (c *crowd) look(out string) {
	if strings.Contains(out, "index.lock") {
		c.locked.Add(1)
		c.Logf("%s", out)
	}
	if strings.Contains(out, "idle since") || strings.Contains(out, "gone quiet") {
		c.idle.Add(1)
		c.Logf("%s", out)
	}
}

// watchBeats looks at the remote's states now and then, until ctx ends. The function it
// returns says how long the longest pause of a state was, and how many lasted a lease.
func (c *crowd) watchBeats(ctx context.Context) func() (longest time.Duration, lost int) {
	var longest time.Duration
	lost, done := 0, make(chan struct{})
	go func() {
		defer close(done)
		at, seen := map[string]string{}, map[string]time.Time{}
		for ctx.Err() == nil {
			now := time.Now()
			for line := range strings.Lines(c.remote.Git("for-each-ref", "--format=%(refname) %(objectname)", "refs/gitlet/agents/*/state")) {
				ref, oid, _ := strings.Cut(strings.TrimSpace(line), " ")
				age := now.Sub(seen[ref])
				if at[ref] != "" {
					longest = max(longest, age)
				}
				if at[ref] != oid {
					if at[ref] != "" && age > *crowdLease {
						lost++
					}
					at[ref], seen[ref] = oid, now
				}
			}
			pause(ctx, time.Second/2)
		}
	}()
	return func() (time.Duration, int) { <-done; return longest, lost }
}

// rot takes one clone's ledger away and damages another's while everybody works.
func (c *crowd) rot(ctx context.Context) {
	file := func(i int) string { return filepath.Join(c.clones[i].Dir, ".git", "gitlet", ledger.FileName) }
	pause(ctx, *crowdFor/3)
	if err := os.Remove(file(0)); err != nil {
		c.Error(err)
	}
	pause(ctx, *crowdFor/3)
	if err := os.WriteFile(file(1), []byte(strings.Repeat("noise ", 5000)), 0o600); err != nil {
		c.Error(err)
	}
}

// settle lets half of the agents stop, so that there is something to be gone.
func (c *crowd) settle() {
	for i, r := range c.trees {
		if i%2 == 0 {
			r.Git("checkout", "-q", "-f", "HEAD", "--", ".")
			c.gitlet(r, "abandon")
		}
	}
}

// left checks that the remote holds nothing but what living items need.
func (c *crowd) left() {
	checkRemote(c.T, c.remote.Dir)
	items, owners := map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(c.remote.Git("for-each-ref", "--format=%(refname)", "refs/gitlet/agents")) {
		ref := strings.TrimSpace(line)
		n, _ := bus.ParseRef(ref)
		if n.Kind != bus.StateDoc {
			continue
		}
		owners[n.Agent] = true
		st, _, err := wire.DecodeState([]byte(c.remote.Show(ref, "state.json")), n.Agent)
		if err != nil {
			c.Error(err)
		}
		for _, it := range st.Items {
			items[n.Agent+"/"+it.ID] = it.Status.Open()
		}
	}
	if len(owners) > len(c.trees) {
		c.Errorf("%d agents on the remote, of %d", len(owners), len(c.trees))
	}
	for line := range strings.Lines(c.remote.Git("for-each-ref", "--format=%(refname)", "refs/gitlet/wip", "refs/gitlet/claims")) {
		ref := strings.TrimSpace(line)
		n, _ := bus.ParseRef(ref)
		key := n.Agent + "/" + n.Item
		if n.Kind == bus.ClaimDoc {
			cl, _, err := wire.DecodeClaim([]byte(c.remote.Show(ref, "claim.json")), n.Key)
			if err != nil {
				c.Error(err)
			}
			key = cl.Owner + "/" + cl.Item
		}
		if !items[key] {
			c.Errorf("%s outlives its item %s", ref, key)
		}
	}
}
