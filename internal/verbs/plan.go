package verbs

import (
	"context"
	"fmt"
	"strings"

	"gitlet/internal/engine"
	"gitlet/internal/lang"
	"gitlet/internal/model"
	"gitlet/internal/plan"
	"gitlet/internal/verb"
)

// PlanArgs are the arguments of plan.
type PlanArgs struct {
	Common
	Tasks []PlanTask `arg:"tasks" required:"true" value:"TASK" help:"the tasks, each as an object"`
}

// PlanTask is one task to be planned.
type PlanTask struct {
	Name    string   `arg:"name" required:"true" help:"what to call it"`
	Paths   []string `arg:"paths" chars:"path" help:"files, folders or globs it will touch"`
	Symbols []string `arg:"symbols" chars:"path" help:"symbols it will change, as path:Name"`
	After   []string `arg:"after" help:"names of tasks that have to be over first"`
}

var planVerb = define(verb.Spec{
	Name:    "plan",
	Summary: "See which tasks would collide before handing them out",
	When:    "Before dispatching several tasks: says which collide with each other or with work in flight, and in which waves they could run. Only advice.",
	Example: `gitlet plan '{"name":"parser","symbols":["src/config.ts:parseConfig"]}' '{"name":"docs","paths":["docs"]}'`,
	Effects: verb.Effects{ReadOnly: true, Fresh: true},
}, runPlan)

// PlanData is the data of plan.
type PlanData struct {
	Collisions []PlanCollision `json:"collisions"` // between the tasks
	InFlight   []PlanInFlight  `json:"inFlight"`   // with work going on
	Waves      [][]string      `json:"waves"`
	// Circle are tasks that wait for each other, and are in no wave.
	Circle []string `json:"circle"`
}

// PlanCollision is what two tasks both touch.
type PlanCollision struct {
	Tasks    []string  `json:"tasks"`
	Kind     plan.Kind `json:"kind"`
	What     []string  `json:"what"`
	Collides bool      `json:"collides"` // they should not run at the same time
}

// PlanInFlight is what a task and work going on both touch.
type PlanInFlight struct {
	Task     string    `json:"task"`
	Kind     plan.Kind `json:"kind"`
	What     []string  `json:"what"`
	Collides bool      `json:"collides"`
	Agent    string    `json:"agent"`
	Item     string    `json:"item"`
	Intent   string    `json:"intent"`
}

func runPlan(ctx context.Context, c *engine.Call, a *PlanArgs) (*verb.Result, error) {
	names := map[string]bool{}
	var tasks []plan.Task
	for _, t := range a.Tasks {
		if names[t.Name] {
			return badPlan(fmt.Sprintf("two tasks are called %q", t.Name)), nil
		}
		names[t.Name] = true
		if len(t.Paths)+len(t.Symbols) == 0 {
			return badPlan(fmt.Sprintf("task %q names no paths and no symbols, so nothing can be said about it", t.Name)), nil
		}
		planned := plan.Task{Name: t.Name, After: t.After}
		for _, p := range t.Paths {
			rel, _, err := c.FindPath(ctx, p)
			if err != nil {
				return badPlan(fmt.Sprintf("task %q: %v", t.Name, err)), nil
			}
			planned.Paths = append(planned.Paths, rel)
		}
		for _, s := range t.Symbols {
			file, name, named := strings.Cut(s, ":")
			if named {
				rel, _, err := c.FindPath(ctx, file)
				if err != nil {
					return badPlan(fmt.Sprintf("task %q: %v", t.Name, err)), nil
				}
				s = rel + ":" + name
			}
			planned.Symbols = append(planned.Symbols, s)
		}
		tasks = append(tasks, planned)
	}
	for _, t := range a.Tasks {
		for _, n := range t.After {
			if n == t.Name {
				return badPlan(fmt.Sprintf("task %q cannot come after itself", t.Name)), nil
			}
			if !names[n] {
				return badPlan(fmt.Sprintf("task %q comes after %q, which is not among the tasks", t.Name, n)), nil
			}
		}
	}
	v, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	var works []plan.Work
	add := func(agent string, it model.Item) {
		w := plan.Work{Agent: agent, Item: it.ID, Intent: it.Intent}
		if it.Footprint != nil {
			for _, f := range it.Footprint.Files {
				w.Files = append(w.Files, f.Path)
			}
			for _, s := range it.Footprint.Symbols {
				w.Symbols = append(w.Symbols, s.Symbol.Path+":"+s.Symbol.Qualified)
			}
		}
		works = append(works, w)
	}
	for _, p := range v.Peers {
		if !p.Idle() && !p.Mine {
			add(p.Agent.ID, p.Item)
		}
	}
	for _, it := range v.Items {
		add(v.Agent, it)
	}
	r := planResult(tasks, works, plan.Make(tasks, works))
	unknown, err := unknownSymbols(ctx, c, tasks)
	r.Details = append(r.Details, unknown...)
	return r, err
}

// maxLooked is how many symbols of a plan are looked up.
const maxLooked = 30

// unknownSymbols says which symbols of the tasks nobody has yet, in files that gitlet can
// read: they may be new, or mistyped.
func unknownSymbols(ctx context.Context, c *engine.Call, tasks []plan.Task) (out []string, err error) {
	seen := map[string]bool{}
	for _, t := range tasks {
		for _, s := range t.Symbols {
			file, _, named := strings.Cut(s, ":")
			if !named || seen[s] || len(seen) == maxLooked || lang.ForPath(file) == nil {
				continue
			}
			seen[s] = true
			l, err := c.Lookup(ctx, s)
			if err != nil {
				return nil, err
			}
			if len(l.Found) > 0 {
				continue
			}
			line := fmt.Sprintf("%q is not there yet: it may be new", s)
			if len(l.Near) > 0 {
				line += fmt.Sprintf("; there is %q", l.Near[0].Canonical())
			}
			out = append(out, line)
		}
	}
	return out, nil
}

func badPlan(why string) *verb.Result {
	r := verb.Refuse(why, model.Option{Argv: []string{"gitlet", "plan", "--help"}, Why: "see how tasks are written"})
	r.BadUsage = true
	return r
}

func planResult(tasks []plan.Task, works []plan.Work, p plan.Plan) *verb.Result {
	d := PlanData{Collisions: []PlanCollision{}, InFlight: []PlanInFlight{}, Waves: [][]string{}, Circle: []string{}}
	var between, flight, waves []string
	clashes := 0
	for _, m := range p.Tasks {
		a, b := tasks[m.A].Name, tasks[m.B].Name
		d.Collisions = append(d.Collisions, PlanCollision{Tasks: []string{a, b}, Kind: m.Kind, What: m.What, Collides: m.Collides()})
		if m.Collides() {
			clashes++
		}
		between = append(between, fmt.Sprintf("%q and %q: %s", a, b, meeting(m)))
	}
	for _, m := range p.Works {
		w := works[m.B]
		d.InFlight = append(d.InFlight, PlanInFlight{Task: tasks[m.A].Name, Kind: m.Kind, What: m.What, Collides: m.Collides(),
			Agent: w.Agent, Item: w.Item, Intent: w.Intent})
		who := w.Agent
		if w.Intent != "" {
			who += fmt.Sprintf(" doing %q", w.Intent)
		}
		flight = append(flight, fmt.Sprintf("%q and %s: %s", tasks[m.A].Name, who, meeting(m)))
	}
	list := func(indexes []int) []string {
		var out []string
		for _, i := range indexes {
			out = append(out, tasks[i].Name)
		}
		return out
	}
	for i, w := range p.Waves {
		d.Waves = append(d.Waves, list(w))
		waves = append(waves, fmt.Sprintf("%d: %s", i+1, quotedList(list(w))))
	}
	r := &verb.Result{Outcome: verb.OK, Data: &d,
		Summary: fmt.Sprintf("%s in %s; %s between them.", count(len(tasks), "task"), count(len(p.Waves), "wave"), count(clashes, "collision"))}
	for _, s := range []verb.Section{{Title: "waves, one after the other", Lines: waves}, {Title: "between the tasks", Lines: between},
		{Title: "with work going on", Lines: flight}} {
		if len(s.Lines) > 0 {
			r.Body = append(r.Body, s)
		}
	}
	if len(p.Circle) > 0 {
		d.Circle = list(p.Circle)
		r.Details = append(r.Details, fmt.Sprintf("in no wave, since they wait for each other: %s", quotedList(d.Circle)))
	}
	return r
}

func quotedList(names []string) string {
	var out []string
	for _, n := range names {
		out = append(out, fmt.Sprintf("%q", n))
	}
	return strings.Join(out, ", ")
}

// meeting words what two sides have in common.
func meeting(m plan.Meeting) string {
	const most = 5
	what := quotedList(m.What[:min(most, len(m.What))])
	if n := len(m.What) - most; n > 0 {
		what += fmt.Sprintf(" and %d more", n)
	}
	switch m.Kind {
	case plan.SameSymbol:
		return "both change " + what
	case plan.SamePath:
		return "both touch " + what
	}
	return "other symbols of the same file, " + what + "; no collision"
}
