package snapshot

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"gitlet/internal/git/gittest"
)

var (
	checkpointRounds = flag.Int("checkpointrounds", 3, "how many random worktrees are restored")
	checkpointSeed   = flag.Uint64("checkpointseed", 1, "where the random worktrees begin")
)

// world is a repository that random things happen to.
type world struct {
	*gittest.Repo
	t   *testing.T
	rng *rand.Rand
	log []string
}

var names = []string{"a.go", "b.txt", "dir/c.go", "dir/sub/d.py", "dir/sub/ü nï.txt", "sp ace.md", "new\nline.txt", `"quoted".txt`,
	"x/y/z/deep.rs", "bin.dat", "run.sh", "link", "dir/link2", "\xff\xfe.bin", "Makefile", "dir/.hidden", "tab\there", "-dash", "e/f", "e.log"}

func (w *world) pick(list []string) string { return list[w.rng.IntN(len(list))] }

func (w *world) content() string {
	switch w.rng.IntN(7) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("line %d\r\nother\r\n", w.rng.IntN(9))
	case 2:
		return fmt.Sprintf("mixed %d\r\nother\n", w.rng.IntN(9))
	case 3:
		return fmt.Sprintf("\x00\x01bin%d\xff", w.rng.IntN(9))
	case 4:
		return fmt.Sprintf("no end %d", w.rng.IntN(9))
	}
	return fmt.Sprintf("line %d\nother\n", w.rng.IntN(99))
}

// put writes a file or link, whatever is in the way.
func (w *world) put(name string) {
	full := w.Path(name)
	if strings.HasPrefix(name, "mod/") {
		return
	}
	for dir := filepath.Dir(full); len(dir) > len(w.Dir); dir = filepath.Dir(dir) {
		if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
			w.must(os.Remove(dir))
		}
	}
	w.must(os.RemoveAll(full))
	w.must(os.MkdirAll(filepath.Dir(full), 0o777))
	if w.rng.IntN(6) == 0 {
		w.must(os.Symlink(w.pick([]string{"a.go", "nowhere", "../b.txt", "dir"}), full))
		return
	}
	mode := w.pick([]string{"644", "644", "644", "755", "600"})
	m, err := strconv.ParseUint(mode, 8, 32)
	w.must(err)
	w.must(os.WriteFile(full, []byte(w.content()), 0o666))
	w.must(os.Chmod(full, fs.FileMode(m)))
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("%v\nafter:\n%s", err, strings.Join(w.log, "\n"))
	}
}

// try runs git and does not mind when it refuses.
func (w *world) try(args ...string) {
	out, err := w.TryGit(args...)
	w.log = append(w.log, fmt.Sprintf("git %q: %v %.60q", args, err, out))
}

// tracked is a random path of the index, "" for none.
func (w *world) tracked() string {
	all := strings.Split(strings.TrimSuffix(w.Git("ls-files", "-z"), "\x00"), "\x00")
	p := w.pick(all)
	if p == "mod" || p == ".gitattributes" {
		return ""
	}
	return p
}

// dirty does one thing that leaves HEAD where it is.
func (w *world) dirty() {
	name, old := w.pick(names), w.tracked()
	op := w.rng.IntN(13)
	w.log = append(w.log, fmt.Sprintf("dirty %d %q %q", op, name, old))
	switch op {
	case 0, 1, 2:
		w.put(name)
	case 3:
		if old != "" {
			w.must(os.RemoveAll(w.Path(old)))
		}
	case 4:
		w.try("add", "--", name)
	case 5:
		w.try("add", "-A")
	case 6:
		w.put(name)
		w.try("add", "-N", "--", name)
	case 7:
		w.try("rm", "-q", "--cached", "--", old)
	case 8:
		w.try("mv", "--", old, name)
	case 9:
		w.try("update-index", w.pick([]string{"--skip-worktree", "--assume-unchanged", "--no-skip-worktree", "--no-assume-unchanged"}), "--", old)
	case 10:
		if info, err := os.Stat(w.Path(name)); err == nil && info.Mode().IsRegular() {
			w.must(os.Chmod(w.Path(name), info.Mode().Perm()^0o111))
		}
	case 11:
		w.put("build/out" + strconv.Itoa(w.rng.IntN(3)))
	case 12:
		w.put(name)
		w.try("add", "--", name)
		w.put(name)
	}
}

// change does what may happen after a checkpoint.
func (w *world) change() {
	op := w.rng.IntN(16)
	w.log = append(w.log, fmt.Sprintf("change %d", op))
	switch op {
	case 0:
		w.try("commit", "-q", "--no-verify", "-m", "more")
	case 1:
		w.try("commit", "-q", "--no-verify", "-a", "-m", "all")
	case 2:
		w.try("switch", "-q", "-c", fmt.Sprintf("b%d", w.rng.IntN(100)))
	case 3:
		w.try("switch", "-q", "-f", w.pick([]string{"main", "side"}))
	case 4:
		w.try("reset", "-q", "--hard")
	case 5:
		w.try("reset", "-q", "--soft", "HEAD~1")
	case 6:
		w.try("clean", "-fdq")
	case 7:
		w.try("switch", "-q", "-f", "--detach")
	case 8:
		w.try("branch", "-D", w.pick([]string{"main", "side"}))
	case 9:
		w.try("rm", "-rqf", "--", ".", ":!.gitattributes", ":!mod")
	case 10:
		w.try("add", "-f", "-A")
	default:
		w.dirty()
	}
}

// sight is all of a worktree that a restore has to bring back.
type sight struct {
	head, index, status string
	files               map[string]string // of what is not ignored
}

func (w *world) sight() sight {
	var s sight
	ref, _ := w.TryGit("symbolic-ref", "-q", "HEAD")
	oid, _ := w.TryGit("rev-parse", "-q", "--verify", "HEAD")
	s.head = ref + " " + oid
	flags := strings.Builder{}
	for line := range strings.Lines(w.Git("ls-files", "--debug", "-z")) {
		if _, f, ok := strings.Cut(strings.TrimSpace(line), "flags: "); ok {
			v, err := strconv.ParseUint(strings.Fields(f)[0], 16, 64)
			w.must(err)
			fmt.Fprintf(&flags, "%x ", v&(1<<30|1<<29|0xb000))
		}
	}
	s.index = w.Git("ls-files", "-s", "-v", "-z") + flags.String()
	s.status = w.Git("status", "--porcelain=v2", "-z", "--untracked-files=all", "--ignore-submodules=dirty")
	s.files = map[string]string{}
	ignored := map[string]bool{}
	for p := range strings.SplitSeq(w.Git("ls-files", "-z", "-o", "-i", "--exclude-standard"), "\x00") {
		ignored[p] = true
	}
	w.must(filepath.WalkDir(w.Dir, func(p string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(w.Dir, p)
		if err != nil {
			return err
		}
		if rel == ".git" {
			return filepath.SkipDir
		}
		if rel == "mod/.git" || d.IsDir() || ignored[rel] {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(p)
			s.files[rel] = "-> " + target
			return err
		}
		data, err := os.ReadFile(p)
		s.files[rel] = fmt.Sprintf("%s %q", info.Mode(), data)
		return err
	}))
	return s
}

func (w *world) same(what string, want, got sight) {
	w.t.Helper()
	ok := true
	complain := func(format string, args ...any) {
		ok = false
		w.t.Errorf(what+": "+format, args...)
	}
	if want.head != got.head {
		complain("HEAD %q, want %q", got.head, want.head)
	}
	if want.index != got.index {
		complain("index\n%q, want\n%q", got.index, want.index)
	}
	if want.status != got.status {
		complain("status\n%q, want\n%q", got.status, want.status)
	}
	for p, c := range want.files {
		if got.files[p] != c {
			complain("%q is %q, want %q", p, got.files[p], c)
		}
	}
	for p := range got.files {
		if _, had := want.files[p]; !had {
			complain("%q is new", p)
		}
	}
	if !ok {
		w.t.Fatalf("after:\n%s", strings.Join(w.log, "\n"))
	}
}

// newWorld makes a repository with some history.
func newWorld(t *testing.T, seed uint64) *world {
	var options []string
	rng := rand.New(rand.NewPCG(seed, 7))
	if rng.IntN(8) == 0 {
		options = append(options, "--object-format=sha256")
	}
	w := &world{Repo: gittest.New(t, options...), t: t, rng: rng}
	w.Write(".gitignore", "build/\n*.log\n")
	if rng.IntN(3) == 0 {
		w.Write(".gitattributes", w.pick([]string{"* text=auto\n", "*.txt text eol=crlf\n*.go text eol=lf\n", "*.txt ident\n"}))
	}
	if rng.IntN(4) == 0 {
		w.Git("config", "core.autocrlf", w.pick([]string{"true", "input"}))
	}
	w.Write("dir/sub/.gitignore", "*.tmp\n!keep.tmp\n")
	for range 8 {
		w.put(w.pick(names))
	}
	if rng.IntN(4) == 0 && len(options) == 0 {
		sub := gittest.New(t)
		sub.CommitFiles("sub", "-- s.txt --\ns\n")
		w.Git("submodule", "--quiet", "add", sub.Dir, "mod")
	}
	w.Commit("one")
	w.put("a.go")
	w.put(w.pick(names))
	w.Commit("two")
	w.Git("branch", "side", "HEAD~1")
	if rng.IntN(6) == 0 {
		w.Git("update-index", "--split-index")
	}
	if rng.IntN(6) == 0 {
		w.Git("update-index", "--index-version", "4")
	}
	return w
}

// TestRestoreGivesEverythingBack: whatever a worktree looks like, and whatever happens
// after the checkpoint, restore brings back HEAD, the index with its flags, the status,
// and every byte and mode; and restoring what it saved first brings back the other.
func TestRestoreGivesEverythingBack(t *testing.T) {
	t.Parallel()
	for i := range *checkpointRounds {
		seed := *checkpointSeed + uint64(i)
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			restoreRound(t, newWorld(t, seed))
		})
	}
}

func restoreRound(t *testing.T, w *world) {
	ctx := context.Background()
	for range 2 + w.rng.IntN(8) {
		w.dirty()
	}
	wt := open(t, w.Dir)
	now := time.Now()
	want := w.sight()
	before := dotGit(t, w.Dir, wt.GitDir)
	saved, err := Save(ctx, wt, SaveOptions{Agent: "a-b-000001", Name: "x", Slug: "x", Now: now})
	w.must(err)
	after := dotGit(t, w.Dir, wt.GitDir)
	for p := range after {
		// The checkpoint's own ref; and git marks a shared index that it reads as used.
		if strings.Contains(p, "/.git/refs") || strings.Contains(p, "/.git/sharedindex") {
			delete(after, p)
			delete(before, p)
		}
	}
	compare(t, before, after)
	w.log = append(w.log, "-- checkpoint --")
	for range 1 + w.rng.IntN(6) {
		w.change()
	}
	other := w.sight()
	o := RestoreOptions{Agent: "a-b-000001", Now: now, Why: "gitlet: restore x"}
	done, err := Restore(ctx, wt, saved.Commit, o)
	if w.blocked(err) {
		w.same("a refused restore", other, w.sight())
		return
	}
	w.must(err)
	w.same("restored", want, without(w.sight(), done.Left))
	// And back.
	done, err = Restore(ctx, wt, done.Before.Commit, o)
	if w.blocked(err) {
		w.same("a refused restore", want, w.sight())
		return
	}
	w.must(err)
	w.same("restored back", other, without(w.sight(), done.Left))
}

// blocked reports whether an ignored file stood in the way, which is a refusal.
func (w *world) blocked(err error) bool {
	var inWay *InTheWayError
	return errors.As(err, &inWay) && (strings.Contains(inWay.Path, "build/") || strings.HasSuffix(inWay.Path, ".log") || strings.HasPrefix(inWay.Path, "mod"))
}

func without(s sight, left []string) sight {
	for _, p := range left {
		delete(s.files, p)
		s.status = strings.Replace(s.status, "? "+p+"\x00", "", 1)
	}
	return s
}
