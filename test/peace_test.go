package test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gitlet/internal/engine"
	"gitlet/internal/git/gittest"
	"gitlet/internal/verb"
	"gitlet/internal/verbs"
)

var (
	peaceFor   = flag.Duration("peacefor", 8*time.Second, "how long TestPeaceWithGit runs")
	peaceSeed  = flag.Uint64("peaceseed", 1, "what its agent does")
	peaceLease = flag.Duration("peacelease", time.Minute, "the lease of its agent")
)

// lockWords are how git says that somebody else holds a lock.
var lockWords = regexp.MustCompile(`\.lock|cannot lock ref|[Uu]nable to create '|is locked|could not lock`)

const stable = 12 // files that are in every commit and that nobody deletes

// peace is one agent that uses git without pause, and a session beside it that reads
// its work tree without pause.
type peace struct {
	*testing.T
	remote, repo *gittest.Repo
	env          []string
	pushes       string // the remote's record of every snapshot it was sent
	rng          *rand.Rand

	wrote         map[string]map[string]bool // by path: every content it was ever given
	lines         map[string]map[string]bool // and every line
	version       int
	branches, wts int
	gits, refused atomic.Int64
	ticks, looks  atomic.Int64
	locks, unread atomic.Int64
	slow          atomic.Int64
	longest       time.Duration
	lost          int
}

// TestPeaceWithGit lets an agent commit, amend, rebase, reset, stash, switch, clean,
// pick, collect garbage and add worktrees in a loop beside a session: neither meets a
// lock of the other, every snapshot that leaves the machine stands on a commit the agent
// had and holds what its files really held, no heartbeat is lost, and nothing of the
// agent's refs, stash and index is ever touched.
func TestPeaceWithGit(t *testing.T) {
	p := newPeace(t)
	e, err := engine.Open(t.Context(), engine.Options{Dir: p.repo.Dir, Client: "soak", Agent: "agent-host-000001", Table: verbs.Table()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), *peaceFor)
	defer stop()
	var all sync.WaitGroup
	all.Go(func() { p.session(ctx, e) })
	all.Go(func() { p.shell(ctx) })
	all.Go(func() { p.watch(ctx) })
	p.agent(ctx)
	all.Wait()
	p.write(p.file())
	if _, err := e.Tick(t.Context()); err != nil { // however slow it was before, this one is shared
		t.Error(err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	snapshots := p.check()
	t.Logf("%s: %d git commands of the agent (%d ended in a conflict or had nothing to do), %d ticks, %d verbs (%d could not read the tree, %d had to leave something for later); %d lock failures; %d snapshots left the machine; longest pause of a heartbeat %s of a lease of %s, %d lost",
		*peaceFor, p.gits.Load(), p.refused.Load(), p.ticks.Load(), p.looks.Load(), p.unread.Load(), p.slow.Load(), p.locks.Load(), snapshots,
		p.longest.Round(time.Second/10), *peaceLease, p.lost)
	if p.locks.Load() > 0 || p.lost > 0 {
		t.Error("neither may happen")
	}
	if snapshots == 0 {
		t.Error("nothing was shared, so nothing was tested")
	}
}

func newPeace(t *testing.T) *peace {
	p := &peace{T: t, rng: rand.New(rand.NewPCG(*peaceSeed, 0)), wrote: map[string]map[string]bool{}, lines: map[string]map[string]bool{}}
	for _, kv := range gittest.Env(t.TempDir()) {
		if name, value, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GIT_") || name == "HOME" {
			t.Setenv(name, value)
		}
	}
	p.env = append(gittest.Env(os.Getenv("HOME")), "GITLET_AGENT=agent-host-000001", "GORACE=atexit_sleep_ms=0")
	p.remote = gittest.Bare(t)
	p.pushes = filepath.Join(p.remote.Dir, "..", "pushes")
	p.remote.Script("hooks/post-receive", "exec cat >>"+p.pushes+"\n")
	seed := gittest.New(t)
	p.repo = seed
	for i := range stable {
		p.write(fmt.Sprintf("dir%d/file%d.go", i%3, i))
	}
	seed.Write("go.mod", "module example.com/m\n")
	seed.Commit("Base")
	seed.Git("push", "-q", p.remote.Dir, "main")
	p.repo = p.remote.Clone()
	for k, v := range map[string]string{"gitlet.pollInterval": "0s", "gitlet.snapshotInterval": "0s", "gitlet.lease": peaceLease.String(),
		// The log of HEAD is what snapshots are judged by.
		"gc.reflogExpire": "never", "gc.reflogExpireUnreachable": "never"} {
		p.repo.Git("config", k, v)
	}
	return p
}

// write gives a file a content that no file had before, in one step.
func (p *peace) write(file string) {
	p.version++
	content := fmt.Sprintf("package dir\n\nvar V%d = %d\n", p.version, p.version)
	if p.wrote[file] == nil {
		p.wrote[file], p.lines[file] = map[string]bool{}, map[string]bool{}
	}
	p.wrote[file][content] = true
	for line := range strings.Lines(content) {
		p.lines[file][line] = true
	}
	p.repo.Write("../next", content)
	p.repo.Write(filepath.Join(filepath.Dir(file), ".keep"), "") // makes the folder
	p.repo.Remove(filepath.Join(filepath.Dir(file), ".keep"))
	if err := os.Rename(p.repo.Path("../next"), p.repo.Path(file)); err != nil {
		p.Fatal(err)
	}
}

// agent works until ctx ends. Before each step it looks whether anything of its
// repository moved since its last one.
func (p *peace) agent(ctx context.Context) {
	steps := []func(){p.edit, p.edit, p.edit, p.commit, p.commit, p.amend, p.reset, p.stash, p.move, p.move, p.clean, p.pick, p.rebase, p.merge,
		p.worktree, p.collect, p.add, p.restore, p.push}
	for ctx.Err() == nil {
		steps[p.rng.IntN(len(steps))]()
		before := p.mine()
		pause(ctx, time.Duration(p.rng.IntN(120))*time.Millisecond)
		if after := p.mine(); after != before {
			p.Errorf("while the agent did nothing, its repository went from\n%s\nto\n%s", before, after)
		}
	}
}

// mine is everything of the repository that is the agent's alone.
func (p *peace) mine() string {
	index, err := os.ReadFile(p.repo.Path(".git/index"))
	if err != nil {
		p.Fatal(err)
	}
	head, err := os.ReadFile(p.repo.Path(".git/HEAD"))
	if err != nil {
		p.Fatal(err)
	}
	return fmt.Sprintf("%s%s\nindex %x", head, p.repo.Git("for-each-ref", "refs/heads", "refs/tags", "refs/stash", "refs/remotes"), sha256.Sum256(index))
}

// try runs a command that may come to a conflict or have nothing to do.
func (p *peace) try(args ...string) bool {
	p.gits.Add(1)
	out, err := p.repo.TryGit(args...)
	p.see("git "+strings.Join(args, " "), out)
	if err != nil {
		p.refused.Add(1)
	}
	return err == nil
}

// git runs a command that has no reason to fail.
func (p *peace) git(args ...string) {
	p.gits.Add(1)
	if out, err := p.repo.TryGit(args...); err != nil {
		p.see("git "+strings.Join(args, " "), out)
		p.Errorf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// see counts what was said about a lock.
func (p *peace) see(what, out string) {
	if lockWords.MatchString(out) {
		p.locks.Add(1)
		p.Errorf("%s: %s", what, out)
	}
}

func (p *peace) file() string {
	i := p.rng.IntN(stable)
	return fmt.Sprintf("dir%d/file%d.go", i%3, i)
}

func (p *peace) edit() {
	for range 1 + p.rng.IntN(5) {
		p.write(p.file())
	}
	if p.rng.IntN(4) == 0 {
		p.write(fmt.Sprintf("extra/new%d.go", p.rng.IntN(6)))
	}
}

func (p *peace) commit() {
	p.git("add", "-A", "--", ".", ":!nested")
	p.try("commit", "-q", "-m", "Step")
}

func (p *peace) amend() {
	if p.try("commit", "-q", "--allow-empty", "-m", "To be amended") {
		p.write(p.file())
		p.try("commit", "-q", "-a", "--amend", "-m", "Amended")
	}
}

func (p *peace) reset() {
	how := []string{"--soft", "--mixed", "--hard"}[p.rng.IntN(3)]
	p.try("reset", "-q", how, "HEAD~1")
}

func (p *peace) stash() {
	p.write(p.file())
	if p.try("stash", "push", "-q", "--include-untracked") && p.rng.IntN(3) > 0 && !p.try("stash", "pop", "-q") {
		p.git("reset", "-q", "--hard")
		p.try("stash", "drop", "-q")
	}
}

func (p *peace) move() {
	switch p.rng.IntN(4) {
	case 0:
		p.branches++
		p.try("switch", "-q", "-c", fmt.Sprintf("work/%d", p.branches))
	case 1:
		p.try("switch", "-q", "--detach", "HEAD")
	case 2:
		p.try("switch", "-q", "-f", "main")
	default:
		if p.branches > 0 {
			p.try("switch", "-q", fmt.Sprintf("work/%d", 1+p.rng.IntN(p.branches)))
		}
	}
}

func (p *peace) clean() { p.try("clean", "-fdq", "--exclude=nested") }

func (p *peace) pick() {
	if p.branches > 0 && !p.try("cherry-pick", "--allow-empty", fmt.Sprintf("work/%d", 1+p.rng.IntN(p.branches))) {
		p.try("cherry-pick", "--abort")
	}
}

func (p *peace) rebase() {
	if !p.try("rebase", "-q", "--autostash", "origin/main") && !p.try("rebase", "--abort") {
		p.try("rebase", "--quit")
	}
	p.settle()
}

func (p *peace) merge() {
	if p.branches > 0 && !p.try("merge", "-q", "--no-edit", fmt.Sprintf("work/%d", 1+p.rng.IntN(p.branches))) {
		p.try("merge", "--abort")
	}
}

// settle ends what a conflict left.
func (p *peace) settle() {
	if p.repo.Git("ls-files", "-u") != "" {
		p.git("reset", "-q", "--hard")
	}
}

func (p *peace) worktree() {
	p.wts++
	dir := filepath.Join("..", fmt.Sprintf("tree%d", p.wts))
	if p.wts%2 == 0 {
		dir = fmt.Sprintf("nested/tree%d", p.wts) // it must stay out of every snapshot
	}
	p.git("worktree", "add", "-q", "--detach", dir)
	p.git("worktree", "remove", "--force", dir)
}

func (p *peace) collect() {
	switch p.rng.IntN(4) {
	case 0:
		p.git("gc", "-q")
	case 1:
		p.git("pack-refs", "--all")
	case 2:
		p.try("reflog", "expire", "--expire=now", "refs/stash")
	default:
		p.git("repack", "-q", "-d")
	}
}

func (p *peace) add() {
	p.write(p.file())
	p.git("add", "-u")
	p.git("status", "--short")
}

func (p *peace) restore() { p.try("checkout", "-q", "HEAD", "--", ".") }

// push lets main move on the remote now and then, and fetches as people do.
func (p *peace) push() {
	p.try("push", "-q", "origin", "HEAD:main")
	p.git("fetch", "-q", "--prune", "origin")
}

// session ticks without pause and calls a verb now and then.
func (p *peace) session(ctx context.Context, e *engine.Engine) {
	for n := 0; ctx.Err() == nil; n++ {
		_, err := e.Tick(ctx)
		p.ticks.Add(1)
		if err != nil && ctx.Err() == nil {
			p.Errorf("tick: %v", err)
		}
		if n%3 > 0 {
			continue
		}
		r := e.Run(ctx, verb.Spec{Name: "look"}, func(ctx context.Context, c *engine.Call) (*verb.Result, error) {
			_, err := c.View(ctx)
			return &verb.Result{Outcome: verb.OK}, err
		})
		p.heard(ctx, r.Outcome == verb.OK, r.Summary, r.Warnings)
	}
}

// heard judges what a verb said. That the tree could not be read at that moment is
// counted; anything else that went wrong fails the test.
func (p *peace) heard(ctx context.Context, ok bool, summary string, warnings []string) {
	p.looks.Add(1)
	if ctx.Err() != nil {
		return // it was cut short
	}
	if !ok {
		p.Errorf("a verb: %s", summary)
	}
	for _, w := range otherWarnings(warnings) {
		p.see("warning", w)
		switch {
		case strings.Contains(w, "could not be read") && strings.Contains(w, "moved"):
			p.unread.Add(1)
		case strings.Contains(w, "took too long"), strings.Contains(w, "did not answer within"), strings.Contains(w, "could not be read within"):
			p.slow.Add(1) // the machine is busy
		default:
			p.Errorf("warning: %s", w)
		}
	}
}

// shell calls status as a person would, from a process of its own.
func (p *peace) shell(ctx context.Context) {
	for ctx.Err() == nil {
		cmd := exec.CommandContext(ctx, "gitlet", "status", "--json")
		cmd.Dir, cmd.Env = p.repo.Dir, p.env
		out, err := cmd.Output()
		var r struct {
			Outcome, Summary string
			Warnings         []string
		}
		if jerr := json.Unmarshal(out, &r); ctx.Err() == nil && (err != nil || jerr != nil) {
			p.Errorf("gitlet status: %v\n%s", errors.Join(err, jerr), out)
		}
		p.heard(ctx, err == nil, r.Summary, r.Warnings)
		pause(ctx, time.Second)
	}
}

// watch follows the agent's heartbeat as others see it.
func (p *peace) watch(ctx context.Context) {
	at, since := "", time.Now()
	for ctx.Err() == nil {
		if oid := p.remote.Git("for-each-ref", "--format=%(objectname)", "refs/gitlet/agents/agent-host-000001/state"); oid != at {
			at, since = oid, time.Now()
		}
		if age := time.Since(since); at != "" {
			if p.longest = max(p.longest, age); age > *peaceLease {
				p.lost++
				since = time.Now()
			}
		}
		pause(ctx, 200*time.Millisecond)
	}
}

// check judges every snapshot the remote was ever sent, and returns how many there were.
func (p *peace) check() int {
	log, err := os.ReadFile(p.repo.Path(".git/logs/HEAD"))
	if err != nil {
		p.Fatal(err)
	}
	heads := map[string]bool{}
	for line := range strings.Lines(string(log)) {
		if f := strings.Fields(line); len(f) > 1 {
			heads[f[0]], heads[f[1]] = true, true
		}
	}
	pushes, err := os.ReadFile(p.pushes)
	if err != nil {
		p.Fatal(err)
	}
	commits, known := map[string]bool{}, map[string]string{}
	for line := range strings.Lines(string(pushes)) {
		f := strings.Fields(line) // old, new, ref
		if len(f) == 3 && strings.HasPrefix(f[2], "refs/gitlet/wip/") && strings.Trim(f[1], "0") != "" {
			commits[f[1]] = true
		}
	}
	for _, c := range slices.Sorted(maps.Keys(commits)) {
		parents := strings.Fields(p.remote.Git("rev-list", "--parents", "-n", "1", c))[1:]
		if message := p.remote.Git("log", "-1", "--format=%s", c); message != "gitlet: snapshot" {
			if !heads[c] {
				p.Errorf("%s was shared, which is no snapshot and was never HEAD: %q", c, message)
			}
			continue
		}
		if len(parents) != 1 || !heads[parents[0]] {
			p.Errorf("snapshot %s has the parents %v, none of which was HEAD", c, parents)
		}
		p.checkTree(c, known)
	}
	return len(commits)
}

// checkTree checks that every file of a snapshot holds what the work tree's once did.
func (p *peace) checkTree(commit string, known map[string]string) {
	seen := 0
	for entry := range strings.SplitSeq(strings.TrimSuffix(p.remote.Git("ls-tree", "-r", "-z", commit), "\x00"), "\x00") {
		meta, file, _ := strings.Cut(entry, "\t")
		oid := strings.Fields(meta)[2]
		if _, ok := known[oid]; !ok {
			known[oid] = p.remote.Git("cat-file", "blob", oid) + "\n"
		}
		content := known[oid]
		switch {
		case file == "go.mod":
		case strings.HasPrefix(file, "nested/"):
			p.Errorf("snapshot %s holds %q of another worktree", commit, file)
		case !p.wrote[file][content] && !p.conflicted(file, content):
			p.Errorf("snapshot %s holds %q, which never held\n%s", commit, file, content)
		}
		if strings.HasPrefix(file, "dir") {
			seen++
		}
	}
	if seen != stable {
		p.Errorf("snapshot %s holds %d of the %d files that nobody deletes", commit, seen, stable)
	}
}

// conflicted reports whether content is what a merge of two contents leaves.
func (p *peace) conflicted(file, content string) bool {
	if !strings.Contains(content, "<<<<<<< ") {
		return false
	}
	for line := range strings.Lines(content) {
		if !p.lines[file][line] && !regexp.MustCompile(`^(<<<<<<<|=======|>>>>>>>|\|\|\|\|\|\|\|)`).MatchString(line) {
			return false
		}
	}
	return true
}
