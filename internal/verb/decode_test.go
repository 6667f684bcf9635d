package verb_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"gitlet/internal/verb"
	"gitlet/internal/verb/verbtest"
)

func TestDecodeJSON(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		verb, in string
		want     any
	}{
		{"status", ``, &verbtest.StatusArgs{}},
		{"status", ` null `, &verbtest.StatusArgs{}},
		{"status", `{"worktree":"/w"}`, &verbtest.StatusArgs{Common: verbtest.Common{Worktree: "/w"}}},
		{"start", `{"intent":"Do it","paths":["a","b\nc"],"branch":null}`, &verbtest.StartArgs{Intent: "Do it", Paths: []string{"a", "b\nc"}}},
		{"discuss", `{"about":"t-1","message":"a\nb","proposal":{"owner":"me"}}`, &verbtest.DiscussArgs{About: "t-1", Message: "a\nb", Proposal: &verbtest.Proposal{Owner: "me"}}},
		{"checkpoint", `{"draft":true,"keep":3,"extra":{"a":1}}`, &verbtest.CheckpointArgs{Draft: true, Keep: 3, Extra: map[string]any{"a": 1.0}}},
		{"plan", `{"files":[],"tasks":[{"owner":"x"},{"owner":"y"}]}`, &verbtest.PlanArgs{Tasks: []verbtest.Proposal{{Owner: "x"}, {Owner: "y"}}}},
	} {
		got, err := verb.DecodeJSON(spec(t, c.verb), []byte(c.in))
		if err != nil {
			t.Errorf("%s %s: %v", c.verb, c.in, err)
		} else if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %s: got %+v, want %+v", c.verb, c.in, got, c.want)
		}
	}
}

func TestDecodeJSONProblems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		verb, in string
		want     []string // one part of each problem's text, in order
	}{
		{"need", `{}`, []string{"symbol is missing: the symbol, as path:Name"}},
		{"need", `{"symbol":null}`, []string{"symbol is missing"}},
		{"need", `{"symbol":""}`, []string{"symbol is empty: the symbol"}},
		{"need", `{"symbol":"  "}`, []string{"symbol is empty"}},
		{"need", `{"symbol":"x","note":""}`, []string{"note is empty: leave it out or give the note you act on"}},
		{"need", `{"symbl":"x"}`, []string{`need has no argument "symbl": did you mean symbol?`, "symbol is missing"}},
		{"need", `{"symbol":"x","Symbol":"y"}`, []string{`no argument "Symbol": did you mean symbol?`}},
		{"need", `{"symbol":"x","colour":"y"}`, []string{`no argument "colour": it takes symbol, requirement, note, worktree`}},
		{"need", `{"symbol":"x","symbol":"y"}`, []string{"symbol was given twice"}},
		{"need", `{"symbol":7}`, []string{`symbol is the number "7": give a text`}},
		{"need", `{"symbol":["x"]}`, []string{"symbol is the list"}},
		{"need", `["x"]`, []string{`the arguments are the list`}},
		{"need", `"x"`, []string{`the arguments are the text "x": give an object, as {"symbol":"...","requirement":"...","note":"..."}`}},
		{"need", `{"symbol":"x"`, []string{"(not JSON)"}},
		{"need", `{"symbol":"x"} {}`, []string{"(not JSON)"}},
		{"need", "{\"symbol\":\"\xff\"}", []string{"not valid UTF-8"}},
		{"need", `{"symbol":"x","note":"a\u0007b"}`, []string{`note is "a\ab", which holds the control character U+0007`}},
		{"need", `{"symbol":"a\u0000b"}`, []string{"U+0000"}},
		{"start", `{"intent":"two\nlines"}`, []string{"holds a line break"}},
		{"start", `{"intent":"x","paths":"src"}`, []string{`paths is the text "src": give a list of texts`}},
		{"start", `{"intent":"x","paths":["a",null]}`, []string{"give a list of texts"}},
		{"start", `{"intent":"x","paths":["a",""]}`, []string{"paths is empty"}},
		{"start", `{"intent":"` + strings.Repeat("x", 5000) + `"}`, []string{`intent is 5000 bytes long, starting "xxx`}},
		{"dismiss", `{"note":"n-1","as":"maybe"}`, []string{`as is "maybe": use not_needed or false_alarm`}},
		{"dismiss", `{"note":"n-1","as":"not-needed"}`, []string{"did you mean not_needed?"}},
		{"dismiss", `{"as":"x","why":1}`, []string{`as is "x"`, `no argument "why"`, "note is missing"}},
		{"checkpoint", `{"draft":"yes"}`, []string{`draft is the text "yes": give true or false`}},
		{"checkpoint", `{"keep":2.5}`, []string{`keep is the number "2.5": give a whole number`}},
		{"checkpoint", `{"keep":51}`, []string{"keep is 51: give a number from 1 to 50"}},
		{"checkpoint", `{"extra":[]}`, []string{`extra is the list "[]": give a JSON object`}},
		{"discuss", `{"about":"t","message":"m","proposal":"me"}`, []string{`proposal is the text "me": give an object, as {"owner":"...","signature":"..."}`}},
		{"discuss", `{"about":"t","message":"m","proposal":{"own":"me"}}`, []string{`no argument "proposal.own": did you mean owner?`, "proposal.owner is missing"}},
		{"plan", `{"tasks":[{"owner":"x"},{"owner":1}]}`, []string{`tasks[1].owner is the number "1"`}},
		{"status", `{"x":1}`, []string{`status has no argument "x": it takes worktree`}},
	} {
		_, err := verb.DecodeJSON(spec(t, c.verb), []byte(c.in))
		checkProblems(t, c.verb+" "+c.in, err, c.want)
	}
}

func TestDecodeCLI(t *testing.T) {
	t.Parallel()
	got, err := verb.DecodeCLI(spec(t, "start"), verb.Raw{Args: []string{"Do it"}, Flags: map[string][]string{"paths": {"a", "b"}}})
	if err != nil || !reflect.DeepEqual(got, &verbtest.StartArgs{Intent: "Do it", Paths: []string{"a", "b"}}) {
		t.Errorf("start: %+v, %v", got, err)
	}
	got, err = verb.DecodeCLI(spec(t, "discuss"), verb.Raw{Args: []string{"t-1", "hi"}, Flags: map[string][]string{"proposal": {`{"owner":"me"}`}}})
	if err != nil || !reflect.DeepEqual(got, &verbtest.DiscussArgs{About: "t-1", Message: "hi", Proposal: &verbtest.Proposal{Owner: "me"}}) {
		t.Errorf("discuss: %+v, %v", got, err)
	}
	got, err = verb.DecodeCLI(spec(t, "plan"), verb.Raw{Args: []string{"a\xff", "b"}, Flags: map[string][]string{"tasks": {`{"owner":"x"}`, `{"owner":"y"}`}}})
	if err != nil || !reflect.DeepEqual(got, &verbtest.PlanArgs{Files: []string{"a\xff", "b"}, Tasks: []verbtest.Proposal{{Owner: "x"}, {Owner: "y"}}}) {
		t.Errorf("plan: %+v, %v", got, err)
	}
	got, err = verb.DecodeCLI(spec(t, "checkpoint"), verb.Raw{Args: []string{"n"}, Flags: map[string][]string{"draft": {"true"}, "keep": {"7"}, "extra": {"{}"}}})
	if err != nil || !reflect.DeepEqual(got, &verbtest.CheckpointArgs{Name: "n", Draft: true, Keep: 7, Extra: map[string]any{}}) {
		t.Errorf("checkpoint: %+v, %v", got, err)
	}
}

func TestDecodeCLIProblems(t *testing.T) {
	t.Parallel()
	flags := func(kv ...string) map[string][]string {
		m := map[string][]string{}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i]] = append(m[kv[i]], kv[i+1])
		}
		return m
	}
	for _, c := range []struct {
		verb string
		raw  verb.Raw
		want []string
	}{
		{"start", verb.Raw{}, []string{"intent is missing"}},
		{"start", verb.Raw{Args: []string{"Add", "strict", "mode"}}, []string{`"strict" "mode" is too much: start takes intent (quote`}},
		{"status", verb.Raw{Args: []string{"x"}}, []string{"status takes no argument"}},
		{"start", verb.Raw{Args: []string{"x"}, Flags: flags("branch", "a", "branch", "b")}, []string{"branch was given 2 times"}},
		{"dismiss", verb.Raw{Args: []string{"n-1"}}, []string{"as is missing"}},
		{"dismiss", verb.Raw{Args: []string{"", "x"}, Flags: flags("reason", "")}, []string{"note is empty", `as is "x"`, "reason is empty"}},
		{"checkpoint", verb.Raw{Flags: flags("keep", "x", "draft", "maybe", "extra", "[")}, []string{`draft is "maybe"`, `keep is "x"`, `extra is "[": give a JSON object`}},
		{"discuss", verb.Raw{Args: []string{"t", "m"}, Flags: flags("proposal", "me")}, []string{`proposal is "me": give a JSON object, as {"owner":"...","signature":"..."}`}},
		{"plan", verb.Raw{Flags: flags("tasks", "me")}, []string{`tasks is "me": give a JSON object`}},
	} {
		_, err := verb.DecodeCLI(spec(t, c.verb), c.raw)
		checkProblems(t, c.verb, err, c.want)
	}
}

func checkProblems(t *testing.T, call string, err *verb.ArgError, want []string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no problem found, want %q", call, want)
		return
	}
	if len(err.Problems) != len(want) {
		t.Errorf("%s: problems %q, want %q", call, err.Problems, want)
		return
	}
	for i, w := range want {
		if !strings.Contains(err.Problems[i].Text, w) {
			t.Errorf("%s: problem %q, want %q in it", call, err.Problems[i].Text, w)
		}
	}
	r := err.Result()
	if r.Outcome != verb.Refused || !r.BadUsage || len(r.Options) == 0 || r.Summary == "" {
		t.Errorf("%s: result %+v is no refusal with a way out", call, r)
	}
}

func TestSkeletonKeepsWhatWasRight(t *testing.T) {
	t.Parallel()
	_, err := verb.DecodeCLI(spec(t, "dismiss"), verb.Raw{Args: []string{"n-3f2a"}, Flags: map[string][]string{"reason": {"why not"}}})
	opts := err.Result().Options
	want := map[string]any{"note": "n-3f2a", "as": "not_needed", "reason": "why not"}
	if !reflect.DeepEqual(opts[0].Args, want) {
		t.Errorf("skeleton %v, want %v", opts[0].Args, want)
	}
	if got := strings.Join(opts[1].Argv, " "); got != "gitlet dismiss --help" {
		t.Errorf("second option %q", got)
	}
}

func TestWorktree(t *testing.T) {
	t.Parallel()
	args, _ := verb.DecodeJSON(spec(t, "who"), []byte(`{"target":"x","worktree":"/w"}`))
	if got := verb.Worktree(args); got != "/w" {
		t.Errorf("Worktree = %q", got)
	}
	if verb.Worktree(nil) != "" || verb.Worktree((*verbtest.WhoArgs)(nil)) != "" || verb.Worktree(struct{}{}) != "" {
		t.Error("Worktree found one where there is none")
	}
}

func TestFromError(t *testing.T) {
	t.Parallel()
	if verb.FromError(nil) != nil {
		t.Error("nil error gave a result")
	}
	want := verb.Refuse("not here")
	if verb.FromError(&verb.Refusal{Result: want}) != want {
		t.Error("a refusal lost its result")
	}
	if r := verb.FromError(errors.New("disk full")); r.Outcome != verb.Fault || !strings.Contains(r.Summary, "disk full") || len(r.Options) == 0 {
		t.Errorf("fault %+v", r)
	}
	var err error = verb.BadArgument(spec(t, "who"), verb.MCP, "target", "target is wrong")
	if r := verb.FromError(err); !r.BadUsage || r.Options[0].Args["target"] != "..." {
		t.Errorf("bad argument %+v", r)
	}
}

// FuzzDecodeJSON checks that no input panics, that a refusal always has a reason and
// a corrected call, and that what is accepted is stable.
func FuzzDecodeJSON(f *testing.F) {
	for _, s := range []string{`{}`, `{"intent":"x","paths":["a"]}`, `{"about":"a","message":"b","proposal":{"owner":"me"}}`, `[`, `{"a":{"b":[{}]}}`, "\xff", `{"keep":1e9}`, `{"extra":{"a":null}}`} {
		f.Add(s)
	}
	table := verbtest.Table()
	f.Fuzz(func(t *testing.T, in string) {
		for _, s := range table {
			args, err := verb.DecodeJSON(s, []byte(in))
			if err == nil {
				if again, err := verb.DecodeJSON(s, []byte(in)); err != nil || !reflect.DeepEqual(args, again) {
					t.Fatalf("%s %q: two readings differ", s.Name, in)
				}
				continue
			}
			if len(err.Problems) == 0 || len(err.Result().Options) == 0 {
				t.Fatalf("%s %q: a refusal without reason or way out", s.Name, in)
			}
		}
	})
}
