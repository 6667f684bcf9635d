package mcpserver_test

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gitlet/internal/verb/verbtest"
)

func addRoots(c *mcp.Client, roots ...*mcp.Root) {
	//lint:ignore SA1019 the server still serves clients that have roots
	c.AddRoots(roots...)
}

func TestRoots(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		era  string
		uris []string
		args map[string]any
		want string
	}{
		{"one", older, []string{"file:///w/a%20b/"}, nil, "/w/a b"},
		{"localhost", older, []string{"file://localhost/w"}, nil, "/w"},
		{"the argument wins", older, []string{"file:///w"}, map[string]any{"worktree": "/x"}, "/x"},
		{"two", older, []string{"file:///w", "file:///x"}, nil, ""},
		{"another host", older, []string{"file://host/w"}, nil, ""},
		{"a client without them", newest, []string{"file:///w"}, nil, ""},
	} {
		var roots []*mcp.Root
		for _, u := range c.uris {
			roots = append(roots, &mcp.Root{URI: u})
		}
		w := connect(t, &world{}, verbtest.Table(), c.era, roots...)
		if c.args == nil && w.first.Worktree != c.want {
			t.Errorf("%s: opened %q at hello, want %q", c.name, w.first.Worktree, c.want)
		}
		for range 2 {
			w.call(t, "status", c.args)
		}
		for _, seat := range w.seats {
			if seat.Worktree != c.want || seat.Asked != (c.args != nil) {
				t.Errorf("%s: seat %+v, want %q", c.name, seat, c.want)
			}
		}
	}
}
