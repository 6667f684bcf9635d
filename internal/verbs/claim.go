package verbs

import (
	"context"
	"errors"
	"fmt"

	"gitlet/internal/bus"
	"gitlet/internal/engine"
	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/verb"
)

// ClaimArgs are the arguments of claim.
type ClaimArgs struct {
	Common
	Symbol string `arg:"symbol" required:"true" chars:"path" help:"the symbol to own, as path:Name; or issue:278, res:dev-db, next:db/migrate"`
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
	res, isResource, refusal := asResource(ctx, c, a.Symbol)
	if refusal != nil {
		return refusal, nil
	}
	var sym *model.Symbol
	if !isResource {
		var err error
		if sym, refusal, err = oneSymbol(ctx, c, "claim", "symbol", a.Symbol); refusal != nil || err != nil {
			return refusal, err
		}
	}
	it, refusal, err := statedTask(ctx, c, a.Note, "a claim belongs to a task, and you have not stated one", "state your task, then claim again")
	if refusal != nil || err != nil {
		return refusal, err
	}
	if isResource {
		return claimResource(ctx, c, res, it.ID)
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
		return ownedByOther(ctx, c, *got.Holder, name)
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

// asResource reads what is claimed as something that is not a symbol. A file of that name
// in front of the colon makes it a symbol all the same.
func asResource(ctx context.Context, c *engine.Call, text string) (engine.Resource, bool, *verb.Result) {
	r, is, err := engine.ParseResource(text)
	if !is {
		return r, false, nil
	}
	if _, kind, ferr := c.FindPath(ctx, string(r.Kind)); ferr == nil && kind == engine.FilePath {
		return r, false, nil
	}
	if err != nil {
		return r, true, verb.Refuse(err.Error(), statusOption("see what is claimed"))
	}
	return r, true, nil
}

// notSymbol refuses a verb that is for symbols alone; nil when the text names one.
func notSymbol(ctx context.Context, c *engine.Call, verbName, text string) *verb.Result {
	r, is, refusal := asResource(ctx, c, text)
	if refusal != nil || !is {
		return refusal
	}
	return verb.Refuse(fmt.Sprintf("%s is not a symbol, so there is nothing to %s; it can be claimed and released", r, verbName),
		model.Option{Verb: "claim", Args: map[string]any{"symbol": r.String()}, Why: "claim it, or hear who has it"})
}

// NumberData is the data of claim for a number that is handed out.
type NumberData struct {
	ClaimData
	Number string `json:"number"`
}

// claimResource claims what is not a symbol.
func claimResource(ctx context.Context, c *engine.Call, r engine.Resource, item string) (*verb.Result, error) {
	var number string
	var got engine.Claimed
	var err error
	_, given, exact := r.Number()
	if r.Kind == engine.Sequence && !exact {
		number, got, err = c.ClaimNext(ctx, r.Name, item)
	} else {
		number = given
		got, err = c.ClaimResource(ctx, r.String(), item)
	}
	var bad *engine.BadResourceError
	if errors.As(err, &bad) {
		return verb.Refuse(bad.Error(), statusOption("see what is claimed")), nil
	}
	if refusal := claimRefusal(err, r.String()); refusal != nil {
		return refusal, nil
	}
	if err != nil {
		return nil, err
	}
	if got.Holder != nil {
		return heldResource(ctx, c, *got.Holder)
	}
	cl := got.Held.Claim
	d := ClaimData{Symbol: cl.Resource, Key: cl.Key, Owner: cl.Owner, Item: cl.Item, Epoch: cl.Epoch, TookOver: got.TookOver}
	out := &verb.Result{Outcome: verb.OK, Data: d}
	switch r.Kind {
	case engine.Issue:
		out.Summary = fmt.Sprintf("%s is yours: nobody else is told to build it.", cl.Resource)
	case engine.Sequence:
		out.Summary = fmt.Sprintf("%s is yours in %s.", number, r.Folder())
		out.Details = append(out.Details, "nobody else is given this number while your task is open")
		out.Data = NumberData{d, number}
	default:
		out.Summary = fmt.Sprintf("%s is yours until you release it or your task ends.", cl.Resource)
	}
	switch {
	case got.TookOver != "":
		out.Details = append(out.Details, fmt.Sprintf("it was %s's, who had gone quiet", got.TookOver))
	case got.Already:
		out.Details = nil
		out.Outcome, out.Summary = verb.Nothing, fmt.Sprintf("you have %s already", cl.Resource)
	}
	return out, nil
}

// heldResource refuses because somebody else has it.
func heldResource(ctx context.Context, c *engine.Call, cl model.Claim) (*verb.Result, error) {
	v, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	r := verb.Refuse(fmt.Sprintf("%s is %s's", cl.Name(), cl.Owner), statusOption("see what they do"))
	if p := v.Peer(cl.Item); p != nil && p.Agent.ID == cl.Owner {
		r.Details = append(r.Details, fmt.Sprintf("their task: %s", said(p.Item.Intent)))
	}
	return r, nil
}

// claimRefusal words why nobody decided about a claim; nil for any other error.
func claimRefusal(err error, name string) *verb.Result {
	var refused *bus.Refused
	var lost *bus.Lost
	again := statusOption("see whether the remote is back, then call it again")
	switch {
	case errors.Is(err, bus.ErrOffline):
		return verb.Refuse("remote unreachable; claims need the remote", again)
	case errors.Is(err, bus.ErrDenied):
		return verb.Refuse("the remote gives no permission to write, so nothing can be claimed",
			model.Option{Argv: []string{"gitlet", "doctor"}, Why: "check what the remote allows"})
	case errors.As(err, &lost) && lost.Problem != nil:
		r := verb.Refuse(fmt.Sprintf("there is a claim on %s that cannot be read, so nobody can tell whose it is", name),
			model.Option{Argv: []string{"gitlet", "doctor"}, Why: "see what cannot be read; a newer gitlet may"})
		r.Details = []string{lost.Problem.Ref + ": " + lost.Problem.Why}
		return r
	case errors.Is(err, git.ErrRefName):
		return verb.Refuse(fmt.Sprintf("the claim on %s has no place: another ref stands in its way", name),
			model.Option{Argv: []string{"gitlet", "doctor"}, Why: "see which, and remove it"})
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
