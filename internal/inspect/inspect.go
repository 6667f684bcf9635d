package inspect

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"

	"gitlet/internal/engine"
	"gitlet/internal/footprint"
	"gitlet/internal/git"
	"gitlet/internal/lang"
	"gitlet/internal/model"
	"gitlet/internal/sources"
	"gitlet/internal/symbols"
	"gitlet/internal/verb"
)

// source is one file to read.
type source struct {
	path string
	blob string // "" for what may differ from any blob
	read func() ([]byte, error)
}

// Symbols writes what gitlet reads of files, one JSON object a line, in path order:
// the work tree's files, tracked or new, or those of rev. Without paths, it is every
// file in a language gitlet reads; a file that is named is listed whatever it is.
func Symbols(ctx context.Context, dir, rev string, paths []string, out io.Writer) error {
	wt, err := open(ctx, dir)
	if err != nil {
		return err
	}
	rels, err := relative(wt.Root, dir, paths)
	if err != nil {
		return err
	}
	cat := wt.NewCatFile(ctx)
	defer cat.Close()
	var files []source
	var repo lang.Repo
	if rev != "" {
		files, repo, err = atRevision(ctx, wt, cat, rev)
	} else {
		files, repo, err = inWorkTree(ctx, wt, cat)
	}
	if err != nil {
		return err
	}
	files, err = choose(files, rels)
	if err != nil {
		return err
	}
	return write(ctx, out, files, repo)
}

// open opens the worktree, with refusals for what a person can mend.
func open(ctx context.Context, dir string) (*git.Worktree, error) {
	wt, err := git.Open(ctx, dir)
	if err != nil {
		return nil, engine.Explain(err, dir)
	}
	return wt, nil
}

// relative turns paths as typed into paths from the root.
func relative(root, dir string, typed []string) ([]string, error) {
	base, err := filepath.Abs(dir)
	if err == nil {
		base, err = filepath.EvalSymlinks(base)
	}
	if err != nil {
		return nil, fmt.Errorf("find %q: %w", dir, err)
	}
	out := make([]string, 0, len(typed))
	for _, t := range typed {
		full := filepath.FromSlash(t)
		if !filepath.IsAbs(full) {
			full = filepath.Join(base, full)
		}
		rel, err := filepath.Rel(root, full)
		if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return nil, refuse("symbols", "%q lies outside the worktree %q", t, root)
		}
		out = append(out, filepath.ToSlash(rel))
	}
	return out, nil
}

func refuse(command, format string, args ...any) error {
	return &verb.Refusal{Result: verb.Refuse(fmt.Sprintf(format, args...),
		model.Option{Argv: []string{"gitlet", "inspect", command, "--help"}, Why: "see what it takes"})}
}

func atRevision(ctx context.Context, wt *git.Worktree, cat *git.CatFile, rev string) ([]source, lang.Repo, error) {
	commit, err := wt.ResolveOne(ctx, rev+"^{tree}")
	if errors.Is(err, git.ErrNotFound) {
		return nil, nil, refuse("symbols", "%q is no commit of this repository", rev)
	}
	if err != nil {
		return nil, nil, err
	}
	entries, err := wt.Tree(ctx, commit)
	if err != nil {
		return nil, nil, err
	}
	var files []source
	for _, e := range entries {
		if e.Type == "blob" && e.Mode != git.ModeLink {
			files = append(files, source{path: e.Path, blob: e.OID, read: sources.Blob(cat, e.OID)})
		}
	}
	return files, sources.At{Cat: cat, Rev: commit}, nil
}

// inWorkTree lists HEAD's files as the work tree has them, and new ones. A file that
// is not checked out (a sparse checkout) is read as HEAD has it.
func inWorkTree(ctx context.Context, wt *git.Worktree, cat *git.CatFile) ([]source, lang.Repo, error) {
	st, err := wt.Status(ctx, git.UntrackedAll)
	if err != nil {
		return nil, nil, err
	}
	var files []source
	changed := map[string]bool{}
	for _, e := range st.Entries {
		changed[e.Path] = true
		if !e.Submodule {
			files = append(files, source{path: e.Path, read: fileReader(wt.Root, e.Path)})
		}
	}
	for _, p := range st.Untracked {
		if !strings.HasSuffix(p, "/") {
			files = append(files, source{path: p, read: fileReader(wt.Root, p)})
		}
	}
	var present []source
	for _, f := range files {
		fi, err := os.Lstat(filepath.Join(wt.Root, filepath.FromSlash(f.path)))
		if err == nil && fi.Mode().IsRegular() {
			present = append(present, f)
		}
	}
	if st.Head.OID == "" {
		return present, sources.Dir(wt.Root), nil
	}
	head, _, err := atRevision(ctx, wt, cat, st.Head.OID)
	for _, f := range head {
		if !changed[f.path] {
			present = append(present, f)
		}
	}
	return present, sources.Dir(wt.Root), err
}

// choose keeps the files that were asked for. Naming nothing that exists is refused.
func choose(files []source, rels []string) ([]source, error) {
	sort.Slice(files, func(i, j int) bool { return files[i].path < files[j].path })
	if len(rels) == 0 {
		var out []source
		for _, f := range files {
			if lang.ForPath(f.path) != nil {
				out = append(out, f)
			}
		}
		return out, nil
	}
	want := map[string]bool{}
	for _, r := range rels {
		found := false
		for _, f := range files {
			named := f.path == r
			if named || (r == "." || strings.HasPrefix(f.path, r+"/")) && lang.ForPath(f.path) != nil {
				want[f.path], found = true, true
			} else if strings.HasPrefix(f.path, r+"/") {
				found = true
			}
		}
		if !found {
			return nil, refuse("symbols", "there is no file %q here", r)
		}
	}
	var out []source
	for _, f := range files {
		if want[f.path] {
			out = append(out, f)
		}
	}
	return out, nil
}

// write reads the files on all cores and writes their lines in order.
func write(ctx context.Context, out io.Writer, files []source, repo lang.Repo) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cache := symbols.NewCache(symbols.DefaultLimits, 0)
	workers := max(runtime.GOMAXPROCS(0), 1)
	results := make([]chan []byte, len(files))
	for i := range results {
		results[i] = make(chan []byte, 1)
	}
	ahead := make(chan int, 4*workers)
	go func() {
		defer close(ahead)
		for i := range files {
			select {
			case ahead <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	for range workers {
		go func() {
			for i := range ahead {
				results[i] <- line(footprint.File(files[i].path, files[i].blob, files[i].read, cache, repo))
			}
		}()
	}
	for i := range files {
		select {
		case data := <-results[i]:
			if _, err := out.Write(data); err != nil {
				return fmt.Errorf("write the listing: %w", err)
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func line(f footprint.FileFacts) []byte {
	if f.Symbols == nil {
		f.Symbols = []model.Symbol{}
	}
	if f.Refs == nil {
		f.Refs = []model.Ref{}
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false) // types are full of angle brackets
	if err := enc.Encode(f); err != nil {
		// Names are valid text by then; a line that says so is better than none.
		out.Reset()
		_ = enc.Encode(footprint.FileFacts{Path: f.Path, Lang: f.Lang, Reason: err.Error()})
	}
	return out.Bytes()
}

func fileReader(root, path string) func() ([]byte, error) {
	return func() ([]byte, error) { return sources.Dir(root).Read(path) }
}
