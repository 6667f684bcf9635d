package test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// costRow is a line of the table of costs in docs/architecture.md: the call begins with
// its verb.
var costRow = regexp.MustCompile("(?m)^\\| `(\\w+)`[^|]* \\| (\\d+) \\| `([^`]+)` \\|$")

// pinned is a line of a scenario that pins the git processes of a verb.
var pinned = regexp.MustCompile(`(?m)^git-calls '([^']+)' gitlet (\w+)`)

// TestCostsAreStated holds the table of costs and the scenarios that pin them together.
func TestCostsAreStated(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(projectDir, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	stated := map[string]bool{}
	for _, m := range costRow.FindAllStringSubmatch(string(data), -1) {
		stated[strings.Join(m[1:], " ")] = true
	}
	found := map[string]bool{}
	scripts, err := filepath.Glob(filepath.Join("script", "*_costs.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scripts {
		text, err := os.ReadFile(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pinned.FindAllStringSubmatch(string(text), -1) {
			found[fmt.Sprintf("%s %d test/%s", m[2], len(strings.Fields(m[1])), filepath.ToSlash(s))] = true
		}
	}
	for row := range stated {
		if !found[row] {
			t.Errorf("docs/architecture.md states %q, which no scenario pins", row)
		}
	}
	for row := range found {
		if !stated[row] {
			t.Errorf("docs/architecture.md does not state %q", row)
		}
	}
	if len(found) < 2 {
		t.Error("no scenario pins a cost")
	}
}
