package engine

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"gitlet/internal/forge"
	"gitlet/internal/model"
	"gitlet/internal/pattern"
)

// What the forge says of the pull requests of submitted tasks. It is asked in the
// background or once a command's answer is out, and its word is kept, so that every
// process of the worktree goes by the same.

// Ledger keys: what was said of an item's pull request, followed by ":" and the item; and
// when the forge was last asked, followed by ":" and the agent.
const (
	keyPR         = "pull-request"
	keyAskedForge = "asked-forge"
)

// askFor bounds what asking the forge takes.
const askFor = 3 * time.Second

// prWord is what the forge said of a pull request.
type prWord struct {
	State string // OPEN, CLOSED, MERGED
	Head  string
}

var prNumber = pattern.New(`/pull/([0-9]+)$`)

// askForge asks about the pull requests of this agent's submitted tasks.
func (e *Engine) askForge(ctx context.Context) {
	if e.remote.Name == "" || e.second || e.own == nil {
		return
	}
	var waiting []model.Item
	for _, it := range e.own.Items {
		if it.Status == model.ItemSubmitted {
			waiting = append(waiting, it)
		}
	}
	if len(waiting) == 0 || !e.due(ctx, keyAskedForge+":"+e.who.Agent, 3*e.settings.PollInterval, e.now()) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, askFor)
	defer cancel()
	c := &Call{Engine: e, Now: e.now()}
	for _, it := range waiting {
		word, err := c.ask(ctx, it)
		if errors.Is(err, forge.ErrNoGH) || errors.Is(err, forge.ErrSignedOut) || ctx.Err() != nil {
			return
		}
		if err == nil && word.State != "" {
			data, err := json.Marshal(word)
			if err == nil {
				err = e.ledger.Set(ctx, e.who.Agent, keyPR+":"+it.ID, string(data))
			}
			if err != nil {
				return // asked again
			}
		}
	}
}

// ask reads one pull request: the one that is recorded, or else one of the item's branch
// at the very commit that was handed in, which a person opened.
func (c *Call) ask(ctx context.Context, it model.Item) (prWord, error) {
	to, err := c.PushRemote(ctx, it.Branch)
	if err != nil {
		return prWord{}, err
	}
	base, head, known, err := c.Forges(ctx, to)
	if err != nil || !known || base.Kind != forge.GitHub && base.Kind != forge.Unknown {
		return prWord{}, err // there is nobody to ask
	}
	gh := c.GH(base)
	if m := prNumber.FindStringSubmatch(it.PR); m != nil {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			return prWord{}, err
		}
		pr, err := gh.View(ctx, n)
		return prWord{State: pr.State, Head: pr.Head}, err
	}
	prs, err := gh.PRs(ctx, it.Branch, "all")
	for _, pr := range prs {
		if pr.From(base, head) && pr.Head == it.Head {
			return prWord{State: pr.State, Head: pr.Head}, nil
		}
	}
	return prWord{}, err
}

// prSaid is what the forge last said of an item's pull request.
func (e *Engine) prSaid(ctx context.Context, it model.Item) prWord {
	var word prWord
	text, ok, err := e.ledger.Get(ctx, e.who.Agent, keyPR+":"+it.ID)
	if err != nil || !ok || json.Unmarshal([]byte(text), &word) != nil {
		return prWord{}
	}
	return word
}

// prMerged reports whether the forge merged what the item handed in. A pull request that
// was merged at an older commit does not hold the rest.
func (c *Call) prMerged(ctx context.Context, it model.Item) bool {
	word := c.prSaid(ctx, it)
	if word.State != "MERGED" || it.Head == "" {
		return false
	}
	if word.Head == it.Head {
		return true
	}
	holds, err := c.BuildsOn(ctx, it.Head, word.Head)
	return err == nil && holds
}

// PRClosed reports whether the forge closed the pull request of a submitted task without
// merging it.
func (c *Call) PRClosed(ctx context.Context, it model.Item) bool {
	return it.Status == model.ItemSubmitted && c.prSaid(ctx, it).State == "CLOSED"
}
