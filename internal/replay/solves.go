package replay

import (
	"context"

	"gitlet/internal/git"
	"gitlet/internal/rerere"
)

// Off reports whether nothing is looked up here: nothing is recorded, or the user has turned
// it off.
func (b *Book) Off() bool { return b.off }

// Solves reports whether what is recorded settles every conflict of a merge. marked merges
// once more, with the conflicts marked in a style ("merge", "zdiff3"), and reads the files.
func (b *Book) Solves(ctx context.Context, conflicts []git.MergeConflict, marked func(style string) (map[string][]byte, error)) (bool, error) {
	if b.off || len(conflicts) == 0 {
		return false, nil
	}
	open := map[string]bool{}
	for _, c := range conflicts {
		if !textual(c) {
			return false, nil
		}
		open[c.Path] = true
	}
	for _, style := range b.styles {
		files, err := marked(style)
		if err != nil {
			return false, err
		}
		for path := range open {
			c, ok := rerere.Read(files[path], b.Repo.ObjectFormat)
			if !ok {
				continue
			}
			switch _, u, err := b.find(ctx, c); {
			case err != nil:
				return false, err
			case u != nil:
				delete(open, path)
			}
		}
		if len(open) == 0 {
			return true, nil
		}
	}
	return false, nil
}
