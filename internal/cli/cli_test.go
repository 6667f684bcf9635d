package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
	"testing"

	"gitlet/internal/cli"
	"gitlet/internal/model"
	"gitlet/internal/verb"
	"gitlet/internal/verb/verbtest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// program is a gitlet over the test table, with a runner that records.
type program struct {
	app    cli.App
	runner verbtest.Runner
	dir    string // the directory last asked for
	ended  int    // how often upkeep ran
}

func newProgram() *program {
	p := &program{}
	p.app = cli.App{
		Version: "v0.0.0-test",
		Table:   verbtest.Table(),
		Open: func(_ context.Context, dir string) (verb.Runner, func(), error) {
			p.dir = dir
			return &p.runner, func() { p.ended++ }, nil
		},
		Serve: func(_ context.Context, dir string, in io.ReadCloser, out io.WriteCloser) error {
			p.dir = dir
			_, err := io.Copy(out, in)
			return err
		},
		Doctor: func(context.Context, string) *verb.Result {
			return verb.Refuse("git is too old", model.Option{Argv: []string{"git", "--version"}})
		},
		Symbols: func(_ context.Context, dir, rev string, paths []string, out io.Writer) error {
			_, err := fmt.Fprintln(out, dir, rev, paths)
			return err
		},
		Footprint: func(_ context.Context, _, base, head string, out io.Writer) error {
			_, err := fmt.Fprintln(out, base, head)
			return err
		},
		Demo: func(_ context.Context, keep bool, out io.Writer) error {
			if keep {
				return errors.New("play: no room")
			}
			_, err := fmt.Fprintln(out, "played")
			return err
		},
		GitVersion: func(context.Context) (string, error) { return "2.39.5", nil },
	}
	return p
}

type answer struct {
	code     int
	out, err string
}

func (p *program) run(args ...string) answer {
	var out, errs bytes.Buffer
	code := cli.Run(context.Background(), p.app, args, cli.Streams{In: io.NopCloser(strings.NewReader("hello")), Out: sink{&out}, Err: &errs})
	return answer{code, out.String(), errs.String()}
}

type sink struct{ io.Writer }

func (sink) Close() error { return nil }

func TestVerbsRunWithTheirArguments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want any
	}{
		{[]string{"start", "Add strict mode", "--branch", "b", "--paths", "x", "--paths=y z"}, &verbtest.StartArgs{Intent: "Add strict mode", Branch: "b", Paths: []string{"x", "y z"}}},
		{[]string{"who", "--", "-odd"}, &verbtest.WhoArgs{Target: "-odd"}},
		{[]string{"discuss", "n-3f2a", "a\nb", "--proposal", `{"owner":"me"}`}, &verbtest.DiscussArgs{About: "n-3f2a", Message: "a\nb", Proposal: &verbtest.Proposal{Owner: "me"}}},
		{[]string{"checkpoint", "--draft", "--keep", "3"}, &verbtest.CheckpointArgs{Draft: true, Keep: 3}},
		{[]string{"checkpoint", "--draft=false", "name"}, &verbtest.CheckpointArgs{Name: "name"}},
		{[]string{"plan", "a", "b", "--tasks", `{"owner":"x"}`}, &verbtest.PlanArgs{Files: []string{"a", "b"}, Tasks: []verbtest.Proposal{{Owner: "x"}}}},
		{[]string{"status"}, &verbtest.StatusArgs{}},
	} {
		p := newProgram()
		got := p.run(c.args...)
		calls := p.runner.Calls()
		if got.code != 0 || len(calls) != 1 || !reflect.DeepEqual(calls[0].Args, c.want) || calls[0].Face != verb.CLI {
			t.Errorf("%q: %+v, calls %+v, want %+v", c.args, got, calls, c.want)
		}
		if want := "ok: " + c.args[0] + " ran\n"; got.out != want || got.err != "" || p.ended != 1 {
			t.Errorf("%q: printed %q and %q, upkeep %d times", c.args, got.out, got.err, p.ended)
		}
	}
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for outcome, want := range map[verb.Outcome]int{verb.OK: 0, verb.Nothing: 0, verb.Refused: 1, verb.Fault: 3} {
		p := newProgram()
		p.runner.Answer = func(context.Context, verb.Spec, any, verb.Face) *verb.Result {
			return &verb.Result{Outcome: outcome, Summary: "s", Options: []model.Option{{Verb: "status"}}}
		}
		for _, args := range [][]string{{"status"}, {"status", "--json"}} {
			if got := p.run(args...); got.code != want || !strings.Contains(got.out, string(outcome)) || got.err != "" {
				t.Errorf("%s %q: %+v, want exit %d", outcome, args, got, want)
			}
		}
	}
}

func TestJSONIsAloneOnStdout(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"status", "--json"}, {"--json", "status"}, {"--json"}, {"--json", "bogus"}, {"start", "--json"},
		{"status", "--bogus", "--json"}, {"doctor", "--json"}, {"version", "--json"}, {"demo", "--keep", "--json"},
		{"completion", "tcsh", "--json"}, {"inspect", "--json"},
	} {
		got := newProgram().run(args...)
		var env verb.Result
		if err := json.Unmarshal([]byte(got.out), &env); err != nil || env.Outcome == "" || got.err != "" {
			t.Errorf("%q: %v, %+v", args, err, got)
		}
		if env.Outcome == verb.Refused && len(env.Options) == 0 {
			t.Errorf("%q: refused without a way out", args)
		}
	}
}

func TestBadUsage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want []string // parts of what is printed
	}{
		{[]string{"bogus"}, []string{`refused: there is no command "bogus"`, "- gitlet --help"}},
		{[]string{"stauts"}, []string{"did you mean status?", "- gitlet status          # the call with that command\n", "- gitlet status --help"}},
		{[]string{"-C", "/x", "stauts", "--deep"}, []string{`no command "stauts"`, "- gitlet -C /x status --deep"}},
		{[]string{"submit"}, []string{"submit is not available in this version"}},
		{[]string{"status", "--bogus"}, []string{`status was not run: there is no flag "--bogus"`, "- gitlet status --help"}},
		{[]string{"start", "x", "--brnch=y z"}, []string{"did you mean --branch?", "- gitlet start x '--branch=y z'   # the call with that flag"}},
		{[]string{"start", "x", "-q"}, []string{`no flag "-q"`}},
		{[]string{"start", "x", "--branch"}, []string{"the flag --branch needs a value: the branch to work on"}},
		{[]string{"start", "x", "--json=maybe"}, []string{`the flag --json is "maybe": give true or false`}},
		{[]string{"start"}, []string{"start was not run: the argument intent is missing: the task, in one sentence", "- gitlet start ...", "- gitlet start --help"}},
		{[]string{"dismiss", "n-3f2a", "maybe", "--reason", "a b"}, []string{`as is "maybe": use not_needed or false_alarm`, "- gitlet dismiss n-3f2a not_needed --reason 'a b'"}},
		{[]string{"start", "x", "--worktree", "/w"}, []string{`no flag "--worktree"`}},
		{[]string{"help", "bogus"}, []string{`no command "bogus"`}},
		{[]string{"--bogus"}, []string{`no flag "--bogus"`, "- gitlet --help"}},
	} {
		p := newProgram()
		got := p.run(c.args...)
		if got.code != 2 || got.err != "" || len(p.runner.Calls()) != 0 {
			t.Errorf("%q: %+v, calls %v, want exit 2", c.args, got, p.runner.Calls())
		}
		for _, w := range c.want {
			if !strings.Contains(got.out, w) {
				t.Errorf("%q: no %q in\n%s", c.args, w, got.out)
			}
		}
	}
	// Commands whose stdout a program reads refuse on stderr.
	for _, args := range [][]string{{"completion"}, {"completion", "tcsh"}, {"inspect"}, {"inspect", "bogus"}, {"inspect", "symbols", "--bogus"}, {"inspect", "footprint", "a", "b", "c"}} {
		if got := newProgram().run(args...); got.code != 2 || got.out != "" || !strings.HasPrefix(got.err, "refused: ") {
			t.Errorf("%q: %+v, want exit 2 and a refusal on stderr", args, got)
		}
	}
}

func TestDirectories(t *testing.T) {
	t.Parallel()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"status"}, here},
		{[]string{"-C", "x", "status"}, filepath.Join(here, "x")},
		{[]string{"-C", "/a", "status"}, "/a"},
		{[]string{"status", "-C", "/a", "-C", "b", "-C../c"}, "/a/c"},
		{[]string{"-C", "a", "--dir=/b", "mcp"}, "/b"},
	} {
		p := newProgram()
		if got := p.run(c.args...); got.code != 0 || p.dir != c.want {
			t.Errorf("%q: %+v in %q, want %q", c.args, got, p.dir, c.want)
		}
	}
	p := newProgram()
	p.runner.Answer = func(context.Context, verb.Spec, any, verb.Face) *verb.Result {
		return verb.Refuse("no", model.Option{Verb: "who", Args: map[string]any{"target": "x"}})
	}
	if got := p.run("-C", "/a b", "status"); !strings.Contains(got.out, "- gitlet -C '/a b' who x\n") {
		t.Errorf("the option does not act in the directory asked for:\n%s", got.out)
	}
}

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	p := newProgram()
	p.app.Open = func(context.Context, string) (verb.Runner, func(), error) {
		return nil, nil, fmt.Errorf("open: %w", &verb.Refusal{Result: verb.Refuse("not a git repository", model.Option{Argv: []string{"git", "init"}})})
	}
	if got := p.run("status"); got.code != 1 || got.out != "refused: not a git repository\noptions:\n- git init\n" {
		t.Errorf("refusal: %+v", got)
	}
	p.app.Open = func(context.Context, string) (verb.Runner, func(), error) {
		return nil, nil, errors.New("read the ledger: disk full")
	}
	if got := p.run("status"); got.code != 3 || !strings.HasPrefix(got.out, "fault: something broke: read the ledger: disk full\noptions:\n- gitlet doctor") {
		t.Errorf("fault: %+v", got)
	}
}

func TestPanicsAndFullDisks(t *testing.T) {
	t.Parallel()
	p := newProgram()
	p.runner.Answer = func(context.Context, verb.Spec, any, verb.Face) *verb.Result { panic("a\nb") }
	if got := p.run("status", "--json"); got.code != 3 || !strings.Contains(got.out, `"outcome": "fault"`) || !strings.Contains(got.err, "panic: a\nb") || p.ended != 1 {
		t.Errorf("panic: %+v", got)
	}
	p = newProgram()
	p.runner.Answer = func(context.Context, verb.Spec, any, verb.Face) *verb.Result {
		return &verb.Result{Outcome: verb.OK, Data: map[string]any{"f": func() {}}}
	}
	if got := p.run("status", "--json"); got.code != 3 || !strings.Contains(got.out, "writing the result as JSON") {
		t.Errorf("data that JSON cannot hold: %+v", got)
	}
	for _, args := range [][]string{{"status"}, {"version"}, {"--help"}} {
		var errs bytes.Buffer
		code := cli.Run(context.Background(), newProgram().app, args, cli.Streams{Out: fullDisk{}, Err: &errs})
		if code != 3 || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%q on a full disk: exit %d, %q", args, code, errs.String())
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }
func (fullDisk) Close() error              { return nil }

func TestOtherCommands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		code int
		out  string
	}{
		{[]string{"version"}, 0, "gitlet v0.0.0-test\n"},
		{[]string{"--version"}, 0, "gitlet v0.0.0-test\n"},
		{[]string{"version", "--json"}, 0, `"git": "2.39.5"`},
		{[]string{"mcp"}, 0, "hello"},
		{[]string{"doctor"}, 1, "refused: git is too old\n"},
		{[]string{"demo"}, 0, "played\n"},
		{[]string{"-C", "/r", "inspect", "symbols", "--rev", "HEAD~1", "a", "b c"}, 0, "/r HEAD~1 [a b c]\n"},
		{[]string{"inspect", "footprint", "main"}, 0, "main \n"},
		{[]string{"help"}, 0, "Usage: gitlet COMMAND"},
		{nil, 0, "Usage: gitlet COMMAND"},
		{[]string{"help", "inspect"}, 0, "Usage: gitlet inspect COMMAND"},
		{[]string{"help", "inspect", "symbols"}, 0, "Usage: gitlet inspect symbols [PATH...] [--rev REV]"},
		{[]string{"inspect", "--help"}, 0, "Usage: gitlet inspect COMMAND"},
		{[]string{"start", "-h"}, 0, "Usage: gitlet start INTENT"},
	} {
		if got := newProgram().run(c.args...); got.code != c.code || !strings.Contains(got.out, c.out) || got.err != "" {
			t.Errorf("%q: %+v, want exit %d and %q", c.args, got, c.code, c.out)
		}
	}
	if got := newProgram().run("demo", "--keep"); got.code != 3 || got.out != "" || !strings.Contains(got.err, "play: no room") {
		t.Errorf("a demo that breaks: %+v", got)
	}
	p := newProgram()
	p.app.Demo, p.app.Serve, p.app.Doctor, p.app.Symbols, p.app.Footprint = nil, nil, nil, nil, nil
	for _, name := range []string{"demo", "mcp", "doctor", "inspect"} {
		if got := p.run(name); got.code != 2 {
			t.Errorf("%s without its function: %+v", name, got)
		}
	}
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{"bash", "zsh", "fish"} {
		got := newProgram().run("completion", shell)
		if got.code != 0 || !strings.Contains(got.out, "gitlet") || got.err != "" {
			t.Errorf("%s: exit %d, %d bytes, %q", shell, got.code, len(got.out), got.err)
		}
		if path, err := exec.LookPath(shell); err == nil {
			cmd := exec.Command(path, "-n")
			cmd.Stdin = strings.NewReader(got.out)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s cannot read its script: %v, %s", shell, err, out)
			}
		}
	}
	for _, c := range []struct{ words, want string }{
		{"dismiss n-1 ", "not_needed\nfalse_alarm\n:4\n"},
		{"start --br", "--branch\tthe branch to work on\n:4\n"},
		{"completion ", "bash\nzsh\nfish\n:4\n"},
		{"who ", ":0\n"},
		{"plan a b ", ":0\n"},
		{"status ", ":4\n"},
	} {
		got := newProgram().run(append([]string{"__complete"}, strings.Split(c.words, " ")...)...)
		if got.code != 0 || got.out != c.want {
			t.Errorf("completing %q: exit %d, %q, want %q", c.words, got.code, got.out, c.want)
		}
	}
	if got := newProgram().run("__complete", "st"); !strings.Contains(got.out, "start\tState your task") || strings.Contains(got.out, "submit") {
		t.Errorf("completing st: %q", got.out)
	}
}

// TestHelpPages compares every help page with its golden file, both ways: a command
// without a file and a file without a command both fail.
func TestHelpPages(t *testing.T) {
	t.Parallel()
	p := newProgram()
	p.app.Table = goldenTable()
	if err := verb.Check(goldenTable()); err != nil {
		t.Fatal(err)
	}
	pages := map[string][]string{"gitlet": nil, "inspect": {"inspect"}}
	for _, s := range verb.Built(goldenTable()) {
		pages[s.Name] = []string{s.Name}
	}
	for _, name := range []string{"inspect symbols", "inspect footprint", "doctor", "demo", "mcp", "completion", "version", "help"} {
		pages[strings.ReplaceAll(name, " ", "_")] = strings.Fields(name)
	}
	root := p.run("--help")
	for name, words := range pages {
		got := p.run(append(words, "--help")...)
		if got.code != 0 || got.err != "" {
			t.Errorf("%s --help: %+v", name, got)
		}
		if name != "gitlet" && !strings.Contains(root.out, "\n  "+strings.ReplaceAll(name, "_", " ")) {
			t.Errorf("the list of commands lacks %s", name)
		}
		for _, line := range strings.Split(got.out, "\n") {
			if len(line) > 80 && !strings.HasPrefix(line, "  gitlet ") && !strings.HasPrefix(line, "Usage: ") {
				t.Errorf("%s: a line of %d characters: %s", name, len(line), line)
			}
		}
		golden(t, filepath.Join("testdata", "help", name+".txt"), got.out)
	}
	files, err := filepath.Glob(filepath.Join("testdata", "help", "*"))
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(files)
	for _, f := range files {
		if _, ok := pages[strings.TrimSuffix(filepath.Base(f), ".txt")]; !ok {
			t.Errorf("%s belongs to no command: remove it", f)
		}
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Errorf("%v: run go test ./internal/cli -update", err)
	} else if got != string(want) {
		t.Errorf("%s is out of date: run go test ./internal/cli -update\n got:\n%s\nwant:\n%s", file, got, want)
	}
}

// TestExamplesRun proves that each verb's example is a call of that verb.
func TestExamplesRun(t *testing.T) {
	t.Parallel()
	for _, s := range verb.Built(goldenTable()) {
		out, err := exec.Command("sh", "-c", `gitlet() { for a in "$@"; do printf '%s\0' "$a"; done; }; `+s.Example).Output()
		if err != nil {
			t.Errorf("%s: %v", s.Example, err)
			continue
		}
		argv := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
		if got, _, err := cli.Parse(goldenTable(), argv); err != nil || got.Name != s.Name {
			t.Errorf("%s: reads as %q, %v", s.Example, got.Name, err)
		}
	}
}

func TestCheckOptions(t *testing.T) {
	t.Parallel()
	table := verbtest.Table()
	good := verb.Refuse("no",
		model.Option{Verb: "start", Args: map[string]any{"intent": "-a 'b' \"\"\"", "paths": []string{"x y", "-z"}}},
		model.Option{Verb: "discuss", Args: map[string]any{"about": "n-1", "message": "...", "proposal": map[string]any{"owner": "me"}}},
		model.Option{Verb: "submit"},
		model.Option{Argv: []string{"gitlet", "doctor"}},
		model.Option{Argv: []string{"git", "add", "--", "a\tb"}})
	good.Notes = []model.Note{{Title: "t", Options: []model.Option{{Verb: "dismiss", Args: map[string]any{"note": "n-1", "as": "not_needed"}}}}}
	if err := cli.CheckOptions(table, good); err != nil {
		t.Error(err)
	}
	for name, o := range map[string]model.Option{
		"nothing":           {},
		"unknown verb":      {Verb: "bogus"},
		"unknown argument":  {Verb: "who", Args: map[string]any{"target": "x", "depth": "y"}},
		"missing argument":  {Verb: "who"},
		"bad enum":          {Verb: "dismiss", Args: map[string]any{"note": "n-1", "as": "x"}},
		"no such command":   {Argv: []string{"gitlet", "bogus"}},
		"control character": {Verb: "start", Args: map[string]any{"intent": "a\x01"}},
	} {
		if err := cli.CheckOptions(table, verb.Refuse("no", o)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if cli.CheckOptions(table, verb.Refuse("no")) == nil || cli.CheckOptions(table, &verb.Result{Outcome: verb.OK, Notes: []model.Note{{Title: "t"}}}) == nil {
		t.Error("no way out was accepted")
	}
	for _, args := range [][]string{{"start"}, {"who", "x", "y"}, {"dismiss", "n-1", "z"}} {
		spec, _ := verb.Find(table, args[0])
		_, bad := verb.DecodeCLI(spec, verb.Raw{Args: args[1:]})
		if err := cli.CheckOptions(table, bad.Result()); err != nil {
			t.Errorf("%q: the refusal's own options: %v", args, err)
		}
	}
}

// FuzzOptions checks that any value in an option comes back through the real command
// line as it was, or is refused by the table for a reason of its own.
func FuzzOptions(f *testing.F) {
	f.Add("Add strict mode", "src/a b.ts")
	f.Add("-x", "--paths")
	f.Add("--", "=")
	f.Add("it's\"", "\xff\n")
	f.Add("...", "-C")
	table := verbtest.Table()
	spec, _ := verb.Find(table, "start")
	f.Fuzz(func(t *testing.T, intent, path string) {
		args := map[string]any{"intent": intent, "paths": []string{path, path}}
		want, bad := verb.DecodeCLI(spec, verb.Raw{Args: []string{intent}, Flags: map[string][]string{"paths": {path, path}}})
		if bad != nil {
			return
		}
		o := model.Option{Verb: "start", Args: args}
		got, err := cli.ParseOption(table, o)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q %q reads back as %+v, %v", intent, path, got, err)
		}
	})
}

// TestFlagsComeFromTheTable keeps every flag and command in the one generator.
func TestFlagsComeFromTheTable(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, sign := range []string{"Flags().", "flags.", "AddCommand(", "cobra.Command{"} {
			if f != "command.go" && !strings.HasSuffix(f, "_test.go") && bytes.Contains(src, []byte(sign)) {
				t.Errorf("%s has %q: flags and commands are made in command.go, from declarations", f, sign)
			}
		}
	}
}
