package setup

import (
	"fmt"
	"path/filepath"
	"strings"

	"gitlet/internal/model"
	"gitlet/internal/verb"
)

// tell words the plan. It says the same before and after: what was planned is what is done.
func (p *Plan) tell(r *verb.Result, o Options, root, found string, clients []string) {
	short := func(path string) string {
		if rel, err := filepath.Rel(root, path); err == nil && filepath.IsAbs(path) && filepath.IsLocal(rel) {
			return rel
		}
		return path
	}
	for _, c := range p.Changes {
		r.Details = append(r.Details, fmt.Sprintf("%s %s: %s", c.Action, short(c.Path), c.What))
		if !c.whole && c.Action != "remove" {
			r.Body = append(r.Body, shown(short(c.Path), c)...)
		}
	}
	for _, s := range p.Settings {
		switch {
		case s.To == "":
			r.Details = append(r.Details, fmt.Sprintf("git setting %s: %s is taken out (undo: %s)", s.Key, s.From, s.Undo))
		case s.From != "":
			r.Details = append(r.Details, fmt.Sprintf("git setting %s: %s before, now %s (undo: %s)", s.Key, s.From, s.To, s.Undo))
		default:
			r.Details = append(r.Details, fmt.Sprintf("git setting %s: not set before, now %s (undo: %s)", s.Key, s.To, s.Undo))
		}
	}
	if p.Learned != "" {
		r.Details = append(r.Details, p.Learned)
	}
	for _, k := range p.Kept {
		r.Details = append(r.Details, fmt.Sprintf("%s: %s", short(k.Path), k.Why))
	}
	for _, a := range p.Advice {
		r.Details = append(r.Details, fmt.Sprintf("not changed: %s: %s; %s", short(a.Path), a.What, a.ToDo))
		if len(a.Snippet) > 0 {
			r.Body = append(r.Body, verb.Section{Title: "for " + short(a.Path), Code: a.Snippet})
		}
	}
	for _, b := range p.Problems {
		r.Details = append(r.Details, fmt.Sprintf("left alone: %s: %s; %s", short(b.Path), b.What, b.ToDo))
		if len(b.Snippet) > 0 {
			r.Body = append(r.Body, verb.Section{Title: "what belongs into " + short(b.Path), Code: b.Snippet})
		}
	}
	if len(clients) == 0 && !o.Remove {
		r.Warnings = append(r.Warnings, "no client was found here: name one, as in gitlet init claude-code, codex or cursor")
	} else if found != "" {
		r.Details = append(r.Details, "found: "+found)
	}
	p.sum(r, o)
}

// shown are the lines of a change as sections.
func shown(path string, c Change) []verb.Section {
	line, out, in := c.Diff()
	if c.before.missing {
		return []verb.Section{{Title: path, Code: in}}
	}
	var s []verb.Section
	if len(out) > 0 {
		s = append(s, verb.Section{Title: fmt.Sprintf("%s, out from line %d on", path, line), Code: out})
	}
	if len(in) > 0 {
		s = append(s, verb.Section{Title: fmt.Sprintf("%s, in from line %d on", path, line), Code: in})
	}
	return s
}

func (p *Plan) sum(r *verb.Result, o Options) {
	n := len(p.Changes) + len(p.Settings)
	doing := "set up"
	if o.Remove {
		doing = "took out"
	}
	switch {
	case len(p.Problems) > 0:
		r.Outcome = verb.Refused
		var files []string
		for _, b := range p.Problems {
			files = append(files, fmt.Sprintf("%s (%s)", b.Path, b.What))
		}
		r.Summary = fmt.Sprintf("%s left alone: %s", were(len(p.Problems)), strings.Join(files, "; "))
		if n > 0 {
			r.Summary += fmt.Sprintf("; everything else is %s", map[bool]string{true: "planned", false: "done"}[o.DryRun])
		}
		argv := append([]string{"gitlet", "init"}, o.Clients...)
		r.Options = append(r.Options, model.Option{Argv: argv, Why: "once the file is mended"})
	case n == 0:
		r.Outcome = verb.Nothing
		r.Summary = "everything is set up already"
		if o.Remove {
			r.Summary = "nothing of gitlet's is here"
		}
	case o.DryRun:
		r.Summary = fmt.Sprintf("init would make %s; nothing was written", changes(n))
	default:
		r.Summary = fmt.Sprintf("%s gitlet: %s", doing, changes(n))
	}
}

func were(n int) string {
	if n == 1 {
		return "one file was"
	}
	return fmt.Sprintf("%d files were", n)
}

func changes(n int) string {
	if n == 1 {
		return "1 change"
	}
	return fmt.Sprintf("%d changes", n)
}
