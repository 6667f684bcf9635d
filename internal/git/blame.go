package git

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
)

// Blame returns the commit that last changed a line of a file as it lies in the work tree;
// "" when that is not committed. Errors: ErrNotFound when the file or the line is not
// there, or git does not know the file.
func (w *Worktree) Blame(ctx context.Context, path string, line int) (string, error) {
	at := strconv.Itoa(line)
	out, err := w.run(ctx, call{step: "blame", class: localRead, timeout: timeouts[localWrite], okExit: []int{128},
		config: []string{"blame.showRoot=true", "blame.ignoreRevsFile="},
		env:    []string{"GIT_LITERAL_PATHSPECS=1"},
		args:   []string{"blame", "--porcelain", "-L", at + "," + at, "--", path}})
	if err != nil {
		return "", err
	}
	first, _, _ := bytes.Cut(out.Stdout, []byte(" "))
	oid := string(first)
	switch {
	case out.Exit == 128 || len(out.Stdout) == 0:
		return "", &Error{Step: "blame", Exit: out.Exit, Stderr: out.Stderr, Err: fmt.Errorf("%w: line %d of %q", ErrNotFound, line, path)}
	case !isOID(oid):
		return "", fmt.Errorf("blame: %q is no commit", oid)
	case isZero(oid):
		return "", nil
	}
	return oid, nil
}
