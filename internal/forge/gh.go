package forge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"gitlet/internal/proc"
)

// Kinds of failure that callers tell apart with errors.Is.
var (
	// ErrNoGH: gh is not installed.
	ErrNoGH = errors.New("gh is not installed")
	// ErrSignedOut: gh is not signed in to that host.
	ErrSignedOut = errors.New("gh is not signed in")
)

// Error is a call of gh that did not do what was asked.
type Error struct {
	Step   string
	Exit   int // -1 when it did not end by itself
	Stderr string
	Err    error
}

func (e *Error) Error() string {
	msg := "gh " + e.Step + ": " + e.Err.Error()
	if text := strings.Join(strings.Fields(e.Stderr), " "); text != "" {
		const most = 400
		msg += fmt.Sprintf(": %q", text[:min(len(text), most)])
	}
	return msg
}

// Unwrap returns the kind.
func (e *Error) Unwrap() error { return e.Err }

// ghTimeout bounds one call of gh, which may ask its host more than once.
const ghTimeout = 60 * time.Second

// needsAuth is gh's exit status when it has no token for the host.
const needsAuth = 4

// GH is the gh program for one repository. Dir is where it runs.
type GH struct {
	Repo Repo
	Dir  string
}

// PR is a pull request.
type PR struct {
	Number int    `json:"number"`
	URL    string `json:"url"`
	State  string `json:"state"` // OPEN, CLOSED, MERGED
	Title  string `json:"title"`
	Branch string `json:"headRefName"`
	Head   string `json:"headRefOid"`
	Base   string `json:"baseRefName"`
	// Fork is set when the branch lives in another repository; Owner is whose.
	Fork  bool `json:"isCrossRepository"`
	Draft bool `json:"isDraft"`
	Owner struct {
		Login string `json:"login"`
	} `json:"headRepositoryOwner"`
}

// From reports whether the pull request of repo is of a branch in head. A forge lets nobody
// have two forks of one repository.
func (p PR) From(repo, head Repo) bool {
	if repo.Slug() == head.Slug() {
		return !p.Fork
	}
	return p.Fork && strings.EqualFold(p.Owner.Login, head.owner())
}

const prFields = "number,url,state,title,headRefName,headRefOid,baseRefName,isCrossRepository,isDraft,headRepositoryOwner"

// PRs lists the newest pull requests whose branch has this name, whatever repository it
// lives in. state is open, closed, merged or all.
func (g GH) PRs(ctx context.Context, branch, state string) ([]PR, error) {
	out, err := g.run(ctx, "list pull requests", "", "pr", "list", "--repo="+g.Repo.Slug(), "--head="+branch,
		"--state="+state, "--limit=50", "--json="+prFields)
	if err != nil {
		return nil, err
	}
	var prs []PR
	if err := json.Unmarshal([]byte(out), &prs); err != nil {
		return nil, &Error{Step: "list pull requests", Exit: 0, Stderr: out, Err: fmt.Errorf("its answer is not understood: %w", err)}
	}
	// A name is matched as a whole also where gh's search is not as strict.
	kept := prs[:0]
	for _, p := range prs {
		if p.Branch == branch {
			kept = append(kept, p)
		}
	}
	return kept, nil
}

// View reads one pull request by its number.
func (g GH) View(ctx context.Context, number int) (PR, error) {
	out, err := g.run(ctx, "read pull request", "", "pr", "view", strconv.Itoa(number), "--repo="+g.Repo.Slug(), "--json="+prFields)
	if err != nil {
		return PR{}, err
	}
	var pr PR
	if err := json.Unmarshal([]byte(out), &pr); err != nil {
		return PR{}, &Error{Step: "read pull request", Exit: 0, Stderr: out, Err: fmt.Errorf("its answer is not understood: %w", err)}
	}
	return pr, nil
}

// NewPR says what pull request to open. Head is where the branch lives.
type NewPR struct {
	Head                      Repo
	Branch, Base, Title, Body string
	Draft                     bool
}

// Create opens a pull request for a branch that the forge has, and returns its address.
func (g GH) Create(ctx context.Context, n NewPR) (string, error) {
	head := n.Branch
	if n.Head.Slug() != g.Repo.Slug() {
		head = n.Head.owner() + ":" + n.Branch
	}
	args := []string{"pr", "create", "--repo=" + g.Repo.Slug(), "--head=" + head, "--base=" + n.Base,
		"--title=" + n.Title, "--body-file=-"}
	if n.Draft {
		args = append(args, "--draft")
	}
	out, err := g.run(ctx, "open pull request", n.Body, args...)
	if err != nil {
		return "", err
	}
	address := ""
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "https://") || strings.HasPrefix(line, "http://") {
			address = line
		}
	}
	if address == "" || strings.ContainsAny(address, " \t") {
		return "", &Error{Step: "open pull request", Exit: 0, Stderr: out, Err: errors.New("it names no address")}
	}
	return address, nil
}

// repositoryVariables would point gh's own git at another repository when we were
// started by a git hook.
var repositoryVariables = map[string]bool{"GIT_DIR": true, "GIT_WORK_TREE": true, "GIT_INDEX_FILE": true, "GIT_PREFIX": true,
	"GIT_COMMON_DIR": true, "GIT_OBJECT_DIRECTORY": true, "GIT_NAMESPACE": true, "GIT_QUARANTINE_PATH": true,
	"GH_REPO": true, "GH_DEBUG": true, "GH_FORCE_TTY": true, "DEBUG": true}

// environ is ours, without what would make gh ask, colour, page or look for a newer gh.
func environ() []string {
	set := []string{"GH_PROMPT_DISABLED=1", "GH_NO_UPDATE_NOTIFIER=1", "NO_COLOR=1", "CLICOLOR=0", "CLICOLOR_FORCE=0",
		"GH_PAGER=cat", "GIT_TERMINAL_PROMPT=0"}
	var env []string
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); !repositoryVariables[name] {
			env = append(env, kv)
		}
	}
	return append(env, set...)
}

// run starts gh once. What it says beside its answer, a newer version among it, is only
// read when it failed.
func (g GH) run(ctx context.Context, step, in string, args ...string) (string, error) {
	res, err := proc.Run(ctx, proc.Cmd{Path: "gh", Args: args, Dir: g.Dir, Env: environ(), In: strings.NewReader(in),
		Timeout: ghTimeout, MaxStdout: 8 << 20})
	if err == nil {
		return string(res.Stdout), nil
	}
	e := &Error{Step: step, Exit: res.Exit, Stderr: string(res.Stderr), Err: err}
	var start *proc.StartError
	var exit *proc.ExitError
	switch {
	case errors.As(err, &start):
		e.Exit, e.Err = -1, ErrNoGH
		if !errors.Is(err, os.ErrNotExist) {
			e.Err = err
		}
	case errors.As(err, &exit) && exit.Code == needsAuth:
		e.Err = ErrSignedOut
	}
	return "", e
}
