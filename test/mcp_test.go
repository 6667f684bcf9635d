package test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gitlet/internal/cli"
	"gitlet/internal/git/gittest"
	"gitlet/internal/model"
	"gitlet/internal/verb"
	"gitlet/internal/verbs"
)

// agent is one MCP session with the real program, over its real streams.
type agent struct {
	t       *testing.T
	session *mcp.ClientSession
	stderr  *bytes.Buffer
}

// newAgent starts "gitlet mcp" in dir and connects the SDK's client to it.
func newAgent(t *testing.T, dir, id, era string, env ...string) *agent {
	t.Helper()
	a := &agent{t: t, stderr: new(bytes.Buffer)}
	cmd := exec.Command("gitlet", "mcp")
	cmd.Dir = dir
	cmd.Env = append(gittest.Env(t.TempDir()), "GORACE=atexit_sleep_ms=0", "GITLET_AGENT="+id)
	cmd.Env = append(cmd.Env, env...)
	cmd.Stderr = a.stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "claude-code", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		t.Fatalf("connect to gitlet mcp: %v\n%s", err, a.stderr)
	}
	a.session = session
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("gitlet mcp did not end cleanly: %v\n%s", err, a.stderr)
		}
	})
	return a
}

// call calls a tool; every option of the result must be one that works.
func (a *agent) call(name string, args map[string]any) (string, verb.Result, bool) {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(a.t.Context(), time.Minute)
	defer cancel()
	res, err := a.session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		a.t.Fatalf("%s: %v\n%s", name, err, a.stderr)
	}
	raw, err := json.Marshal(res.StructuredContent)
	if err != nil {
		a.t.Fatal(err)
	}
	var env verb.Result
	if err := json.Unmarshal(raw, &env); err != nil {
		a.t.Fatalf("%s: %v in %s", name, err, raw)
	}
	if err := cli.CheckOptions(verbs.Table(), &env); err != nil {
		a.t.Errorf("%s: %v", name, err)
	}
	return res.Content[0].(*mcp.TextContent).Text, env, res.IsError
}

// until calls status until done is satisfied: the server shares and polls in the
// background, so what one agent did reaches the other within moments.
func (a *agent) until(what string, done func(text string, r verb.Result) bool) (string, verb.Result) {
	a.t.Helper()
	for range 100 {
		if text, r, _ := a.call("status", nil); done(text, r) {
			return text, r
		}
		time.Sleep(100 * time.Millisecond)
	}
	text, _, _ := a.call("status", nil)
	a.t.Fatalf("%s never came; the last status is\n%s\n%s", what, text, a.stderr)
	return "", verb.Result{}
}

// twoClones makes a remote and two clones of it that poll without waiting.
func twoClones(t *testing.T) (a, b *gittest.Repo) {
	t.Helper()
	seed := gittest.New(t)
	seed.Write("src/config.ts", "export function parseConfig(text: string): number {\n  return text.length;\n}\n")
	seed.Git("add", "-A")
	seed.Git("commit", "-q", "-m", "Base")
	remote := gittest.Bare(t)
	seed.Git("push", "-q", remote.Dir, "main")
	a, b = remote.Clone(), remote.Clone()
	for _, r := range []*gittest.Repo{a, b} {
		r.Git("config", "gitlet.pollInterval", "0s")
		r.Git("config", "gitlet.snapshotInterval", "0s")
	}
	return a, b
}

func noteOf(r verb.Result, kind string) *model.Note {
	for i := range r.Notes {
		if r.Notes[i].Kind == kind {
			return &r.Notes[i]
		}
	}
	return nil
}

// TestTwoAgentsMeetOverMCP plays the main flow between two real servers, each in one
// of the protocol's eras: a note while both are at work, with calls that work, and its
// end when the change is taken back.
func TestTwoAgentsMeetOverMCP(t *testing.T) {
	t.Parallel()
	left, right := twoClones(t)
	claude := newAgent(t, left.Dir, "claude-host-000001", "2025-06-18")
	codex := newAgent(t, right.Dir, "codex-host-000002", "2026-07-28")
	if text, _, isError := claude.call("start", map[string]any{"intent": "Add strict mode"}); isError || !strings.HasPrefix(text, `ok: Started "Add strict mode" on branch gitlet/add-strict-mode-`) {
		t.Fatal(text)
	}
	if text, _, isError := codex.call("start", map[string]any{"intent": "Load the configuration file", "paths": []string{"src/load.ts"}}); isError {
		t.Fatal(text)
	}
	left.Write("src/config.ts", "export function parseConfig(text: string, strict: boolean): number {\n  return text.length;\n}\n")
	right.Write("src/load.ts", "import { parseConfig } from \"./config\";\n\nexport function load(): number {\n  return parseConfig(\"x\");\n}\n")

	text, r := codex.until("callee_changed", func(_ string, r verb.Result) bool {
		n := noteOf(r, "callee_changed")
		return n != nil && n.Severity == model.Act
	})
	n := noteOf(r, "callee_changed")
	for _, want := range []string{
		"\n[act] " + n.ID + " claude-host-000001 (task: \"Add strict mode\") is changing src/config.ts:parseConfig, which your code calls\n",
		"\n  was: function parseConfig(string): number\n", "(breaking)\n", "\n  - dismiss note=\"" + n.ID + "\" as=\"not_needed\"",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	left.Write("src/config.ts", "export function parseConfig(text: string): number {\n  return text.length;\n}\n")
	text, _ = codex.until("the end of the note", func(text string, _ verb.Result) bool { return strings.Contains(text, "\nresolved: claude-host-000001") })
	if strings.Contains(text, "open note") {
		t.Errorf("resolved, and still open:\n%s", text)
	}
}

// TestSilentSessionShowsUp: an agent that never calls a tool is seen by the others.
func TestSilentSessionShowsUp(t *testing.T) {
	t.Parallel()
	left, right := twoClones(t)
	newAgent(t, left.Dir, "quiet-host-000001", "2025-06-18")
	left.Write("src/config.ts", "export function parseConfig(text: string, strict: boolean): number {\n  return text.length;\n}\n")
	codex := newAgent(t, right.Dir, "codex-host-000002", "2025-06-18")
	codex.until("the silent agent", func(text string, _ verb.Result) bool { return strings.Contains(text, "quiet-host-000001") })
}

// TestServerOutsideARepository stays up, says how to name a worktree, and serves one
// that is named; noise on git's side never reaches the protocol.
func TestServerOutsideARepository(t *testing.T) {
	t.Parallel()
	repo, _ := twoClones(t)
	nowhere := t.TempDir()
	a := newAgent(t, nowhere, "a-host-000001", "2025-06-18", "GIT_TRACE=1", "GIT_CEILING_DIRECTORIES="+filepath.Dir(nowhere))
	for name, args := range map[string]map[string]any{"status": {}, "start": {"intent": "x"}, "who": {"target": "x"}} {
		text, r, isError := a.call(name, args)
		if !isError || r.Outcome != verb.Refused || !strings.Contains(text, `worktree="..."`) {
			t.Errorf("%s outside a repository: %s", name, text)
		}
	}
	for _, c := range []struct{ worktree, want string }{
		{repo.Dir, "ok: "},
		{repo.Path("src"), "refused: "},
		{"relative", `refused: status was not run: worktree is "relative"`},
		{nowhere + "/gone", "refused: "},
	} {
		text, r, _ := a.call("status", map[string]any{"worktree": c.worktree})
		if !strings.HasPrefix(text, c.want) || len(r.Options) == 0 && r.Outcome == verb.Refused {
			t.Errorf("worktree %q: %s", c.worktree, text)
		}
	}
	text, r, isError := a.call("start", map[string]any{"intent": "", "branches": "x", "worktree": repo.Dir})
	if !isError || r.Outcome != verb.Refused || !strings.Contains(text, "2 arguments need correcting") || !strings.Contains(text, "did you mean branch?") {
		t.Errorf("bad arguments: %s", text)
	}
	if err := os.RemoveAll(nowhere); err != nil {
		t.Fatal(err)
	}
	if text, _, isError := a.call("status", map[string]any{"worktree": repo.Dir}); isError {
		t.Errorf("after the server's directory was deleted: %s", text)
	}
}

// TestServerInAHomeRepository: a home folder that is a repository is not watched because
// the server happened to start there, and is served when it is named.
func TestServerInAHomeRepository(t *testing.T) {
	t.Parallel()
	home, _ := twoClones(t)
	for _, dir := range []string{home.Dir, home.Path("src")} {
		a := newAgent(t, dir, "a-host-000001", "2025-06-18", "HOME="+home.Dir)
		text, r, isError := a.call("status", nil)
		if !isError || r.Outcome != verb.Refused || !strings.Contains(text, "home folder") || !strings.Contains(text, `worktree="..."`) {
			t.Errorf("in %s: %s", dir, text)
		}
		if _, err := os.Stat(home.Path(".git/gitlet/ledger.db")); err == nil {
			t.Errorf("in %s: something was made", dir)
		}
	}
	a := newAgent(t, home.Dir, "a-host-000001", "2025-06-18", "HOME="+home.Dir)
	if text, _, isError := a.call("status", map[string]any{"worktree": home.Dir}); isError {
		t.Errorf("named: %s", text)
	}
}
