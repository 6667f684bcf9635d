package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/model"
	"gitlet/internal/snapshot"
)

// What a remote's hook minds in a snapshot is left out of the next ones. The rest of the
// work is shared then, and state and outbox go their own way all along.

// keyExcluded is the ledger key of the paths that the remote minds: JSON, from each path
// to when it was last declined.
const keyExcluded = "excluded-paths"

// excludeFor is how long a declined path is left out: then the remote is asked again,
// as hooks and files change.
const excludeFor = time.Hour

// excluded lists the paths that stay out of snapshots now.
func (e *Engine) excluded(ctx context.Context, now time.Time) []string {
	all := e.declinedPaths(ctx)
	maps.DeleteFunc(all, func(_ string, at time.Time) bool { return due(at, excludeFor, now) })
	return slices.Sorted(maps.Keys(all))
}

func (e *Engine) declinedPaths(ctx context.Context) map[string]time.Time {
	all := map[string]time.Time{}
	text, ok, err := e.ledger.Get(ctx, e.who.Agent, keyExcluded)
	if err != nil || !ok || json.Unmarshal([]byte(text), &all) != nil {
		return map[string]time.Time{}
	}
	return all
}

// exclude leaves those of the item's files out that the remote's text names, and returns
// the ones that were not left out before.
func (e *Engine) exclude(ctx context.Context, it model.Item, text string, now time.Time) (fresh []string) {
	paths := e.changedPaths(ctx, it)
	out := e.excluded(ctx, now)
	for _, p := range snapshot.Named(text, paths) {
		if !slices.Contains(out, p) && !slices.Contains(fresh, p) {
			fresh = append(fresh, p)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	all := map[string]time.Time{}
	for p, at := range e.declinedPaths(ctx) {
		if slices.Contains(out, p) {
			all[p] = at
		}
	}
	for _, p := range fresh {
		all[p] = now
	}
	data, err := json.Marshal(all)
	if err == nil {
		err = e.ledger.Set(ctx, e.who.Agent, keyExcluded, string(data))
	}
	if err != nil {
		e.warnings.add("what the remote declines could not be noted: %v", err)
	}
	return fresh
}

// changedPaths lists the files that the item's snapshots change, by either name. The one
// declined may be later than what the item's state says.
func (e *Engine) changedPaths(ctx context.Context, it model.Item) (paths []string) {
	for i, commit := range []string{it.Snapshot, e.lastSnapshot.Commit} {
		if commit == "" || it.Base == "" || i > 0 && commit == it.Snapshot {
			continue
		}
		changes, err := e.wt.DiffTrees(ctx, it.Base, commit)
		if err != nil {
			e.warnings.add("what the remote declines could not be found out: %v", err)
		}
		for _, c := range changes {
			paths = append(paths, c.Path, c.OldPath)
		}
	}
	return paths
}

// snapshotDeclined deals with a snapshot that the remote looked at and does not want:
// the item says why, and what the remote names stays out of the next one.
func (e *Engine) snapshotDeclined(ctx context.Context, it model.Item, text string, now time.Time) {
	fresh := e.exclude(ctx, it, text, now)
	stamp := now
	if len(fresh) > 0 {
		stamp = time.Time{} // another snapshot may go at once
	}
	e.noteDeclined(ctx, it, stamp)
	if text != it.SnapshotError {
		e.noteSnapshotError(ctx, it.ID, text)
	}
	if len(fresh) > 0 {
		e.warnings.add("the next snapshot leaves out what the remote named: %s", quoted(fresh))
	}
}

// noteDeclined remembers a snapshot that is not to be tried again, and when it was tried.
func (e *Engine) noteDeclined(ctx context.Context, it model.Item, at time.Time) {
	if err := e.ledger.Set(ctx, e.who.Agent, keyDeclined+":"+it.ID, it.Snapshot+" "+at.Format(time.RFC3339Nano)); err != nil {
		e.warnings.add("that your snapshot was declined could not be noted: %v", err)
	}
}

// quoted lists a few paths.
func quoted(paths []string) string {
	names := make([]string, 0, 3)
	for _, p := range paths[:min(len(paths), 3)] {
		names = append(names, fmt.Sprintf("%q", p))
	}
	text := strings.Join(names, ", ")
	if n := len(paths) - len(names); n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// refusals are the declined refs among the joined errors of a flush, and rest is
// what else there was; nil when that is all.
func refusals(err error) (all []*bus.Refused, rest error) {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		var others []error
		for _, one := range many.Unwrap() {
			r, rest := refusals(one)
			all, others = append(all, r...), append(others, rest)
		}
		if len(all) == 0 {
			return nil, err
		}
		return all, errors.Join(others...)
	}
	if one := (*bus.Refused)(nil); errors.As(err, &one) {
		return []*bus.Refused{one}, nil
	}
	return nil, err
}

// flushed words what became of writes that went out late. A snapshot that is declined
// then is dealt with as one that is declined at once.
func (e *Engine) flushed(ctx context.Context, err error) {
	declined, rest := refusals(err)
	for _, r := range declined {
		n, ok := bus.ParseRef(r.Ref)
		if !ok || n.Kind != bus.Snapshot {
			e.publishProblem(ctx, "what was written before", r)
			continue
		}
		if st, err := e.State(ctx); err == nil && st.Item(n.Item) != nil {
			e.snapshotDeclined(ctx, *st.Item(n.Item), r.Text, e.now())
		}
	}
	var withheld *bus.Withheld
	if rest != nil && !errors.As(rest, &withheld) {
		e.publishProblem(ctx, "what was written before", rest)
	}
}
