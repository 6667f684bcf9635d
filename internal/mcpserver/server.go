package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gitlet/internal/guide"
	"gitlet/internal/model"
	"gitlet/internal/render"
	"gitlet/internal/verb"
)

// Seat says for whom and where a call is made.
type Seat struct {
	// Worktree is the absolute path to act in; "" is the server's own directory.
	Worktree string
	// Asked is set when the call named the worktree itself; otherwise it is the
	// client's only root, or "".
	Asked bool
	// Client is the name the client gave itself; it may be "".
	Client string
}

// Deps is what the server needs from the rest of gitlet.
type Deps struct {
	Version string
	// Table declares the verbs; those that are built, and not for the command line
	// alone, become tools.
	Table []verb.Spec
	// Open returns the runner of a worktree; it is asked on every call and keeps what
	// it opened. A *verb.Refusal says why a place cannot be served. It is asked once
	// before any call, when the client said hello, so that the place is watched even
	// when no tool is ever called; that error is not told to anyone.
	Open func(ctx context.Context, seat Seat) (verb.Runner, error)
	// Status is how things stand at a seat, in words, for the client and not for its agent;
	// nil takes the resource away.
	Status func(ctx context.Context, seat Seat) string
	// OnChange is given what to call when that changed by itself; nil for never.
	OnChange func(changed func())
	// Broke records a panic; nil records nothing.
	Broke func(what string)
}

// drain is how long calls that cannot be cut off may finish after the client is gone.
const drain = 30 * time.Second

// ServeIO serves one client over a pair of streams until it closes its end or ctx is
// done; both are a clean end. Calls in flight are waited for, at most 30 s.
func ServeIO(ctx context.Context, in io.ReadCloser, out io.WriteCloser, deps Deps) error {
	in, out = guard(in, out)
	return Serve(ctx, &mcp.IOTransport{Reader: in, Writer: out}, deps)
}

// Serve serves one client over a transport, as ServeIO does.
func Serve(ctx context.Context, transport mcp.Transport, deps Deps) error {
	s := newServer(ctx, deps)
	err := s.sdk.Run(ctx, transport)
	s.wait(drain)
	if ctx.Err() != nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) || errors.Is(err, mcp.ErrConnectionClosed) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("serve MCP: %w", err)
	}
	return nil
}

type server struct {
	life  context.Context // of the whole server; a call's own ends with its client's interest
	deps  Deps
	sdk   *mcp.Server
	roots roots
	calls sync.WaitGroup
	hello sync.Once
}

func newServer(life context.Context, deps Deps) *server {
	s := &server{life: life, deps: deps}
	built := map[string]bool{}
	var tools []verb.Spec
	for _, spec := range verb.Built(deps.Table) {
		if !spec.CLIOnly {
			tools = append(tools, spec)
			built[spec.Name] = true
		}
	}
	options := &mcp.ServerOptions{
		Instructions: guide.Text(func(v string) bool { return built[v] }),
		// Named so that the SDK does not offer logging, which it does by default.
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
	}
	s.roots.watch(options)
	s.offerStatus(options)
	s.sdk = mcp.NewServer(&mcp.Implementation{Name: "gitlet", Title: "gitlet", Version: deps.Version}, options)
	s.addStatus()
	for _, spec := range tools {
		s.sdk.AddTool(tool(spec), s.handler(spec))
	}
	s.sdk.AddReceivingMiddleware(s.greet)
	return s
}

// greet opens the session's own place at the client's first message after the
// handshake, or at the first of all from clients that do without one.
func (s *server) greet(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		session, ok := req.GetSession().(*mcp.ServerSession)
		if method != "initialize" && ok && session.InitializeParams() != nil {
			s.hello.Do(func() {
				s.calls.Go(func() {
					defer s.recovered("opening the worktree", func(string) {})
					_, _ = s.deps.Open(s.life, s.seat(s.life, session, ""))
				})
			})
		}
		return res, err
	}
}

// recovered turns a panic into a record and what is told.
func (s *server) recovered(where string, told func(what string)) {
	if p := recover(); p != nil {
		if s.deps.Broke != nil {
			s.deps.Broke(fmt.Sprintf("panic in %s: %v\n%s", where, p, debug.Stack()))
		}
		told(fmt.Sprintf("%s: %v", where, p))
	}
}

// seat says for whom and where: the worktree named in the call, else the client's
// only root, else the server's own directory.
func (s *server) seat(ctx context.Context, session *mcp.ServerSession, worktree string) Seat {
	seat := Seat{Worktree: worktree, Asked: worktree != ""}
	if init := session.InitializeParams(); init != nil && init.ClientInfo != nil {
		seat.Client = init.ClientInfo.Name
	}
	if worktree == "" {
		seat.Worktree = s.roots.only(ctx, session)
	}
	return seat
}

// tool declares one verb. Every hint is set, because those left out default to true.
func tool(spec verb.Spec) *mcp.Tool {
	e := spec.Effects
	return &mcp.Tool{
		Name:        spec.Name,
		Description: spec.When,
		InputSchema: verb.Schema(spec),
		Annotations: &mcp.ToolAnnotations{
			Title:           spec.Summary,
			ReadOnlyHint:    e.ReadOnly,
			IdempotentHint:  e.Idempotent,
			DestructiveHint: &e.Destructive,
			OpenWorldHint:   &e.OpenWorld,
		},
	}
}

// handler answers the calls of one tool. It never returns an error: whatever happens
// becomes a result, which is what the agent gets to read.
func (s *server) handler(spec verb.Spec) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (res *mcp.CallToolResult, _ error) {
		s.calls.Add(1)
		defer s.calls.Done()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.life, cancel)()
		p := render.Printer{Face: verb.MCP, Table: s.deps.Table}
		defer s.recovered(spec.Name, func(what string) { res = toolResult(p, spec, verb.Broke(what)) })
		args, bad := verb.DecodeJSON(spec, req.Params.Arguments)
		if bad != nil {
			return toolResult(p, spec, bad.Result()), nil
		}
		p.Where = verb.Worktree(args)
		if p.Where != "" && !filepath.IsAbs(p.Where) {
			text := fmt.Sprintf("worktree is %q: give an absolute path", p.Where)
			p.Where = ""
			return toolResult(p, spec, verb.BadArgument(spec, verb.MCP, "worktree", text).Result()), nil
		}
		defer s.progress(ctx, spec.Name, req)()
		res = toolResult(p, spec, s.call(ctx, spec, args, p.Where, req))
		if !spec.Effects.ReadOnly {
			s.changed()
		}
		return res, nil
	}
}

func (s *server) call(ctx context.Context, spec verb.Spec, args any, worktree string, req *mcp.CallToolRequest) *verb.Result {
	seat := s.seat(ctx, req.Session, worktree)
	runner, err := s.deps.Open(ctx, seat)
	if err != nil {
		r := verb.FromError(err)
		if r.Outcome == verb.Refused && !seat.Asked {
			r = withWorktree(r, spec)
		}
		return r
	}
	return runner.Run(ctx, spec, args, verb.MCP)
}

// withWorktree adds to a refusal of the server's own place how to name another.
func withWorktree(r *verb.Result, spec verb.Spec) *verb.Result {
	out := *r
	skeleton := verb.BadArgument(spec, verb.MCP, "worktree", "").Result().Options[0]
	skeleton.Why = "name the git worktree to work in, as an absolute path"
	out.Options = append([]model.Option{skeleton}, r.Options...)
	return &out
}

// toolResult makes the answer of a call: text that stands on its own, and the same as
// structured data. Which of the two a model gets to read is the client's choice.
func toolResult(p render.Printer, spec verb.Spec, r *verb.Result) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: p.Text(r)}},
		StructuredContent: p.Structured(r, spec.Effects.ReadOnly),
		IsError:           r.Outcome == verb.Refused || r.Outcome == verb.Fault,
	}
}

// wait lets calls in flight finish, for at most the given time.
func (s *server) wait(most time.Duration) {
	done := make(chan struct{})
	go func() {
		s.calls.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(most):
	}
}
