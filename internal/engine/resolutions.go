package engine

import (
	"context"
	"errors"
	"fmt"

	"gitlet/internal/bus"
	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/replay"
)

// resolutionLibrary is where resolutions are shared.
type resolutionLibrary interface {
	OfferResolutions(ctx context.Context, all []model.Resolution) ([]string, error)
	FindResolutions(ctx context.Context, conflicts []string) ([]model.Resolution, map[string]string, []bus.Problem, error)
	RevokeResolution(ctx context.Context, conflict, seen string) error
}

// Resolutions are the recorded resolutions whose name begins with a text, the newest first.
func (c *Call) Resolutions(name string) ([]replay.Recorded, error) {
	return replay.Find(c.wt.Repo, name)
}

// Records reports whether git records here how conflicts are solved.
func (c *Call) Records(ctx context.Context) (bool, error) { return c.wt.Records(ctx) }

// ForgetResolution removes one and makes sure that it is gone. Where it was offered to
// others it is taken back there first; revoked says so.
func (c *Call) ForgetResolution(ctx context.Context, r git.Resolution) (revoked bool, err error) {
	if value := replay.SharedAs(c.wt.Repo, r.ID); value != "" {
		pctx, cancel := c.publishing(ctx)
		defer cancel()
		if err := c.library.RevokeResolution(pctx, r.ID, value); err != nil {
			return false, fmt.Errorf("take it back from the others: %w", err)
		}
		revoked = true
	}
	if err := replay.Forget(c.wt.Repo, r); err != nil {
		return revoked, err
	}
	return revoked, replay.DropShared(c.wt.Repo, r.ID)
}

// Train learns resolutions from the newest merges of main; see replay.Train.
func (c *Call) Train(ctx context.Context, most int, tell func(done, of int)) (*replay.Trained, error) {
	main := c.mainOID(ctx)
	if main == "" {
		return nil, ErrNoMain
	}
	return replay.Train(ctx, c.wt.Foreground(), main, most, c.Now, tell)
}

// Sharing reports whether resolutions are shared with other clones.
func (e *Engine) Sharing() bool { return e.settings.ShareResolutions && e.remote.Name != "" }

// asking is how the replay loop asks for what others share, nil where they are not shared.
// A remote that does not answer costs what the others share and nothing else.
func (c *Call) asking() replay.Ask {
	if !c.Sharing() {
		return nil
	}
	return func(ctx context.Context, conflicts []string) ([]model.Resolution, error) {
		if c.offline() {
			return nil, nil
		}
		fctx, cancel := context.WithTimeout(ctx, c.budget.fetch)
		defer cancel()
		found, _, problems, err := c.library.FindResolutions(fctx, conflicts)
		for _, p := range problems {
			c.warnings.add("the shared resolution %s cannot be used: %s", p.Ref, p.Why)
		}
		if err != nil {
			c.warnings.add("whether others solved this conflict before could not be asked: %v", err)
		}
		return found, nil
	}
}

// SharedResolution is what others share of one conflict, nil for nothing, with the value of
// its ref.
func (c *Call) SharedResolution(ctx context.Context, conflict string) (*model.Resolution, string, error) {
	fctx, cancel := context.WithTimeout(ctx, c.budget.publish)
	defer cancel()
	found, values, _, err := c.library.FindResolutions(fctx, []string{conflict})
	if err != nil || len(found) == 0 {
		return nil, "", err
	}
	return &found[0], values[conflict], nil
}

// BlockResolution keeps one that others share from being used here.
func (c *Call) BlockResolution(r model.Resolution) error { return replay.Block(c.wt.Repo, r) }

// SharedAs reports whether the clone's resolution of a conflict is offered to others.
func (c *Call) SharedAs(conflict string) bool { return replay.SharedAs(c.wt.Repo, conflict) != "" }

// OfferResolutions offers what was recorded here to the others, where that is wanted.
func (c *Call) OfferResolutions(ctx context.Context) { c.offerResolutions(ctx) }

// maxOffered bounds what one call offers.
const maxOffered = 50

// offerResolutions offers what was recorded here and is new. Looking costs no process.
func (e *Engine) offerResolutions(ctx context.Context) {
	if !e.Sharing() || e.second || e.offline() || e.observing() {
		return
	}
	list, err := replay.ToShare(e.wt.Repo, e.agent, maxOffered)
	if err != nil || len(list) == 0 {
		return // nothing is lost: a later call sees it again
	}
	docs := make([]model.Resolution, len(list))
	for i, s := range list {
		docs[i] = s.Doc
	}
	pctx, cancel := e.publishing(ctx)
	defer cancel()
	put, err := e.library.OfferResolutions(pctx, docs)
	if err != nil {
		if !errors.Is(err, bus.ErrOffline) && !cut(pctx, err) {
			e.warnings.add("resolutions of conflicts could not be shared: %v", err)
		}
		return
	}
	for i, value := range put {
		if err := replay.NoteShared(e.wt.Repo, list[i].ID, value); err != nil {
			e.warnings.add("%v", err)
		}
	}
}
