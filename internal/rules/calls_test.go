package rules_test

import (
	"strings"
	"testing"

	"gitlet/internal/model"
	"gitlet/internal/render"
	"gitlet/internal/rules"
	"gitlet/internal/verb"
	"gitlet/internal/verbs"
)

// Each option of each note in any case is a call that the verb table takes, as a tool
// call and as a command, whether its verb is built yet or not.
func TestOptionsAreCalls(t *testing.T) {
	cases, err := rules.CaseNotes()
	if err != nil {
		t.Fatal(err)
	}
	table := verbs.Table()
	for i := range table {
		table[i].Built = true
	}
	seen := map[string]bool{}
	for file, notes := range cases {
		for _, n := range notes {
			for _, o := range n.Options {
				if o.Verb == "" {
					if len(o.Argv) < 2 || o.Argv[0] != "git" {
						t.Errorf("%s: %s offers %q", file, n.Kind, o.Argv)
					}
					continue
				}
				seen[o.Verb] = true
				takes(t, table, file+" "+n.Kind, o)
			}
		}
	}
	for _, v := range []string{"need", "discuss", "dismiss", "claim", "publish", "update", "start", "abandon", "who"} {
		if !seen[v] {
			t.Errorf("no case offers %s", v)
		}
	}
}

func takes(t *testing.T, table []verb.Spec, where string, o model.Option) {
	t.Helper()
	spec, ok := verb.Find(table, o.Verb)
	if !ok {
		t.Errorf("%s offers %q, which is no verb", where, o.Verb)
		return
	}
	filled := map[string]any{}
	for k, v := range o.Args {
		if filled[k] = v; v == verb.Blank {
			filled[k] = "words that a reader fills in"
		}
	}
	o.Args = filled
	tool, ok := render.Printer{Face: verb.MCP, Table: table}.Spell(o)
	name, args, err := render.ParseCall(tool.Call)
	if !ok || err != nil || name != o.Verb {
		t.Errorf("%s: %q is no call: %v", where, tool.Call, err)
		return
	}
	if _, bad := verb.DecodeJSON(spec, args); bad != nil {
		t.Errorf("%s: %q is not taken: %v", where, tool.Call, bad)
	}
	command, _ := render.Printer{Face: verb.CLI, Table: table}.Spell(o)
	words, err := render.SplitShell(command.Call)
	if err != nil || len(words) < 2 || words[0] != "gitlet" || words[1] != o.Verb {
		t.Errorf("%s: %q is no command: %v", where, command.Call, err)
		return
	}
	raw := verb.Raw{Flags: map[string][]string{}}
	for i := 2; i < len(words); i++ {
		flag, isFlag := strings.CutPrefix(words[i], "--")
		switch {
		case isFlag && i+1 < len(words):
			i++
			raw.Flags[flag] = append(raw.Flags[flag], words[i])
		default:
			raw.Args = append(raw.Args, words[i])
		}
	}
	if _, bad := verb.DecodeCLI(spec, raw); bad != nil {
		t.Errorf("%s: %q is not taken: %v", where, command.Call, bad)
	}
}
