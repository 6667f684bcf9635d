package config

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// memClone is a clone in memory; it notes what it was asked for.
type memClone struct {
	head  map[string]string
	refs  map[string]string
	asked []string
	err   error
}

func (m *memClone) SymbolicRef(_ context.Context, ref string) (string, error) {
	return m.head[ref], m.err
}

func (m *memClone) Refs(_ context.Context, names ...string) (map[string]string, error) {
	m.asked = names
	out := map[string]string{}
	for _, n := range names {
		if oid := m.refs[n]; oid != "" {
			out[n] = oid
		}
	}
	return out, m.err
}

func TestChoose(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name         string
		set          Settings
		remotes      []string
		head         string // of origin
		refs         map[string]string
		remote, main string
		found        bool
		commit       string
		nested       []string
	}{
		{name: "nothing at all", main: "main"},
		{name: "a remote never fetched", remotes: []string{"origin"}, remote: "origin", main: "main"},
		{
			name: "gitlet's copy is the newest", remotes: []string{"origin"}, head: "refs/remotes/origin/trunk",
			refs:   map[string]string{"refs/remotes/origin/trunk": "t", "refs/heads/trunk": "l", "refs/gitlet-main/origin": "c"},
			remote: "origin", main: "trunk", found: true, commit: "c",
		},
		{
			name: "a main that was set is not read from a copy that may be of another", set: Settings{Main: "next"}, remotes: []string{"origin"},
			refs:   map[string]string{"refs/remotes/origin/next": "n", "refs/gitlet-main/origin": "old"},
			remote: "origin", main: "next", found: true, commit: "n",
		},
		{
			name: "set, and known by its copy alone", set: Settings{Main: "refs/heads/next"}, remotes: []string{"origin"},
			refs:   map[string]string{"refs/gitlet-main/origin": "c"},
			remote: "origin", main: "next", commit: "c",
		},
		{
			name: "a bare clone has branches and tracks none", remotes: []string{"origin"},
			refs:   map[string]string{"refs/heads/master": "m"},
			remote: "origin", main: "master", found: true, commit: "m",
		},
		{
			name: "local mode looks at no remote's refs", set: Settings{Remote: None}, remotes: []string{"origin"}, head: "refs/remotes/origin/trunk",
			refs: map[string]string{"refs/remotes/origin/trunk": "t", "refs/gitlet-main/": "x", "refs/heads/main": "m"},
			main: "main", found: true, commit: "m",
		},
		{
			name: "remotes whose names nest", remotes: []string{"team", "team/x", "teams", "origin"}, set: Settings{Remote: "team"},
			refs:   map[string]string{"refs/remotes/team/main": "m", "refs/remotes/team/x/main": "x"},
			remote: "team", main: "main", found: true, commit: "m", nested: []string{"team/x"},
		},
		{
			name: "a HEAD that dangles", remotes: []string{"origin"}, head: "refs/remotes/origin/gone",
			refs:   map[string]string{"refs/remotes/origin/master": "m"},
			remote: "origin", main: "master", found: true, commit: "m",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := &memClone{head: map[string]string{"refs/remotes/origin/HEAD": tt.head}, refs: tt.refs}
			got, err := Choose(context.Background(), tt.set, tt.remotes, m)
			if err != nil || got.Remote.Name != tt.remote || got.Main.Name != tt.main || got.Main.Found != tt.found || got.Commit != tt.commit {
				t.Errorf("chose %+v, %v", got, err)
			}
			if !slices.Equal(got.Nested, tt.nested) {
				t.Errorf("nested are %q", got.Nested)
			}
			if len(m.asked) > 10 || len(m.asked) == 0 {
				t.Errorf("asked for %q", m.asked)
			}
		})
	}
	away := errors.New("no refs today")
	if _, err := Choose(context.Background(), Settings{}, []string{"origin"}, &memClone{err: away}); !errors.Is(err, away) {
		t.Errorf("%v", err)
	}
}
