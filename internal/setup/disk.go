package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"gitlet/internal/atomicfile"
)

// maxFile is the largest file that is edited.
const maxFile = 4 << 20

// disk reads files below a root.
type disk struct {
	root string
	// tracked is whether a path is committed, for links that lead out of the repository.
	tracked func(path string) bool
}

// Read implements Disk.
func (d disk) Read(path string) Found {
	name := path
	if !filepath.IsAbs(name) {
		name = filepath.Join(d.root, filepath.FromSlash(path))
	}
	real, err := realPath(name)
	if err != nil {
		return Found{Off: fmt.Sprintf("where it leads cannot be found out: %v", err), ToDo: "mend the link"}
	}
	f := Found{File: real, Mode: 0o644}
	if !inside(d.root, real) && !filepath.IsAbs(path) && d.tracked(path) {
		f.Off = fmt.Sprintf("it is a committed link that leads out of the repository, to %q", real)
		f.ToDo = "make it a file of its own, or put gitlet's lines in by hand"
		return f
	}
	info, err := os.Lstat(real)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if l, lerr := os.Lstat(name); lerr == nil && l.Mode()&fs.ModeSymlink != 0 {
			f.Off, f.ToDo = "it is a link that leads nowhere", "mend the link"
		}
		f.Missing = f.Off == ""
		return f
	case err != nil:
		f.Off, f.ToDo = fmt.Sprintf("it cannot be looked at: %v", errors.Unwrap(err)), "look at its folder"
		return f
	case !info.Mode().IsRegular():
		f.Off, f.ToDo = "it is not a file", "rename it, then run gitlet init again"
		return f
	case info.Size() > maxFile:
		f.Off, f.ToDo = fmt.Sprintf("it has more than %d bytes", maxFile), "put gitlet's lines in by hand"
		return f
	}
	f.Mode = info.Mode().Perm()
	if f.Data, err = os.ReadFile(real); err != nil {
		f.Off, f.ToDo = fmt.Sprintf("it cannot be read: %v", errors.Unwrap(err)), "make it readable"
	}
	return f
}

// realPath follows links, also of folders on the way to a file that is not there yet.
func realPath(name string) (string, error) {
	real, err := filepath.EvalSymlinks(name)
	if err == nil {
		return real, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if target, lerr := os.Readlink(name); lerr == nil {
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(name), target)
		}
		return target, nil
	}
	parent := filepath.Dir(name)
	if parent == name {
		return name, nil
	}
	dir, err := realPath(parent)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, filepath.Base(name)), nil
}

func inside(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel)
}

// write puts one change on the disk: the new file whole beside the old, then in its
// place. A file that is not what was planned with is not touched.
func write(c Change) error {
	now, err := os.ReadFile(c.file)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return fmt.Errorf("read %s: %w", c.Path, err)
	}
	if !c.before.equal(text{data: now, missing: missing}) {
		return fmt.Errorf("write %s: somebody else changed it just now: run gitlet init again", c.Path)
	}
	atomicfile.Sweep(c.file)
	if c.after.missing {
		if err := os.Remove(c.file); err != nil {
			return fmt.Errorf("remove %s: %w", c.Path, err)
		}
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(c.file), 0o755); err != nil {
		return fmt.Errorf("make the folder of %s: %w", c.Path, err)
	}
	if err := atomicfile.WriteDurable(c.file, c.after.data, c.mode); err != nil {
		return fmt.Errorf("write %s: %w", c.Path, err)
	}
	return nil
}

// dropEmptyFolders removes the folders that a removed file left empty, up to root.
func dropEmptyFolders(root, file string) {
	for dir := filepath.Dir(file); dir != root && inside(root, dir); dir = filepath.Dir(dir) {
		if os.Remove(dir) != nil {
			return // something else is in it
		}
	}
}
