package ledger

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"gitlet/internal/bug"
	"gitlet/internal/model"
)

// Tests that need another process run this binary again with childEnv set to the
// name of one of children and the ledger's folder as argument.
const childEnv = "GITLET_LEDGER_TEST_CHILD"

var children = map[string]func(dir string) error{}

func TestMain(m *testing.M) {
	bug.Strict = true
	if name := os.Getenv(childEnv); name != "" {
		if err := children[name](os.Args[1]); err != nil {
			_, _ = os.Stderr.WriteString(name + ": " + err.Error() + "\n")
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child prepares a run of one of children over dir.
func child(t *testing.T, name, dir string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, dir)
	cmd.Env = append(os.Environ(), childEnv+"="+name, "GORACE=atexit_sleep_ms=0")
	return cmd
}

func runChild(t *testing.T, name, dir string) {
	t.Helper()
	if out, err := child(t, name, dir).CombinedOutput(); err != nil {
		t.Fatalf("child: %v\n%s", err, out)
	}
}

const (
	me  = "claude-code-laptop-3fa9c1"
	you = "codex-ci-1a2b3c"
)

var (
	ctx = context.Background()
	t0  = time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.UTC)
)

func open(t *testing.T, dir string) *Ledger {
	t.Helper()
	l, err := Open(ctx, dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// healthy fails when the ledger has something to complain about.
func healthy(t *testing.T, l *Ledger) {
	t.Helper()
	if w := l.Warnings(); len(w) > 0 {
		t.Fatalf("ledger warns: %q", w)
	}
}

func set(t *testing.T, l *Ledger, key, value string) {
	t.Helper()
	if err := l.Set(ctx, me, key, value); err != nil {
		t.Fatal(err)
	}
}

// get asserts a value; "" means it is not there.
func get(t *testing.T, l *Ledger, key, want string) {
	t.Helper()
	got, ok, err := l.Get(ctx, me, key)
	if err != nil {
		t.Fatal(err)
	}
	if got != want || ok != (want != "") {
		t.Errorf("value of %s is %q, %v; want %q", key, got, ok, want)
	}
}

func storedNote(id string) model.StoredNote {
	return model.StoredNote{
		Note:    model.Note{ID: id, Kind: "untitled", Severity: model.Act, State: model.NoteNew, Title: "title of " + id, Version: "a"},
		SinceAt: t0,
	}
}

func file(dir string) string { return filepath.Join(dir, FileName) }
