package forge

import (
	"net/url"
	"strings"

	"gitlet/internal/pattern"
)

// Kind is a family of forges that spell their pages alike.
type Kind string

// The kinds. Unknown is a host whose name tells nothing.
const (
	GitHub          Kind = "GitHub"
	GitLab          Kind = "GitLab"
	Bitbucket       Kind = "Bitbucket"
	BitbucketServer Kind = "Bitbucket Server"
	Gitea           Kind = "Gitea" // and Forgejo
	Azure           Kind = "Azure DevOps"
	Unknown         Kind = ""
)

// Repo is a repository on a forge, read from a remote's address.
type Repo struct {
	Kind Kind
	// Scheme is https, or http where the remote's own address says so; Host is the web
	// page's, with its port where the address names a web port.
	Scheme, Host string
	// Path is the repository's parts, decoded: owner and name, with the groups between
	// them; for Azure organization, project and name.
	Path []string
}

// Slug names the repository as gh takes it: [HOST/]OWNER/REPO.
func (r Repo) Slug() string { return r.Host + "/" + strings.Join(r.Path, "/") }

// scp is git's short spelling of an ssh address, [user@]host:path; a host in brackets is
// an IPv6 address.
var scp = pattern.New(`^(?:[^@/:]+@)?(\[[0-9A-Fa-f:.]+\]|[^@/:\[\]]+):(.*)$`)

// drive is a path on Windows, which looks like the short spelling.
var drive = pattern.New(`^[A-Za-z]:([\\/]|$)`)

// ParseRemote reads a remote's address in any spelling git takes. ok is false for a path
// on a disk, and for what names no host or no repository.
func ParseRemote(address string) (r Repo, ok bool) {
	address = strings.TrimSpace(address)
	scheme, host, path := "https", "", ""
	if s, rest, found := strings.Cut(address, "://"); found {
		// An address may say which helper reads it, as in "ext::" or "git+ssh://".
		if i := strings.LastIndex(s, "::"); i >= 0 {
			s = s[i+2:]
		}
		s = strings.ToLower(s)
		switch s {
		case "http", "https", "ssh", "git", "git+ssh", "ssh+git", "git+https", "git+http":
		default:
			return Repo{}, false
		}
		var authority string
		authority, path, _ = strings.Cut(rest, "/")
		host = authority[strings.LastIndexByte(authority, '@')+1:]
		web := s == "http" || s == "https" || s == "git+http" || s == "git+https"
		if s == "http" || s == "git+http" {
			scheme = "http"
		}
		name, port := splitPort(host)
		host = name
		if web && port != "" && !(scheme == "https" && port == "443") && !(scheme == "http" && port == "80") {
			host += ":" + port
		}
		if web {
			path, _, _ = strings.Cut(path, "?")
			path, _, _ = strings.Cut(path, "#")
		}
	} else {
		m := scp.FindStringSubmatch(address)
		if m == nil || drive.MatchString(address) || strings.Contains(m[2], "::") || strings.HasPrefix(m[2], ":") {
			return Repo{}, false
		}
		host, path = m[1], m[2]
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	parts, ok := pathParts(path)
	if !ok || host == "" || strings.ContainsAny(host, " \t\x00%\\") {
		return Repo{}, false
	}
	return place(Repo{Scheme: scheme, Host: host, Path: parts})
}

func splitPort(host string) (name, port string) {
	i := strings.LastIndexByte(host, ':')
	if i < 0 || strings.HasSuffix(host, "]") {
		return host, ""
	}
	return host[:i], host[i+1:]
}

// pathParts decodes a path and drops what git does not need: doubled and trailing
// slashes and the ".git" at the end.
func pathParts(path string) ([]string, bool) {
	var parts []string
	for p := range strings.SplitSeq(path, "/") {
		if p == "" {
			continue
		}
		if d, err := url.PathUnescape(p); err == nil {
			p = d
		}
		if p == "." || p == ".." || strings.ContainsFunc(p, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return nil, false
		}
		parts = append(parts, p)
	}
	if n := len(parts); n > 0 {
		parts[n-1] = strings.TrimSuffix(parts[n-1], ".git")
		if parts[n-1] == "" {
			return nil, false
		}
	}
	return parts, len(parts) > 0
}

// webHosts are hosts that answer git under another name than the web page's.
var webHosts = map[string]string{
	"ssh.github.com": "github.com", "www.github.com": "github.com", "altssh.gitlab.com": "gitlab.com",
	"altssh.bitbucket.org": "bitbucket.org",
}

// place finds the kind of a repository's host, and its web host where that differs.
func place(r Repo) (Repo, bool) {
	if web := webHosts[r.Host]; web != "" {
		r.Host = web
	}
	name, _ := splitPort(r.Host)
	switch {
	case name == "dev.azure.com" || name == "ssh.dev.azure.com" || strings.HasSuffix(name, ".visualstudio.com"):
		return azure(r, name)
	case name == "bitbucket.org":
		r.Kind = Bitbucket
	case hasWord(name, "bitbucket") || hasWord(name, "stash") || len(r.Path) > 2 && r.Path[0] == "scm":
		r.Kind = BitbucketServer
		if len(r.Path) > 2 && r.Path[0] == "scm" {
			r.Path = r.Path[1:]
		}
	case name == "github.com" || hasWord(name, "github") || strings.HasSuffix(name, ".ghe.com"):
		r.Kind = GitHub
	case hasWord(name, "gitlab"):
		r.Kind = GitLab
	case name == "codeberg.org" || hasWord(name, "gitea") || hasWord(name, "forgejo"):
		r.Kind = Gitea
	}
	switch {
	case r.Kind == Unknown:
		return r, true
	case r.Kind == GitLab:
		return r, len(r.Path) >= 2
	}
	return r, len(r.Path) == 2
}

// hasWord reports whether a host's name has the word as one of its parts:
// "gitlab.example.com", "my-gitlab.example.com", not "notgitlab.example.com".
func hasWord(host, word string) bool {
	for _, p := range strings.FieldsFunc(host, func(r rune) bool { return r == '.' || r == '-' }) {
		if p == word {
			return true
		}
	}
	return false
}

// azure reads organization, project and name, in the spellings of both generations:
//
//	https://dev.azure.com/ORG/PROJECT/_git/NAME
//	https://ORG.visualstudio.com/[DefaultCollection/]PROJECT/_git/NAME
//	ssh.dev.azure.com:v3/ORG/PROJECT/NAME
//
// A project whose repository has its name may leave it out: ORG/_git/NAME.
func azure(r Repo, name string) (Repo, bool) {
	p := r.Path
	org := ""
	switch {
	case strings.HasPrefix(p[0], "v") && len(p) == 4:
		org, p = p[1], []string{p[2], "_git", p[3]}
	case name == "dev.azure.com" || name == "ssh.dev.azure.com":
		org, p = p[0], p[1:]
	default:
		org = strings.TrimSuffix(name, ".visualstudio.com")
		if len(p) > 1 && strings.EqualFold(p[0], "DefaultCollection") {
			p = p[1:]
		}
	}
	if len(p) > 1 && (p[len(p)-2] == "_full" || p[len(p)-2] == "_optimized") {
		p = append(append([]string{}, p[:len(p)-2]...), p[len(p)-1])
	}
	if len(p) == 2 && p[0] == "_git" {
		p = []string{p[1], "_git", p[1]}
	}
	if org == "" || org == "vs-ssh" || len(p) != 3 || p[1] != "_git" {
		return Repo{}, false
	}
	return Repo{Kind: Azure, Scheme: "https", Host: "dev.azure.com", Path: []string{org, p[0], p[2]}}, true
}

// Compare is the address of the page that opens a pull request for the branch head
// against base; "" for an unknown host.
func (r Repo) Compare(base, head string) string {
	root := r.Scheme + "://" + r.Host + "/"
	home := root + escape(strings.Join(r.Path, "/"))
	q := url.Values{}
	switch r.Kind {
	case GitHub:
		return home + "/compare/" + escape(base) + "..." + escape(head) + "?expand=1"
	case Gitea:
		return home + "/compare/" + escape(base) + "..." + escape(head)
	case GitLab:
		q.Set("merge_request[source_branch]", head)
		q.Set("merge_request[target_branch]", base)
		return home + "/-/merge_requests/new?" + query(q)
	case Bitbucket:
		q.Set("source", head)
		q.Set("dest", base)
		return home + "/pull-requests/new?" + query(q)
	case BitbucketServer:
		q.Set("sourceBranch", "refs/heads/"+head)
		q.Set("targetBranch", "refs/heads/"+base)
		where := "projects/" + escape(r.Path[0])
		if user, personal := strings.CutPrefix(r.Path[0], "~"); personal {
			where = "users/" + escape(user)
		}
		return root + where + "/repos/" + escape(r.Path[1]) + "/pull-requests?create&" + query(q)
	case Azure:
		q.Set("sourceRef", head)
		q.Set("targetRef", base)
		return root + escape(r.Path[0]+"/"+r.Path[1]) + "/_git/" + escape(r.Path[2]) + "/pullrequestcreate?" + query(q)
	}
	return ""
}

// CompareFork is Compare for a branch that lives in the repository head, a fork of r.
func (r Repo) CompareFork(base string, head Repo, branch string) string {
	if head.Slug() == r.Slug() {
		return r.Compare(base, branch)
	}
	switch r.Kind {
	case GitHub, Gitea:
		home := r.Scheme + "://" + r.Host + "/" + escape(strings.Join(r.Path, "/"))
		page := home + "/compare/" + escape(base) + "..." + escape(head.owner()) + ":" + escape(branch)
		if r.Kind == GitHub {
			page += "?expand=1"
		}
		return page
	case GitLab:
		// The fork's page goes to what it was forked from unless it is told a target.
		q := url.Values{"merge_request[source_branch]": {branch}}
		return head.Scheme + "://" + head.Host + "/" + escape(strings.Join(head.Path, "/")) + "/-/merge_requests/new?" + query(q)
	}
	return head.Compare(base, branch)
}

// owner is the account or group a repository belongs to.
func (r Repo) owner() string { return r.Path[0] }

// escape spells a path for an address and keeps its slashes.
func escape(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return strings.Join(parts, "/")
}

// query spells values with %20 for a space and slashes as they are, which all forges
// read and people can.
func query(q url.Values) string {
	return strings.NewReplacer("+", "%20", "%2F", "/").Replace(q.Encode())
}
