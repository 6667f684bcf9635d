package git

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// ErrIndexChanged: the index is not the one that was looked at before.
var ErrIndexChanged = errors.New("the index changed meanwhile")

// IndexStamp identifies a state of the index file.
type IndexStamp struct {
	none  bool
	info  fs.FileInfo
	mtime time.Time
	size  int64
}

// Same reports that both stand for the same file content: git replaces the file
// whenever it writes it.
func (a IndexStamp) Same(b IndexStamp) bool {
	if a.none || b.none {
		return a.none == b.none
	}
	return os.SameFile(a.info, b.info) && a.mtime.Equal(b.mtime) && a.size == b.size
}

func (a IndexStamp) String() string {
	if a.none {
		return "none"
	}
	return fmt.Sprintf("%d/%d", a.mtime.UnixNano(), a.size)
}

func stamp(info fs.FileInfo) IndexStamp {
	return IndexStamp{info: info, mtime: info.ModTime(), size: info.Size()}
}

// IndexStamp reads the state of the user's index file.
func (w *Worktree) IndexStamp() (IndexStamp, error) {
	info, err := os.Stat(w.indexPath())
	if errors.Is(err, fs.ErrNotExist) {
		return IndexStamp{none: true}, nil
	}
	if err != nil {
		return IndexStamp{}, fmt.Errorf("look at index: %w", err)
	}
	return stamp(info), nil
}

// IndexBusy reports that some git holds the lock on the user's index: it may be in the
// middle of writing the work tree.
func (w *Worktree) IndexBusy() bool {
	_, err := os.Lstat(w.indexPath() + ".lock")
	return err == nil
}

// WaitIndex waits until nobody holds the lock on the user's index, for at most max, and
// reports whether that came about.
func (w *Worktree) WaitIndex(ctx context.Context, max time.Duration) bool {
	const step = 10 * time.Millisecond
	for waited := time.Duration(0); w.IndexBusy(); waited += step {
		if waited >= max || ctx.Err() != nil {
			return false
		}
		time.Sleep(step)
	}
	return true
}

func (w *Worktree) indexPath() string { return filepath.Join(w.GitDir, "index") }

// Index is a copy of the user's index that can be changed freely. It must be closed.
type Index struct {
	wt   *Worktree
	path string
}

// CopyIndex copies the user's index, if it still is at want, else ErrIndexChanged.
// The copy keeps the file's time, which git compares with those of the files to see
// which may have changed in the same instant.
func (w *Worktree) CopyIndex(want IndexStamp) (*Index, error) {
	dir := w.indexDir
	if dir == "" {
		dir = filepath.Join(w.GitDir, "gitlet")
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("copy index: %w", err)
	}
	r := make([]byte, 4)
	if _, err := rand.Read(r); err != nil {
		return nil, fmt.Errorf("copy index: %w", err)
	}
	x := &Index{wt: w, path: filepath.Join(dir, fmt.Sprintf("snap-%d-%s.index", os.Getpid(), hex.EncodeToString(r)))}
	got, err := x.fill()
	if err == nil && !got.Same(want) {
		err = ErrIndexChanged
	}
	if err != nil {
		x.Close()
		return nil, fmt.Errorf("copy index: %w", err)
	}
	return x, nil
}

// fill copies from an open file: git replaces an index, never rewrites it, so what
// was opened stays whole.
func (x *Index) fill() (IndexStamp, error) {
	src, err := os.Open(x.wt.indexPath())
	if errors.Is(err, fs.ErrNotExist) {
		return IndexStamp{none: true}, nil
	}
	if err != nil {
		return IndexStamp{}, err
	}
	defer src.Close()
	info, err := src.Stat()
	if err != nil {
		return IndexStamp{}, err
	}
	dst, err := os.OpenFile(x.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return IndexStamp{}, err
	}
	_, err = io.Copy(dst, src)
	if err = errors.Join(err, dst.Close()); err == nil {
		err = os.Chtimes(x.path, time.Time{}, info.ModTime())
	}
	return stamp(info), err
}

// Close removes the copy.
func (x *Index) Close() {
	// A leftover is removed by a later Sweep.
	_ = os.Remove(x.path)
	_ = os.Remove(x.path + ".lock")
}

func (x *Index) call(c call) call {
	c.class = localWrite
	c.config = append(c.config, "core.splitIndex=false", "sparse.expectFilesOutsideOfPatterns=true")
	c.env = append(c.env, "GIT_INDEX_FILE="+x.path)
	return c
}

// IndexEntry is what a path is to be in the index; Mode "000000" removes it.
type IndexEntry struct{ Mode, OID, Path string }

// Put sets or removes entries without looking at the work tree.
func (x *Index) Put(ctx context.Context, entries []IndexEntry) error {
	if len(entries) == 0 {
		return nil
	}
	in := []byte{}
	for _, e := range entries {
		oid := e.OID
		if isZero(e.Mode) {
			oid = x.wt.zero()
		}
		in = fmt.Appendf(in, "%s %s\t%s\x00", e.Mode, oid, e.Path)
	}
	_, err := x.wt.run(ctx, x.call(call{step: "update index", stdin: in, args: []string{"update-index", "-z", "--index-info"}}))
	return err
}

// Add takes the work tree's version of the paths in, as git add would: with the
// configured filters and line ends; a path that is no longer there is taken out. It is all
// or nothing; AddEach sorts out which path is to blame.
func (x *Index) Add(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	_, err := x.wt.run(ctx, x.call(call{step: "update index", stdin: []byte(strings.Join(paths, "\x00") + "\x00"),
		args: []string{"update-index", "--add", "--remove", "--replace", "-z", "--stdin"}}))
	return err
}

// Refusal is a path that git could not take into an index, and its words for why.
type Refusal struct{ Path, Why string }

// AddEach is Add where a path that cannot be added costs only itself.
func (x *Index) AddEach(ctx context.Context, paths []string) ([]Refusal, error) {
	err := x.Add(ctx, paths)
	if err == nil {
		return nil, nil
	}
	var e *Error
	if !errors.As(err, &e) || e.Exit <= 0 || errors.Is(err, ErrIndexLocked) {
		return nil, err // no path's fault
	}
	if len(paths) == 1 {
		return []Refusal{{Path: paths[0], Why: lastLines(e.Stderr, 2)}}, nil
	}
	// Git usually names the path; when it does not, halving finds it.
	if i := blamed(e.Stderr, paths); i >= 0 {
		bad, err := x.AddEach(ctx, paths[i:i+1])
		if err != nil {
			return bad, err
		}
		rest := append(append([]string(nil), paths[:i]...), paths[i+1:]...)
		more, err := x.AddEach(ctx, rest)
		return append(bad, more...), err
	}
	half := len(paths) / 2
	bad, err := x.AddEach(ctx, paths[:half])
	if err != nil {
		return bad, err
	}
	more, err := x.AddEach(ctx, paths[half:])
	return append(bad, more...), err
}

// blamed finds the longest of the paths that an error output names as a whole word;
// -1 when it names none. A wrong guess costs one attempt more.
func blamed(stderr string, paths []string) int {
	best := -1
	for i, p := range paths {
		if (best < 0 || len(p) > len(paths[best])) && namesPath(stderr, p) {
			best = i
		}
	}
	return best
}

// namesPath reports whether text holds path with nothing around it that could belong
// to a longer path.
func namesPath(text, path string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], path)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(path)
		if (i == 0 || !pathByte(text[i-1])) && (end == len(text) || !pathByte(text[end])) {
			return true
		}
		from = i + 1
	}
}

func pathByte(c byte) bool {
	return c == '/' || c == '.' || c == '_' || c == '-' || c >= 0x80 ||
		c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// WriteTree stores the index as a tree and returns its object id. That every blob is
// here is not asked: a partial or damaged clone may lack some that nobody touched.
func (x *Index) WriteTree(ctx context.Context) (string, error) {
	out, err := x.wt.run(ctx, x.call(call{step: "write tree", args: []string{"write-tree", "--missing-ok"}}))
	return trimLine(out.Stdout), err
}

// Sweep removes what a crashed process left beside the worktree's files: copies of
// the index and scratch repositories last written before the given time.
func (w *Worktree) Sweep(before time.Time) error {
	dir := filepath.Join(w.GitDir, "gitlet")
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, "snap-") && !strings.HasPrefix(name, "scratch-") {
			continue
		}
		if info, ierr := e.Info(); ierr == nil && info.ModTime().Before(before) {
			err = errors.Join(err, sweepCheckout(filepath.Join(dir, name)), os.RemoveAll(filepath.Join(dir, name)))
		}
	}
	return err
}
