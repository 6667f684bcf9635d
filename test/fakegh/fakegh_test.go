package fakegh

import (
	"flag"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "record the flags of the gh on PATH")

const recorded = "testdata/flags.txt"

// TestFlagsAreThoseOfGH compares with what the real gh said it takes when it was asked
// last, and with the one on PATH where there is one.
func TestFlagsAreThoseOfGH(t *testing.T) {
	if *update {
		var b strings.Builder
		for _, name := range commands() {
			b.WriteString(name + ": " + strings.Join(ask(t, name), " ") + "\n")
		}
		if err := os.WriteFile(recorded, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(recorded)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string][]string{}
	for line := range strings.Lines(string(data)) {
		name, flags, _ := strings.Cut(strings.TrimSpace(line), ": ")
		known[name] = strings.Fields(flags)
	}
	_, err = exec.LookPath("gh")
	for _, name := range commands() {
		if err == nil {
			known[name] = ask(t, name)
		}
		for f, valued := range Flags[name] {
			want := f
			if valued {
				want += "="
			}
			if !slices.Contains(known[name], want) {
				t.Errorf("gh %s takes %v, not %q", name, known[name], want)
			}
		}
	}
}

func commands() []string {
	var names []string
	for name := range Flags {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

var flagLine = regexp.MustCompile(`(?m)^\s+(?:-\w, )?--([\w-]+)(?: (\S+))?  `)

// ask returns the flags of a command, with "=" after those that take a value.
func ask(t *testing.T, name string) []string {
	cmd := exec.Command("gh", append(strings.Fields(name), "--help")...)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "GH_NO_UPDATE_NOTIFIER=1", "NO_COLOR=1")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("gh %s --help: %v", name, err)
	}
	var flags []string
	for _, m := range flagLine.FindAllStringSubmatch(string(out), -1) {
		f := m[1]
		if m[2] != "" {
			f += "="
		}
		flags = append(flags, f)
	}
	slices.Sort(flags)
	return flags
}
