package verbs

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gitlet/internal/engine"
	"gitlet/internal/forge"
	"gitlet/internal/model"
	"gitlet/internal/trailer"
	"gitlet/internal/verb"
	"gitlet/internal/view"
)

// pull is the pull request to have.
type pull struct {
	branch, commit string
	before         string // where the remote's branch was
	to             string // the remote it was pushed to, or its address
	title, body    string
	draft          bool
}

// openPull finds or opens the pull request of a pushed branch, or says on which page a
// person does. That it could not be opened is a warning: the branch is pushed, and the
// next call tries again.
func openPull(ctx context.Context, c *engine.Call, p pull, d *SubmitData, r *verb.Result) error {
	repo, head, known, err := c.Forges(ctx, p.to)
	if err != nil {
		return err
	}
	if !known {
		c.Warn("%s is no forge that gitlet knows: open the pull request for %s by hand", p.to, p.branch)
		return nil
	}
	if repo.Kind == forge.GitHub || repo.Kind == forge.Unknown {
		err := p.byGH(ctx, c, repo, head, d)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, forge.ErrNoGH):
		case errors.Is(err, forge.ErrSignedOut):
			if repo.Kind == forge.GitHub {
				r.Details = append(r.Details, "gh is not signed in to "+repo.Host)
			}
		case ctx.Err() != nil:
			return err
		default:
			c.Warn("the pull request could not be opened: %v; submit again to retry", err)
		}
	}
	d.Compare = repo.CompareFork(c.Main(), head, p.branch)
	if d.Compare == "" {
		c.Warn("%s is no forge that gitlet knows: open the pull request for %s by hand", repo.Host, p.branch)
		return nil
	}
	r.Details = append(r.Details, "end its description with the last lines of data.body, so that the task is known when it lands")
	if d.Item != "" {
		r.Details = append(r.Details, trailer.Line{Key: trailer.Item, Value: d.Item}.String())
	}
	return nil
}

// byGH returns the open pull request of this very branch, or opens one. A pull request of
// the same branch name counts only when it is open, its branch lives where ours was pushed,
// and it is at a commit that is ours: one from another repository is somebody else's, and
// one that was merged or closed is about other work.
func (p pull) byGH(ctx context.Context, c *engine.Call, repo, head forge.Repo, d *SubmitData) error {
	gh := c.GH(repo)
	prs, err := gh.PRs(ctx, p.branch, "open")
	if err != nil {
		return err
	}
	for _, pr := range prs {
		if !pr.From(repo, head) || pr.State != "OPEN" || pr.URL == "" {
			continue
		}
		ours := pr.Head == p.commit || pr.Head == p.before && p.before != ""
		if !ours {
			if ours, err = c.BuildsOn(ctx, pr.Head, p.commit); err != nil {
				return err
			}
		}
		if ours {
			if pr.Base != c.Main() && pr.Base != "" {
				c.Warn("the pull request goes to %s, not to %s", pr.Base, c.Main())
			}
			d.PR, d.Existing = pr.URL, true
			return nil
		}
	}
	d.PR, err = gh.Create(ctx, forge.NewPR{Branch: p.branch, Head: head, Base: c.Main(), Title: p.title, Body: p.body, Draft: p.draft})
	return err
}

// itemBody is the text of an item's pull request: what was asked for, the task, the
// published signatures it builds on and brings, and last the lines by which it is known.
func itemBody(v *view.View, it model.Item, given string) string {
	var b strings.Builder
	if given = strings.TrimSpace(given); given != "" {
		b.WriteString(given + "\n\n")
	}
	fmt.Fprintf(&b, "Task: %s\n", oneLine(it.Intent))
	var used, owned []string
	for _, n := range v.Needs {
		if n.Agent != v.Agent || n.Item != it.ID || n.PinnedSigHash == "" || v.Owns(n.Agent, n.Item, n.Key) {
			continue
		}
		line := code(n.Name)
		if cl := v.Claim(n.Key); cl != nil {
			line += ", published by " + code(cl.Owner)
			if cl.Contract != nil && cl.Contract.SigHash == n.PinnedSigHash {
				line += " as " + code(cl.Contract.Signature)
			}
		}
		used = append(used, line)
	}
	for _, cl := range v.Claims {
		if cl.Owner == v.Agent && cl.Item == it.ID && cl.Contract != nil {
			owned = append(owned, code(cl.Name())+": "+code(cl.Contract.Signature))
		}
	}
	for _, part := range []struct {
		title string
		lines []string
	}{{"Builds on these published signatures:", used}, {"Brings these published signatures:", owned}} {
		if len(part.lines) > 0 {
			b.WriteString("\n" + part.title + "\n\n- " + strings.Join(part.lines, "\n- ") + "\n")
		}
	}
	return trailer.Add(b.String(), trailer.Options{}, trailer.Line{Key: trailer.Item, Value: it.ID}, trailer.Line{Key: trailer.Agent, Value: v.Agent})
}

// code spells what others wrote so that a forge takes it for nothing but text: on one
// line, between backticks it does not hold itself.
func code(s string) string { return "`" + strings.ReplaceAll(oneLine(s), "`", "'") + "`" }
