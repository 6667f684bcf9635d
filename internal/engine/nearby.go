package engine

import (
	"context"
	"path"
	"strings"

	"gitlet/internal/lang"
	"gitlet/internal/model"
	"gitlet/internal/verb"
)

// lookNearby is for "path:Name" with a path that nobody has: what Name may mean in the file
// at HEAD whose path is a slip or two away, or else the only one of that file name. nil when
// there is no such file or nothing in it has such a name.
func (c *Call) lookNearby(ctx context.Context, text string) (*Lookup, error) {
	i := strings.LastIndexByte(text, ':')
	if i <= 0 || text[i-1] == ':' || c.head.OID == "" {
		return nil, nil
	}
	typed := path.Clean(text[:i])
	if !strings.Contains(typed, "/") && lang.ForPath(typed) == nil {
		return nil, nil
	}
	tree, err := c.wt.Tree(ctx, c.head.OID)
	if err != nil {
		return nil, err
	}
	var paths, namesakes []string
	for _, e := range tree {
		if lang.ForPath(e.Path) == nil {
			continue
		}
		paths = append(paths, e.Path)
		if path.Base(e.Path) == path.Base(typed) {
			namesakes = append(namesakes, e.Path)
		}
	}
	near := verb.Suggest(typed, paths)
	if near == "" && len(namesakes) == 1 {
		near = namesakes[0]
	}
	if near == "" {
		return nil, nil
	}
	name := canonicalName(text[i+1:])
	s := &search{name: name, last: lastPart(name), file: near, seen: map[string]bool{}}
	if err := c.searchFiles(ctx, s); err != nil {
		return nil, err
	}
	l := s.result()
	if l.Near = append(append([]model.Symbol{}, l.Found...), l.Near...); len(l.Near) == 0 {
		return nil, nil
	}
	// Nobody asked for that file, so nothing counts as found.
	l.Found, l.Path, l.Typed = nil, "", typed
	return &l, nil
}
