package verb_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"gitlet/internal/verb"
	"gitlet/internal/verb/verbtest"
)

func spec(t *testing.T, name string) verb.Spec {
	t.Helper()
	s, ok := verb.Find(verbtest.Table(), name)
	if !ok {
		t.Fatalf("no verb %q", name)
	}
	return s
}

func TestTableIsSound(t *testing.T) {
	t.Parallel()
	if err := verb.Check(verbtest.Table()); err != nil {
		t.Fatal(err)
	}
	for _, s := range verb.Built(verbtest.Table()) {
		if s.Name == "submit" {
			t.Error("Built returned a verb that is not built")
		}
	}
}

func TestCheckNamesTheMistake(t *testing.T) {
	t.Parallel()
	type noHelp struct {
		A string `arg:"a"`
		verbtest.Common
	}
	type badType struct {
		A float64 `arg:"a" help:"x"`
		verbtest.Common
	}
	type twice struct {
		A string `arg:"a" help:"x"`
		B string `arg:"a" help:"x"`
		verbtest.Common
	}
	type listFirst struct {
		A []string `arg:"a" required:"true" help:"x"`
		B string   `arg:"b" required:"true" help:"x"`
		verbtest.Common
	}
	type boolPos struct {
		A bool `arg:"a" required:"true" help:"x"`
		verbtest.Common
	}
	type noCommon struct {
		A string `arg:"a" help:"x"`
	}
	type badChars struct {
		A string `arg:"a" help:"x" chars:"any"`
		verbtest.Common
	}
	type badMax struct {
		A string `arg:"a" help:"x" max:"many"`
		verbtest.Common
	}
	type enumList struct {
		A []string `arg:"a" help:"x" enum:"b,c"`
		verbtest.Common
	}
	full := func(args any) verb.Spec {
		return verb.Spec{Name: "x", Summary: "s", When: "w", Example: "gitlet x", Args: args}
	}
	takesNote := full(&verbtest.StatusArgs{})
	takesNote.Effects.TakesNote = true
	for want, table := range map[string][]verb.Spec{
		"no name":                  {{}},
		"lacks its summary":        {{Name: "x"}},
		"declared twice":           {full(&verbtest.StatusArgs{}), full(&verbtest.StatusArgs{})},
		"needs an arg and a hel":   {full(&noHelp{})},
		"float64 is not a type":    {full(&badType{})},
		`"a" is declared twice`:    {full(&twice{})},
		"a list takes the rest":    {full(&listFirst{})},
		"a bool cannot be posit":   {full(&boolPos{})},
		"needs the worktree argum": {full(&noCommon{})},
		`chars is "any"`:           {full(&badChars{})},
		`max is "many"`:            {full(&badMax{})},
		"only a string can have":   {full(&enumList{})},
		"int is not a struct":      {full(3)},
		"no such argument":         {takesNote},
	} {
		err := verb.Check(table)
		if !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("Check = %v, want it to say %q", err, want)
		}
	}
}

func TestSchema(t *testing.T) {
	t.Parallel()
	got := string(verb.Schema(spec(t, "dismiss")))
	want := `{"type":"object","properties":{` +
		`"note":{"type":"string","description":"the note's id"},` +
		`"as":{"type":"string","enum":["not_needed","false_alarm"],"description":"not_needed: real but needs no action; false_alarm: gitlet is wrong"},` +
		`"reason":{"type":"string","description":"why"},` +
		`"worktree":{"type":"string","description":"absolute path of the git worktree to act in"}},` +
		`"required":["note","as"],"additionalProperties":false}`
	if got != want {
		t.Errorf("schema:\n got %s\nwant %s", got, want)
	}
	for _, s := range verbtest.Table() {
		raw := verb.Schema(s)
		var doc map[string]any
		if err := json.Unmarshal(raw, &doc); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
		if strings.Contains(string(raw), "null") || doc["additionalProperties"] != false {
			t.Errorf("%s: schema is a union or open: %s", s.Name, raw)
		}
	}
}

func TestPositionalsAndFlags(t *testing.T) {
	t.Parallel()
	names := func(fs []verb.Field) string {
		var out []string
		for _, f := range fs {
			out = append(out, f.Name)
		}
		return strings.Join(out, " ")
	}
	for name, want := range map[string][2]string{
		"start":      {"intent", "branch paths"},
		"discuss":    {"about message", "proposal"},
		"checkpoint": {"name", "draft keep extra"},
		"plan":       {"files", "tasks"},
		"status":     {"", ""},
	} {
		fs := spec(t, name).Fields()
		if got := [2]string{names(verb.Positionals(fs)), names(verb.Flags(fs))}; got != want {
			t.Errorf("%s: positionals and flags %q, want %q", name, got, want)
		}
	}
}

func TestSuggest(t *testing.T) {
	t.Parallel()
	all := []string{"symbol", "note", "requirement", "as", "not_needed", "false_alarm", "status"}
	for given, want := range map[string]string{
		"symbl": "symbol", "smybol": "symbol", "notes": "note", "req": "requirement",
		"not-needed": "not_needed", "Status": "status", "xyz": "", "a": "", "zz": "", "": "",
	} {
		if got := verb.Suggest(given, all); got != want {
			t.Errorf("Suggest(%q) = %q, want %q", given, got, want)
		}
	}
}
