package mcpserver

import (
	"context"
	"net/url"
	"path/filepath"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// This file alone uses MCP roots.
//
//lint:file-ignore SA1019 The SDK calls roots deprecated and newer clients do not have
// them, but for the older clients that do, the one root they name is a better guess at
// the worktree than the directory they happened to start us in.

// rootsTimeout is how long a client may take to list its roots.
const rootsTimeout = 2 * time.Second

// roots remembers the client's only root, until the client says that it changed.
type roots struct {
	mu    sync.Mutex
	asked bool
	path  string
}

func (r *roots) watch(o *mcp.ServerOptions) {
	o.RootsListChangedHandler = func(context.Context, *mcp.RootsListChangedRequest) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.asked = false
	}
}

// only is the absolute path of the client's root when it has exactly one that is a
// local folder, else "". A client that does not answer is not asked again.
func (r *roots) only(ctx context.Context, session *mcp.ServerSession) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asked {
		return r.path
	}
	r.asked, r.path = true, ""
	init := session.InitializeParams()
	if init == nil || init.Capabilities == nil || init.Capabilities.RootsV2 == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, rootsTimeout)
	defer cancel()
	list, err := session.ListRoots(ctx, nil)
	if err != nil || len(list.Roots) != 1 {
		return ""
	}
	r.path = localPath(list.Roots[0].URI)
	return r.path
}

// localPath is the absolute path that a file URI names, or "".
func localPath(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || !filepath.IsAbs(u.Path) {
		return ""
	}
	return filepath.Clean(filepath.FromSlash(u.Path))
}
