package test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gitlet/internal/cli"
	"gitlet/internal/engine"
	"gitlet/internal/git/gittest"
	"gitlet/internal/mcpserver"
	"gitlet/internal/model"
	"gitlet/internal/render"
	"gitlet/internal/verb"
	"gitlet/internal/verbs"
)

// toolClient connects to a server in this process that serves every seat with the runner.
func toolClient(t *testing.T, r verb.Runner) *mcp.ClientSession {
	t.Helper()
	near, far := mcp.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- mcpserver.Serve(ctx, far, mcpserver.Deps{Version: "test", Table: verbs.Table(),
			Open: func(context.Context, mcpserver.Seat) (verb.Runner, error) { return r, nil }})
	}()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, near, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return session
}

// tools are the verbs that are to be tools.
func tools() []verb.Spec {
	return slices.DeleteFunc(verb.Built(verbs.Table()), func(s verb.Spec) bool { return s.CLIOnly })
}

// sample is a value for an argument, as JSON has it.
func sample(f verb.Field) any {
	switch f.Kind {
	case verb.KindBool:
		return true
	case verb.KindInt:
		return float64(max(f.Min, 1))
	case verb.KindList:
		return []any{"one", "two words"}
	case verb.KindObject, verb.KindObjects:
		o := map[string]any{}
		for _, s := range f.Sub {
			o[s.Name] = sample(s)
		}
		if f.Kind == verb.KindObjects {
			return []any{o, o}
		}
		return o
	}
	if len(f.Enum) > 0 {
		return f.Enum[0]
	}
	return "some " + f.Name
}

// heard only remembers what it is to run.
type heard struct{ args any }

func (h *heard) Run(_ context.Context, _ verb.Spec, args any, _ verb.Face) *verb.Result {
	h.args = args
	return &verb.Result{Outcome: verb.OK, Summary: "heard"}
}

// TestToolsTableAndCommandsAgree: the tools are the verbs of the table and the commands;
// each takes the same arguments everywhere, and reads the same call from both faces.
func TestToolsTableAndCommandsAgree(t *testing.T) {
	t.Parallel()
	var h heard
	client := toolClient(t, &h)
	list, err := client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	served := map[string]*mcp.Tool{}
	for _, tool := range list.Tools {
		served[tool.Name] = tool
	}
	for _, spec := range tools() {
		tool := served[spec.Name]
		delete(served, spec.Name)
		if tool == nil {
			t.Errorf("%s is no tool", spec.Name)
			continue
		}
		raw, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var schema struct {
			Properties map[string]any
			Required   []string
		}
		if err := json.Unmarshal(raw, &schema); err != nil {
			t.Fatal(err)
		}
		shown := map[string]any{}
		var names, required []string
		for _, f := range spec.Fields() {
			names = append(names, f.Name)
			if !f.MCPOnly {
				shown[f.Name] = sample(f)
			}
			if f.Required {
				required = append(required, f.Name)
			}
		}
		slices.Sort(names)
		if got := slices.Sorted(maps.Keys(schema.Properties)); !slices.Equal(got, names) {
			t.Errorf("%s takes %q as a tool, %q in the table", spec.Name, got, names)
		}
		if slices.Sort(required); !slices.Equal(slices.Sorted(slices.Values(schema.Required)), required) {
			t.Errorf("%s requires %q as a tool, %q in the table", spec.Name, schema.Required, required)
		}
		h.args = nil
		res, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: spec.Name, Arguments: shown})
		if err != nil || res.IsError {
			t.Errorf("%s %v: %v %v", spec.Name, shown, err, res)
			continue
		}
		typed, err := cli.ParseOption(verbs.Table(), model.Option{Verb: spec.Name, Args: shown})
		if err != nil {
			t.Errorf("%s %v in a shell: %v", spec.Name, shown, err)
		}
		if !reflect.DeepEqual(h.args, typed) || h.args == nil {
			t.Errorf("%s reads %+v as a tool and %+v as a command", spec.Name, h.args, typed)
		}
	}
	for name := range served {
		t.Errorf("the tool %s is not in the table", name)
	}
}

// twin is one of two equal places, in which the same calls are made over both faces.
type twin struct {
	*gittest.Repo
	e *engine.Engine
}

func (w twin) Run(ctx context.Context, spec verb.Spec, args any, _ verb.Face) *verb.Result {
	return verbs.Run(ctx, w.e, spec.Name, args)
}

func newTwin(t *testing.T) twin {
	seed := gittest.New(t)
	seed.CommitFiles("Base", "-- a.go --\npackage a\n\nfunc Load(p string) error { return nil }\n\nfunc Other() {}\n")
	remote := gittest.Bare(t)
	seed.Git("push", "-q", remote.Dir, "main")
	w := twin{Repo: remote.Clone()}
	w.Git("config", "gitlet.pollInterval", "0s")
	w.Git("config", "gitlet.snapshotInterval", "0s")
	var err error
	if w.e, err = engine.Open(t.Context(), engine.Options{Dir: w.Dir, Client: "test", Agent: "twin-host-000001", Table: verbs.Table()}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.e.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// plays are calls of every verb, in an order in which most have something to do.
var plays = []struct {
	verb string
	args map[string]any
}{
	{"start", map[string]any{"intent": "Load strictly", "branch": "strict", "paths": []any{"a.go"}}},
	{"status", nil},
	{"who", map[string]any{"target": "a.go:Load"}},
	{"why", map[string]any{"target": "a.go:Load"}},
	{"claim", map[string]any{"symbol": "a.go:Load"}},
	{"publish", map[string]any{"symbol": "a.go:Load"}},
	{"need", map[string]any{"symbol": "a.go:Other", "requirement": "keep it"}},
	{"use", map[string]any{"symbol": "a.go:Other"}},
	{"release", map[string]any{"symbol": "a.go:Other"}},
	{"discuss", map[string]any{"about": "n-ffff", "message": "what for?", "proposal": map[string]any{"owner": "me"}}},
	{"accept", map[string]any{"proposal": "p-ffff"}},
	{"dismiss", map[string]any{"note": "n-ffff", "as": "not_needed"}},
	{"update", nil},
	{"checkpoint", map[string]any{"name": "before"}},
	{"restore", map[string]any{"name": "before"}},
	{"plan", map[string]any{"tasks": []any{map[string]any{"name": "x", "paths": []any{"a.go"}}}}},
	{"combine", map[string]any{"branches": []any{"strict"}}},
	{"submit", map[string]any{"title": "Strict"}},
	{"abandon", map[string]any{"reason": "enough"}},
}

// changing are words of a result that differ from one place to the other: ids, object ids,
// times and folders.
var changing = regexp.MustCompile(`\b\d{4}-\d\d-\d\dT[\d:.]+Z\b|\b[0-9a-f]{10,64}\b|/\S*/repo\b|\b[0-9.]+(ms|s)\b`)

// TestEveryToolAnswersAsItsCommand makes the same calls in two equal clones, as tools of a
// server in this process and as commands: the results are the same.
func TestEveryToolAnswersAsItsCommand(t *testing.T) {
	for _, kv := range gittest.Env(t.TempDir()) {
		if name, value, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GIT_") || name == "HOME" {
			t.Setenv(name, value)
		}
	}
	byTool, byCommand := newTwin(t), newTwin(t)
	client := toolClient(t, byTool)
	app := cli.App{Version: "test", Table: verbs.Table(), Open: func(context.Context, string) (verb.Runner, func(), error) { return byCommand, nil, nil }}
	left := map[string]bool{}
	for _, s := range tools() {
		left[s.Name] = true
	}
	for _, p := range plays {
		if !left[p.verb] {
			t.Errorf("%s is no tool, or is called twice", p.verb)
			continue
		}
		delete(left, p.verb)
		res, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: p.verb, Arguments: p.args})
		if err != nil {
			t.Fatalf("%s: %v", p.verb, err)
		}
		raw, err := json.Marshal(res.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		spelled, _ := render.Printer{Face: verb.CLI, Table: verbs.Table()}.Spell(model.Option{Verb: p.verb, Args: p.args})
		argv, err := render.SplitShell(spelled.Call)
		if err != nil {
			t.Fatalf("%s: %v", p.verb, err)
		}
		var out, complaints bytes.Buffer
		code := cli.Run(t.Context(), app, append(argv[1:], "--json"), cli.Streams{In: io.NopCloser(strings.NewReader("")), Out: nopClose{&out}, Err: &complaints})
		tool, command := facts(t, raw), facts(t, out.Bytes())
		if tool != command || res.IsError != (code != 0) || complaints.Len() > 0 {
			t.Errorf("%s answers as a tool (error %t)\n%s\nand as a command (exit %d)\n%s\n%s", p.verb, res.IsError, tool, code, command, complaints.String())
		}
		if p.verb == "start" {
			for _, w := range []twin{byTool, byCommand} {
				w.Write("a.go", "package a\n\nfunc Load(p string, strict bool) error { return nil }\n\nfunc Other() {}\n")
			}
		}
	}
	for name := range left {
		t.Errorf("the tool %s is never called", name)
	}
}

type nopClose struct{ io.Writer }

func (nopClose) Close() error { return nil }

// facts is a result without what differs from place to place, and without the calls that
// each face spells in its own way.
func facts(t *testing.T, raw []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	var strip func(any)
	strip = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			delete(v, "call")
			delete(v, "stateAge")
			for _, x := range v {
				strip(x)
			}
		case []any:
			for _, x := range v {
				strip(x)
			}
		}
	}
	strip(v)
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return changing.ReplaceAllString(string(data), "*")
}
