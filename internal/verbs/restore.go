package verbs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gitlet/internal/engine"
	"gitlet/internal/model"
	"gitlet/internal/snapshot"
	"gitlet/internal/verb"
)

// RestoreArgs are the arguments of restore.
type RestoreArgs struct {
	Common
	Name string `arg:"name" positional:"true" chars:"text" help:"a checkpoint's name, or the commit of a snapshot from the list; default: list them"`
}

var restore = define(verb.Spec{
	Name:    "restore",
	Summary: "Bring back a checkpoint or an earlier snapshot",
	When:    "Something went wrong: puts branch, index and files back as a checkpoint holds them. How it is now is saved first as auto-pre-restore. Without a name it lists what there is.",
	Example: "gitlet restore before-the-rewrite",
	Effects: verb.Effects{Destructive: true, WorkTree: true},
}, runRestore)

// RestoreList is the data of restore without a name.
type RestoreList struct {
	Checkpoints []CheckpointData `json:"checkpoints"`
	Snapshots   []KeptData       `json:"snapshots"`
}

// KeptData is a snapshot of an item that can be restored.
type KeptData struct {
	Item   string    `json:"item"`
	Intent string    `json:"intent"`
	Commit string    `json:"commit"`
	On     string    `json:"on"`
	At     time.Time `json:"at"`
	Files  int       `json:"files"`
}

// RestoreData is the data of restore with a name.
type RestoreData struct {
	Restored string         `json:"restored"`
	Commit   string         `json:"commit"`
	Before   CheckpointData `json:"before"`
	Files    int            `json:"files"`
	Left     []string       `json:"left"`
}

func runRestore(ctx context.Context, c *engine.Call, a *RestoreArgs) (*verb.Result, error) {
	checkpoints, err := c.Checkpoints(ctx)
	if err != nil {
		return nil, err
	}
	kept, err := c.KeptSnapshots(ctx)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(a.Name) == "" {
		return listRestorable(ctx, c, checkpoints, kept)
	}
	commit, name, refusal := restorable(a.Name, checkpoints, kept)
	if refusal != nil {
		return refusal, nil
	}
	done, err := c.Restore(ctx, commit, name)
	if r := parkRefusal(err, "restore"); r != nil {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	c.Changed(ctx)
	lost, err := c.SettlePins(ctx)
	if err != nil {
		return nil, err
	}
	if len(lost) > 0 {
		c.Changed(ctx)
	}
	r := &verb.Result{Outcome: verb.OK, Summary: fmt.Sprintf("Restored %s.", name),
		Data:    RestoreData{Restored: name, Commit: commit, Before: checkpointData(done.Before), Files: done.Files, Left: done.Left},
		Options: []model.Option{{Verb: "restore", Args: map[string]any{"name": done.Before.Slug}, Why: "undo this restore"}}}
	const most = 10
	for _, p := range done.Left[:min(len(done.Left), most)] {
		r.Details = append(r.Details, fmt.Sprintf("left alone, since it was ignored before or is ignored now: %q", p))
	}
	if n := len(done.Left) - most; n > 0 {
		r.Details = append(r.Details, fmt.Sprintf("and %d more files left alone", n))
	}
	for _, n := range lost {
		r.Details = append(r.Details, engine.LostPin(n))
	}
	for _, p := range done.Links {
		r.Details = append(r.Details, fmt.Sprintf("submodule %q stands at another commit than then: git submodule update --init -- %q", p, p))
	}
	return r, nil
}

// restorable finds what a name means.
func restorable(name string, checkpoints []snapshot.Checkpoint, kept []snapshot.Kept) (commit, called string, refusal *verb.Result) {
	name = strings.TrimSpace(name)
	for _, c := range checkpoints {
		if c.Slug == name || c.Name == name {
			return c.Commit, c.Slug, nil
		}
	}
	slug := snapshot.Slug(name)
	type found struct{ commit, name string }
	var match []found
	for _, c := range checkpoints {
		if slug != "" && c.Slug == slug {
			return c.Commit, c.Slug, nil
		}
		if len(slug) >= 4 && strings.HasPrefix(c.Slug, slug) || len(name) >= 7 && strings.HasPrefix(c.Commit, strings.ToLower(name)) {
			match = append(match, found{c.Commit, c.Slug})
		}
	}
	for _, k := range kept {
		if len(name) >= 7 && strings.HasPrefix(k.Commit, strings.ToLower(name)) {
			match = append(match, found{k.Commit, "snapshot " + k.Commit[:12]})
		}
	}
	if len(match) == 1 {
		return match[0].commit, match[0].name, nil
	}
	r := verb.Refuse(fmt.Sprintf("there is no checkpoint or snapshot %q", name), model.Option{Verb: "restore", Args: map[string]any{}, Why: "list what there is"})
	if len(match) > 1 {
		r.Summary = fmt.Sprintf("%q is the beginning of several names", name)
		for _, m := range match[:min(len(match), 10)] {
			r.Options = append(r.Options, model.Option{Verb: "restore", Args: map[string]any{"name": strings.TrimPrefix(m.name, "snapshot ")}, Why: "this one"})
		}
	}
	return "", "", r
}

func listRestorable(ctx context.Context, c *engine.Call, checkpoints []snapshot.Checkpoint, kept []snapshot.Kept) (*verb.Result, error) {
	st, err := c.State(ctx)
	if err != nil {
		return nil, err
	}
	data := RestoreList{Checkpoints: []CheckpointData{}, Snapshots: []KeptData{}}
	var parked, snaps []string
	for _, cp := range checkpoints {
		data.Checkpoints = append(data.Checkpoints, checkpointData(cp))
		parked = append(parked, fmt.Sprintf("%s: %s, %s", cp.Slug, since(c.Now, cp.At), holds(cp)))
	}
	for _, k := range kept {
		d := KeptData{Item: k.Item, Commit: k.Commit, On: k.Parent, At: k.At.UTC(), Files: k.Files}
		line := fmt.Sprintf("%s: %s, %s on %s", k.Commit[:12], since(c.Now, k.At), counted(k.Files, "changed file"), k.Parent[:min(len(k.Parent), 8)])
		if it := st.Item(k.Item); it != nil {
			d.Intent = it.Intent
			line += fmt.Sprintf(", task %q", it.Intent)
			if it.Branch != "" {
				line += ", branch " + it.Branch
			}
		}
		data.Snapshots = append(data.Snapshots, d)
		snaps = append(snaps, line)
	}
	r := &verb.Result{Outcome: verb.OK, Data: data, Summary: fmt.Sprintf("%s and %s can be restored.", counted(len(parked), "checkpoint"), counted(len(snaps), "snapshot"))}
	if len(parked)+len(snaps) == 0 {
		r.Outcome, r.Summary = verb.Nothing, "nothing can be restored yet; checkpoint parks how things stand"
		return r, nil
	}
	const most = 20
	for _, s := range []verb.Section{{Title: "checkpoints", Lines: parked}, {Title: "snapshots of your tasks (files only; restore them by their commit)", Lines: snaps}} {
		if n := len(s.Lines) - most; n > 0 {
			s.Lines = append(s.Lines[:most:most], fmt.Sprintf("%d more", n))
		}
		if len(s.Lines) > 0 {
			r.Body = append(r.Body, s)
		}
	}
	return r, nil
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// since words how long ago something was.
func since(now, at time.Time) string {
	d := now.Sub(at)
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return counted(int(d/time.Minute), "minute") + " ago"
	case d < 48*time.Hour:
		return counted(int(d/time.Hour), "hour") + " ago"
	}
	return counted(int(d/(24*time.Hour)), "day") + " ago"
}
