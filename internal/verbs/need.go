package verbs

import (
	"context"
	"fmt"

	"gitlet/internal/engine"
	"gitlet/internal/model"
	"gitlet/internal/verb"
	"gitlet/internal/view"
)

// NeedArgs are the arguments of need.
type NeedArgs struct {
	Common
	Symbol      string `arg:"symbol" required:"true" chars:"path" help:"the symbol you depend on, as path:Name"`
	Requirement string `arg:"requirement" chars:"text" help:"what you need of it, such as: must keep returning Config"`
	Note        string `arg:"note" help:"the note this answers; it is resolved on success"`
}

var need = define(verb.Spec{
	Name:    "need",
	Summary: "Say that you depend on an interface someone else is changing",
	When:    "Your work depends on an interface someone else is changing: you are told when its new signature is published.",
	Example: "gitlet need src/config.ts:parseConfig --requirement 'keep returning Config'",
	Effects: verb.Effects{Idempotent: true, Fresh: true, TakesNote: true},
}, runNeed)

// NeedData is the data of need.
type NeedData struct {
	Symbol      string `json:"symbol"`
	Key         string `json:"key"`
	Item        string `json:"item"`
	Requirement string `json:"requirement,omitempty"`
	// Owner is who owns the symbol now, "" when nobody does; Changing are the agents
	// that change it.
	Owner    string   `json:"owner,omitempty"`
	Changing []string `json:"changing"`
	// Published is the owner's published signature, "" while there is none.
	Published string `json:"published,omitempty"`
}

func runNeed(ctx context.Context, c *engine.Call, a *NeedArgs) (*verb.Result, error) {
	if r := notSymbol(ctx, c, "need", a.Symbol); r != nil {
		return r, nil
	}
	sym, refusal, err := oneSymbol(ctx, c, "need", "symbol", a.Symbol)
	if refusal != nil || err != nil {
		return refusal, err
	}
	it, refusal, err := taskHere(ctx, c, a.Note, "a need belongs to a task, and you have none", "state your task, then call need again")
	if refusal != nil || err != nil {
		return refusal, err
	}
	v, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	name := sym.Canonical()
	if cl := v.Claim(sym.Key); cl != nil && cl.Owner == v.Agent {
		r := verb.Refuse(fmt.Sprintf("you own %s yourself, so nobody else publishes it", name),
			model.Option{Verb: "release", Args: map[string]any{"symbol": name}, Why: "let somebody else own it, then call need again"})
		if ch := it.Footprint.Change(sym.Key); ch != nil && ch.Change != model.ChangeBody && ch.Change != model.ChangeRemoved {
			r.Options = append(r.Options, model.Option{Verb: "publish", Args: map[string]any{"symbol": name}, Why: "publish your signature of it"})
		}
		return r, nil
	}
	had, err := c.Need(ctx, *sym, it.ID, a.Requirement)
	if err != nil {
		return nil, err
	}
	if v, err = c.View(ctx); err != nil {
		return nil, err
	}
	return needResult(v, *sym, *it, had, a.Requirement), nil
}

func needResult(v *view.View, sym model.Symbol, it model.Item, had *model.Need, requirement string) *verb.Result {
	name := sym.Canonical()
	d := NeedData{Symbol: name, Key: sym.Key, Item: it.ID, Requirement: requirement, Changing: []string{}}
	for _, p := range v.Others(it) {
		if c := p.Item.Footprint.Change(sym.Key); c != nil && !p.Mine {
			d.Changing = append(d.Changing, p.Agent.ID)
		}
	}
	r := &verb.Result{Outcome: verb.OK, Summary: fmt.Sprintf("You need %s: you are told when its new signature is published.", name)}
	switch {
	case had == nil:
	case requirement == "" || requirement == had.Requirement:
		r.Outcome, r.Summary = verb.Nothing, fmt.Sprintf("you need %s already", name)
		d.Requirement = had.Requirement
	default:
		r.Summary = fmt.Sprintf("You need %s; what you ask of it is changed.", name)
	}
	cl := v.Contracted(sym.Key)
	switch {
	case cl != nil:
		d.Owner = cl.Owner
		r.Details = append(r.Details, fmt.Sprintf("%s owns it", cl.Owner))
	case len(d.Changing) > 0:
		r.Details = append(r.Details, fmt.Sprintf("nobody owns it yet; %s changes it", d.Changing[0]))
	default:
		r.Details = append(r.Details, "nobody owns it or changes it now")
	}
	if cl != nil && cl.Contract != nil {
		d.Published = cl.Contract.Signature
		r.Details = append(r.Details, "published as: "+cl.Contract.Signature)
		if had == nil || had.PinnedSigHash != cl.Contract.SigHash {
			r.Options = append(r.Options, model.Option{Verb: "use", Args: map[string]any{"symbol": name}, Why: "bring the published signature into your branch"})
		}
	}
	if c := it.Footprint.Change(sym.Key); c != nil && c.SignatureChanged() && had == nil {
		r.Details = append(r.Details, "you change it too: with this need you leave it to them")
	}
	r.Data = d
	return r
}
