package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"gitlet/internal/engine"
	"gitlet/internal/verb"
	"gitlet/internal/verbs"
)

// options are the command line.
type options struct {
	n    int
	seed uint64
	rev  string
	dirs []string
}

func main() {
	var o options
	flag.IntVar(&o.n, "n", 200, "branch points per repository")
	flag.Uint64Var(&o.seed, "seed", 1, "draws the branch points")
	flag.StringVar(&o.rev, "main", "HEAD", "the branch or commit that is main")
	flag.Parse()
	o.dirs = flag.Args()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	same, err := run(ctx, o, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "updates: %v\n", err)
		os.Exit(2)
	}
	if !same {
		os.Exit(1)
	}
}

func run(ctx context.Context, o options, out io.Writer) (bool, error) {
	if len(o.dirs) == 0 {
		return false, errors.New("name the repositories to read, as in updates -n 200 DIR")
	}
	same := true
	for _, dir := range o.dirs {
		s, err := one(ctx, o, dir, out)
		if err != nil {
			return false, err
		}
		same = same && s.wrong() == 0
	}
	return same, nil
}

// point is a branch as it was merged: where it was, and main before that.
type point struct{ merge, main, head string }

// lab is a scratch clone that borrows the objects of the repository that is read.
type lab struct {
	ctx context.Context
	dir string
}

func (l lab) git(args ...string) (string, error) {
	cmd := exec.CommandContext(l.ctx, "git", append([]string{"-C", l.dir, "-c", "safe.directory=*", "-c", "advice.detachedHead=false"}, args...)...)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GIT_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
		"GIT_EDITOR=:", "GIT_NO_LAZY_FETCH=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return strings.TrimSpace(string(text)), nil
}

func one(ctx context.Context, o options, dir string, out io.Writer) (*score, error) {
	tmp, err := os.MkdirTemp("", "gitlet-updates-")
	if err != nil {
		return nil, fmt.Errorf("make a scratch clone: %w", err)
	}
	defer os.RemoveAll(tmp)
	src := lab{ctx, dir}
	tip, err := src.git("rev-parse", o.rev+"^{commit}")
	if err != nil {
		return nil, err
	}
	all, err := points(src, tip)
	if err != nil {
		return nil, err
	}
	rand.New(rand.NewPCG(o.seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	s := &score{name: filepath.Base(strings.TrimSuffix(filepath.Clean(dir), "/repo")), found: len(all)}
	l := lab{ctx, filepath.Join(tmp, "clone")}
	if _, err := (lab{ctx, tmp}).git("clone", "-q", "--shared", "--no-checkout", dir, l.dir); err != nil {
		return nil, err
	}
	for _, args := range [][]string{{"remote", "remove", "origin"}, {"config", "user.name", "updates"}, {"config", "user.email", "updates@localhost"},
		{"config", "gitlet.main", "main"}, {"checkout", "-q", "--detach", tip}} {
		if _, err := l.git(args...); err != nil {
			return nil, err
		}
	}
	for _, p := range all {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if len(s.took) == o.n {
			break
		}
		if l.stand(p) != nil {
			s.absent++ // a copy of a repository may lack some of its files
			continue
		}
		if err := l.replay(p, s); err != nil {
			return nil, fmt.Errorf("merge %s: %w", p.merge, err)
		}
		if len(s.took)%25 == 0 {
			fmt.Fprintf(os.Stderr, "%s: %d\n", s.name, len(s.took))
		}
	}
	_, err = io.WriteString(out, s.report())
	return s, err
}

// points lists the merges into main whose branch holds no merge and lacks some of main.
func points(l lab, tip string) ([]point, error) {
	text, err := l.git("rev-list", "--first-parent", "--min-parents=2", "--max-parents=2", "--parents", tip)
	if err != nil {
		return nil, err
	}
	var out []point
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) != 3 {
			continue
		}
		p := point{merge: f[0], main: f[1], head: f[2]}
		count, err := l.git("rev-list", "--count", "--left-right", p.main+"..."+p.head)
		if err != nil {
			return nil, err
		}
		merges, err := l.git("rev-list", "--count", "--min-parents=2", p.main+".."+p.head)
		if err != nil {
			return nil, err
		}
		base, err := l.git("merge-base", "--all", p.main, p.head)
		n := strings.Fields(count)
		if err == nil && len(n) == 2 && n[0] != "0" && n[1] != "0" && merges == "0" && !strings.Contains(base, "\n") {
			out = append(out, p)
		}
	}
	return out, nil
}

// stand puts the clone on the branch as it was.
func (l lab) stand(p point) error {
	for _, args := range [][]string{{"checkout", "-q", "--force", "--detach", p.main}, {"checkout", "-q", "--force", "--detach", p.head}, {"clean", "-qffdx"},
		{"update-ref", "refs/heads/main", p.main}, {"checkout", "-q", "-B", "topic", p.head}} {
		if _, err := l.git(args...); err != nil {
			return err
		}
	}
	return nil
}

// seen is what can be compared of a branch and its work tree.
type seen struct{ head, tree, commits, status string }

func (l lab) see(main string) (s seen, err error) {
	for _, x := range []struct {
		to   *string
		args []string
	}{
		{&s.head, []string{"rev-parse", "HEAD", "--symbolic-full-name", "HEAD"}}, {&s.tree, []string{"rev-parse", "HEAD^{tree}"}},
		{&s.commits, []string{"log", "--format=%T %an %ae %at %B", main + "..HEAD"}}, {&s.status, []string{"status", "--porcelain", "--ignored"}},
	} {
		if *x.to, err = l.git(x.args...); err != nil {
			return s, err
		}
	}
	return s, nil
}

// replay brings the branch, on which the clone stands, up to date in both ways.
func (l lab) replay(p point, s *score) error {
	_, rerr := l.git("-c", "core.hooksPath="+os.DevNull, "-c", "rebase.updateRefs=false", "rebase", "-q", "--no-autostash", p.main)
	var want seen
	if rerr == nil {
		var err error
		if want, err = l.see(p.main); err != nil {
			return err
		}
	} else if _, err := l.git("rebase", "--abort"); err != nil {
		return fmt.Errorf("%w, after %w", err, rerr)
	}
	if err := l.stand(p); err != nil {
		return err
	}
	before, err := l.see(p.main)
	if err != nil {
		return err
	}
	begin := time.Now()
	res, err := l.update()
	if err != nil {
		return err
	}
	s.took = append(s.took, time.Since(begin))
	after, err := l.see(p.main)
	if err != nil {
		return err
	}
	s.count(p, res, rerr == nil, want, before, after)
	return nil
}

// update runs the verb in this process.
func (l lab) update() (res *verb.Result, err error) {
	e, err := engine.Open(l.ctx, engine.Options{Dir: l.dir, Client: "updates", Table: verbs.Table()})
	if err != nil {
		return nil, err
	}
	res = verbs.Run(l.ctx, e, "update", &verbs.UpdateArgs{})
	return res, e.Close()
}
