package lang_test

import (
	"bytes"
	"go/format"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gitlet/internal/lang"
	"gitlet/internal/lang/langtest"
)

// formatters are each language's own formatters: one that is in Go's library, and
// programs that are used where PATH has them. They read a source from standard input.
var formatters = map[string][][]string{
	"go":         {{"gofmt"}},
	"rust":       {{"rustfmt", "--edition", "2024", "--config", "max_width=60"}, {"rustfmt", "--edition", "2021"}},
	"python":     {{"black", "-q", "-"}, {"ruff", "format", "-"}},
	"typescript": {{"prettier", "--stdin-filepath", "a.ts"}, {"prettier", "--no-semi", "--single-quote", "--print-width=50", "--stdin-filepath", "a.ts"}},
	"tsx":        {{"prettier", "--stdin-filepath", "a.tsx"}, {"prettier", "--no-semi", "--single-quote", "--print-width=50", "--stdin-filepath", "a.tsx"}},
	"javascript": {{"prettier", "--stdin-filepath", "a.jsx"}, {"prettier", "--no-semi", "--single-quote", "--print-width=50", "--stdin-filepath", "a.jsx"}},
}

// TestFormattersChangeNothing runs the cases' sources through the formatters. What a
// formatter refuses (some cases are not valid on purpose) is not compared.
func TestFormattersChangeNothing(t *testing.T) {
	for _, l := range lang.All() {
		commands := formatters[l.Name]
		if len(commands) == 0 {
			t.Errorf("%s has no formatter", l.Name)
		}
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			for _, command := range commands {
				formatted := 0
				for _, c := range langtest.Cases(t, filepath.Join("testdata", l.Name)) {
					out, ok := reformat(command, c.Source())
					if !ok {
						continue
					}
					formatted++
					before := langtest.Read(t, l, c.Source())
					if before.HasErrors {
						continue // error recovery may read another layout in another way
					}
					if d := langtest.Differ(before, langtest.Read(t, l, out), true); d != "" {
						t.Errorf("%s of %s: %s\n%s", strings.Join(command, " "), c.Name, d, out)
					}
				}
				if l.Name == "go" && formatted < 5 {
					t.Errorf("only %d cases are formatted", formatted)
				}
			}
		})
	}
}

// reformat runs one formatter; ok is false when it is not there or refuses the source.
func reformat(command []string, src []byte) (out []byte, ok bool) {
	if command[0] == "gofmt" {
		out, err := format.Source(src)
		return out, err == nil
	}
	path, err := exec.LookPath(command[0])
	if err != nil {
		return nil, false
	}
	cmd := exec.Command(path, command[1:]...)
	cmd.Stdin = bytes.NewReader(src)
	out, err = cmd.Output()
	return out, err == nil
}
