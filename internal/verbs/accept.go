package verbs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gitlet/internal/engine"
	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/thread"
	"gitlet/internal/verb"
	"gitlet/internal/view"
)

// AcceptArgs are the arguments of accept.
type AcceptArgs struct {
	Common
	Proposal string `arg:"proposal" required:"true" help:"the proposal to accept (p-...)"`
}

var accept = define(verb.Spec{
	Name:    "accept",
	Summary: "Accept a proposal",
	When:    "You agree with a proposal: once every participant accepted, gitlet applies it.",
	Example: "gitlet accept p-7d1e22c09a41",
	Effects: verb.Effects{Idempotent: true, Fresh: true},
}, runAccept)

// AcceptData is the data of accept.
type AcceptData struct {
	Proposal string `json:"proposal"`
	StatusThread
}

func runAccept(ctx context.Context, c *engine.Call, a *AcceptArgs) (*verb.Result, error) {
	t, p, refusal, err := theProposal(ctx, c, a.Proposal)
	if refusal != nil || err != nil {
		return refusal, err
	}
	me := c.Agent()
	v, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	if r := mayAccept(v, t, p); r != nil {
		return r, nil
	}
	had, err := c.Accept(ctx, t, p)
	if err != nil {
		return nil, err
	}
	if v, err = c.View(ctx); err != nil {
		return nil, err
	}
	for _, now := range thread.Derive(v) {
		if now.Goes(p.Thread) {
			t = now
		}
	}
	r := &verb.Result{Outcome: verb.OK, Summary: fmt.Sprintf("Accepted %s: %s %s.", p.ID, whoOwns(p.Owner, me), t.Called()),
		Data: AcceptData{Proposal: p.ID, StatusThread: statusThread(v, t)}}
	if had {
		r.Outcome, r.Summary = verb.Nothing, fmt.Sprintf("you accepted %s already", p.ID)
	}
	switch {
	case t.Settled():
		r.Details = append(r.Details, "everyone accepted it, so it is decided")
		if cl := v.Claim(t.Subject); t.Kind == thread.Sig && p.Owner == me && (cl == nil || cl.Owner == me) {
			why := "publish the signature, so that the others can build on it"
			if p.Signature != "" {
				why = "publish it as soon as your code has the agreed signature, so that the others can build on it"
			}
			r.Options = append(r.Options, model.Option{Verb: "publish", Args: map[string]any{"symbol": t.Name}, Why: why})
		}
	default:
		if w := waits(v, t); w != "" {
			r.Details = append(r.Details, w)
		}
	}
	return r, nil
}

func whoOwns(owner, me string) string {
	if owner == me {
		return "you own"
	}
	return owner + " owns"
}

// theProposal finds the proposal that an id or the beginning of one means.
func theProposal(ctx context.Context, c *engine.Call, ref string) (thread.Thread, thread.Proposal, *verb.Result, error) {
	all, err := c.Threads(ctx)
	if err != nil {
		return thread.Thread{}, thread.Proposal{}, nil, err
	}
	type place struct{ t, p int }
	at := map[string]place{}
	var ids, open []string
	for i := range all {
		for j, p := range all[i].Proposals {
			if _, twice := at[p.ID]; twice {
				continue
			}
			at[p.ID] = place{i, j}
			ids = append(ids, p.ID)
			if all[i].State == thread.Open && all[i].Party(c.Agent()) != nil && !p.Replaced {
				open = append(open, p.ID)
			}
		}
	}
	match := id.Match(ref, ids)
	if len(match) == 1 {
		x := at[match[0]]
		return all[x.t], all[x.t].Proposals[x.p], nil, nil
	}
	r := verb.Refuse(fmt.Sprintf("there is no proposal %q (an id is p- and at least 4 letters or digits of it)", ref))
	list := open
	if len(match) > 1 {
		r.Summary, list = fmt.Sprintf("%q is the beginning of several proposals' ids", ref), match
	}
	for _, pid := range list[:min(len(list), 10)] {
		x := at[pid]
		r.Options = append(r.Options, model.Option{Verb: "accept", Args: map[string]any{"proposal": pid},
			Why: fmt.Sprintf("%s owns %s", all[x.t].Proposals[x.p].Owner, all[x.t].Called())})
	}
	r.Options = append(r.Options, statusOption("list the open notes and threads"))
	return thread.Thread{}, thread.Proposal{}, r, nil
}

// wentTo says why nothing is left to accept in a thread that is over.
func wentTo(v *view.View, t thread.Thread) string {
	for i := len(v.Agreements) - 1; i >= 0; i-- {
		switch a := v.Agreements[i]; {
		case a.Kind != t.Kind || a.Subject != t.Subject: // its id changes with the owner
		case a.Proposal == "":
			return fmt.Sprintf("%s is decided without agreement, since messages or time ran out: %s it", t.Called(), whoOwns(a.Owner, v.Agent))
		default:
			return fmt.Sprintf("%s is decided: %s it, by %s", t.Called(), whoOwns(a.Owner, v.Agent), a.Proposal)
		}
	}
	return fmt.Sprintf("nothing about %s is contested any more", t.Called())
}

// mayAccept refuses to accept what cannot come about any more.
func mayAccept(v *view.View, t thread.Thread, p thread.Proposal) *verb.Result {
	me, own := v.Agent, t.Party(p.Owner)
	switch {
	case t.Party(me) == nil:
		return verb.Refuse(fmt.Sprintf("you take no part in the talk about %s", t.Called()), statusOption("see your threads"))
	case t.State != thread.Open && slices.Contains(p.Accepted, me):
		return &verb.Result{Outcome: verb.Nothing, Summary: fmt.Sprintf("you accepted %s already", p.ID)}
	case t.State == thread.Over:
		return verb.Refuse(wentTo(v, t), statusOption("see how it stands"))
	case t.Settled() && (t.Decided == nil || t.Decided.ID != p.ID):
		return verb.Refuse(fmt.Sprintf("%s is decided: %s", t.Called(), decided(t)), statusOption("see how it stands"))
	case own == nil || own.Ceded && p.Owner != me:
		return verb.Refuse(fmt.Sprintf("%s would own %s by %s, and takes no part any more", p.Owner, t.Called(), p.ID),
			discussOption(t.ID, "propose another owner"))
	case p.Replaced:
		r := verb.Refuse(fmt.Sprintf("%s made another proposal after %s", p.From, p.ID))
		for _, q := range t.Proposals {
			if q.From == p.From && !q.Replaced {
				r.Options = append(r.Options, model.Option{Verb: "accept", Args: map[string]any{"proposal": q.ID}, Why: strings.TrimSpace(q.Owner + " owns it " + q.Signature)})
			}
		}
		return r
	case p.From == me:
		return &verb.Result{Outcome: verb.Nothing, Summary: fmt.Sprintf("you made %s yourself, which accepts it; it waits for %s", p.ID, strings.Join(t.Missing(&p), ", "))}
	}
	return nil
}
