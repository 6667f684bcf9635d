package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"time"

	"gitlet/internal/git"
)

// history is a repository that is only read: what has to be written goes to a
// scratch clone that borrows its objects.
type history struct {
	wt   *git.Worktree
	dir  string
	tip  string
	name string
}

// openHistory borrows the repository at dir; rev names its main, "" is HEAD.
func openHistory(ctx context.Context, dir, rev string) (*history, error) {
	if rev == "" {
		rev = "HEAD"
	}
	out, err := runGit(ctx, dir, "rev-parse", "--git-common-dir", "--show-object-format", rev+"^{commit}")
	if err != nil {
		return nil, err
	}
	said := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(said) != 3 {
		return nil, fmt.Errorf("open %q: git answered %q", dir, out)
	}
	common, format, tip := said[0], said[1], said[2]
	if !filepath.IsAbs(common) {
		if common, err = filepath.Abs(filepath.Join(dir, common)); err != nil {
			return nil, err
		}
	}
	tmp, err := os.MkdirTemp("", "gitlet-replay-")
	if err != nil {
		return nil, fmt.Errorf("make a scratch clone: %w", err)
	}
	h := &history{dir: tmp, tip: tip, name: filepath.Base(filepath.Clean(strings.TrimSuffix(dir, "/repo")))}
	if err := h.borrow(ctx, common, format); err != nil {
		h.close()
		return nil, err
	}
	return h, nil
}

func (h *history) borrow(ctx context.Context, common, format string) error {
	if _, err := runGit(ctx, h.dir, "init", "-q", "--object-format="+format, "."); err != nil {
		return err
	}
	own := filepath.Join(h.dir, ".git")
	alternates := []byte(filepath.Join(common, "objects") + "\n")
	if err := os.WriteFile(filepath.Join(own, "objects", "info", "alternates"), alternates, 0o600); err != nil {
		return fmt.Errorf("borrow objects: %w", err)
	}
	shallow, err := os.ReadFile(filepath.Join(common, "shallow"))
	if err == nil {
		err = os.WriteFile(filepath.Join(own, "shallow"), shallow, 0o600)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("borrow objects: %w", err)
	}
	for _, args := range [][]string{
		{"symbolic-ref", "HEAD", "refs/heads/main"}, {"update-ref", "refs/heads/main", h.tip},
		{"config", "user.name", "replay"}, {"config", "user.email", "replay@localhost"},
	} {
		if _, err := runGit(ctx, h.dir, args...); err != nil {
			return err
		}
	}
	h.wt, err = git.Open(ctx, h.dir)
	return err
}

func (h *history) close() { _ = os.RemoveAll(h.dir) } // a leftover in the temporary folder harms nobody

// runGit runs git without the settings of the machine or of a caller.
func runGit(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir, "-c", "safe.directory=*"}, args...)...)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GIT_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1",
		"GIT_AUTHOR_DATE=@0 +0000", "GIT_COMMITTER_DATE=@0 +0000")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s in %q: %w: %s", args[0], dir, err, strings.TrimSpace(stderr.String()))
	}
	return out, nil
}

// landing is one pull request as main's history shows it.
type landing struct {
	number  int
	title   string
	commit  string // on main
	parent  string // main before it
	branch  string // the branch's last commit; "" when it was squashed
	started time.Time
	landed  time.Time
}

// squashLag is how much older than its commit an author's date must be to be the branch's.
const squashLag = time.Hour

var (
	pullNumber  = regexp.MustCompile(`#(\d+)`)
	squashTitle = regexp.MustCompile(`\(#(\d+)\)$`)
	mergeFrame  = regexp.MustCompile(`^(Merge pull request #\d+ from |Auto merge of #\d+ |Merge #\d+\b)`)
)

// landings lists the pull requests among the last max commits of main, newest first.
func (h *history) landings(ctx context.Context, max int) ([]landing, error) {
	out, err := runGit(ctx, h.dir, "log", "-z", "--first-parent", "--max-count="+strconv.Itoa(max),
		"--format=%H%x01%P%x01%at%x01%ct%x01%B", h.tip)
	if err != nil {
		return nil, err
	}
	var all []landing
	for _, rec := range strings.Split(string(out), "\x00") {
		f := strings.SplitN(rec, "\x01", 5)
		if len(f) != 5 {
			continue
		}
		if l, ok := readLanding(f[0], strings.Fields(f[1]), unix(f[2]), unix(f[3]), f[4]); ok {
			all = append(all, l)
		}
	}
	return all, nil
}

// touched lists, by commit, the files that each of the last max commits of main changed.
func (h *history) touched(ctx context.Context, max int) (map[string]map[string]bool, error) {
	out, err := runGit(ctx, h.dir, "log", "-z", "--first-parent", "--diff-merges=first-parent", "--name-only", "--no-renames",
		"--max-count="+strconv.Itoa(max), "--format=%x01%H", h.tip)
	if err != nil {
		return nil, err
	}
	all := map[string]map[string]bool{}
	for _, rec := range strings.Split(string(out), "\x01") {
		names := strings.FieldsFunc(rec, func(r rune) bool { return r == 0 })
		if len(names) == 0 {
			continue
		}
		files := map[string]bool{}
		for _, n := range names[1:] {
			files[strings.TrimPrefix(n, "\n")] = true
		}
		all[names[0]] = files
	}
	return all, nil
}

func unix(s string) time.Time {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(n, 0).UTC()
}

func readLanding(oid string, parents []string, authored, committed time.Time, message string) (landing, bool) {
	subject, body, _ := strings.Cut(strings.TrimSpace(message), "\n")
	subject = strings.TrimSpace(subject)
	l := landing{commit: oid, landed: committed, started: authored, title: subject}
	re := squashTitle
	if len(parents) == 2 {
		re, l.branch = pullNumber, parents[1]
	}
	m := re.FindStringSubmatch(subject)
	if m == nil || len(parents) == 0 || len(parents) > 2 {
		return l, false
	}
	if len(parents) == 1 && committed.Sub(authored) < squashLag {
		return l, false // nothing tells where the branch began
	}
	l.parent = parents[0]
	l.number, _ = strconv.Atoi(m[1]) // digits, or a number nobody has: 0 is as good
	if mergeFrame.MatchString(subject) {
		l.title, _, _ = strings.Cut(strings.TrimSpace(body), "\n")
	}
	l.title = strings.TrimSpace(squashTitle.ReplaceAllString(strings.TrimSpace(l.title), ""))
	return l, l.title != ""
}

// begin finds when a merged branch was begun: the date of its oldest commit that main
// did not have.
func (h *history) begin(ctx context.Context, l *landing) error {
	if l.branch == "" {
		return nil
	}
	out, err := runGit(ctx, h.dir, "log", "--format=%at", l.branch, "^"+l.parent)
	if err != nil {
		return err
	}
	l.started = l.landed
	for _, s := range strings.Fields(string(out)) {
		if at := unix(s); at.Before(l.started) {
			l.started = at
		}
	}
	return nil
}

// pair is two pull requests whose lifetimes overlapped; first landed first.
type pair struct{ first, second landing }

// overlapping lists all pairs that were open at one time, in an order drawn by the
// seed. A branch older than long is left out: nearly everything overlaps it.
func overlapping(all []landing, long time.Duration, seed uint64) []pair {
	var fit []landing
	for _, l := range all {
		if l.landed.Sub(l.started) <= long && l.started.Before(l.landed) {
			fit = append(fit, l)
		}
	}
	sort.SliceStable(fit, func(i, j int) bool { return fit[i].landed.Before(fit[j].landed) })
	var out []pair
	for j, b := range fit {
		for i := j - 1; i >= 0 && b.started.Before(fit[i].landed); i-- {
			out = append(out, pair{fit[i], b})
		}
	}
	r := rand.New(rand.NewPCG(seed, 0))
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}
