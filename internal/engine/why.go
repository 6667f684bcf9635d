package engine

import (
	"context"
	"fmt"

	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/view"
)

// Blame returns the commit that last changed a line of a file of the work tree; nil where
// that is not committed yet. Errors: git.ErrNotFound.
func (c *Call) Blame(ctx context.Context, path string, line int) (*git.Commit, error) {
	oid, err := c.wt.Foreground().Blame(ctx, path, line)
	if err != nil || oid == "" {
		return nil, err
	}
	log, err := c.wt.Log(ctx, git.LogOptions{From: []string{oid}, Max: 1})
	if err != nil || len(log) == 0 {
		return nil, err
	}
	return &log[0], nil
}

// TasksOf are the tasks a commit names: a squash may name several. Without any, it is the
// one entry that says who made the commit.
func (c *Call) TasksOf(ctx context.Context, commit git.Commit) []Doer {
	items := commit.Trailer("Gitlet-Item")
	if len(items) < 2 {
		return []Doer{c.WhoDid(ctx, commit)}
	}
	agents := commit.Trailer("Gitlet-Agent")
	var out []Doer
	seen := map[string]bool{}
	for i, it := range items {
		if seen[it] {
			continue
		}
		seen[it] = true
		one := commit
		one.Message = "Gitlet-Item: " + it + "\n"
		if len(agents) == len(items) {
			one.Message += "Gitlet-Agent: " + agents[i] + "\n"
		}
		out = append(out, c.WhoDid(ctx, one))
	}
	return out
}

// AgreementsOn is what was agreed about a symbol, by its key, as far as this agent took part.
func (c *Call) AgreementsOn(ctx context.Context, key string) []view.Agreement {
	var out []view.Agreement
	var claims []model.Claim
	for _, d := range c.docs.Claims {
		claims = append(claims, d.Value)
	}
	for _, a := range c.agreements(ctx) {
		if a.On(claims, key) {
			out = append(out, a)
		}
	}
	return out
}

// BehindMain counts the commits of main that the branch lacks, and names the files in
// which bringing it up to date would conflict; told is false where git is too old or
// cannot tell. Uncommitted work is part of it.
func (c *Call) BehindMain(ctx context.Context, tip string) (behind int, files []string, told bool, err error) {
	main := c.mainOID(ctx)
	if main == "" || c.head.OID == "" {
		return 0, nil, false, nil
	}
	if behind, err = c.behind(ctx, main); err != nil || behind == 0 {
		return behind, nil, err == nil, err
	}
	if tip == "" {
		tip = c.head.OID
	}
	if !c.wt.Version.MergeTree() {
		return behind, nil, false, nil
	}
	pred, known := c.ledgerPrediction(ctx, main, tip)
	if !known {
		pred = c.mergeFiles(ctx, []asking{{tips: git.MergePair{Ours: main, Theirs: tip}}})[0]
		c.keepPrediction(ctx, main, tip, pred)
	}
	return behind, pred.Files, pred.Known, nil
}

// keyBehind is the ledger key of an agent for how many commits of main its branch lacked:
// "<head> <main> <count>".
const keyBehind = "behind-main"

func (c *Call) behind(ctx context.Context, main string) (n int, err error) {
	at := c.head.OID + " " + main + " "
	if text, ok, err := c.ledger.Get(ctx, c.who.Agent, keyBehind); err == nil && ok {
		if _, err := fmt.Sscanf(text, at+"%d", &n); err == nil {
			return n, nil
		}
	}
	base, err := c.mergeBase(ctx, c.head.OID, main)
	switch {
	case err != nil:
		return 0, err
	case base == "":
		return 0, git.ErrNoMergeBase
	case base != main:
		_, n, err = c.wt.AheadBehind(ctx, c.head.OID, main)
	}
	if err == nil {
		// What cannot be kept is counted again.
		_ = c.ledger.Set(ctx, c.who.Agent, keyBehind, fmt.Sprint(at, n))
	}
	return n, err
}
