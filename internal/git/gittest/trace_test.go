package gittest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recorder stands in for a test that the checker may fail.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// good is a process that keeps every rule.
func good(command ...string) ([]string, map[string]string) {
	argv := []string{"git", "--no-pager", "-c", "core.hooksPath=" + os.DevNull, "-c", "fetch.pruneTags=false",
		"-c", "advice.fetchShowForcedUpdates=false", "-c", "push.negotiate=false", "-c", "push.gpgSign=false", "-c", "commit.gpgSign=false"}
	return append(argv, command...), map[string]string{"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GCM_INTERACTIVE": "never",
		"GIT_EDITOR": ":", "GIT_SEQUENCE_EDITOR": ":", "GIT_OPTIONAL_LOCKS": "0", "GIT_SSH_COMMAND": "ssh -o BatchMode=yes"}
}

func write(t *testing.T, argv []string, params map[string]string) string {
	t.Helper()
	var lines []string
	add := func(v map[string]any) {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(b))
	}
	add(map[string]any{"event": "version", "sid": "a"})
	add(map[string]any{"event": "start", "sid": "a", "argv": argv})
	for k, v := range params {
		add(map[string]any{"event": "def_param", "sid": "a", "param": k, "value": v})
	}
	add(map[string]any{"event": "start", "sid": "a/b", "argv": []string{"git", "gc", "--auto"}})
	file := filepath.Join(t.TempDir(), "trace")
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

var (
	fetch = []string{"fetch", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--no-show-forced-updates",
		"--no-auto-maintenance", "--refmap=", "--", "origin", "+refs/gitlet/a:refs/b"}
	push = []string{"push", "--porcelain", "--no-verify", "--no-recurse-submodules", "--no-follow-tags",
		"--force-with-lease=refs/gitlet/a:", "--", "origin", "1:refs/gitlet/a"}
	status = []string{"status", "--porcelain=v2", "-z"}
)

func TestCheckTraceAcceptsGoodProcesses(t *testing.T) {
	t.Parallel()
	for _, command := range [][]string{fetch, push, status, {"commit-tree", "x"}, {"rev-parse", "HEAD"}} {
		r := &recorder{TB: t}
		CheckTrace(r, write(t, first(good(command...)), second(good())))
		if len(r.errors) > 0 {
			t.Errorf("%q: %q", command, r.errors)
		}
	}
}

func first(a []string, _ map[string]string) []string           { return a }
func second(_ []string, m map[string]string) map[string]string { return m }

func TestCheckTraceFindsEveryBrokenRule(t *testing.T) {
	t.Parallel()
	without := func(args []string, drop string) []string {
		var out []string
		for _, a := range args {
			if a != drop {
				out = append(out, a)
			} else if n := len(out) - 1; out[n] == "-c" {
				out = out[:n]
			}
		}
		return out
	}
	type bad struct {
		name  string
		argv  []string
		unset string
		set   map[string]string
	}
	base := func(c []string) []string { return first(good(c...)) }
	cases := []bad{
		{name: "no locale", argv: base(status), unset: "LC_ALL"},
		{name: "prompt", argv: base(status), unset: "GIT_TERMINAL_PROMPT"},
		{name: "credential manager", argv: base(status), unset: "GCM_INTERACTIVE"},
		{name: "editor", argv: base(status), unset: "GIT_EDITOR"},
		{name: "sequence editor", argv: base(status), unset: "GIT_SEQUENCE_EDITOR"},
		{name: "locks", argv: base(status), unset: "GIT_OPTIONAL_LOCKS"},
		{name: "ssh", argv: base(fetch), unset: "GIT_SSH_COMMAND"},
		{name: "askpass", argv: base(status), set: map[string]string{"GIT_NO_LAZY_FETCH": "1", "GIT_ASKPASS": "x"}},
		{name: "user's index", argv: base([]string{"update-index", "-z"})},
		{name: "index elsewhere", argv: base(status), set: map[string]string{"GIT_INDEX_FILE": "/r/.git/index"}},
		{name: "another repository", argv: base(status), set: map[string]string{"GIT_DIR": "/r/.git"}},
		{name: "pager", argv: without(base(status), "--no-pager")},
		{name: "hooks", argv: without(base(status), "core.hooksPath="+os.DevNull)},
		{name: "format", argv: base([]string{"status", "-z"})},
		{name: "no NUL", argv: base([]string{"status", "--porcelain=v2"})},
		{name: "signing", argv: without(base([]string{"commit-tree", "x"}), "commit.gpgSign=false")},
		{name: "stash", argv: base([]string{"stash"})},
		{name: "autostash", argv: base([]string{"rebase", "--autostash"}), set: map[string]string{"GITLET_INTERNAL": "1"}},
		{name: "rebase with gitlet's hooks", argv: base([]string{"rebase", "x"})},
		{name: "force", argv: base(append([]string{"push", "-f"}, push[1:]...))},
		{name: "forcing refspec", argv: base(append(append([]string(nil), push...), "+1:refs/gitlet/b"))},
		{name: "lease without a value", argv: base(append([]string{"push", "--force-with-lease=refs/gitlet/a"}, push[1:]...))},
		{name: "branch past the hook", argv: base(append(append([]string(nil), push[:len(push)-1]...), "1:refs/heads/x"))},
		{name: "negotiation", argv: without(base(push), "push.negotiate=false")},
		{name: "push signing", argv: without(base(push), "push.gpgSign=false")},
		{name: "prune tags", argv: without(base(fetch), "fetch.pruneTags=false")},
		{name: "advice", argv: without(base(fetch), "advice.fetchShowForcedUpdates=false")},
	}
	for _, flag := range fetch[1:7] {
		cases = append(cases, bad{name: "fetch " + flag, argv: without(base(fetch), flag)})
	}
	for _, flag := range push[1:5] {
		cases = append(cases, bad{name: "push " + flag, argv: without(base(push), flag)})
	}
	for _, c := range cases {
		params := second(good())
		delete(params, c.unset)
		for k, v := range c.set {
			params[k] = v
		}
		r := &recorder{TB: t}
		CheckTrace(r, write(t, c.argv, params))
		if len(r.errors) != 1 {
			t.Errorf("%s: %d complaints: %q", c.name, len(r.errors), r.errors)
		}
	}
}

func TestCheckTraceWantsAProcess(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r := &recorder{TB: t}
	CheckTrace(r, file)
	if len(r.errors) != 1 {
		t.Errorf("an empty trace: %q", r.errors)
	}
}
