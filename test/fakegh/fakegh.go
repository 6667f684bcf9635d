package fakegh

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Flags lists what each command takes: a flag's name, and whether it has a value.
var Flags = map[string]map[string]bool{
	"pr list":   {"repo": true, "head": true, "base": true, "state": true, "limit": true, "json": true},
	"pr create": {"repo": true, "head": true, "base": true, "title": true, "body": true, "body-file": true, "draft": false},
	"pr view":   {"repo": true, "json": true},
	"pr merge":  {"repo": true, "merge": false, "squash": false, "rebase": false, "subject": true, "body": true, "delete-branch": false},
	"pr close":  {"repo": true, "delete-branch": false},
	"pr reopen": {"repo": true},
}

// pull is a pull request as the file keeps it.
type pull struct {
	Number  int    `json:"number"`
	URL     string `json:"url"`
	State   string `json:"state"`
	Title   string `json:"title"`
	Body    string `json:"body"`
	Branch  string `json:"headRefName"`
	Head    string `json:"headRefOid"`
	Base    string `json:"baseRefName"`
	Fork    bool   `json:"isCrossRepository"`
	Owner   owner  `json:"headRepositoryOwner"`
	Draft   bool   `json:"isDraft"`
	MergeID string `json:"mergeCommit,omitempty"`
}

type owner struct {
	Login string `json:"login"`
}

type call struct {
	name  string
	flags map[string]string
	args  []string
	repo  string // the bare repository
	pulls []pull
}

// Main runs gh with the process's arguments.
func Main() {
	code, err := run(os.Args[1:], os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

func run(args []string, in io.Reader, out io.Writer) (int, error) {
	c, err := parse(args)
	if err != nil {
		return 1, err
	}
	if cmd, how, ok := strings.Cut(os.Getenv("FAKEGH_FAIL"), ":"); ok && cmd == c.name {
		if how == "signed-out" {
			return 4, fmt.Errorf("%s", "To get started with GitHub CLI, please run:  gh auth login")
		}
		return 1, errors.New(how)
	}
	fmt.Fprintln(os.Stderr, "A new release of gh is available: https://example.com/new")
	if err := c.load(); err != nil {
		return 1, err
	}
	for i := range c.pulls {
		if p := &c.pulls[i]; p.State == "OPEN" && !p.Fork {
			if oid, err := c.git(c.repo, "rev-parse", "--verify", "--quiet", "refs/heads/"+p.Branch); err == nil {
				p.Head = oid
			}
		}
	}
	switch c.name {
	case "pr list":
		err = c.list(out)
	case "pr create":
		err = c.create(in, out)
	case "pr view":
		err = c.one(func(p *pull) error { return json.NewEncoder(out).Encode(p) })
	case "pr merge":
		err = c.one(c.merge)
	case "pr close":
		err = c.one(func(p *pull) error { p.State = "CLOSED"; return nil })
	case "pr reopen":
		err = c.one(func(p *pull) error { p.State = "OPEN"; return nil })
	}
	if err != nil {
		return 1, err
	}
	return 0, c.save()
}

// parse reads a command, its flags in the forms --name, --name=value and --name value,
// and what is left.
func parse(args []string) (*call, error) {
	if len(args) < 2 {
		return nil, fmt.Errorf("unknown command %q", args)
	}
	c := &call{name: args[0] + " " + args[1], flags: map[string]string{}, repo: os.Getenv("FAKEGH_REPO")}
	known, ok := Flags[c.name]
	if !ok {
		return nil, fmt.Errorf("unknown command %q", c.name)
	}
	for rest := args[2:]; len(rest) > 0; rest = rest[1:] {
		name, value, given := strings.Cut(rest[0], "=")
		flag, long := strings.CutPrefix(name, "--")
		if !long {
			if strings.HasPrefix(rest[0], "-") {
				return nil, fmt.Errorf("unknown shorthand flag in %s", rest[0])
			}
			c.args = append(c.args, rest[0])
			continue
		}
		valued, ok := known[flag]
		switch {
		case !ok:
			return nil, fmt.Errorf("unknown flag: --%s", flag)
		case valued && !given:
			if len(rest) < 2 {
				return nil, fmt.Errorf("flag needs an argument: --%s", flag)
			}
			value, rest = rest[1], rest[1:]
		case !valued:
			value = "true"
		}
		c.flags[flag] = value
	}
	return c, nil
}

func (c *call) file() string { return c.repo + ".pulls.json" }

func (c *call) load() error {
	data, err := os.ReadFile(c.file())
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(data, &c.pulls)
}

func (c *call) save() error {
	data, err := json.MarshalIndent(c.pulls, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(c.file(), data, 0o644)
}

func (c *call) list(out io.Writer) error {
	state := strings.ToUpper(c.flags["state"])
	if state == "" {
		state = "OPEN"
	}
	found := []pull{}
	for _, p := range slices.Backward(c.pulls) {
		if (state == "ALL" || p.State == state) && (c.flags["head"] == "" || p.Branch == c.flags["head"]) {
			found = append(found, p)
		}
	}
	return json.NewEncoder(out).Encode(found)
}

func (c *call) create(in io.Reader, out io.Writer) error {
	p := pull{Number: len(c.pulls) + 1, State: "OPEN", Title: c.flags["title"], Body: c.flags["body"], Branch: c.flags["head"],
		Base: c.flags["base"], Draft: c.flags["draft"] != ""}
	if c.flags["body-file"] == "-" {
		data, err := io.ReadAll(in)
		if err != nil {
			return err
		}
		p.Body = string(data)
	}
	var err error
	from := c.repo
	if login, branch, ok := strings.Cut(p.Branch, ":"); ok {
		p.Fork, p.Branch, from = true, branch, os.Getenv("FAKEGH_FORK")
		p.Owner.Login = login
	}
	if p.Head, err = c.git(from, "rev-parse", "--verify", "refs/heads/"+p.Branch); err != nil {
		return fmt.Errorf("pull request create failed: GraphQL: Head sha can't be blank: %w", err)
	}
	if p.Title == "" {
		return errors.New("must provide `--title` and `--body` (or `--fill`) when not running interactively")
	}
	for _, q := range c.pulls {
		if q.State == "OPEN" && !q.Fork && q.Branch == p.Branch && q.Base == p.Base {
			return fmt.Errorf("a pull request for branch %q into branch %q already exists:\n%s", p.Branch, p.Base, q.URL)
		}
	}
	p.URL = fmt.Sprintf("https://%s/pull/%d", c.flags["repo"], p.Number)
	c.pulls = append(c.pulls, p)
	fmt.Fprintln(out, p.URL)
	return nil
}

// one does something to the pull request that is named by its number.
func (c *call) one(do func(*pull) error) error {
	if len(c.args) != 1 {
		return errors.New("name one pull request by its number")
	}
	n, err := strconv.Atoi(c.args[0])
	if err != nil || n < 1 || n > len(c.pulls) {
		return fmt.Errorf("no pull requests found for %q", c.args[0])
	}
	return do(&c.pulls[n-1])
}

// merge does in a clone what a forge does: no merge attribute or driver applies.
func (c *call) merge(p *pull) error {
	if p.State != "OPEN" {
		return fmt.Errorf("pull request #%d is %s", p.Number, strings.ToLower(p.State))
	}
	dir, err := os.MkdirTemp("", "fakegh-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	steps := [][]string{{"clone", "-q", "-b", p.Base, c.repo, "."}}
	message := fmt.Sprintf("%s (#%d)\n\n%s\n", p.Title, p.Number, p.Body)
	if c.flags["subject"] != "" || c.flags["body"] != "" {
		message = c.flags["subject"] + "\n\n" + c.flags["body"] + "\n"
	}
	switch {
	case c.flags["squash"] != "":
		steps = append(steps, []string{"merge", "-q", "--squash", p.Head}, []string{"commit", "-q", "--cleanup=verbatim", "-m", message})
	case c.flags["rebase"] != "":
		steps = append(steps, []string{"checkout", "-q", p.Head}, []string{"rebase", "-q", p.Base}, []string{"branch", "-q", "-f", p.Base})
	case c.flags["merge"] != "":
		steps = append(steps, []string{"merge", "-q", "--no-ff", "-m", fmt.Sprintf("Merge pull request #%d from %s\n\n%s\n", p.Number, p.Branch, p.Title), p.Head})
	default:
		return errors.New("--merge, --rebase, or --squash required when not running interactively")
	}
	steps = append(steps, []string{"push", "-q", "origin", p.Base})
	for i, s := range steps {
		if _, err := c.git(dir, s...); err != nil {
			return err
		}
		if i == 0 {
			if err := os.WriteFile(filepath.Join(dir, ".git", "info", "attributes"), []byte("* !merge\n"), 0o644); err != nil {
				return err
			}
		}
	}
	if p.MergeID, err = c.git(dir, "rev-parse", p.Base); err != nil {
		return err
	}
	p.State = "MERGED"
	if c.flags["delete-branch"] != "" {
		_, err = c.git(c.repo, "update-ref", "-d", "refs/heads/"+p.Branch)
	}
	return err
}

func (c *call) git(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_TRACE2_EVENT=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out)), nil
}
