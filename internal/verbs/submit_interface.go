package verbs

import (
	"context"
	"fmt"
	"strings"

	"gitlet/internal/engine"
	"gitlet/internal/id"
	"gitlet/internal/land"
	"gitlet/internal/model"
	"gitlet/internal/trailer"
	"gitlet/internal/verb"
)

// submitInterface hands in a published signature alone, so that it can land before the
// work it is part of. The pull request does not name the item: that it lands is not the
// item's landing.
func submitInterface(ctx context.Context, c *engine.Call, a *SubmitArgs) (*verb.Result, error) {
	sym, refusal, err := oneSymbol(ctx, c, "submit", "symbol", a.Symbol)
	if refusal != nil || err != nil {
		return refusal, err
	}
	name := sym.Canonical()
	held := c.HeldClaim(sym.Key)
	switch {
	case held != nil && held.Claim.Owner != c.Agent():
		return ownedByOther(ctx, c, held.Claim, name)
	case held == nil || held.Claim.Contract == nil || held.Claim.Symbol == nil:
		return verb.Refuse(fmt.Sprintf("you have published no signature of %s", name),
			model.Option{Verb: "publish", Args: map[string]any{"symbol": name}, Why: "publish it, then submit it again"}), nil
	case c.Remote() == "":
		return verb.Refuse("there is no remote to open a pull request at",
			model.Option{Argv: []string{"git", "merge", held.Claim.Contract.StubCommit}, Why: fmt.Sprintf("on %s: bring the published signature in by hand", c.Main())}), nil
	}
	if r, err := fetchMain(ctx, c); r != nil || err != nil {
		return r, err
	}
	k := *held.Claim.Contract
	if r, err := nothingNew(ctx, c, model.Item{PR: k.PR}, k.StubCommit, false); r != nil || err != nil {
		return r, err
	}
	found, err := c.CommitFindings(ctx, model.Item{}, k.StubCommit)
	if err != nil {
		return nil, err
	}
	if r := refused(found); r != nil {
		r.Options = append([]model.Option{{Verb: "publish", Args: map[string]any{"symbol": name}, Why: "publish it anew on top of main as it is now"}}, r.Options...)
		return r, nil
	}
	warn(c, found)
	slug := id.Slug(name, 40)
	if slug == "" {
		slug = "symbol"
	}
	p := pull{branch: c.Settings().BranchPrefix + "interface-" + slug, commit: k.StubCommit, title: a.Title, draft: a.Draft}
	if p.title == "" {
		p.title = "interface: " + name
	}
	p.body = interfaceBody(c.Agent(), held.Claim, a.Body)
	push, err := c.PushBranch(ctx, sym.Key, p.branch, p.commit)
	if r := pushRefusal(err, p.branch); r != nil {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	p.before, p.to = push.Before, push.To
	d := SubmitData{Symbol: name, Branch: p.branch, Commit: p.commit, Pushed: push.Before != p.commit, Title: p.title, Body: p.body}
	r := &verb.Result{Outcome: verb.OK}
	if err := openPull(ctx, c, p, &d, r); err != nil {
		return nil, err
	}
	link := d.PR
	if link == "" {
		link = d.Compare
	}
	if link != "" && link != k.PR {
		if err := c.RecordPR(ctx, c.HeldClaim(sym.Key), link); err != nil {
			c.Warn("the pull request could not be noted on the claim: %v; submit again to retry", err)
		}
	}
	r.Summary, r.Data = summary(d), d
	return r, nil
}

func interfaceBody(agent string, cl model.Claim, given string) string {
	var b strings.Builder
	if given = strings.TrimSpace(given); given != "" {
		b.WriteString(given + "\n\n")
	}
	fmt.Fprintf(&b, "The published signature of %s, on its own, for others to build on:\n\n- %s\n", code(cl.Name()), code(cl.Contract.Signature))
	return trailer.Add(b.String(), trailer.Options{}, trailer.Line{Key: land.StubTrailer, Value: cl.Key + "@" + cl.Contract.SigHash},
		trailer.Line{Key: trailer.Agent, Value: agent})
}
