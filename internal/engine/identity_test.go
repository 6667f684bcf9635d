package engine

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"gitlet/internal/id"
)

func TestIdentityStaysAndACopyGetsItsOwn(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "one")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	first := mustIdentity(t, dir, "claude-code", "")
	if !id.ValidAgent(first.Agent) {
		t.Fatalf("agent id %q is not valid", first.Agent)
	}
	if again := mustIdentity(t, dir, "cli", ""); again.Agent != first.Agent {
		t.Errorf("the same worktree became %q and %q", first.Agent, again.Agent)
	}
	if forced := mustIdentity(t, dir, "cli", "codex-ci-1a2b3c"); forced.Agent != "codex-ci-1a2b3c" {
		t.Errorf("GITLET_AGENT is not obeyed: %q", forced.Agent)
	}
	if _, err := loadIdentity(dir, "cli", "../etc", nobody); err == nil {
		t.Error("a GITLET_AGENT that is no agent id must be refused")
	}

	moved := filepath.Join(root, "moved")
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	if got := mustIdentity(t, moved, "cli", ""); got.Agent != first.Agent {
		t.Errorf("a moved checkout became %q, want %q", got.Agent, first.Agent)
	}

	// Put in the place where the original was once, a copy is a copy all the same.
	if err := os.CopyFS(dir, os.DirFS(moved)); err != nil {
		t.Fatal(err)
	}
	if got := mustIdentity(t, dir, "cli", ""); got.Agent == first.Agent {
		t.Errorf("a copy in the old place speaks under its original's id %q", got.Agent)
	}

	copied := filepath.Join(root, "copied")
	if err := os.CopyFS(copied, os.DirFS(moved)); err != nil {
		t.Fatal(err)
	}
	if got := mustIdentity(t, copied, "cli", ""); got.Agent == first.Agent {
		t.Errorf("a copied checkout speaks under its original's id %q", got.Agent)
	}
}

func TestIdentityComesBackFromTheLedger(t *testing.T) {
	who, err := loadIdentity(t.TempDir(), "cli", "", func() string { return "claude-code-laptop-3fa9c1" })
	if err != nil || who.Agent != "claude-code-laptop-3fa9c1" {
		t.Errorf("got %q, %v", who.Agent, err)
	}
}

func TestIdentityFileThatRottedIsReplaced(t *testing.T) {
	dir := t.TempDir()
	first := mustIdentity(t, dir, "cli", "")
	for _, noise := range []string{"", "{", `{"agent":"../x"}`, "\x00\x01"} {
		if err := os.WriteFile(filepath.Join(dir, "gitlet", "agent"), []byte(noise), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := mustIdentity(t, dir, "cli", ""); !id.ValidAgent(got.Agent) || got.Agent == first.Agent {
			t.Errorf("with %q in the file the agent is %q", noise, got.Agent)
		}
	}
}

func TestIdentityMadeByManyAtOnceIsOne(t *testing.T) {
	dir := t.TempDir()
	got := make([]string, 16)
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() {
			who, err := loadIdentity(dir, "cli", "", nobody)
			if err != nil {
				t.Error(err)
			}
			got[i] = who.Agent
		})
	}
	wg.Wait()
	for _, g := range got {
		if g != got[0] {
			t.Fatalf("one worktree has several ids: %q", got)
		}
	}
}

func nobody() string { return "" }

func mustIdentity(t *testing.T, dir, client, override string) identity {
	t.Helper()
	who, err := loadIdentity(dir, client, override, nobody)
	if err != nil {
		t.Fatal(err)
	}
	return who
}
