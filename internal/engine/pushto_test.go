package engine

import (
	"testing"

	"gitlet/internal/git"
	"gitlet/internal/git/gittest"
)

// TestPushRemote: a branch goes where git push would take it, and its pull request to
// where main is.
func TestPushRemote(t *testing.T) {
	t.Parallel()
	const address = "https://example.com/me/app.git"
	for name, c := range map[string]struct {
		settings         [][2]string
		shared           string
		pushed, upstream string
	}{
		"one remote":       {nil, "origin", "origin", "origin"},
		"of the clone":     {[][2]string{{"remote.pushDefault", "fork"}}, "origin", "fork", "origin"},
		"an address":       {[][2]string{{"remote.pushDefault", address}}, "origin", address, "origin"},
		"of the branch":    {[][2]string{{"remote.pushDefault", "fork"}, {"branch.gitlet/x.pushRemote", "third"}}, "origin", "third", "origin"},
		"of another":       {[][2]string{{"branch.gitlet/y.pushRemote", "fork"}}, "origin", "origin", "origin"},
		"this clone":       {[][2]string{{"branch.gitlet/x.pushRemote", "."}}, "origin", "origin", "origin"},
		"none":             {[][2]string{{"remote.pushDefault", ""}}, "origin", "origin", "origin"},
		"shared by fork":   {[][2]string{{"remote.pushDefault", "fork"}, {"branch.main.remote", "origin"}}, "fork", "fork", "origin"},
		"by its address":   {[][2]string{{"remote.pushDefault", "fork.git"}, {"branch.main.remote", "origin"}}, "fork", "fork.git", "origin"},
		"only a fork":      {[][2]string{{"branch.main.remote", "fork"}}, "fork", "fork", "fork"},
		"main of an URL":   {[][2]string{{"branch.main.remote", address}}, "fork", "fork", "fork"},
		"gh was told":      {[][2]string{{"remote.third.gh-resolved", "base"}}, "fork", "fork", "third"},
		"gh was told else": {[][2]string{{"remote.third.gh-resolved", "acme/app"}}, "origin", "origin", "origin"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			for _, n := range []string{"origin", "fork", "third"} {
				r.Git("remote", "add", n, n+".git")
			}
			for _, kv := range c.settings {
				r.Git("config", kv[0], kv[1])
			}
			wt, err := git.Open(t.Context(), r.Dir)
			if err != nil {
				t.Fatal(err)
			}
			conf, err := wt.Config(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			pushed := pushRemote(conf, "gitlet/x", c.shared)
			if up := upstreamOf(conf, pushed, c.shared, "main"); pushed != c.pushed || up != c.upstream {
				t.Errorf("to %q for %q, want %q for %q", pushed, up, c.pushed, c.upstream)
			}
		})
	}
}
