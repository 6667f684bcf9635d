package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"syscall"

	"gitlet/internal/footprint"
	"gitlet/internal/git"
	"gitlet/internal/lang"
	"gitlet/internal/model"
	"gitlet/internal/sources"
	"gitlet/internal/verb"
)

// maxGrepFiles bounds how many files a bare name is looked up in.
const maxGrepFiles = 200

// OutsideError is a path that does not lie in the worktree.
type OutsideError struct{ Path, Root string }

func (e *OutsideError) Error() string {
	return fmt.Sprintf("%q lies outside the worktree %q", e.Path, e.Root)
}

// RelPath turns a path as a person typed it into one from the worktree's root, with
// forward slashes. It does not have to exist. Errors: *OutsideError.
func (e *Engine) RelPath(typed string) (string, error) {
	full := filepath.FromSlash(typed)
	if !filepath.IsAbs(full) {
		full = filepath.Join(e.wt.Root, e.prefix, full)
	} else if real, err := filepath.EvalSymlinks(filepath.Dir(full)); err == nil {
		full = filepath.Join(real, filepath.Base(full))
	}
	rel, err := filepath.Rel(e.wt.Root, full)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", &OutsideError{Path: typed, Root: e.wt.Root}
	}
	return filepath.ToSlash(rel), nil
}

// PathKind says what a path from the root is.
type PathKind int

// What a path can be.
const (
	NoPath PathKind = iota
	FilePath
	DirPath
)

// PathKind reports whether anyone has a file or folder at a path from the root: the
// work tree, HEAD, or an item in view.
func (c *Call) PathKind(ctx context.Context, rel string) (PathKind, error) {
	if rel == "." {
		return DirPath, nil
	}
	fi, err := os.Lstat(filepath.Join(c.wt.Root, filepath.FromSlash(rel)))
	switch {
	case err == nil && fi.IsDir():
		return DirPath, nil
	case err == nil:
		return FilePath, nil
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
		return NoPath, fmt.Errorf("look at %q: %w", rel, err)
	}
	v, err := c.View(ctx)
	if err != nil {
		return NoPath, err
	}
	kind := NoPath
	for _, fp := range footprintsIn(v.Items, v.Peers) {
		for _, f := range fp.Files {
			if f.Path == rel || f.OldPath == rel {
				return FilePath, nil
			}
			if strings.HasPrefix(f.Path, rel+"/") {
				kind = DirPath
			}
		}
	}
	if kind != NoPath {
		return kind, nil
	}
	return c.pathAtHead(ctx, rel)
}

// FindPath finds what a person means by a path: relative to where they are or, since
// gitlet prints paths from the root, from there. When nothing is at either, the kind
// is NoPath. Errors: *OutsideError.
func (c *Call) FindPath(ctx context.Context, typed string) (rel string, kind PathKind, err error) {
	rel, err = c.RelPath(typed)
	if err == nil {
		kind, err = c.PathKind(ctx, rel)
	}
	if kind != NoPath || c.prefix == "" || filepath.IsAbs(filepath.FromSlash(typed)) {
		return rel, kind, err
	}
	fromRoot := path.Clean(filepath.ToSlash(typed))
	if fromRoot == ".." || strings.HasPrefix(fromRoot, "../") {
		return rel, kind, err
	}
	if k, rerr := c.PathKind(ctx, fromRoot); rerr == nil && k != NoPath {
		return fromRoot, k, nil
	}
	return rel, kind, err
}

func (c *Call) pathAtHead(ctx context.Context, rel string) (PathKind, error) {
	if strings.ContainsAny(rel, "\n") {
		return NoPath, nil
	}
	// Somebody named it and waits, so a partial clone may fetch this one file.
	objs, err := c.wt.Foreground().Objects(ctx, "HEAD:"+rel)
	if err != nil {
		return NoPath, err
	}
	switch objs[0].Type {
	case "blob":
		return FilePath, nil
	case "tree":
		return DirPath, nil
	}
	return NoPath, nil
}

// Lookup is what a symbol's name can mean.
type Lookup struct {
	// Found are the exact matches by path and qualified name: one when the name is clear.
	Found []model.Symbol
	// Near are up to 10 other candidates, for a refusal.
	Near []model.Symbol
	// Path is the file the name was limited to, "" for none.
	Path string
	// Typed is the file that was named and that nobody has, where Near is from one of nearly
	// that name; "" elsewhere.
	Typed string
}

// Lookup finds the symbols that text, "[path:]Qualified", may mean: in my footprint,
// then in peers' footprints and claims, then in files that hold the word.
func (c *Call) Lookup(ctx context.Context, text string) (Lookup, error) {
	file, name, err := c.splitSymbol(ctx, text)
	if err != nil {
		return Lookup{}, err
	}
	v, err := c.View(ctx)
	if err != nil {
		return Lookup{}, err
	}
	s := &search{name: name, last: lastPart(name), file: file, seen: map[string]bool{}}
	for _, fp := range footprintsIn(v.Items, v.Peers) {
		for _, ch := range fp.Symbols {
			s.offer(ch.Symbol)
			if ch.OldQualified != "" || ch.OldPath != "" {
				s.offer(former(ch))
			}
		}
	}
	for _, cl := range v.Claims {
		if cl.Symbol != nil {
			s.offer(*cl.Symbol)
		}
	}
	if file == "" && len(s.found) > 0 {
		return s.result(), nil
	}
	if err := c.searchFiles(ctx, s); err != nil {
		return Lookup{}, err
	}
	if file == "" && len(s.found) == 0 {
		if l, err := c.lookNearby(ctx, text); err != nil {
			return Lookup{}, err
		} else if l != nil {
			return *l, nil
		}
	}
	return s.result(), nil
}

// splitSymbol takes "[path:]Qualified" apart and brings the name into canonical form.
func (c *Call) splitSymbol(ctx context.Context, text string) (file, name string, err error) {
	for i := 0; i < len(text); i++ {
		if text[i] != ':' {
			continue
		}
		if i+1 < len(text) && text[i+1] == ':' {
			i++
			continue
		}
		rel, kind, err := c.FindPath(ctx, text[:i])
		if err != nil {
			return "", "", err
		}
		if kind == FilePath {
			return rel, canonicalName(text[i+1:]), nil
		}
	}
	return "", canonicalName(text), nil
}

// canonicalName joins container and member with "." whatever language spelled them:
// Config::load, Config->load, (*Server).Start.
func canonicalName(s string) string {
	s = strings.TrimSpace(s)
	s = strings.NewReplacer("::", ".", "->", ".").Replace(s)
	if strings.HasPrefix(s, "(") {
		if end := strings.Index(s, ")"); end > 0 {
			s = strings.Trim(s[1:end], "* ") + s[end+1:]
		}
	}
	return strings.TrimSuffix(s, "()")
}

func lastPart(name string) string {
	name = name[strings.LastIndexByte(name, '.')+1:]
	if i := strings.IndexAny(name, "@#"); i > 0 {
		name = name[:i]
	}
	return name
}

// former is a moved or renamed symbol under its old name.
func former(ch model.SymbolChange) model.Symbol {
	old := ch.Symbol
	old.Key = ch.OldKey
	if ch.OldPath != "" {
		old.Path = ch.OldPath
	}
	if ch.OldQualified != "" {
		old.Qualified = ch.OldQualified
		old.Name = lastPart(ch.OldQualified)
	}
	old.Signature, old.SigHash = ch.OldSignature, ch.OldSigHash
	return old
}

type search struct {
	name, last, file string
	seen             map[string]bool
	found, near      []model.Symbol
}

func (s *search) offer(sym model.Symbol) {
	if s.file != "" && sym.Path != s.file || s.seen[sym.Canonical()] {
		return
	}
	switch {
	case sym.Qualified == s.name:
		s.seen[sym.Canonical()] = true
		s.found = append(s.found, sym)
	case strings.EqualFold(sym.Name, s.last) || s.file != "":
		s.seen[sym.Canonical()] = true
		s.near = append(s.near, sym)
	}
}

func (s *search) result() Lookup {
	order := func(list []model.Symbol) {
		sort.SliceStable(list, func(i, j int) bool {
			a, b := closeness(list[i], s.last), closeness(list[j], s.last)
			if a != b {
				return a < b
			}
			return list[i].Canonical() < list[j].Canonical()
		})
	}
	order(s.found)
	s.near = slices.DeleteFunc(s.near, func(sym model.Symbol) bool { return closeness(sym, s.last) == unlike })
	order(s.near)
	const most = 10
	return Lookup{Found: s.found, Near: s.near[:min(len(s.near), most)], Path: s.file}
}

// closeness orders candidates: the same name, the same name in another case, one
// that holds the other, one that is a slip or two away, anything else.
func closeness(sym model.Symbol, name string) int {
	a, b := strings.ToLower(sym.Name), strings.ToLower(name)
	switch {
	case sym.Name == name:
		return 0
	case a == b:
		return 1
	case min(len(a), len(b)) >= 3 && (strings.Contains(a, b) || strings.Contains(b, a)):
		return 2
	case verb.Suggest(name, []string{sym.Name}) != "":
		return 3
	}
	return unlike
}

// unlike is the closeness of names that have nothing in common.
const unlike = 4

// searchFiles reads the named file, or those that hold the word at HEAD or on main.
func (c *Call) searchFiles(ctx context.Context, s *search) error {
	if s.file != "" {
		facts, err := c.FileFacts(ctx, s.file)
		if err != nil {
			return err
		}
		for _, sym := range facts.Symbols {
			s.offer(sym)
		}
		return nil
	}
	if s.last == "" || strings.ContainsAny(s.last, "\n\x00") {
		return nil
	}
	cat := c.wt.NewCatFile(ctx)
	defer cat.Close()
	if err := c.searchWord(ctx, s, cat, c.wt.Grep); err != nil || len(s.found)+len(s.near) > 0 {
		return err
	}
	return c.searchWord(ctx, s, cat, c.wt.GrepFold)
}

// searchWord reads the files that grep finds the name in, at HEAD and on main.
func (c *Call) searchWord(ctx context.Context, s *search, cat *git.CatFile, grep func(context.Context, string, []string, ...string) ([]string, error)) error {
	budget := maxGrepFiles
	for _, rev := range c.revisions(ctx) {
		files, err := grep(ctx, rev, []string{s.last})
		if errors.Is(err, git.ErrPartial) {
			c.warnings.add("this partial clone lacks files that may hold %q: name the file, as path:Name", s.last)
			continue
		}
		if err != nil {
			return err
		}
		for _, file := range files {
			if lang.ForPath(file) == nil {
				continue
			}
			if budget--; budget < 0 {
				c.warnings.add("%q occurs in very many files; only %d were read: name the file, as path:Name", s.last, maxGrepFiles)
				return nil
			}
			for _, sym := range c.factsAt(cat, rev, file).Symbols {
				s.offer(sym)
			}
		}
	}
	return nil
}

// revisions are HEAD and main, as far as they exist and differ.
func (c *Call) revisions(ctx context.Context) []string {
	var out []string
	if c.head.OID != "" {
		out = append(out, c.head.OID)
	}
	if m := c.mainOID(ctx); m != "" && m != c.head.OID {
		out = append(out, m)
	}
	return out
}

func (c *Call) factsAt(cat *git.CatFile, rev, file string) footprint.FileFacts {
	at := sources.At{Cat: cat, Rev: rev}
	return footprint.File(file, "", func() ([]byte, error) { return at.Read(file) }, c.cache, at)
}

// FileFacts reads the file at a path from the root: the work tree's version, or
// HEAD's when it is not there.
func (c *Call) FileFacts(ctx context.Context, rel string) (footprint.FileFacts, error) {
	full := filepath.Join(c.wt.Root, filepath.FromSlash(rel))
	fi, err := os.Lstat(full)
	if err == nil && fi.Mode().IsRegular() {
		dir := sources.Dir(c.wt.Root)
		return footprint.File(rel, "", func() ([]byte, error) { return dir.Read(rel) }, c.cache, dir), nil
	}
	if err == nil {
		return footprint.FileFacts{Path: rel, Reason: "not a regular file"}, nil
	}
	if c.head.OID != "" {
		kind, err := c.pathAtHead(ctx, rel)
		if err != nil {
			return footprint.FileFacts{}, err
		}
		if kind == FilePath {
			cat := c.wt.Foreground().NewCatFile(ctx)
			defer cat.Close()
			return c.factsAt(cat, c.head.OID, rel), nil
		}
	}
	return footprint.FileFacts{Path: rel, Parsed: true}, nil // only others have it
}
