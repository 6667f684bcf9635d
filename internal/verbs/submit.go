package verbs

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gitlet/internal/engine"
	"gitlet/internal/gate"
	"gitlet/internal/git"
	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/verb"
)

// SubmitArgs are the arguments of submit.
type SubmitArgs struct {
	Common
	Title  string `arg:"title" help:"the pull request's title; default: your task"`
	Body   string `arg:"body" chars:"text" help:"text for the pull request"`
	Draft  bool   `arg:"draft" help:"open the pull request as a draft"`
	Symbol string `arg:"symbol" chars:"path" help:"submit only the published signature of this symbol"`
}

var submit = define(verb.Spec{
	Name:    "submit",
	Summary: "Check your work against main, push it and open a pull request",
	When:    "Your work is ready: use it instead of git push. It never merges.",
	Example: "gitlet submit --title 'Strict mode for config loading'",
	Effects: verb.Effects{OpenWorld: true, Fresh: true, Snapshot: true},
}, runSubmit)

// SubmitData is the data of submit.
type SubmitData struct {
	Item   string `json:"item,omitempty"`
	Symbol string `json:"symbol,omitempty"`
	Branch string `json:"branch"`
	Commit string `json:"commit"`
	Pushed bool   `json:"pushed"`
	// PR is the pull request's address, Existing that it was there before; Compare is the
	// page that opens one, where gitlet could not.
	PR       string `json:"pr"`
	Existing bool   `json:"existing"`
	Compare  string `json:"compare,omitempty"`
	Title    string `json:"title"`
	Body     string `json:"body"`
}

// runSubmit goes through the steps in order. Until the push nothing is changed but the
// remote-tracking ref of main; after it, every step finds what an earlier call left.
func runSubmit(ctx context.Context, c *engine.Call, a *SubmitArgs) (*verb.Result, error) {
	if a.Symbol != "" {
		return submitInterface(ctx, c, a)
	}
	op, err := c.Operation(ctx)
	if err != nil {
		return nil, err
	}
	if r := refused(gate.WorkTree(&git.Status{}, op)); r != nil {
		return r, nil // a rebase stands on no branch, which is not for submit to mend
	}
	it, refusal, err := submitted(ctx, c)
	if refusal != nil || err != nil {
		return refusal, err
	}
	found, err := c.WorkTreeFindings(ctx)
	if err != nil {
		return nil, err
	}
	if r := refused(found); r != nil {
		return r, nil
	}
	warn(c, found)
	if r, err := fetchMain(ctx, c); r != nil || err != nil {
		return r, err
	}
	head, err := c.HeadNow(ctx)
	if err != nil {
		return nil, err
	}
	if head != c.Head() {
		return moved(), nil
	}
	if now, err := itemNow(ctx, c, it.ID); err != nil {
		return nil, err
	} else if now != nil {
		it = now // fetching main may have moved what it counts from
	}
	if r, err := nothingNew(ctx, c, *it, head.OID, len(found) == 0); r != nil || err != nil {
		return r, err
	}
	found, err = c.CommitFindings(ctx, *it, head.OID)
	if err != nil {
		return nil, err
	}
	if r := refused(found); r != nil {
		return r, nil
	}
	warn(c, found)
	return handIn(ctx, c, a, *it, head)
}

// submitted finds the item to hand in: the submitted one of the branch here, for a fix
// after a review, or the active one. It refuses where there is no branch to push.
func submitted(ctx context.Context, c *engine.Call) (*model.Item, *verb.Result, error) {
	st, err := c.State(ctx)
	if err != nil {
		return nil, nil, err
	}
	head := c.Head()
	it := st.SubmittedOn(head.Branch)
	if it == nil {
		it = st.Active()
	}
	if head.Unborn() {
		return nil, verb.Refuse("there is no commit to submit",
			model.Option{Argv: []string{"git", "add", "--all"}, Why: "git knows none of your files yet: add them"},
			model.Option{Argv: []string{"git", "commit"}, Why: "then commit them and submit again"}), nil
	}
	if it != nil && (head.Detached() || head.Branch == c.Main()) {
		where := "HEAD is on no branch"
		if head.Branch != "" {
			where = fmt.Sprintf("your work is on %s itself", head.Branch)
		}
		slug := id.Slug(it.Intent, 40)
		if slug == "" {
			slug = "task"
		}
		name, err := freeBranch(ctx, c, c.Settings().BranchPrefix+slug+"-"+it.ID[:4])
		if err != nil {
			return nil, nil, err
		}
		return nil, verb.Refuse(where+", and a pull request needs a branch of its own",
			model.Option{Argv: []string{"git", "switch", "-c", name}, Why: "make one here, then submit again"}), nil
	}
	if it == nil {
		return nil, verb.Refuse("you have no task to submit",
			model.Option{Verb: "start", Args: map[string]any{"intent": verb.Blank}, Why: "state your task, then submit again"},
			statusOption("see where you stand")), nil
	}
	return it, nil, nil
}

func itemNow(ctx context.Context, c *engine.Call, item string) (*model.Item, error) {
	st, err := c.State(ctx)
	if err != nil {
		return nil, err
	}
	return st.Item(item), nil
}

func moved() *verb.Result {
	return verb.Refuse("the branch moved while it was looked at", model.Option{Verb: "submit", Why: "try again"})
}

// fetchMain brings main here, or says why that cannot be.
func fetchMain(ctx context.Context, c *engine.Call) (*verb.Result, error) {
	err := c.BringMain(ctx)
	switch {
	case err == nil:
		return nil, nil
	case errors.Is(err, git.ErrNetwork), errors.Is(err, git.ErrTimeout), errors.Is(err, context.DeadlineExceeded):
		return away(), nil
	case errors.Is(err, git.ErrNoRemoteRef):
		return verb.Refuse(fmt.Sprintf("the remote has no branch %s to compare with", c.Main()),
			model.Option{Argv: []string{"git", "ls-remote", "--heads"}, Why: "see its branches"},
			model.Option{Argv: []string{"gitlet", "doctor"}, Why: "check which branch is taken for main"}), nil
	case errors.Is(err, git.ErrDenied):
		return verb.Refuse("the remote gives no permission to read "+c.Main(),
			model.Option{Argv: []string{"gitlet", "doctor"}, Why: "check what the remote allows"}), nil
	}
	return nil, err
}

func away() *verb.Result {
	return verb.Refuse("the remote cannot be reached, so nothing was pushed",
		model.Option{Verb: "submit", Why: "again, when it is back"},
		model.Option{Argv: []string{"gitlet", "doctor"}, Why: "check the remote"})
}

// nothingNew answers for a branch that has nothing main lacks. Where that is because all of
// the task is on main, the task is closed, unless something lies here that may belong to it.
func nothingNew(ctx context.Context, c *engine.Call, it model.Item, head string, clean bool) (*verb.Result, error) {
	over, err := c.Over(ctx, it, head)
	if err != nil {
		return nil, err
	}
	r := &verb.Result{Outcome: verb.Nothing}
	switch holds, err := c.Holds(ctx, head); {
	case err != nil:
		return nil, err
	case over && clean:
		if err := c.CloseLanded(ctx, it, head); err != nil {
			return nil, err
		}
		r.Outcome, r.Summary = verb.OK, fmt.Sprintf("%q has landed: %s has all of it, so the task is closed.", it.Intent, c.Main())
	case over && !holds:
		r.Summary = fmt.Sprintf("%s has all that is committed here: there is nothing to submit", c.Main())
	case holds:
		r.Summary = fmt.Sprintf("%s has every commit of this branch: there is nothing to submit", c.Main())
	default:
		return nil, nil
	}
	if it.PR != "" {
		r.Details = append(r.Details, "pull request: "+it.PR)
	}
	return r, nil
}

// refused turns the first finding that refuses into the verb's refusal.
func refused(found []gate.Finding) *verb.Result {
	f := gate.Refusal(found)
	if f == nil {
		return nil
	}
	r := verb.Refuse(f.Summary, f.Options...)
	r.Details = f.Details
	return r
}

// warn says what was found and refuses nothing.
func warn(c *engine.Call, found []gate.Finding) {
	for _, f := range found {
		if f.Refuses {
			continue
		}
		text := f.Summary
		if len(f.Details) > 0 {
			text += ": " + strings.Join(f.Details, ", ")
		}
		c.Warn("%s", text)
	}
}

// handIn pushes the branch, opens the pull request and marks the item.
func handIn(ctx context.Context, c *engine.Call, a *SubmitArgs, it model.Item, head git.Head) (*verb.Result, error) {
	v, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	p := pull{branch: head.Branch, commit: head.OID, title: a.Title, draft: a.Draft,
		body: itemBody(v, it, a.Body)}
	if p.title == "" {
		p.title = oneLine(it.Intent)
	}
	d := SubmitData{Item: it.ID, Branch: p.branch, Commit: p.commit, Title: p.title, Body: p.body}
	r := &verb.Result{Outcome: verb.OK}
	if c.Remote() == "" {
		if err := c.Submitted(ctx, it, head.OID, "", ""); err != nil {
			return nil, err
		}
		r.Summary, r.Data = fmt.Sprintf("%s is ready to be merged into %s.", p.branch, c.Main()), d
		r.Details = []string{"there is no remote, so nothing was pushed"}
		return r, nil
	}
	push, err := c.PushBranch(ctx, it.ID, p.branch, p.commit)
	if r := pushRefusal(err, p.branch); r != nil {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	p.before, p.to, d.Pushed = push.Before, push.To, push.Before != p.commit
	if err := openPull(ctx, c, p, &d, r); err != nil {
		return nil, err
	}
	if err := c.Submitted(ctx, it, head.OID, d.PR, ""); err != nil {
		return nil, err
	}
	r.Summary, r.Data = summary(d), d
	return r, nil
}

func summary(d SubmitData) string {
	did := "Pushed " + d.Branch
	if !d.Pushed {
		did = d.Branch + " was pushed before"
	}
	switch {
	case d.Existing:
		return did + "; its pull request is open: " + d.PR
	case d.PR != "":
		return did + " and opened " + d.PR
	case d.Compare != "":
		return did + "; open the pull request here: " + d.Compare
	}
	return did + "."
}

// pushRefusal words a branch that was not pushed.
func pushRefusal(err error, branch string) *verb.Result {
	var p *engine.PushError
	if !errors.As(err, &p) {
		return nil
	}
	remote := p.To
	switch {
	case p.Denied && len(p.Others) > 0:
		return verb.Refuse(p.Text,
			model.Option{Argv: []string{"git", "config", "remote.pushDefault", p.Others[0]}, Why: "if you push your branches there, say so, then submit again"},
			model.Option{Argv: []string{"gitlet", "doctor"}, Why: "check what the remote allows"})
	case p.Away:
		return away()
	case p.Clash != "":
		return verb.Refuse(p.Text,
			model.Option{Argv: []string{"git", "branch", "-m", branch, strings.ReplaceAll(branch, "/", "-")}, Why: "give your branch another name, then submit again"})
	case p.Foreign != "":
		r := verb.Refuse(p.Text+": its commits are not in your branch",
			model.Option{Argv: []string{"git", "fetch", remote, branch}, Why: "bring their commits here"},
			model.Option{Argv: []string{"git", "rebase", "FETCH_HEAD"}, Why: "after that, put yours on top of them and submit again"})
		if id.ValidOID(p.Foreign) {
			r.Options = append(r.Options, model.Option{Argv: []string{"git", "push", "--force-with-lease=refs/heads/" + branch + ":" + p.Foreign,
				remote, "HEAD:refs/heads/" + branch}, Why: "only if those commits are your own and replaced: push in their place, then submit again"})
		}
		return r
	}
	return verb.Refuse(p.Text,
		model.Option{Argv: []string{"git", "push", remote, "HEAD:refs/heads/" + branch}, Why: "see it in full"},
		model.Option{Verb: "submit", Why: "again, once that is mended"})
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
