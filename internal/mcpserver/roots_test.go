package mcpserver_test

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gitlet/internal/verb/verbtest"
)

//lint:file-ignore SA1019 the server still serves clients that have roots

func addRoots(c *mcp.Client, uris []string) {
	for _, u := range uris {
		c.AddRoots(&mcp.Root{URI: u})
	}
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
		w := connect(t, &world{}, verbtest.Table(), c.era, c.uris...)
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
