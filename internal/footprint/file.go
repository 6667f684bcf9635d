package footprint

import (
	"bytes"
	"fmt"
	"strings"

	"gitlet/internal/lang"
	"gitlet/internal/model"
	"gitlet/internal/symbols"
)

// FileFacts is what one version of one file says.
type FileFacts struct {
	Path   string `json:"path"`
	Lang   string `json:"lang,omitempty"`
	Parsed bool   `json:"parsed"`
	// Reason says why the file is not parsed or, when it is, that parts of it could
	// not be read ("syntax errors at lines 3, 17").
	Reason  string         `json:"reason,omitempty"`
	Symbols []model.Symbol `json:"symbols"`
	Refs    []model.Ref    `json:"refs"`
}

// File reads one version of the file at path: all its symbols, with Path and Key,
// and all its references that stay in the repository, resolved in repo (nil is an
// empty one). blob names the content for the cache, "" is not cached; a nil cache
// reads with the default limits.
func File(path, blob string, read func() ([]byte, error), cache *symbols.Cache, repo lang.Repo) FileFacts {
	out := FileFacts{Path: path, Symbols: []model.Symbol{}, Refs: []model.Ref{}}
	l := lang.ForPath(path)
	if l == nil {
		out.Reason = reasonLanguage
		return out
	}
	out.Lang = l.Name
	if cache == nil {
		cache = symbols.NewCache(symbols.DefaultLimits, 1)
	}
	c := computer{cache: cache, repo: newMemoRepo(repo)}
	f, reason := c.facts(blob, l, read)
	if f == nil {
		out.Reason = reason
		return out
	}
	out.Parsed = true
	if f.HasErrors {
		out.Reason = errorLines(f, read)
	}
	for _, s := range f.Symbols {
		out.Symbols = append(out.Symbols, s.At(path))
	}
	owners := ownersOf(f)
	for i, raw := range f.Refs {
		in := ""
		if owners[i] >= 0 {
			in = out.Symbols[owners[i]].Qualified
		}
		if r, ok := resolve(l, path, f, raw, in, c.repo); ok {
			out.Refs = append(out.Refs, r)
		}
	}
	return out
}

// errorLines names the lines where error recovery stepped in, the first few.
func errorLines(f *lang.Facts, read func() ([]byte, error)) string {
	const words = "syntax errors"
	src, err := readOnce(read)()
	if err != nil {
		return words
	}
	const most = 5
	var lines []string
	last := 0
	for _, e := range f.Errors {
		n := 1 + bytes.Count(src[:min(e.Start, len(src))], []byte("\n"))
		if n == last {
			continue
		}
		if last = n; len(lines) == most {
			lines = append(lines, "…")
			break
		}
		lines = append(lines, fmt.Sprint(n))
	}
	switch len(lines) {
	case 0:
		return words
	case 1:
		return words + " at line " + lines[0]
	}
	return words + " at lines " + strings.Join(lines, ", ")
}
