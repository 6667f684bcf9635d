package verbs

import (
	"context"
	"fmt"
	"slices"

	"gitlet/internal/engine"
	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/verb"
	"gitlet/internal/view"
)

// ReleaseArgs are the arguments of release.
type ReleaseArgs struct {
	Common
	Symbol string `arg:"symbol" required:"true" chars:"path" help:"the symbol to let go of, as path:Name; or what else you claimed, as status shows it"`
	Note   string `arg:"note" help:"the note this answers; it is resolved on success"`
}

var release = define(verb.Spec{
	Name:    "release",
	Summary: "Drop your claim or need on a symbol",
	When:    "You no longer change, or no longer depend on, an interface.",
	Example: "gitlet release src/config.ts:parseConfig",
	Effects: verb.Effects{Idempotent: true, Fresh: true, TakesNote: true},
}, runRelease)

func runRelease(ctx context.Context, c *engine.Call, a *ReleaseArgs) (*verb.Result, error) {
	v, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	// What is held is found by its name first: the symbol may be gone by now.
	key, name := "", ""
	for _, cl := range v.Claims {
		if cl.Owner == v.Agent && cl.Name() == a.Symbol {
			key, name = cl.Key, cl.Name()
		}
	}
	if key == "" {
		r, is, refusal := asResource(ctx, c, a.Symbol)
		if refusal != nil {
			return refusal, nil
		}
		if is {
			if r.Kind == engine.Sequence {
				return releaseNumber(v, r), nil
			}
			key, name = id.ResourceKey(r.String()), r.String()
		}
	}
	if key == "" {
		sym, refusal, err := oneSymbol(ctx, c, "release", "symbol", a.Symbol)
		if refusal != nil || err != nil {
			return refusal, err
		}
		key, name = sym.Key, sym.Canonical()
	}
	picked := pickedFor(v, key)
	claim, need, err := c.Release(ctx, key)
	if r := claimRefusal(err, name); r != nil {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	r := &verb.Result{Outcome: verb.OK, Data: map[string]any{"symbol": name, "claim": claim, "need": need}}
	switch {
	case claim && need:
		r.Summary = fmt.Sprintf("You neither own nor need %s any more.", name)
	case claim:
		r.Summary = fmt.Sprintf("You no longer own %s.", name)
	case need:
		r.Summary = fmt.Sprintf("You no longer need %s.", name)
	default:
		r.Outcome, r.Summary = verb.Nothing, fmt.Sprintf("you neither own nor need %s", name)
	}
	for _, commit := range picked {
		on, err := c.OnBranch(ctx, commit)
		if err != nil {
			return nil, err
		}
		if on {
			r.Details = append(r.Details, "what use brought in stays on your branch, as a change of your own: commit "+commit)
			r.Options = append(r.Options, model.Option{Argv: []string{"git", "revert", "--no-edit", commit}, Why: "take it back"})
		}
	}
	return r, nil
}

// pickedFor are the commits with which the signature of a symbol that I need was brought in.
func pickedFor(v *view.View, key string) []string {
	var out []string
	for _, n := range v.Needs {
		if n.Agent == v.Agent && n.Key == key && id.ValidOID(n.PinnedCommit) && !slices.Contains(out, n.PinnedCommit) {
			out = append(out, n.PinnedCommit)
		}
	}
	return out
}

// releaseNumber is for a sequence, or a number of one, of which this agent holds nothing
// under that very name.
func releaseNumber(v *view.View, r engine.Resource) *verb.Result {
	var out []model.Option
	for _, cl := range v.Claims {
		held, is, err := engine.ParseResource(cl.Resource)
		if is && err == nil && cl.Owner == v.Agent && held.Kind == engine.Sequence && held.Folder() == r.Folder() {
			out = append(out, model.Option{Verb: "release", Args: map[string]any{"symbol": cl.Resource}, Why: "give that number back"})
		}
	}
	if len(out) == 0 {
		return &verb.Result{Outcome: verb.Nothing, Summary: fmt.Sprintf("you were given no number of %s", r.Folder())}
	}
	return verb.Refuse(fmt.Sprintf("say which number of %s you give back", r.Folder()), out...)
}
