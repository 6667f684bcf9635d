package hook

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"gitlet/internal/engine"
	"gitlet/internal/render"
	"gitlet/internal/verb"
)

// ownTools begins the names of gitlet's own tools, whose results carry the notes already.
const ownTools = "mcp__gitlet__"

// maxEvent is how much of an event is read; a tool's output may be in it.
const maxEvent = 64 << 20

// ClientCall is one run of a hook of Claude Code's.
type ClientCall struct {
	Event string // "SessionStart", "UserPromptSubmit", "PostToolUse"
	Agent string // who it speaks for, "" for the worktree's own
	Table func() []verb.Spec
	In    io.Reader
	Out   io.Writer
}

// event is what the client says of what happened.
type event struct {
	Cwd      string `json:"cwd"`
	ToolName string `json:"tool_name"`
}

// Client runs one hook of Claude Code's: it prints one JSON object with what to add to the
// agent's context, or nothing.
func Client(ctx context.Context, h ClientCall) {
	say, known := map[string]func(context.Context, ClientCall, event) (string, error){
		"SessionStart": sessionStart, "UserPromptSubmit": newNotes, "PostToolUse": newNotes,
	}[h.Event]
	if !known {
		return
	}
	inTime(ctx, h.Event, h.Out, func(ctx context.Context, out io.Writer) error {
		data, err := io.ReadAll(io.LimitReader(h.In, maxEvent))
		var e event
		if err != nil || json.Unmarshal(data, &e) != nil || !filepath.IsAbs(e.Cwd) {
			return err
		}
		text, err := say(ctx, h, e)
		if err != nil || text == "" {
			return err
		}
		return json.NewEncoder(out).Encode(map[string]any{
			"hookSpecificOutput": map[string]any{"hookEventName": h.Event, "additionalContext": text}})
	})
}

// newNotes says what came up since, from the ledger alone.
func newNotes(ctx context.Context, h ClientCall, e event) (string, error) {
	if strings.HasPrefix(e.ToolName, ownTools) {
		return "", nil
	}
	at, ok := engine.Peek(e.Cwd, h.Agent)
	if !ok {
		return "", nil
	}
	show, more, err := at.NewNotes(ctx, maxShown)
	if err != nil || len(show) == 0 {
		return "", err
	}
	p := render.Printer{Face: verb.MCP, Table: h.Table()}
	if at.Linked {
		p.Where = at.Root // the server may have been started elsewhere
	}
	text := "gitlet (what other agents are doing to what you work on; take one of the options, as a tool call):\n" + p.Notes(show)
	if more > 0 {
		text += fmt.Sprintf("\n%d more: call status", more)
	}
	return text, nil
}

// sessionStart is a short status.
func sessionStart(ctx context.Context, h ClientCall, e event) (string, error) {
	at, ok := engine.Peek(e.Cwd, h.Agent)
	if !ok {
		return "", nil
	}
	eng, err := engine.Open(ctx, engine.Options{Dir: e.Cwd, Client: "cli", Agent: h.Agent, Table: h.Table(), Hook: true})
	if err != nil {
		return "", err
	}
	var g *engine.Greeting
	err = eng.Local(ctx, func(ctx context.Context, c *engine.Call) (err error) {
		g, err = c.Greet(ctx)
		return err
	})
	if cerr := eng.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return "", err
	}
	return greeting(g, at), nil
}

// greeting words it; what others wrote is quoted, as data.
func greeting(g *engine.Greeting, at engine.Peeked) string {
	const few = 5
	where := "a detached HEAD"
	if g.Branch != "" {
		where = "branch " + g.Branch
	}
	lines := []string{fmt.Sprintf("gitlet: you are %s in %s, on %s.", g.Agent, render.Fold(at.Root), render.Fold(where))}
	switch {
	case g.Item == nil:
		lines = append(lines, "You have no task: call start with one sentence before you edit.")
	case g.Item.Provisional:
		lines = append(lines, "Your work has no name yet: call start with one sentence that says what it is.")
	default:
		lines = append(lines, fmt.Sprintf("Your task: %q.", render.Fold(g.Item.Intent)))
	}
	for i, o := range g.Others {
		if i == few {
			lines = append(lines, fmt.Sprintf("- %d more: call status", len(g.Others)-few))
			break
		}
		line := fmt.Sprintf("- %s is doing %q", render.Fold(o.Agent), render.Fold(o.Intent))
		if o.Idle {
			line += ", idle"
		}
		lines = append(lines, line)
	}
	if g.Open > 0 {
		notes := "open notes"
		if g.Open == 1 {
			notes = "open note"
		}
		lines = append(lines, fmt.Sprintf("%d %s (%d to act on now): call status.", g.Open, notes, g.Act))
	}
	return strings.Join(lines, "\n")
}
