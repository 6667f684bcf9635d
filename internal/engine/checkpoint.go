package engine

import (
	"context"
	"strings"

	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/snapshot"
)

// keyKept, followed by ":" and the item, lists the snapshots kept of it, oldest first.
const keyKept = "kept-snapshots"

// keepHere keeps a new snapshot of an item in this clone, and lets go of the oldest.
func (e *Engine) keepHere(ctx context.Context, it model.Item) {
	if it.Snapshot == "" || it.Snapshot == it.Head || e.second {
		return
	}
	text, _, err := e.ledger.Get(ctx, e.who.Agent, keyKept+":"+it.ID)
	if err != nil {
		return // a snapshot fewer to go back to
	}
	kept := strings.Fields(text)
	if n := len(kept); n > 0 && kept[n-1] == it.Snapshot {
		return
	}
	kept = append(kept, it.Snapshot)
	changes := []git.RefChange{git.Set(snapshot.KeptRef(e.who.Agent, it.ID, it.Snapshot), it.Snapshot)}
	for len(kept) > snapshot.KeepSnapshots {
		old := kept[0]
		kept = kept[1:]
		if !strings.Contains(strings.Join(kept, " "), old) {
			changes = append(changes, git.Delete(snapshot.KeptRef(e.who.Agent, it.ID, old), ""))
		}
	}
	err = e.wt.Apply(ctx, changes...)
	if err == nil {
		err = e.ledger.Set(ctx, e.who.Agent, keyKept+":"+it.ID, strings.Join(kept, " "))
	}
	if err != nil && !cut(ctx, err) {
		e.warnings.add("a snapshot to go back to could not be kept: %v", err)
	}
}

// resumeRestore finishes a restore that was killed.
func (e *Engine) resumeRestore(ctx context.Context) {
	if e.second {
		return
	}
	r, err := snapshot.Resume(ctx, e.wt.Foreground())
	switch {
	case err != nil:
		e.warnings.add("a restore was cut short and could not be finished yet: %v", err)
	case r == nil:
	case r.Finished:
		e.warnings.add("a restore was cut short; it is finished now. How it was before: gitlet restore %s", snapshot.AutoRestore)
	default:
		e.warnings.add("a restore was cut short and is not finished, since %s. How it was before: gitlet restore %s", r.Why, snapshot.AutoRestore)
	}
}

// Checkpoint parks HEAD, the branch, the index and the work tree. A checkpoint that has
// the slug already keeps its content under another slug, which is returned.
func (c *Call) Checkpoint(ctx context.Context, name, slug string) (s *snapshot.Saved, moved string, err error) {
	all, err := c.Checkpoints(ctx)
	if err != nil {
		return nil, "", err
	}
	for _, old := range all {
		if old.Slug != slug {
			continue
		}
		moved = slug + "-" + old.At.UTC().Format("20060102-150405")
		if err := c.wt.Apply(ctx, git.Set(snapshot.CheckpointRef(c.who.Agent, moved), old.Commit)); err != nil {
			return nil, "", err
		}
	}
	s, err = snapshot.Save(ctx, c.wt.Foreground(), snapshot.SaveOptions{Agent: c.who.Agent, Name: name, Slug: slug, Now: c.Now})
	if err == nil {
		c.prune(ctx, s.Commit)
	}
	return s, moved, err
}

// AutoCheckpoint parks everything before a step that changes the branch or the work tree,
// as auto-pre-<step>. The step must not be taken when it fails.
func (c *Call) AutoCheckpoint(ctx context.Context, step string) (*snapshot.Saved, error) {
	slug := "auto-pre-" + step
	s, err := snapshot.Save(ctx, c.wt.Foreground(), snapshot.SaveOptions{Agent: c.who.Agent, Name: slug, Slug: slug, Now: c.Now})
	if err == nil {
		c.prune(ctx, s.Commit)
	}
	return s, err
}

func (c *Call) prune(ctx context.Context, keep string) {
	if err := snapshot.Prune(ctx, c.wt.Repo, c.who.Agent, c.Now, keep); err != nil && !cut(ctx, err) {
		c.Warn("old checkpoints could not be removed: %v", err)
	}
}

// Checkpoints lists this agent's checkpoints, the newest first.
func (c *Call) Checkpoints(ctx context.Context) ([]snapshot.Checkpoint, error) {
	return snapshot.Checkpoints(ctx, c.wt.Repo, c.who.Agent)
}

// KeptSnapshots lists the snapshots kept of this agent's items, the newest first.
func (c *Call) KeptSnapshots(ctx context.Context) ([]snapshot.Kept, error) {
	all, err := snapshot.KeptSnapshots(ctx, c.wt.Repo, c.who.Agent)
	if err != nil {
		return nil, err
	}
	if err := snapshot.PruneKept(ctx, c.wt.Repo, all, c.Now); err != nil {
		return nil, err
	}
	kept, of := all[:0:0], map[string]int{}
	for _, k := range all {
		if of[k.Item]++; of[k.Item] <= snapshot.KeepSnapshots && c.Now.Sub(k.At) <= snapshot.KeepFor {
			kept = append(kept, k)
		}
	}
	return kept, nil
}

// Restore puts everything back to a checkpoint's commit, or the files to a snapshot's.
func (c *Call) Restore(ctx context.Context, commit, name string) (*snapshot.Restored, error) {
	r, err := snapshot.Restore(ctx, c.wt.Foreground(), commit, snapshot.RestoreOptions{
		Agent: c.who.Agent, Now: c.Now, Why: "gitlet: restore " + name})
	if err == nil {
		c.prune(ctx, r.Before.Commit)
	}
	return r, err
}
