package land

import (
	"context"

	"gitlet/internal/footprint"
	"gitlet/internal/git"
	"gitlet/internal/lang"
	"gitlet/internal/model"
	"gitlet/internal/sources"
	"gitlet/internal/symbols"
)

// Pin is an interface that work is built on: a symbol, by key and path, at a signature.
type Pin struct{ Key, Path, SigHash string }

// PinOf is what a need is pinned to; false where it is not.
func PinOf(n model.Need) (Pin, bool) {
	path := lang.PathIn(n.Name)
	return Pin{Key: n.Key, Path: path, SigHash: n.PinnedSigHash}, path != "" && n.PinnedSigHash != ""
}

// OnMain returns the pins whose signature main holds now. Where a stub came from, and
// whether it is an ancestor, does not matter: main may have lost it again.
func OnMain(ctx context.Context, repo *git.Repo, main string, pins []Pin, cache *symbols.Cache) (map[Pin]bool, error) {
	found, err := At(ctx, repo, main, pins, cache)
	out := map[Pin]bool{}
	for p, s := range found {
		if s.SigHash == p.SigHash {
			out[p] = true
		}
	}
	return out, err
}

// At finds the symbols of pins in a commit, whatever signature they have there.
func At(ctx context.Context, repo *git.Repo, rev string, pins []Pin, cache *symbols.Cache) (map[Pin]model.Symbol, error) {
	out := map[Pin]model.Symbol{}
	if len(pins) == 0 || rev == "" {
		return out, nil
	}
	cat := repo.NewCatFile(ctx)
	defer cat.Close()
	files := map[string]footprint.FileFacts{}
	for _, p := range pins {
		f, read := files[p.Path]
		if !read {
			data, err := sources.Object(cat, rev+":"+p.Path)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err == nil {
				f = footprint.File(p.Path, "", func() ([]byte, error) { return data, nil }, cache, nil)
			}
			files[p.Path] = f
		}
		for _, s := range f.Symbols {
			// Of several that share a key, the one at the pinned signature counts.
			if _, have := out[p]; s.Key == p.Key && (!have || s.SigHash == p.SigHash) {
				out[p] = s
			}
		}
	}
	return out, nil
}

// StubTrailer marks the commit of a stub: "<symbol key>@<signature hash>". BackTrailer
// marks the commit that took one back in the same way.
const (
	StubTrailer = "Gitlet-Stub"
	BackTrailer = "Gitlet-Stub-Back"
)
