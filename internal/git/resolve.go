package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
)

// Resolve turns names ("HEAD^{commit}", "main", "<oid>^{tree}") into object ids, in
// one process. A name that stands for nothing here gives "".
func (r *Repo) Resolve(ctx context.Context, names ...string) ([]string, error) {
	oids := make([]string, len(names))
	var asked []string
	var at []int
	for i, n := range names {
		if n != "" && !strings.ContainsAny(n, "\n\x00") { // nothing can be called that
			asked, at = append(asked, n), append(at, i)
		}
	}
	objs, err := r.Objects(ctx, asked...)
	if err != nil {
		return nil, err
	}
	for i, o := range objs {
		oids[at[i]] = o.OID
	}
	return oids, nil
}

// ResolveOne is Resolve for one name that must exist; otherwise ErrNotFound.
func (r *Repo) ResolveOne(ctx context.Context, name string) (string, error) {
	oids, err := r.Resolve(ctx, name)
	if err != nil {
		return "", err
	}
	if oids[0] == "" {
		return "", &Error{Step: "resolve", Exit: -1, Err: fmt.Errorf("%w: %q", ErrNotFound, name)}
	}
	return oids[0], nil
}

// ObjectInfo is an object without its content. OID is "" when it is not here.
type ObjectInfo struct {
	OID, Type string
	Size      int64
}

// Objects looks many names up in one process. Names must not hold a line end.
func (r *Repo) Objects(ctx context.Context, names ...string) ([]ObjectInfo, error) {
	if len(names) == 0 {
		return nil, nil
	}
	var in bytes.Buffer
	for _, n := range names {
		if strings.ContainsAny(n, "\n\x00") || n == "" {
			return nil, &Error{Step: "look up objects", Exit: -1, Err: fmt.Errorf("%w: %q", ErrNotFound, n)}
		}
		in.WriteString(n + "\n")
	}
	out, err := r.run(ctx, call{step: "look up objects", class: localRead, stdin: in.Bytes(),
		args: []string{"cat-file", "--batch-check"}})
	if errors.Is(err, ErrPartial) {
		return r.objectsOneByOne(ctx, names)
	}
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(out.Stdout), "\n"), "\n")
	if len(lines) != len(names) {
		return nil, fmt.Errorf("look up objects: %d answers to %d names", len(lines), len(names))
	}
	infos := make([]ObjectInfo, len(names))
	for i, l := range lines {
		infos[i], _ = parseObjectLine(l)
	}
	return infos, nil
}

// objectsOneByOne is for partial clones, where one missing object ends the process.
func (r *Repo) objectsOneByOne(ctx context.Context, names []string) ([]ObjectInfo, error) {
	cat := r.NewCatFile(ctx)
	cat.check = true
	defer cat.Close()
	infos := make([]ObjectInfo, len(names))
	for i, n := range names {
		o, err := cat.Read(n, 0)
		if err != nil {
			return nil, err
		}
		infos[i] = ObjectInfo{OID: o.OID, Type: o.Type, Size: o.Size}
	}
	return infos, nil
}

// MergeBase returns the best common ancestor, or ErrNoMergeBase when the histories
// have none, or the clone is too shallow to show one.
func (r *Repo) MergeBase(ctx context.Context, a, b string) (string, error) {
	out, err := r.run(ctx, call{step: "merge-base", class: localRead, okExit: []int{1},
		args: []string{"merge-base", "--", a, b}})
	if err != nil {
		return "", err
	}
	if out.Exit == 1 {
		return "", &Error{Step: "merge-base", Exit: 1, Stderr: out.Stderr, Err: ErrNoMergeBase}
	}
	return trimLine(out.Stdout), nil
}

// IsAncestor reports whether a is an ancestor of b, or b itself.
func (r *Repo) IsAncestor(ctx context.Context, a, b string) (bool, error) {
	out, err := r.run(ctx, call{step: "merge-base", class: localRead, okExit: []int{1},
		args: []string{"merge-base", "--is-ancestor", "--", a, b}})
	return err == nil && out.Exit == 0, err
}

// Head is where a worktree's HEAD stands.
type Head struct {
	OID    string // "" on a branch without commits
	Branch string // short name; "" when detached
}

// Detached reports that HEAD names a commit, not a branch.
func (h Head) Detached() bool { return h.Branch == "" }

// Unborn reports that the branch has no commit yet.
func (h Head) Unborn() bool { return h.OID == "" }

// Head reads where HEAD stands.
func (w *Worktree) Head(ctx context.Context) (Head, error) {
	out, err := w.run(ctx, call{step: "read HEAD", class: localRead, okExit: []int{1},
		args: []string{"rev-parse", "--verify", "--quiet", "HEAD"}})
	if err != nil {
		return Head{}, err
	}
	h := Head{}
	if out.Exit == 0 {
		h.OID = trimLine(out.Stdout)
	}
	ref, err := w.SymbolicRef(ctx, "HEAD")
	if err != nil {
		return Head{}, err
	}
	h.Branch = strings.TrimPrefix(ref, "refs/heads/")
	return h, nil
}

// Short is an object id as people read it.
func Short(oid string) string { return oid[:min(len(oid), 10)] }
