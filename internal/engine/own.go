package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/footprint"
	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/snapshot"
	"gitlet/internal/sources"
)

// Ledger keys about snapshots; the last two are followed by ":" and the item.
const (
	keySnapshot = "snapshot" // "<commit> <fingerprint>" of the last one taken
	// keyLetGo is the snapshot whose unannounced work was abandoned: it is left alone
	// until it changes.
	keyLetGo    = "let-go"
	keyShared   = "shared-snapshot"   // "<commit> <RFC 3339 time>" of the last one accepted
	keyDeclined = "declined-snapshot" // the same of the last one that was not
)

// ownWork reads the work tree, brings this agent's state in line with it and shares
// what changed. What cannot be done becomes a warning: a verb answers all the same.
func (e *Engine) ownWork(ctx context.Context, now time.Time) {
	if e.second {
		if head, err := e.wt.Head(ctx); err == nil {
			e.head = head
		}
		return
	}
	start := e.now()
	w, err := e.readWork(ctx)
	e.noteRead(ctx, e.now().Sub(start))
	if why := unwritable(err); why != "" {
		e.warnings.cannotWrite(err, why)
		w, err = e.readAside(ctx)
	}
	if err != nil {
		if !cut(ctx, err) {
			e.warnings.add("your work could not be read, so this is how it was before: %v", err)
		}
		// Where HEAD is can be told all the same.
		if head, herr := e.wt.Head(ctx); herr == nil {
			e.head = head
		}
		w = work{Unread: true} // its agent is here all the same
	}
	e.shareWork(ctx, w, now)
}

// shareWork brings this agent's state in line with w and shares what changed.
func (e *Engine) shareWork(ctx context.Context, w work, now time.Time) {
	start := e.now()
	defer func() { e.sharing += e.now().Sub(start) }()
	pctx, cancel := e.publishing(ctx)
	defer cancel()
	var item model.Item
	change := func(st *model.State) error {
		if err := e.unannounced(ctx, st, &w); err != nil {
			e.warnings.add("your finished tasks could not be read: %v", err)
		}
		changed := settle(st, w, e.atWork(now), e.settings.Lease, now) || e.writeAnew && len(st.Items) > 0
		item = model.Item{}
		if it := st.Active(); it != nil {
			item = *it
		}
		if changed {
			st.Agent = e.agent
		}
		own := *st
		e.own = &own
		if !changed {
			return bus.ErrUnchanged
		}
		return nil
	}
	err := e.share(pctx, change, now)
	e.writeAnew = false
	if err != nil {
		e.publishProblem(pctx, "your state", err)
		if unwritable(err) != "" {
			e.inMemory(ctx, change)
			return
		}
	} else if e.remote.Name != "" && !e.offline() && !e.slow && !e.observing() {
		e.flush(pctx)
	}
	if item.ID != "" {
		e.keepHere(ctx, item)
		e.shareSnapshot(pctx, item, now)
	}
	e.tidy(pctx)
}

// atWork: a call came or the work tree changed within the lease.
func (e *Engine) atWork(now time.Time) bool {
	return now.Sub(e.lastCall) < e.settings.Lease || now.Sub(e.lastChange) < e.settings.Lease
}

// share writes the state and renews the claims whose time has come, in one push.
func (e *Engine) share(ctx context.Context, change func(*model.State) error, now time.Time) error {
	var renew []bus.Renewal
	for _, d := range e.docs.States {
		if d.Value.Agent.ID == e.who.Agent && e.atWork(now) {
			renew = e.dueRenewals(&d.Value, now)
		}
	}
	if len(renew) == 0 {
		return e.bus.UpdateState(ctx, e.who.Agent, change)
	}
	out, err := e.bus.Share(ctx, bus.Batch{Agent: e.who.Agent, State: change, Renew: renew})
	if err != nil {
		return err
	}
	e.renewed(ctx, renew, out.Renewed)
	return out.State
}

// publishing bounds a step that shares something. A remote that did not answer this
// call before gets little time: what is written stands here and goes out later.
func (e *Engine) publishing(ctx context.Context) (context.Context, context.CancelFunc) {
	d := e.budget.publish
	if e.slow {
		d = min(d, time.Second)
	}
	return context.WithTimeout(ctx, d)
}

// unannounced finds out, for work without an item, whether it is to be left alone:
// it sits on the branch of a finished task, or its agent let go of it.
func (e *Engine) unannounced(ctx context.Context, st *model.State, w *work) (err error) {
	if w.empty() || st.Active() != nil {
		return nil
	}
	if gone, ok, err := e.ledger.Get(ctx, e.who.Agent, keyLetGo); err == nil && ok && gone == w.Snapshot {
		w.LeaveAlone = true
		return nil
	}
	f, err := e.FinishedBranch(ctx, st, e.head)
	w.LeaveAlone = f != nil
	return err
}

// publishProblem words what became of something written here that others did not get.
func (e *Engine) publishProblem(ctx context.Context, what string, err error) {
	var refused *bus.Refused
	switch {
	case e.local: // nobody asked the remote
	case errors.Is(err, bus.ErrOffline):
		if !e.offline() {
			e.setOffline(ctx, e.now())
			e.warnings.add("offline since %s: %s is kept here and shared when the remote is back", e.offlineSince.Local().Format("15:04"), what)
		}
	case errors.As(err, &refused):
		if ref := inTheWay(refused); ref != "" {
			e.warnings.add("%s cannot be shared: %q stands in its way on the remote; no gitlet makes such a ref, so remove it: git push %s --delete %s", what, ref, e.remote.Name, ref)
			return
		}
		if why, ok := declinedState(refused); ok {
			e.denied(ctx, why)
			return
		}
		e.warnings.add("the remote declined %s: %s", what, refused.Text)
	case errors.Is(err, bus.ErrDenied):
		e.denied(ctx, "")
	case errors.Is(err, bus.ErrCollision):
		e.warnings.add("another checkout speaks as %s too: give one of them another id with GITLET_AGENT", e.who.Agent)
	case errors.Is(err, bus.ErrTooLarge):
		e.warnings.add("%s is too large to share: %v", what, err)
	case cut(ctx, err):
		e.warnings.add("the remote took too long: %s is shared at the next call", what)
	default:
		e.warnings.add("%s could not be shared: %v", what, err)
	}
}

// readWork snapshots the work tree and computes what it changes.
func (e *Engine) readWork(ctx context.Context) (work, error) {
	policy := e.snapshotPolicy()
	policy.Exclude = e.excluded(ctx, policy.Now)
	snap, err := e.take(ctx, e.wt, policy)
	if err != nil {
		return work{}, err
	}
	e.noteSkipped(snap.Skipped)
	e.head = snap.Head
	if snap.Commit != e.lastSnapshot.Commit {
		if e.lastSnapshot.Commit != "" {
			e.lastChange = e.now()
		}
	}
	e.keepSnapshot(ctx, snapshot.Prev{Commit: snap.Commit, Fingerprint: snap.Fingerprint})
	w := work{Branch: snap.Head.Branch, Head: snap.Head.OID, Main: e.main.Name, Snapshot: snap.Commit}
	w.Base, err = e.base(ctx, snap.Head.OID)
	if err != nil {
		return work{}, err
	}
	item := ""
	for _, d := range e.docs.States {
		if it := d.Value.Active(); d.Value.Agent.ID == e.who.Agent && it != nil {
			w.Begun, item = e.begunOn(ctx, *it, w), it.ID
		}
	}
	w.Footprint, err = e.footprint(ctx, w.Base, snap.Commit, item)
	return w, err
}

// noteSkipped keeps what a snapshot left out for the result.
func (e *Engine) noteSkipped(skipped []snapshot.Skip) {
	e.leftOut = nil
	for _, s := range skipped {
		switch s.Reason {
		case snapshot.ReasonFailed:
			e.warnings.add("%q is not in the snapshot: %s", s.Path, s.Why)
		case snapshot.ReasonDenied, snapshot.ReasonTooLarge, snapshot.ReasonExcluded, snapshot.ReasonIgnored, snapshot.ReasonHidden:
			e.leftOut = append(e.leftOut, LeftOut{Path: s.Path, Why: heldWords[s.Reason]})
		}
	}
}

func (e *Engine) snapshotPolicy() snapshot.Policy {
	p := snapshot.PolicyFrom(e.settings)
	p.Now = e.now()
	if e.lastSnapshot.Commit != "" {
		p.Prev = &e.lastSnapshot
	}
	return p
}

// keepSnapshot remembers the last snapshot for the next call, also of another process.
func (e *Engine) keepSnapshot(ctx context.Context, s snapshot.Prev) {
	if s == e.lastSnapshot {
		return
	}
	e.lastSnapshot = s
	if err := e.ledger.Set(ctx, e.who.Agent, keySnapshot, s.Commit+" "+s.Fingerprint); err != nil {
		e.warnings.add("the snapshot could not be noted: %v", err)
	}
}

// base is the merge base of HEAD and main. Without main, everything is new, and so it is on
// a branch without a commit, which takes nothing of main's away; with no common history,
// only what is uncommitted can be told.
func (e *Engine) base(ctx context.Context, head string) (string, error) {
	main := e.mainOID(ctx)
	switch {
	case main == "" || head == main:
		return main, nil
	case head == "":
		e.sayOnce(ctx, keyUnborn, fmt.Sprintf("your branch has no commit yet, but %s has: nothing can be told about it; to begin from it: git merge --ff-only %s", e.MainName(), e.MainName()))
		return "", nil
	}
	b, err := e.mergeBase(ctx, head, main)
	switch {
	case err == nil && b == "":
		e.sayOnce(ctx, keyApart, fmt.Sprintf("HEAD and %s share no history in this clone, so only uncommitted changes are seen, and nothing can be told about %s; a shallow clone is mended by: git fetch --unshallow", e.main.Name, e.main.Name))
		return head, nil
	case err != nil:
		return "", err
	}
	return b, nil
}

// mergeBase is the best common ancestor of two commits, "" when this clone shows none.
func (e *Engine) mergeBase(ctx context.Context, a, b string) (string, error) {
	key := [2]string{a, b}
	if base, ok := e.bases[key]; ok {
		return base, nil
	}
	base, err := e.wt.MergeBase(ctx, a, b)
	if err != nil && !errors.Is(err, git.ErrNoMergeBase) {
		return "", err
	}
	e.bases[key] = base
	return base, nil
}

// These are set once it was said how HEAD stands apart from main.
const (
	keyApart  = "said-apart"
	keyUnborn = "said-unborn"
)

// sayOnce warns of what stays true for as long as the clone is as it is.
func (e *Engine) sayOnce(ctx context.Context, key, text string) {
	if _, said, err := e.ledger.Get(ctx, e.who.Agent, key); err == nil && said || e.ticking {
		return
	}
	e.warnings.add("%s", text)
	// Should it not be noted, it is said again.
	_ = e.ledger.Set(ctx, e.who.Agent, key, "1")
}

// footprint computes what head changes against base, or takes it from the ledger. What
// stubs that the item picked brought is marked.
func (e *Engine) footprint(ctx context.Context, base, head, item string) (*model.Footprint, error) {
	return e.footprintIn(ctx, e.wt, base, head, item)
}

// footprintIn is footprint for commits that may be known to one handle only.
func (e *Engine) footprintIn(ctx context.Context, wt *git.Worktree, base, head, item string) (*model.Footprint, error) {
	if base == head || head == "" {
		return &model.Footprint{Base: base, Head: head, Version: model.FootprintVersion}, nil
	}
	pins := e.pinsOf(item)
	known, err := e.ledger.Footprint(ctx, e.who.Agent, base, head, model.FootprintVersion)
	if err != nil {
		known = nil
	}
	if known != nil && slices.EqualFunc(known.Stubs, pins, func(stub string, n model.Need) bool { return stub == n.PinnedStub }) {
		return known, nil
	}
	changes, err := wt.DiffTrees(ctx, base, head)
	if err != nil {
		return nil, err
	}
	cat := wt.NewCatFile(ctx)
	defer cat.Close()
	deltas := sources.Deltas(cat, changes, withheld, int64(e.settings.MaxSnapshotFile))
	now := e.now()
	if known == nil {
		fp := footprint.Compute(footprint.Input{
			Base: base, Head: head, Deltas: deltas, Repo: sources.At{Cat: cat, Rev: head},
			BroadFiles: e.settings.BroadFiles, BroadSymbols: e.settings.BroadSymbols, Cache: e.cache,
		})
		fp.ComputedAt = now.UTC().Format(time.RFC3339)
		known = &fp
	}
	fp, err := e.markPicked(ctx, wt, cat, *known, deltas, pins)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err // reads were cut short, so files may look unreadable
	}
	if err := e.ledger.PutFootprint(ctx, e.who.Agent, &fp, now); err != nil {
		e.warnings.add("the footprint could not be kept: %v", err)
	}
	return &fp, nil
}

// withheld says why nothing of a file's content leaves the machine, signatures
// included; "" when it may.
func withheld(path string) string {
	if snapshot.Denied(path) {
		return heldWords[snapshot.ReasonDenied]
	}
	return ""
}

// shareSnapshot pushes the item's snapshot when it changed, at most once per
// snapshot interval, and notes in the item why it cannot be shared.
func (e *Engine) shareSnapshot(ctx context.Context, it model.Item, now time.Time) {
	if it.Snapshot == "" || it.Snapshot == it.Head && (it.Footprint == nil || len(it.Footprint.Files) == 0) {
		return // nothing to see yet; the first change is shared at once
	}
	last, at := e.lastShared(ctx, it.ID)
	if last == it.Snapshot || !at.IsZero() && now.Sub(at) < e.settings.SnapshotInterval {
		return
	}
	tried, at := e.lastTried(ctx, keyDeclined+":"+it.ID)
	if tried == it.Snapshot || !at.IsZero() && now.Sub(at) < e.settings.SnapshotInterval {
		return
	}
	if e.remote.Name != "" && (e.offline() || e.slow || e.observing()) {
		return // it waits for the remote
	}
	err := e.bus.PublishSnapshot(ctx, e.who.Agent, it.ID, it.Snapshot, !e.settings.PublishSnapshots)
	var refused *bus.Refused
	var withheld *bus.Withheld
	switch {
	case errors.As(err, &withheld):
		e.noteDeclined(ctx, it, time.Time{})
		if withheld.Why != it.SnapshotError {
			e.noteSnapshotError(ctx, it.ID, withheld.Why)
		}
		return
	case errors.As(err, &refused):
		e.snapshotDeclined(ctx, it, refused.Text, now)
		return
	case err != nil:
		e.publishProblem(ctx, "your snapshot", err)
		return
	}
	if err := e.ledger.Set(ctx, e.who.Agent, keyShared+":"+it.ID, it.Snapshot+" "+now.Format(time.RFC3339Nano)); err != nil {
		e.warnings.add("that your snapshot was shared could not be noted: %v", err)
	}
	if it.SnapshotError != "" {
		e.noteSnapshotError(ctx, it.ID, "")
	}
}

// mayPush keeps a snapshot here whose push would bring along commits that hold what
// must not leave the machine. The bus asks right before every push of one.
func (e *Engine) mayPush(ctx context.Context, commit string) error {
	tracking, err := e.onRemote(ctx)
	if err != nil {
		return err
	}
	bad, err := snapshot.Unpushed(ctx, e.wt.Remote(e.remote.Name), commit, tracking, e.snapshotPolicy())
	if err != nil || len(bad) == 0 {
		return err
	}
	names := make([]string, 0, 3)
	for _, s := range bad[:min(len(bad), 3)] {
		names = append(names, fmt.Sprintf("%q (%s)", s.Path, heldWords[s.Reason]))
	}
	text := "commits that are not on the remote hold " + strings.Join(names, ", ")
	if n := len(bad) - 3; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return &bus.Withheld{Why: text}
}

// onRemote names the refs that hold what the remote is known to have. A remote whose
// name begins with this one's and a slash keeps its refs in the same folder; they say
// nothing about this remote.
func (e *Engine) onRemote(ctx context.Context) ([]string, error) {
	folder := "refs/remotes/" + e.remote.Name
	out := append([]string(nil), e.fetchedRefs...)
	if len(e.nestedRemotes) == 0 {
		return append(out, folder), nil
	}
	refs, err := e.wt.Refs(ctx, folder)
	if err != nil {
		return nil, err
	}
	for ref := range refs {
		foreign := false
		for _, n := range e.nestedRemotes {
			foreign = foreign || strings.HasPrefix(ref, "refs/remotes/"+n+"/")
		}
		if !foreign {
			out = append(out, ref)
		}
	}
	return out, nil
}

var heldWords = map[snapshot.Reason]string{
	snapshot.ReasonDenied: "looks like a secret", snapshot.ReasonTooLarge: "too large", snapshot.ReasonLFS: "stored beside git",
	snapshot.ReasonExcluded: "the remote declines it",
	snapshot.ReasonIgnored:  "ignored by git", snapshot.ReasonHidden: "hidden from git",
}

func (e *Engine) noteSnapshotError(ctx context.Context, item, why string) {
	err := e.bus.UpdateState(ctx, e.who.Agent, func(st *model.State) error {
		it := st.Item(item)
		if it == nil || it.SnapshotError == why {
			return bus.ErrUnchanged
		}
		it.SnapshotError = why
		st.Agent = e.agent
		own := *st
		e.own = &own
		return nil
	})
	if err != nil {
		e.publishProblem(ctx, "your state", err)
	}
	if why != "" {
		e.warnings.add("your snapshot is not shared, only what it changes: %s", why)
	}
}

func (e *Engine) lastShared(ctx context.Context, item string) (commit string, at time.Time) {
	return e.lastTried(ctx, keyShared+":"+item)
}

// lastTried reads "<commit> <RFC 3339 time>" from the ledger.
func (e *Engine) lastTried(ctx context.Context, key string) (commit string, at time.Time) {
	text, ok, err := e.ledger.Get(ctx, e.who.Agent, key)
	if err != nil || !ok {
		return "", time.Time{}
	}
	commit, stamp, _ := strings.Cut(text, " ")
	if at, err = time.Parse(time.RFC3339Nano, stamp); err != nil {
		return "", time.Time{}
	}
	return commit, at
}
