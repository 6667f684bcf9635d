package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gitlet/internal/git"
	"gitlet/internal/land"
	"gitlet/internal/model"
)

// keyLandings is the ledger key of an agent for its tasks that landed, by item; keyJudged,
// followed by ":" and an item, is the main and head it was last judged by.
const (
	keyLandings = "landings"
	keyJudged   = "landing-judged"
)

// watchLanded is how long main is watched for taking back what landed.
const watchLanded = 30 * 24 * time.Hour

// landedTask is a task that landed, and what was found out about it since.
type landedTask struct {
	Intent, How, Commit, Base, Head string
	At                              time.Time
	Missing                         []string
	Partly, Lost                    []land.Loss
	Told                            bool
	Seen                            string // main when it was last looked at
	Reverted, RevertTold            bool
}

// seeMain takes a newer commit of main into account than the shared state came with, so
// that no note is about work that has landed by it. The task of the branch here is left to the
// verb.
func (c *Call) seeMain(ctx context.Context, main string) {
	if main == "" || main == c.docs.Main {
		return
	}
	c.docs.Main = main
	c.view, c.notes = nil, nil
	c.landingsBut(ctx, c.head.Branch)
	c.tellLandings(ctx)
}

// landings closes the submitted tasks that main holds by now, and watches those that
// landed. It costs nothing while main and the branches stand still.
func (c *Call) landings(ctx context.Context) { c.landingsBut(ctx, "") }

func (c *Call) landingsBut(ctx context.Context, branch string) {
	main := c.mainOID(ctx)
	if c.second || main == "" {
		return
	}
	known := c.landed(ctx)
	before, err := json.Marshal(known)
	if err != nil {
		return
	}
	st, err := c.State(ctx)
	if err != nil {
		return // the verb itself says so
	}
	for _, it := range st.Items {
		if it.Status == model.ItemSubmitted && (branch == "" || it.Branch != branch) {
			c.judgeItem(ctx, main, it, known)
		}
	}
	c.watchLandings(ctx, main, known)
	if after, err := json.Marshal(known); err == nil && string(after) != string(before) {
		c.retain(ctx, keyLandings, known)
	}
}

func (e *Engine) landed(ctx context.Context) map[string]landedTask {
	known := map[string]landedTask{}
	text, ok, err := e.ledger.Get(ctx, e.who.Agent, keyLandings)
	if err != nil || !ok || json.Unmarshal([]byte(text), &known) != nil {
		return map[string]landedTask{}
	}
	return known
}

// judgeItem closes a submitted item where it has landed.
func (c *Call) judgeItem(ctx context.Context, main string, it model.Item, known map[string]landedTask) {
	merged := c.prMerged(ctx, it)
	now := fmt.Sprintf("%s %s %t", main, it.Head, merged)
	if was, _, err := c.ledger.Get(ctx, c.who.Agent, keyJudged+":"+it.ID); err == nil && was == now {
		return
	}
	l, err := land.Landed(ctx, c.wt.Repo, main, land.Item{ID: it.ID, Base: it.Base, Head: it.Head, Merged: merged})
	if err != nil {
		if !cut(ctx, err) && !errors.Is(err, git.ErrNotFound) {
			c.warnings.add("whether %q has landed could not be told: %v", it.Intent, err)
		}
		return
	}
	if l == nil {
		// What cannot be kept is judged again.
		_ = c.ledger.Set(ctx, c.who.Agent, keyJudged+":"+it.ID, now)
		return
	}
	if err := c.Close(ctx, it.ID, model.ItemLanded, ""); err != nil {
		c.warnings.add("%q has landed, which could not be noted: %v", it.Intent, err)
		return
	}
	c.view, c.notes = nil, nil
	known[it.ID] = landedTask{Intent: it.Intent, How: l.How, Commit: l.Commit, Base: it.Base, Head: it.Head, At: c.Now,
		Missing: l.Missing, Partly: l.Partly, Lost: l.Lost, Seen: main}
}

// Over reports whether nothing of an open item is left to hand in although it did something:
// main has all that it changes up to head, or has head itself and a signature that the item
// published. What is not committed is not looked at.
func (c *Call) Over(ctx context.Context, it model.Item, head string) (bool, error) {
	main := c.mainOID(ctx)
	all, err := land.Holds(ctx, c.wt.Repo, main, land.Item{ID: it.ID, Base: it.Base, Head: head})
	if all || err != nil {
		return all, err
	}
	if on, err := c.Holds(ctx, head); err != nil || !on {
		return false, err
	}
	var pins []land.Pin
	for _, d := range c.docs.Claims {
		if cl := d.Value; cl.Owner == c.who.Agent && cl.Item == it.ID && cl.Contract != nil && cl.Symbol != nil {
			pins = append(pins, land.Pin{Key: cl.Key, Path: cl.Symbol.Path, SigHash: cl.Contract.SigHash})
		}
	}
	onMain, err := land.OnMain(ctx, c.wt.Repo, main, pins, c.cache)
	return len(onMain) > 0, err
}

// CloseLanded closes an open item of which main has everything, as the verb itself says.
func (c *Call) CloseLanded(ctx context.Context, it model.Item, head string) error {
	if err := c.Close(ctx, it.ID, model.ItemLanded, ""); err != nil {
		return err
	}
	c.view, c.notes = nil, nil
	known := c.landed(ctx)
	known[it.ID] = landedTask{Intent: it.Intent, How: land.ByContent, Base: it.Base, Head: head, At: c.Now, Told: true, Seen: c.mainOID(ctx)}
	c.retain(ctx, keyLandings, known)
	return nil
}

// watchLandings looks whether main took back what landed.
func (c *Call) watchLandings(ctx context.Context, main string, known map[string]landedTask) {
	for id, t := range known {
		if c.Now.Sub(t.At) > watchLanded {
			delete(known, id)
			continue
		}
		if t.Reverted || t.Seen == main {
			continue
		}
		back, err := land.TakenBack(ctx, c.wt.Repo, main, land.Item{ID: id, Base: t.Base, Head: t.Head})
		if err != nil {
			continue // looked at again
		}
		t.Seen, t.Reverted = main, back
		known[id] = t
	}
}

// tellLandings says once what became of the tasks that landed.
func (c *Call) tellLandings(ctx context.Context) {
	known := c.landed(ctx)
	ids := make([]string, 0, len(known))
	for id := range known {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	told := false
	for _, id := range ids {
		t := known[id]
		if !t.Told {
			t.Told, told = true, true
			how := t.How
			if t.Commit != "" {
				how += " as " + git.Short(t.Commit)
			}
			c.warnings.add("your task %q has landed (%s)", t.Intent, how)
			if len(t.Missing) > 0 && !t.Reverted {
				c.warnings.add("%s does not hold what %q did in %s", c.main.Name, t.Intent, strings.Join(t.Missing[:min(len(t.Missing), 3)], ", "))
			}
			for _, l := range t.Partly {
				c.warnings.add("landing %q left out %s of it in %s, such as %q", t.Intent, lines(l.Count), l.Path, l.Lines[0])
			}
			for _, l := range t.Lost {
				c.warnings.add("landing %q dropped %s of %s that %s %q had brought, such as %q", t.Intent, lines(l.Count), l.Path, git.Short(l.Commit.OID), l.Commit.Subject, l.Lines[0])
			}
		}
		if t.Reverted && !t.RevertTold {
			t.RevertTold, told = true, true
			c.warnings.add("your task %q landed and was taken back on %s since", t.Intent, c.main.Name)
		}
		known[id] = t
	}
	if told {
		c.retain(ctx, keyLandings, known)
	}
}

func lines(n int) string {
	if n == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", n)
}
