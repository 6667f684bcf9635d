package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gitlet/internal/git"
)

// repo is a repository whose history a test writes; every commit has a date of its own.
type repo struct {
	t   *testing.T
	dir string
	at  time.Time
}

func newRepo(t *testing.T) *repo {
	r := &repo{t: t, dir: t.TempDir(), at: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	r.git("init", "-q", "-b", "main", ".")
	return r
}

func (r *repo) git(args ...string) {
	r.t.Helper()
	r.dated(r.at, args...)
}

// dated runs git with another author's date.
func (r *repo) dated(author time.Time, args ...string) {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", r.dir, "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgSign=false"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_DATE="+author.Format(time.RFC3339), "GIT_COMMITTER_DATE="+r.at.Format(time.RFC3339))
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// commit writes files, given as path and content, a day after the last one.
func (r *repo) commit(message string, files ...string) {
	r.t.Helper()
	r.at = r.at.Add(24 * time.Hour)
	r.write(files...)
	r.git("commit", "-q", "-m", message)
}

func (r *repo) write(files ...string) {
	r.t.Helper()
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(r.dir, files[i]), []byte(files[i+1]), 0o600); err != nil {
			r.t.Fatal(err)
		}
		r.git("add", files[i])
	}
}

const base = "package a\n\nfunc Load(s string) int { return 0 }\n\nfunc Use() int { return 1 }\n"

// TestPairsAreFoundAndReplayed: two merged branches and a squashed one were open at
// one time, a fourth was not; a merge without a number is no pull request.
func TestPairsAreFoundAndReplayed(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.commit("begin", "a.go", base, "b.go", "package a\n\nfunc B() int { return Use() }\n")
	r.git("switch", "-qc", "one")
	r.commit("work", "a.go", strings.Replace(base, "Load(s string)", "Load(s string, strict bool)", 1))
	r.git("switch", "-qc", "two", "main")
	r.commit("work", "b.go", "package a\n\nfunc B() int { return Load(\"x\") }\n")
	begun := r.at
	r.git("switch", "-q", "main")
	r.commit("Elsewhere", "e.go", "package a\n")
	r.at = r.at.Add(24 * time.Hour)
	r.git("merge", "-q", "--no-ff", "-m", "Merge pull request #1 from me/one\n\nStrict loading", "one")
	r.git("merge", "-q", "--no-ff", "-m", "Load from B (#2)", "two")
	r.write("c.go", "package a\n\nfunc C() {}\n")
	r.dated(begun, "commit", "-q", "-m", "Add C (#3)")
	r.git("switch", "-qc", "late")
	r.commit("work", "d.go", "package a\n")
	r.git("switch", "-q", "main")
	r.at = r.at.Add(24 * time.Hour)
	r.git("merge", "-q", "--no-ff", "-m", "Merge pull request #4 from me/late\n\nLate", "late")
	r.git("merge", "-q", "--no-ff", "-m", "Merge branch 'x'", "late")

	var out, progress bytes.Buffer
	o := options{pairs: 10, history: 100, sample: 2, lines: 50, seed: 1, long: 30 * 24 * time.Hour, dirs: []string{r.dir}}
	err := run(context.Background(), o, &out, &progress)
	if v, verr := git.ReadVersion(context.Background()); verr == nil && !v.MergeTree() {
		if tooOld := (*git.TooOldError)(nil); !errors.As(err, &tooOld) {
			t.Errorf("%v, want what git lacks", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"4 pull requests, 3 pairs open at one time", "3 pairs replayed"} {
		if !strings.Contains(progress.String(), want) {
			t.Errorf("no %q in\n%s", want, progress.String())
		}
	}
	for _, want := range []string{"3 pairs, 6 items; 4 hear nothing, 2 hear an act or warn note", "callee_changed           1 ( 0.167)", "callers_affected         1 ( 0.167)",
		"#1 Strict loading", "#2 Load from B", "[act] n-", "+func Load(s string, strict bool) int", "+func B() int { return Load(\"x\") }"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	// Nothing was written to the repository, and the same seed says the same.
	var again bytes.Buffer
	if err := run(context.Background(), o, &again, &progress); err != nil || again.String() != out.String() {
		t.Errorf("a second run differs: %v", err)
	}
	if status, err := runGit(context.Background(), r.dir, "status", "--porcelain"); err != nil || len(status) > 0 {
		t.Errorf("the repository changed: %s %v", status, err)
	}
	o.near = true
	out.Reset()
	if err := run(context.Background(), o, &out, &progress); err != nil || !strings.Contains(out.String(), "0 pairs") {
		t.Errorf("no two of them change a common file: %v\n%s", err, out.String())
	}
}

func TestReadLanding(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		message string
		parents int
		early   time.Duration // how much earlier the author's date is
		number  int
		title   string
	}{
		{"Merge pull request #12 from a/b\n\nThe title\n\nmore", 2, 0, 12, "The title"},
		{"The title (#12)\n\nbody", 2, 0, 12, "The title"},
		{"Auto merge of #12 - a:b, r=c\n\nThe title\n", 2, 0, 12, "The title"},
		{"The title (#12)", 1, 48 * time.Hour, 12, "The title"},
		{"The title (#12)", 1, 0, 0, ""},
		{"The title, see #12", 1, 48 * time.Hour, 0, ""},
		{"Merge branch 'x'", 2, 0, 0, ""},
		{"Merge pull request #12 from a/b", 2, 0, 0, ""},
		{"Three at once (#12)", 3, 0, 0, ""},
		{"First (#12)", 0, 48 * time.Hour, 0, ""},
	} {
		l, ok := readLanding("c", make([]string, c.parents), day.Add(-c.early), day, c.message)
		if ok != (c.number > 0) || ok && (l.number != c.number || l.title != c.title) {
			t.Errorf("%q with %d parents: %v %+v", c.message, c.parents, ok, l)
		}
	}
}
