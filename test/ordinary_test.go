package test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// nobody is the user and the group that a scenario of root's becomes to be ordinary.
const nobody = 65534

// becomeNobody is a program that runs another one as nobody.
func becomeNobody() {
	program, err := exec.LookPath(os.Args[1])
	for _, step := range []func() error{
		func() error { return err },
		func() error { return syscall.Setgroups(nil) },
		func() error { return syscall.Setresgid(nobody, nobody, nobody) },
		func() error { return syscall.Setresuid(nobody, nobody, nobody) },
		func() error { return syscall.Exec(program, os.Args[1:], os.Environ()) },
	} {
		if err := step(); err != nil {
			fmt.Fprintln(os.Stderr, "as nobody:", err)
			os.Exit(126)
		}
	}
}

// cmdOrdinary runs a command as somebody who may not read and write everything. For root
// that is another user, who owns the scenario's folder meanwhile; for everybody else it is
// the command as it is.
func cmdOrdinary(ts *testscript.TestScript, neg bool, args []string) {
	root := os.Getuid() == 0
	if root {
		bin, _, _ := strings.Cut(ts.Getenv("PATH"), string(os.PathListSeparator))
		ts.Check(passable(bin))
		ts.Check(passable(work(ts)))
		ts.Check(give(work(ts), nobody))
		args = append([]string{"as-nobody"}, args...)
	}
	err := ts.Exec(args[0], args[1:]...)
	if root {
		ts.Check(give(work(ts), 0))
	}
	if (err != nil) != neg {
		ts.Fatalf("%s: %v", strings.Join(args, " "), err)
	}
}

// passable lets everybody through to a temporary folder of this test.
func passable(dir string) error {
	for ; strings.HasPrefix(dir, os.TempDir()+string(filepath.Separator)); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			return err
		}
	}
	return nil
}

// give makes everything below a folder somebody's.
func give(dir string, to int) error {
	return filepath.WalkDir(dir, func(p string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(p, to, to)
	})
}
