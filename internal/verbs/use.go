package verbs

import (
	"context"
	"errors"
	"fmt"

	"gitlet/internal/engine"
	"gitlet/internal/model"
	"gitlet/internal/verb"
)

// UseArgs are the arguments of use.
type UseArgs struct {
	Common
	Symbol string `arg:"symbol" required:"true" chars:"path" help:"the symbol whose published signature you want, as path:Name"`
	Note   string `arg:"note" help:"the note this answers; it is resolved on success"`
}

var use = define(verb.Spec{
	Name:    "use",
	Summary: "Bring a published signature into your branch and pin it",
	When:    "A signature you need is published: build on it now, before it lands.",
	Example: "gitlet use src/config.ts:parseConfig",
	Effects: verb.Effects{Destructive: true, Fresh: true, WorkTree: true, TakesNote: true},
}, runUse)

// UseData is the data of use.
type UseData struct {
	Symbol    string `json:"symbol"`
	Key       string `json:"key"`
	Owner     string `json:"owner"`
	Signature string `json:"signature"`
	SigHash   string `json:"sigHash"`
	Stub      string `json:"stub"`
	// Commit is the picked commit on the branch; "" when its content was there already.
	Commit   string `json:"commit"`
	Reverted string `json:"reverted,omitempty"`
}

func runUse(ctx context.Context, c *engine.Call, a *UseArgs) (*verb.Result, error) {
	if r := notSymbol(ctx, c, "use", a.Symbol); r != nil {
		return r, nil
	}
	sym, refusal, err := oneSymbol(ctx, c, "use", "symbol", a.Symbol)
	if refusal != nil || err != nil {
		return refusal, err
	}
	name := sym.Canonical()
	it, refusal, err := statedTask(ctx, c, a.Note, "what you build on belongs to a task, and you have not stated one", "state your task, then call use again")
	if refusal != nil || err != nil {
		return refusal, err
	}
	held, err := c.ContractOn(ctx, sym.Key)
	if err != nil {
		return nil, err
	}
	if (held == nil || held.Claim.Contract == nil) && c.LookAgain(ctx) {
		if held, err = c.ContractOn(ctx, sym.Key); err != nil {
			return nil, err
		}
	}
	v, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	needOption := model.Option{Verb: "need", Args: map[string]any{"symbol": name}, Why: "hear when its signature is published"}
	if v.HasNeed(it.ID, sym.Key) {
		needOption = statusOption("you need it already: its note tells when it is published")
	}
	switch {
	case held == nil:
		return verb.Refuse(fmt.Sprintf("nobody owns %s, so nothing is published", name), needOption), nil
	case held.Claim.Owner == c.Agent():
		return verb.Refuse(fmt.Sprintf("you own %s yourself", name),
			model.Option{Verb: "publish", Args: map[string]any{"symbol": name}, Why: "publish your signature of it"}), nil
	case held.Claim.Contract == nil:
		return verb.Refuse(fmt.Sprintf("%s has not published %s yet", held.Claim.Owner, name), needOption), nil
	}
	cl := held.Claim
	used, err := c.Use(ctx, cl, it.ID)
	if r, rerr := useRefusal(ctx, c, err, name, cl); r != nil || rerr != nil {
		return r, rerr
	}
	if r := parkRefusal(err, "use"); r != nil {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	d := UseData{Symbol: name, Key: cl.Key, Owner: cl.Owner, Signature: cl.Contract.Signature, SigHash: cl.Contract.SigHash,
		Stub: cl.Contract.StubCommit, Commit: used.Commit, Reverted: used.Reverted}
	if used.Already {
		return &verb.Result{Outcome: verb.Nothing, Summary: fmt.Sprintf("you use %s as published already", cl.Name()), Data: d}, nil
	}
	c.Changed(ctx)
	r := &verb.Result{Outcome: verb.OK, Summary: fmt.Sprintf("You build on %s as %s published it.", cl.Name(), cl.Owner), Data: d}
	r.Details = append(r.Details, "signature: "+cl.Contract.Signature)
	if cl.Key != sym.Key && cl.MovedFrom != "" {
		r.Details = append(r.Details, fmt.Sprintf("%s goes by that name from now on", name))
	}
	if used.Commit != "" {
		r.Details = append(r.Details, "picked as commit "+used.Commit+"; it goes away by itself when the interface lands")
	} else {
		r.Details = append(r.Details, "your branch held it already, so nothing was committed")
	}
	if used.Reverted != "" {
		r.Details = append(r.Details, "the version from before was taken back by commit "+used.Reverted)
	}
	for _, p := range used.Replaced {
		r.Details = append(r.Details, fmt.Sprintf("%q, which git ignored here, is the published file now; your own is in the checkpoint auto-pre-use", p))
	}
	r.Details = append(r.Details, "how it was before this use, kept until the next: gitlet restore auto-pre-use")
	if it.Status == model.ItemSubmitted {
		r.Details = append(r.Details, fmt.Sprintf("%s is submitted: submit again once the interface has landed, and the pull request follows", said(it.Intent)))
	}
	return r, nil
}

// useRefusal words why a stub cannot be brought in; nil for success and any other error.
func useRefusal(ctx context.Context, c *engine.Call, err error, name string, cl model.Claim) (*verb.Result, error) {
	var (
		staged *engine.StagedError
		dirty  *engine.DirtyError
		gone   *engine.StubGoneError
		pick   *engine.PickError
	)
	message := fmt.Sprintf("Work before using %s", name)
	switch {
	case errors.As(err, &staged):
		r := verb.Refuse("files are staged, and git picks only onto an index that matches HEAD",
			model.Option{Argv: []string{"git", "commit", "-m", message}, Why: "commit what is staged, then call use again"},
			model.Option{Argv: []string{"git", "restore", "--staged", ":/"}, Why: "unstage it; the files stay as they are"})
		r.Details = filesDetail("staged", staged.Files)
		return r, nil
	case errors.As(err, &dirty):
		r := verb.Refuse("files that the published stub touches have uncommitted changes")
		if len(dirty.Files) > 0 {
			r.Options = append(setAside(dirty.Files),
				model.Option{Argv: append([]string{"git", "commit", "-m", message, "--"}, topPaths(dirty.Files)...), Why: "or commit them, then call use again"})
		}
		for _, p := range dirty.Untracked[:min(len(dirty.Untracked), 3)] {
			r.Options = append(r.Options, model.Option{Argv: []string{"mv", p, p + ".mine"}, Why: "move your own file away, then call use again"})
		}
		r.Details = append(filesDetail("changed", dirty.Files), filesDetail("untracked", dirty.Untracked)...)
		return r, nil
	case errors.As(err, &gone):
		return verb.Refuse("the published stub is not in this clone yet", statusOption("fetch again, then call use again")), nil
	case errors.As(err, &pick):
		return pickRefusal(ctx, c, pick, name, cl)
	}
	return nil, nil
}

// setAside are the steps that park uncommitted changes of files and take them out of these.
func setAside(files []string) []model.Option {
	return []model.Option{
		{Verb: "checkpoint", Args: map[string]any{}, Why: "park your own changes,"},
		{Argv: append([]string{"git", "restore", "--"}, topPaths(files)...), Why: "then take them out of these files and call use again"},
	}
}

// pickRefusal words a stub that git could not bring in, and offers what can be done here.
func pickRefusal(ctx context.Context, c *engine.Call, pick *engine.PickError, name string, cl model.Claim) (*verb.Result, error) {
	r := verb.Refuse(fmt.Sprintf("the published version of %s does not fit onto your branch; everything is as it was", name))
	if pick.Step == "take back" {
		r.Summary = fmt.Sprintf("the version of %s from before cannot be taken back, since your branch builds on it; everything is as it was", name)
	}
	r.Details = filesDetail("conflict in", pick.Files)
	if len(pick.Files) == 0 || pick.Step == "check" || pick.Step == "carry" {
		r.Details = append(r.Details, pick.Why)
	}
	if pick.Signing {
		r.Summary = "git could not sign the commit; everything is as it was"
		r.Options = []model.Option{{Argv: []string{"git", "config", "commit.gpgSign", "false"}, Why: "sign no commits in this clone, then call use again"}}
		return r, nil
	}
	behind, _, _, err := c.BehindMain(ctx, "")
	if err != nil {
		return nil, err
	}
	if behind > 0 {
		r.Options = append(r.Options, model.Option{Verb: "update", Args: map[string]any{}, Why: "bring your branch up to date with main first"})
	}
	switch pick.Step {
	case "carry":
		r.Options = append(r.Options, setAside(pick.Files)...)
	case "pick":
		own, err := c.OwnChange(ctx, pick.Files)
		if err != nil {
			return nil, err
		}
		if own != "" {
			r.Options = append(r.Options, model.Option{Argv: []string{"git", "revert", "--no-edit", own}, Why: "take your own change back, then call use again"})
		}
		fallthrough
	case "take back":
		r.Options = append(r.Options, model.Option{Argv: []string{"git", "cherry-pick", cl.Contract.StubCommit},
			Why: "bring it in by hand: resolve, git add, git cherry-pick --continue; then call use again"})
	case "check":
		r.Options = append(r.Options, model.Option{Argv: []string{"git", "cherry-pick", cl.Contract.StubCommit},
			Why: "bring it in by hand, mend these files and commit; then call use again"})
	}
	r.Options = append(r.Options, model.Option{Verb: "who", Args: map[string]any{"target": name}, Why: "see who changes what there"})
	return r, nil
}

// topPaths are paths from the root as git takes them wherever it is run.
func topPaths(paths []string) []string {
	out := make([]string, len(paths))
	for i, p := range paths {
		out[i] = ":(top,literal)" + p
	}
	return out
}

func filesDetail(what string, files []string) []string {
	const most = 10
	var out []string
	for _, f := range files[:min(len(files), most)] {
		out = append(out, fmt.Sprintf("%s: %q", what, f))
	}
	if n := len(files) - most; n > 0 {
		out = append(out, fmt.Sprintf("and %d more", n))
	}
	return out
}
