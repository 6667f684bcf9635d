package gittest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// traceVars are the variables the checker needs to see for each process.
var traceVars = append([]string{
	"LC_ALL", "GIT_TERMINAL_PROMPT", "GCM_INTERACTIVE", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_OPTIONAL_LOCKS",
	"GIT_NO_LAZY_FETCH", "GIT_ASKPASS", "SSH_ASKPASS", "GIT_SSH", "GIT_SSH_COMMAND", "GITLET_INTERNAL",
}, inherited...)

// inherited are the variables that a hook's caller may leave behind. GIT_PREFIX and
// GIT_CONFIG_PARAMETERS are missing: git sets them for itself before it reports.
var inherited = []string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CONFIG_COUNT", "GIT_OBJECT_DIRECTORY", "GIT_DIR",
	"GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE", "GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS",
	"GIT_REPLACE_REF_BASE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_SHALLOW_FILE", "GIT_COMMON_DIR", "GIT_NAMESPACE",
}

// TraceEnv returns variables that make every git process append its events to file,
// an absolute path. Fixtures run by this package never appear in it.
func TraceEnv(file string) []string {
	return []string{
		"GIT_TRACE2_EVENT=" + file,
		"GIT_TRACE2_ENV_VARS=" + strings.Join(traceVars, ","),
		"GIT_TRACE2_CONFIG_PARAMS=core.sshCommand",
	}
}

// Process is one git process of a trace.
type Process struct {
	Argv   []string
	Params map[string]string // variables that were set, and core.sshcommand
	Root   string            // of the work tree, "" when it had none

	sid   string
	ended bool
}

// cutShort reports that the process was killed before it said what its environment is.
func (p Process) cutShort() bool { return !p.ended && len(p.Params) == 0 }

// Started reports that gitlet started it, not another git process.
func (p Process) Started() bool { return !strings.Contains(p.sid, "/") }

// Config returns the values given with -c, by key.
func (p Process) Config() map[string]string {
	m := map[string]string{}
	for i := 1; i+1 < len(p.Argv) && strings.HasPrefix(p.Argv[i], "-"); i++ {
		if p.Argv[i] == "-c" {
			i++
			k, v, _ := strings.Cut(p.Argv[i], "=")
			m[k] = v
		}
	}
	return m
}

// Command returns the subcommand and what follows it.
func (p Process) Command() []string {
	for i := 1; i < len(p.Argv); i++ {
		switch a := p.Argv[i]; {
		case a == "-c" || a == "-C":
			i++
		case !strings.HasPrefix(a, "-"):
			return p.Argv[i:]
		}
	}
	return []string{""}
}

func (p Process) has(arg string) bool { return slices.Contains(p.Argv, arg) }

// ReadTrace reads the processes of a trace in the order they started.
func ReadTrace(file string) ([]Process, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("read trace: %w", err)
	}
	defer f.Close()
	var order []string
	procs := map[string]*Process{}
	in := bufio.NewScanner(f)
	in.Buffer(nil, 16<<20)
	for in.Scan() {
		var e struct {
			Event, Sid, Param, Worktree string
			Argv                        []string
			Value                       json.RawMessage // not always a string
		}
		if err := json.Unmarshal(in.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("read trace: %q: %w", in.Text(), err)
		}
		p := procs[e.Sid]
		switch e.Event {
		case "start":
			procs[e.Sid] = &Process{Argv: e.Argv, Params: map[string]string{}, sid: e.Sid}
			order = append(order, e.Sid)
		case "def_param":
			if p == nil {
				continue
			}
			var value string
			if err := json.Unmarshal(e.Value, &value); err != nil {
				return nil, fmt.Errorf("read trace: %q: %w", in.Text(), err)
			}
			p.Params[e.Param] = value
		case "def_repo":
			if p != nil {
				p.Root = e.Worktree
			}
		case "exit", "atexit":
			if p != nil {
				p.ended = true
			}
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("read trace: %w", err)
	}
	out := make([]Process, 0, len(order))
	for _, sid := range order {
		out = append(out, *procs[sid])
	}
	return out, nil
}

// Started returns the processes of a trace that gitlet started, failing the test when
// it cannot be read.
func Started(t testing.TB, file string) []Process {
	t.Helper()
	all, err := ReadTrace(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []Process
	for _, p := range all {
		if p.Started() {
			out = append(out, p)
		}
	}
	return out
}

// CheckTrace fails the test for every git process in the trace that breaks a rule of
// how gitlet runs git, and when the trace holds no process at all.
func CheckTrace(t testing.TB, file string) {
	t.Helper()
	procs := Started(t, file)
	if len(procs) == 0 {
		t.Errorf("the trace %s holds no git process", file)
	}
	for _, p := range procs {
		if p.cutShort() {
			continue
		}
		for _, broken := range p.broken() {
			t.Errorf("%s\n\tgit %s", broken, strings.Join(p.Argv[1:], " "))
		}
	}
}

// rule is one thing that must hold: it returns what is wrong, or "".
type rule func(p Process, sub string, conf map[string]string) string

var rules = []rule{ruleEnvironment, ruleInherited, ruleLocks, ruleBackground, ruleHooks, ruleFormats, ruleOwnIndex,
	ruleFetch, rulePush, ruleSSH, ruleSigning, ruleStash}

// broken lists the rules that the process breaks.
func (p Process) broken() []string {
	var out []string
	sub, conf := p.Command()[0], p.Config()
	for _, r := range rules {
		if s := r(p, sub, conf); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func ruleEnvironment(p Process, sub string, _ map[string]string) string {
	for name, want := range map[string]string{"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GCM_INTERACTIVE": "never", "GIT_EDITOR": ":"} {
		if p.Params[name] != want {
			return fmt.Sprintf("%s is %q, not %q", name, p.Params[name], want)
		}
	}
	if s := p.Params["GIT_SEQUENCE_EDITOR"]; s != ":" && !(sub == "rebase" && strings.Contains(s, "gitlet")) {
		return fmt.Sprintf("GIT_SEQUENCE_EDITOR is %q", s)
	}
	if filepath.Base(p.Argv[0]) != "git" || !p.has("--no-pager") {
		return "not started as git --no-pager"
	}
	return ""
}

func ruleInherited(p Process, _ string, _ map[string]string) string {
	scratch := strings.Contains(p.Params["GIT_DIR"], "/gitlet/scratch-")
	aside := strings.Contains(p.Params["GIT_OBJECT_DIRECTORY"], "/gitlet-aside-")
	for _, name := range inherited {
		v, set := p.Params[name]
		switch {
		case !set:
		case name == "GIT_INDEX_FILE" && (strings.Contains(v, "/gitlet/snap-") || strings.Contains(v, "/gitlet/scratch-")):
		case name == "GIT_DIR" && (scratch || ownGitDir(p.Root, v)):
		case name == "GIT_SHALLOW_FILE" && scratch:
		// Looking without a trace: all three point into one folder of the call's own.
		case name == "GIT_OBJECT_DIRECTORY" && aside:
		case name == "GIT_ALTERNATE_OBJECT_DIRECTORIES" && aside:
		case name == "GIT_INDEX_FILE" && aside && strings.HasPrefix(v, filepath.Dir(p.Params["GIT_OBJECT_DIRECTORY"])):
		default:
			return fmt.Sprintf("%s=%s reached git", name, v)
		}
	}
	return ""
}

// ownGitDir reports whether dir is what the work tree itself points to: git sets
// GIT_DIR for itself in linked worktrees, submodules and below the top.
func ownGitDir(root, dir string) bool {
	if root == "" {
		return false
	}
	dotGit := filepath.Join(root, ".git")
	if b, err := os.ReadFile(dotGit); err == nil {
		dotGit = strings.TrimSpace(strings.TrimPrefix(string(b), "gitdir:"))
		if !filepath.IsAbs(dotGit) {
			dotGit = filepath.Join(root, dotGit)
		}
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(root, dir)
	}
	a, errA := os.Stat(dotGit)
	b, errB := os.Stat(dir)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// treeCommands change the user's work tree on purpose.
var treeCommands = []string{"switch", "checkout", "rebase", "cherry-pick", "revert", "merge", "restore", "reset"}

func ruleLocks(p Process, sub string, _ map[string]string) string {
	if !slices.Contains(treeCommands, sub) && p.Params["GIT_OPTIONAL_LOCKS"] != "0" {
		return "GIT_OPTIONAL_LOCKS is not 0"
	}
	return ""
}

func ruleBackground(p Process, _ string, _ map[string]string) string {
	if p.Params["GIT_NO_LAZY_FETCH"] == "1" && p.Params["GIT_ASKPASS"]+p.Params["SSH_ASKPASS"] != "" {
		return "an askpass program reached a background process"
	}
	return ""
}

func ruleHooks(p Process, sub string, conf map[string]string) string {
	if slices.Contains(treeCommands, sub) || slices.Contains([]string{"push", "update-ref", "config"}, sub) {
		return "" // the user's own operations, and reading what the user set
	}
	if conf["core.hooksPath"] != os.DevNull {
		return "the user's hooks would run"
	}
	return ""
}

func ruleFormats(p Process, sub string, _ map[string]string) string {
	switch sub {
	case "status", "ls-tree", "diff-tree", "diff", "grep", "check-attr", "update-index", "log", "merge-tree", "ls-files", "mktree":
		// A patch is lines whatever is asked for, and quotes the paths in it.
		if !p.has("-z") && !p.has("--full-index") {
			return sub + " without -z"
		}
	}
	if sub == "status" && !p.has("--porcelain=v2") {
		return "status without --porcelain=v2"
	}
	return ""
}

func ruleOwnIndex(p Process, sub string, _ map[string]string) string {
	switch sub {
	case "add", "update-index", "write-tree", "read-tree", "rm", "apply":
		if p.Params["GIT_INDEX_FILE"] == "" {
			return sub + " on the user's own index"
		}
	}
	return ""
}

func ruleFetch(p Process, sub string, conf map[string]string) string {
	if sub != "fetch" {
		return ""
	}
	for _, flag := range []string{"--no-tags", "--no-recurse-submodules", "--no-write-fetch-head",
		"--no-show-forced-updates", "--no-auto-maintenance", "--refmap="} {
		if !p.has(flag) {
			return "fetch without " + flag
		}
	}
	for key, want := range map[string]string{"fetch.pruneTags": "false", "advice.fetchShowForcedUpdates": "false"} {
		if conf[key] != want {
			return fmt.Sprintf("fetch without -c %s=%s", key, want)
		}
	}
	return ""
}

func rulePush(p Process, sub string, conf map[string]string) string {
	if sub != "push" {
		return ""
	}
	for _, flag := range []string{"--porcelain", "--no-recurse-submodules", "--no-follow-tags"} {
		if !p.has(flag) {
			return "push without " + flag
		}
	}
	for _, a := range p.Command() {
		switch {
		case slices.Contains([]string{"-f", "--force", "--all", "--mirror", "--tags", "--force-with-lease"}, a), strings.HasPrefix(a, "+"):
			return "push with " + a
		case strings.HasPrefix(a, "--force-with-lease=") && !strings.Contains(a, ":"):
			return "a lease without a value: " + a
		}
	}
	if !ownRefs(p.Command()) {
		if p.has("--no-verify") {
			return "a branch pushed past the user's hook"
		}
		return ""
	}
	if !p.has("--no-verify") {
		return "push of own refs without --no-verify"
	}
	for key, want := range map[string]string{"push.negotiate": "false", "push.gpgSign": "false"} {
		if conf[key] != want {
			return fmt.Sprintf("push without -c %s=%s", key, want)
		}
	}
	return ""
}

// ownRefs reports whether a push writes gitlet's own refs.
func ownRefs(command []string) bool {
	i := slices.Index(command, "--")
	if i < 0 || i+2 > len(command) {
		return false
	}
	for _, spec := range command[i+2:] {
		_, dst, _ := strings.Cut(spec, ":")
		if strings.HasPrefix(dst, "refs/gitlet/") || strings.HasPrefix(dst, "refs/heads/gitlet.state/") {
			return true
		}
	}
	return false
}

func ruleSSH(p Process, sub string, _ map[string]string) string {
	if sub != "fetch" && sub != "push" && (sub != "ls-remote" || p.has("--get-url")) {
		return ""
	}
	if p.Params["GIT_SSH_COMMAND"] == "" && p.Params["GIT_SSH"] == "" && p.Params["core.sshcommand"] == "" {
		return "ssh may ask questions"
	}
	return ""
}

func ruleSigning(p Process, sub string, conf map[string]string) string {
	if sub == "commit-tree" && conf["commit.gpgSign"] != "false" {
		return "commit-tree without -c commit.gpgSign=false"
	}
	return ""
}

func ruleStash(p Process, sub string, _ map[string]string) string {
	if sub == "stash" || p.has("--autostash") {
		return "the stash is shared by all worktrees"
	}
	if slices.Contains([]string{"rebase", "cherry-pick", "revert"}, sub) && p.Params["GITLET_INTERNAL"] != "1" {
		return sub + " without GITLET_INTERNAL=1"
	}
	return ""
}
