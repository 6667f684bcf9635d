package test

import (
	"bytes"
	"os"
	"testing"

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
