package engine

import (
	"context"
	"errors"
	"sort"

	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/view"
)

// maxPredictions bounds how many merges one evaluation tries; answers that are known
// already do not count.
const maxPredictions = 20

// predict fills in what git says about merging my items with those that change the
// same files. Peers' snapshots are fetched by exact name, only for such pairs.
func (e *Engine) predict(ctx context.Context, v *view.View) {
	if !e.wt.Version.MergeTree() {
		e.warnings.add("git %s cannot predict conflicts; that needs 2.38 or newer", e.wt.Version)
		return
	}
	var s scratch
	defer s.close()
	tried := 0
	for _, mine := range v.Items {
		for i := range v.Peers {
			p := &v.Peers[i]
			if p.Item.ID == mine.ID || !sharesFile(mine.Footprint, p.Item.Footprint) {
				continue
			}
			tip := e.peerTip(ctx, p)
			if tip == "" || mine.Tip() == "" {
				continue
			}
			outdated := tip != p.Item.Tip()
			pred, known := e.ledgerPrediction(ctx, mine.Tip(), tip)
			if !known {
				if tried++; tried > maxPredictions {
					e.warnings.add("only %d possible conflicts were checked; the rest follow at the next call", maxPredictions)
					return
				}
				pred = e.mergeFiles(ctx, &s, mine.Tip(), tip)
				e.keepPrediction(ctx, mine.Tip(), tip, pred)
			}
			if outdated && len(pred.Files) == 0 {
				continue // what they changed since may conflict
			}
			v.Predictions[view.Pair{Mine: mine.ID, Other: p.Item.ID}] = pred
		}
	}
}

// peerTip returns the commit of a peer's work that is in this clone, fetching its
// snapshot when the one here is older than its state says; "" when there is none.
func (e *Engine) peerTip(ctx context.Context, p *view.Peer) string {
	tip := p.Item.Tip()
	if tip == "" || p.HaveTip {
		return tip
	}
	name := p.Agent.ID + "/" + p.Item.ID
	if e.fetched[name] != tip && !e.offline() {
		e.fetched[name] = tip
		fctx, cancel := context.WithTimeout(ctx, e.budget.fetch)
		here, err := e.bus.FetchSnapshot(fctx, p.Agent.ID, p.Item.ID, tip)
		cancel()
		switch {
		case err != nil && !cut(fctx, err):
			e.warnings.add("the snapshot of %s could not be fetched: %v", p.Agent.ID, err)
		case err == nil && here:
			p.HaveTip = true
			return tip
		}
	}
	return e.docs.Snapshots[name]
}

// mergeFiles asks git, in a scratch repository where no driver, filter or setting of
// this clone applies, so that the answer is what anybody's plain merge would give.
func (e *Engine) mergeFiles(ctx context.Context, s *scratch, mine, other string) view.Prediction {
	repo, err := s.open(e.wt)
	if err != nil {
		e.warnings.add("a merge could not be predicted: %v", err)
		return view.Prediction{}
	}
	m, err := repo.MergeTree(ctx, mine, other)
	switch {
	case errors.Is(err, git.ErrCannotTell):
		return view.Prediction{}
	case err != nil:
		if !cut(ctx, err) {
			e.warnings.add("a merge could not be predicted: %v", err)
		}
		return view.Prediction{}
	}
	files := m.Files()
	sort.Strings(files)
	return view.Prediction{Known: true, Files: files}
}

// scratch opens one scratch repository, when first needed.
type scratch struct{ repo *git.Scratch }

func (s *scratch) open(wt *git.Worktree) (*git.Scratch, error) {
	var err error
	if s.repo == nil {
		s.repo, err = wt.NewScratch()
	}
	return s.repo, err
}

func (s *scratch) close() {
	if s.repo != nil {
		s.repo.Close()
	}
}

func sharesFile(a, b *model.Footprint) bool {
	if a == nil || b == nil {
		return false
	}
	paths := map[string]bool{}
	for _, f := range a.Files {
		paths[f.Path] = true
		if f.OldPath != "" {
			paths[f.OldPath] = true
		}
	}
	for _, f := range b.Files {
		if paths[f.Path] || f.OldPath != "" && paths[f.OldPath] {
			return true
		}
	}
	return false
}
