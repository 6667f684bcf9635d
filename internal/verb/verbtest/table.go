package verbtest

import (
	"context"
	"sync"

	"gitlet/internal/verb"
)

// Common is what every tool takes.
type Common struct {
	Worktree string `arg:"worktree" mcp:"true" chars:"path" help:"absolute path of the git worktree to act in"`
}

// StartArgs has a required text, a text flag and a list.
type StartArgs struct {
	Intent string   `arg:"intent" required:"true" help:"the task, in one sentence"`
	Branch string   `arg:"branch" help:"the branch to work on"`
	Paths  []string `arg:"paths" chars:"path" value:"PATH" help:"a file you plan to touch"`
	Common
}

// WhoArgs has one required path-like text.
type WhoArgs struct {
	Target string `arg:"target" required:"true" chars:"path" help:"a path, or a symbol as path:Name"`
	Common
}

// NeedArgs takes a note.
type NeedArgs struct {
	Symbol      string `arg:"symbol" required:"true" chars:"path" help:"the symbol, as path:Name"`
	Requirement string `arg:"requirement" help:"what you need from the interface"`
	Note        string `arg:"note" help:"the note you act on"`
	Common
}

// Proposal is an object argument.
type Proposal struct {
	Owner     string `arg:"owner" required:"true" help:"who should own it: me, them or an agent id"`
	Signature string `arg:"signature" help:"the signature to agree on"`
}

// DiscussArgs has text with line breaks and an object.
type DiscussArgs struct {
	About    string    `arg:"about" required:"true" help:"a thread or note id"`
	Message  string    `arg:"message" required:"true" chars:"text" help:"what you ask or propose"`
	Proposal *Proposal `arg:"proposal" help:"who owns the interface and its signature"`
	Common
}

// DismissArgs has an enum.
type DismissArgs struct {
	Note   string `arg:"note" required:"true" help:"the note's id"`
	As     string `arg:"as" required:"true" enum:"not_needed,false_alarm" help:"not_needed: real but needs no action; false_alarm: gitlet is wrong"`
	Reason string `arg:"reason" help:"why"`
	Common
}

// CheckpointArgs has an optional positional, a bool, an int and a map.
type CheckpointArgs struct {
	Name  string         `arg:"name" positional:"true" help:"the name to park it under"`
	Draft bool           `arg:"draft" help:"only say what would be parked"`
	Keep  int            `arg:"keep" min:"1" max:"50" help:"how many to keep"`
	Extra map[string]any `arg:"extra" help:"anything else"`
	Common
}

// PlanArgs has a list as the last positional and a list of objects.
type PlanArgs struct {
	Files []string   `arg:"files" positional:"true" chars:"path" value:"FILE" help:"a file"`
	Tasks []Proposal `arg:"tasks" help:"a task"`
	Common
}

// StatusArgs has nothing but what every tool has.
type StatusArgs struct{ Common }

// Table returns the test table; submit is declared but not built.
func Table() []verb.Spec {
	return []verb.Spec{
		{Name: "start", Built: true, Args: &StartArgs{}, Summary: "State your task", When: "Before you edit code for a new task. States your task and shows who does similar work.", Example: `gitlet start "Add strict mode to config loading" --paths src/config.ts`},
		{Name: "status", Built: true, Args: &StatusArgs{}, Effects: verb.Effects{ReadOnly: true, Fresh: true}, Summary: "See your task and what overlaps it", When: "When you begin or resume, or whenever unsure.", Example: "gitlet status"},
		{Name: "who", Built: true, Args: &WhoArgs{}, Effects: verb.Effects{ReadOnly: true}, Summary: "See who else is at a file or symbol", When: "Before editing a file or symbol.", Example: "gitlet who src/config.ts"},
		{Name: "need", Built: true, Args: &NeedArgs{}, Effects: verb.Effects{Idempotent: true, TakesNote: true}, Summary: "Depend on a changing interface", When: "Your work depends on an interface someone else is changing.", Example: `gitlet need src/config.ts:parseConfig --requirement "keep returning Config"`},
		{Name: "discuss", Built: true, Args: &DiscussArgs{}, Summary: "Talk about a note or thread", When: "Ask the other agents what they need, or propose who owns an interface.", Example: `gitlet discuss n-3f2a "Do you need the flag on parseConfig?"`},
		{Name: "dismiss", Built: true, Args: &DismissArgs{}, Effects: verb.Effects{Idempotent: true, TakesNote: true}, Summary: "Close a note", When: "Close a note you will not act on.", Example: `gitlet dismiss n-3f2a not_needed --reason "only a comment"`},
		{Name: "checkpoint", Built: true, Args: &CheckpointArgs{}, Summary: "Park the present state", When: "Before something you may want to undo.", Example: "gitlet checkpoint before-refactor"},
		{Name: "plan", Built: true, Args: &PlanArgs{}, Effects: verb.Effects{ReadOnly: true}, Summary: "See which tasks collide", When: "Before you hand out tasks.", Example: "gitlet plan src/a.ts src/b.ts"},
		{Name: "abandon", Built: true, Args: &StatusArgs{}, Effects: verb.Effects{Destructive: true}, Summary: "Stop the current task", When: "Stop the current task.", Example: "gitlet abandon"},
		{Name: "submit", Args: &StatusArgs{}, Effects: verb.Effects{OpenWorld: true}, Summary: "Check, push and open a pull request", When: "Your work is ready.", Example: "gitlet submit"},
	}
}

// Call is one call a Runner saw.
type Call struct {
	Verb string
	Args any
	Face verb.Face
}

// Runner records calls and answers with Answer, or a plain ok.
type Runner struct {
	Answer func(ctx context.Context, spec verb.Spec, args any, face verb.Face) *verb.Result

	mu    sync.Mutex
	calls []Call
}

// Run implements verb.Runner.
func (r *Runner) Run(ctx context.Context, spec verb.Spec, args any, face verb.Face) *verb.Result {
	r.mu.Lock()
	r.calls = append(r.calls, Call{spec.Name, args, face})
	r.mu.Unlock()
	if r.Answer != nil {
		return r.Answer(ctx, spec, args, face)
	}
	return &verb.Result{Outcome: verb.OK, Summary: spec.Name + " ran"}
}

// Calls returns what was called so far.
func (r *Runner) Calls() []Call {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Call(nil), r.calls...)
}
