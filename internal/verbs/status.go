package verbs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gitlet/internal/engine"
	"gitlet/internal/model"
	"gitlet/internal/thread"
	"gitlet/internal/verb"
	"gitlet/internal/view"
)

// StatusArgs are the arguments of status.
type StatusArgs struct{ Common }

var status = define(verb.Spec{
	Name:    "status",
	Summary: "Your task, who overlaps it, and every open note",
	When: "Tells your task, who overlaps it and every open note: when you begin or resume, after your context was " +
		"compacted, or whenever unsure.",
	Example: "gitlet status",
	Effects: verb.Effects{ReadOnly: true, Fresh: true, Snapshot: true},
}, runStatus)

// StatusItem is one task in flight.
type StatusItem struct {
	Agent         string `json:"agent"`
	ID            string `json:"id"`
	Intent        string `json:"intent"`
	Provisional   bool   `json:"provisional"`
	Branch        string `json:"branch"`
	Status        string `json:"status"`
	PR            string `json:"pr"`
	You           bool   `json:"you"`
	Idle          bool   `json:"idle"`
	Broad         bool   `json:"broad"`
	Files         int    `json:"files"`
	Symbols       int    `json:"symbols"`
	SnapshotError string `json:"snapshotError,omitempty"`
	UpdatedAt     string `json:"updatedAt"`
}

// Overlap is another item that changes what mine does.
type Overlap struct {
	Agent   string   `json:"agent"`
	Item    string   `json:"item"`
	Intent  string   `json:"intent"`
	Files   []string `json:"files"`
	Symbols []string `json:"symbols"`
	// Conflicts are the files git says would conflict; nil when that is not known.
	Conflicts []string `json:"conflicts"`
}

// StatusClaim is one claim in view.
type StatusClaim struct {
	Name     string `json:"name"`
	Owner    string `json:"owner"`
	Item     string `json:"item"`
	Contract string `json:"contract,omitempty"`
	// Resource is set for what is not a symbol.
	Resource bool `json:"resource,omitempty"`
}

// StatusNeed is one recorded need.
type StatusNeed struct {
	Agent       string `json:"agent"`
	Item        string `json:"item"`
	Name        string `json:"name"`
	Requirement string `json:"requirement,omitempty"`
	// Pinned: its task builds on the signature as it was published last. Over: nothing is
	// left to wait for, since nobody publishes it any more and, for a need of mine, main has it.
	Pinned bool `json:"pinned,omitempty"`
	Over   bool `json:"over,omitempty"`
}

// does says what the need is by now, s being the ending of its verb.
func (n StatusNeed) does(s string) string {
	if n.Pinned {
		return "build" + s + " on the published "
	}
	return "need" + s + " "
}

// StatusData is the data of status.
type StatusData struct {
	Agent        string         `json:"agent"`
	Worktree     string         `json:"worktree"`
	Branch       string         `json:"branch"`
	Item         *StatusItem    `json:"item"`
	Items        []StatusItem   `json:"items"`
	Overlaps     []Overlap      `json:"overlaps"`
	Claims       []StatusClaim  `json:"claims"`
	Needs        []StatusNeed   `json:"needs"`
	Threads      []StatusThread `json:"threads"`
	Notes        []model.Note   `json:"notes"`
	LandingOrder []string       `json:"landingOrder"`
	// SnapshotsEvery is set when the tree is so large that a session reads it by itself
	// less often than it asks for news.
	SnapshotsEvery string `json:"snapshotsEvery,omitempty"`
	// Main says how far main is ahead of the branch; nil where that is not known.
	Main *StatusMain `json:"main"`
}

// StatusMain is how the branch stands to main.
type StatusMain struct {
	Name string `json:"name"`
	// Ahead counts the commits of main that the branch lacks.
	Ahead int `json:"ahead"`
	// Conflicts are the files in which bringing the branch up to date would conflict; nil
	// when that is not known or there is nothing to bring.
	Conflicts []string `json:"conflicts"`
	// Recorded is "all" where resolutions recorded in this clone solve the conflicts, and
	// "maybe" where there are some and update has to try; "" for none.
	Recorded string `json:"recorded,omitempty"`
}

func runStatus(ctx context.Context, c *engine.Call, _ *StatusArgs) (*verb.Result, error) {
	v, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	all, fresh, err := c.AllNotes(ctx)
	if err != nil {
		return nil, err
	}
	d := StatusData{Agent: v.Agent, Worktree: c.Root(), Branch: c.Head().Branch, Threads: threads(v)}
	if every := c.ReadEvery(ctx); every > 0 {
		d.SnapshotsEvery = engine.Words(every)
	}
	d.Main = statusMain(ctx, c, v)
	r := statusResult(v, d, all, fresh, c.LeftOut())
	r.Options = append(r.Options, acceptOptions(v, all)...)
	for _, it := range v.Items {
		if c.PRClosed(ctx, it) {
			r.Details = append(r.Details, fmt.Sprintf("the pull request of %q was closed without being merged: %s", it.Intent, it.PR))
			r.Options = append(r.Options, model.Option{Verb: "abandon", Args: map[string]any{"item": it.ID}, Why: "stop that task; it would never land"})
		}
	}
	return r, nil
}

// statusMain says how far main is ahead, and whether an update would be clean.
func statusMain(ctx context.Context, c *engine.Call, v *view.View) *StatusMain {
	tip := ""
	for _, it := range v.Items {
		if it.Status == model.ItemActive {
			tip = it.Tip()
		}
	}
	behind, files, told, err := c.BehindMain(ctx, tip)
	if err != nil || c.MainOID(ctx) == "" {
		return nil // no history in common, or it took too long
	}
	m := &StatusMain{Name: c.MainName(), Ahead: behind}
	if told && behind > 0 {
		m.Conflicts = append([]string{}, files...)
	}
	if len(m.Conflicts) > 0 {
		m.Recorded = recordedWord(ctx, c, tip)
	}
	return m
}

// recordedWord is StatusMain.Recorded. What cannot be looked up is not worth a warning:
// update tells.
func recordedWord(ctx context.Context, c *engine.Call, tip string) string {
	switch got, _ := c.Recorded(ctx, tip); got {
	case engine.AllRecorded:
		return "all"
	case engine.MayBeRecorded:
		return "maybe"
	}
	return ""
}

// mainLine words it; "" when main has nothing new.
func mainLine(m *StatusMain) string {
	if m == nil || m.Ahead == 0 {
		return ""
	}
	line := fmt.Sprintf("%s is %s ahead of your branch", m.Name, count(m.Ahead, "commit"))
	switch n := len(m.Conflicts); {
	case m.Conflicts == nil:
		return line
	case n == 0:
		return line + "; update would be clean"
	default:
		files := strings.Join(m.Conflicts[:min(n, 3)], ", ")
		if n > 3 {
			files += fmt.Sprintf(" and %d more", n-3)
		}
		switch m.Recorded {
		case "all":
			return fmt.Sprintf("%s; update conflicts in %s, which a recorded resolution solves", line, files)
		case "maybe":
			return fmt.Sprintf("%s; update would conflict in %s, unless a recorded resolution solves it", line, files)
		}
		return fmt.Sprintf("%s; update would conflict in %s", line, files)
	}
}

// statusResult fills in what the view says and words it.
func statusResult(v *view.View, d StatusData, all []model.Note, fresh map[string]bool, withheld []engine.LeftOut) *verb.Result {
	d.Items, d.Overlaps, d.Claims, d.Needs, d.Notes = statusItems(v), overlaps(v), []StatusClaim{}, []StatusNeed{}, all
	for i := range d.Items {
		if d.Items[i].You && d.Items[i].Status == string(model.ItemActive) {
			d.Item = &d.Items[i]
		}
	}
	for _, cl := range v.Claims {
		s := StatusClaim{Name: cl.Name(), Owner: cl.Owner, Item: cl.Item, Resource: cl.Symbol == nil}
		if cl.Contract != nil {
			s.Contract = cl.Contract.Signature
		}
		d.Claims = append(d.Claims, s)
	}
	for _, n := range v.Needs {
		s := StatusNeed{Agent: n.Agent, Item: n.Item, Name: n.Name, Requirement: n.Requirement, Pinned: n.PinnedSigHash != ""}
		switch cl := v.Contracted(n.Key); {
		case cl != nil && cl.Contract != nil:
			s.Pinned = n.PinnedSigHash == cl.Contract.SigHash
		case s.Pinned:
			s.Over = n.Agent != v.Agent || v.Landed[n.ID]
		}
		d.Needs = append(d.Needs, s)
	}
	d.LandingOrder = landingOrder(v, all)
	r := &verb.Result{Outcome: verb.OK, Data: d, Summary: statusSummary(d), Notes: all, AllNotes: true}
	r.Details = append(statusDetails(d), leftOut(withheld)...)
	if d.Item == nil {
		r.Options = append(r.Options, model.Option{Verb: "start", Args: map[string]any{"intent": verb.Blank}, Why: "say what you are about to do, before you edit"})
	}
	var open []model.Note
	for _, n := range all {
		if !fresh[n.ID] {
			open = append(open, n)
		}
	}
	r.Notes = keep(all, fresh)
	if len(open) > 0 {
		r.Body = append(r.Body, verb.Section{Title: "open notes", Notes: open})
	}
	return r
}

func keep(all []model.Note, want map[string]bool) []model.Note {
	out := []model.Note{}
	for _, n := range all {
		if want[n.ID] {
			out = append(out, n)
		}
	}
	return out
}

func statusItems(v *view.View) []StatusItem {
	out := []StatusItem{}
	for _, h := range holders(v) {
		s := StatusItem{
			Agent: h.agent, ID: h.item.ID, Intent: h.item.Intent, Provisional: h.item.Provisional,
			Branch: h.item.Branch, Status: string(h.item.Status), PR: h.item.PR, You: h.you, Idle: h.idle,
			SnapshotError: h.item.SnapshotError, UpdatedAt: h.item.UpdatedAt.UTC().Format(time.RFC3339),
		}
		if fp := h.item.Footprint; fp != nil {
			s.Files, s.Symbols, s.Broad = len(fp.Files), len(fp.Symbols), fp.Broad
		}
		out = append(out, s)
	}
	return out
}

// overlaps lists, for each other item, the files and symbols it has in common with mine.
func overlaps(v *view.View) []Overlap {
	out := []Overlap{}
	for _, mine := range v.Items {
		if mine.Footprint == nil {
			continue
		}
		for _, p := range v.Others(mine) {
			o := Overlap{Agent: p.Agent.ID, Item: p.Item.ID, Intent: p.Item.Intent, Files: []string{}, Symbols: []string{}}
			if p.Item.Footprint == nil {
				continue
			}
			for _, f := range p.Item.Footprint.Files {
				if mine.Footprint.File(f.Path) != nil {
					o.Files = append(o.Files, f.Path)
				}
			}
			for _, s := range p.Item.Footprint.Symbols {
				if mine.Footprint.Change(s.Symbol.Key) != nil {
					o.Symbols = append(o.Symbols, s.Symbol.Canonical())
				}
			}
			if pred, ok := v.Predictions[view.Pair{Mine: mine.ID, Other: p.Item.ID}]; ok && pred.Known {
				o.Conflicts = append([]string{}, pred.Files...)
			}
			if len(o.Files)+len(o.Symbols) > 0 {
				out = append(out, o)
			}
		}
	}
	return out
}

// threads are the conversations this agent takes part in.
func threads(v *view.View) []StatusThread {
	out := []StatusThread{}
	for _, t := range thread.Derive(v) {
		if t.Party(v.Agent) != nil && t.State != thread.Over {
			out = append(out, statusThread(v, t))
		}
	}
	return out
}

// landingOrder orders my items and those they depend on or hold up, so that who
// changes an interface lands before who uses it: callee_changed puts the other
// first, callers_affected puts mine first, and where either waits for a signature of the
// other or picked it, its owner is first. A cycle is left in the order of ids.
func landingOrder(v *view.View, all []model.Note) []string {
	before := map[string]map[string]bool{} // item -> those that land before it
	add := func(first, second string) {
		for _, x := range []string{first, second} {
			if before[x] == nil {
				before[x] = map[string]bool{}
			}
		}
		before[second][first] = true
	}
	for _, n := range all {
		for _, o := range n.Others {
			switch n.Kind {
			case "callee_changed":
				add(o.Item, n.Item)
			case "callers_affected":
				add(n.Item, o.Item)
			}
		}
	}
	mine := map[string]bool{}
	for _, it := range v.Items {
		if mine[it.ID] = true; before[it.ID] == nil {
			before[it.ID] = map[string]bool{}
		}
	}
	for _, n := range v.Needs {
		cl := v.Contracted(n.Key)
		if cl == nil || cl.Item == n.Item || !mine[cl.Item] && !mine[n.Item] {
			continue
		}
		if o, u := v.Peer(cl.Item), v.Peer(n.Item); o != nil && u != nil && o.Agent.ID == cl.Owner && u.Agent.ID == n.Agent {
			add(cl.Item, n.Item)
		}
	}
	order := []string{}
	for len(before) > 0 {
		next := ""
		for item, deps := range before {
			if len(deps) == 0 && (next == "" || item < next) {
				next = item
			}
		}
		if next == "" { // a cycle: take the smallest id
			for item := range before {
				if next == "" || item < next {
					next = item
				}
			}
		}
		order = append(order, next)
		delete(before, next)
		for _, deps := range before {
			delete(deps, next)
		}
	}
	return order
}

// submittedHere reports that it is my task whose branch this is.
func (it StatusItem) submittedHere(d StatusData) bool {
	return it.You && it.Status == string(model.ItemSubmitted) && it.Branch != "" && it.Branch == d.Branch
}

func statusSummary(d StatusData) string {
	where := "a detached HEAD"
	if d.Branch != "" {
		where = "branch " + d.Branch
	}
	if d.Item == nil {
		for _, it := range d.Items {
			if it.submittedHere(d) {
				return fmt.Sprintf("%q, which you submitted, on %s", it.Intent, where)
			}
		}
	}
	switch {
	case d.Item == nil:
		return fmt.Sprintf("you have no task, on %s", where)
	case d.Item.Provisional:
		return fmt.Sprintf("you have unnamed work on %s", where)
	}
	return fmt.Sprintf("%q on %s", d.Item.Intent, where)
}

func statusDetails(d StatusData) []string {
	out := []string{fmt.Sprintf("you are %s in %s", d.Agent, d.Worktree)}
	if d.Item != nil {
		out = append(out, fmt.Sprintf("your task %s changes %s and %s", d.Item.ID, count(d.Item.Files, "file"), count(d.Item.Symbols, "symbol")))
		if d.Item.SnapshotError != "" {
			out = append(out, "your snapshot is not shared: "+d.Item.SnapshotError)
		}
	}
	for _, it := range d.Items {
		if it.You && it.Status == string(model.ItemSubmitted) {
			line := fmt.Sprintf("your task %s %q is submitted from %s", it.ID, it.Intent, it.Branch)
			if it.PR != "" {
				line += ": " + it.PR
			}
			out = append(out, line)
		}
	}
	if line := mainLine(d.Main); line != "" {
		out = append(out, line)
	}
	if d.SnapshotsEvery != "" {
		out = append(out, fmt.Sprintf("the tree is large: snapshots every %s between calls", d.SnapshotsEvery))
	}
	shared := map[string]Overlap{}
	for _, o := range d.Overlaps {
		shared[o.Item] = o
	}
	for _, it := range d.Items {
		if it.You {
			continue
		}
		line := fmt.Sprintf("%s is doing %s: %s, %s", it.Agent, said(it.Intent), count(it.Files, "file"), count(it.Symbols, "symbol"))
		if it.Provisional {
			line = fmt.Sprintf("%s has unnamed work (%s): %s, %s", it.Agent, said(it.Intent), count(it.Files, "file"), count(it.Symbols, "symbol"))
		}
		if it.Idle {
			line += ", idle"
		}
		if o, ok := shared[it.ID]; ok {
			line += "; also touches your " + strings.Join(o.Files[:min(len(o.Files), 3)], ", ")
			if n := len(o.Files) - 3; n > 0 {
				line += fmt.Sprintf(" and %d more", n)
			}
		}
		out = append(out, line)
	}
	for _, cl := range d.Claims {
		out = append(out, claimLine(cl, d.Agent))
	}
	for _, n := range d.Needs {
		if n.Over {
			continue
		}
		line := n.Agent + " " + n.does("s") + called(n.Name)
		if n.Agent == d.Agent {
			line = "you " + n.does("") + n.Name
		}
		out = append(out, line)
	}
	for _, t := range d.Threads {
		line := fmt.Sprintf("thread %s about %s: %s", t.ID, called(t.Subject), count(t.Messages, "message"))
		if t.Next != "" {
			line += "; " + t.Next
		}
		out = append(out, line)
	}
	return out
}

// claimLine says who holds a claim, to the agent that reads it.
func claimLine(cl StatusClaim, reader string) string {
	switch yours := cl.Owner == reader; {
	case yours && cl.Resource:
		return "you have " + cl.Name
	case yours:
		return "you own " + cl.Name
	case cl.Resource:
		return fmt.Sprintf("%s has %s", cl.Owner, cl.Name)
	}
	return fmt.Sprintf("%s owns %s (advice: build against the owner's version)", cl.Owner, cl.Name)
}

// leftOut says which files others do not get to see of this work, and why.
func leftOut(files []engine.LeftOut) []string {
	if len(files) == 0 {
		return nil
	}
	names := make([]string, 0, 3)
	for _, f := range files[:min(len(files), 3)] {
		names = append(names, fmt.Sprintf("%s (%s)", f.Path, f.Why))
	}
	line := "stays on this machine: " + strings.Join(names, ", ")
	if n := len(files) - len(names); n > 0 {
		line += fmt.Sprintf(" and %d more", n)
	}
	return []string{line}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
