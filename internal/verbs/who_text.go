package verbs

import (
	"context"
	"fmt"
	"strings"

	"gitlet/internal/engine"
	"gitlet/internal/footprint"
	"gitlet/internal/verb"
	"gitlet/internal/view"
)

// whoResource says who has what is claimed and is not a symbol.
func whoResource(ctx context.Context, c *engine.Call, r engine.Resource) (*verb.Result, error) {
	v, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	data := WhoData{Target: r.String(), Symbols: []WhoSymbol{}, Files: []WhoFile{}}
	out := &verb.Result{Outcome: verb.OK, Summary: fmt.Sprintf("nobody has %s", r)}
	for _, cl := range v.Claims {
		held, is, err := engine.ParseResource(cl.Resource)
		if !is || err != nil || held != r && (held.Kind != engine.Sequence || held.Folder() != r.Name) {
			continue
		}
		line := fmt.Sprintf("%s is %s's", cl.Resource, cl.Owner)
		if cl.Owner == v.Agent {
			line = fmt.Sprintf("%s is yours", cl.Resource)
		}
		if p := v.Peer(cl.Item); p != nil && p.Agent.ID == cl.Owner {
			line += fmt.Sprintf(" (task: %s)", said(p.Item.Intent))
		}
		out.Details = append(out.Details, line)
		data.Claims = append(data.Claims, StatusClaim{Name: cl.Resource, Owner: cl.Owner, Item: cl.Item, Resource: true})
	}
	switch n := len(data.Claims); {
	case n == 1:
		out.Summary, out.Details = out.Details[0], nil
	case n > 1:
		out.Summary = fmt.Sprintf("%d numbers of %s are given out", n, r.Folder())
	}
	out.Data = data
	return out, nil
}

// whoResult words what who found.
func whoResult(target string, data WhoData, v *view.View, facts footprint.FileFacts) *verb.Result {
	r := &verb.Result{Outcome: verb.OK, Data: data}
	others := map[string]bool{}
	count := func(people []Person) {
		for _, p := range people {
			if !p.You {
				others[p.Item] = true
			}
		}
	}
	for _, f := range data.Files {
		count(f.Changing)
	}
	for _, s := range data.Symbols {
		count(s.Changing)
		count(s.Referencing)
	}
	switch len(others) {
	case 0:
		r.Summary = fmt.Sprintf("nobody else in flight touches %s", target)
	case 1:
		r.Summary = fmt.Sprintf("1 other task touches %s", target)
	default:
		r.Summary = fmt.Sprintf("%d other tasks touch %s", len(others), target)
	}
	switch {
	case facts.Reason == "":
	case facts.Parsed:
		r.Details = append(r.Details, fmt.Sprintf("parts of %s cannot be read: %s", facts.Path, facts.Reason))
	default:
		r.Details = append(r.Details, fmt.Sprintf("%s is known by file only: %s", facts.Path, facts.Reason))
	}
	for _, f := range data.Files {
		r.Body = append(r.Body, verb.Section{Title: f.Path, Lines: personLines("", f.Changing)})
	}
	for _, s := range data.Symbols {
		lines := personLines("", s.Changing)
		lines = append(lines, personLines("references it", s.Referencing)...)
		if s.Owner != nil {
			own := fmt.Sprintf("owned by %s", s.Owner.Agent)
			if s.Owner.Agent == v.Agent {
				own = "owned by you"
			}
			if s.Owner.Contract != "" {
				own += ", published as: " + s.Owner.Contract
			}
			lines = append(lines, own)
		}
		for _, n := range s.Needed {
			line := n.Agent + " needs it"
			if n.Pinned {
				line = n.Agent + " builds on a published signature of it"
			}
			if n.Requirement != "" {
				line += fmt.Sprintf(" (requirement: %s)", said(n.Requirement))
			}
			lines = append(lines, line)
		}
		if len(lines) == 0 {
			lines = []string{"nobody in flight changes, references, owns or needs it"}
		}
		r.Body = append(r.Body, verb.Section{Title: fmt.Sprintf("%s (%s)", s.Name, s.Kind), Lines: lines})
	}
	return r
}

func personLines(what string, people []Person) []string {
	var out []string
	for _, p := range people {
		name := fmt.Sprintf("%s (task: %s)", p.Agent, said(p.Intent))
		if p.You {
			name = "you"
		}
		if p.Idle {
			name += " (idle)"
		}
		line := name + ": " + changeWords(what, p)
		if p.Was != "" && p.Was != p.Now {
			line += "; was: " + p.Was
		}
		if p.Now != "" && p.Now != p.Was {
			line += "; now: " + p.Now
		}
		if n := len(p.Where); n > 0 {
			shown := p.Where[:min(n, 5)]
			line += " at " + strings.Join(shown, ", ")
			if n > len(shown) {
				line += fmt.Sprintf(" and %d more", n-len(shown))
			}
		}
		out = append(out, line)
	}
	return out
}

func changeWords(what string, p Person) string {
	if what != "" && p.Unsure {
		return "may reference it (by its name)"
	}
	if what != "" {
		return what
	}
	words := map[string]string{
		"added": "adds it", "removed": "removes it", "signature": "changes its signature",
		"body": "changes its body", "moved": "moves it", "renamed": "renames it",
	}
	w := words[p.Change]
	if w == "" {
		w = p.Change
	}
	if p.Breaking {
		w += " (breaking)"
	}
	return w
}
