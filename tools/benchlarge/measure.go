package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gitlet/internal/engine"
	"gitlet/internal/git"
	"gitlet/internal/snapshot"
	"gitlet/internal/verb"
	"gitlet/internal/verbs"
)

// changed is how many files the steps change that change some.
const changed = 20

// step is one thing that is timed, after what prepare does.
type step struct {
	name    string
	prepare func(round int) error
	run     func(ctx context.Context) error

	took []time.Duration
	gits []string // the git processes of one run
}

// bench holds what the steps share.
type bench struct {
	options
	dir    string
	files  int
	engine *engine.Engine
	wt     *git.Worktree
	edits  int
}

func (o options) measure(ctx context.Context, clone string, files int) error {
	if err := gitRun(ctx, clone, "checkout", "-q", "--", "."); err != nil {
		return err
	}
	wt, err := git.Open(ctx, clone)
	if err != nil {
		return err
	}
	if _, err := wt.Config(ctx); err != nil { // as every verb and tick has done before
		return err
	}
	e, err := engine.Open(ctx, engine.Options{Dir: clone, Client: "bench", Agent: "bench-host-000001", Table: verbs.Table()})
	if err != nil {
		return err
	}
	defer e.Close()
	b := &bench{options: o, dir: clone, files: files, engine: e, wt: wt}
	idle := b.steps()
	if err := b.turns(ctx, idle); err != nil {
		return err
	}
	dirty := b.dirtySteps()
	if err := b.turns(ctx, dirty); err != nil {
		return err
	}
	table("nothing changed", idle)
	table(fmt.Sprintf("%d files changed since the run before", changed), dirty)
	return nil
}

func none(int) error { return nil }

// steps are those of a work tree where nothing changed since the one before.
func (b *bench) steps() []*step {
	return []*step{
		{name: "git status", prepare: none, run: b.exec("git", "status")},
		{name: "an idle tick", prepare: none, run: b.tick},
		{name: "a snapshot", prepare: none, run: b.snapshot},
		{name: "status of a running session", prepare: none, run: b.status},
		{name: "gitlet status", prepare: none, run: b.exec(b.gitlet, "status")},
	}
}

// dirtySteps change files before each run; git status then looks at the same tree.
func (b *bench) dirtySteps() []*step {
	return []*step{
		{name: "git status", prepare: b.edit, run: b.exec("git", "status")},
		{name: "a snapshot", prepare: b.edit, run: b.snapshot},
		{name: "a tick that shares them", prepare: b.edit, run: b.tick},
		{name: "gitlet status", prepare: b.edit, run: b.exec(b.gitlet, "status")},
	}
}

func (b *bench) tick(ctx context.Context) error {
	_, err := b.engine.Tick(ctx)
	return err
}

func (b *bench) snapshot(ctx context.Context) error {
	_, err := snapshot.Take(ctx, b.wt, snapshot.Policy{Untracked: "source", MaxFile: 5 << 20, Now: time.Now()})
	return err
}

func (b *bench) status(ctx context.Context) error {
	r := b.engine.Run(ctx, verb.Spec{Name: "status", Effects: verb.Effects{ReadOnly: true, Fresh: true, Snapshot: true}},
		func(ctx context.Context, c *engine.Call) (*verb.Result, error) {
			_, _, err := c.AllNotes(ctx)
			return &verb.Result{Outcome: verb.OK}, err
		})
	if r.Outcome != verb.OK {
		return fmt.Errorf("status: %s", r.Summary)
	}
	return nil
}

// exec runs a program in the clone. It speaks as another agent than the engine, whose
// session would keep it from writing otherwise.
func (b *bench) exec(program string, args ...string) func(context.Context) error {
	return func(ctx context.Context) error {
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Dir = b.dir
		cmd.Env = append(os.Environ(), "GITLET_AGENT=bench-host-000002")
		out, err := cmd.CombinedOutput()
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", filepath.Base(program), err, out)
		}
		return nil
	}
}

// edit writes the changed files anew, spread over the tree.
func (b *bench) edit(int) error {
	b.edits++
	for k := range changed {
		i := k * (b.files / changed)
		if err := os.WriteFile(filepath.Join(b.dir, path(i)), []byte(source(i, b.edits)), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// turns runs all steps in turn, first once without a clock to see which git
// processes they start.
func (b *bench) turns(ctx context.Context, steps []*step) error {
	for round := range b.rounds + 2 {
		for _, s := range steps {
			if err := s.prepare(round); err != nil {
				return err
			}
			trace := ""
			if round == 1 {
				trace = filepath.Join(b.options.dir, "trace")
			}
			start := time.Now()
			err := traced(trace, func() error { return s.run(ctx) })
			took := time.Since(start)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			switch {
			case round == 1:
				if s.gits, err = commands(trace); err != nil {
					return err
				}
			case round > 1:
				s.took = append(s.took, took)
			}
		}
	}
	return nil
}

// traced runs f with git's event trace going to file, "" for none.
func traced(file string, f func() error) error {
	if file == "" {
		return f()
	}
	_ = os.Remove(file) // of the step before
	if err := os.Setenv("GIT_TRACE2_EVENT", file); err != nil {
		return err
	}
	defer os.Unsetenv("GIT_TRACE2_EVENT")
	return f()
}

// commands lists the git commands of a trace that were not started by git itself.
func commands(trace string) ([]string, error) {
	data, err := os.ReadFile(trace)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		var e struct{ Event, SID, Name string }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		if e.Event == "cmd_name" && !strings.Contains(e.SID, "/") {
			out = append(out, e.Name)
		}
	}
	return out, nil
}

// table prints the medians, their ratios to the first step's, and the processes.
func table(title string, steps []*step) {
	fmt.Printf("%s:\n\n| step | median | times git status | git processes |\n| --- | --- | --- | --- |\n", title)
	base := median(steps[0].took)
	for _, s := range steps {
		m := median(s.took)
		fmt.Printf("| %s | %.0f ms | %.2f | %d: %s |\n", s.name, m.Seconds()*1000, m.Seconds()/base.Seconds(), len(s.gits), strings.Join(s.gits, " "))
	}
	fmt.Println()
}

func median(d []time.Duration) time.Duration {
	d = slices.Sorted(slices.Values(d))
	return d[len(d)/2]
}
