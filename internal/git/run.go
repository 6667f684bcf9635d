package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"gitlet/internal/proc"
)

// class decides deadline, cancellation and which of the user's hooks run.
type class int

const (
	localRead  class = iota // 5 s
	localWrite              // objects, own refs, an index of our own: 60 s
	fetching                // 15 s
	pushing                 // 60 s
	treeChange              // the user's work tree, index, HEAD: 120 s, detached
)

// timeouts are variables so that a test can shorten them. Reads whose work grows with
// the tree (status, grep, merges) take localWrite's time: in a large repository with
// cold caches the shorter one would fail every time.
var timeouts = map[class]time.Duration{
	localRead:  5 * time.Second,
	localWrite: 60 * time.Second,
	fetching:   15 * time.Second,
	pushing:    60 * time.Second,
	treeChange: 120 * time.Second,
}

// foregroundRead replaces the read timeout where missing objects may be fetched.
const foregroundRead = 60 * time.Second

// treeGrace is how long an interrupted work-tree change has to clean up.
const treeGrace = 10 * time.Second

// call is one git process.
type call struct {
	step       string
	class      class
	dir        string
	foreground bool
	userHooks  bool     // run the hooks the user configured
	config     []string // "key=value", for -c
	args       []string // subcommand first
	env        []string
	stdin      []byte
	timeout    time.Duration // 0: the class's
	okExit     []int         // exit statuses other than 0 that are answers
	maxOut     int
}

type output struct {
	Stdout []byte
	Stderr string
	Exit   int
}

// run starts git once and waits. Exit statuses outside okExit become an *Error.
func run(ctx context.Context, c call) (output, error) {
	cmd := c.command()
	if c.stdin != nil {
		cmd.In = bytes.NewReader(c.stdin)
	}
	res, err := proc.Run(ctx, cmd)
	out := output{Stdout: res.Stdout, Stderr: string(res.Stderr), Exit: res.Exit}
	if err == nil {
		return out, nil
	}
	if e := (*proc.ExitError)(nil); errors.As(err, &e) && slices.Contains(c.okExit, e.Code) {
		return out, nil
	}
	return out, c.failure(out, err)
}

// command applies the policy that holds for every git process.
func (c call) command() proc.Cmd {
	var config []string
	if !c.userHooks {
		// Reference, index and push hooks are for the user's own operations.
		config = append(config, "core.hooksPath="+os.DevNull)
		// An order of files in diffs would change what renames are found among, and one
		// that is not there makes every diff and status fail.
		config = append(config, "diff.orderFile="+os.DevNull)
	}
	config = append(config, c.config...)
	args := []string{"--no-pager"}
	for _, kv := range config {
		args = append(args, "-c", kv)
	}
	cmd := proc.Cmd{
		Path:    "git",
		Args:    append(args, c.args...),
		Dir:     c.dir,
		Env:     c.environ(os.Environ()),
		Timeout: c.deadline(),

		MaxStdout: c.maxOut,
	}
	if c.class == treeChange {
		cmd.Detached, cmd.Grace = true, treeGrace
	}
	return cmd
}

func (c call) deadline() time.Duration {
	if c.timeout > 0 {
		return c.timeout
	}
	if c.class == localRead && c.foreground {
		return foregroundRead
	}
	return timeouts[c.class]
}

// inherited lists variables that a hook, an alias or a wrapper may have left in our
// environment and that would point git at another repository, index or object store,
// or change how it reads its arguments. The first group is what git itself calls
// local to a repository.
var inherited = map[string]bool{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES": true, "GIT_CONFIG": true, "GIT_CONFIG_PARAMETERS": true,
	"GIT_CONFIG_COUNT": true, "GIT_OBJECT_DIRECTORY": true, "GIT_DIR": true, "GIT_WORK_TREE": true,
	"GIT_IMPLICIT_WORK_TREE": true, "GIT_GRAFT_FILE": true, "GIT_INDEX_FILE": true,
	"GIT_NO_REPLACE_OBJECTS": true, "GIT_REPLACE_REF_BASE": true, "GIT_PREFIX": true,
	"GIT_INTERNAL_SUPER_PREFIX": true, "GIT_SHALLOW_FILE": true, "GIT_COMMON_DIR": true,

	"GIT_NAMESPACE": true, "GIT_QUARANTINE_PATH": true, "GIT_ATTR_SOURCE": true,
	"GIT_LITERAL_PATHSPECS": true, "GIT_GLOB_PATHSPECS": true, "GIT_NOGLOB_PATHSPECS": true,
	"GIT_ICASE_PATHSPECS": true, "GIT_REFLOG_ACTION": true, "GIT_EXTERNAL_DIFF": true,
	"GIT_DIFF_OPTS": true, "GIT_FLUSH": true, "GIT_EXEC_PATH_PREFIX": true, "PWD": true,
}

// environ builds the whole environment of a git process from ours.
func (c call) environ(from []string) []string {
	set := []string{
		"LC_ALL=C",
		"GIT_TERMINAL_PROMPT=0",
		"GCM_INTERACTIVE=never",
		"GIT_EDITOR=:",
		"GIT_SEQUENCE_EDITOR=:",
	}
	if c.class != treeChange {
		set = append(set, "GIT_OPTIONAL_LOCKS=0")
	}
	if !c.foreground {
		// An empty askpass is "none", and keeps the configured one from being used.
		set = append(set, "GIT_NO_LAZY_FETCH=1", "GIT_ASKPASS=", "SSH_ASKPASS=", "SSH_ASKPASS_REQUIRE=never")
		if c.class == localRead || c.class == localWrite {
			// Git before 2.45 does not know GIT_NO_LAZY_FETCH; without a transport it
			// cannot fetch missing objects either.
			set = append(set, "GIT_ALLOW_PROTOCOL=none")
		}
	}
	if c.dir != "" {
		set = append(set, "PWD="+c.dir)
	}
	set = append(set, c.env...)
	names := make(map[string]bool, len(set))
	for _, kv := range set {
		name, _, _ := strings.Cut(kv, "=")
		names[name] = true
	}
	env := make([]string, 0, len(from)+len(set))
	for _, kv := range from {
		name, _, _ := strings.Cut(kv, "=")
		if !inherited[name] && !names[name] {
			env = append(env, kv)
		}
	}
	return append(env, set...)
}

// failure types an unsuccessful call.
func (c call) failure(out output, err error) error {
	e := &Error{Step: c.step, Exit: out.Exit, Stderr: out.Stderr, Err: err}
	var (
		start   *proc.StartError
		timeout *proc.TimeoutError
		exit    *proc.ExitError
	)
	switch {
	case errors.As(err, &start):
		e.Exit = -1
		if errors.Is(err, os.ErrNotExist) && !dirMissing(c.dir) {
			e.Err = ErrNoGit
		}
	case errors.As(err, &timeout):
		e.Exit = -1
		e.Err = fmt.Errorf("%w (%s)", ErrTimeout, timeout.After)
		if c.class == fetching || c.class == pushing {
			e.Err = fmt.Errorf("%w: no answer in %s", ErrNetwork, timeout.After)
		}
	case errors.As(err, &exit):
		kind := classify(c.class, out.Stderr)
		if kind == nil && exit.Signal == syscall.SIGPIPE && (c.class == fetching || c.class == pushing) {
			kind = ErrNetwork // the other end closed the connection while git was still writing
		}
		if kind != nil {
			e.Err = kind
		}
	}
	return e
}

func dirMissing(dir string) bool {
	if dir == "" {
		return false
	}
	_, err := os.Stat(dir)
	return err != nil
}

// converse starts a git process that is talked to over pipes.
func converse(ctx context.Context, c call) (*proc.Process, error) {
	cmd := c.command()
	cmd.Timeout = 0 // each exchange has its own deadline
	p, err := proc.Start(ctx, cmd)
	if err != nil {
		return nil, c.failure(output{Exit: -1}, err)
	}
	return p, nil
}

// trimLine removes one line end.
func trimLine(b []byte) string { return strings.TrimSuffix(string(b), "\n") }
