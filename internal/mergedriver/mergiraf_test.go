package mergedriver

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gitlet/internal/git"
	"gitlet/internal/git/gittest"
)

// TestMergiraf has programs in place of mergiraf: what one merges well counts, whatever
// another does leaves git's conflict, byte for byte.
func TestMergiraf(t *testing.T) {
	const (
		base   = "def a():\n    return 1\n"
		ours   = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"
		theirs = "def a():\n    return 1\n\n\ndef c():\n    return 3\n"
		good   = ours + "\n\ndef c():\n    return 3\n"
	)
	scratch, path := t.TempDir(), os.Getenv("PATH")
	t.Setenv("TMPDIR", scratch)
	repo := gittest.New(t)
	repo.Git("config", "gitlet.mergeEngine", "mergiraf")
	short := mergirafTime
	mergirafTime = 300 * time.Millisecond
	t.Cleanup(func() { mergirafTime = short })
	says := func(text string) string { return "cat <<'X'\n" + text + "X\n" }
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	for name, c := range map[string]struct {
		script string // "" for none on PATH
		ends   func(string) string
		want   string // "" for git's own
		told   string
	}{
		"merges": {script: `[ "$1" = merge ] && [ "$(basename "$2")" = f.py ] && cmp -s "$2" "$BASE" && [ -z "$GIT_DIR$GITHEAD_1" ] || exit 3
` + says(good), want: good, told: `gitlet merged "dir/f.py" with mergiraf`},
		"merges CRLF":      {script: says(good) + "", ends: crlf, told: "do not end as those"},
		"keeps CRLF":       {script: "printf '" + strings.ReplaceAll(crlf(good), "\r\n", `\r\n`) + "'", ends: crlf, want: crlf(good)},
		"is not there":     {told: "which is not on PATH"},
		"conflicts":        {script: says("<<<<<<< \n=======\n>>>>>>> \n") + "exit 1"},
		"hides a conflict": {script: says(good + "<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n"), told: "not to be believed"},
		"drops":            {script: says(ours), told: "would be lost"},
		"doubles":          {script: says(good + "\n\ndef c():\n    return 3\n"), told: "lost or doubled"},
		"doubles a line":   {script: says(good + "a()\n"), told: "lost or doubled"},
		"breaks":           {script: says(strings.Replace(good, "def c():", "def c()", 1)), told: "not to be believed"},
		"babbles":          {script: "echo hello", told: "not to be believed"},
		"writes nothing":   {script: ":", told: "not to be believed"},
		"never ends":       {script: "while :; do sleep 1; done", told: "no end after"},
		"never stops":      {script: "while :; do echo x; done", told: "more output than allowed"},
		"dies":             {script: "kill -9 $$", told: "ended by signal"},
		"fails":            {script: says(good) + "exit 255", told: "exit status 255"},
		"is no program":    {script: "\x7fELF", told: "mergiraf: "},
		"eats its inputs":  {script: `echo >"$2"; rm -f "$3" "$4"; exit 1`},
	} {
		bin := t.TempDir()
		if c.script != "" {
			text := "#!/bin/sh\n" + c.script
			if strings.HasPrefix(c.script, "\x7f") {
				text = c.script
			}
			if err := os.WriteFile(filepath.Join(bin, "mergiraf"), []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		t.Setenv("PATH", bin+string(os.PathListSeparator)+path)
		ends := c.ends
		if ends == nil {
			ends = func(s string) string { return s }
		}
		for n, text := range map[string]string{"O": base, "A": ours, "B": theirs} {
			repo.Write(n, ends(text))
		}
		t.Setenv("BASE", repo.Path("O"))
		t.Setenv("GITHEAD_1", "topic")
		plain, conflicts, err := git.FileMerge{Dir: repo.Dir, Labels: [3]string{"HEAD", "base", "topic"}, MarkerSize: 7}.Run(context.Background(), "A", "O", "B")
		if err != nil || conflicts == 0 {
			t.Fatalf("git merges this by itself: %v", err)
		}
		call, _ := Parse([]string{"source", "O", "A", "B", "7", "dir/f.py", "base", "HEAD", "topic"})
		var out bytes.Buffer
		call.Dir, call.Out = repo.Dir, &out
		code := Run(context.Background(), call)
		want, wantCode := string(plain), Conflict
		if c.want != "" {
			want, wantCode = c.want, Merged
		}
		if got := repo.Read("A"); got != want || code != wantCode {
			t.Errorf("%s: exit %d, want %d; %q, want %q", name, code, wantCode, got, want)
		}
		if !strings.Contains(out.String(), c.told) || c.told == "" && c.want == "" && out.Len() > 0 {
			t.Errorf("%s: says %q, want %q", name, out.String(), c.told)
		}
	}
	if left, err := os.ReadDir(scratch); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}
