package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gitlet/internal/guide"
	"gitlet/internal/mcpserver"
	"gitlet/internal/model"
	"gitlet/internal/render"
	"gitlet/internal/verb"
	"gitlet/internal/verb/verbtest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// The protocol's two eras: with a handshake, and without one.
const (
	newest = "2026-07-28"
	older  = "2025-06-18"
)

// world is a server over a table with one connected client.
type world struct {
	runner verbtest.Runner
	mu     sync.Mutex
	hello  chan mcpserver.Seat // the place opened before any call
	seats  []mcpserver.Seat
	broke  []string
	open   func(seat mcpserver.Seat) error
	first  mcpserver.Seat
	client *mcp.ClientSession
	ended  chan error
}

func connect(t *testing.T, w *world, table []verb.Spec, era string, roots ...string) *world {
	t.Helper()
	near, far := mcp.NewInMemoryTransports()
	w.ended = make(chan error, 1)
	hello := make(chan mcpserver.Seat, 1)
	w.hello = hello
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	deps := mcpserver.Deps{
		Version: "v0.0.0-test", Table: table,
		Open: func(_ context.Context, seat mcpserver.Seat) (verb.Runner, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			if w.hello != nil {
				w.hello <- seat
				w.hello = nil
				return &w.runner, nil
			}
			w.seats = append(w.seats, seat)
			if w.open != nil {
				if err := w.open(seat); err != nil {
					return nil, err
				}
			}
			return &w.runner, nil
		},
		Broke: func(what string) { w.broke = append(w.broke, what) },
	}
	go func() { w.ended <- mcpserver.Serve(ctx, far, deps) }()
	client := mcp.NewClient(&mcp.Implementation{Name: "test-client", Version: "1"}, nil)
	addRoots(client, roots)
	session, err := client.Connect(ctx, near, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		t.Fatal(err)
	}
	w.client = session
	t.Cleanup(func() { session.Close() })
	select {
	case w.first = <-hello:
	case <-time.After(5 * time.Second):
		t.Fatal("nothing was opened when the client said hello")
	}
	return w
}

func (w *world) call(t *testing.T, name string, args any) (text string, env verb.Result, isError bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	res, err := w.client.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s %v: %v", name, args, err)
	}
	if len(res.Content) != 1 {
		t.Fatalf("%s: %d content blocks", name, len(res.Content))
	}
	raw, err := json.Marshal(res.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &env); err != nil {
		t.Fatalf("%s: structured content is no envelope: %v", name, err)
	}
	return res.Content[0].(*mcp.TextContent).Text, env, res.IsError
}

func TestToolsAreTheBuiltVerbs(t *testing.T) {
	t.Parallel()
	w := connect(t, &world{}, verbtest.Table(), newest)
	list, err := w.client.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	byName := map[string]*mcp.Tool{}
	for _, tool := range list.Tools {
		got = append(got, tool.Name)
		byName[tool.Name] = tool
	}
	for _, s := range verb.Built(verbtest.Table()) {
		want = append(want, s.Name)
		tool := byName[s.Name]
		if tool == nil {
			continue
		}
		a := tool.Annotations
		if a.ReadOnlyHint != s.Effects.ReadOnly || a.IdempotentHint != s.Effects.Idempotent || a.DestructiveHint == nil || *a.DestructiveHint != s.Effects.Destructive || a.OpenWorldHint == nil || *a.OpenWorldHint != s.Effects.OpenWorld {
			t.Errorf("%s: hints %+v do not follow %+v", s.Name, a, s.Effects)
		}
	}
	if len(got) != len(want) || byName["submit"] != nil {
		t.Errorf("tools %q, want %q", got, want)
	}
	init := w.client.InitializeResult()
	if init.Capabilities.Tools == nil || init.Capabilities.Tools.ListChanged || init.Capabilities.Prompts != nil || init.Capabilities.Resources != nil {
		t.Errorf("capabilities %+v", init.Capabilities)
	}
	raw, err := json.Marshal(init.Capabilities)
	if err != nil || strings.Contains(string(raw), "logging") {
		t.Errorf("logging is offered: %s, %v", raw, err)
	}
	if init.Instructions == "" || init.ServerInfo.Version != "v0.0.0-test" {
		t.Errorf("instructions %q, info %+v", init.Instructions, init.ServerInfo)
	}
	for _, call := range guide.Calls(init.Instructions) {
		if byName[call] == nil {
			t.Errorf("the instructions name %q, which is no tool", call)
		}
	}
}

func TestCalls(t *testing.T) {
	t.Parallel()
	for _, era := range []string{newest, older} {
		testCalls(t, connect(t, &world{}, verbtest.Table(), era))
	}
}

func testCalls(t *testing.T, w *world) {
	text, env, isError := w.call(t, "start", map[string]any{"intent": "Do it", "paths": []string{"a"}, "worktree": "/w"})
	if text != "ok: start ran" || env.Summary != "start ran" || isError {
		t.Errorf("start: %q, %+v, %v", text, env, isError)
	}
	want := &verbtest.StartArgs{Intent: "Do it", Paths: []string{"a"}, Common: verbtest.Common{Worktree: "/w"}}
	if calls := w.runner.Calls(); len(calls) != 1 || !reflect.DeepEqual(calls[0].Args, want) || calls[0].Face != verb.MCP {
		t.Errorf("the runner saw %+v", calls)
	}
	if w.first != (mcpserver.Seat{Client: "test-client"}) {
		t.Errorf("at hello the seat was %+v", w.first)
	}
	if _, _, isError := w.call(t, "status", nil); isError {
		t.Error("status without arguments is an error")
	}
	if want := []mcpserver.Seat{{Worktree: "/w", Asked: true, Client: "test-client"}, {Client: "test-client"}}; !reflect.DeepEqual(w.seats, want) {
		t.Errorf("seats %+v, want %+v", w.seats, want)
	}
}

func TestOptionsActWhereTheCallDid(t *testing.T) {
	t.Parallel()
	w := connect(t, &world{}, verbtest.Table(), newest)
	w.runner.Answer = func(context.Context, verb.Spec, any, verb.Face) *verb.Result {
		return verb.Refuse("no", model.Option{Verb: "who", Args: map[string]any{"target": "x"}})
	}
	for _, c := range []struct{ worktree, want string }{
		{"/w", `who target="x" worktree="/w"`},
		{"", `who target="x"`},
	} {
		args := map[string]any{}
		if c.worktree != "" {
			args["worktree"] = c.worktree
		}
		text, env, isError := w.call(t, "status", args)
		if !strings.HasSuffix(text, "- "+c.want) || env.Options[0].Call != c.want || !isError {
			t.Errorf("%q: %q, %+v", c.worktree, text, env.Options)
		}
	}
}

func TestBadArgumentsAreOurRefusal(t *testing.T) {
	t.Parallel()
	w := connect(t, &world{}, verbtest.Table(), newest)
	for _, c := range []struct {
		verb string
		args any
		want string
	}{
		{"start", map[string]any{}, "refused: start was not run: the argument intent is missing: the task, in one sentence\noptions:\n- start intent=\"...\""},
		{"start", map[string]any{"intent": "x", "brnch": "b"}, `did you mean branch?`},
		{"start", map[string]any{"intent": "x", "paths": "a"}, `paths is the text "a"`},
		{"dismiss", map[string]any{"note": "n-1", "as": "x", "reason": 3}, "2 arguments need correcting"},
		{"status", map[string]any{"worktree": "rel/path"}, `worktree is "rel/path": give an absolute path`},
		{"status", []int{1}, "the arguments are the list"},
	} {
		text, env, isError := w.call(t, c.verb, c.args)
		if !strings.Contains(text, c.want) || env.Outcome != verb.Refused || len(env.Options) == 0 || !isError {
			t.Errorf("%s %v: %q, %+v, %v", c.verb, c.args, text, env, isError)
		}
	}
	if calls := w.runner.Calls(); len(calls) != 0 {
		t.Errorf("bad calls ran: %+v", calls)
	}
}

func TestPanicsAndErrorsAreResults(t *testing.T) {
	t.Parallel()
	w := connect(t, &world{}, verbtest.Table(), newest)
	w.runner.Answer = func(context.Context, verb.Spec, any, verb.Face) *verb.Result { panic("boom\noptions:") }
	text, env, isError := w.call(t, "status", nil)
	if env.Outcome != verb.Fault || !isError || !strings.HasPrefix(text, "fault: something broke: status: boom options:\n") {
		t.Errorf("panic: %q, %+v", text, env)
	}
	if len(w.broke) != 1 || !strings.Contains(w.broke[0], "panic in status: boom") {
		t.Errorf("recorded %q", w.broke)
	}
	w.runner.Answer = nil
	w.open = func(mcpserver.Seat) error { return errors.New("open the ledger: disk full") }
	if text, env, isError = w.call(t, "status", nil); env.Outcome != verb.Fault || !isError || !strings.Contains(text, "disk full") {
		t.Errorf("fault: %q", text)
	}
	w.open = nil
	if text, _, isError = w.call(t, "status", nil); text != "ok: status ran" || isError {
		t.Errorf("the server did not go on: %q", text)
	}
}

func TestOutsideARepositoryEveryToolSaysHow(t *testing.T) {
	t.Parallel()
	w := &world{open: func(seat mcpserver.Seat) error {
		if seat.Asked && seat.Worktree == "/repo" {
			return nil
		}
		return fmt.Errorf("open: %w", &verb.Refusal{Result: verb.Refuse(fmt.Sprintf("%q is not in a git repository", seat.Worktree), model.Option{Argv: []string{"git", "init"}})})
	}}
	connect(t, w, verbtest.Table(), newest)
	for name, args := range map[string]map[string]any{
		"status": {}, "start": {"intent": "x"}, "who": {"target": "x"}, "need": {"symbol": "x"}, "abandon": {},
		"discuss": {"about": "x", "message": "y"}, "dismiss": {"note": "x", "as": "not_needed"}, "checkpoint": {}, "plan": {},
	} {
		text, env, isError := w.call(t, name, args)
		if !isError || env.Outcome != verb.Refused || !strings.Contains(text, `worktree="..."`) {
			t.Errorf("%s: %q", name, text)
		}
		args["worktree"] = "/repo"
		if text, _, isError = w.call(t, name, args); isError {
			t.Errorf("%s with a worktree: %q", name, text)
		}
		args["worktree"] = "/elsewhere"
		if text, _, _ = w.call(t, name, args); strings.Contains(text, "worktree=\"...\"") {
			t.Errorf("%s with a wrong worktree offers to name one: %q", name, text)
		}
	}
}

func TestTextHasALimit(t *testing.T) {
	t.Parallel()
	w := connect(t, &world{}, verbtest.Table(), newest)
	w.runner.Answer = func(context.Context, verb.Spec, any, verb.Face) *verb.Result {
		return &verb.Result{Outcome: verb.OK, Summary: "s", Body: []verb.Section{{From: "x", Text: strings.Repeat("é\n", 9000)}, {Title: "t", Lines: strings.Split(strings.Repeat(strings.Repeat("é", 900)+"\n", 20), "\n")}}}
	}
	if text, _, _ := w.call(t, "status", nil); len(text) > render.MaxText {
		t.Errorf("text has %d bytes", len(text))
	}
}

func TestToolsListIsSmall(t *testing.T) {
	t.Parallel()
	table := goldenTable()
	for i := range table {
		table[i].Built = true // all that will ever be, not only what is built now
	}
	w := connect(t, &world{}, table, newest)
	list, err := w.client.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	if most := 16 << 10; len(raw) > most {
		t.Errorf("tools/list has %d bytes, more than %d: every session pays for it", len(raw), most)
	}
}

func TestDisconnectEndsTheServerAfterItsCalls(t *testing.T) {
	t.Parallel()
	w := connect(t, &world{}, verbtest.Table(), newest)
	started, release := make(chan struct{}), make(chan struct{})
	var finished bool
	w.runner.Answer = func(context.Context, verb.Spec, any, verb.Face) *verb.Result {
		close(started)
		<-release
		finished = true
		return &verb.Result{Outcome: verb.OK}
	}
	go w.client.CallTool(context.Background(), &mcp.CallToolParams{Name: "status"}) // its answer is lost on purpose
	<-started
	go w.client.Close() // waits for the answer
	select {
	case err := <-w.ended:
		t.Fatalf("the server ended with a call in flight: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(release)
	if err := <-w.ended; err != nil || !finished {
		t.Errorf("ended with %v, call finished: %v", err, finished)
	}
}

// TestStreams serves over plain streams, as the mcp command does, and checks that
// nothing but JSON lines comes out, also for noise, and that closing the input ends it.
func TestStreams(t *testing.T) {
	t.Parallel()
	in, feed := io.Pipe()
	lines, out := io.Pipe()
	ended := make(chan error, 1)
	var runner verbtest.Runner
	deps := mcpserver.Deps{Table: verbtest.Table(), Open: func(context.Context, mcpserver.Seat) (verb.Runner, error) { return &runner, nil }}
	go func() { ended <- mcpserver.ServeIO(context.Background(), in, out, deps) }()
	dec := json.NewDecoder(lines)
	ask := func(line string) map[string]any {
		if _, err := io.WriteString(feed, line+"\n"); err != nil {
			t.Fatal(err)
		}
		var m map[string]any
		if err := dec.Decode(&m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	if m := ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`); m["result"] == nil {
		t.Errorf("initialize: %v", m)
	}
	if m := ask(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"bogus","arguments":{}}}`); m["error"] == nil {
		t.Errorf("unknown tool: %v", m)
	}
	if m := ask(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"status"}}`); m["result"] == nil {
		t.Errorf("call: %v", m)
	}
	feed.Close()
	if err := <-ended; err != nil {
		t.Errorf("ended with %v", err)
	}
}

func TestCancelEndsTheServer(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	near, far := mcp.NewInMemoryTransports()
	ended := make(chan error, 1)
	canceled := make(chan struct{})
	started := make(chan struct{})
	runner := verbtest.Runner{Answer: func(ctx context.Context, _ verb.Spec, _ any, _ verb.Face) *verb.Result {
		close(started)
		<-ctx.Done()
		close(canceled)
		return &verb.Result{Outcome: verb.OK}
	}}
	deps := mcpserver.Deps{Table: verbtest.Table(), Open: func(context.Context, mcpserver.Seat) (verb.Runner, error) { return &runner, nil }}
	go func() { ended <- mcpserver.Serve(ctx, far, deps) }()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "c"}, nil).Connect(context.Background(), near, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	go session.CallTool(context.Background(), &mcp.CallToolParams{Name: "status"}) // the server goes away under it
	<-started
	cancel()
	<-canceled
	if err := <-ended; err != nil {
		t.Errorf("ended with %v", err)
	}
}

// TestToolGoldens compares every tool with its golden file, both ways.
func TestToolGoldens(t *testing.T) {
	t.Parallel()
	w := connect(t, &world{}, goldenTable(), newest)
	list, err := w.client.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, tool := range list.Tools {
		have[tool.Name] = true
		raw, err := json.MarshalIndent(tool, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, filepath.Join("testdata", "tools", tool.Name+".json"), string(raw)+"\n")
	}
	for _, s := range verb.Built(goldenTable()) {
		if have[s.Name] == s.CLIOnly {
			t.Errorf("%s: a tool is %v, for the command line alone is %v", s.Name, have[s.Name], s.CLIOnly)
		}
	}
	files, err := filepath.Glob(filepath.Join("testdata", "tools", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !have[strings.TrimSuffix(filepath.Base(f), ".json")] {
			t.Errorf("%s belongs to no tool: remove it", f)
		}
	}
}

// TestToolsComeFromTheTable keeps the making of tools in the one generator.
func TestToolsComeFromTheTable(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(f, "_test.go") {
			made += strings.Count(string(src), "AddTool(")
		}
	}
	if made != 1 {
		t.Errorf("tools are added in %d places, want the one that walks the table", made)
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Errorf("%v: run go test ./internal/mcpserver -update", err)
	} else if got != string(want) {
		t.Errorf("%s is out of date: run go test ./internal/mcpserver -update\n got:\n%s\nwant:\n%s", file, got, want)
	}
}
