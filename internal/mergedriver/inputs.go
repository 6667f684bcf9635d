package mergedriver

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"gitlet/internal/config"
	"gitlet/internal/git"
	"gitlet/internal/merge"
)

// inputs are the files that another one is made from, as the merge leaves them. The work
// tree does not have them yet while git merges.
type inputs struct {
	call   Call
	wt     *git.Worktree
	lines  git.FileMerge
	sides  sides
	recipe recipe
	dir    string

	settings config.Settings
}

// version is a file in the three versions, "" where it is not there.
type version struct {
	base, ours, theirs git.TreeEntry
}

// Bounds on what is written for a tool.
const (
	mostInputs    = 20000
	largestInput  = 16 << 20
	mostConflicts = 200 // inputs that both sides changed
)

// write puts the inputs into the scratch folder. One that conflicts itself leaves the file
// in doubt.
func (in inputs) write(ctx context.Context) error {
	files := map[string]*version{}
	for i, commit := range []string{in.sides.base, in.sides.ours, in.sides.theirs} {
		list, err := in.wt.Tree(ctx, commit)
		if err != nil {
			return err
		}
		for _, e := range list {
			if in.wanted(e.Path, in.recipe.code) {
				return in.call.left(fmt.Sprintf("%q takes part in making it, and is code", e.Path))
			}
			if e.Gitlink() || e.Path == in.call.Path || !in.wanted(e.Path, in.recipe.inputs) && !in.wanted(e.Path, in.recipe.names) {
				continue
			}
			if files[e.Path] == nil {
				files[e.Path] = &version{}
			}
			*[]*git.TreeEntry{&files[e.Path].base, &files[e.Path].ours, &files[e.Path].theirs}[i] = e
		}
	}
	if len(files) > mostInputs {
		return in.call.left(fmt.Sprintf("it is made from more than %d files", mostInputs))
	}
	cat := in.wt.NewCatFile(ctx)
	defer cat.Close()
	paths := make([]string, 0, len(files))
	for p := range files {
		paths = append(paths, p)
	}
	sort.Strings(paths)
	clashes := 0
	for _, p := range paths {
		v := files[p]
		e := v.ours
		switch {
		case v.ours.OID == v.theirs.OID || v.theirs.OID == v.base.OID:
		case v.ours.OID == v.base.OID:
			e = v.theirs
		default:
			if _, made := recipeFor(p, in.settings, nil); made {
				e = v.ours // it is made again for itself
				break
			}
			if clashes++; clashes > mostConflicts || v.base.OID == "" || v.ours.OID == "" || v.theirs.OID == "" {
				return in.call.left(fmt.Sprintf("%q, which it is made from, conflicts too", p))
			}
			if err := in.both(ctx, cat, p, v); err != nil {
				return err
			}
			continue
		}
		if e.OID == "" || !strings.HasPrefix(e.Mode, "100") {
			continue // gone, or a link
		}
		if !in.wanted(p, in.recipe.inputs) {
			if err := put(in.at(p), nil, 0o644); err != nil {
				return err
			}
			continue
		}
		data, err := in.read(cat, e.OID)
		if err != nil {
			return err
		}
		mode := os.FileMode(0o644)
		if e.Mode == "100755" {
			mode = 0o755
		}
		if err := put(in.at(p), data, mode); err != nil {
			return err
		}
	}
	return nil
}

// both merges an input that both sides changed.
func (in inputs) both(ctx context.Context, cat *git.CatFile, p string, v *version) error {
	var texts [3][]byte
	for i, e := range []git.TreeEntry{v.ours, v.base, v.theirs} {
		var err error
		if texts[i], err = in.read(cat, e.OID); err != nil {
			return err
		}
	}
	merged, conflicts, err := in.lines.Texts(ctx, texts[0], texts[1], texts[2])
	if err != nil {
		return err
	}
	if conflicts > 0 {
		// As the driver for source would.
		lines := func(base, ours, theirs []byte) ([]byte, bool) {
			out, n, err := in.lines.Texts(ctx, ours, base, theirs)
			return out, err == nil && n == 0
		}
		merged, err = merge.Source(merge.Versions{Path: p, Base: texts[1], Ours: texts[0], Theirs: texts[2]}, lines)
	}
	if err != nil {
		return in.call.left(fmt.Sprintf("%q, which it is made from, conflicts too", p))
	}
	return put(in.at(p), merged, 0o644)
}

func (in inputs) read(cat *git.CatFile, oid string) ([]byte, error) {
	o, err := cat.Read(oid, largestInput)
	if err != nil {
		return nil, err
	}
	if !o.Found || o.Data == nil && o.Size > 0 {
		return nil, in.call.left("a file it is made from is not in this clone, or too large")
	}
	return o.Data, nil
}

func (in inputs) at(p string) string { return filepath.Join(in.dir, filepath.FromSlash(p)) }

// wanted reports whether a file is one that the recipe takes.
func (in inputs) wanted(p string, globs []string) bool {
	if below := path.Dir(in.call.Path); !in.recipe.atTop && below != "." && !strings.HasPrefix(p, below+"/") {
		return false
	}
	return slices.ContainsFunc(globs, func(g string) bool {
		ok, err := path.Match(g, path.Base(p))
		return err == nil && ok
	})
}

// mainIsTheirs reports whether it is theirs that main has, and not ours.
func (in inputs) mainIsTheirs(ctx context.Context, cfg *git.Config) bool {
	chosen, err := config.Choose(ctx, in.settings, cfg.RemoteNames(), in.wt.Repo)
	if err != nil || chosen.Commit == "" {
		return false
	}
	has := func(commit string) bool {
		ok, err := in.wt.IsAncestor(ctx, commit, chosen.Commit)
		return err == nil && ok
	}
	return has(in.sides.theirs) && !has(in.sides.ours)
}
