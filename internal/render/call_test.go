package render_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"gitlet/internal/model"
	"gitlet/internal/render"
	"gitlet/internal/verb"
	"gitlet/internal/verb/verbtest"
)

func TestSpell(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		o        model.Option
		cli, mcp string
	}{
		{model.Option{Verb: "status"}, "gitlet status", "status"},
		{model.Option{Verb: "who", Args: map[string]any{"target": "-x y"}}, "gitlet who -- '-x y'", `who target="-x y"`},
		{model.Option{Verb: "start", Args: map[string]any{"intent": "a\nb", "paths": []string{"p q", "-r"}}}, `gitlet start "$(printf 'a\012b')" --paths 'p q' --paths=-r`, `start intent="a\nb" paths=["p q","-r"]`},
		{model.Option{Verb: "checkpoint", Args: map[string]any{"name": "n", "draft": true, "keep": 3}}, "gitlet checkpoint n --draft --keep 3", `checkpoint name="n" draft=true keep=3`},
		{model.Option{Verb: "checkpoint", Args: map[string]any{"draft": false}}, "gitlet checkpoint --draft=false", `checkpoint draft=false`},
		{model.Option{Verb: "discuss", Args: map[string]any{"about": "t", "message": "m", "proposal": map[string]any{"owner": "me"}}}, `gitlet discuss t m --proposal '{"owner":"me"}'`, `discuss about="t" message="m" proposal={"owner":"me"}`},
		{model.Option{Verb: "plan", Args: map[string]any{"files": []any{"a", "b"}, "tasks": []any{map[string]any{"owner": "x"}}}}, `gitlet plan a b --tasks '{"owner":"x"}'`, `plan files=["a","b"] tasks=[{"owner":"x"}]`},
		{model.Option{Verb: "who", Args: map[string]any{"target": "a\u2028b\u202e\x7f"}}, `gitlet who "$(printf 'a\342\200\250b\342\200\256\177')"`, `who target="a\u2028b\u202e\u007f"`},
	} {
		if got, ok := printer(verb.CLI).Spell(c.o); !ok || got.Call != c.cli {
			t.Errorf("cli %q, want %q", got.Call, c.cli)
		}
		if got, ok := printer(verb.MCP).Spell(c.o); !ok || got.Call != c.mcp {
			t.Errorf("mcp %q, want %q", got.Call, c.mcp)
		}
	}
	p := printer(verb.MCP)
	p.Where = "/w"
	if got, _ := p.Spell(model.Option{Verb: "status"}); got.Call != `status worktree="/w"` || got.Args["worktree"] != "/w" {
		t.Errorf("with a worktree: %+v", got)
	}
	if _, ok := p.Spell(model.Option{Verb: "submit"}); ok {
		t.Error("a verb that is not built was spelled")
	}
}

// TestRealShells proves that what is printed gives a real shell back its arguments.
func TestRealShells(t *testing.T) {
	t.Parallel()
	argv := []string{"printf", `%s\0`, "", "a b", "it's", `"'\`, "$HOME `id` $(id) ${x}", "a\nb\n\nc", "tab\tand\x1b[0m", "-n", "- %s %% \\n", "~", "~root", "*", "[a]", "{a,b}", "!!", "#x", "a#b", "=ls", "é\u2028\u202e𠀀", "Icon\r", "\xff\xfe/ä", "%d\n\\012x", `'"'"'`, "a;b|c&d>e<f"}
	line := render.Shell(argv)
	if strings.ContainsAny(line, "\n\r\x1b\u2028") || !utf8.ValidString(line) {
		t.Fatalf("not one clean line: %q", line)
	}
	want := strings.Join(argv[2:], "\x00") + "\x00"
	for _, shell := range []string{"sh", "bash"} {
		cmd := exec.Command(shell, "-c", line+" # and a comment")
		cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=/nowhere", "LC_ALL=C"}
		out, err := cmd.Output()
		if err != nil || string(out) != want {
			t.Errorf("%s: %v\n got %q\nwant %q\nline %s", shell, err, out, want, line)
		}
	}
	trailing := render.Shell([]string{"printf", `%s\0`, "a'\\%\n\n"})
	if out, err := exec.Command("bash", "-c", trailing).Output(); err != nil || string(out) != "a'\\%\n\n\x00" {
		t.Errorf("bash: %v, %q from %s", err, out, trailing)
	}
}

func TestSplitShellRefusesWhatItDoesNotSpell(t *testing.T) {
	t.Parallel()
	for _, line := range []string{`a "b"`, "'a", "$x", "a;b", "a\nb", `"$(printf '\9')"`, `"$(printf 'a`, `$'a`, `$'\`, `"$(printf '\400')"`, "`a`"} {
		if got, err := render.SplitShell(line); err == nil {
			t.Errorf("SplitShell(%q) = %q", line, got)
		}
	}
	if got, err := render.SplitShell(`a  b\ c # d 'e`); err != nil || !reflect.DeepEqual(got, []string{"a", "b c"}) {
		t.Errorf("SplitShell = %q, %v", got, err)
	}
}

func TestParseCallRefusesNoise(t *testing.T) {
	t.Parallel()
	for _, call := range []string{"who target", "who target=", "who target=x", `who target="a" b`} {
		if _, args, err := render.ParseCall(call); err == nil {
			t.Errorf("ParseCall(%q) = %s", call, args)
		}
	}
}

// FuzzShell checks that a spelled command is one visible line and splits back.
func FuzzShell(f *testing.F) {
	f.Add("a", "b c")
	f.Add("-x", "it's\n")
	f.Add("\xff\n%", "\u2028'\\")
	f.Add("'\\''", `"$(printf 'x')"`)
	f.Fuzz(func(t *testing.T, a, b string) {
		argv := []string{"git", a, b}
		line := render.Shell(argv)
		checkLine(t, line)
		got, err := render.SplitShell(line)
		for i := range argv {
			argv[i] = strings.ReplaceAll(argv[i], "\x00", "")
		}
		if err != nil || !reflect.DeepEqual(got, argv) {
			t.Fatalf("%q splits into %q (%v), want %q", line, got, err, argv)
		}
	})
}

// FuzzCalls checks that a spelled verb call is one visible line on either face and
// gives back its arguments: as JSON for tools, as argv for shells.
func FuzzCalls(f *testing.F) {
	f.Add("n-1", "hello", "me")
	f.Add("-n", "--message", `{"a":1}`)
	f.Add("\u2028", "a\nb", "\"\"\"")
	table := verbtest.Table()
	spec, _ := verb.Find(table, "discuss")
	f.Fuzz(func(t *testing.T, about, message, owner string) {
		args := map[string]any{"about": about, "message": message, "proposal": map[string]any{"owner": owner}}
		o, _ := printer(verb.MCP).Spell(model.Option{Verb: "discuss", Args: args})
		checkLine(t, o.Call)
		name, raw, err := render.ParseCall(o.Call)
		want, _ := json.Marshal(args)
		if err != nil || name != "discuss" || !sameJSON(raw, want) {
			t.Fatalf("%s reads as %s %s (%v), want %s", o.Call, name, raw, err, want)
		}
		p := printer(verb.CLI)
		o, _ = p.Spell(model.Option{Verb: "discuss", Args: args})
		checkLine(t, o.Call)
		argv, err := render.SplitShell(o.Call)
		wantArgv := p.Argv(spec, args)
		for i := range wantArgv {
			wantArgv[i] = strings.ReplaceAll(wantArgv[i], "\x00", "")
		}
		if err != nil || !reflect.DeepEqual(argv, wantArgv) {
			t.Fatalf("%s splits into %q (%v), want %q", o.Call, argv, err, wantArgv)
		}
	})
}

var breaking = regexp.MustCompile("[\x00-\x1f\x7f\u0080-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b]")

func checkLine(t *testing.T, line string) {
	t.Helper()
	if breaking.MatchString(line) || !utf8.ValidString(line) {
		t.Fatalf("not one line of visible text: %q", line)
	}
}

func sameJSON(a, b []byte) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return bytes.Equal(a, b)
	}
	return reflect.DeepEqual(x, y)
}
