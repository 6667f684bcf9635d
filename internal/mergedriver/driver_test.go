package mergedriver

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gitlet/internal/git"
)

// call writes the versions of a file as git does for a driver.
func call(t testing.TB, name, base, ours, theirs string) Call {
	t.Helper()
	dir := t.TempDir()
	for n, text := range map[string]string{"O": base, "A": ours, "B": theirs} {
		if err := os.WriteFile(filepath.Join(dir, n), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, ok := Parse([]string{"source", "O", "A", "B", "7", name, "base", "HEAD", "topic"})
	if !ok {
		t.Fatal("the call is not understood")
	}
	c.Dir, c.Out = dir, io.Discard
	return c
}

func TestParse(t *testing.T) {
	for _, bad := range [][]string{nil, {"source"}, {"union", "O", "A", "B", "7", "p"}, {"source", "O", "A", "B", "x", "p"},
		{"source", "O", "A", "B", "0", "p"}, {"source", "O", "A", "B", "7", "p", "a", "b", "c", "d"}} {
		if _, ok := Parse(bad); ok {
			t.Errorf("%q is taken", bad)
		}
	}
	c, ok := Parse([]string{"source", "O", "A", "B", "9", "p", "%S", "%X", "%Y"}) // git before 2.44
	if !ok || c.MarkerSize != 9 || c.Labels[0] != "HEAD" || c.Labels[1] != "base" {
		t.Errorf("%+v, %v", c, ok)
	}
	for want, env := range map[string][]string{"topic": {"A=b", "GITHEAD_01=topic"}, noName: {"GITHEAD_01=a", "GITHEAD_02=b"}} {
		if got := theirName(env); got != want {
			t.Errorf("%q is called %q, want %q", env, got, want)
		}
	}
}

// TestDoubtIsGitsOwn: what is in doubt is byte for byte what git merge-file gives, with its
// labels and markers of any size, and the exit code is that of a conflict.
func TestDoubtIsGitsOwn(t *testing.T) {
	for name, v := range map[string][3]string{
		"a.go":   {"package p\n\nvar A = 1\n", "package p\n\nvar A = 2\n", "package p\n\nvar A = 3\n"},
		"b.go":   {"package p\n", "package p\n\nfunc a( {\n", "package p\n\nfunc b( {\n"},
		"c.py":   {"", "def a(): pass\n", "def b(): pass\n"},
		"d.txt":  {"1\n", "2\n", "3\n"},
		"e.go":   {"package p\n\x00", "package p\n\x00a", "package p\n\x00b"},
		"f.rs":   {"fn a() {}\r\n", "fn a() {}\nfn b() {}\r\n", "fn a() {}\r\nfn c() {}\n"},
		"-g.ts":  {"let a = 1", "let a = 2", "let a = 3"},
		"h.wasm": {"x", "y", "z"},
	} {
		c := call(t, name, v[0], v[1], v[2])
		c.MarkerSize = 11
		m := git.FileMerge{Dir: c.Dir, Labels: [3]string{"HEAD", "base", "topic"}, MarkerSize: 11}
		want, conflicts, err := m.Run(context.Background(), "A", "O", "B")
		code := Run(context.Background(), c)
		got, readErr := os.ReadFile(filepath.Join(c.Dir, "A"))
		switch {
		case readErr != nil:
			t.Fatal(readErr)
		case err != nil: // git itself cannot: it is asked again by the command
			if code != Unable || string(got) != v[1] {
				t.Errorf("%s: exit %d, %q, where git says %v", name, code, got, err)
			}
		case conflicts == 0 || code != Conflict || !bytes.Equal(got, want):
			t.Errorf("%s: exit %d, %q, want %q", name, code, got, want)
		}
	}
}

func TestMissingFiles(t *testing.T) {
	c := call(t, "a.go", "package p\n", "package p\n", "package p\n")
	if err := os.Remove(filepath.Join(c.Dir, "O")); err != nil {
		t.Fatal(err)
	}
	if code := Run(context.Background(), c); code != Unable {
		t.Errorf("exit %d", code)
	}
}

// functions are a small function in each language, named and numbered.
var functions = map[string]string{
	"go":  "func %[1]s(x int) int {\n\ty := x + %[2]d\n\treturn y\n}\n\n",
	"py":  "def %[1]s(x):\n    y = x + %[2]d\n    return y\n\n\n",
	"js":  "function %[1]s(x) {\n  const y = x + %[2]d;\n  return y;\n}\n\n",
	"ts":  "export function %[1]s(x: number): number {\n  const y = x + %[2]d;\n  return y;\n}\n\n",
	"tsx": "export function %[1]s(x: number) {\n  const y = x + %[2]d;\n  return <p>{y}</p>;\n}\n\n",
	"rs":  "pub fn %[1]s(x: u32) -> u32 {\n    let y = x + %[2]d;\n    y\n}\n\n",
}

// BenchmarkSource merges a file of 5,000 lines that conflicts, in each language, and says
// how long git's own merge of it takes beside: the driver may take twice that and 200 ms
// more.
func BenchmarkSource(b *testing.B) {
	for ext, function := range functions {
		b.Run(ext, func(b *testing.B) { benchmarkSource(b, ext, function) })
	}
}

func benchmarkSource(b *testing.B, ext, function string) {
	file := func(more string) string {
		var s strings.Builder
		if ext == "go" {
			s.WriteString("package p\n\n")
		}
		for i := range 1000 {
			fmt.Fprintf(&s, function, fmt.Sprint("f", i), i)
		}
		if more != "" {
			fmt.Fprintf(&s, function, more, 1)
		}
		return s.String()
	}
	base, ours, theirs := file(""), file("ours"), file("theirs")
	var alone time.Duration
	for b.Loop() {
		b.StopTimer()
		c := call(b, "f."+ext, base, ours, theirs)
		start := time.Now()
		if _, n, err := (git.FileMerge{Dir: c.Dir}).Run(context.Background(), "A", "O", "B"); err != nil || n == 0 {
			b.Fatalf("git merges it by itself: %v", err)
		}
		alone += time.Since(start)
		b.StartTimer()
		if code := Run(context.Background(), c); code != Merged {
			b.Fatalf("exit %d", code)
		}
	}
	git := float64(alone.Microseconds()) / 1000 / float64(b.N)
	own := float64(b.Elapsed().Microseconds()) / 1000 / float64(b.N)
	b.ReportMetric(git, "git-ms/op")
	b.ReportMetric(own, "driver-ms/op")
	b.ReportMetric(own/(200+2*git), "of-allowed")
}
