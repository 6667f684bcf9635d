package replay

import (
	"context"

	"gitlet/internal/git"
	"gitlet/internal/rerere"
)

// attempt is looking up the files of one stop.
type attempt struct {
	*Book
	t     *git.Trial
	s     *git.Stop
	style string // the files that are open are marked in
	open  []string
	files map[string][]byte // what was found for the others
	used  []Used
}

// mark has the open files in a style.
func (a *attempt) mark(ctx context.Context, style string) error {
	if a.style == "" && style == a.styles[0] {
		a.style = style // the trial began with it
	}
	if a.style == style {
		return nil
	}
	a.style = style
	return a.t.Remark(ctx, style, a.open)
}

// conflicts reads the open files, those that hold whole conflicts.
func (a *attempt) conflicts() (map[string]*rerere.Conflict, error) {
	out := map[string]*rerere.Conflict{}
	for _, path := range a.open {
		data, err := a.t.Read(path)
		if err != nil {
			return nil, err
		}
		if c, ok := rerere.Read(data, a.Repo.ObjectFormat); ok {
			out[path] = c
		}
	}
	return out, nil
}

// settle takes a file as solved.
func (a *attempt) settle(path string, after []byte, u Used) {
	u.Path, u.Commit = path, a.s.Commit
	a.files[path] = after
	a.used = append(a.used, u)
	left := a.open[:0:0]
	for _, p := range a.open {
		if p != path {
			left = append(left, p)
		}
	}
	a.open = left
}

// recorded solves what was recorded in this clone.
func (a *attempt) recorded(ctx context.Context) error {
	all, err := a.conflicts()
	if err != nil {
		return err
	}
	for _, path := range a.open {
		if all[path] == nil {
			continue
		}
		after, u, err := a.find(ctx, all[path])
		if err != nil {
			return err
		}
		if u != nil {
			a.settle(path, after, *u)
		}
	}
	return nil
}

// shared solves what others solved.
func (a *attempt) shared(ctx context.Context) error {
	all, err := a.conflicts()
	if err != nil {
		return err
	}
	found, err := a.askFor(ctx, all)
	if err != nil {
		return err
	}
	for _, path := range a.open {
		r, ok := found[path]
		if !ok {
			continue
		}
		if after, ok := solve(all[path], r, a.Repo.ObjectFormat); ok {
			a.settle(path, after, Used{Hunks: all[path].Hunks, Name: SharedName(r), Origin: sharedOrigin(r)})
		}
	}
	return nil
}
