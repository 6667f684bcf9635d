package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"gitlet/internal/bus"
	"gitlet/internal/git"
	"gitlet/internal/land"
	"gitlet/internal/merge"
	"gitlet/internal/model"
	"gitlet/internal/view"
)

// ErrNoMain: there is no commit of main to go by.
var ErrNoMain = errors.New("main has no commit here")

// SourceSolves reports whether gitlet's merge driver for source, which is not set up here,
// merges every file of a conflict by its definitions.
func (c *Call) SourceSolves(ctx context.Context, files []land.ConflictFile) bool {
	conf, err := c.wt.KnownConfig(ctx)
	if err != nil {
		return false
	}
	if _, there := conf.Get("merge.gitlet-source.driver"); there {
		return false
	}
	cat := c.wt.NewCatFile(ctx)
	defer cat.Close()
	lines := func(base, ours, theirs []byte) ([]byte, bool) {
		out, conflicts, err := git.FileMerge{}.Texts(ctx, ours, base, theirs)
		return out, err == nil && conflicts == 0
	}
	for _, f := range files {
		v := merge.Versions{Path: f.Path}
		for _, side := range []struct {
			oid string
			to  *[]byte
		}{{f.Base, &v.Base}, {f.Main, &v.Ours}, {f.Mine, &v.Theirs}} {
			if side.oid == "" {
				return false
			}
			o, err := cat.Read(side.oid, int64(c.settings.MaxSnapshotFile))
			if err != nil {
				return false
			}
			*side.to = o.Data
		}
		if _, err := merge.Source(v, lines); err != nil {
			return false
		}
	}
	return len(files) > 0
}

// MainName is what main is called in git commands: "origin/main", or "main" without a
// remote.
func (e *Engine) MainName() string {
	if e.remote.Name == "" {
		return e.main.Name
	}
	return e.remote.Name + "/" + e.main.Name
}

// Remote is the name of the remote, "" without one.
func (e *Engine) Remote() string { return e.remote.Name }

// FetchMain brings main into the user's own remote-tracking ref and returns its commit.
// When the remote is away it is main as last known, with a warning.
func (c *Call) FetchMain(ctx context.Context) (string, error) {
	if c.remote.Name == "" {
		oid, err := c.wt.ResolveOne(ctx, "refs/heads/"+c.main.Name+"^{commit}")
		if errors.Is(err, git.ErrNotFound) {
			return "", ErrNoMain
		}
		return oid, err
	}
	err := c.wt.Foreground().Remote(c.remote.Name).FetchTracking(ctx, c.main.Name)
	switch {
	case err == nil:
		oid, err := c.wt.ResolveOne(ctx, "refs/remotes/"+c.MainName()+"^{commit}")
		if err == nil {
			c.seeMain(ctx, oid)
		}
		return oid, err
	case errors.Is(err, git.ErrNoRemoteRef):
		return "", ErrNoMain
	case errors.Is(err, git.ErrNetwork):
		c.setOffline(ctx, c.now())
		if main := c.mainOID(ctx); main != "" {
			c.warnings.add("the remote is away: this goes by %s as last fetched", c.MainName())
			return main, nil
		}
	}
	return "", err
}

// Update brings the branch and the uncommitted work up to main's commit; see land.Update.
func (c *Call) Update(ctx context.Context, main string) (*land.Updated, error) {
	if limits := c.wt.Version.Limits(); limits != "" {
		c.warnings.add("%s", limits)
	}
	pins, err := c.pins(ctx)
	if err != nil {
		return nil, err
	}
	var all []land.Pin
	for _, n := range pins {
		p, _ := land.PinOf(n)
		all = append(all, p)
	}
	onMain, err := land.OnMain(ctx, c.wt.Repo, main, all, c.cache)
	if err != nil {
		return nil, err
	}
	var landed []land.LandedStub
	for i, p := range all {
		if onMain[p] {
			landed = append(landed, land.LandedStub{Pin: p, Stub: pins[i].PinnedStub, Commit: pins[i].PinnedCommit})
		}
	}
	done, err := land.Update(ctx, c.wt.Foreground(), land.Options{Agent: c.who.Agent, Now: c.Now, Onto: main, Name: c.MainName(),
		Landed: landed, Cache: c.cache, Ask: c.asking()})
	if err != nil {
		return nil, err
	}
	c.prune(ctx, done.Before.Commit)
	c.offerResolutions(ctx)
	if err := c.repin(context.WithoutCancel(ctx), done); err != nil {
		c.warnings.add("which commits of your branch are picked stubs could not be noted: %v", err)
	}
	return done, nil
}

// pins are this agent's needs that are pinned to a signature.
func (c *Call) pins(ctx context.Context) ([]model.Need, error) {
	box, err := c.bus.Outbox(ctx, c.who.Agent)
	if err != nil || box == nil {
		return nil, err
	}
	var out []model.Need
	for _, n := range box.Needs {
		if _, ok := land.PinOf(n); ok {
			out = append(out, n)
		}
	}
	return out, nil
}

// landedPins finds out which pinned signatures that nobody publishes any more are on main.
// It costs nothing while all are published.
func (e *Engine) landedPins(ctx context.Context, v *view.View) {
	pins := map[string]land.Pin{}
	for _, n := range v.Needs {
		if n.Agent != v.Agent || n.PinnedSigHash == "" {
			continue
		}
		if cl := v.Contracted(n.Key); cl != nil && cl.Contract != nil {
			continue
		}
		if p, ok := land.PinOf(n.Need); ok {
			pins[n.ID] = p
		}
	}
	if len(pins) == 0 {
		return
	}
	on, err := land.OnMain(ctx, e.wt.Repo, e.mainOID(ctx), slices.Collect(maps.Values(pins)), e.cache)
	if err != nil {
		if !cut(ctx, err) {
			e.warnings.add("whether the signatures you use have landed could not be read: %v", err)
		}
		on = nil
	}
	v.Landed = map[string]bool{}
	for need, p := range pins {
		v.Landed[need] = on == nil || on[p] // what is not known is not alarming
	}
}

// repin follows picked stubs to the commits they became.
func (c *Call) repin(ctx context.Context, done *land.Updated) error {
	became := map[string]string{}
	for _, m := range done.Kept {
		became[m.Old.OID] = m.New.OID
	}
	for _, gone := range [][]git.Commit{done.Stubs, done.Here, done.Empty} {
		for _, g := range gone {
			became[g.OID] = ""
		}
	}
	pins, err := c.pins(ctx)
	if err != nil {
		return err
	}
	any := false
	for _, n := range pins {
		_, moved := became[n.PinnedCommit]
		any = any || n.PinnedCommit != "" && moved
	}
	if !any {
		return nil
	}
	return c.changeOutbox(ctx, func(o *model.Outbox) error {
		changed := false
		for i := range o.Needs {
			n := &o.Needs[i]
			if now, moved := became[n.PinnedCommit]; moved && n.PinnedCommit != "" {
				n.PinnedCommit, changed = now, true
			}
		}
		if !changed {
			return bus.ErrUnchanged
		}
		return nil
	})
}

// Doer is who is behind a commit: by its trailers, else its author.
type Doer struct {
	Item, Agent, Intent, Author string
}

// WhoDid finds out whose task a commit belongs to.
func (c *Call) WhoDid(ctx context.Context, commit git.Commit) Doer {
	d := Doer{Author: commit.Author}
	for _, v := range commit.Trailer("Gitlet-Agent") {
		d.Agent = v
	}
	for _, v := range commit.Trailer("Gitlet-Item") {
		d.Item = v
	}
	if d.Item == "" {
		return d
	}
	for _, s := range c.docs.States {
		if it := s.Value.Item(d.Item); it != nil {
			d.Intent, d.Agent = it.Intent, s.Value.Agent.ID
			return d
		}
	}
	if closed, err := c.ledger.Closed(ctx, c.who.Agent); err == nil {
		for _, it := range closed {
			if it.ID == d.Item {
				d.Intent, d.Agent = it.Intent, c.who.Agent
			}
		}
	}
	return d
}

// String words it for people; intents are others' text and stay quoted.
func (d Doer) String() string {
	switch {
	case d.Intent != "":
		return fmt.Sprintf("%s doing %q", d.Agent, d.Intent)
	case d.Agent != "":
		return d.Agent
	}
	return d.Author
}
