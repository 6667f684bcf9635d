package verbs

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gitlet/internal/engine"
	"gitlet/internal/model"
	"gitlet/internal/thread"
	"gitlet/internal/verb"
)

// PublishArgs are the arguments of publish.
type PublishArgs struct {
	Common
	Symbol string `arg:"symbol" required:"true" chars:"path" help:"the symbol you own, as path:Name"`
	Commit string `arg:"commit" help:"a commit of yours to publish as the stub instead of the one gitlet builds"`
	Note   string `arg:"note" help:"the note this answers; it is resolved on success"`
}

var publish = define(verb.Spec{
	Name:    "publish",
	Summary: "Publish a new signature so dependents can build on it",
	When:    "After claiming: dependents build on the new signature before your work lands.",
	Example: "gitlet publish src/config.ts:parseConfig",
	Effects: verb.Effects{Fresh: true, Snapshot: true, TakesNote: true},
}, runPublish)

// PublishData is the data of publish.
type PublishData struct {
	Symbol    string            `json:"symbol"`
	Key       string            `json:"key"`
	Signature string            `json:"signature"`
	SigHash   string            `json:"sigHash"`
	Stub      string            `json:"stub"`
	Epoch     int               `json:"epoch"`
	Breaking  bool              `json:"breaking"`
	Check     *engine.StubCheck `json:"check,omitempty"`
}

func runPublish(ctx context.Context, c *engine.Call, a *PublishArgs) (*verb.Result, error) {
	if r := notSymbol(ctx, c, "publish", a.Symbol); r != nil {
		return r, nil
	}
	sym, refusal, err := oneSymbol(ctx, c, "publish", "symbol", a.Symbol)
	if refusal != nil || err != nil {
		return refusal, err
	}
	it, ch, refusal, err := publishable(ctx, c, *sym, a.Note)
	if refusal != nil || err != nil {
		return refusal, err
	}
	name := ch.Symbol.Canonical()
	if held := c.HeldClaim(ch.Symbol.Key); held != nil && held.Claim.Owner == c.Agent() && a.Commit == "" {
		if k := held.Claim.Contract; k != nil && k.SigHash == ch.Symbol.SigHash {
			if held.Claim.MovedFrom == ch.OldKey || ch.OldKey == ch.Symbol.Key {
				return &verb.Result{Outcome: verb.Nothing, Summary: fmt.Sprintf("%s is published as it is: %s", name, k.Signature),
					Data: publishData(held.Claim, *k)}, nil
			}
		}
	}
	var stub *engine.StubCommit
	if a.Commit != "" {
		stub, err = c.ReadStub(ctx, *ch, a.Commit)
	} else {
		stub, err = c.BuildStub(ctx, *ch, it.Footprint)
	}
	var bad *engine.BadStubError
	if errors.As(err, &bad) {
		return verb.Refuse(bad.Error(),
			model.Option{Verb: "publish", Args: map[string]any{"symbol": name, "commit": verb.Blank}, Why: "publish one commit of yours on top of main that holds the new signature"}), nil
	}
	if err != nil {
		return nil, err
	}
	got, err := c.ClaimChanged(ctx, *ch, it.ID)
	if r := claimRefusal(err, name); r != nil {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	if got.Holder != nil {
		return ownedByOther(ctx, c, *got.Holder, name)
	}
	held, err := c.Publish(ctx, got.Held, stub)
	if r := claimRefusal(err, name); r != nil {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	return published(ctx, c, held.Claim, stub, a.Commit == ""), nil
}

// publishable finds my change of the symbol, which is what can be published.
func publishable(ctx context.Context, c *engine.Call, sym model.Symbol, note string) (*model.Item, *model.SymbolChange, *verb.Result, error) {
	it, refusal, err := statedTask(ctx, c, note, "a published signature belongs to a task, and you have not stated one", "state your task, then publish again")
	if refusal != nil || err != nil {
		return nil, nil, refusal, err
	}
	if it, err = c.AsItStands(ctx, *it); err != nil {
		return nil, nil, nil, err
	}
	v, err := c.View(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	name := sym.Canonical()
	ch := it.Footprint.Change(sym.Key)
	keys := []string{sym.Key}
	if ch != nil && ch.OldKey != "" {
		keys = append(keys, ch.OldKey)
	}
	for _, key := range keys {
		if cl := v.Claim(key); cl != nil && cl.Owner != v.Agent && !c.Lapsed(*cl) {
			r, err := ownedByOther(ctx, c, *cl, name)
			return nil, nil, r, err
		}
	}
	switch {
	case ch == nil || ch.Change == model.ChangeBody:
		r := verb.Refuse(fmt.Sprintf("your work does not change the signature of %s, so there is nothing to publish", name),
			model.Option{Verb: "who", Args: map[string]any{"target": name}, Why: "see who changes it"})
		if ch != nil {
			r.Details = append(r.Details, "you change its body only; nobody has to wait for that")
		}
		if it.Status == model.ItemSubmitted {
			r.Details = append(r.Details, "the task is submitted, so only what is committed on its branch counts")
		}
		return nil, nil, r, nil
	case ch.Change == model.ChangeRemoved:
		return nil, nil, verb.Refuse(fmt.Sprintf("your work removes %s; what is gone has no signature to publish", name),
			model.Option{Verb: "who", Args: map[string]any{"target": name}, Why: "see who still uses it, and tell them"}), nil
	}
	return it, ch, nil, nil
}

// ownedByOther refuses because somebody else holds the claim.
func ownedByOther(ctx context.Context, c *engine.Call, cl model.Claim, name string) (*verb.Result, error) {
	threads, err := c.Threads(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range threads {
		if t.Kind == thread.Sig && t.Subject == cl.Key && t.Settled() && t.Owner == c.Agent() {
			return verb.Refuse(fmt.Sprintf("%s is to be yours, and %s hands it over with its next call", name, cl.Owner), statusOption("see whether it has, then call it again")), nil
		}
	}
	talk, err := talkAbout(ctx, c, threads, cl.Key, name)
	if err != nil {
		return nil, err
	}
	r := verb.Refuse(fmt.Sprintf("%s is owned by %s", name, cl.Owner), append(talk,
		model.Option{Verb: "need", Args: map[string]any{"symbol": name}, Why: "say that you depend on it, and hear when their version is published"},
		model.Option{Verb: "who", Args: map[string]any{"target": name}, Why: "see what they do with it"})...)
	if cl.Contract != nil {
		r.Details = append(r.Details, "published as: "+cl.Contract.Signature)
	}
	return r, nil
}

func publishData(cl model.Claim, k model.Contract) PublishData {
	return PublishData{Symbol: cl.Name(), Key: cl.Key, Signature: k.Signature, SigHash: k.SigHash, Stub: k.StubCommit, Epoch: cl.Epoch, Breaking: k.Breaking}
}

func published(ctx context.Context, c *engine.Call, cl model.Claim, stub *engine.StubCommit, built bool) *verb.Result {
	k := *cl.Contract
	d := publishData(cl, k)
	r := &verb.Result{Outcome: verb.OK, Summary: fmt.Sprintf("Published %s as %s", cl.Name(), k.Signature)}
	if built {
		r.Details = append(r.Details, fmt.Sprintf("the stub is commit %s: %s with this one definition as you have it", k.StubCommit, c.Main()))
	}
	for _, w := range stub.Warnings {
		r.Details = append(r.Details, "it may not build on its own: "+w)
	}
	d.Check = c.CheckStub(ctx, k.StubCommit)
	switch {
	case d.Check == nil:
		r.Details = append(r.Details, "the stub must build on its own; to try it: git worktree add --detach <folder> "+k.StubCommit)
	case d.Check.OK:
		r.Details = append(r.Details, fmt.Sprintf("checked in a checkout of its own: %q succeeds", d.Check.Command))
	case d.Check.Problem != "":
		r.Warnings = append(r.Warnings, fmt.Sprintf("the stub could not be checked with %q: %s", d.Check.Command, d.Check.Problem))
	default:
		r.Warnings = append(r.Warnings, fmt.Sprintf("the stub must build on its own, and %q fails on commit %s; mend it and publish again", d.Check.Command, k.StubCommit))
		r.Body = append(r.Body, verb.Section{Title: "what the check printed", Lines: strings.Split(d.Check.Output, "\n")})
	}
	if v, err := c.View(ctx); err == nil {
		if agreed := v.Agreed(cl.Key); agreed != nil && agreed.Signature != "" {
			if kept, known := agreed.Kept(stub.Symbol); known && !kept {
				r.Warnings = append(r.Warnings, fmt.Sprintf("the agreed proposal says %q", agreed.Signature))
			}
		}
	}
	for _, q := range cl.Requirements {
		r.Details = append(r.Details, fmt.Sprintf("%s asks: %q", q.From, q.Text))
	}
	r.Data = d
	return r
}
