package snapshot

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"gitlet/internal/bug"
	"gitlet/internal/config"
	"gitlet/internal/git"
	"gitlet/internal/git/gittest"
)

func TestMain(m *testing.M) {
	bug.Strict = true
	os.Exit(gittest.Main(m))
}

func open(t *testing.T, dir string) *git.Worktree {
	t.Helper()
	w, err := git.Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// source is the default policy.
func source() Policy { return PolicyFrom(config.Defaults()) }

func mustTake(t *testing.T, dir string, p Policy) *Result {
	t.Helper()
	r, err := Take(context.Background(), open(t, dir), p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// skips spells the skipped paths with their reasons.
func skips(r *Result) string {
	var out []string
	for _, s := range r.Skipped {
		out = append(out, fmt.Sprintf("%s:%s", s.Path, s.Reason))
	}
	sort.Strings(out)
	return strings.Join(out, " ")
}

func files(r *gittest.Repo, rev string) string { return strings.Join(r.Files(rev), " ") }

// dotGit records every file of the git directory with its bytes and time, except
// for objects and gitlet's own folder, and the time of every file of the work tree.
func dotGit(t *testing.T, root, gitDir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, base := range []string{root, gitDir} {
		err := filepath.WalkDir(base, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(gitDir, p)
			if err != nil {
				return err
			}
			if d.IsDir() && (rel == "objects" || rel == "gitlet") {
				return filepath.SkipDir
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			if p == gitDir { // gitlet's folder was made in it
				return nil
			}
			var content []byte
			if info.Mode().IsRegular() {
				if content, err = os.ReadFile(p); err != nil {
					return err
				}
			}
			all[p] = fmt.Sprintf("%s %s %x", info.Mode(), info.ModTime(), content)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func compare(t *testing.T, before, after map[string]string) {
	t.Helper()
	for p, b := range before {
		if a, ok := after[p]; !ok {
			t.Errorf("%s is gone", p)
		} else if a != b {
			t.Errorf("%s changed", p)
		}
	}
	for p := range after {
		if _, ok := before[p]; !ok {
			t.Errorf("%s is new", p)
		}
	}
}
