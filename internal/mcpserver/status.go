package mcpserver

import (
	"context"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// statusURI is the resource that says how things stand.
const statusURI = "gitlet://status"

// offerStatus makes clients able to subscribe; the SDK keeps who did.
func (s *server) offerStatus(o *mcp.ServerOptions) {
	if s.deps.Status == nil {
		return
	}
	o.Capabilities.Resources = &mcp.ResourceCapabilities{Subscribe: true}
	o.SubscribeHandler = func(_ context.Context, req *mcp.SubscribeRequest) error {
		if req.Params.URI != statusURI {
			return mcp.ResourceNotFoundError(req.Params.URI)
		}
		return nil
	}
	o.UnsubscribeHandler = func(context.Context, *mcp.UnsubscribeRequest) error { return nil }
}

// addStatus offers the resource. Reading it is not the agent's doing, so that no note
// counts as told.
func (s *server) addStatus() {
	if s.deps.Status == nil {
		return
	}
	s.sdk.AddResource(&mcp.Resource{
		URI: statusURI, Name: "status", Title: "Work in flight", MIMEType: "text/plain",
		Description: "Who works on what in this repository, what overlaps, and the open notes.",
	}, func(ctx context.Context, req *mcp.ReadResourceRequest) (res *mcp.ReadResourceResult, _ error) {
		answer := func(text string) *mcp.ReadResourceResult {
			return &mcp.ReadResourceResult{Cacheable: mcp.Cacheable{CacheScope: "private"}, Contents: []*mcp.ResourceContents{{URI: statusURI, MIMEType: "text/plain", Text: text}}}
		}
		defer s.recovered("reading "+statusURI, func(what string) { res = answer("something broke: " + what) })
		return answer(s.deps.Status(ctx, s.seat(ctx, req.Session, ""))), nil
	})
	if s.deps.OnChange != nil {
		s.deps.OnChange(s.changed)
	}
}

// changed tells who subscribed that the status is another one.
func (s *server) changed() {
	if s.deps.Status != nil {
		_ = s.sdk.ResourceUpdated(s.life, &mcp.ResourceUpdatedNotificationParams{URI: statusURI}) // a client that is gone misses nothing
	}
}

// progressEvery is how often a client that asked for it hears that a call goes on.
const progressEvery = time.Second

// progress tells a client that gave a token that its call is still at work, until the
// function it returns is called.
func (s *server) progress(ctx context.Context, what string, req *mcp.CallToolRequest) (stop func()) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for n := 1.0; ; n++ {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: n,
					Message: fmt.Sprintf("%s is at work", what)}) // a client that is gone misses nothing
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}
