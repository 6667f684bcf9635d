package git

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// What checkpoints need of git beside the copy of an index: its bytes, its flags, the
// content of files as they lie on disk, and the way back.

// IndexListing is one entry of an index with the flags that keep git from looking at
// the file.
type IndexListing struct {
	Path, Mode, OID string
	Stage           int
	SkipWorktree    bool // not checked out, or hidden by its owner
	AssumeUnchanged bool
}

// List lists every entry, those of folders a sparse index folds included.
func (x *Index) List(ctx context.Context) ([]IndexListing, error) {
	out, err := x.wt.run(ctx, x.call(call{step: "list index", args: []string{"ls-files", "-s", "-v", "-z", "--full-name"}}))
	if err != nil {
		return nil, err
	}
	return parseListing(out.Stdout)
}

// parseListing reads "<tag> SP <mode> SP <oid> SP <stage> TAB <path> NUL" records.
func parseListing(b []byte) ([]IndexListing, error) {
	var out []IndexListing
	for _, rec := range fields(b) {
		meta, path, ok := strings.Cut(rec, "\t")
		f := strings.Split(meta, " ")
		if !ok || path == "" || len(f) != 4 || len(f[0]) != 1 || !isMode(f[1]) || !isOID(f[2]) || len(f[3]) != 1 {
			return nil, fmt.Errorf("list index: %q is no entry", rec)
		}
		out = append(out, IndexListing{Path: path, Mode: f[1], OID: f[2], Stage: int(f[3][0] - '0'),
			SkipWorktree: strings.EqualFold(f[0], "S"), AssumeUnchanged: f[0] >= "a" && f[0] <= "z"})
	}
	return out, nil
}

// Bytes returns the file as it is, and its time; nil where there is no index yet. An
// index that is split over two files is made whole first.
func (x *Index) Bytes(ctx context.Context) ([]byte, time.Time, error) {
	shared, err := filepath.Glob(filepath.Join(globQuote(x.wt.GitDir), "sharedindex.*"))
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("look for a split index: %w", err)
	}
	info, err := os.Stat(x.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, time.Time{}, nil
	}
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("read index: %w", err)
	}
	at := info.ModTime()
	if len(shared) > 0 {
		if _, err := x.wt.run(ctx, x.call(call{step: "join index", args: []string{"update-index", "--no-split-index"}})); err != nil {
			return nil, time.Time{}, err
		}
	}
	data, err := os.ReadFile(x.path)
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("read index: %w", err)
	}
	return data, at, nil
}

func globQuote(s string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(s)
}

// IndexFrom makes a copy to work with out of an index's bytes; none where data is nil.
func (w *Worktree) IndexFrom(data []byte) (*Index, error) {
	x, err := w.emptyIndex()
	if err != nil {
		return nil, err
	}
	if data != nil {
		if err := os.WriteFile(x.path, data, 0o600); err != nil {
			x.Close()
			return nil, fmt.Errorf("write index: %w", err)
		}
	}
	return x, nil
}

func (w *Worktree) emptyIndex() (*Index, error) {
	dir := w.indexDir
	if dir == "" {
		dir = filepath.Join(w.GitDir, "gitlet")
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("make index: %w", err)
	}
	f, err := os.CreateTemp(dir, fmt.Sprintf("snap-%d-*.index", os.Getpid()))
	if err != nil {
		return nil, fmt.Errorf("make index: %w", err)
	}
	name := f.Name()
	if err := errors.Join(f.Close(), os.Remove(name)); err != nil {
		return nil, fmt.Errorf("make index: %w", err)
	}
	return &Index{wt: w, path: name}, nil
}

// CheckOut writes the files at the paths as this index has them, through the configured
// filters, over what is there.
func (x *Index) CheckOut(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	_, err := x.wt.run(ctx, x.call(call{step: "check out files", stdin: []byte(strings.Join(paths, "\x00") + "\x00"),
		args: []string{"checkout-index", "-f", "-z", "--stdin"}}))
	return err
}

// ReadTree fills the index with a commit's files.
func (x *Index) ReadTree(ctx context.Context, treeish string) error {
	_, err := x.wt.run(ctx, x.call(call{step: "read tree", args: []string{"read-tree", treeish}}))
	return err
}

// Hashing says what HashFiles does.
type Hashing int

// StoreRaw stores files as they lie on disk; HashRaw only names them; HashClean names
// what git add would store of them.
const (
	StoreRaw Hashing = iota
	HashRaw
	HashClean
)

// HashFiles returns the object ids of the regular files at the paths from the root. A file
// that cannot be read is an *Error.
func (w *Worktree) HashFiles(ctx context.Context, how Hashing, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	var in bytes.Buffer
	for _, p := range paths {
		in.WriteString(quotePath(p) + "\n")
	}
	args := []string{"hash-object", "--stdin-paths"}
	if how != HashClean {
		args = append(args, "--no-filters")
	}
	if how == StoreRaw {
		args = append(args, "-w")
	}
	out, err := w.run(ctx, call{step: "store files", class: localWrite, stdin: in.Bytes(), args: args})
	if err != nil {
		return nil, err
	}
	oids := strings.Fields(string(out.Stdout))
	if len(oids) != len(paths) {
		return nil, fmt.Errorf("store files: %d answers to %d paths", len(oids), len(paths))
	}
	return oids, nil
}

// quotePath spells a path the way git reads one a line: quoted where it has to be.
func quotePath(p string) string {
	if p == "" || p[0] != '"' && !strings.ContainsAny(p, "\n\r") {
		return p
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(p) {
		if c := p[i]; c < 0x20 || c == '"' || c == '\\' || c >= 0x7f {
			fmt.Fprintf(&b, `\%03o`, c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// BlobID is the object id that data has as a blob.
func (r *Repo) BlobID(data []byte) string {
	h := sha1.New()
	if r.ObjectFormat == "sha256" {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// StoreBlobs stores each of the contents, in one process, and returns their object ids.
func (r *Repo) StoreBlobs(ctx context.Context, contents [][]byte) ([]string, error) {
	if len(contents) == 0 {
		return nil, nil
	}
	p := newPacker(r.ObjectFormat)
	oids := make([]string, len(contents))
	seen := map[string]bool{}
	for i, data := range contents {
		oids[i] = r.BlobID(data)
		if !seen[oids[i]] {
			seen[oids[i]] = true
			p.add("blob", data)
		}
	}
	_, err := r.run(ctx, call{step: "write objects", class: localWrite, stdin: p.pack(), args: []string{"unpack-objects", "-q"}})
	return oids, err
}

// Ignored returns which of the paths the ignore rules of the work tree name, whether
// they are tracked or not.
func (w *Worktree) Ignored(ctx context.Context, paths []string) (map[string]bool, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	out, err := w.run(ctx, call{step: "check ignored files", class: localRead, timeout: timeouts[localWrite], okExit: []int{1},
		stdin: []byte(strings.Join(paths, "\x00") + "\x00"), args: []string{"check-ignore", "--no-index", "-z", "--stdin"}})
	if err != nil {
		return nil, err
	}
	is := map[string]bool{}
	for _, p := range fields(out.Stdout) {
		is[p] = true
	}
	return is, nil
}
