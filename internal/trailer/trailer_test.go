package trailer

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
)

var two = []Line{{"Gitlet-Item", "0123456789ab"}, {"Gitlet-Agent", "a-b-c"}}

const added = "Gitlet-Item: 0123456789ab\nGitlet-Agent: a-b-c\n"

func TestAdd(t *testing.T) {
	file := Options{Comment: "#", Scissors: true}
	for name, c := range map[string]struct {
		o        Options
		in, want string
	}{
		"a subject":          {file, "Fix it\n", "Fix it\n\n" + added},
		"no line end":        {file, "Fix it", "Fix it\n\n" + added},
		"a body":             {file, "Fix it\n\nBecause: I say so.\nAnd more.\n", "Fix it\n\nBecause: I say so.\nAnd more.\n\n" + added},
		"a block":            {file, "Fix it\n\nSigned-off-by: A <a@b>\n", "Fix it\n\nSigned-off-by: A <a@b>\n" + added},
		"a block of another": {file, "Fix it\n\nBody\n\nReviewed-by: A\n  and B\n", "Fix it\n\nBody\n\nReviewed-by: A\n  and B\n" + added},
		"only there once":    {file, "Fix it\n\n" + added, "Fix it\n\n" + added},
		"one of the two":     {file, "Fix it\n\nGitlet-Agent: a-b-c\n", "Fix it\n\nGitlet-Agent: a-b-c\nGitlet-Item: 0123456789ab\n"},
		"comments":           {file, "Fix it\n\n# Please enter\n# the message\n", "Fix it\n\n" + added + "\n# Please enter\n# the message\n"},
		"scissors": {file, "Fix it\n# Please\n# ------------------------ >8 ------------------------\n# Do not\ndiff --git a/a b/a\n+x: y\n",
			"Fix it\n\n" + added + "# Please\n# ------------------------ >8 ------------------------\n# Do not\ndiff --git a/a b/a\n+x: y\n"},
		"another comment character": {Options{Comment: ";"}, "Fix it\n# no comment\n; one\n", "Fix it\n# no comment\n\n" + added + "; one\n"},
		"an empty message":          {file, "\n# Please enter\n", "\n# Please enter\n"},
		"only signed":               {file, "\n\nSigned-off-by: A <a@b>\n# Please enter\n", "\n\nSigned-off-by: A <a@b>\n# Please enter\n"},
		"an empty file":             {file, "", ""},
		"an empty one with a diff":  {file, "\n# x\n# ------------------------ >8 ------------------------\ndiff\n", "\n# x\n# ------------------------ >8 ------------------------\ndiff\n"},
		"text, not comments":        {Options{}, "# Heading\n\nText\n", "# Heading\n\nText\n\n" + added},
		"a subject like a trailer":  {file, "fix: it\n", "fix: it\n\n" + added},
	} {
		if got := Add(c.in, c.o, two...); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
	}
	if !Has("x\n\n"+added, file, "gitlet-item") || Has("x\n\nGitlet-Item: 1 is quoted\nhere\n", file, "Gitlet-Item") {
		t.Error("Has")
	}
}

// TestAddsAsGitDoes compares with git's own command on messages put together from lines
// of every sort. An empty message is handled differently, and git also tidies the lines
// that were there, which stay as they are here.
func TestAddsAsGitDoes(t *testing.T) {
	lines := []string{"Subject", "fix: subject", "", "", "Text of the body", "Reviewed-by: A", "Signed-off-by: B <b@c>", "Tested-by: C\n  continued",
		"# comment", "(cherry picked from commit 1234)", "Gitlet-Agent: a-b-c", "Key : spaced", "Not a key: x"}
	r := rand.New(rand.NewPCG(1, 2))
	rounds := 150
	for range rounds {
		var b strings.Builder
		for range 1 + r.IntN(9) {
			b.WriteString(lines[r.IntN(len(lines))] + "\n")
		}
		in := b.String()
		if r.IntN(5) == 0 {
			in += "\nConflicts:\n\tsome/file\n"
		}
		if r.IntN(5) == 0 {
			in += "# ------------------------ >8 ------------------------\n# Do not\ndiff --git\n+Key: x\n"
		}
		o := Options{Comment: "#", Scissors: true}
		if o.blank(in[:o.end(in)]) {
			continue
		}
		cmd := exec.Command("git", "interpret-trailers", "--no-divider", "--if-exists", "addIfDifferent", "--trailer", two[0].String(), "--trailer", two[1].String())
		cmd.Stdin = strings.NewReader(in)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "HOME=/nonexistent", "GIT_CEILING_DIRECTORIES=/")
		cmd.Dir = t.TempDir()
		want, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, want)
		}
		if got := Add(in, o, two...); tidy(got) != tidy(string(want)) {
			t.Errorf("%q\n got %q\n git %q", in, got, want)
		}
	}
}

// tidy takes away what git changes in a block that is there: comments inside it, and the
// space around the colon.
func tidy(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		if strings.HasPrefix(line, "#") && !strings.Contains(line, ">8") {
			continue
		}
		b.WriteString(strings.TrimRight(strings.ReplaceAll(line, "Key :", "Key:"), " \n") + "\n")
	}
	return b.String()
}
