package verbs

import (
	"context"
	"fmt"

	"gitlet/internal/engine"
	"gitlet/internal/verb"
)

// ReleaseArgs are the arguments of release.
type ReleaseArgs struct {
	Common
	Symbol string `arg:"symbol" required:"true" chars:"path" help:"the symbol to let go of, as path:Name"`
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
		sym, refusal, err := oneSymbol(ctx, c, "release", "symbol", a.Symbol)
		if refusal != nil || err != nil {
			return refusal, err
		}
		key, name = sym.Key, sym.Canonical()
	}
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
	return r, nil
}
