package gittest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"gitlet/internal/proc"
)

// Repo is a repository for one test. Its methods fail the test when git does.
type Repo struct {
	Dir string // absolute, links resolved

	t    testing.TB
	home string
	now  time.Time
}

// New makes a repository with a work tree and main as its branch, without commits.
// Options go to git init, such as "--object-format=sha256".
func New(t testing.TB, options ...string) *Repo {
	t.Helper()
	r := at(t, dir(t))
	r.Git(append([]string{"init", "-q", "-b", "main"}, options...)...)
	return r
}

// Bare makes a bare repository, to be a remote.
func Bare(t testing.TB, options ...string) *Repo {
	t.Helper()
	r := at(t, dir(t))
	r.Git(append([]string{"init", "-q", "--bare", "-b", "main"}, options...)...)
	return r
}

// At returns a handle for a repository that is there already.
func At(t testing.TB, dir string) *Repo { return at(t, dir) }

func at(t testing.TB, dir string) *Repo {
	t.Helper()
	now, err := time.Parse(time.RFC3339, Date)
	if err != nil {
		t.Fatal(err)
	}
	return &Repo{Dir: dir, t: t, home: filepath.Join(dir, ".."), now: now}
}

// dir is a fresh folder inside the test's own, so that the test's own is a home.
func dir(t testing.TB) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := filepath.Join(root, "repo")
	if err := os.Mkdir(d, 0o777); err != nil {
		t.Fatal(err)
	}
	return d
}

// Clone clones r into a fresh folder, with r as its origin.
func (r *Repo) Clone(options ...string) *Repo {
	r.t.Helper()
	c := at(r.t, dir(r.t))
	c.Git(append(append([]string{"clone", "-q"}, options...), "--", "file://"+r.Dir, c.Dir)...)
	c.now = r.now.Add(time.Hour)
	return c
}

// Git runs git in the repository and returns its output without the last line end.
func (r *Repo) Git(args ...string) string {
	r.t.Helper()
	out, err := r.TryGit(args...)
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// TryGit is Git for a call that may fail; the output then holds what git complained.
func (r *Repo) TryGit(args ...string) (string, error) {
	return r.run(nil, args...)
}

func (r *Repo) run(env []string, args ...string) (string, error) {
	date := r.now.Format(time.RFC3339)
	env = append(append(Env(r.home), "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date), env...)
	res, err := proc.Run(context.Background(), proc.Cmd{Path: "git", Dir: r.Dir, Env: env,
		Args:    append([]string{"-c", "protocol.file.allow=always", "-c", "commit.gpgSign=false", "-c", "gc.auto=0"}, args...),
		Timeout: time.Minute})
	out := strings.TrimSuffix(string(res.Stdout), "\n")
	if err != nil {
		out += string(res.Stderr)
	}
	return out, err
}

// Path returns the absolute path of a file in the work tree.
func (r *Repo) Path(name string) string { return filepath.Join(r.Dir, filepath.FromSlash(name)) }

// Write writes a file in the work tree, with its folders.
func (r *Repo) Write(name, content string) {
	r.t.Helper()
	p := r.Path(name)
	if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(content), 0o666); err != nil {
		r.t.Fatal(err)
	}
}

// WriteAll writes the files of a txtar archive.
func (r *Repo) WriteAll(archive string) {
	r.t.Helper()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		r.Write(f.Name, string(f.Data))
	}
}

// Read returns a file of the work tree.
func (r *Repo) Read(name string) string {
	r.t.Helper()
	b, err := os.ReadFile(r.Path(name))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(b)
}

// Remove deletes a file or folder of the work tree.
func (r *Repo) Remove(name string) {
	r.t.Helper()
	if err := os.RemoveAll(r.Path(name)); err != nil {
		r.t.Fatal(err)
	}
}

// Commit commits everything in the work tree, even nothing, a minute after the
// commit before, and returns the commit.
func (r *Repo) Commit(message string) string {
	r.t.Helper()
	r.now = r.now.Add(time.Minute)
	r.Git("add", "-A")
	r.Git("commit", "-q", "--allow-empty", "--no-verify", "-m", message)
	return r.Git("rev-parse", "HEAD")
}

// CommitFiles writes a txtar archive and commits it.
func (r *Repo) CommitFiles(message, archive string) string {
	r.t.Helper()
	r.WriteAll(archive)
	return r.Commit(message)
}

// Show returns a file's content at a revision.
func (r *Repo) Show(rev, name string) string {
	r.t.Helper()
	res, err := proc.Run(context.Background(), proc.Cmd{Path: "git", Dir: r.Dir, Env: Env(r.home),
		Args: []string{"cat-file", "blob", fmt.Sprintf("%s:%s", rev, name)}, Timeout: time.Minute})
	if err != nil {
		r.t.Fatalf("read %s:%s: %v\n%s", rev, name, err, res.Stderr)
	}
	return string(res.Stdout)
}

// Files lists the files of a revision, in order.
func (r *Repo) Files(rev string) []string {
	r.t.Helper()
	out := r.Git("ls-tree", "-r", "-z", "--name-only", "--full-tree", rev)
	if out == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
}

// Script installs an executable script, such as a hook or a fake program.
func (r *Repo) Script(path, content string) {
	r.t.Helper()
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.Dir, filepath.FromSlash(path))
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+content), 0o777); err != nil {
		r.t.Fatal(err)
	}
}
