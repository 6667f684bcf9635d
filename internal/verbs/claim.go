package verbs

import (
	"context"
	"errors"
	"fmt"

	"gitlet/internal/bus"
	"gitlet/internal/engine"
	"gitlet/internal/model"
	"gitlet/internal/verb"
)

// ClaimArgs are the arguments of claim.
type ClaimArgs struct {
	Common
	Symbol string `arg:"symbol" required:"true" chars:"path" help:"the symbol to own, as path:Name"`
	Note   string `arg:"note" help:"the note this answers; it is resolved on success"`
}

var claim = define(verb.Spec{
	Name:    "claim",
	Summary: "Become the owner of an interface you are changing",
	When:    "You are changing the signature of an interface others use: as its owner, others build against your version.",
	Example: "gitlet claim src/config.ts:parseConfig",
	Effects: verb.Effects{Idempotent: true, Fresh: true, Snapshot: true, TakesNote: true},
}, runClaim)

// ClaimData is the data of claim.
type ClaimData struct {
	Symbol   string `json:"symbol"`
	Key      string `json:"key"`
	Owner    string `json:"owner"`
	Item     string `json:"item"`
	Epoch    int    `json:"epoch"`
	TookOver string `json:"tookOver,omitempty"`
}

func runClaim(ctx context.Context, c *engine.Call, a *ClaimArgs) (*verb.Result, error) {
	sym, refusal, err := oneSymbol(ctx, c, "claim", "symbol", a.Symbol)
	if refusal != nil || err != nil {
		return refusal, err
	}
	st, err := c.State(ctx)
	if err != nil {
		return nil, err
	}
	it := st.Active()
	if it == nil || it.Provisional {
		return verb.Refuse("a claim belongs to a task, and you have not stated one",
			model.Option{Verb: "start", Args: map[string]any{"intent": verb.Blank}, Why: "state your task, then claim again"}), nil
	}
	name := sym.Canonical()
	got, err := c.Claim(ctx, *sym, it.ID)
	if r := claimRefusal(err, name); r != nil {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	if got.Holder != nil {
		r := verb.Refuse(fmt.Sprintf("%s is owned by %s", name, got.Holder.Owner),
			model.Option{Verb: "need", Args: map[string]any{"symbol": name}, Why: "say that you depend on it, and hear when their version is published"},
			model.Option{Verb: "who", Args: map[string]any{"target": name}, Why: "see what they do with it"})
		if got.Holder.Contract != nil {
			r.Details = append(r.Details, "published as: "+got.Holder.Contract.Signature)
		}
		return r, nil
	}
	cl := got.Held.Claim
	r := &verb.Result{Outcome: verb.OK, Summary: fmt.Sprintf("You own %s.", name),
		Data: ClaimData{Symbol: name, Key: cl.Key, Owner: cl.Owner, Item: cl.Item, Epoch: cl.Epoch, TookOver: got.TookOver}}
	switch {
	case got.TookOver != "":
		r.Summary = fmt.Sprintf("You own %s now; %s had gone quiet.", name, got.TookOver)
	case got.Already:
		r.Outcome, r.Summary = verb.Nothing, fmt.Sprintf("you own %s already", name)
	}
	for _, q := range cl.Requirements {
		r.Details = append(r.Details, fmt.Sprintf("%s asks: %q", q.From, q.Text))
	}
	return r, nil
}

// claimRefusal words why nobody decided about a claim; nil for any other error.
func claimRefusal(err error, name string) *verb.Result {
	var refused *bus.Refused
	again := statusOption("see whether the remote is back, then call it again")
	switch {
	case errors.Is(err, bus.ErrOffline):
		return verb.Refuse("remote unreachable; claims need the remote", again)
	case errors.Is(err, bus.ErrDenied):
		return verb.Refuse("the remote gives no permission to write, so nothing can be claimed",
			model.Option{Argv: []string{"gitlet", "doctor"}, Why: "check what the remote allows"})
	case errors.As(err, &refused):
		r := verb.Refuse(fmt.Sprintf("the remote declined the claim on %s", name),
			model.Option{Argv: []string{"gitlet", "doctor"}, Why: "check what the remote allows"})
		r.Details = []string{refused.Text}
		return r
	case errors.Is(err, context.DeadlineExceeded):
		return verb.Refuse("the remote did not answer in time; claims need the remote", again)
	}
	return nil
}
