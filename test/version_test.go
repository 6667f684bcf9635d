package test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	gitdoor "gitlet/internal/git"
)

// mounts reports whether a scenario may mount what only it sees.
var mounts = sync.OnceValue(func() bool {
	args := []string{"-rm", "true"}
	if os.Getuid() == 0 {
		args[0] = "-m"
	}
	return exec.Command("unshare", args...).Run() == nil
})

// condition answers [git:2.38]: the git on PATH is of that version or newer; [root]; and
// [mounts].
func condition(cond string) (bool, error) {
	switch cond {
	case "root":
		return os.Getuid() == 0, nil
	case "mounts":
		return mounts(), nil
	}
	name, want, _ := strings.Cut(cond, ":")
	major, minor, ok := strings.Cut(want, ".")
	x, err1 := strconv.Atoi(major)
	y, err2 := strconv.Atoi(minor)
	if name != "git" || !ok || err1 != nil || err2 != nil {
		return false, fmt.Errorf("condition %q is not like git:2.38", cond)
	}
	have, err := gitdoor.ReadVersion(context.Background())
	return err == nil && !have.Less(gitdoor.Version{Major: x, Minor: y}), err
}

// limits is what gitlet says it cannot do with the git on PATH, or "".
func limits() string {
	v, err := gitdoor.ReadVersion(context.Background())
	if err != nil {
		return ""
	}
	return v.Limits()
}

// otherWarnings are those that the git on PATH does not cause.
func otherWarnings(warnings []string) []string {
	old := limits()
	return slices.DeleteFunc(slices.Clone(warnings), func(w string) bool { return old != "" && w == old })
}

// cmdWarnings counts the warnings of the last output: warnings N. What an old git cannot
// do is said exactly once beside them.
func cmdWarnings(ts *testscript.TestScript, neg bool, args []string) {
	var r struct{ Warnings []string }
	if err := json.Unmarshal([]byte(ts.ReadFile("stdout")), &r); err != nil || len(args) != 1 || neg {
		ts.Fatalf("warnings N wants the output of --json: %v", err)
	}
	others := otherWarnings(r.Warnings)
	if strconv.Itoa(len(others)) != args[0] {
		ts.Fatalf("there are %d warnings, not %s: %q", len(others), args[0], others)
	}
	if said := len(r.Warnings) - len(others); said != 1 && limits() != "" {
		ts.Fatalf("what the old git cannot do is said %d times: %q", said, r.Warnings)
	}
}
