package test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/testscript"

	"gitlet/internal/cli"
	"gitlet/internal/git/gittest"
	"gitlet/internal/verb"
	"gitlet/internal/verbs"
)

// What scenarios say to real servers: an agent with a session beside agents that only have
// a shell.

// sessionsKey is where a scenario keeps its servers, by machine.
type sessionsKey struct{}

type served struct {
	session *mcp.ClientSession
	stderr  bytes.Buffer
}

// cmdServe starts "gitlet mcp" on the machine and lets a client connect: serve.
func cmdServe(ts *testscript.TestScript, neg bool, args []string) {
	name := strings.TrimSuffix(ts.Getenv("GITLET_AGENT"), "-host-000001")
	s := &served{}
	cmd := exec.Command("gitlet", "mcp")
	cmd.Dir = work(ts, name)
	cmd.Env = append(append(gittest.Env(work(ts)), gittest.TraceEnv(work(ts, ".trace"))...),
		"GORACE=atexit_sleep_ms=0", "GITLET_AGENT="+ts.Getenv("GITLET_AGENT"), patience+"="+ts.Getenv(patience))
	cmd.Stderr = &s.stderr
	var err error
	client := mcp.NewClient(&mcp.Implementation{Name: "claude-code", Version: "1"}, nil)
	s.session, err = client.Connect(context.Background(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		ts.Fatalf("connect to gitlet mcp: %v\n%s", err, s.stderr.String())
	}
	all := ts.Value(sessionsKey{}).(map[string]*served)
	all[name] = s
	ts.Defer(func() {
		if all[name] == s {
			s.end(ts)
		}
	})
}

func (s *served) end(ts *testscript.TestScript) {
	if err := s.session.Close(); err != nil {
		ts.Logf("gitlet mcp did not end cleanly: %v\n%s", err, s.stderr.String())
	}
}

// cmdUnserve ends a machine's server: unserve NAME.
func cmdUnserve(ts *testscript.TestScript, neg bool, args []string) {
	all := ts.Value(sessionsKey{}).(map[string]*served)
	session(ts, args[0]).end(ts)
	delete(all, args[0])
}

func session(ts *testscript.TestScript, name string) *served {
	s := ts.Value(sessionsKey{}).(map[string]*served)[name]
	if s == nil {
		ts.Fatalf("no server runs on %s", name)
	}
	return s
}

// call calls a tool; what its result offers must work.
func (s *served) call(ts *testscript.TestScript, tool, args string) (text string, isError bool) {
	in := map[string]any{}
	if args != "" {
		ts.Check(json.Unmarshal([]byte(args), &in))
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	res, err := s.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: in})
	if err != nil {
		ts.Fatalf("%s: %v\n%s", tool, err, s.stderr.String())
	}
	raw, err := json.Marshal(res.StructuredContent)
	ts.Check(err)
	var env verb.Result
	ts.Check(json.Unmarshal(raw, &env))
	ts.Check(cli.CheckOptions(verbs.Table(), &env))
	return res.Content[0].(*mcp.TextContent).Text, res.IsError
}

// cmdTool calls a tool of a machine's server: tool NAME VERB [JSON]. With ! it is refused.
func cmdTool(ts *testscript.TestScript, neg bool, args []string) {
	in := ""
	if len(args) > 2 {
		in = args[2]
	}
	text, isError := session(ts, args[0]).call(ts, args[1], in)
	fmt.Fprintln(ts.Stdout(), text)
	if isError != neg {
		ts.Fatalf("%s: %s", args[1], text)
	}
}

// cmdToolFor calls status at a machine's server until its text matches, since a server
// hears of others within moments: tool-for NAME RE.
func cmdToolFor(ts *testscript.TestScript, neg bool, args []string) {
	want := regexp.MustCompile("(?m)" + args[1])
	text := ""
	for range tries * 5 {
		if text, _ = session(ts, args[0]).call(ts, "status", ""); want.MatchString(text) {
			fmt.Fprintln(ts.Stdout(), text)
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	ts.Fatalf("no match for %q in\n%s", args[1], text)
}
