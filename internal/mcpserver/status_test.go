package mcpserver_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gitlet/internal/mcpserver"
	"gitlet/internal/verb"
	"gitlet/internal/verb/verbtest"
)

// statusWorld is a server that offers the status, and a client that listens.
func statusWorld(t *testing.T, runner *verbtest.Runner) (client *mcp.ClientSession, changed func(), heard chan string) {
	t.Helper()
	near, far := mcp.NewInMemoryTransports()
	heard = make(chan string, 10)
	told := make(chan func(), 1)
	deps := mcpserver.Deps{
		Table:    verbtest.Table(),
		Open:     func(context.Context, mcpserver.Seat) (verb.Runner, error) { return runner, nil },
		Status:   func(_ context.Context, s mcpserver.Seat) string { return "status of " + s.Client },
		OnChange: func(f func()) { told <- f },
	}
	go mcpserver.Serve(t.Context(), far, deps)
	c := mcp.NewClient(&mcp.Implementation{Name: "listener"}, &mcp.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) { heard <- req.Params.URI },
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			heard <- "progress: " + req.Params.Message
		},
	})
	session, err := c.Connect(t.Context(), near, &mcp.ClientSessionOptions{ProtocolVersion: older})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session, <-told, heard
}

func hear(t *testing.T, heard chan string) string {
	t.Helper()
	select {
	case s := <-heard:
		return s
	case <-time.After(10 * time.Second):
		t.Fatal("nothing was heard")
		return ""
	}
}

// TestStatusResource: it is listed and read, and who subscribed hears when it changed.
func TestStatusResource(t *testing.T) {
	t.Parallel()
	client, changed, heard := statusWorld(t, &verbtest.Runner{})
	list, err := client.ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) != 1 || list.Resources[0].URI != "gitlet://status" {
		t.Fatalf("%+v, %v", list, err)
	}
	read, err := client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "gitlet://status"})
	if err != nil || len(read.Contents) != 1 || read.Contents[0].Text != "status of listener" {
		t.Fatalf("%+v, %v", read, err)
	}
	if _, err := client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "gitlet://other"}); err == nil {
		t.Error("a resource that is not there was read")
	}
	changed() // nobody subscribed yet
	if err := client.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "gitlet://other"}); err == nil {
		t.Error("a resource that is not there was subscribed to")
	}
	if err := client.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "gitlet://status"}); err != nil {
		t.Fatal(err)
	}
	changed()
	if got := hear(t, heard); got != "gitlet://status" {
		t.Errorf("heard %q", got)
	}
	if _, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "start", Arguments: map[string]any{"intent": "x"}}); err != nil {
		t.Fatal(err)
	}
	if got := hear(t, heard); got != "gitlet://status" {
		t.Errorf("after a verb that changes something: heard %q", got)
	}
	if err := client.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: "gitlet://status"}); err != nil {
		t.Fatal(err)
	}
	changed()
	if _, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "status"}); err != nil || len(heard) != 0 {
		t.Errorf("%v, heard %d more", err, len(heard))
	}
}

// TestProgress: a client that gave a token hears that a long call goes on.
func TestProgress(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	runner := &verbtest.Runner{Answer: func(context.Context, verb.Spec, any, verb.Face) *verb.Result {
		<-release
		return &verb.Result{Outcome: verb.OK}
	}}
	client, _, heard := statusWorld(t, runner)
	done := make(chan error, 1)
	go func() {
		p := &mcp.CallToolParams{Name: "status"}
		p.SetProgressToken("token-1")
		_, err := client.CallTool(t.Context(), p)
		done <- err
	}()
	if got := hear(t, heard); !strings.HasPrefix(got, "progress: status is at work") {
		t.Errorf("heard %q", got)
	}
	close(release)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestClientCancels: a call that its client gave up ends.
func TestClientCancels(t *testing.T) {
	t.Parallel()
	started, ended := make(chan struct{}), make(chan struct{})
	runner := &verbtest.Runner{Answer: func(ctx context.Context, _ verb.Spec, _ any, _ verb.Face) *verb.Result {
		close(started)
		<-ctx.Done()
		close(ended)
		return &verb.Result{Outcome: verb.OK}
	}}
	client, _, _ := statusWorld(t, runner)
	ctx, cancel := context.WithCancel(t.Context())
	go client.CallTool(ctx, &mcp.CallToolParams{Name: "status"}) // it is given up on purpose
	<-started
	cancel()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("the call goes on")
	}
}
