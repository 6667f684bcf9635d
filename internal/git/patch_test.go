package git_test

import (
	"testing"

	"gitlet/internal/git"
	"gitlet/internal/git/gittest"
)

// TestPatchKeys: the same change between other lines has the same key; another change, a
// merge and an empty commit do not.
func TestPatchKeys(t *testing.T) {
	repo := gittest.New(t)
	repo.Write("a.txt", "1\n2\n3\n")
	base := repo.Commit("Base")
	repo.Git("checkout", "-q", "-b", "topic")
	repo.Write("a.txt", "1\n2\nmine\n3\n")
	repo.Write("b.bin", "\x00\x01")
	mine := repo.Commit("Mine")
	repo.Git("checkout", "-q", "-b", "other", base)
	repo.Write("a.txt", "0\none\ntwo\n3\n")
	repo.Commit("Other")
	repo.Write("a.txt", "0\none\ntwo\nmine\n3\n")
	repo.Write("b.bin", "\x00\x01")
	copied := repo.Commit("Copied")
	repo.Write("a.txt", "0\none\ntwo\nmine\n-- 3\n@@ x\n")
	differs := repo.Commit("Differs")
	repo.Git("commit", "-q", "--allow-empty", "-m", "Empty")
	empty := repo.Git("rev-parse", "HEAD")
	wt, err := git.Open(t.Context(), repo.Dir)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := wt.PatchKeys(t.Context(), []string{mine, copied, differs, empty, base})
	if err != nil {
		t.Fatal(err)
	}
	if keys[mine] == "" || keys[mine] != keys[copied] || keys[differs] == keys[mine] || keys[differs] == "" || keys[base] == "" || keys[empty] != "" {
		t.Errorf("%v", keys)
	}
}

func TestReflog(t *testing.T) {
	repo := gittest.New(t)
	repo.Write("a.txt", "1\n")
	first := repo.Commit("First")
	repo.Write("a.txt", "2\n")
	second := repo.Commit("Second")
	wt, err := git.Open(t.Context(), repo.Dir)
	if err != nil {
		t.Fatal(err)
	}
	log, err := wt.Reflog(t.Context(), "HEAD", 0)
	if err != nil || len(log) < 2 || log[0].OID != second || log[0].Why != "commit: Second" || log[1].OID != first {
		t.Errorf("%v %v", log, err)
	}
	if log, err := wt.Reflog(t.Context(), "refs/heads/none", 0); err != nil || log != nil {
		t.Errorf("%v %v", log, err)
	}
}
