package test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite what tests compare with: the demo in README.md, the goldens of scenarios")

// varying is what differs from one demo to the next.
var varying = []struct {
	re *regexp.Regexp
	to string
}{
	{regexp.MustCompile(`\S*/gitlet-demo-[0-9]+`), "/scratch"},
	{regexp.MustCompile(`\bn-[0-9a-f]{12}\b`), "n-000000000000"},
	{regexp.MustCompile(`\b[0-9a-f]{12}\b`), "000000000000"},
	// Said where the state is seconds old, which a busy machine takes for a step.
	{regexp.MustCompile(`\n\nThe others as of \S+ ago\.\n`), "\n"},
	{regexp.MustCompile(`\nThe others as of \S+ ago\.\n`), "\n"},
	{regexp.MustCompile(`(branch gitlet/[a-z-]+)-[0-9a-f]{4}\b`), "$1-0000"},
}

// cmdSameAsReadme compares the last output with the demo shown in README.md, ids and
// folders aside. With -update it writes it there.
func cmdSameAsReadme(ts *testscript.TestScript, neg bool, args []string) {
	file := filepath.Join(projectDir, "README.md")
	data, err := os.ReadFile(file)
	ts.Check(err)
	const from, to = "<!-- demo -->\n", "<!-- /demo -->"
	before, rest, ok := strings.Cut(string(data), from)
	shown, after, ok2 := strings.Cut(rest, to)
	if !ok || !ok2 {
		ts.Fatalf("README.md has no place for the demo")
	}
	got := ts.ReadFile("stdout")
	for _, v := range varying {
		got = v.re.ReplaceAllString(got, v.to)
	}
	got = "```text\n" + strings.TrimLeft(got, "\n") + "```\n"
	if got == shown {
		return
	}
	if !*update {
		ts.Fatalf("README.md shows another demo; run: go test ./test -run TestScripts/demo -update\n%s", got)
	}
	ts.Check(os.WriteFile(file, []byte(before+from+got+to+after), 0o644))
}
