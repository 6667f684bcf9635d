package verbs

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gitlet/internal/combine"
	"gitlet/internal/engine"
	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/proof"
	"gitlet/internal/verb"
)

// CombineArgs are the arguments of combine.
type CombineArgs struct {
	Common
	Branches []string `arg:"branches" positional:"true" chars:"path" value:"BRANCH" help:"branches, or ids of tasks; default: all that were handed in with submit"`
	Land     bool     `arg:"land" help:"move main to the result, if main is still where it was"`
}

var combineVerb = define(verb.Spec{
	Name:    "combine",
	Summary: "Merge many finished branches into one and check it",
	When:    "Several tasks are ready: merges them onto a throwaway branch, runs the gate, and names the one that breaks it. Moves main only with land.",
	Example: "gitlet combine",
	Effects: verb.Effects{Fresh: true},
}, runCombine)

// CombineData is the data of combine.
type CombineData struct {
	Onto   string           `json:"onto"`   // main's commit
	Branch string           `json:"branch"` // "" when nothing came in
	Head   string           `json:"head"`
	In     []CombinedBranch `json:"in"` // in the order they were merged
	Out    []LeftBranch     `json:"out"`
	// Missing are tasks whose commits could not be had.
	Missing []string  `json:"missing"`
	Gate    *GateData `json:"gate,omitempty"`
	Landed  bool      `json:"landed"`
}

// CombinedBranch is one branch that is in.
type CombinedBranch struct {
	Branch   string     `json:"branch"`
	Commit   string     `json:"commit"`
	Agent    string     `json:"agent,omitempty"`
	Item     string     `json:"item,omitempty"`
	Intent   string     `json:"intent,omitempty"`
	Merge    string     `json:"merge"`   // the combined commit that has it
	Already  bool       `json:"already"` // nothing of it was left to merge
	Replayed []Replayed `json:"replayed"`
	// Merged are files that gitlet's merge drivers merged.
	Merged []git.DriverMerge `json:"merged,omitempty"`
}

// LeftBranch is one branch that was left out.
type LeftBranch struct {
	Branch string `json:"branch"`
	Commit string `json:"commit"`
	Agent  string `json:"agent,omitempty"`
	Item   string `json:"item,omitempty"`
	Intent string `json:"intent,omitempty"`
	// Why is "conflict", "unproven", "gate", "signing" or "unrelated".
	Why      string            `json:"why"`
	Files    []string          `json:"files,omitempty"`    // that conflict
	Problems []proof.Problem   `json:"problems,omitempty"` // of the merge
	Replayed []Replayed        `json:"replayed"`
	Merged   []git.DriverMerge `json:"merged,omitempty"` // by gitlet's merge drivers
	Output   string            `json:"output,omitempty"` // the end of what the gate, or signing, printed
	On       []string          `json:"on,omitempty"`     // the branches before it with which the gate passed
}

// GateData is what became of the project's own check.
type GateData struct {
	Command string `json:"command"`
	Runs    int    `json:"runs"`
	OK      bool   `json:"ok"`
	Output  string `json:"output,omitempty"`
}

func runCombine(ctx context.Context, c *engine.Call, a *CombineArgs) (*verb.Result, error) {
	main, err := c.FetchMain(ctx)
	if errors.Is(err, engine.ErrNoMain) {
		return verb.Refuse(fmt.Sprintf("there is no %s to combine onto", c.MainName()),
			model.Option{Argv: []string{"gitlet", "doctor"}, Why: "see how main is chosen"}), nil
	}
	if err != nil {
		return nil, err
	}
	branches, missing, refusal, err := toCombine(ctx, c, a.Branches)
	if refusal != nil || err != nil {
		return refusal, err
	}
	d := CombineData{Onto: main, Head: main, In: []CombinedBranch{}, Out: []LeftBranch{}, Missing: missing}
	if len(branches) == 0 {
		r := &verb.Result{Outcome: verb.Nothing, Summary: "no task is ready: none was handed in", Data: d, Details: missing,
			Options: []model.Option{statusOption("see who is at what"), {Argv: []string{"gitlet", "combine", "BRANCH", "BRANCH"}, Why: "name the branches yourself"}}}
		return r, nil
	}
	done, branch, err := c.Combine(ctx, main, branches, verb.Progress(ctx))
	var base *combine.BaseError
	if errors.As(err, &base) {
		d.Gate = &GateData{Command: c.Settings().Gate, Runs: base.Checks, Output: base.Output}
		r := verb.Refuse(fmt.Sprintf("the gate fails on %s itself, so it says nothing about the branches; nothing was combined", c.MainName()),
			model.Option{Argv: []string{"sh", "-c", c.Settings().Gate}, Why: "run it yourself on main"},
			model.Option{Argv: []string{"git", "config", "gitlet.gate"}, Why: "see whether it is the right command"})
		r.Body, r.Data = gateOutput("what the gate printed", base.Output), d
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	d.fill(c, done, branch)
	r := combined(c, d, done)
	if a.Land {
		return r, landCombined(ctx, c, r, &d)
	}
	if o, ok := landOption(a, d); ok {
		r.Options = append(r.Options, o)
	}
	return r, nil
}

// landOption offers to combine the same once more and move main to it.
func landOption(a *CombineArgs, d CombineData) (model.Option, bool) {
	const most = 10
	args := map[string]any{"land": true}
	if len(a.Branches)+len(d.Out) > 0 {
		var names []string
		for _, b := range d.In {
			names = append(names, b.Branch)
		}
		args["branches"] = names
	}
	return model.Option{Verb: "combine", Args: args, Why: "merge the same again and move main to it"}, d.Branch != "" && len(d.In) <= most
}

// toCombine finds the branches and puts them in order.
func toCombine(ctx context.Context, c *engine.Call, names []string) ([]combine.Branch, []string, *verb.Result, error) {
	missing := []string{}
	var branches []combine.Branch
	if len(names) == 0 {
		ready, gone, err := c.Ready(ctx)
		if err != nil {
			return nil, nil, nil, err
		}
		branches, missing = ready, append(missing, gone...)
	}
	seen := map[string]bool{}
	for _, n := range names {
		b, err := c.BranchOf(ctx, n)
		var none *engine.NoBranchError
		switch {
		case errors.As(err, &none):
			return nil, nil, verb.Refuse(none.Error()+" here or on the remote; nothing was combined",
				model.Option{Argv: []string{"git", "branch", "--all"}, Why: "see the branches there are"}, statusOption("see the tasks there are")), nil
		case errors.Is(err, git.ErrNetwork):
			return nil, nil, verb.Refuse(fmt.Sprintf("%q is not in this clone, and the remote cannot be reached; nothing was combined", n),
				statusOption("see when the remote is back")), nil
		case err != nil:
			return nil, nil, nil, err
		}
		if !seen[b.Name] {
			seen[b.Name] = true
			branches = append(branches, b)
		}
	}
	branches, err := c.ContractOrder(ctx, branches)
	return branches, missing, nil, err
}

func (d *CombineData) fill(c *engine.Call, done *combine.Combined, branch string) {
	d.Branch, d.Head = branch, done.Head
	for _, m := range done.In {
		d.In = append(d.In, CombinedBranch{Branch: m.Name, Commit: m.Branch.Commit, Agent: m.Agent, Item: m.Item, Intent: m.Intent,
			Merge: m.Commit, Already: m.Already, Replayed: replayed(m.Replayed), Merged: m.Merged})
	}
	for _, l := range done.Out {
		out := LeftBranch{Branch: l.Name, Commit: l.Commit, Agent: l.Agent, Item: l.Item, Intent: l.Intent, Files: l.Files,
			Problems: l.Problems, Replayed: replayed(l.Replayed), Merged: l.Merged, Output: l.Output, On: l.On}
		switch {
		case l.Breaks:
			out.Why = "gate"
		case l.Unrelated:
			out.Why = "unrelated"
		case l.Signing != "":
			out.Why, out.Output = "signing", l.Signing
		case len(l.Problems) > 0:
			out.Why = "unproven"
		default:
			out.Why = "conflict"
		}
		d.Out = append(d.Out, out)
	}
	if command := c.Settings().Gate; command != "" && done.Checks > 0 {
		d.Gate = &GateData{Command: command, Runs: done.Checks, OK: branch != ""}
	}
}

// combined words what was done.
func combined(c *engine.Call, d CombineData, done *combine.Combined) *verb.Result {
	r := &verb.Result{Outcome: verb.OK, Data: d}
	total := len(d.In) + len(d.Out)
	switch {
	case d.Branch != "":
		r.Summary = fmt.Sprintf("Merged %d of %s onto %s in branch %s.", len(d.In), branches(total), c.MainName(), d.Branch)
	case len(d.Out) == 0:
		r.Outcome, r.Summary = verb.Nothing, fmt.Sprintf("%s has all of %s already", c.MainName(), branches(total))
	default:
		r.Outcome, r.Summary = verb.Refused, fmt.Sprintf("none of %s could be combined; no branch was made", branches(total))
	}
	switch {
	case d.Gate != nil && d.Gate.OK:
		r.Details = append(r.Details, fmt.Sprintf("the gate passes on it: %q (%s)", d.Gate.Command, count(d.Gate.Runs, "run")))
	case c.Settings().Gate == "" && d.Branch != "":
		r.Details = append(r.Details, "no gate was run: none is configured (git config gitlet.gate COMMAND)")
	}
	for _, b := range d.In {
		line := fmt.Sprintf("in: %q%s", b.Branch, doing(b.Agent, b.Intent))
		if b.Already {
			line += ", which brought nothing more"
		}
		r.Details = append(r.Details, line)
	}
	for _, b := range d.Out {
		r.Details = append(r.Details, fmt.Sprintf("left out: %q%s: %s", b.Branch, doing(b.Agent, b.Intent), leftWhy(b)))
		for i, p := range b.Problems {
			if i < 5 {
				r.Details = append(r.Details, "  "+p.Text)
			}
		}
	}
	for _, m := range d.Missing {
		r.Details = append(r.Details, "not there: "+m)
	}
	for _, m := range done.In {
		tellMerged(r, m.Merged)
		tellReplayed(r, m.Replayed)
	}
	for _, l := range done.Out {
		if len(l.Problems) > 0 {
			tellMerged(r, l.Merged)
			tellReplayed(r, l.Replayed)
		}
		if l.Breaks {
			r.Body = append(r.Body, gateOutput(fmt.Sprintf("what the gate printed with %q", l.Name), l.Output)...)
		}
	}
	if d.Branch != "" {
		r.Options = append(r.Options, model.Option{Argv: []string{"git", "log", "--first-parent", c.MainName() + ".." + d.Branch}, Why: "see what it holds"},
			model.Option{Argv: []string{"git", "branch", "-D", d.Branch}, Why: "throw it away"})
	}
	return r
}

func branches(n int) string {
	if n == 1 {
		return "1 branch"
	}
	return fmt.Sprintf("%d branches", n)
}

func doing(agent, intent string) string {
	switch {
	case agent == "":
		return ""
	case intent == "":
		return " of " + agent
	}
	return fmt.Sprintf(" of %s, %s", agent, said(intent))
}

func leftWhy(b LeftBranch) string {
	switch b.Why {
	case "gate":
		switch n := len(b.On); {
		case n == 0:
			return "the gate fails with it, and passes without it"
		case n > 5:
			return fmt.Sprintf("the gate fails with it on top of the %d before it, up to %q, and passes without it", n, b.On[n-1])
		}
		return fmt.Sprintf("the gate fails with it on top of %s, and passes without it", quotedList(b.On))
	case "unproven":
		return "merged without a conflict left, but the result is wrong:"
	case "signing":
		return "the merge is to be signed, and signing did not work: " + said(b.Output)
	case "unrelated":
		return "it has no history in common with main here"
	}
	return fmt.Sprintf("conflicts in %s, and no resolution is recorded", quotedList(b.Files[:min(5, len(b.Files))]))
}

func gateOutput(title, text string) []verb.Section {
	if text == "" {
		return nil
	}
	return []verb.Section{{Title: title, Code: strings.Split(text, "\n")}}
}

// landCombined moves main to what was combined, and says so in the result.
func landCombined(ctx context.Context, c *engine.Call, r *verb.Result, d *CombineData) error {
	if d.Branch == "" {
		return nil
	}
	err := c.MoveMain(ctx, d.Onto, d.Head)
	var push *engine.PushError
	var busy *engine.MainCheckedOutError
	again := model.Option{Verb: "combine", Args: map[string]any{"land": true}, Why: "combine again, on main as it is now"}
	switch {
	case err == nil:
		d.Landed = true
		r.Summary += fmt.Sprintf(" %s is there now.", c.MainName())
		// What the branch has that main lacks is nothing by now.
		r.Options = []model.Option{{Argv: []string{"git", "log", "--first-parent", d.Onto + ".." + d.Head}, Why: "see what came in"},
			{Argv: []string{"git", "branch", "-D", d.Branch}, Why: "main has it: the branch can go"}}
		r.Data = *d
		return nil
	case errors.As(err, &busy):
		r.Summary += fmt.Sprintf(" Main was not moved: it is checked out in %q.", busy.Path)
		r.Options = append([]model.Option{{Argv: []string{"git", "-C", busy.Path, "merge", "--ff-only", d.Branch}, Why: "move it there"}}, r.Options...)
	case errors.Is(err, git.ErrRefMoved):
		r.Summary += " Main was not moved: somebody else moved it meanwhile."
		r.Options = append([]model.Option{again}, r.Options...)
	case errors.As(err, &push):
		r.Summary += " Main was not moved: " + push.Text + "."
		if push.Foreign != "" {
			r.Options = append([]model.Option{again}, r.Options...)
		} else {
			r.Options = append([]model.Option{{Argv: []string{"git", "push", c.Remote(), d.Branch}, Why: "push it as a branch, for a pull request"}}, r.Options...)
		}
	default:
		return err
	}
	r.Outcome, r.Data = verb.Refused, *d
	return nil
}
