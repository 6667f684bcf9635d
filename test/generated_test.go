package test

import (
	"bytes"
	"os"
	"testing"

	"gitlet/internal/app"
	"gitlet/internal/cli"
	"gitlet/internal/rules"
	"gitlet/internal/verb"
	"gitlet/internal/verbs"
)

// TestNotesAreDocumented compares docs/notes.md with the rules and the verbs there are.
func TestNotesAreDocumented(t *testing.T) {
	got, err := os.ReadFile("../docs/notes.md")
	if err != nil {
		t.Fatal(err)
	}
	want := rules.Markdown(func(name string) bool {
		v, ok := verb.Find(verbs.Table(), name)
		return ok && v.Built
	})
	if !bytes.Equal(got, want) {
		t.Error("docs/notes.md is out of date; run: make generate")
	}
}

// TestCommandsAreDocumented compares docs/commands.md with the commands there are.
func TestCommandsAreDocumented(t *testing.T) {
	got, err := os.ReadFile("../docs/commands.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != cli.Markdown(app.New("devel")) {
		t.Error("docs/commands.md is out of date; run: make generate")
	}
}
