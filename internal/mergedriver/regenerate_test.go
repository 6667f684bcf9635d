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

// lock is a repository in which a lock file and what it is made from were changed on both
// sides, and the call of the driver that git would make.
type lock struct {
	repo  *gittest.Repo
	call  Call
	out   *bytes.Buffer
	plain string // git's own merge
}

func conflictingLock(t *testing.T, file, manifest string, side func(who string) string) lock {
	t.Helper()
	l := lock{repo: gittest.New(t), out: &bytes.Buffer{}}
	commit := func(who, text string) string {
		l.repo.Write(manifest, text)
		l.repo.Write(file, side(who))
		return l.repo.Commit(who)
	}
	l.repo.Git("config", "gitlet.regenerate", "true")
	base := commit("base", "one\n2\n3\n4\nfive\n")
	l.repo.Git("checkout", "-qb", "topic")
	theirs := commit("theirs", "one\n2\n3\n4\nfive b\n")
	l.repo.Git("checkout", "-qb", "ours", base)
	commit("ours", "one a\n2\n3\n4\nfive\n")
	for name, who := range map[string]string{"O": "base", "A": "ours", "B": "theirs"} {
		l.repo.Write(name, side(who))
	}
	t.Setenv("GITHEAD_"+theirs, "topic")
	m := git.FileMerge{Dir: l.repo.Dir, Labels: [3]string{"HEAD", "base", "topic"}, MarkerSize: 7}
	plain, conflicts, err := m.Run(context.Background(), "A", "O", "B")
	if err != nil || conflicts == 0 {
		t.Fatalf("git merges %s by itself (%v)", file, err)
	}
	l.plain = string(plain)
	l.call, _ = Parse([]string{"lockfile", "O", "A", "B", "7", file, "base", "HEAD", "topic"})
	l.call.Dir, l.call.Out = l.repo.Dir, l.out
	return l
}

// run has the driver merge the file with this program on PATH, and gives what it left.
func (l lock) run(t *testing.T, tool, script string) (string, int) {
	t.Helper()
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, tool), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	l.out.Reset()
	code := Run(context.Background(), l.call)
	return l.repo.Read("A"), code
}

// TestRecipes has a program in place of each tool, which checks what it is asked and what
// it finds.
func TestRecipes(t *testing.T) {
	classic := func(who string) string { return "# yarn lockfile v1\n\n\na@1:\n  version \"" + who + "\"\n" }
	berry := func(who string) string {
		return "# made\n\n__metadata:\n  version: 8\n\n\"a@npm:1\":\n  version: " + who + "\n"
	}
	poetry := func(who string) string {
		return "[[package]]\nname = \"" + who + "\"\n\n[metadata]\nlock-version = \"2.0\"\n"
	}
	for _, c := range []struct {
		file, manifest, tool, args, more string
		side                             func(string) string
	}{
		{file: "package-lock.json", manifest: "package.json", tool: "npm", args: "install --package-lock-only --ignore-scripts --no-audit --no-fund",
			side: func(who string) string { return `{"name": "` + who + `", "lockfileVersion": 3}` + "\n" }},
		{file: "web/pnpm-lock.yaml", manifest: "web/package.json", tool: "pnpm", args: "install --lockfile-only --ignore-scripts --ignore-pnpmfile --no-frozen-lockfile",
			side: func(who string) string { return "lockfileVersion: '9.0'\n\nimporters:\n\n  .: {" + who + ": 1}\n" }},
		{file: "yarn.lock", manifest: "package.json", tool: "yarn", args: "install --ignore-scripts --no-bin-links --non-interactive --no-progress",
			more: `[ "$YARN_IGNORE_PATH" = 1 ] || exit 4`, side: classic},
		{file: "yarn.lock", manifest: "package.json", tool: "yarn", args: "install --mode=update-lockfile",
			more: `[ "$YARN_IGNORE_PATH$YARN_ENABLE_TELEMETRY$YARN_ENABLE_SCRIPTS" = 100 ] || exit 4`, side: berry},
		{file: "poetry.lock", manifest: "pyproject.toml", tool: "poetry", args: "lock --no-interaction --no-update",
			more: `[ "$POETRY_VIRTUALENVS_CREATE" = false ] || exit 4`, side: poetry},
		{file: "poetry.lock", manifest: "pyproject.toml", tool: "poetry", args: "lock --no-interaction", side: poetry},
		{file: "uv.lock", manifest: "pyproject.toml", tool: "uv", args: "lock --no-build",
			side: func(who string) string { return "version = 1\n\n[[package]]\nname = \"" + who + "\"\n" }},
		{file: "composer.lock", manifest: "composer.json", tool: "composer", args: "update --minimal-changes --no-install --no-scripts --no-plugins --no-audit --no-interaction",
			side: func(who string) string { return `{"content-hash": "` + who + `", "packages": []}` + "\n" }},
		{file: "Gemfile.lock", manifest: "Gemfile", tool: "bundle", args: "lock --local",
			side: func(who string) string { return "GEM\n  specs:\n    " + who + " (1)\n\nDEPENDENCIES\n  " + who + "\n" }},
		{file: "Cargo.lock", manifest: "Cargo.toml", tool: "cargo", args: "update -w --offline",
			side: func(who string) string { return "version = 4\n\n[[package]]\nname = \"" + who + "\"\n" }},
	} {
		version := "Poetry (version 1.8.2)"
		if c.tool == "poetry" && !strings.Contains(c.args, "no-update") {
			version = "Poetry (version 2.1.0)"
		}
		l := conflictingLock(t, c.file, c.manifest, c.side)
		name := filepath.Base(c.file)
		got, code := l.run(t, c.tool, `[ "$1" = --version ] && { echo '`+version+`'; exit 0; }
[ "$*" = '`+c.args+`' ] || { echo "asked: $*" >&2; exit 2; }
[ "$(cat `+filepath.Base(c.manifest)+`)" = "one a
2
3
4
five b" ] || exit 3
[ -z "$GIT_DIR" ] && [ -s `+name+` ] || exit 5
`+c.more+`
cat >`+name+` <<'X'
`+c.side("merged")+`X
`)
		if got != c.side("merged") || code != Merged || !strings.Contains(l.out.String(), "by making it again with") {
			t.Errorf("%s with %q: exit %d, %q: %s", c.file, c.args, code, got, l.out)
		}
	}
}

// TestRegenerateInDoubt: whatever a tool does but make the file leaves git's conflict, byte
// for byte, and nothing else behind.
func TestRegenerateInDoubt(t *testing.T) {
	scratch, long := t.TempDir(), toolTime
	t.Setenv("TMPDIR", scratch)
	toolTime = 300 * time.Millisecond
	t.Cleanup(func() { toolTime = long })
	side := func(who string) string { return "# yarn lockfile v1\n\n\na@1:\n  version \"" + who + "\"\n" }
	l := conflictingLock(t, "yarn.lock", "package.json", side)
	for name, c := range map[string]struct{ script, told string }{
		"fails":            {"exit 1", "exit status 1"},
		"writes and fails": {"printf '%s' '" + side("x") + "' >yarn.lock; exit 1", "exit status 1"},
		"hangs":            {"while :; do sleep 1; done", "no end after"},
		"dies":             {"kill -9 $$", "ended by signal"},
		"takes it away":    {"rm yarn.lock", "left nothing"},
		"empties it":       {": >yarn.lock", "left nothing"},
		"puts a link":      {"ln -sf /etc/hostname yarn.lock", "left nothing"},
		"puts a folder":    {"rm yarn.lock; mkdir yarn.lock", "left nothing"},
		"babbles":          {"echo hello >yarn.lock", "cannot be read"},
		"leaves markers":   {"printf '%s' '" + side("x") + "<<<<<<< a\n=======\n>>>>>>> b\n' >yarn.lock", "cannot be read"},
		"writes another":   {"printf '__metadata:\\n  version: 8\\n' >yarn.lock", "cannot be read"},
		"writes a later":   {"printf '# yarn lockfile v2\\n' >yarn.lock", `writes it in format "yarn v2", and main has it in "yarn v1"`},
	} {
		l.repo.Write("A", side("ours"))
		got, code := l.run(t, "yarn", c.script)
		if got != l.plain || code != Conflict || !strings.Contains(l.out.String(), c.told) {
			t.Errorf("%s: exit %d, %q: %s", name, code, got, l.out)
		}
	}
	if left, err := os.ReadDir(scratch); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}

// TestCodeTakesPart: a file that the tool would run leaves the lock file to git.
func TestCodeTakesPart(t *testing.T) {
	l := conflictingLock(t, "pnpm-lock.yaml", "package.json", func(who string) string { return "lockfileVersion: '9.0'\n" + who + ": 1\n" })
	l.repo.Git("checkout", "-q", "ours")
	l.repo.Write(".pnpmfile.cjs", "x")
	l.repo.Git("add", ".pnpmfile.cjs")
	l.repo.Git("commit", "-qm", "code")
	if got, code := l.run(t, "pnpm", "echo lockfileVersion: 9.0 >pnpm-lock.yaml"); got != l.plain || code != Conflict || !strings.Contains(l.out.String(), `".pnpmfile.cjs" takes part in making it, and is code`) {
		t.Errorf("exit %d, %q: %s", code, got, l.out)
	}
}

// TestFormats: what is read as a lock file, and what is not.
func TestFormats(t *testing.T) {
	for name, c := range map[string]struct {
		format func([]byte) (string, bool)
		good   map[string]string
		bad    []string
	}{
		"package-lock": {jsonFormat("lockfileVersion"), map[string]string{`{"lockfileVersion": 2}`: "2"}, []string{"", "{", `{"a": 1}`, `[]`}},
		"pnpm": {yamlFormat("lockfileVersion"), map[string]string{"lockfileVersion: 5.4\n\nspecifiers:\n  a: 1\n": "5.4", "---\nlockfileVersion: '9.0'\n'a b':\n": "9.0"},
			[]string{"", "a: 1\n", "lockfileVersion: 1\nhello\n", "lockfileVersion: 1\n<<<<<<< a\n", "\tlockfileVersion: 1\n"}},
		"cargo": {tomlFormat("version"), map[string]string{"version = 3\n": "3", "[[package]]\nname = \"a\"\n": "<nil>"}, []string{"", "a", "[["}},
		"berry": {berryFormat, map[string]string{"__metadata:\n  version: 6\n\n\"a@b\":\n  version: 1\n? \"long\"\n: version: 2\n": "yarn 6"}, []string{"", "__metadata:\n", "__metadata:\n  version: 6\nhello\n"}},
		"classic": {classicFormat, map[string]string{"# yarn lockfile v1\n\n\n": "yarn v1", "# a\n# yarn lockfile v1\n\n\"@a/b@^1\", \"c d@>=1 <2\":\n  version 1\n\ne@1, f@2:\n  x y\n": "yarn v1"},
			[]string{"", "a@1:\n  x\n", "# yarn lockfile v1\nhello\n"}},
		"gem": {gemFormat, map[string]string{"PATH\n  remote: .\n\nDEPENDENCIES\n  a!\n\nBUNDLED WITH\n   2.3\n": ""}, []string{"", "GEM\n", "DEPENDENCIES\nx\n"}},
		"sum": {sumFormat, map[string]string{"a v1 h1:x=\n": ""}, []string{"a\n"}},
	} {
		for text, want := range c.good {
			if got, ok := c.format([]byte(text)); !ok || got != want {
				t.Errorf("%s: %q is %q, %v; want %q", name, text, got, ok, want)
			}
		}
		for _, text := range c.bad {
			if got, ok := c.format([]byte(text)); ok {
				t.Errorf("%s: %q is taken, as %q", name, text, got)
			}
		}
	}
}
