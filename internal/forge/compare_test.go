package forge

import (
	"net/url"
	"strings"
	"testing"
)

func TestCompareOfEverySpelling(t *testing.T) {
	const gh = "https://github.com/acme/app/compare/main...gitlet/x?expand=1"
	const gl = "https://gitlab.com/a/b/c/-/merge_requests/new?merge_request%5Bsource_branch%5D=gitlet/x&merge_request%5Btarget_branch%5D=main"
	const bb = "https://bitbucket.org/acme/app/pull-requests/new?dest=main&source=gitlet/x"
	const az = "https://dev.azure.com/org/My%20Project/_git/app/pullrequestcreate?sourceRef=gitlet/x&targetRef=main"
	const bs = "https://bitbucket.example.com/projects/PROJ/repos/app/pull-requests?create&sourceBranch=refs/heads/gitlet/x&targetBranch=refs/heads/main"
	for address, want := range map[string]string{
		"https://github.com/acme/app.git":                                      gh,
		"https://github.com/acme/app":                                          gh,
		"https://github.com/acme/app/":                                         gh,
		"https://github.com//acme//app.git/":                                   gh,
		"HTTPS://GitHub.com/acme/app.git":                                      gh,
		"https://user@github.com/acme/app.git":                                 gh,
		"https://user:se%40cret@github.com/acme/app.git":                       gh,
		"https://x-access-token:ghs_a@b@github.com:443/acme/app.git":           gh,
		"git@github.com:acme/app.git":                                          gh,
		"github.com:acme/app":                                                  gh,
		"git@github.com:/acme/app.git":                                         gh,
		"ssh://git@github.com/acme/app.git":                                    gh,
		"ssh://git@github.com:22/acme/app.git":                                 gh,
		"ssh://git@ssh.github.com:443/acme/app.git":                            gh,
		"git+ssh://git@github.com/acme/app.git":                                gh,
		"git://github.com/acme/app.git":                                        gh,
		"https://www.github.com/acme/app.git":                                  gh,
		"http://github.example.com:8080/acme/app.git":                          "http://github.example.com:8080/acme/app/compare/main...gitlet/x?expand=1",
		"ssh://git@github.example.com:2222/acme/app.git":                       "https://github.example.com/acme/app/compare/main...gitlet/x?expand=1",
		"git@gitlab.com:a/b/c.git":                                             gl,
		"https://oauth2:token@gitlab.com/a/b/c.git":                            gl,
		"ssh://git@altssh.gitlab.com:443/a/b/c.git":                            gl,
		"git@my-gitlab.example.com:a/b.git":                                    "https://my-gitlab.example.com/a/b/-/merge_requests/new?merge_request%5Bsource_branch%5D=gitlet/x&merge_request%5Btarget_branch%5D=main",
		"git@bitbucket.org:acme/app.git":                                       bb,
		"https://me@bitbucket.org/acme/app.git":                                bb,
		"ssh://git@altssh.bitbucket.org:443/acme/app.git":                      bb,
		"ssh://git@bitbucket.example.com:7999/PROJ/app.git":                    bs,
		"https://bitbucket.example.com/scm/PROJ/app.git":                       bs,
		"ssh://git@bitbucket.example.com:7999/~me/app.git":                     "https://bitbucket.example.com/users/me/repos/app/pull-requests?create&sourceBranch=refs/heads/gitlet/x&targetBranch=refs/heads/main",
		"https://codeberg.org/acme/app.git":                                    "https://codeberg.org/acme/app/compare/main...gitlet/x",
		"git@gitea.example.com:acme/app.git":                                   "https://gitea.example.com/acme/app/compare/main...gitlet/x",
		"https://forgejo.example.com:3000/acme/app":                            "https://forgejo.example.com:3000/acme/app/compare/main...gitlet/x",
		"https://dev.azure.com/org/My%20Project/_git/app":                      az,
		"https://org@dev.azure.com/org/My%20Project/_git/app":                  az,
		"git@ssh.dev.azure.com:v3/org/My%20Project/app":                        az,
		"ssh://git@ssh.dev.azure.com/v3/org/My%20Project/app":                  az,
		"https://org.visualstudio.com/My%20Project/_git/app":                   az,
		"https://org.visualstudio.com/DefaultCollection/My%20Project/_git/app": az,
		"org@vs-ssh.visualstudio.com:v3/org/My%20Project/app":                  az,
		"https://dev.azure.com/org/_git/app":                                   "https://dev.azure.com/org/app/_git/app/pullrequestcreate?sourceRef=gitlet/x&targetRef=main",
	} {
		r, ok := ParseRemote(address)
		if got := r.Compare("main", "gitlet/x"); !ok || got != want {
			t.Errorf("%s\n got %q %v\nwant %q", address, got, ok, want)
		}
	}
}

func TestNoForge(t *testing.T) {
	for _, address := range []string{"", "/srv/git/app.git", "../app.git", "./a:b", "file:///srv/app.git", "file://github.com/acme/app.git",
		`C:\src\app.git`, "C:/src/app.git", "ext::ssh git@github.com %S /acme/app.git", "https://github.com/", "https://github.com/acme",
		"https://github.com/acme/app/../x", "https:///acme/app.git", "git@github.com:", "https://dev.azure.com/org/app"} {
		if r, ok := ParseRemote(address); ok && r.Compare("main", "x") != "" {
			t.Errorf("%q is %+v", address, r)
		}
	}
	for _, address := range []string{"git@example.com:acme/app.git", "https://notgithub.com/acme/app.git", "https://example.com/github/app.git", "[::1]:acme/app.git", "ssh://git@[::1]:22/acme/app.git"} {
		if r, ok := ParseRemote(address); !ok || r.Kind != Unknown || r.Compare("main", "x") != "" {
			t.Errorf("%q is %+v %v", address, r, ok)
		}
	}
}

func TestBranchNamesAreEscaped(t *testing.T) {
	r, _ := ParseRemote("https://github.com/acme/app.git")
	if got := r.Compare("main", "fix/#1 50%?"); got != "https://github.com/acme/app/compare/main...fix/%231%2050%25%3F?expand=1" {
		t.Error(got)
	}
	r, _ = ParseRemote("https://gitlab.com/acme/app.git")
	if got := r.Compare("main", "a&b+c"); !strings.Contains(got, "source_branch%5D=a%26b%2Bc&") {
		t.Error(got)
	}
}

// FuzzParseRemote: whatever an address holds, what comes out is a web address of its host
// without the name and password.
func FuzzParseRemote(f *testing.F) {
	for _, s := range []string{"https://user:secret@github.com/a/b.git", "git@gitlab.com:a/b", "ssh://x@y:1/z", "a:b", "://", "https://@/", "v3", "https://dev.azure.com/v3/a/b/c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, ok := ParseRemote(s)
		if !ok {
			return
		}
		page := r.Compare("main", "topic")
		if page == "" {
			return
		}
		u, err := url.Parse(page)
		if err != nil || u.User != nil || u.Host != r.Host {
			t.Errorf("%q gives %q: %v", s, page, err)
		}
	})
}

// TestCompareFork: the page for a branch of a fork is the one where it goes to what it was
// forked from.
func TestCompareFork(t *testing.T) {
	for _, c := range []struct{ base, head, want string }{
		{"git@github.com:acme/app.git", "git@github.com:me/app.git", "https://github.com/acme/app/compare/main...me:gitlet/x?expand=1"},
		{"git@github.com:acme/app.git", "https://github.com/acme/app", "https://github.com/acme/app/compare/main...gitlet/x?expand=1"},
		{"https://codeberg.org/acme/app", "https://codeberg.org/me/their-app", "https://codeberg.org/acme/app/compare/main...me:gitlet/x"},
		{"git@gitlab.com:a/b/c.git", "git@gitlab.com:me/c.git", "https://gitlab.com/me/c/-/merge_requests/new?merge_request%5Bsource_branch%5D=gitlet/x"},
		{"git@bitbucket.org:acme/app.git", "git@bitbucket.org:me/app.git", "https://bitbucket.org/me/app/pull-requests/new?dest=main&source=gitlet/x"},
	} {
		base, ok1 := ParseRemote(c.base)
		head, ok2 := ParseRemote(c.head)
		if got := base.CompareFork("main", head, "gitlet/x"); !ok1 || !ok2 || got != c.want {
			t.Errorf("%s from %s\n got %q\nwant %q", c.base, c.head, got, c.want)
		}
	}
}

// TestFrom: a pull request is ours only when its branch lives where ours does.
func TestFrom(t *testing.T) {
	upstream, _ := ParseRemote("git@github.com:acme/app.git")
	mine, _ := ParseRemote("git@github.com:Me/app.git")
	fork := func(login string) PR {
		p := PR{Fork: true}
		p.Owner.Login = login
		return p
	}
	for _, c := range []struct {
		pr   PR
		head Repo
		want bool
	}{
		{PR{}, upstream, true}, {PR{}, mine, false}, {fork("me"), mine, true}, {fork("you"), mine, false}, {fork("me"), upstream, false}, {fork(""), mine, false},
	} {
		if got := c.pr.From(upstream, c.head); got != c.want {
			t.Errorf("%+v from %v: %v", c.pr, c.head, got)
		}
	}
}
