package config

import (
	"strings"
	"testing"
)

func TestChooseRemote(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		set     string
		remotes []string
		want    string
		why     string
		problem string // a part of it, "" for none
	}{
		{name: "no remotes", why: "this clone has no remote"},
		{name: "origin alone", remotes: []string{"origin"}, want: "origin", why: "it is called origin"},
		{name: "origin among others", remotes: []string{"fork", "origin"}, want: "origin", why: "it is called origin"},
		{name: "only one, other name", remotes: []string{"upstream"}, want: "upstream", why: "it is the only remote"},
		{
			name: "several without origin", remotes: []string{"upstream", "fork"},
			why: "this clone has several remotes and none is called origin", problem: "(fork, upstream)",
		},
		{name: "set", set: "fork", remotes: []string{"fork", "origin"}, want: "fork", why: "gitlet.remote"},
		{name: "none beats origin", set: "none", remotes: []string{"origin"}, why: "gitlet.remote is none"},
		{
			name: "set but missing never falls back to another remote", set: "upstraem", remotes: []string{"origin", "upstream"},
			why: `gitlet.remote is "upstraem", which is no remote of this clone`, problem: "(origin, upstream)",
		},
		{
			name: "set, and there is no remote at all", set: "origin",
			why: `gitlet.remote is "origin", which is no remote of this clone`, problem: "(it has none)",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ChooseRemote(Settings{Remote: tt.set}, Refs{Remotes: tt.remotes})
			if got.Name != tt.want || got.Why != tt.why {
				t.Errorf("chose %q because %q, want %q because %q", got.Name, got.Why, tt.want, tt.why)
			}
			if (got.Problem == "") != (tt.problem == "") || !strings.Contains(got.Problem, tt.problem) {
				t.Errorf("problem is %q, want one with %q", got.Problem, tt.problem)
			}
		})
	}
}

func TestChooseMain(t *testing.T) {
	t.Parallel()
	heads := func(target string) map[string]string { return map[string]string{"origin": target} }
	tracking := func(names ...string) map[string][]string { return map[string][]string{"origin": names} }
	tests := []struct {
		name    string
		set     string
		remote  string
		refs    Refs
		want    string
		found   bool
		why     string
		problem bool
	}{
		{
			name: "the remote's HEAD", remote: "origin",
			refs: Refs{RemoteHEAD: heads("refs/remotes/origin/trunk"), Tracking: tracking("main", "trunk"), Local: []string{"main"}},
			want: "trunk", found: true, why: `it is the HEAD branch of "origin"`,
		},
		{
			name: "a HEAD branch with slashes", remote: "origin",
			refs: Refs{RemoteHEAD: heads("refs/remotes/origin/release/next"), Tracking: tracking("release/next")},
			want: "release/next", found: true, why: `it is the HEAD branch of "origin"`,
		},
		{
			name: "a HEAD that points at a branch that is gone", remote: "origin",
			refs: Refs{RemoteHEAD: heads("refs/remotes/origin/master"), Tracking: tracking("main")},
			want: "main", found: true, why: "the remote has it",
		},
		{
			name: "another remote's HEAD says nothing", remote: "fork",
			refs: Refs{RemoteHEAD: heads("refs/remotes/origin/trunk"), Tracking: map[string][]string{"origin": {"trunk"}, "fork": {"master"}}},
			want: "master", found: true, why: "the remote has it",
		},
		{
			name: "no HEAD: main before master", remote: "origin",
			refs: Refs{Tracking: tracking("master", "main")},
			want: "main", found: true, why: "the remote has it",
		},
		{
			name: "no HEAD: the remote's master before a local main", remote: "origin",
			refs: Refs{Tracking: tracking("master"), Local: []string{"main"}},
			want: "master", found: true, why: "the remote has it",
		},
		{
			name: "never fetched: the local one", remote: "origin",
			refs: Refs{Local: []string{"master"}},
			want: "master", found: true, why: "there is a local branch of that name",
		},
		{
			name: "local mode looks at local branches only",
			refs: Refs{RemoteHEAD: heads("refs/remotes/origin/trunk"), Tracking: tracking("trunk"), Local: []string{"main", "trunk"}},
			want: "main", found: true, why: "there is a local branch of that name",
		},
		{
			name: "set", set: "trunk", remote: "origin",
			refs: Refs{RemoteHEAD: heads("refs/remotes/origin/main"), Tracking: tracking("main", "trunk")},
			want: "trunk", found: true, why: "gitlet.main",
		},
		{
			name: "set as a full ref", set: "refs/heads/trunk",
			refs: Refs{Local: []string{"trunk"}},
			want: "trunk", found: true, why: "gitlet.main",
		},
		{
			name: "set but missing stays set", set: "trunk", remote: "origin",
			refs: Refs{Tracking: tracking("main")},
			want: "trunk", why: "gitlet.main", problem: true,
		},
		{
			name: "nothing there", remote: "origin",
			refs: Refs{Tracking: tracking("develop")},
			want: "main", why: "nothing else is known", problem: true,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ChooseMain(Settings{Main: tt.set}, tt.remote, tt.refs)
			if got.Name != tt.want || got.Found != tt.found || got.Why != tt.why || (got.Problem != "") != tt.problem {
				t.Errorf("chose %+v, want %q, found %v, because %q", got, tt.want, tt.found, tt.why)
			}
		})
	}
}
