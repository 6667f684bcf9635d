package test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"gitlet/internal/app"
	"gitlet/internal/bug"
	"gitlet/internal/bus"
	"gitlet/internal/engine"
	"gitlet/internal/git/gittest"
	"gitlet/internal/wire"
	"gitlet/test/fakegh"
)

// projectDir is the top of the project: scenarios run elsewhere.
var projectDir, _ = filepath.Abs("..")

func TestMain(m *testing.M) {
	bug.Strict = true
	testscript.Main(m, map[string]func(){
		"gitlet": func() {
			bug.Strict = true
			if n, err := strconv.Atoi(os.Getenv(patience)); err == nil {
				engine.Patience(n)
			}
			os.Exit(app.Main())
		},
		"fakegh":    fakegh.Main,
		"as-nobody": becomeNobody,
	})
}

// patience is the variable with which a scenario says how many times as long as usual
// its verbs wait for the remote: 10, so that a busy machine changes no outcome. One that
// is about slow remotes sets it to 1.
const patience = "PATIENCE"

// scriptCommands are the commands of scenarios; README.md beside them says what each does.
var scriptCommands = map[string]func(*testscript.TestScript, bool, []string){
	"remote":              cmdRemote,
	"machine":             cmdMachine,
	"on":                  cmdOn,
	"put":                 cmdPut,
	"unset-remote":        cmdUnsetRemote,
	"restore-remote":      cmdRestoreRemote,
	"json":                cmdJSON,
	"warnings":            cmdWarnings,
	"note-id":             cmdNoteID,
	"proposal-id":         cmdProposalID,
	"git":                 cmdGit,
	"now":                 cmdNow,
	"edits":               cmdEdits,
	"tree-hash":           cmdTreeHash,
	"equal":               cmdEqual,
	"publish-document":    cmdPublishDocument,
	"publish-noise":       cmdPublishNoise,
	"allow-bad-documents": cmdAllowBad,
	"same-as-readme":      cmdSameAsReadme,
	"remote-has":          cmdRemoteHas,
	"remote-has-not":      cmdRemoteHasNot,
	"remote-refs":         cmdRemoteRefs,
	"git-calls":           cmdGitCalls,
	"ordinary":            cmdOrdinary,
	"forge":               cmdForge,
	"with-gh":             cmdWithGH,
	"keep":                cmdKeep,
	"kept":                cmdKept,
	"wip":                 cmdWip,
	"hears":               cmdHears,
	"look":                cmdLook,
	"look-for":            cmdLookFor,
	"serve":               cmdServe,
	"unserve":             cmdUnserve,
	"tool":                cmdTool,
	"tool-for":            cmdToolFor,
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                "script",
		RequireUniqueNames: true,
		Setup:              func(env *testscript.Env) error { return setup(t, env) },
		Condition:          condition,
		UpdateScripts:      *update,
		Cmds:               scriptCommands,
	})
}

func setup(t *testing.T, env *testscript.Env) error {
	trace := filepath.Join(env.WorkDir, ".trace")
	env.Values[keptKey{}] = map[string]map[string]string{}
	env.Values[sessionsKey{}] = map[string]*served{}
	for _, v := range append(gittest.Env(env.WorkDir), gittest.TraceEnv(trace)...) {
		name, value, _ := strings.Cut(v, "=")
		if name != "PATH" && name != "PWD" {
			env.Setenv(name, value)
		}
	}
	env.Setenv("GORACE", "atexit_sleep_ms=0")
	env.Setenv("TZ", "UTC")
	env.Setenv(patience, "10")
	env.Setenv("ROUNDS", os.Getenv("ROUNDS")) // of races; empty is a few
	env.Defer(func() {
		if _, err := os.Stat(trace); err == nil {
			gittest.CheckTrace(t, trace)
		}
		if _, err := os.Stat(filepath.Join(env.WorkDir, allowBad)); err != nil {
			checkRemote(t, filepath.Join(env.WorkDir, "remote.git"))
		}
	})
	return nil
}

// checkRemote validates everything a scenario left on its remote: only branches, tags
// and gitlet's own refs, and every document there decodes.
func checkRemote(t *testing.T, dir string) {
	if _, err := os.Stat(dir); err != nil {
		return
	}
	repo := gittest.At(t, dir)
	for line := range strings.Lines(repo.Git("for-each-ref", "--format=%(refname)")) {
		ref := strings.TrimSpace(line)
		if strings.HasPrefix(ref, "refs/heads/") || strings.HasPrefix(ref, "refs/tags/") {
			continue
		}
		if !strings.HasPrefix(ref, bus.Namespace) {
			t.Errorf("the remote holds %q", ref)
			continue
		}
		name, ok := bus.ParseRef(ref)
		if !ok {
			t.Errorf("the remote holds the malformed %q", ref)
			continue
		}
		if name.Kind == bus.StateDoc {
			if _, problems, err := wire.DecodeState([]byte(repo.Show(ref, "state.json")), name.Agent); err != nil || len(problems) > 0 {
				t.Errorf("%s: %v %v", ref, err, problems)
			}
		}
		if name.Kind == bus.ResolutionDoc {
			if _, _, err := wire.DecodeResolution([]byte(repo.Show(ref, "resolution.json")), name.Conflict); err != nil {
				t.Errorf("%s: %v", ref, err)
			}
		}
	}
}

func git(ts *testscript.TestScript, dir string, args ...string) string {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = gittest.Env(ts.MkAbs(ts.Getenv("WORK")))
	out, err := cmd.CombinedOutput()
	if err != nil {
		ts.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func work(ts *testscript.TestScript, parts ...string) string {
	return filepath.Join(append([]string{ts.Getenv("WORK")}, parts...)...)
}

func cmdRemote(ts *testscript.TestScript, neg bool, args []string) {
	git(ts, work(ts), "init", "-q", "--bare", "-b", "main", "remote.git")
	base := work(ts, "base")
	if _, err := os.Stat(base); err != nil {
		ts.Check(os.Mkdir(base, 0o755))
	}
	git(ts, base, "init", "-q", "-b", "main")
	git(ts, base, "add", "-A")
	git(ts, base, "commit", "-q", "--allow-empty", "-m", "Base")
	git(ts, base, "push", "-q", "../remote.git", "main")
	ts.Check(os.RemoveAll(filepath.Join(base, ".git")))
}

func cmdMachine(ts *testscript.TestScript, neg bool, args []string) {
	name := args[0]
	from := "remote.git"
	if len(args) > 1 {
		from = "file://" + work(ts, from) // a plain path would ignore what a clone is to leave out
	}
	git(ts, work(ts), append(append([]string{"clone", "-q"}, args[1:]...), from, name)...)
	for _, kv := range [][2]string{{"gitlet.pollInterval", "0s"}, {"gitlet.snapshotInterval", "0s"}} {
		git(ts, work(ts, name), "config", kv[0], kv[1])
	}
	cmdOn(ts, neg, args[:1])
}

func cmdOn(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(ts.Chdir(work(ts, args[0])))
	ts.Setenv("GITLET_AGENT", args[0]+"-host-000001")
}

func cmdPut(ts *testscript.TestScript, neg bool, args []string) {
	for _, file := range args {
		_, to, ok := strings.Cut(file, "/")
		if !ok {
			ts.Fatalf("put wants a path below a folder, not %q", file)
		}
		data, err := os.ReadFile(work(ts, file))
		ts.Check(err)
		to = ts.MkAbs(to)
		ts.Check(os.MkdirAll(filepath.Dir(to), 0o755))
		ts.Check(os.WriteFile(to, data, 0o644))
	}
}

func cmdUnsetRemote(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(os.Rename(work(ts, "remote.git"), work(ts, "away.git")))
}

func cmdRestoreRemote(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(os.Rename(work(ts, "away.git"), work(ts, "remote.git")))
}

// cmdGit runs git as a person would: not traced, because the trace is checked for how
// gitlet runs git.
func cmdGit(ts *testscript.TestScript, neg bool, args []string) {
	trace := ts.Getenv("GIT_TRACE2_EVENT")
	ts.Setenv("GIT_TRACE2_EVENT", "")
	err := ts.Exec("git", args...)
	ts.Setenv("GIT_TRACE2_EVENT", trace)
	if (err != nil) != neg {
		ts.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
}

// cmdNow ends the fixed date: later commits are of this moment.
func cmdNow(ts *testscript.TestScript, neg bool, args []string) {
	now := time.Now().Format(time.RFC3339)
	ts.Setenv("GIT_AUTHOR_DATE", now)
	ts.Setenv("GIT_COMMITTER_DATE", now)
}

// cmdJSON checks or prints a value of the last output: json PATH [WANT].
func cmdJSON(ts *testscript.TestScript, neg bool, args []string) {
	var v any
	if err := json.Unmarshal([]byte(ts.ReadFile("stdout")), &v); err != nil {
		ts.Fatalf("the last output is no JSON: %v", err)
	}
	got := dig(v, strings.Split(args[0], "."))
	if len(args) == 1 {
		if neg != (got == nil) {
			ts.Fatalf("%s is %v", args[0], show(got))
		}
		return
	}
	if (show(got) == args[1]) == neg {
		ts.Fatalf("%s is %s, not %s", args[0], show(got), args[1])
	}
}

// dig follows a dotted path; "len" is the length of a list or object, "*" all members.
func dig(v any, path []string) any {
	if len(path) == 0 {
		return v
	}
	switch x := v.(type) {
	case map[string]any:
		if path[0] == "len" {
			return dig(float64(len(x)), path[1:])
		}
		if y, ok := x[path[0]]; ok {
			return dig(y, path[1:])
		}
	case []any:
		if path[0] == "len" {
			return dig(float64(len(x)), path[1:])
		}
		if path[0] == "*" {
			var out []string
			for _, y := range x {
				out = append(out, show(dig(y, path[1:])))
			}
			sort.Strings(out)
			return strings.Join(out, " ")
		}
		if i, err := strconv.Atoi(path[0]); err == nil && i >= 0 && i < len(x) {
			return dig(x[i], path[1:])
		}
	}
	return nil
}

func show(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// cmdNoteID sets a variable to the id of the only open note of a kind.
func cmdNoteID(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(ts.Exec("gitlet", "status", "--json"))
	var r struct {
		Data struct {
			Notes []struct{ ID, Kind string }
		}
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &r))
	for _, n := range r.Data.Notes {
		if n.Kind == args[0] {
			ts.Setenv(args[1], n.ID)
			return
		}
	}
	if !neg {
		ts.Fatalf("there is no open note of kind %q, only %v", args[0], r.Data.Notes)
	}
}

func cmdProposalID(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(ts.Exec("gitlet", "status", "--json"))
	var r struct {
		Data struct {
			Threads []struct {
				Proposals []struct {
					ID       string
					Replaced bool
				}
			}
		}
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &r))
	for _, t := range r.Data.Threads {
		for i := len(t.Proposals) - 1; i >= 0; i-- {
			if !t.Proposals[i].Replaced {
				ts.Setenv(args[0], t.Proposals[i].ID)
				return
			}
		}
	}
	if !neg {
		ts.Fatalf("there is no proposal")
	}
}
