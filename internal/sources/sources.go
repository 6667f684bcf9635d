package sources

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gitlet/internal/footprint"
	"gitlet/internal/git"
	"gitlet/internal/lang"
	"gitlet/internal/symbols"
)

// limit is the largest file read, in bytes; larger ones come as a blank that is over it,
// so that package symbols says why they are not parsed.
var limit = int64(symbols.DefaultLimits.MaxBytes)

func tooLarge() []byte { return make([]byte, limit+1) }

// Object reads a blob by its id or as "rev:path". One that is not in this clone, or is no
// blob, is an fs.ErrNotExist.
func Object(cat *git.CatFile, name string) ([]byte, error) {
	o, err := cat.Read(name, limit+1)
	switch {
	case err != nil:
		return nil, err
	case !o.Found || o.Type != "blob":
		return nil, fmt.Errorf("read %q: %w", name, fs.ErrNotExist)
	case o.Data == nil && o.Size > 0:
		return tooLarge(), nil
	}
	return o.Data, nil
}

// Blob is Object for later.
func Blob(cat *git.CatFile, name string) func() ([]byte, error) {
	return func() ([]byte, error) { return Object(cat, name) }
}

// At answers for the files of one commit or tree.
type At struct {
	Cat *git.CatFile
	Rev string
}

// Read returns the file at a path from the root.
func (a At) Read(file string) ([]byte, error) { return Object(a.Cat, a.Rev+":"+file) }

// ReadFile serves the resolving of references.
func (a At) ReadFile(file string) ([]byte, bool) {
	if strings.Contains(file, "\n") || !filepath.IsLocal(filepath.FromSlash(file)) {
		return nil, false
	}
	data, err := a.Read(file)
	return data, err == nil
}

// Dir answers for the files of the work tree with this root.
type Dir string

// Read returns the file at a path from the root.
func (d Dir) Read(file string) ([]byte, error) {
	full := filepath.Join(string(d), filepath.FromSlash(file))
	fi, err := os.Stat(full)
	if err == nil && fi.Size() > limit {
		return tooLarge(), nil
	}
	return os.ReadFile(full)
}

// ReadFile serves the resolving of references.
func (d Dir) ReadFile(file string) ([]byte, bool) {
	if !filepath.IsLocal(filepath.FromSlash(file)) {
		return nil, false
	}
	data, err := d.Read(file)
	return data, err == nil
}

// Deltas turns git's changes into what a footprint is computed from. withheld, which may
// be nil, says why nothing of the content of a path may be told, "" when it may. Of
// files over most bytes (0 for no limit but the reader's own) nothing is read either.
func Deltas(cat *git.CatFile, changes []git.Change, withheld func(path string) string, most int64) []footprint.Delta {
	read := func(oid string) func() ([]byte, error) {
		return func() ([]byte, error) {
			data, err := Object(cat, oid)
			if most > 0 && int64(len(data)) > most {
				return tooLarge(), nil
			}
			return data, err
		}
	}
	out := make([]footprint.Delta, 0, len(changes))
	for _, c := range changes {
		d := footprint.Delta{Path: c.Path, Status: string(c.Status), OldMode: c.OldMode, NewMode: c.NewMode,
			Old: read(c.OldOID), New: read(c.NewOID)}
		if c.OldPath != c.Path {
			d.OldPath = c.OldPath
		}
		if withheld != nil {
			if d.Withheld = withheld(c.Path); d.Withheld == "" {
				d.Withheld = withheld(c.OldPath)
			}
		}
		if lang.ForPath(c.Path) != nil || lang.ForPath(c.OldPath) != nil {
			d.OldBlob, d.NewBlob = present(c.OldOID), present(c.NewOID)
		}
		out = append(out, d)
	}
	return out
}

// present is a blob's id, "" for the zeros that stand for no file.
func present(oid string) string {
	if strings.Trim(oid, "0") == "" {
		return ""
	}
	return oid
}
