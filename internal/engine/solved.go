package engine

import (
	"context"

	"gitlet/internal/git"
	"gitlet/internal/replay"
	"gitlet/internal/sources"
)

// Recorded says what recorded resolutions make of a conflict with main.
type Recorded int

// NoneRecorded: there are none to use. MayBeRecorded: there are some, and whether they settle
// a rebase shows only when it is made. AllRecorded: they settle the merge as a whole.
const (
	NoneRecorded Recorded = iota
	MayBeRecorded
	AllRecorded
)

// Recorded looks up whether recorded resolutions solve the conflicts that bringing tip ("" for
// HEAD) up to main meets. It costs no git process where nothing is recorded in this clone.
func (c *Call) Recorded(ctx context.Context, tip string) (Recorded, error) {
	if ids, err := c.wt.ResolutionIDs(); err != nil || len(ids) == 0 {
		return NoneRecorded, err
	}
	book, err := replay.Open(ctx, c.wt.Repo, c.Now, nil)
	if err != nil || book.Off() {
		return NoneRecorded, err
	}
	if tip == "" {
		tip = c.head.OID
	}
	s, err := c.wt.NewScratch()
	if err != nil {
		return NoneRecorded, err
	}
	defer s.Close()
	pair := []git.MergePair{{Ours: c.mainOID(ctx), Theirs: tip}}
	merged := s.MergeTrees(ctx, pair)[0]
	if merged.Err != nil {
		return MayBeRecorded, merged.Err
	}
	all, err := book.Solves(ctx, merged.Conflicts, func(style string) (map[string][]byte, error) {
		m := s.MergeTrees(ctx, pair, "merge.conflictStyle="+style)[0]
		if m.Err != nil {
			return nil, m.Err
		}
		cat := s.NewCatFile(ctx)
		defer cat.Close()
		files := map[string][]byte{}
		for _, f := range m.Conflicts {
			data, err := sources.Object(cat, m.Tree+":"+f.Path)
			if err != nil {
				return nil, err
			}
			files[f.Path] = data
		}
		return files, nil
	})
	if err != nil || !all {
		return MayBeRecorded, err
	}
	return AllRecorded, nil
}
