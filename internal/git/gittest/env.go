package gittest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Who and when every fixture commit is by. Repo.Commit counts the date up.
const (
	Name  = "Fixture"
	Email = "fixture@example.com"
	Date  = "2026-01-05T10:00:00+00:00"
)

// seal returns the variables that cut a git process off from the machine.
func seal(home string) []string {
	return []string{
		"HOME=" + home,
		"XDG_CONFIG_HOME=" + filepath.Join(home, ".config"),
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_ATTR_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=" + Name, "GIT_AUTHOR_EMAIL=" + Email, "GIT_AUTHOR_DATE=" + Date,
		"GIT_COMMITTER_NAME=" + Name, "GIT_COMMITTER_EMAIL=" + Email, "GIT_COMMITTER_DATE=" + Date,
		"TZ=UTC",
	}
}

// Env returns a whole environment for a child process that runs git: the present
// one without any GIT_ variable, sealed, with home as the home folder. Git's event
// trace is not inherited, so that fixtures do not appear in it.
func Env(home string) []string {
	var env []string
	sealed := seal(home)
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		if !strings.HasPrefix(name, "GIT_") && name != "EMAIL" && !sets(sealed, name) {
			env = append(env, kv)
		}
	}
	return append(env, sealed...)
}

func sets(env []string, name string) bool {
	for _, kv := range env {
		if strings.HasPrefix(kv, name+"=") {
			return true
		}
	}
	return false
}

// keepGo pins where the go command keeps its caches and settings, which it would
// otherwise look for below the sealed home: tests that build programs would start
// from nothing.
func keepGo() {
	set := func(name string, dir func() (string, error), rest ...string) {
		if base, err := dir(); err == nil && os.Getenv(name) == "" {
			_ = os.Setenv(name, filepath.Join(append([]string{base}, rest...)...)) // constant, valid names
		}
	}
	set("GOCACHE", os.UserCacheDir, "go-build")
	set("GOENV", os.UserConfigDir, "go", "env")
	set("GOPATH", os.UserHomeDir, "go")
}

// Main seals this process and runs the tests; call it from TestMain with os.Exit.
// Code under test then runs git as sealed as fixtures do, also in parallel tests.
func Main(m *testing.M) int {
	keepGo()
	home, err := os.MkdirTemp("", "gittest-home-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(home)
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GIT_") || name == "EMAIL" {
			_ = os.Unsetenv(name) // a name that came from the environment is valid
		}
	}
	for _, kv := range seal(home) {
		name, value, _ := strings.Cut(kv, "=")
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	return m.Run()
}

// Seal seals this process for one test that is not parallel, and returns its home.
func Seal(t *testing.T) string {
	t.Helper()
	keepGo()
	home := t.TempDir()
	for _, kv := range os.Environ() {
		if name, value, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GIT_") || name == "EMAIL" {
			t.Setenv(name, value) // puts it back at the end
			if err := os.Unsetenv(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, kv := range seal(home) {
		name, value, _ := strings.Cut(kv, "=")
		t.Setenv(name, value)
	}
	return home
}
