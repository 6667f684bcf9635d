package git

import (
	"context"
	"fmt"
	"strings"
)

// Grep lists the tracked text files that hold one of the names as a whole word, in
// the commit or tree rev, or in the work tree's files when rev is "". With paths,
// only those files and folders are searched.
func (w *Worktree) Grep(ctx context.Context, rev string, names []string, paths ...string) ([]string, error) {
	return w.grep(ctx, rev, names, nil, paths)
}

// GrepFold is Grep without regard to case.
func (w *Worktree) GrepFold(ctx context.Context, rev string, names []string, paths ...string) ([]string, error) {
	return w.grep(ctx, rev, names, []string{"-i"}, paths)
}

func (w *Worktree) grep(ctx context.Context, rev string, names, options, paths []string) ([]string, error) {
	if len(names) == 0 {
		return nil, nil
	}
	if strings.HasPrefix(rev, "-") {
		return nil, &Error{Step: "grep", Exit: -1, Err: fmt.Errorf("%w: %q", ErrNotFound, rev)}
	}
	args := []string{"grep", "-l", "-w", "-z", "-I", "-F", "--no-color", "--full-name", "--no-recurse-submodules"}
	args = append(args, options...)
	for _, n := range names {
		if strings.ContainsAny(n, "\n\x00") || n == "" {
			return nil, &Error{Step: "grep", Exit: -1, Err: fmt.Errorf("%q is no name", n)}
		}
		args = append(args, "-e", n)
	}
	if rev != "" {
		args = append(args, rev)
	}
	args = append(append(args, "--"), paths...)
	out, err := w.run(ctx, call{step: "grep", class: localRead, timeout: timeouts[localWrite], okExit: []int{1},
		env: []string{"GIT_LITERAL_PATHSPECS=1"}, args: args})
	if err != nil {
		return nil, err
	}
	files := fields(out.Stdout)
	if rev == "" {
		return files, nil
	}
	for i, f := range files {
		path, ok := strings.CutPrefix(f, rev+":")
		if !ok {
			return nil, fmt.Errorf("grep: %q is not in %q", f, rev)
		}
		files[i] = path
	}
	return files, nil
}
