package verbs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gitlet/internal/engine"
	"gitlet/internal/model"
	"gitlet/internal/replay"
	"gitlet/internal/verb"
)

// RerereListArgs are the arguments of rerere list.
type RerereListArgs struct{ Common }

var rerereList = define(verb.Spec{
	Name:    "rerere list",
	Summary: "List the recorded resolutions of conflicts",
	When:    "To see which conflicts update solves by itself, since somebody solved them before: where each comes from and how large it is.",
	Example: "gitlet rerere list",
	Effects: verb.Effects{ReadOnly: true},
	CLIOnly: true,
}, runRerereList)

// RerereNameArgs name one resolution.
type RerereNameArgs struct {
	Common
	ID string `arg:"id" positional:"true" required:"true" help:"the id of the resolution, or the beginning of it; see rerere list"`
}

var rerereShow = define(verb.Spec{
	Name:    "rerere show",
	Summary: "Show a recorded resolution",
	When:    "To see a conflict as it was recorded, and what was made of it.",
	Example: "gitlet rerere show 3f2a9c10",
	Effects: verb.Effects{ReadOnly: true},
	CLIOnly: true,
}, runRerereShow)

var rerereForget = define(verb.Spec{
	Name:    "rerere forget",
	Summary: "Forget a recorded resolution",
	When:    "When a recorded resolution is wrong: it is not used again, here and in the clone's other worktrees, and the conflict has to be solved anew.",
	Example: "gitlet rerere forget 3f2a9c10",
	CLIOnly: true,
}, runRerereForget)

// Resolution is the data of one recorded resolution.
type Resolution struct {
	ID        string    `json:"id"`
	By        string    `json:"by,omitempty"`
	At        time.Time `json:"at"`
	Merge     string    `json:"merge,omitempty"`
	Conflicts int       `json:"conflicts"`
	// Shared is set for one that others are offered, and for one of theirs; By is their
	// agent then.
	Shared bool `json:"shared"`
	// Before is the file with its conflicts, After the file resolved; only in show.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

func resolutionData(c *engine.Call, r replay.Recorded, whole bool) Resolution {
	d := Resolution{ID: r.Name(), By: r.Origin.By, At: r.Origin.At.UTC(), Merge: r.Origin.Commit, Conflicts: len(r.Hunks), Shared: c.SharedAs(r.ID)}
	if whole {
		d.Before, d.After = string(r.Before), string(r.After)
	}
	return d
}

func runRerereList(ctx context.Context, c *engine.Call, _ *RerereListArgs) (*verb.Result, error) {
	c.OfferResolutions(ctx)
	all, err := c.Resolutions("")
	if err != nil {
		return nil, err
	}
	d := struct {
		Resolutions []Resolution `json:"resolutions"`
	}{[]Resolution{}}
	var text []string
	for i, r := range all {
		one := resolutionData(c, r, false)
		d.Resolutions = append(d.Resolutions, one)
		origin := r.Origin.String()
		if one.Shared {
			origin += ", shared"
		}
		if i < 50 {
			text = append(text, fmt.Sprintf("%s %s, %s%s", shortName(r.Name()), count(len(r.Hunks), "conflict"), origin, firstLine(r)))
		}
	}
	if n := len(all) - len(text); n > 0 {
		text = append(text, fmt.Sprintf("and %d more", n))
	}
	r := &verb.Result{Outcome: verb.OK, Summary: fmt.Sprintf("%s recorded in this clone", count(len(all), "resolution")), Data: d}
	if len(all) == 0 {
		r.Summary = "no resolution is recorded in this clone"
		r.Options = []model.Option{{Argv: []string{"gitlet", "rerere", "train"}, Why: "learn from the merges of main's history"}}
	}
	r.Body = []verb.Section{{Lines: text}}
	if on, err := c.Records(ctx); err == nil && !on {
		r.Details = append(r.Details, "git records nothing here, since rerere.enabled is off")
		r.Options = append(r.Options, model.Option{Argv: []string{"git", "config", "rerere.enabled", "true"}, Why: "record how conflicts are solved from now on; gitlet init does it too"})
	}
	return r, nil
}

// shortName is enough of a name to be typed.
func shortName(name string) string {
	id, variant, _ := strings.Cut(name, ".")
	if len(id) > 12 && variant == "" {
		return id[:12]
	}
	return name
}

// firstLine gives a taste of a conflict.
func firstLine(r replay.Recorded) string {
	for _, h := range r.Hunks {
		for l := range strings.Lines(h.One + h.Two) {
			if t := strings.TrimSpace(l); len(t) > 3 {
				return ": " + said(t)
			}
		}
	}
	return ""
}

// theResolution finds the one that was named; else it returns why not.
func theResolution(c *engine.Call, name string) (*replay.Recorded, *verb.Result, error) {
	found, err := c.Resolutions(strings.TrimSpace(name))
	if err != nil {
		return nil, nil, err
	}
	if len(found) == 1 {
		return &found[0], nil, nil
	}
	r := verb.Refuse(fmt.Sprintf("no recorded resolution is called %q", name), model.Option{Argv: []string{"gitlet", "rerere", "list"}, Why: "see those there are"})
	if len(found) > 1 {
		r.Summary = fmt.Sprintf("%q is the beginning of %d resolutions' ids", name, len(found))
		for i, f := range found {
			if i < 10 {
				r.Details = append(r.Details, f.Name())
			}
		}
	}
	return nil, r, nil
}

func runRerereShow(ctx context.Context, c *engine.Call, a *RerereNameArgs) (*verb.Result, error) {
	if conflict, agent, ok := replay.ParseShared(a.ID); ok {
		return showShared(ctx, c, conflict, agent)
	}
	one, refusal, err := theResolution(c, a.ID)
	if refusal != nil || err != nil {
		return refusal, err
	}
	return &verb.Result{Outcome: verb.OK, Summary: fmt.Sprintf("resolution %s, %s", one.Name(), one.Origin), Data: resolutionData(c, *one, true),
		Body:    []verb.Section{{Title: "what it makes of the conflict", Code: one.Diff()}},
		Options: []model.Option{forgetOption(one.Name(), "if it is wrong: forget it")}}, nil
}

func runRerereForget(ctx context.Context, c *engine.Call, a *RerereNameArgs) (*verb.Result, error) {
	if conflict, agent, ok := replay.ParseShared(a.ID); ok {
		return forgetShared(ctx, c, conflict, agent)
	}
	one, refusal, err := theResolution(c, a.ID)
	if refusal != nil || err != nil {
		return refusal, err
	}
	d := resolutionData(c, *one, true)
	revoked, err := c.ForgetResolution(ctx, one.Resolution)
	if err != nil {
		return nil, err
	}
	r := &verb.Result{Outcome: verb.OK, Summary: fmt.Sprintf("Resolution %s is forgotten: that conflict has to be solved anew.", one.Name()), Data: d}
	if revoked {
		r.Details = []string{"it was offered to others, and is taken back there"}
	}
	return r, nil
}
