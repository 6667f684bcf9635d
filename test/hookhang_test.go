package test

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3"
)

// TestHooksEnd holds up, one at a time, what a hook waits for: the ledger, git, what the
// client says, the message to write. The hook ends by itself, says nothing and reports
// success, so that the host goes on. A minute tells only that it did not end at all.
func TestHooksEnd(t *testing.T) {
	t.Parallel()
	bin, err := exec.LookPath("gitlet")
	if err != nil {
		t.Fatal(err)
	}
	never := func(t *testing.T) io.Reader {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = r.Close(); _ = w.Close() })
		return r
	}
	event := func(dir string) io.Reader {
		return strings.NewReader(fmt.Sprintf(`{"cwd":%q,"tool_name":"Edit"}`, dir))
	}
	lock := func(t *testing.T, dir string) {
		db, err := sql.Open("sqlite3", "file:"+filepath.Join(dir, ".git/gitlet/ledger.db")+"?mode=rw")
		if err != nil {
			t.Fatal(err)
		}
		db.SetMaxOpenConns(1)
		for _, q := range []string{"PRAGMA locking_mode=EXCLUSIVE", "BEGIN EXCLUSIVE", "UPDATE sqlite_schema SET name=name WHERE 0"} {
			if _, err := db.Exec(q); err != nil && !strings.Contains(err.Error(), "may not be modified") {
				t.Fatal(q, err)
			}
		}
		t.Cleanup(func() { _ = db.Close() })
	}
	// A git that says which process it is, and hangs.
	slowGit := func(t *testing.T, dir string) string {
		at := t.TempDir()
		if err := os.WriteFile(filepath.Join(at, "git"), []byte("#!/bin/sh\necho $$ >>\""+dir+"/PIDS\"\nexec sleep 600\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return at + string(os.PathListSeparator) + os.Getenv("PATH")
	}
	for name, c := range map[string]struct {
		args    []string
		in      func(t *testing.T, dir string) io.Reader
		prepare func(t *testing.T, dir string)
		path    func(t *testing.T, dir string) string
	}{
		"the ledger is held, after a tool": {args: []string{"claude-code", "PostToolUse"}, prepare: lock},
		"the ledger is held, at the start": {args: []string{"claude-code", "SessionStart"}, prepare: lock},
		"the ledger is held, at a prompt":  {args: []string{"claude-code", "UserPromptSubmit"}, prepare: lock},
		"the ledger is held, in a commit":  {args: []string{"git", "prepare-commit-msg", "MSG"}, prepare: lock},
		"the ledger is held, after it":     {args: []string{"git", "post-commit"}, prepare: lock},
		"the ledger is held, in a push":    {args: []string{"git", "pre-push", "origin", "x"}, prepare: lock},
		"git never answers":                {args: []string{"git", "post-commit"}, path: slowGit},
		"git never answers the client":     {args: []string{"claude-code", "SessionStart"}, path: slowGit},
		"the client never ends its say":    {args: []string{"claude-code", "PostToolUse"}, in: func(t *testing.T, _ string) io.Reader { return never(t) }},
		"git never says what it pushes":    {args: []string{"git", "pre-push", "origin", "x"}, in: func(t *testing.T, _ string) io.Reader { return never(t) }},
		"the message is a pipe": {args: []string{"git", "prepare-commit-msg", "MSG"}, prepare: func(t *testing.T, dir string) {
			msg := filepath.Join(dir, "MSG")
			if err := os.Remove(msg); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Mkfifo(msg, 0o600); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			run(t, dir, "git", "init", "-q", "-b", "main")
			run(t, dir, "git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x")
			run(t, dir, bin, "start", "The task")
			if err := os.WriteFile(filepath.Join(dir, "MSG"), []byte("Words\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if c.prepare != nil {
				c.prepare(t, dir)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, bin, append([]string{"hook"}, c.args...)...)
			cmd.Dir, cmd.Env, cmd.Stdin = dir, os.Environ(), event(dir)
			if c.path != nil {
				cmd.Env = append(cmd.Env, "PATH="+c.path(t, dir))
			}
			if c.in != nil {
				cmd.Stdin = c.in(t, dir)
			}
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%v: %s", err, out)
			}
			if len(out) > 0 && c.path == nil && c.prepare != nil && c.args[0] == "git" {
				t.Errorf("it says %s", out)
			}
			pids, _ := os.ReadFile(filepath.Join(dir, "PIDS")) // only a git that hangs writes it
			for pid := range strings.FieldsSeq(string(pids)) {
				if n, err := strconv.Atoi(pid); err != nil || syscall.Kill(n, 0) == nil {
					t.Errorf("git still runs as process %q", pid)
				}
			}
			if c.path != nil && len(pids) == 0 {
				t.Error("no git was started")
			}
			if cmd.ProcessState.ExitCode() != 0 {
				t.Errorf("exit %d", cmd.ProcessState.ExitCode())
			}
		})
	}
}
