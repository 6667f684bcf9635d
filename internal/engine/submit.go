package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gitlet/internal/bus"
	"gitlet/internal/forge"
	"gitlet/internal/gate"
	"gitlet/internal/git"
	"gitlet/internal/id"
	"gitlet/internal/land"
	"gitlet/internal/ledger"
	"gitlet/internal/model"
)

// BringMain is FetchMain for a step that goes by main as it is now: a remote that is away
// is an error, and the view follows. Without a remote there is nothing to bring.
func (c *Call) BringMain(ctx context.Context) error {
	if c.remote.Name == "" {
		return nil
	}
	r := c.wt.Foreground().Remote(c.remote.Name)
	if err := r.FetchTracking(ctx, c.main.Name); err != nil {
		return err
	}
	oid, err := c.wt.ResolveOne(ctx, "refs/remotes/"+c.remote.Name+"/"+c.main.Name+"^{commit}")
	if err != nil || oid == c.docs.Main {
		return err
	}
	docs := *c.docs
	docs.Main = oid
	c.docs = &docs
	c.Changed(ctx)
	return nil
}

// WorkTreeFindings are what the checks say about the work tree.
func (c *Call) WorkTreeFindings(ctx context.Context) ([]gate.Finding, error) {
	op, err := c.wt.Operation(ctx)
	if err != nil {
		return nil, err
	}
	st, err := c.wt.Status(ctx, git.UntrackedAll)
	if err != nil {
		return nil, err
	}
	return gate.WorkTree(st, op), nil
}

// CommitFindings are what the checks say about a commit of the item, up to the first that
// refuses. An item without an id is a commit on its own.
func (c *Call) CommitFindings(ctx context.Context, it model.Item, commit string) ([]gate.Finding, error) {
	return c.findings(ctx, it, commit, false)
}

// EveryFinding is CommitFindings without a stop.
func (c *Call) EveryFinding(ctx context.Context, it model.Item, commit string) ([]gate.Finding, error) {
	return c.findings(ctx, it, commit, true)
}

func (c *Call) findings(ctx context.Context, it model.Item, commit string, all bool) ([]gate.Finding, error) {
	in := gate.Input{WT: c.wt.Foreground(), Cache: c.cache, Head: commit, Main: c.mainOID(ctx), Base: it.Base,
		MainName: c.main.Name, RemoteName: c.remote.Name, Agent: c.who.Agent, Item: it.ID}
	if it.ID != "" {
		v, err := c.View(ctx)
		if err != nil {
			return nil, err
		}
		in.Claims = v.Claims
		for _, n := range v.Needs {
			if n.Agent == c.who.Agent && !v.Owns(n.Agent, n.Item, n.Key) {
				in.Needs = append(in.Needs, n.Need)
			}
		}
		stored, err := c.Notes(ctx)
		if err != nil {
			return nil, err
		}
		for _, n := range stored {
			if n.State == model.NoteNew || n.State == model.NoteOpen {
				in.Notes = append(in.Notes, n.Note)
			}
		}
	}
	return gate.Run(ctx, in, all)
}

// Holds reports whether main has everything the commit has.
func (c *Call) Holds(ctx context.Context, commit string) (bool, error) {
	main := c.mainOID(ctx)
	if main == "" {
		return false, nil
	}
	return c.wt.IsAncestor(ctx, commit, main)
}

// A PushError says why a branch was not pushed. Nothing was changed on the remote.
type PushError struct {
	// Foreign is where the remote's branch is when somebody else moved it; "" for any
	// other reason.
	Foreign string
	Away    bool // the remote could not be reached
	// Denied: the remote gives no permission; Others are the clone's other remotes.
	Denied bool
	Others []string
	// Clash is a branch on the remote beside which this one cannot stand.
	Clash string
	Text  string // what the remote, a hook or git said
	To    string // the remote, or its address
}

func (e *PushError) Error() string { return e.Text }

// pushedRef is where this clone remembers what it last pushed for something: an item, or
// the key of a published signature. While a push is under way a second ref says what it
// pushes, since the answer may never come.
func (c *Call) pushedRef(what string) string {
	return "refs/gitlet-pushed/" + c.who.Agent + "/" + what + "/"
}

const lastPushed, nextPushed = "last", "next"

// Pushed is what a push did. Before is where the branch was on the remote, "" when it was
// not there; To is the remote, or its address.
type Pushed struct{ Before, To string }

// PushBranch brings the branch to the commit where the user pushes it: as a fast-forward,
// or in place of exactly what this clone pushed last for what or for a task that ended, or
// of what main has. Errors: *PushError.
func (c *Call) PushBranch(ctx context.Context, what, branch, commit string) (Pushed, error) {
	to, err := c.PushRemote(ctx, branch)
	if err != nil {
		return Pushed{}, err
	}
	before, err := c.pushBranch(ctx, to, what, branch, commit)
	var refused *PushError
	if errors.As(err, &refused) {
		refused.To = to
	}
	return Pushed{Before: before, To: to}, err
}

func (c *Call) pushBranch(ctx context.Context, to, what, branch, commit string) (before string, err error) {
	r := c.wt.Foreground().Remote(to)
	ref := "refs/heads/" + branch
	heads, err := r.LsRemote(ctx, ref)
	if err != nil {
		return "", c.pushFailed(err)
	}
	before = heads[ref]
	own := c.pushedRef(what)
	known, err := c.wt.Refs(ctx, strings.TrimSuffix(own, "/"))
	if err != nil {
		return "", err
	}
	if before != commit {
		lease := git.MustNotExist
		if before != "" {
			lease = git.Expect(before)
			ours := before == known[own+lastPushed] || before == known[own+nextPushed]
			if !ours {
				if ours, err = c.buildsOn(ctx, before, commit); err != nil {
					return "", err
				}
			}
			if !ours {
				if ours, err = c.replaceable(ctx, branch, before); err != nil {
					return "", err
				}
			}
			if !ours {
				return "", &PushError{Foreign: before, Text: fmt.Sprintf("somebody else pushed to %s", branch)}
			}
		}
		if err := c.wt.Apply(ctx, git.Set(own+nextPushed, commit)); err != nil {
			return "", err
		}
		res, err := r.PushBranch(ctx, git.RefPush{OID: commit, Ref: ref, Lease: lease})
		if err != nil {
			return "", c.pushFailed(err)
		}
		if err := rejected(res, branch); err != nil {
			return "", c.inTheWay(ctx, r, branch, err)
		}
	}
	if known[own+lastPushed] != commit || before != commit {
		if err := c.wt.Apply(ctx, git.Set(own+lastPushed, commit), git.Delete(own+nextPushed, "")); err != nil {
			c.warnings.add("what was pushed could not be noted: %v", err)
		}
	}
	return before, nil
}

// replaceable reports whether nobody loses anything when what the remote's branch is at is
// replaced: this agent pushed it for a task that ended, or main has all that it changes.
func (c *Call) replaceable(ctx context.Context, branch, before string) (bool, error) {
	closed, err := c.ledger.Closed(ctx, c.who.Agent)
	if err != nil {
		return false, err
	}
	if slices.ContainsFunc(closed, func(it ledger.ClosedItem) bool { return it.Branch == branch && it.LastPushed == before }) {
		return true, nil
	}
	here, err := c.wt.Resolve(ctx, before+"^{commit}")
	if err != nil || here[0] == "" {
		return false, err
	}
	if on, err := c.Holds(ctx, before); err != nil || on {
		return on, err
	}
	base, err := c.mergeBase(ctx, before, c.mainOID(ctx))
	if err != nil {
		return false, err
	}
	return land.Holds(ctx, c.wt.Repo, c.mainOID(ctx), land.Item{Base: base, Head: before})
}

// buildsOn reports whether commit has before in its history, as far as this clone knows.
func (c *Call) buildsOn(ctx context.Context, before, commit string) (bool, error) {
	here, err := c.wt.Resolve(ctx, before+"^{commit}")
	if err != nil || here[0] == "" {
		return false, err
	}
	return c.wt.IsAncestor(ctx, before, commit)
}

// pushFailed types an error of git's about a push.
func (c *Call) pushFailed(err error) error {
	var e *git.Error
	if !errors.As(err, &e) {
		return err
	}
	text := said(e.Stderr)
	switch {
	case errors.Is(err, git.ErrNetwork):
		return &PushError{Away: true, Text: "the remote cannot be reached"}
	case errors.Is(err, git.ErrDenied):
		return &PushError{Denied: true, Others: c.others, Text: "the remote gives no permission to push: " + text}
	case errors.Is(err, git.ErrNoRemote):
		return &PushError{Text: e.Err.Error()}
	case e.Exit > 0:
		return &PushError{Text: "git did not push: " + text}
	}
	return err
}

// said is what a program wrote on standard error, on one line.
func said(stderr string) string {
	const most = 600
	text := strings.Join(strings.Fields(stderr), " ")
	if len(text) > most {
		text = text[:most] + "…"
	}
	return strings.ToValidUTF8(text, "?")
}

// rejected words a push that the remote answered and did not take.
func rejected(res git.PushResult, branch string) error {
	r := res.Refs[0]
	switch r.Status {
	case git.PushAccepted, git.PushUpToDate:
		return nil
	case git.PushStale, git.PushNonFastForward, git.PushRaced:
		return &PushError{Foreign: "?", Text: fmt.Sprintf("somebody else pushed to %s at this moment", branch)}
	}
	text := fmt.Sprintf("the remote declined %s: %s", branch, strings.TrimSpace(r.Summary+" "+r.Reason))
	if len(res.Remote) > 0 {
		text += ": " + said(strings.Join(res.Remote, " "))
	}
	return &PushError{Text: text}
}

// GH is the user's gh for a repository.
func (c *Call) GH(repo forge.Repo) forge.GH { return forge.GH{Repo: repo, Dir: c.wt.Root} }

// BuildsOn reports whether commit has before in its history, as far as this clone knows.
func (c *Call) BuildsOn(ctx context.Context, before, commit string) (bool, error) {
	if !id.ValidOID(before) {
		return false, nil
	}
	return c.buildsOn(ctx, before, commit)
}

// Submitted marks the item as handed in: its work is the commit, and it waits for its
// pull request, "" for one that a person opens. Others hear of it.
func (c *Call) Submitted(ctx context.Context, item model.Item, commit, pr, intent string) error {
	base, err := c.base(ctx, commit)
	if err != nil {
		return err
	}
	fp, err := c.footprint(ctx, base, commit, item.ID)
	if err != nil {
		return err
	}
	gone := false
	err = c.changeState(ctx, func(st *model.State) error {
		it := st.Item(item.ID)
		if gone = it == nil || !it.Status.Open(); gone {
			return bus.ErrUnchanged
		}
		it.Status, it.Provisional, it.Branch = model.ItemSubmitted, false, c.head.Branch
		it.Head, it.Snapshot, it.Footprint, it.UpdatedAt = commit, commit, fp, c.Now
		if it.Base == "" {
			it.Base = base
		}
		if pr != "" {
			it.PR = pr
		}
		if intent != "" {
			it.Intent = intent
		}
		return nil
	})
	if err != nil {
		return err
	}
	if gone {
		return fmt.Errorf("the task %s ended meanwhile", item.ID)
	}
	c.Changed(ctx)
	if st, err := c.State(ctx); err == nil {
		if it := st.Item(item.ID); it != nil {
			pctx, cancel := c.publishing(ctx)
			defer cancel()
			c.shareSnapshot(pctx, *it, c.Now)
		}
	}
	return nil
}

// RecordPR notes the pull request of a published signature on its claim.
func (c *Call) RecordPR(ctx context.Context, held *bus.Held, pr string) error {
	to := held.Claim
	k := *to.Contract
	k.PR = pr
	to.Contract, to.UpdatedAt = &k, c.Now
	pctx, cancel := c.publishing(ctx)
	defer cancel()
	if _, err := c.bus.UpdateClaim(pctx, held, to); err != nil {
		c.noteDenied(ctx, err)
		return err
	}
	c.view, c.notes = nil, nil
	return c.load(ctx)
}

// begunOn is the commit of main that an item counts from when the merge base moved: the
// new one, unless the work then takes back what main gained since the old one. Work that
// was put together on an old state would otherwise look as if it was up to date. Looking
// at main from elsewhere for a while says nothing about the work, nor does that main caught
// up with it.
func (e *Engine) begunOn(ctx context.Context, it model.Item, w work) string {
	old := it.Base
	if old == "" || old == w.Base || w.Snapshot == "" || w.Base == "" {
		return w.Base
	}
	if on, err := e.wt.IsAncestor(ctx, old, w.Base); err != nil || !on {
		return w.Base // another branch, or main was rewritten
	}
	if w.Snapshot == w.Base && (it.Branch != w.Branch || it.Head == w.Head) {
		return old
	}
	gained, err := e.wt.DiffTrees(ctx, old, w.Base)
	if err != nil {
		return old
	}
	mine, err := e.wt.DiffTrees(ctx, w.Base, w.Snapshot)
	if err != nil || len(gate.Dropped(gained, mine)) > 0 {
		return old
	}
	return w.Base
}

// branchTip is where an item's branch is now, or the commit it was last at when the branch
// is gone.
func (c *Call) branchTip(ctx context.Context, it model.Item) string {
	oids, err := c.wt.Resolve(ctx, "refs/heads/"+it.Branch+"^{commit}")
	if err != nil || oids[0] == "" {
		return it.Head
	}
	return oids[0]
}

// forgetPushed removes the refs that remember an item's pushes and returns the commit its
// branch was pushed at last, "" for none.
func (c *Call) forgetPushed(ctx context.Context, item string) (last string) {
	refs, err := c.wt.Refs(ctx, strings.TrimSuffix(c.pushedRef(item), "/"))
	var gone []git.RefChange
	for ref := range refs {
		gone = append(gone, git.Delete(ref, ""))
	}
	if err == nil {
		err = c.wt.Apply(ctx, gone...)
	}
	if err != nil {
		c.warnings.add("what is remembered of its pushes could not be removed: %v", err)
	}
	return refs[c.pushedRef(item)+lastPushed]
}
