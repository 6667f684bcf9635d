package inspect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"gitlet/internal/config"
	"gitlet/internal/footprint"
	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/snapshot"
	"gitlet/internal/sources"
	"gitlet/internal/symbols"
)

// Footprint writes what head changes against base, as one JSON object. An empty base
// is the merge base with main, an empty head the work tree.
func Footprint(ctx context.Context, dir, base, head string, out io.Writer) error {
	fp, err := compute(ctx, dir, base, head, nil)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(withoutNulls(fp)); err != nil {
		return fmt.Errorf("write the footprint: %w", err)
	}
	return nil
}

// Degraded lists the changed files of the work tree that are in a language gitlet
// reads and are still known by file only, or in part, each with the reason: also those
// whose errors lie in the body of one definition, or stood there before the change.
func Degraded(ctx context.Context, dir string) ([]model.FileChange, error) {
	var out []model.FileChange
	_, err := compute(ctx, dir, "", "", func(fp model.Footprint, now sources.At) {
		for _, f := range fp.Files {
			if f.Lang != "" && f.Reason == "" && f.Status != "D" {
				read := func() ([]byte, error) { return now.Read(f.Path) }
				f.Reason = footprint.File(f.Path, "", read, nil, nil).Reason
			}
			if f.Lang != "" && f.Reason != "" {
				out = append(out, f)
			}
		}
	})
	return out, err
}

// compute reads what head changes against base, and shows it to seen, which may be
// nil, while head's files can still be read.
func compute(ctx context.Context, dir, base, head string, seen func(model.Footprint, sources.At)) (model.Footprint, error) {
	var none model.Footprint
	wt, err := open(ctx, dir)
	if err != nil {
		return none, err
	}
	aside, drop, err := wt.Aside()
	if err != nil {
		return none, err
	}
	defer drop()
	cfg, err := wt.Config(ctx)
	if err != nil {
		return none, err
	}
	settings, _ := config.From(cfg)
	newer, err := headCommit(ctx, aside, settings, head)
	if err != nil {
		return none, err
	}
	older, err := baseCommit(ctx, wt, cfg, settings, base, head)
	if err != nil {
		return none, err
	}
	changes, err := aside.DiffTrees(ctx, older, newer)
	if err != nil {
		return none, err
	}
	cat := aside.NewCatFile(ctx)
	defer cat.Close()
	fp := footprint.Compute(footprint.Input{
		Base: older, Head: newer, Deltas: sources.Deltas(cat, changes, nil, 0), Repo: sources.At{Cat: cat, Rev: newer},
		BroadFiles: settings.BroadFiles, BroadSymbols: settings.BroadSymbols,
		Cache: symbols.NewCache(symbols.DefaultLimits, 0),
	})
	if seen != nil {
		seen(fp, sources.At{Cat: cat, Rev: newer})
	}
	return fp, ctx.Err()
}

func withoutNulls(fp model.Footprint) model.Footprint {
	if fp.Files == nil {
		fp.Files = []model.FileChange{}
	}
	if fp.Symbols == nil {
		fp.Symbols = []model.SymbolChange{}
	}
	if fp.Refs == nil {
		fp.Refs = []model.Ref{}
	}
	return fp
}

// headCommit is the newer side: a revision, or a snapshot of the work tree that
// exists only while this runs.
func headCommit(ctx context.Context, aside *git.Worktree, s config.Settings, head string) (string, error) {
	if head != "" {
		return commitOf(ctx, aside, head)
	}
	snap, err := snapshot.Take(ctx, aside, snapshot.PolicyFrom(s))
	if err != nil {
		return "", err
	}
	return snap.Commit, nil
}

// baseCommit is the older side: a revision, or the merge base of main and the newer
// side ("" is the empty tree, when there is no commit at all).
func baseCommit(ctx context.Context, wt *git.Worktree, cfg *git.Config, s config.Settings, base, head string) (string, error) {
	if base != "" {
		return commitOf(ctx, wt, base)
	}
	if head == "" {
		head = "HEAD"
	}
	tip, err := wt.ResolveOne(ctx, head+"^{commit}")
	if errors.Is(err, git.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	chosen, err := config.Choose(ctx, s, cfg.RemoteNames(), wt)
	if err != nil || chosen.Commit == "" {
		return tip, err
	}
	found, err := wt.MergeBase(ctx, tip, chosen.Commit)
	if errors.Is(err, git.ErrNoMergeBase) {
		return tip, nil
	}
	return found, err
}

func commitOf(ctx context.Context, wt *git.Worktree, rev string) (string, error) {
	oid, err := wt.ResolveOne(ctx, rev+"^{commit}")
	if errors.Is(err, git.ErrNotFound) {
		return "", refuse("footprint", "%q is no commit of this repository", rev)
	}
	return oid, err
}
