package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"gitlet/internal/contract"
	"gitlet/internal/pattern"
)

// judged counts what the command said of whole trees.
type judged struct {
	kinds                map[string][2]int // cases, and those in which the stub passes
	callers              int               // cases that fail only where the name is used
	told                 int               // other cases that fail, of which publish warns
	absent, main, change int               // cases left out
	seen                 map[string]bool
}

// The kinds of changes: the callers of a breaking one are not in its stub, so that main with
// it seldom passes.
const (
	added      = "new"
	compatible = "compatible"
	breaking   = "breaking"
)

func (j judged) counted() (all, pass int) {
	for _, n := range j.kinds {
		all, pass = all+n[0], pass+n[1]
	}
	return all, pass
}

func (j judged) String() string {
	all, pass := j.counted()
	text := fmt.Sprintf("main with the stub passes in %d of %d (%.0f%%)\n", pass, all, 100*float64(pass)/float64(max(all, 1)))
	for _, kind := range []string{compatible, breaking, added} {
		if n := j.kinds[kind]; n[0] > 0 {
			text += fmt.Sprintf("  %s: %d of %d\n", kind, n[1], n[0])
		}
	}
	if j.callers > 0 {
		text += fmt.Sprintf("  of those that do not, %d name only lines outside the definition that use it\n", j.callers)
	}
	if j.told > 0 {
		text += fmt.Sprintf("  of the others that do not, publish warns of %d\n", j.told)
	}
	return text + fmt.Sprintf("  left out: main does not pass %d, the change does not %d, a file is not here %d\n", j.main, j.change, j.absent)
}

// scratch is a clone that borrows the objects of a repository.
func scratch(ctx context.Context, from string) (string, error) {
	dir, err := os.MkdirTemp("", "stubrate-")
	if err != nil {
		return "", fmt.Errorf("make a scratch clone: %w", err)
	}
	return dir, run(ctx, dir, "clone", "-q", "--shared", "--no-checkout", from, ".")
}

func run(ctx context.Context, dir string, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir, "-c", "safe.directory=*", "-c", "advice.detachedHead=false"}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return nil
}

// judge lets the command see main, the change, and main with the stub: one case of each
// file of a commit, since the others stand in the same trees.
func (j *judged) judge(ctx context.Context, ch change, in contract.Input, stub *contract.Stub, kind string) error {
	of := ch.commit + ":" + ch.Path
	if j.seen[of] {
		return nil
	}
	if j.seen == nil {
		j.seen, j.kinds = map[string]bool{}, map[string][2]int{}
	}
	j.seen[of] = true
	known := map[string]bool{}
	for _, step := range []struct {
		rev  string
		left *int
	}{{ch.commit, &j.change}, {ch.parent, &j.main}} {
		if run(ctx, ch.dir, "checkout", "-q", "-f", step.rev) != nil {
			j.absent++ // a copy of a repository may lack some of its files
			return nil
		}
		said, ran := complaints(ctx, ch)
		if *others && ran {
			for _, line := range said {
				known[unplaced(line)] = true
			}
			said = nil
		}
		if said := strings.Join(said, "\n"); said != "" {
			*step.left++
			tell("%s %s: %s does not pass: %.500s\n", ch.commit[:12], ch.Path, step.rev[:12], said)
			return nil
		}
	}
	if err := os.WriteFile(filepath.Join(ch.dir, filepath.FromSlash(ch.Path)), stub.Data, 0o666); err != nil {
		return err
	}
	n := j.kinds[kind]
	n[0]++
	var fresh []string
	lines, _ := complaints(ctx, ch)
	for _, line := range lines {
		if !known[unplaced(line)] && (!*others || place.MatchString(line)) {
			fresh = append(fresh, line)
		}
	}
	said := strings.Join(fresh, "\n")
	switch {
	case said == "":
		n[1]++
		tell("%s %s:%s (%s): the stub passes\n", ch.commit[:12], ch.Path, in.Symbol.Qualified, kind)
	case onlyCallers(ch, stub, said):
		j.callers++
		tell("%s %s:%s (%s): main's callers do not pass: %s\n", ch.commit[:12], ch.Path, in.Symbol.Qualified, kind, said)
	default:
		if len(stub.Warnings) > 0 {
			j.told++
		}
		tell("%s %s:%s (%s): the stub does not pass, warned of %q: %s\n", ch.commit[:12], ch.Path, in.Symbol.Qualified, kind, stub.Warnings, said)
	}
	j.kinds[kind] = n
	return nil
}

func tell(format string, args ...any) {
	if *verbose {
		fmt.Printf(format, args...)
	}
}

// place is where a compiler says an error is: file:line:column or file(line,column).
var place = pattern.New(`(?:^|[\s"'])((?:[\w@.-]+/)*[\w@.-]+\.\w+)[:(](\d+)(?:[:,]\d+)?`)

// onlyCallers reports whether all that a compiler said is of lines outside the definition
// that use its name, or that stand right before or after one: callers of the old form.
func onlyCallers(ch change, stub *contract.Stub, said string) bool {
	const near = 3
	found := false
	for _, m := range place.FindAllStringSubmatch(said, -1) {
		line, err := strconv.Atoi(m[2])
		data, errRead := os.ReadFile(filepath.Join(ch.dir, filepath.FromSlash(strings.TrimPrefix(m[1], "./"))))
		if err != nil || errRead != nil {
			continue
		}
		lines := strings.Split(string(data), "\n")
		if line > len(lines) {
			continue
		}
		sym := stub.Symbol
		first := 1 + bytes.Count(stub.Data[:sym.StartByte], []byte("\n"))
		last := first + bytes.Count(stub.Data[sym.StartByte:sym.EndByte], []byte("\n"))
		if strings.TrimPrefix(m[1], "./") == ch.Path && line >= first && line <= last {
			return false
		}
		if !strings.Contains(strings.Join(lines[max(line-1-near, 0):min(line+near, len(lines))], "\n"), sym.Name) {
			return false
		}
		found = true
	}
	return found
}

// complaints runs the command: none is that it passed, otherwise the lines it printed. ran is
// false where those name no place in a file, so that it failed for another reason.
func complaints(ctx context.Context, ch change) (lines []string, ran bool) {
	cmd := exec.CommandContext(ctx, "sh", "-c", *check)
	cmd.Dir = ch.dir
	cmd.Env = append(os.Environ(), "FILE="+ch.Path, "DIR="+path.Dir(ch.Path))
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil, true
	}
	for _, line := range strings.Split(string(out), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			ran = ran || place.MatchString(line)
			lines = append(lines, line)
		}
	}
	return append(lines, err.Error()), ran
}

// unplaced is a line without the numbers of lines and columns, which move.
func unplaced(line string) string {
	return place.ReplaceAllString(line, "$1:")
}
