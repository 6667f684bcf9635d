package git

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Aside returns a handle of the same worktree that leaves no trace in the
// repository: new objects and copies of the index go to a folder of their own, which
// drop removes. Objects of the repository are read as always. It is for looking, in
// repositories that are not ours to write to.
func (w *Worktree) Aside() (aside *Worktree, drop func(), err error) {
	dir, err := os.MkdirTemp("", "gitlet-aside-")
	if err != nil {
		return nil, nil, fmt.Errorf("make a scratch folder: %w", err)
	}
	drop = func() { _ = os.RemoveAll(dir) } // a leftover in the temporary folder harms nobody
	objects := filepath.Join(dir, "objects")
	if err := os.Mkdir(objects, 0o700); err != nil {
		drop()
		return nil, nil, fmt.Errorf("make a scratch folder: %w", err)
	}
	r := *w.Repo
	r.env = append(append([]string(nil), r.env...),
		"GIT_OBJECT_DIRECTORY="+objects,
		// Quoted, since a colon would end the path.
		"GIT_ALTERNATE_OBJECT_DIRECTORIES=\""+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(filepath.Join(w.CommonDir, "objects"))+`"`)
	return &Worktree{Repo: &r, Root: w.Root, GitDir: w.GitDir, indexDir: dir}, drop, nil
}
